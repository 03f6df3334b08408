"""From bytes to JSON documents: one body over several lines, or JSON Lines, told by content.

Reads line by line. Only while the first line is not a document of its own is more than one line held in memory, and
never more than the limit. Input is untrusted: bytes and depth are limited here, at the entrance, and what is no JSON
becomes one finding with a line and a reason that shows no content.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeAlias, TypeGuard

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_BYTES", "MAX_DEPTH", "Document", "Reader", "RefusedError", "Unreadable", "listed", "parse"]

# The largest request that Claude takes. One body beyond it is more likely a mistake, or an attack, than a conversation.
MAX_BYTES: Final = 32 * 1024 * 1024
# Real bodies nest less than 50 deep. This is what orjson, Pydantic and every supported Python write without trouble.
MAX_DEPTH: Final = 250

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_CHUNK: Final = 64 * 1024
# orjson turns an integer beyond 64 bits into a float. The smallest has 19 digits; those after a point do not matter.
_LONG_INTEGER: Final = re.compile(rb"(?<![.\d])\d{19}")
# Whether there are 19 digits at all is asked first, in a tenth of the time.
_ALL_ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")
_LONG_ZEROS: Final = b"0" * 19
_NO_NUMBERS: Final = ("NaN", "Infinity", "-Infinity")
_TOO_DEEP: Final = f"nested deeper than {MAX_DEPTH} levels"


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


class RefusedError(ValueError):
    """Bytes that are no JSON, or more than we take: the reason, which shows no content, and the place from 1 on."""

    def __init__(self, reason: str, line: int = 1, column: int = 1) -> None:
        self.reason = reason
        self.line = line
        self.column = column
        super().__init__(reason)


_Item: TypeAlias = Document | Unreadable


def parse(data: bytes) -> Any:
    """Return the JSON value that the bytes say; integers are exact, of equal names the last one counts.

    A number beyond the largest double is refused: an integer can have 308 digits.

    Raises:
        RefusedError: they are no JSON in UTF-8, or nest deeper than `MAX_DEPTH`.
    """
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise _explained(data, error) from None
    if data.count(b"[") + data.count(b"{") > MAX_DEPTH and _is_deep(value):
        raise RefusedError(_TOO_DEEP)
    if _LONG_ZEROS in data.translate(_ALL_ZEROS) and _LONG_INTEGER.search(data):
        return json.loads(data)
    return value


def listed(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the documents of a value, each with its JSON Pointer: those of an array, or the value itself."""
    if _is_list(value):
        for index, document in enumerate(value):
            yield f"/{index}", document
    else:
        yield "", value


class Reader:
    """The documents of an open file.

    `position` is how many bytes have been read so far. A document of more than `max_bytes` is unreadable.
    """

    def __init__(self, stream: BinaryIO, max_bytes: int = MAX_BYTES) -> None:
        self.position = 0
        self._stream = stream
        self._max_bytes = max_bytes

    def documents(self) -> Iterator[Document | Unreadable]:
        """Yield what the input holds, in order; an input without anything in it is unreadable.

        Raises:
            OSError: the file cannot be read on.
        """
        lines = self._lines()
        first = next(lines, None)
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


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return type(value) is list


def _is_deep(value: Any) -> bool:
    """Tell whether a value nests deeper than `MAX_DEPTH`, level by level and so without recursion."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for node in level
            for child in (node.values() if type(node) is dict else node)
            if type(child) is dict or type(child) is list
        ]
        if not level:
            return False
    return True


def _explained(data: bytes, error: orjson.JSONDecodeError) -> RefusedError:
    """Return what is wrong with bytes that orjson refuses, in words that help."""
    if data.startswith(_BYTE_ORDER_MARK):
        return RefusedError("not JSON: it begins with a byte order mark; save it as UTF-8 without one")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as undecodable:
        before = data[: undecodable.start]
        column = len(before) - before.rfind(b"\n")
        return RefusedError("not JSON: the bytes are not UTF-8", before.count(b"\n") + 1, column)
    if error.msg == "depth limit exceeded":
        return RefusedError(_TOO_DEEP)
    if text.startswith(_NO_NUMBERS, error.pos):
        return RefusedError("not JSON: NaN and Infinity are no numbers there", error.lineno, error.colno)
    return RefusedError(f"not JSON: {error.msg}", error.lineno, error.colno)
