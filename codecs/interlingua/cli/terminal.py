"""What people see on a terminal: coloured findings, tables of losses, and a progress bar for long input."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from interlingua.cli.writing import COLUMNS, cells, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping

    from interlingua.loss import Loss

__all__ = ["LONG_INPUT", "TerminalReporter"]

LONG_INPUT: Final = 1024 * 1024
"""Input of so many bytes gets a progress bar."""

# A table needs all its rows at once; so many are held before they are drawn, and memory stays constant.
_ROWS: Final = 500
_STYLES: Final[Mapping[str, str]] = {"lost": "red", "changed": "yellow", "filled": "cyan"}


class TerminalReporter:
    """Draws on a terminal; `has_bar` allows a progress bar."""

    def __init__(self, stream: TextIO, *, has_bar: bool) -> None:
        self._console = Console(file=stream, highlight=False)
        self._has_bar = has_bar
        self._rows: list[tuple[str, ...]] = []

    def say(self, text: str) -> None:
        """Print a finding."""
        self._console.print(Text.assemble(("interlingua: ", "bold red"), printable(text)), soft_wrap=True)

    def losses(self, line: int, losses: Iterable[Loss]) -> None:
        """Collect a row for each loss."""
        self._rows.extend(cells(line, loss) for loss in losses)
        if len(self._rows) >= _ROWS:
            self._draw()

    @contextmanager
    def progress(self, size: int | None) -> Generator[Callable[[int], None]]:
        """Show a bar, and take it away at the end."""
        columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
        is_shown = self._has_bar and size is not None and size >= LONG_INPUT
        with Progress(*columns, console=self._console, transient=True, disable=not is_shown) as bar:
            task = bar.add_task("", total=size)
            yield lambda done: bar.update(task, completed=done)

    def close(self) -> None:
        """Draw the rows that are left."""
        if self._rows:
            self._draw()

    def _draw(self) -> None:
        table = Table(*COLUMNS)
        for line, severity, *others in self._rows:
            # Text, never str: a path may hold what Rich would take for markup.
            table.add_row(Text(line), Text(severity, _STYLES.get(severity, "")), *map(Text, others))
        self._console.print(table)
        self._rows.clear()
