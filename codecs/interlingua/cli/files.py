"""The files that a command names: its input, and where the losses go."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from interlingua.cli.loss_file import LossFile
from interlingua.cli.writing import printable

if TYPE_CHECKING:
    from contextlib import ExitStack
    from io import BufferedReader

__all__ = ["FileError", "Input", "open_input", "open_losses"]

_STANDARD_INPUT: Final = "-"


class FileError(Exception):
    """A file that cannot be used; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Input:
    """An open input: `name` for people, `status` as the system tells it."""

    name: str
    stream: BufferedReader
    status: os.stat_result

    @property
    def size(self) -> int | None:
        """How many bytes there are, or None where that shows only at the end."""
        return self.status.st_size if stat.S_ISREG(self.status.st_mode) else None


def open_input(path: str, files: ExitStack) -> Input:
    """Open a file, or standard input where the path is `-`; `files` closes it.

    Raises:
        FileError: it cannot be read.
    """
    name = "standard input" if path == _STANDARD_INPUT else printable(path)
    try:
        stream = _standard_input() if path == _STANDARD_INPUT else Path(path).open("rb")  # noqa: SIM115  # see below
        files.callback(stream.close)
        return Input(name, stream, os.fstat(stream.fileno()))
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {name}: {_reason(error)}") from None


def open_losses(path: str, source: Input, files: ExitStack) -> LossFile:
    """Open the file that takes the losses, emptied; `files` finishes and closes it.

    Raises:
        FileError: it cannot be written, or it is the input.
    """
    target = Path(path)
    try:
        if source.size is not None and target.exists() and os.path.samestat(target.stat(), source.status):
            raise FileError(f"cannot write the losses to {printable(path)}: it is the input")
        losses = LossFile(target.open("wb"))
    except (OSError, ValueError) as error:
        raise FileError(f"cannot write the losses to {printable(path)}: {_reason(error)}") from None
    files.callback(losses.close)
    return losses


def _standard_input() -> BufferedReader:
    stream: Any = sys.stdin  # None where the program was started without one
    if stream is None:
        raise ValueError("it is closed")
    return stream.buffer  # type: ignore[no-any-return]


def _reason(error: OSError | ValueError) -> str:
    """Return why, without the path; a NUL in a path is a `ValueError`."""
    return error.strerror or "unknown reason" if isinstance(error, OSError) else str(error)
