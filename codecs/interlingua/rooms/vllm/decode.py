"""vLLM to canonical: requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from interlingua.rooms._chat_completions.decode import decode_request as family_decode_request
from interlingua.rooms.vllm.tables import DIALECT
from interlingua.rooms.vllm.vendor import VENDOR
from interlingua.spi.reading import body_decoder

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatRequest


@body_decoder(DIALECT)
def decode_request(body: Any) -> ChatRequest:
    """Return the canonical request of a wire body. Raises `DecodeError`."""
    return cast("ChatRequest", family_decode_request(body, VENDOR))
