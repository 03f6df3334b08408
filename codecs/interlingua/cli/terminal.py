"""Output for terminals: coloured findings, a progress bar, and at the end the losses of the run by kind.

The output does not grow with the input: 20,000 bodies with the same loss are one kind. So drawing never takes longer
than the work.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Final, TextIO

from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from interlingua.cli.loss_counts import Tally
from interlingua.cli.writing import placed, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from interlingua.cli.loss_counts import Kind
    from interlingua.cli.writing import LossLike

__all__ = ["LONG_INPUT", "TerminalReporter"]

LONG_INPUT: Final = 1024 * 1024
"""The input size in bytes from which progress is shown."""

# The progress bar is updated after each such fraction of the input, whatever the number of documents.
_PARTS: Final = 200
# Findings above a progress bar are printed in groups, since the bar must be redrawn below them.
_MOST_WAITING: Final = 100
_MOST_KINDS: Final = 50
_LONGEST_NAME: Final = 30
_STYLES: Final[Mapping[str, str]] = {"lost": "red", "changed": "yellow", "filled": "cyan"}


class TerminalReporter:
    """Writes to a terminal; `has_progress` allows a progress bar."""

    def __init__(self, stream: TextIO, *, has_progress: bool) -> None:
        self._console = Console(file=stream, highlight=False)
        self._has_progress = has_progress
        self._is_moving = False
        self._waiting: list[Text] = []
        self._tally = Tally()

    def say(self, text: str, file: str = "", line: int | None = None) -> None:
        """Print a finding."""
        # A Text, not a str: Rich would interpret markup in a path.
        self._waiting.append(Text.assemble(("interlingua: ", "bold red"), placed(text, file, line)))
        if not self._is_moving or len(self._waiting) >= _MOST_WAITING:
            self._tell()

    def losses(self, file: str, line: int, losses: Sequence[LossLike]) -> None:
        """Count losses, which are reported at the end."""
        self._tally.add(file, line, losses)

    @contextmanager
    def progress(self, size: int | None) -> Generator[Callable[[str, int], None]]:
        """Show a progress bar, and remove it at the end."""
        if not self._has_progress or size is None or size < LONG_INPUT:
            yield lambda _file, _done: None
            return
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        with Progress(*columns, console=self._console, transient=True) as line:
            task = line.add_task("", total=size)
            self._is_moving = True
            shown = -size

            def advance(file: str, done: int) -> None:
                nonlocal shown
                if done - shown >= size / _PARTS:
                    shown = done
                    name = file if len(file) <= _LONGEST_NAME else f"…{file[1 - _LONGEST_NAME :]}"
                    line.update(task, completed=done, description=name.replace("[", r"\["))
                    self._tell()

            try:
                yield advance
            finally:
                self._tell()
                self._is_moving = False

    def close(self) -> None:
        """Report the losses of the run."""
        self._tell()
        kinds = self._tally.kinds()
        for concern, group in groupby(kinds[:_MOST_KINDS], key=lambda kind: kind.concern):
            self._console.print(Text(printable(concern), "bold"))
            for kind in group:
                self._print_kind(kind)
        left = kinds[_MOST_KINDS:]
        if left or self._tally.beyond:
            count = sum(kind.count for kind in left) + self._tally.beyond
            self._console.print(Text(f"... and {count} of other kinds: --losses FILE lists them all", "dim"))
        if kinds:
            self._console.print(Text(self._summary(), "dim"), soft_wrap=True)

    def _print_kind(self, kind: Kind) -> None:
        """Print a kind of loss: its place in one line, and below it the detail."""
        where = Text.assemble(
            "  ",
            (printable(kind.severity), _STYLES.get(kind.severity, "")),
            f" {printable(kind.code)} at ",
            (printable(kind.path) or "the top", "bold"),
        )
        if kind.count > 1:
            where.append(f"  {kind.count} times, first at {kind.file}:{kind.line}", "dim")
        elif self._tally.bodies > 1:
            where.append(f"  at {kind.file}:{kind.line}", "dim")
        self._console.print(where, soft_wrap=True)
        self._console.print(Padding(Text(printable(kind.detail), overflow="fold"), (0, 0, 0, 4)))

    def _summary(self) -> str:
        tally = self._tally
        bodies = "1 body" if tally.bodies == 1 else f"{tally.bodies} bodies"
        return f"{tally.count} in {bodies}; --losses FILE lists each of them"

    def _tell(self) -> None:
        """Print the pending findings."""
        if self._waiting:
            self._console.print(Text("\n").join(self._waiting), soft_wrap=True)
            self._waiting.clear()
