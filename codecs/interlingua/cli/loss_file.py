"""Writes the losses of a run to a JSON file."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from interlingua.strict_json import compact

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from pathlib import Path

    from interlingua.cli.writing import LossLike

__all__ = ["LossFile", "entry_of"]


def entry_of(file: str, line: int, loss: LossLike) -> dict[str, Any]:
    """Return a loss as JSON, with the file and line of its body."""
    return {
        "file": file,
        "body": line,
        "concern": loss.concern,
        "severity": loss.severity,
        "code": loss.code,
        "path": loss.path,
        "detail": loss.detail,
    }


class LossFile:
    """A JSON array of losses, one per line, written one by one in constant memory.

    Every method raises `OSError`, with the name of the file, if it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, emptied. Raises `OSError` if it cannot be written."""
        self._name = str(path)
        self._stream: Final[BinaryIO] = path.open("wb")
        self._is_empty = True

    def add(self, file: str, line: int, losses: Iterable[LossLike]) -> None:
        """Write the losses of the body that begins on this line."""
        with self._named():
            for loss in losses:
                self._stream.write((b"[\n" if self._is_empty else b",\n") + compact(entry_of(file, line, loss)))
                self._is_empty = False

    def close(self) -> None:
        """Finish the array, and close the file."""
        with self._named(), self._stream:
            self._stream.write(b"[]\n" if self._is_empty else b"\n]\n")

    @contextmanager
    def _named(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            error.filename = self._name
            raise
