"""Detection of vLLM: the shapes of its bodies.

Source: docs/wire/vllm.md.
"""

from __future__ import annotations

from typing import Final

from interlingua.rooms._chat_completions.detection import FOREIGN, OWN, REQUEST, RESPONSE, STREAM
from interlingua.spi.signs import Shape, Signs

SIGNS: Final = Signs(
    request=Shape(
        demands=REQUEST,
        certainty=0.45,
        own=(
            *OWN, "top_k", "min_p", "repetition_penalty", "chat_template", "chat_template_kwargs", "structured_outputs",
            "guided_json", "guided_regex", "guided_choice", "guided_grammar", "add_generation_prompt",
            "continue_final_message", "stop_token_ids", "mm_processor_kwargs", "include_reasoning", "return_token_ids",
            "ignore_eos",
        ),
        foreign=(
            *FOREIGN, "max_completion_tokens", "service_tier", "store", "verbosity", "modalities", "web_search_options",
        ),
    ),
    response=Shape(
        demands=RESPONSE,
        certainty=0.75,
        own=(
            "object=chat.completion", "kv_transfer_params", "kv_transfer_params=null", "prompt_logprobs",
            "prompt_logprobs=null", "choices/*/stop_reason", "choices/*/stop_reason=null", "choices/*/token_ids",
            "choices/*/message/reasoning_content=null",
        ),
        foreign=("system_fingerprint", "provider", "choices/*/native_finish_reason"),
    ),
    stream=Shape(
        demands=STREAM,
        certainty=0.75,
        own=(
            "object=chat.completion.chunk", "choices/*/stop_reason", "choices/*/token_ids",
            "choices/*/stop_reason=null", "choices/*/token_ids=null", "prompt_token_ids", "prompt_token_ids=null",
        ),
        foreign=(
            "object=chat.completion", "choices/*/message", "error/status", "type=error", "system_fingerprint",
            "choices/*/delta/obfuscation", "obfuscation", "provider",
        ),
        usual=("choices",),
    ),
    error=Shape(
        demands=(("error/message=text", "error/type=text", "error/code=number"), ("object=error", "message=text")),
        certainty=0.4,
        own=("error/type=BadRequestError", "error/type=NotFoundError", "error/type=InternalServerError"),
        foreign=("error/status", "error/metadata", "type=error", "choices", "error/type=invalid_request_error"),
    ),
)  # fmt: skip
