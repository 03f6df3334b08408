"""Base classes for the stream decoder and encoder of a simple room."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from interlingua.pointers import pointer
from interlingua.spi.reading import Malformed

if TYPE_CHECKING:
    from interlingua.loss import LossLog

__all__ = ["FrameReader", "FrameWriter"]


class FrameReader(ABC):
    """Decodes one stream. A subclass implements `read`, which must return an `end` event where the stream ends.

    Example:
        >>> class Reader(il.spi.FrameReader):
        ...     dialect = "parley"
        ...     def read(self, frame):
        ...         if "end" in frame:
        ...             return [{"type": "end", "complete": True}]
        ...         return [{"type": "content", "block": 0, "text": frame["says"]}]
        >>> [event["type"] for event in Reader().feed({"says": "Hello"})]
        ['content']
    """

    dialect: ClassVar[str]

    def __init__(self) -> None:
        self._count = -1
        self._has_ended = False

    def feed(self, frame: Any) -> list[dict[str, Any]]:
        """Return the events of a frame. Raises `DecodeError`, whose path begins with the index of the frame."""
        self._count += 1
        try:
            events = self.read(frame)
        except Malformed as malformed:
            raise malformed.under(self._count).error(self.dialect) from None
        self._has_ended = self._has_ended or any(event["type"] == "end" for event in events)
        return events

    def close(self) -> list[dict[str, Any]]:
        """Return the final event of a stream that was cut off; nothing if it has ended."""
        if self._has_ended:
            return []
        self._has_ended = True
        return [{"type": "end", "complete": False}]

    @abstractmethod
    def read(self, frame: Any) -> list[dict[str, Any]]:
        """Return the events of a frame, which may be any JSON value. Raises `Malformed`."""

    def opaque(self, frame: Any) -> dict[str, Any]:
        """Return the opaque event for a frame that only this dialect understands."""
        return {"type": "opaque", "dialect": self.dialect, "data": frame}


class FrameWriter(ABC):
    """Encodes one stream. A subclass implements `write`, which also logs losses.

    Example:
        >>> class Writer(il.spi.FrameWriter):
        ...     dialect = "parley"
        ...     def write(self, event):
        ...         return [{"says": event["text"]}] if event["type"] == "content" else []
        >>> Writer(il.spi.LossLog()).feed({"type": "content", "block": 0, "text": "Hello"})
        [{'says': 'Hello'}]
    """

    dialect: ClassVar[str]

    def __init__(self, log: LossLog) -> None:
        self.log = log
        self._count = -1

    def feed(self, event: dict[str, Any]) -> list[dict[str, Any] | str]:
        """Return the frames for an event."""
        self._count += 1
        return self.write(event)

    def close(self) -> list[dict[str, Any] | str]:
        """Return the remaining frames of a stream that had no `end` event."""
        return []

    @abstractmethod
    def write(self, event: dict[str, Any]) -> list[dict[str, Any] | str]:
        """Return the frames for an event."""

    def path(self, *tokens: str | int) -> str:
        """Return the path, for losses, of a member of the event that is being encoded."""
        return pointer(self._count, *tokens)
