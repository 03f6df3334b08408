"""Canonical to Chat Completions of OpenAI: streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from interlingua.rooms._chat_completions.stream_encoder import StreamEncoder as FamilyEncoder
from interlingua.rooms.openai_chat.tables import DIALECT, VENDOR

if TYPE_CHECKING:
    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.rooms._shared.api_errors import ErrorForm


class StreamEncoder(FamilyEncoder):
    """Writes the events of a stream as chunks."""

    dialect: ClassVar[str] = DIALECT
    vendor: ClassVar[Vendor] = VENDOR

    def error_form(self) -> ErrorForm:
        """Return how the dialect says errors."""
        from interlingua.rooms.openai_chat.errors import FORM  # noqa: PLC0415  # most streams have none

        return FORM


encode_stream: Final = StreamEncoder
