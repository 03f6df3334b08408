"""What goes to standard error: findings, the table of losses, progress.

On a terminal Rich draws (`terminal.py`). Anywhere else the text is plain and stable: a finding is one line, and a loss
is one line of five columns with tabs between them.
"""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TextIO

from interlingua.cli.writing import COLUMNS, cells, printable
from interlingua.concerns import CONCERNS
from interlingua.loss import Loss
from interlingua.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["PlainReporter", "Reporter", "reporter", "weighed"]

# More losses than this are told by kind.
_MOST_ROWS: Final = 20
_SEVERITIES: Final = ("lost", "changed", "filled")


class Reporter(Protocol):
    """Tells people how a run goes."""

    def say(self, text: str) -> None:
        """Tell a finding, in one line."""
        ...

    def losses(self, line: int, losses: Iterable[Loss]) -> None:
        """Tell what did not come along of the body that begins on this line."""
        ...

    def progress(self, size: int | None) -> AbstractContextManager[Callable[[int], None]]:
        """Show progress through so many bytes, where that helps; the function takes the bytes that are done."""
        ...

    def close(self) -> None:
        """Tell what has not been told yet."""
        ...


class PlainReporter:
    """Writes plain lines."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._has_header = False

    def say(self, text: str) -> None:
        """Write a finding."""
        self._stream.write(f"interlingua: {printable(text)}\n")

    def losses(self, line: int, losses: Iterable[Loss]) -> None:
        """Write a line for each loss, and the names of the columns before the first one."""
        for loss in losses:
            if not self._has_header:
                self._stream.write("\t".join(COLUMNS) + "\n")
                self._has_header = True
            self._stream.write("\t".join(cells(line, loss)) + "\n")

    def progress(self, size: int | None) -> AbstractContextManager[Callable[[int], None]]:
        """Show nothing."""
        del size
        return nullcontext(_ignore)

    def close(self) -> None:
        """Send everything on its way."""
        self._stream.flush()


def reporter() -> Reporter:
    """Return what tells people how a run goes: tables for a terminal, plain lines for anything else."""
    stream: Any = sys.stderr  # None where the program was started without one
    if stream is None:
        stream = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # it lives as long as the program
    if not stream.isatty():
        return PlainReporter(stream)
    from interlingua.cli.terminal import TerminalReporter  # noqa: PLC0415  # Rich is slow to import

    # Where standard output is the same terminal, its lines would run into the bar, and they are progress enough.
    return TerminalReporter(stream, has_bar=not sys.stdout.isatty())


def _ignore(done: int) -> None:
    """Show nothing."""


def weighed(losses: tuple[Loss, ...]) -> list[Loss]:
    """Return the rows of losses, the weightiest first; of more than 20 a row for each kind, with `*` in its path."""
    if len(losses) <= _MOST_ROWS:
        return sorted(losses, key=lambda one: (CONCERNS.index(one.concern), _SEVERITIES.index(one.severity)))
    return [
        Loss(row.code, row.path, f"{row.count} times: {row.detail}" if row.count > 1 else row.detail, row.severity)
        for row in Report.of(losses)
    ]
