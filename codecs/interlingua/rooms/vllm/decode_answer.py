"""vLLM to canonical: responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from interlingua.rooms._chat_completions.decode_answer import decode_response as family_decode_response
from interlingua.rooms.vllm.tables import DIALECT
from interlingua.rooms.vllm.vendor import VENDOR
from interlingua.spi.reading import body_decoder

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatResponse


@body_decoder(DIALECT)
def decode_response(body: Any) -> ChatResponse:
    """Return the canonical response of a wire body. Raises `DecodeError`."""
    return cast("ChatResponse", family_decode_response(body, VENDOR))
