"""Writes lines to standard output, in UTF-8 whatever the locale, and formats findings and losses."""

from __future__ import annotations

import os
import sys
from typing import Any, BinaryIO, Final, Protocol

import typer

__all__ = ["COLUMNS", "LossLike", "Writer", "cells", "placed", "printable", "say"]

COLUMNS: Final = ("file", "body", "concern", "severity", "code", "path", "detail")

_LONGEST: Final = 500


class LossLike(Protocol):
    """The members of `Loss` that are reported; for a repair, the severity says what was done."""

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
    """Writes lines to standard output; with `eager` each one is flushed, for input that arrives slowly.

    Every method raises `OSError` if standard output is closed or cannot be written.
    """

    def __init__(self, *, eager: bool = False) -> None:
        self._stream: Final[BinaryIO] = _standard_output().buffer
        self.eager = eager

    def line(self, data: bytes) -> None:
        """Write a line."""
        self.raw(data + b"\n")

    def raw(self, data: bytes) -> None:
        """Write bytes unchanged."""
        self._stream.write(data)
        if self.eager:
            self._stream.flush()

    def flush(self) -> None:
        """Flush the output."""
        self._stream.flush()

    def abandon(self) -> None:
        """Redirect standard output to the null device, since Python would report an error when it flushes at exit."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)


def say(text: str = "") -> None:
    """Write a line that is not a document, in colours only on a terminal.

    Raises:
        OSError: standard output is closed or cannot be written.
    """
    typer.echo(text, file=_standard_output())


def _standard_output() -> Any:
    stream: Any = sys.stdout  # None if the program was started without one
    if stream is None:
        raise OSError(0, "standard output is closed")
    return stream


def printable(text: str) -> str:
    """Return text without characters that control a terminal or break a line: paths may hold untrusted names."""
    shown = text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
    if shown.isprintable():
        return shown
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in shown)


def placed(text: str, file: str, line: int | None) -> str:
    """Return a finding with its place before it."""
    place = "" if not file else f"{file}: " if line is None else f"{file}:{line}: "
    return place + printable(text)


def cells(file: str, line: int, loss: LossLike) -> tuple[str, ...]:
    """Return the columns of a loss."""
    shown = map(printable, (loss.concern, loss.severity, loss.code, loss.path, loss.detail))
    return (file, str(line), *shown)
