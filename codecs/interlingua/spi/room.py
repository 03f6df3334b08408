"""The protocol of a room, which a module or any other object can implement."""

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
    """Decodes one stream to plain events.

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
        """Return the final events, if the stream has not ended."""
        ...


class StreamWriter(Protocol):
    """Encodes one stream of plain events.

    Example:
        >>> from interlingua.rooms import ollama
        >>> writer: il.spi.StreamWriter = ollama.encode_stream(il.spi.LossLog())
        >>> frames = writer.feed({"type": "start", "model": "llama"})
        >>> writer.feed({"type": "content", "block": 0, "text": "Hi"})[-1]["message"]
        {'role': 'assistant', 'content': 'Hi'}
    """

    def feed(self, event: dict[str, Any]) -> list[dict[str, Any] | str]:
        """Return the frames for an event."""
        ...

    def close(self) -> list[dict[str, Any] | str]:
        """Return the remaining frames of a stream that had no `end` event."""
        ...


class Room(Protocol):
    """The protocol of a dialect's room.

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
        """Return the wire body of a canonical request; losses are logged.

        `family` is one of the room's `FAMILIES`, or None for a room without them.
        """
        ...

    def decode_response(self, body: Any) -> ChatResponse:
        """Return the canonical response of a wire body. Raises `DecodeError`."""
        ...

    def encode_response(self, response: ChatResponse, log: LossLog) -> dict[str, Any]:
        """Return the wire body of a canonical response; losses are logged."""
        ...

    def decode_stream(self) -> StreamReader:
        """Return a decoder for one stream."""
        ...

    def encode_stream(self, log: LossLog) -> StreamWriter:
        """Return an encoder for one stream; losses are logged."""
        ...

    def assemble_stream(self, frames: Iterable[dict[str, Any] | str]) -> dict[str, Any]:
        """Return the response body assembled from the frames of a stream."""
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
        """Return status, headers and body of a canonical error; losses are logged."""
        ...

    def check_request(self, body: Any, api_version: str | None = None, family: Family | None = None) -> list[Violation]:
        """Return what the provider would refuse in a wire body. Raises `DecodeError` if it is not an object."""
        ...
