"""Detection of OpenAI Chat Completions: the shapes of its bodies.

Source: docs/wire/openai_chat.md.
"""

from __future__ import annotations

from typing import Final

from interlingua.rooms._chat_completions.detection import FOREIGN, OWN, REQUEST, RESPONSE, STREAM
from interlingua.spi.signs import Shape, Signs

SIGNS: Final = Signs(
    request=Shape(demands=REQUEST, certainty=0.5, own=OWN, foreign=FOREIGN),
    response=Shape(
        demands=RESPONSE,
        certainty=0.8,
        own=("object=chat.completion", "system_fingerprint", "choices/*/message/annotations"),
        foreign=("prompt_logprobs", "kv_transfer_params", "choices/*/stop_reason", "choices/*/token_ids"),
    ),
    stream=Shape(
        demands=STREAM,
        certainty=0.8,
        own=("object=chat.completion.chunk", "system_fingerprint"),
        foreign=(
            "object=chat.completion", "choices/*/message", "error/status", "type=error", "choices/*/delta/token_ids",
            "choices/*/token_ids", "choices/*/stop_reason", "prompt_token_ids",
        ),
        usual=("choices",),
    ),
    error=Shape(
        demands=(
            ("error/message=text",),
            ("error/type=text",),
            ("error=text",),
            ("object=error", "message"),
            ("message=text",),
            ("errors/*/message=text",),
        ),
        certainty=0.5,
        own=("error/param=messages*", "error/param=max_completion_tokens", "error/metadata", "error/failed_generation"),
        foreign=(
            "type=error", "error/status=text", "error=text", "message=object", "sequence_number", "choices",
            "candidates", "output", "model", "done",
        ),
    ),
)  # fmt: skip
