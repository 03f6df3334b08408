"""The known members of a request. Source: docs/wire/openai_responses.md, section 1."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from interlingua.spi.members import Members

MEMBERS: Final = Members(
    MappingProxyType({
        "": frozenset({
            "background", "context_management", "conversation", "include", "input", "instructions",
            "max_output_tokens", "max_tool_calls", "metadata", "model", "moderation", "parallel_tool_calls",
            "previous_response_id", "prompt", "prompt_cache_key", "prompt_cache_retention", "reasoning",
            "safety_identifier", "service_tier", "store", "stream", "stream_options", "temperature", "text",
            "tool_choice", "tools", "top_logprobs", "top_p", "truncation", "user",
        }),
        "reasoning": frozenset({"context", "effort", "mode", "summary"}),
        "tools/*": frozenset({"description", "format", "name", "parameters", "strict", "tools", "type"}),
        "text": frozenset({"format", "verbosity"}),
        "text/format": frozenset({"description", "name", "schema", "strict", "type"}),
    }),
    refuses_others=True,
)  # fmt: skip
