"""Canonical to vLLM: streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from interlingua.rooms._chat_completions.stream_encoder import DONE
from interlingua.rooms._chat_completions.stream_encoder import StreamEncoder as FamilyEncoder
from interlingua.rooms.vllm.tables import DIALECT
from interlingua.rooms.vllm.vendor import VENDOR

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError
    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.rooms._shared.api_errors import ErrorForm
    from interlingua.rooms._shared.stream import Frame


class StreamEncoder(FamilyEncoder):
    """Writes the events of a stream as chunks."""

    dialect: ClassVar[str] = DIALECT
    vendor: ClassVar[Vendor] = VENDOR

    def failure(self, error: ApiError, log: LossLog) -> list[Frame]:
        """Return the chunk that says an error, and the terminator: the server writes it here, too."""
        return [*super().failure(error, log), DONE]

    def error_form(self) -> ErrorForm:
        """Return how the dialect says errors."""
        from interlingua.rooms.vllm.errors import FORM  # noqa: PLC0415  # most streams have none

        return FORM


encode_stream: Final = StreamEncoder
