"""Lines to standard output, in UTF-8 whatever the locale says; what is printable in a line, and the row of a loss."""

from __future__ import annotations

import os
import sys
from typing import Any, BinaryIO, Final, Protocol

import typer

__all__ = ["COLUMNS", "LossLike", "Writer", "cells", "placed", "printable", "say"]

COLUMNS: Final = ("file", "body", "concern", "severity", "code", "path", "detail")

_LONGEST: Final = 500


class LossLike(Protocol):
    """What is told of a loss (what its members mean, `Loss` says), or of a repair: its severity says what was done."""

    @property
    def concern(self) -> str: ...  # noqa: D102  # see above
    @property
    def severity(self) -> str: ...  # noqa: D102  # see above
    @property
    def code(self) -> str: ...  # noqa: D102  # see above
    @property
    def path(self) -> str: ...  # noqa: D102  # see above
    @property
    def detail(self) -> str: ...  # noqa: D102  # see above


class Writer:
    """Writes lines to standard output; `eager` sends each one on its way, for input that comes bit by bit.

    Every method raises `OSError` where standard output is closed or takes no more.
    """

    def __init__(self, *, eager: bool = False) -> None:
        self._stream: Final[BinaryIO] = _standard_output().buffer
        self.eager = eager

    def line(self, data: bytes) -> None:
        """Write a line."""
        self.raw(data + b"\n")

    def raw(self, data: bytes) -> None:
        """Write bytes as they are."""
        self._stream.write(data)
        if self.eager:
            self._stream.flush()

    def flush(self) -> None:
        """Send everything on its way."""
        self._stream.flush()

    def abandon(self) -> None:
        """Let what is left go nowhere: nobody takes it, and Python would complain when it flushes at exit."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)


def say(text: str = "") -> None:
    """Write a line of what is no document; colours are for terminals alone.

    Raises:
        OSError: standard output is closed or takes no more.
    """
    typer.echo(text, file=_standard_output())


def _standard_output() -> Any:
    stream: Any = sys.stdout  # None where the program was started without one
    if stream is None:
        raise OSError(0, "standard output is closed")
    return stream


def printable(text: str) -> str:
    """Return text that cannot steer a terminal or break a line: member names in paths come from untrusted input."""
    shown = text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
    if shown.isprintable():
        return shown
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in shown)


def placed(text: str, file: str, line: int | None) -> str:
    """Return a finding with its place before it."""
    place = "" if not file else f"{file}: " if line is None else f"{file}:{line}: "
    return place + printable(text)


def cells(file: str, line: int, loss: LossLike) -> tuple[str, ...]:
    """Return the row of a loss."""
    shown = map(printable, (loss.concern, loss.severity, loss.code, loss.path, loss.detail))
    return (file, str(line), *shown)
