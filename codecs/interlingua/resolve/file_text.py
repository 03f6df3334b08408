r"""The text of an open file: bounded reading, decoding, lines.

A line ends at `\n`, `\r\n` or `\r`, as editors and tracebacks count; a form feed, U+0085, U+2028 and the like end none.
What follows the last end is a line only where it is something: `"a\n"` has one line, and an empty file none. A byte
order mark at the beginning is no text.
"""

from __future__ import annotations

import os
from typing import Final

from interlingua.resolve.file_codes import file_error

__all__ = ["decode", "marked_lines", "read_bytes"]

_CHUNK: Final = 1 << 16


def read_bytes(descriptor: int, max_bytes: int, last_line: int | None = None) -> bytes:
    """Return what an open file holds; where a last line is named, only so much that it is in it.

    Never more than `max_bytes` and one are read, whatever the file says of its size, and while it grows.

    Raises:
        FileAccessError: there is more.
        OSError: the system cannot read it.
    """
    if last_line is None and os.fstat(descriptor).st_size > max_bytes:
        raise file_error("too_large")
    chunks: list[bytes] = []
    size = ends = 0
    while chunk := os.read(descriptor, min(_CHUNK, max_bytes + 1 - size)):
        chunks.append(chunk)
        size += len(chunk)
        ends += chunk.count(b"\n")
        if last_line is not None and ends >= last_line:
            # The rest may be cut in the middle of a character.
            return _whole_lines(b"".join(chunks), max_bytes)
        if size > max_bytes:
            raise file_error("too_large")
    return b"".join(chunks)


def _whole_lines(data: bytes, max_bytes: int) -> bytes:
    """Return the lines that are whole.

    Raises:
        FileAccessError: they are more than may be read.
    """
    end = data.rindex(b"\n") + 1
    if end > max_bytes:
        raise file_error("too_large")
    return data[:end]


def decode(data: bytes) -> str:
    """Return the text of a file.

    Raises:
        FileAccessError: the bytes are no text in UTF-8.
    """
    if b"\0" in data:
        raise file_error("binary")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    # Outside the handler: the cause would hold the bytes.
    raise file_error("not_utf8")


def marked_lines(text: str, start_line: int | None, end_line: int | None) -> str:
    """Return the lines of a range, each with its number before it: `12 | text`.

    Raises:
        FileAccessError: the text does not have all of these lines.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    first = start_line or 1
    last = len(lines) if end_line is None else end_line
    if first > len(lines) or last > len(lines):
        raise file_error("bad_range", reason=f"the file has {len(lines)} lines")
    width = len(str(last))
    return "\n".join(f"{number:>{width}} | {line}" for number, line in enumerate(lines[first - 1 : last], first))
