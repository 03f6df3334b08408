"""The members of a request. Source: docs/wire/vllm.md, section 1."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from interlingua.rooms._chat_completions.members import KNOWN
from interlingua.spi.members import Members

# State of vLLM 0.33.0, entrypoints/openai/chat_completion/protocol.py.
_SETTINGS: Final = frozenset({
    "add_generation_prompt", "add_special_tokens", "allowed_token_ids", "bad_words", "cache_salt", "chat_template",
    "chat_template_kwargs", "continue_final_message", "documents", "ec_transfer_params", "echo", "ignore_eos",
    "include_reasoning", "include_stop_str_in_output", "kv_transfer_params", "length_penalty", "logprob_token_ids",
    "media_io_kwargs", "min_p", "min_tokens", "mm_payload", "mm_processor_kwargs", "priority", "prompt_logprobs",
    "repetition_detection", "repetition_penalty", "request_id", "return_mm_kwargs", "return_prompt_text",
    "return_token_ids", "return_token_offsets", "return_tokens_as_token_ids", "return_weight_versions",
    "routed_experts_prompt_start", "session_id", "skip_special_tokens", "spaces_between_special_tokens",
    "stop_token_ids", "stream_interval", "structured_outputs", "thinking_token_budget", "top_k",
    "truncate_prompt_tokens", "truncation_side", "use_beam_search", "vllm_xargs", "watermarking",
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
