"""The frames in bytes that are cut anywhere: a reader for each form, and what they share."""

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
    """The frames that are complete and not yet given; counts them, and parses them."""

    __slots__ = ("_count", "_ready", "max_bytes")

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._count = 0
        self._ready: list[Frame] = []

    def add(self, data: bytes) -> None:
        """Parse a frame; blank data are none. Raises `FrameError`."""
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
        """Parse what the end of the stream has left, and return how many bytes of it are a frame that was cut.

        Raises:
            FrameError: it is no frame, and no beginning of one.
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
        """Return the frames, and forget them."""
        frames, self._ready = self._ready, []
        self._count += len(frames)
        return frames

    def too_long(self) -> FrameError:
        """Return the error of a frame beyond the limit."""
        return self.error(f"longer than the limit of {self.max_bytes} bytes")

    def error(self, reason: str) -> FrameError:
        """Return the error of the frame that comes next."""
        return FrameError(self._count + len(self._ready) + 1, reason)


class Reader(Protocol):
    """Reads one form. `feed` and `close` add what is complete to `frames`; `cut` counts the bytes of a cut frame."""

    cut: int

    def feed(self, data: bytes) -> None:
        """Take bytes. Raises `FrameError`."""
        ...

    def close(self) -> None:
        """Take the end of the stream. Raises `FrameError`."""
        ...


class _Lines:
    """Lines out of bytes that are cut anywhere; CRLF, CR and LF end them. What is not yet a line is in `rest`."""

    __slots__ = ("_after_return", "rest")

    def __init__(self) -> None:
        self.rest = bytearray()
        self._after_return = False

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that are complete with these bytes, without their ends."""
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
    """Server-sent events; and an error in a field of its own.

    So llama.cpp told it until September 2025, and clients that pass over other fields saw an answer that just ends.
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
        with suppress(FrameError):  # the standard passes over lines without a field
            self._frames.add(b"\n".join(self._bare))

    def _take(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            # A blank after the colon is no part of the data; JSON does not mind it.
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
    """One JSON object a line; or one object of many lines, which a server writes that does not stream."""

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


# What is left of a text, as far as the bytes go: up to the quote that ends it, or to an escape that is cut.
_TEXT: Final = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_FLAT: Final = rb'[^"{}\[\]]*+(?:"' + _TEXT.pattern + rb'"[^"{}\[\]]*+)*+'


def _nested(levels: int) -> bytes:
    """Return the pattern of anything that nests no deeper, as far as it is whole."""
    pattern = _FLAT
    for _ in range(levels):
        pattern = _FLAT + rb"(?:[{\[]" + pattern + rb"[}\]]" + _FLAT + rb")*+"
    return pattern


# The next sign that matters: brackets that open or close deeper nests, or the quote of a text that is cut.
_NEXT: Final = re.compile(_nested(3) + rb'([{\[]++|[}\]]++|")?', re.DOTALL)
_BLANK: Final = re.compile(rb"[ \t\r\n]*")
_Place: TypeAlias = Literal["before", "first", "behind", "next", "after"]
# Between two objects of an array: what may come at each place, and which place comes then; `{` begins an object.
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
    """One JSON array of objects, each of which is a frame as soon as it is complete."""

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
        """Go on to the next byte that is not blank, and take it."""
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
        """Take as much of the object as there is."""
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
        """Return where the text ends in which the bytes begin, or the end of the bytes."""
        begin = start + self._is_escaped  # what was escaped means nothing
        self._is_escaped = False
        position = cast("re.Match[bytes]", _TEXT.match(data, begin)).end()
        if position == len(data):
            return position
        if data[position] == ord('"'):
            self._is_text = False
        else:
            self._is_escaped = True  # the bytes end behind a backslash
        return position + 1


READERS: Final[Mapping[Form, type[_SseReader | _NdjsonReader | _ArrayReader]]] = MappingProxyType(
    {
        "sse": _SseReader,
        "ndjson": _NdjsonReader,
        "json_array": _ArrayReader,
    }
)
