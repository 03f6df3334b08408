"""The known members of requests in the Chat Completions family.

Source: docs/wire/openai_chat.md, section 1.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_FUNCTION: Final = frozenset({"name", "description", "parameters", "strict"})
KNOWN: Final[Mapping[str, frozenset[str]]] = MappingProxyType({
    "": frozenset({
        "audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "max_completion_tokens",
        "max_tokens", "messages", "metadata", "modalities", "model", "moderation", "n", "parallel_tool_calls",
        "prediction", "presence_penalty", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention",
        "reasoning_effort", "response_format", "safety_identifier", "seed", "service_tier", "stop", "store", "stream",
        "stream_options", "temperature", "tool_choice", "tools", "top_logprobs", "top_p", "user", "verbosity",
        "web_search_options",
    }),
    "messages/*": frozenset({
        "audio", "content", "function_call", "name", "refusal", "role", "tool_call_id", "tool_calls"
    }),
    "messages/*/tool_calls/*": frozenset({"custom", "function", "id", "type"}),
    "messages/*/tool_calls/*/function": frozenset({"arguments", "name"}),
    "response_format": frozenset({"json_schema", "type"}),
    "response_format/json_schema": _FUNCTION - {"parameters"} | {"schema"},
    "stream_options": frozenset({"include_obfuscation", "include_usage"}),
    "tools/*": frozenset({"custom", "function", "type"}),
    "tools/*/function": _FUNCTION,
})  # fmt: skip
