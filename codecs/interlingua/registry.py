"""Dialect name to room, imported on first use; dialects of third parties come by entry point."""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from interlingua.errors import UnknownDialectError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest, ChatResponse
    from interlingua.violation import Violation

__all__ = ["ENTRY_POINTS", "Room", "dialects", "room"]

ENTRY_POINTS: Final = "interlingua.dialects"
_ROOMS: Final[tuple[str, ...]] = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm")


class StreamReader(Protocol):
    """Reads one stream as plain events."""

    def feed(self, frame: Any) -> list[dict[str, Any]]:
        """Return the events of a frame. Raises `DecodeError`."""
        ...

    def close(self) -> list[dict[str, Any]]:
        """Return the events that end the stream, if it has not ended."""
        ...


class StreamWriter(Protocol):
    """Writes one stream of plain events."""

    def feed(self, event: dict[str, Any]) -> list[dict[str, Any] | str]:
        """Return the frames of an event."""
        ...

    def close(self) -> list[dict[str, Any] | str]:
        """Return what is still to be written where no `end` came."""
        ...


class Room(Protocol):
    """The face of a dialect room: what every one of them gives.

    `API_VERSIONS` has the newest first, or nothing. `MESSAGES` is the member of a request that lists its messages.
    """

    DIALECT: str
    API_VERSIONS: tuple[str, ...]
    MESSAGES: str

    def decode_request(self, body: Any) -> ChatRequest:
        """Return the canonical request of a wire body. Raises `DecodeError`."""
        ...

    def encode_request(self, request: ChatRequest, log: LossLog, api_version: str | None = None) -> dict[str, Any]:
        """Return the wire body of a canonical request; what does not come along is noted in the log."""
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

    def check_request(self, body: Any, api_version: str | None = None) -> list[Violation]:
        """Return what the provider would refuse of a wire body. Raises `DecodeError` for what is no object."""
        ...


@functools.cache
def _third_parties() -> dict[str, EntryPoint]:
    metadata = importlib.import_module("importlib.metadata")  # slow, and our own dialects need none of it
    return {point.name: point for point in metadata.entry_points(group=ENTRY_POINTS)}


def dialects() -> tuple[str, ...]:
    """Return the names of all dialects: our own first, then those of third parties."""
    return (*_ROOMS, *sorted(_third_parties().keys() - set(_ROOMS)))


@functools.cache
def room(dialect: str) -> Room:
    """Return the room that speaks a dialect. Raises `UnknownDialectError`."""
    if dialect in _ROOMS:
        return cast("Room", importlib.import_module(f"interlingua.dialects.{dialect}"))
    point = _third_parties().get(dialect)
    if point is None:
        raise UnknownDialectError(dialect, dialects())
    return cast("Room", point.load())
