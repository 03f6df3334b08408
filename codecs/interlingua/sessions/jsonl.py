"""Reads and writes JSONL files, without stopping at damaged lines.

Lines end with LF or CRLF only: U+2028 and the like are ordinary characters. A byte order mark at the start and empty
lines are ignored. A run of NUL bytes, as left by a crashed file system, is a bad range of its own, and the data around
it is read.
"""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.argument_checks import check_binary_file, check_count, check_path
from interlingua.errors import JsonDecodeError, JsonLinesError
from interlingua.sessions.documents import read_tolerant
from interlingua.sessions.part_files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

__all__ = ["BadLine", "Record", "Source", "read_jsonl", "records", "tail_jsonl", "write_lines"]

Source: TypeAlias = str | os.PathLike[str] | IO[bytes]

LONGEST: Final = 256 * 1024 * 1024
"""The maximum length of a line: a longer one is more likely damage, or an attack, than a message."""

_MARK: Final = b"\xef\xbb\xbf"
_NULS: Final = re.compile(rb"\x00+")
_BLANK: Final = b" \t\r\n"
_BLOCK: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class BadLine:
    r"""An unreadable line: its number from 1, its byte offsets (`end` exclusive), and the reason, without content.

    Example:
        >>> import io
        >>> found = list(il.sessions.records(io.BytesIO(b'{"a": 1}\n{"a": \n')))[-1]
        >>> found.line, found.start, found.end
        (2, 9, 14)
    """

    line: int
    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class Record:
    r"""A document of a file, as plain JSON, with its line number from 1 and its byte offsets (`end` exclusive).

    Example:
        >>> import io
        >>> next(il.sessions.records(io.BytesIO(b'{"a": 1}\n')))
        Record(line=1, start=0, end=8)
    """

    line: int
    start: int
    end: int
    document: Any = field(repr=False)  # content


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    start: int
    text: bytes
    is_too_long: bool = False
    length: int = 0


def records(source: Source, *, longest: int = LONGEST) -> Iterator[Record | BadLine]:
    r"""Read a file line by line, in bounded memory: yield documents and unreadable lines in order.

    A file object is read from its current position, and byte offsets count from there.

    Args:
        source: A path, or a file opened in binary mode.
        longest: The maximum number of bytes of a line; a longer one is a `BadLine`.

    Raises:
        OSError: the file cannot be read.

    Example:
        >>> import io
        >>> [type(one).__name__ for one in il.sessions.records(io.BytesIO(b'{"a": 1}\n{"a": \n'))]
        ['Record', 'BadLine']
    """
    longest = min(check_count(longest, "longest"), sys.maxsize)
    with _opened(source) as file:
        for line in _lines(file, longest):
            yield from _read(line)


def read_jsonl(source: Source, *, longest: int = LONGEST) -> Iterator[Any]:
    r"""Read a file strictly: yield each document.

    Args:
        source: A path, or a file opened in binary mode.
        longest: The maximum number of bytes of a line.

    Raises:
        JsonLinesError: a line is not JSON.
        OSError: the file cannot be read.

    Example:
        >>> import io
        >>> list(il.sessions.read_jsonl(io.BytesIO(b'{"a": 1}\n{"a": 2}\n')))
        [{'a': 1}, {'a': 2}]
    """
    for found in records(source, longest=longest):
        if isinstance(found, BadLine):
            raise JsonLinesError(found.line, found.start, found.end, found.reason)
        yield found.document


def tail_jsonl(path: str | os.PathLike[str], count: int) -> tuple[Record | BadLine, ...]:
    r"""Return the last `count` documents of a file, with unreadable lines among them, without reading the whole file.

    Line numbers count from the first line that is read.

    Args:
        path: The path of the file.
        count: How many documents, counted from the end.

    Raises:
        OSError: the file cannot be read.

    Example:
        >>> from pathlib import Path
        >>> written = Path("log.jsonl").write_text('{"a": 1}\n{"a": 2}\n')
        >>> [one.document for one in il.sessions.tail_jsonl("log.jsonl", 1)]
        [{'a': 2}]
    """
    check_path(path, "path")
    count = check_count(count, "count")
    with Path(path).open("rb") as file:
        end = start = file.seek(0, io.SEEK_END)
        found: tuple[Record | BadLine, ...] = ()
        while start > 0 and _documents(found) < count:
            # The block doubles each time, so each line is read at most twice.
            start = max(0, end - max(_BLOCK, 2 * (end - start)))
            file.seek(start)
            tail = file.read(end - start)
            begin = start + _after_first_line(tail, is_whole=start == 0)
            found = _shifted(records(io.BytesIO(tail[begin - start :])), begin)
        return _last(found, count)


