"""OpenAI Chat Completions to canonical: requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._chat_completions.decode import decode_request as family_decode_request
from interlingua.rooms.openai_chat.tables import DIALECT, RANDOM_SEED, VENDOR
from interlingua.rooms.openai_chat.thinking import READERS
from interlingua.spi.reading import body_decoder, expect_integer

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatRequest
    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.spi.reading import Unmapped


def _read_random_seed(
    request: dict[str, Any], value: Any, body: dict[str, Any], _vendor: Vendor, left: Unmapped
) -> None:
    """Read Mistral's name for `seed`; beside `seed` it stays a leftover."""
    if body.get("seed") is not None:
        left.fields[RANDOM_SEED] = value
    else:
        request["seed"] = expect_integer(value, RANDOM_SEED)
        left.absent("seed")


_REQUESTS: Final[Vendor] = VENDOR._replace(readers={**READERS, RANDOM_SEED: _read_random_seed})


@body_decoder(DIALECT)
def decode_request(body: Any) -> ChatRequest:
    """Return the canonical request of a wire body. Raises `DecodeError`."""
    return cast("ChatRequest", family_decode_request(body, _REQUESTS))
