"""Incremental frame parsers, one for each stream format."""

from __future__ import annotations

import re
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, cast

from interlingua.errors import FrameError
from interlingua.frames.forms import DONE
from interlingua.strict_json import RefusedError, parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.frames.forms import Form, Frame

__all__ = ["READERS", "Collected", "Reader"]

_DONE: Final = DONE.encode()
_QUOTED_DONE: Final = b'"' + _DONE + b'"'


class Collected:
    """Parses, counts and collects complete frames until they are taken."""

    __slots__ = ("_count", "_ready", "max_bytes")

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._count = 0
        self._ready: list[Frame] = []

    def add(self, data: bytes) -> None:
        """Parse and add a frame; blank data are ignored. Raises `FrameError`."""
        try:
            value: Any = parse(data)
        except RefusedError as error:
            text = data.strip()
            if text == _DONE:
                self._ready.append(DONE)
            elif text:
                raise self.error(error.reason) from None
            return
        if type(value) is dict:
            self._ready.append(cast("Frame", value))
        elif value == DONE:
            self._ready.append(DONE)
        else:
            raise self.error("a frame must be a JSON object")

    def add_last(self, data: bytes) -> int:
        """Parse the rest at the end of the stream, and return the number of bytes of an incomplete frame.

        Raises:
            FrameError: it is neither a frame nor the beginning of one.
        """
        text = data.strip()
        try:
            self.add(text)
        except FrameError:
            if text.startswith(b"{") or _DONE.startswith(text) or _QUOTED_DONE.startswith(text):
                return len(text)
            raise
        return 0

    def taken(self) -> list[Frame]:
        """Return the collected frames and clear them."""
        frames, self._ready = self._ready, []
        self._count += len(frames)
        return frames

    def too_long(self) -> FrameError:
        """Return the error for a frame beyond the size limit."""
        return self.error(f"longer than the limit of {self.max_bytes} bytes")

    def error(self, reason: str) -> FrameError:
        """Return an error for the next frame."""
        return FrameError(self._count + len(self._ready) + 1, reason)


class Reader(Protocol):
    """Parses one stream format into a `Collected`; `cut` is the number of bytes of an incomplete frame."""

    cut: int

    def feed(self, data: bytes) -> None:
        """Take bytes. Raises `FrameError`."""
        ...

    def close(self) -> None:
        """Take the end of the stream. Raises `FrameError`."""
        ...


