"""The members of a request. Source: docs/wire/ollama.md, section 1."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from interlingua.spi.members import Members

MEMBERS: Final = Members(
    MappingProxyType({
        "": frozenset({
            "format", "keep_alive", "logprobs", "messages", "model", "options", "shift", "stream", "think", "tools",
            "top_logprobs", "truncate",
        }),
        "messages/*": frozenset({
            "content", "images", "role", "thinking", "tool_call_id", "tool_calls", "tool_name"
        }),
        "messages/*/tool_calls/*/function": frozenset({"arguments", "index", "name"}),
        "options": frozenset({
            "draft_num_predict", "frequency_penalty", "main_gpu", "min_p", "num_batch", "num_ctx", "num_gpu",
            "num_keep", "num_predict", "num_thread", "presence_penalty", "repeat_last_n", "repeat_penalty", "seed",
            "stop", "temperature", "top_k", "top_p", "typical_p", "use_mmap",
        }),
        "tools/*": frozenset({"function", "type"}),
        "tools/*/function": frozenset({"description", "name", "parameters"}),
    })
)  # fmt: skip
