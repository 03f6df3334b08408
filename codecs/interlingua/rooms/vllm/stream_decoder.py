"""vLLM to canonical: streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from interlingua.rooms._chat_completions.stream_decoder import StreamDecoder as FamilyDecoder
from interlingua.rooms._chat_completions.stream_decoder import assemble_stream
from interlingua.rooms.vllm.stream_encoder import StreamEncoder
from interlingua.rooms.vllm.tables import DIALECT
from interlingua.rooms.vllm.vendor import VENDOR

if TYPE_CHECKING:
    from interlingua.rooms._chat_completions.vendor import Vendor

__all__ = ["StreamDecoder", "assemble_stream", "decode_stream"]


class StreamDecoder(FamilyDecoder):
    """Reads the chunks of a stream."""

    dialect: ClassVar[str] = DIALECT
    vendor: ClassVar[Vendor] = VENDOR

    def __init__(self) -> None:
        super().__init__(StreamEncoder)


decode_stream: Final = StreamDecoder