class _Lines:
    """Splits chunks into lines that end with CRLF, CR or LF; an incomplete line is kept in `rest`."""

    __slots__ = ("_after_return", "rest")

    def __init__(self) -> None:
        self.rest = bytearray()
        self._after_return = False

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that these bytes complete, without line ends."""
        if self._after_return:
            self._after_return = False
            data = data.removeprefix(b"\n")  # the second half of a CRLF whose first half ended a line already
        if b"\r" in data:
            self._after_return = data.endswith(b"\r")
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        head, newline, tail = data.rpartition(b"\n")
        if not newline:
            self.rest += data
            return []
        if self.rest:
            head = bytes(self.rest) + head
            self.rest.clear()
        self.rest += tail
        return head.split(b"\n")


class _SseReader:
    """Server-sent events, and errors in a field named `error`.

    llama.cpp sent errors this way until September 2025, and clients that ignore unknown fields saw the answer just end.
    Source: https://github.com/ggml-org/llama.cpp/pull/16109.
    """

    def __init__(self, frames: Collected) -> None:
        self.cut = 0
        self._frames = frames
        self._lines = _Lines()
        self._data: list[bytes] = []
        self._size = 0
        self._bare: list[bytes] = []

    def feed(self, data: bytes) -> None:
        limit = self._frames.max_bytes
        for line in self._lines.feed(data):
            if not line:
                self._dispatch()
            elif self._size + len(line) > limit:
                raise self._frames.too_long()
            else:
                self._take(line)
        if self._size + len(self._lines.rest) > limit:
            raise self._frames.too_long()

    def close(self) -> None:
        self._take(bytes(self._lines.rest))
        self.cut = self._frames.add_last(b"\n".join(self._data))
        with suppress(FrameError):  # the standard ignores lines without a field
            self._frames.add(b"\n".join(self._bare))

    def _take(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            # A space after the colon is not part of the data, but does not matter in JSON.
            self._data.append(line[5:])
            self._bare.clear()
        elif line.startswith(b"error:") and not self._data and line[6:].lstrip().startswith(b"{"):
            self._data.append(b'{"error":' + line[6:] + b"}")
            self._bare.clear()
        elif (self._bare and line[0:1] != b":") or line.startswith(b"{"):
            self._bare.append(line)
        else:
            return
        self._size += len(line)

    def _dispatch(self) -> None:
        data = self._data
        if data:
            self._data = []
            self._size = 0
            self._frames.add(data[0] if len(data) == 1 else b"\n".join(data))


class _NdjsonReader:
    """One JSON object on each line; or one object on many lines, from a server that does not stream."""

    def __init__(self, frames: Collected) -> None:
        self.cut = 0
        self._frames = frames
        self._lines = _Lines()
        self._whole: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> None:
        limit = self._frames.max_bytes
        for line in self._lines.feed(data):
            if self._size + len(line) > limit:
                raise self._frames.too_long()
            if self._whole or line == b"{":
                self._whole.append(line)
                self._size += len(line)
            elif line:
                self._frames.add(line)
        if self._size + len(self._lines.rest) > limit:
            raise self._frames.too_long()

    def close(self) -> None:
        self.cut = self._frames.add_last(b"\n".join([*self._whole, self._lines.rest]))


# The rest of a string, as far as the bytes go: up to its closing quote, or to an incomplete escape.
_TEXT: Final = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_FLAT: Final = rb'[^"{}\[\]]*+(?:"' + _TEXT.pattern + rb'"[^"{}\[\]]*+)*+'


def _nested(levels: int) -> bytes:
    """Return the pattern of complete JSON text nested at most so deep."""
    pattern = _FLAT
    for _ in range(levels):
        pattern = _FLAT + rb"(?:[{\[]" + pattern + rb"[}\]]" + _FLAT + rb")*+"
    return pattern


# The next relevant token: brackets of deeper nesting, or the opening quote of an incomplete string.
_NEXT: Final = re.compile(_nested(3) + rb'([{\[]++|[}\]]++|")?', re.DOTALL)
_BLANK: Final = re.compile(rb"[ \t\r\n]*")
_Place: TypeAlias = Literal["before", "first", "behind", "next", "after"]
# State machine between two objects of an array: the allowed bytes and next states; `{` begins an object.
_PLACES: Final[Mapping[_Place, Mapping[int, _Place]]] = MappingProxyType(
    {
        "before": {ord("["): "first"},
        "first": {ord("{"): "behind", ord("]"): "after"},
        "behind": {ord(","): "next", ord("]"): "after"},
        "next": {ord("{"): "behind"},
        "after": {},
    }
)


class _ArrayReader:
    """One JSON array of objects; each object is a frame as soon as it is complete."""

    def __init__(self, frames: Collected) -> None:
        self.cut = 0
        self._frames = frames
        self._place: _Place = "before"
        self._object = bytearray()
        self._depth = 0
        self._is_text = False
        self._is_escaped = False

    def feed(self, data: bytes) -> None:
        position = 0
        while position < len(data):
            position = self._inside(data, position) if self._depth else self._between(data, position)

    def close(self) -> None:
        self.cut = len(self._object)

    def _between(self, data: bytes, start: int) -> int:
        """Advance to the next non-blank byte and consume it."""
        blank = cast("re.Match[bytes]", _BLANK.match(data, start))  # it matches nothing at all, too
        position = blank.end()
        if position == len(data):
            return position
        place = _PLACES[self._place].get(data[position])
        if place is None:
            raise self._frames.error("the stream is not a JSON array of objects")
        self._place = place
        if data[position] == ord("{"):
            self._depth = 1
            self._object += b"{"
        return position + 1

    def _inside(self, data: bytes, start: int) -> int:
        """Consume as much of the current object as there is."""
        position = self._text_end(data, start) if self._is_text else start
        end = len(data)
        while (
            self._depth and position < end and (found := _NEXT.match(data, position))
        ):  # it matches nothing at all, too
            signs, position = found[1], found.end()
            if signs == b'"':
                self._is_text = True
                position = self._text_end(data, position)
            elif signs and signs[0] in b"{[":
                self._depth += len(signs)
            elif signs:
                over = len(signs) - self._depth
                self._depth = max(0, -over)
                position -= max(0, over)  # brackets beyond the end of the object belong to the array
        if len(self._object) + position - start > self._frames.max_bytes:
            raise self._frames.too_long()
        self._object += data[start:position]
        if not self._depth:
            self._frames.add(bytes(self._object))
            self._object.clear()
        return position

    def _text_end(self, data: bytes, start: int) -> int:
        """Return the end of the string that the bytes are in, or the end of the bytes."""
        begin = start + self._is_escaped  # skip an escaped character
        self._is_escaped = False
        position = cast("re.Match[bytes]", _TEXT.match(data, begin)).end()
        if position == len(data):
            return position
        if data[position] == ord('"'):
            self._is_text = False
        else:
            self._is_escaped = True  # the bytes end after a backslash
        return position + 1


READERS: Final[Mapping[Form, type[_SseReader | _NdjsonReader | _ArrayReader]]] = MappingProxyType(
    {"sse": _SseReader, "ndjson": _NdjsonReader, "json_array": _ArrayReader}
)
