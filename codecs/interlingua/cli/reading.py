"""From bytes to JSON documents: one body over several lines, or JSON Lines, told by content.

Reads line by line. Only while the first line is not a document of its own is more than one line held in memory, and
never more than the limit. A byte order mark of UTF-8 at the beginning is skipped. Input is untrusted: bytes are limited
here and depth in `strict_json`, at the entrance, and what is no JSON becomes one finding with a line and a reason that
shows no content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeAlias

import orjson

from interlingua.cli.binary_formats import not_text
from interlingua.json_types import is_list
from interlingua.strict_json import BYTE_ORDER_MARK, MAX_BYTES, RefusedError, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Document", "Reader", "Unreadable", "listed"]

_CHUNK: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON value and the line of the input, counted from 1, where it begins."""

    line: int
    value: Any


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A place of the input that gives no document: the line, counted from 1, and why. The reason shows no content."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that is not blank; `data` is empty where it is longer than the limit."""

    number: int
    data: bytes
    overlong: bool = False


_Item: TypeAlias = Document | Unreadable


def listed(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the documents of a value, each with its JSON Pointer: those of an array, or the value itself."""
    if is_list(value):
        for index, document in enumerate(value):
            yield f"/{index}", document
    else:
        yield "", value


_EVENTS: Final = (b"data:", b"event:")
"""How lines of server-sent events begin."""


class Reader:
    """The documents of an open file.

    `position` is how many bytes have been read so far. A document of more than `max_bytes` is unreadable.
    """

    def __init__(self, stream: BinaryIO, max_bytes: int = MAX_BYTES) -> None:
        self.position = 0
        self._stream = stream
        self._max_bytes = max_bytes
        self._is_no_text: str | None = None

    def documents(self) -> Iterator[Document | Unreadable]:
        """Yield what the input holds, in order; an input without anything in it is unreadable.

        Raises:
            OSError: the file cannot be read on.
        """
        lines = self._lines()
        first = next(lines, None)
        if self._is_no_text:
            while self._stream.read(_CHUNK):
                pass  # To the end, so that what feeds a pipe is not cut off.
            yield Unreadable(1, self._is_no_text)
            return
        if first is None:
            yield Unreadable(1, "the input is empty")
            return
        alone = self._read(first)
        if isinstance(alone, Document) or first.overlong:
            yield alone
        else:
            yield from self._read_together(first, lines)
        for line in lines:
            yield self._read(line)

    def _read_together(self, first: _Line, lines: Iterator[_Line]) -> Iterator[_Item]:
        """Yield the one document that begins on the first line and goes on, or else the documents of the lines.

        Where neither reads, the lines are taken as broken JSON Lines if any of them is an object of its own, and as one
        broken document otherwise.
        """
        held = [first]
        size = len(first.data)
        for line in lines:
            held.append(line)
            size += len(line.data)
            if size > self._max_bytes or line.overlong:
                break
        else:
            # Blank lines count, so that a finding names the right one.
            padded = b"".join(b"\n" * (line.number - before) + line.data for before, line in _numbered(held))
            whole = _document(first.number, padded)
            if isinstance(whole, Document) or not any(_is_object(line) for line in held):
                yield whole
                return
        if any(_is_object(line) for line in held):
            yield from map(self._read, held)
            return
        for _ in lines:
            pass  # To the end, so that what feeds a pipe is not cut off.
        yield self._too_long(first.number)

    def _read(self, line: _Line) -> _Item:
        return self._too_long(line.number) if line.overlong else _document(line.number, line.data)

    def _too_long(self, number: int) -> Unreadable:
        return Unreadable(number, f"longer than the limit of {self._max_bytes} bytes (see --max-bytes)")

    def _lines(self) -> Iterator[_Line]:
        """Yield the lines that are not blank; of one that is longer than the limit only that it is there."""
        number = 0
        while raw := self._stream.readline(self._max_bytes + 1):
            number += 1
            self.position += len(raw)
            if number == 1:
                self._is_no_text = not_text(raw)
                if self._is_no_text:
                    return
                raw = raw.removeprefix(BYTE_ORDER_MARK)
            overlong = len(raw) > self._max_bytes and not raw.endswith(b"\n")
            while overlong and (rest := self._stream.readline(_CHUNK)):
                self.position += len(rest)
                if rest.endswith(b"\n"):
                    break
            if overlong:
                yield _Line(number, b"", overlong=True)
            elif data := raw.strip():
                yield _Line(number, data)


def _numbered(lines: list[_Line]) -> Iterator[tuple[int, _Line]]:
    """Yield each line with the number of the one before it; the first with its own."""
    before = lines[0].number
    for line in lines:
        yield before, line
        before = line.number


def _document(number: int, data: bytes) -> _Item:
    try:
        return Document(number, parse(data))
    except RefusedError as error:
        if data.startswith(_EVENTS):
            return Unreadable(number, "this is a stream of server-sent events, not JSON")
        where = f" (column {error.column})" if error.column > 1 else ""
        return Unreadable(number + error.line - 1, error.reason + where)


def _is_object(line: _Line) -> bool:
    if not line.data.startswith(b"{"):
        return False
    try:
        orjson.loads(line.data)
    except orjson.JSONDecodeError:
        return False
    return True
