"""Output on standard error: findings, losses, progress.

On a terminal it is formatted with Rich (`terminal.py`). Otherwise it is plain and stable: a finding is one line, and a
loss is one line of tab-separated columns; with `--json` both are lines of JSON.
"""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TextIO

from interlingua.cli.loss_counts import Tally, order_of
from interlingua.cli.loss_file import entry_of
from interlingua.cli.writing import COLUMNS, cells, placed, printable
from interlingua.strict_json import compact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from interlingua.cli.writing import LossLike

__all__ = ["JsonReporter", "PlainReporter", "Reporter", "reporter"]

# If a body has more losses than this, they are grouped by kind.
_MOST_ROWS: Final = 20


class Reporter(Protocol):
    """Reports the progress and the findings of a run."""

    def say(self, text: str, file: str = "", line: int | None = None) -> None:
        """Report a finding in one line, with its file and the line where its document begins."""
        ...

    def losses(self, file: str, line: int, losses: Sequence[LossLike]) -> None:
        """Report the losses of the body that begins on this line."""
        ...

    def progress(self, size: int | None) -> AbstractContextManager[Callable[[str, int], None]]:
        """Show progress through that many bytes, if useful; the function takes a file and the bytes done."""
        ...

    def close(self) -> None:
        """Write what has not been written yet."""
        ...


class PlainReporter:
    """Writes plain lines."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._has_header = False

    def say(self, text: str, file: str = "", line: int | None = None) -> None:
        """Write a finding."""
        self._stream.write(f"interlingua: {placed(text, file, line)}\n")

    def losses(self, file: str, line: int, losses: Sequence[LossLike]) -> None:
        """Write a line for each loss, the most serious first, after a header line with the names of the columns.

        If there are more than 20, each line is a kind of loss, with `*` in its path.
        """
        rows: Iterable[tuple[str, ...]]
        if len(losses) > _MOST_ROWS:
            tally = Tally()
            tally.add(file, line, losses)
            rows = [(*cells(file, line, kind)[:-1], printable(kind.told)) for kind in tally.kinds()]
        else:
            rows = [cells(file, line, loss) for loss in sorted(losses, key=order_of)]
        for row in rows:
            if not self._has_header:
                self._stream.write("\t".join(COLUMNS) + "\n")
                self._has_header = True
            self._stream.write("\t".join(row) + "\n")

    def progress(self, size: int | None) -> AbstractContextManager[Callable[[str, int], None]]:
        """Show no progress."""
        del size
        return nullcontext(_ignore)

    def close(self) -> None:
        """Flush the output."""
        self._stream.flush()


class JsonReporter(PlainReporter):
    """Writes a line of JSON for each finding and for each loss."""

    def say(self, text: str, file: str = "", line: int | None = None) -> None:
        """Write a finding."""
        members = {"file": file or None, "line": line, "message": printable(text)}
        self._write({name: value for name, value in members.items() if value is not None})

    def losses(self, file: str, line: int, losses: Sequence[LossLike]) -> None:
        """Write each loss, the most serious first."""
        for loss in sorted(losses, key=order_of):
            self._write(entry_of(file, line, loss))

    def _write(self, value: dict[str, Any]) -> None:
        self._stream.write(compact(value).decode() + "\n")


def reporter(*, as_json: bool = False) -> Reporter:
    """Return the reporter for a run: for a terminal, plain lines, or lines of JSON."""
    stream: Any = sys.stderr  # None if the program was started without one
    if stream is None:
        stream = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # it lives as long as the program
    if as_json:
        return JsonReporter(stream)
    if not stream.isatty():
        return PlainReporter(stream)
    from interlingua.cli.terminal import TerminalReporter  # noqa: PLC0415  # Rich is slow to import

    # If standard output is the same terminal, its lines would mix with the progress display, and show progress
    # themselves.
    return TerminalReporter(stream, has_progress=not sys.stdout.isatty())


def _ignore(file: str, done: int) -> None:
    """Show no progress."""
