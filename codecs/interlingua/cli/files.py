"""The files named on the command line: inputs, including folders, and the file for losses."""

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
    from collections.abc import Iterator, Sequence
    from contextlib import ExitStack
    from io import BufferedReader

__all__ = ["ENDINGS", "STANDARD_INPUT", "FileError", "Input", "files_in", "open_input", "open_losses", "size_of"]

STANDARD_INPUT: Final = "-"
ENDINGS: Final = (".json", ".jsonl", ".ndjson", ".sse")
"""The extensions of the files that are read from a folder."""


class FileError(Exception):
    """A file that cannot be used; the message says which one, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Input:
    """An open input: its `name` in messages, and its `status` from the operating system."""

    name: str
    stream: BufferedReader
    status: os.stat_result

    @property
    def size(self) -> int | None:
        """The number of bytes, or None if it is only known at the end."""
        return self.status.st_size if stat.S_ISREG(self.status.st_mode) else None


def name_of(path: str) -> str:
    """Return the name of an input for messages."""
    return "<stdin>" if path == STANDARD_INPUT else printable(path)


def files_in(path: str) -> Sequence[str]:
    """Return the files that a path stands for: itself, or those in a folder and below it, sorted by name.

    In folders, hidden files and folders are skipped, and so are files whose ending is not in `ENDINGS`. Links to
    folders are not followed, since they may form a cycle.

    Raises:
        FileError: it is a folder without such files, or one that cannot be read.
    """
    if path == STANDARD_INPUT or not Path(path).is_dir():
        return [path]
    try:
        found = list(_walked(path))
    except OSError as error:
        raise FileError(f"cannot read {name_of(path)}: {_reason(error)}") from None
    if not found:
        endings = ", ".join(ENDINGS)
        raise FileError(f"{name_of(path)}: the folder has no files that end in {endings}; name the files themselves")
    return found


def size_of(paths: Sequence[str]) -> int | None:
    """Return the total size of files, or None if the size of one of them is unknown."""
    total = 0
    for path in paths:
        try:
            status = None if path == STANDARD_INPUT else Path(path).stat()
        except (OSError, ValueError):
            continue  # opening it will report the error
        if status is None or not stat.S_ISREG(status.st_mode):
            return None
        total += status.st_size
    return total


def open_input(path: str, files: ExitStack) -> Input:
    """Open a file, or standard input for `-`; `files` closes it.

    Raises:
        FileError: it cannot be read.
    """
    try:
        stream = _standard_input() if path == STANDARD_INPUT else Path(path).open("rb")  # noqa: SIM115  # see below
        files.callback(stream.close)
        return Input(name_of(path), stream, os.fstat(stream.fileno()))
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {name_of(path)}: {_reason(error)}") from None


def open_losses(path: str, inputs: Sequence[str], files: ExitStack) -> LossFile:
    """Open the file for losses, emptied; `files` finishes and closes it.

    Raises:
        FileError: it cannot be written, or it is one of the inputs.
    """
    target = Path(path)
    try:
        if target.exists() and any(_is_same(target, one) for one in inputs):
            raise FileError(f"cannot write the losses to {printable(path)}: it is the input; name another file")
        losses = LossFile(target)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot write the losses to {printable(path)}: {_reason(error)}") from None
    files.callback(losses.close)
    return losses


def _is_same(target: Path, path: str) -> bool:
    try:
        status = os.fstat(_standard_input().fileno()) if path == STANDARD_INPUT else Path(path).stat()
    except (OSError, ValueError):
        return False
    # A terminal or a pipe may be both input and output.
    return stat.S_ISREG(status.st_mode) and os.path.samestat(target.stat(), status)


def _walked(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.endswith(ENDINGS) and not name.startswith("."):
                yield str(Path(place, name))


def _raise(error: OSError) -> None:
    raise error


def _standard_input() -> BufferedReader:
    stream: Any = sys.stdin  # None if the program was started without one
    if stream is None:
        raise ValueError("it is closed; name a file, or redirect one: interlingua ... - < FILE")
    return stream.buffer  # type: ignore[no-any-return]


def _reason(error: OSError | ValueError) -> str:
    """Return why a file cannot be used, without its path, and what to do; a NUL in a path is a `ValueError`."""
    if not isinstance(error, OSError):
        return str(error)
    advice = _ADVICE.get(type(error), "choose another file")
    return f"{error.strerror or 'unknown reason'}; {advice}"


_ADVICE: Final[dict[type[BaseException], str]] = {
    FileNotFoundError: "check the path",
    PermissionError: "check its permissions",
    IsADirectoryError: "name a file",
    NotADirectoryError: "check the path",
}
