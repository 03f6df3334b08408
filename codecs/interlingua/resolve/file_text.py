r"""Reads the text of an open file: bounded reading, decoding, line ranges.

A line ends at `\n`, `\r\n` or `\r`, as in editors and tracebacks, but not at a form feed, U+0085, U+2028 and the like.
Text after the last line end is a line only if it is not empty: `"a\n"` has one line, and an empty file none. A byte
order mark at the start is not part of the text.
"""

from __future__ import annotations

import os
from typing import Final

from interlingua.resolve.file_codes import file_error

__all__ = ["decode", "marked_lines", "read_bytes"]

_CHUNK: Final = 1 << 16


def read_bytes(descriptor: int, max_bytes: int, last_line: int | None = None) -> bytes:
    """Return the content of an open file; with a last line, only as much as includes it.

    Never more than `max_bytes` + 1 are read, whatever size the file reports, even while it grows.

    Raises:
        FileAccessError: the file is larger.
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
            # The rest may end in the middle of a character.
            return _whole_lines(b"".join(chunks), max_bytes)
        if size > max_bytes:
            raise file_error("too_large")
    return b"".join(chunks)


def _whole_lines(data: bytes, max_bytes: int) -> bytes:
    """Return the complete lines.

    Raises:
        FileAccessError: they exceed the limit.
    """
    end = data.rindex(b"\n") + 1
    if end > max_bytes:
        raise file_error("too_large")
    return data[:end]


def decode(data: bytes) -> str:
    """Return the text of a file.

    Raises:
        FileAccessError: the bytes are not UTF-8 text.
    """
    if b"\0" in data:
        raise file_error("binary")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    # Raised outside the handler: the cause would hold the bytes.
    raise file_error("not_utf8")


def marked_lines(text: str, start_line: int | None, end_line: int | None) -> str:
    """Return the lines of a range, each prefixed with its number: `12 | text`.

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
