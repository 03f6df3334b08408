"""Canonical to vLLM: streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from interlingua.rooms._chat_completions.stream_encoder import StreamEncoder as FamilyEncoder
from interlingua.rooms.vllm.tables import DIALECT
from interlingua.rooms.vllm.vendor import VENDOR

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.rooms._chat_completions.vendor import Vendor


def encode_stream(log: LossLog) -> StreamEncoder:
    """Return a writer of one stream; what does not come along is noted in the log."""
    return StreamEncoder(log)


class StreamEncoder(FamilyEncoder):
    """Writes the events of a stream as chunks."""

    dialect: ClassVar[str] = DIALECT
    vendor: ClassVar[Vendor] = VENDOR
