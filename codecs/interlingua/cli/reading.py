"""Reads JSON documents from bytes: one document over several lines, or JSON Lines, detected by content.

Reads line by line. More than one line is held in memory only if the first line is not a document by itself, and never
more than the limit. A UTF-8 byte order mark at the beginning is skipped. Input is untrusted: size is limited here and
depth in `strict_json`; anything that is not JSON becomes one finding with a line and a reason without content.
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
    """A place in the input without a valid document: the line, counted from 1, and the reason, without content."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that is not blank; `data` is empty if it exceeds the limit."""

    number: int
    data: bytes
    overlong: bool = False


_Item: TypeAlias = Document | Unreadable


def listed(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the documents of a value with their JSON Pointers: the items of an array, or the value itself."""
    if is_list(value):
        for index, document in enumerate(value):
            yield f"/{index}", document
    else:
        yield "", value


_EVENTS: Final = (b"data:", b"event:")
"""How lines of server-sent events begin."""


class Reader:
    """Reads the documents of an open file.

    `position` is the number of bytes read so far. A document of more than `max_bytes` is unreadable.
    """

    def __init__(self, stream: BinaryIO, max_bytes: int = MAX_BYTES) -> None:
        self.position = 0
        self._stream = stream
        self._max_bytes = max_bytes
        self._is_no_text: str | None = None

    def documents(self) -> Iterator[Document | Unreadable]:
        """Yield the documents of the input, in order; an empty input is unreadable.

        Raises:
            OSError: reading fails.
        """
        lines = self._lines()
        first = next(lines, None)
        if self._is_no_text:
            while self._stream.read(_CHUNK):
                pass  # Read to the end, so that the program writing to a pipe is not interrupted.
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
        """Yield the one document that spans the lines, or else the documents of the single lines.

        If neither is valid, the lines are treated as damaged JSON Lines if any of them is an object, otherwise as one
        damaged document.
        """
        held = [first]
        size = len(first.data)
        for line in lines:
            held.append(line)
            size += len(line.data)
            if size > self._max_bytes or line.overlong:
                break
        else:
            # Blank lines are kept, so that line numbers in errors are right.
            padded = b"".join(b"\n" * (line.number - before) + line.data for before, line in _numbered(held))
            whole = _document(first.number, padded)
            if isinstance(whole, Document) or not any(_is_object(line) for line in held):
                yield whole
                return
        if any(_is_object(line) for line in held):
            yield from map(self._read, held)
            return
        for _ in lines:
            pass  # Read to the end, so that the program writing to a pipe is not interrupted.
        yield self._too_long(first.number)

    def _read(self, line: _Line) -> _Item:
        return self._too_long(line.number) if line.overlong else _document(line.number, line.data)

    def _too_long(self, number: int) -> Unreadable:
        return Unreadable(number, f"longer than the limit of {self._max_bytes} bytes (see --max-bytes)")

    def _lines(self) -> Iterator[_Line]:
        """Yield the lines that are not blank; for one that exceeds the limit, only its number."""
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
    """Yield each line with the number of the line before it; the first one with its own."""
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
