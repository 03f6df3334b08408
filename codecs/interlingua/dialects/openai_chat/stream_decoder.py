"""Chat Completions of OpenAI to canonical: streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from interlingua.dialects._chat_completions.stream_decoder import StreamDecoder as FamilyDecoder
from interlingua.dialects.openai_chat.stream_encoder import StreamEncoder
from interlingua.dialects.openai_chat.tables import DIALECT, VENDOR
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.vendor import Vendor


def decode_stream() -> StreamDecoder:
    """Return a reader of one stream."""
    return StreamDecoder()


class StreamDecoder(FamilyDecoder):
    """Reads the chunks of a stream."""

    dialect: ClassVar[str] = DIALECT
    vendor: ClassVar[Vendor] = VENDOR

    def __init__(self) -> None:
        super().__init__(StreamEncoder(LossLog()))
