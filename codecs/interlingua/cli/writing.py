"""Lines to standard output, in UTF-8 whatever the locale says; what is printable in a line, and the row of a loss."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO, Final

if TYPE_CHECKING:
    from interlingua.loss import Loss

__all__ = ["COLUMNS", "Writer", "cells", "printable"]

COLUMNS: Final = ("body", "severity", "code", "path", "detail")

_LONGEST: Final = 500


class Writer:
    """Writes lines to standard output; `eager` sends each one on its way, for input that comes bit by bit.

    Every method raises `OSError` where standard output is closed or takes no more.
    """

    def __init__(self, *, eager: bool) -> None:
        stream: Any = sys.stdout  # None where the program was started without one
        if stream is None:
            raise OSError(0, "it is closed")
        self._stream: Final[BinaryIO] = stream.buffer
        self._eager = eager

    def line(self, data: bytes) -> None:
        """Write a line."""
        self.raw(data + b"\n")

    def raw(self, data: bytes) -> None:
        """Write bytes as they are."""
        self._stream.write(data)
        if self._eager:
            self._stream.flush()

    def flush(self) -> None:
        """Send everything on its way."""
        self._stream.flush()

    def abandon(self) -> None:
        """Let what is left go nowhere: nobody takes it, and Python would complain when it flushes at exit."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)


def printable(text: str) -> str:
    """Return text that cannot steer a terminal or break a line: member names in paths come from untrusted input."""
    shown = text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
    if shown.isprintable():
        return shown
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in shown)


def cells(line: int, loss: Loss) -> tuple[str, ...]:
    """Return the row of a loss."""
    return (str(line), *map(printable, (loss.severity, loss.code, loss.path, loss.detail)))
