"""The members of a request. Source: docs/wire/vllm.md, section 1."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from interlingua.rooms._chat_completions.members import KNOWN
from interlingua.spi.members import Members

_SETTINGS: Final = frozenset({
    "add_generation_prompt", "bad_words", "cache_salt", "chat_template", "chat_template_kwargs",
    "continue_final_message", "documents", "echo", "ignore_eos", "include_reasoning", "kv_transfer_params",
    "length_penalty", "min_p", "min_tokens", "mm_processor_kwargs", "priority", "repetition_penalty", "request_id",
    "return_token_ids", "stop_token_ids", "structured_outputs", "thinking_token_budget", "top_k",
})  # fmt: skip
MEMBERS: Final = Members(
    MappingProxyType({
        **KNOWN,
        "": KNOWN[""] | _SETTINGS,
        "messages/*": KNOWN["messages/*"] | {"reasoning", "reasoning_content"},
        "stream_options": KNOWN["stream_options"] | {"continuous_usage_stats"},
        "structured_outputs": frozenset({"choice", "grammar", "json", "json_object", "regex", "structural_tag"}),
    })
)  # fmt: skip
