"""The face of a room: what the house asks of it. A module with these names is one, and so is any other object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError, ChatRequest, ChatResponse
    from interlingua.spi.descriptor import Descriptor
    from interlingua.spi.families import Family
    from interlingua.violation import Violation

__all__ = ["Room", "StreamReader", "StreamWriter"]


class StreamReader(Protocol):
    """Reads one stream as plain events.

    Example:
        >>> from interlingua.rooms import ollama
        >>> reader: il.spi.StreamReader = ollama.decode_stream()
        >>> [event["type"] for event in reader.feed({"message": {"role": "assistant", "content": "Hi"}, "done": False})]
        ['start', 'content']
    """

    def feed(self, frame: Any) -> list[dict[str, Any]]:
        """Return the events of a frame. Raises `DecodeError`."""
        ...

    def close(self) -> list[dict[str, Any]]:
        """Return the events that end the stream, if it has not ended."""
        ...


class StreamWriter(Protocol):
    """Writes one stream of plain events.

    Example:
        >>> from interlingua.rooms import ollama
        >>> writer: il.spi.StreamWriter = ollama.encode_stream(il.spi.LossLog())
        >>> frames = writer.feed({"type": "start", "model": "llama"})
        >>> writer.feed({"type": "content", "block": 0, "text": "Hi"})[-1]["message"]
        {'role': 'assistant', 'content': 'Hi'}
    """

    def feed(self, event: dict[str, Any]) -> list[dict[str, Any] | str]:
        """Return the frames of an event."""
        ...

    def close(self) -> list[dict[str, Any] | str]:
        """Return what is still to be written where no `end` came."""
        ...


class Room(Protocol):
    """The face of a dialect room: what every one of them gives.

    Example:
        >>> from interlingua.rooms import claude
        >>> room: il.spi.Room = claude
        >>> room.DESCRIPTOR.title
        'Claude (Anthropic Messages)'
    """

    DESCRIPTOR: Descriptor

    def decode_request(self, body: Any) -> ChatRequest:
        """Return the canonical request of a wire body. Raises `DecodeError`."""
        ...

    def encode_request(
        self, request: ChatRequest, log: LossLog, api_version: str | None = None, family: Family | None = None
    ) -> dict[str, Any]:
        """Return the wire body of a canonical request; what does not come along is noted in the log.

        `family` is one of the room's `FAMILIES`; a room without any is never given one.
        """
        ...

    def decode_response(self, body: Any) -> ChatResponse:
        """Return the canonical response of a wire body. Raises `DecodeError`."""
        ...

    def encode_response(self, response: ChatResponse, log: LossLog) -> dict[str, Any]:
        """Return the wire body of a canonical response; what does not come along is noted in the log."""
        ...

    def decode_stream(self) -> StreamReader:
        """Return a reader of one stream."""
        ...

    def encode_stream(self, log: LossLog) -> StreamWriter:
        """Return a writer of one stream; what does not come along is noted in the log."""
        ...

    def assemble_stream(self, frames: Iterable[dict[str, Any] | str]) -> dict[str, Any]:
        """Return the response body that the frames of one stream make."""
        ...

    def decode_error(
        self,
        body: Any,
        status: int | None = None,
        headers: Mapping[str, Any] | None = None,
        now: datetime | float | None = None,
    ) -> ApiError:
        """Return the canonical error of a body. Raises `DecodeError`."""
        ...

    def encode_error(self, error: ApiError, log: LossLog) -> tuple[int, dict[str, str], Any]:
        """Return status, headers and body of a canonical error; what does not come along is noted in the log."""
        ...

    def check_request(self, body: Any, api_version: str | None = None, family: Family | None = None) -> list[Violation]:
        """Return what the provider would refuse of a wire body. Raises `DecodeError` for what is no object."""
        ...