def write_lines(target: str | os.PathLike[str] | IO[bytes], lines: Iterable[bytes]) -> int:
    """Write lines to a file and return their number. A path is replaced only when all lines are written.

    An open file is written to directly.

    Raises:
        OSError: the file cannot be written.
    """
    if not isinstance(target, (str, os.PathLike)):
        check_binary_file(target, "target", "write")
        return _write(target, lines)
    with atomic_write(Path(target)) as file:
        return _write(file, lines)


def _write(file: IO[bytes], lines: Iterable[bytes]) -> int:
    count = 0
    for line in lines:
        file.write(line + b"\n")
        count += 1
    return count


@contextmanager
def _opened(source: Source) -> Generator[IO[bytes]]:
    if not isinstance(source, (str, os.PathLike)):
        check_binary_file(source, "source", "readline")
        yield source
        return
    with Path(source).open("rb") as file:
        yield file


def _lines(file: IO[bytes], longest: int) -> Iterator[_Line]:
    """Yield the lines with their offsets; for a line that is too long, only its length."""
    number, start = 0, 0
    while text := file.readline(longest):
        number += 1
        length, is_too_long = len(text), False
        while not text.endswith(b"\n") and len(text) == longest and (more := file.readline(_BLOCK)):
            is_too_long = True
            length += len(more)
            if more.endswith(b"\n"):
                break
        if number == 1 and text.startswith(_MARK):
            yield _Line(number, len(_MARK), text[len(_MARK) :], is_too_long, length - len(_MARK))
        else:
            yield _Line(number, start, text, is_too_long, length)
        start += length


def _read(line: _Line) -> Iterator[Record | BadLine]:
    if line.is_too_long:
        yield BadLine(line.number, line.start, line.start + line.length, "the line is too long")
        return
    position = 0
    for nuls in _NULS.finditer(line.text):
        yield from _piece(line, position, nuls.start())
        yield BadLine(line.number, line.start + nuls.start(), line.start + nuls.end(), "NUL bytes")
        position = nuls.end()
    yield from _piece(line, position, len(line.text))


def _piece(line: _Line, start: int, end: int) -> Iterator[Record | BadLine]:
    """Yield the document or error of a piece of a line; nothing if it is blank."""
    piece = line.text[start:end]
    text = piece.strip(_BLANK)
    if not text:
        return
    begin = line.start + start + len(piece) - len(piece.lstrip(_BLANK))
    try:
        document = read_tolerant(text)
    except JsonDecodeError as error:
        yield BadLine(line.number, begin, begin + len(text), error.reason)
    else:
        yield Record(line.number, begin, begin + len(text), document)


def _documents(found: Iterable[Record | BadLine]) -> int:
    return sum(isinstance(one, Record) for one in found)


def _after_first_line(tail: bytes, *, is_whole: bool) -> int:
    """Return the offset of the first complete line."""
    if is_whole:
        return 0
    end = tail.find(b"\n")
    return len(tail) if end < 0 else end + 1


def _shifted(found: Iterable[Record | BadLine], begin: int) -> tuple[Record | BadLine, ...]:
    """Return results with offsets relative to the beginning of the file instead of `begin`."""
    return tuple(replace(one, start=one.start + begin, end=one.end + begin) for one in found)


def _last(found: tuple[Record | BadLine, ...], count: int) -> tuple[Record | BadLine, ...]:
    """Return the last `count` documents, and the unreadable lines after the first of them."""
    documents = [index for index, one in enumerate(found) if isinstance(one, Record)]
    return found if len(documents) < count else found[documents[-count] :] if count > 0 else ()
