"""Writes files atomically through temporary files, and removes those left by killed processes.

The temporary file is named `.<name>.<process>.<random>.part`, and its writer holds a lock on it. The system releases
the lock when the process ends, however it ends, so an unlocked file has no writer. The process id in the name is only
for people: ids are reused, and often equal in containers. Where there are no such locks, on Windows and on some network
file systems, no temporary file is removed.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Final

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

__all__ = ["atomic_write"]

_NAME_TAIL: Final = re.compile(r"\d{1,10}\.[0-9a-f]{8}\.part")
_CREATE_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
# A file with such a name may not be ours: do not follow a link, and do not block on a pipe.
_CHECK_FLAGS: Final = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@contextmanager
def atomic_write(path: Path) -> Generator[IO[bytes]]:
    """Write a file that only its owner can read: it is replaced at the end of the block, or unchanged on an error.

    Raises:
        OSError: the file cannot be written.
    """
    _remove_stale(path)
    temporary, descriptor = _create_locked(path)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(descriptor)
            if sys.platform != "win32":  # the lock is held until the file has been renamed
                temporary.replace(path)
        if sys.platform == "win32":  # an open file cannot be renamed there
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _flush_folder(path.parent)


def _create_locked(path: Path) -> tuple[Path, int]:
    """Create a temporary file and lock it."""
    while True:
        temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.part")
        descriptor = os.open(temporary, _CREATE_FLAGS, 0o600)
        _lock(descriptor)
        if os.fstat(descriptor).st_nlink:
            return temporary, descriptor
        os.close(descriptor)  # another process removed it as stale before it was locked


def _lock(descriptor: int) -> None:
    """Lock a temporary file, if the file system supports locks."""
    if sys.platform != "win32":
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)


def _remove_stale(path: Path) -> None:
    """Remove temporary files that have no writer; any that cannot be checked or removed stays."""
    prefix = f".{path.name}."
    try:
        candidates = [candidate for candidate in path.parent.iterdir() if candidate.name.startswith(prefix)]
    except OSError:
        return  # creating the temporary file will raise the error
    for candidate in candidates:
        if _NAME_TAIL.fullmatch(candidate.name, len(prefix)):
            with suppress(OSError):
                _remove_if_unlocked(candidate)


def _remove_if_unlocked(candidate: Path) -> None:
    """Remove a temporary file that has no writer.

    Raises:
        OSError: it has a writer, or that cannot be determined.
    """
    if sys.platform == "win32":
        return
    descriptor = os.open(candidate, _CHECK_FLAGS)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        opened, named = os.fstat(descriptor), os.lstat(candidate)
        # It may have been renamed, and its name reused, since it was listed.
        if stat.S_ISREG(opened.st_mode) and os.path.samestat(opened, named):
            candidate.unlink()
    finally:
        os.close(descriptor)


def _flush_folder(folder: Path) -> None:
    """Flush a rename to the disk, if the folder can be opened."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # Windows cannot open folders
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
