"""A file that takes its name when it is whole, and what a process that was killed left of such files.

Until then it stands beside its place as `.<name>.<process>.<random>.part`, and whoever writes it holds a lock on it.
The system takes the lock away when the process ends, however it ends: nobody is writing a part without a lock. The
process in the name is for people; it proves nothing, since numbers of processes are used again, and in containers are
often the same. Where there are no such locks, on Windows and on some network file systems, no part is taken away.
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

__all__ = ["written_whole"]

_REST: Final = re.compile(r"\d{1,10}\.[0-9a-f]{8}\.part")
_MAKE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
# What has such a name may be no file of ours: a link must not be followed, nor a pipe be waited for.
_LOOK: Final = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@contextmanager
def written_whole(path: Path) -> Generator[IO[bytes]]:
    """Write a file that only its owner can read: it is there when the block ends, or stays as it was where that raises.

    Raises:
        OSError: the file cannot be written.
    """
    _remove_stale(path)
    beside, descriptor = _begun(path)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(descriptor)
            if sys.platform != "win32":  # the lock is held until the part is no part any more
                beside.replace(path)
        if sys.platform == "win32":  # there, an open file cannot be renamed
            beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _keep_name(path.parent)


def _begun(path: Path) -> tuple[Path, int]:
    """Make a part, and hold it."""
    while True:
        beside = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.part")
        descriptor = os.open(beside, _MAKE, 0o600)
        _hold(descriptor)
        if os.fstat(descriptor).st_nlink:
            return beside, descriptor
        os.close(descriptor)  # another process took it for stale before the lock was ours


def _hold(descriptor: int) -> None:
    """Lock a part, where the file system can."""
    if sys.platform != "win32":
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)


def _remove_stale(path: Path) -> None:
    """Remove the parts of a file that nobody is writing; one that cannot be judged, or removed, stays."""
    head = f".{path.name}."
    try:
        parts = [part for part in path.parent.iterdir() if part.name.startswith(head)]
    except OSError:
        return  # whoever makes a part there will say why
    for part in parts:
        if _REST.fullmatch(part.name, len(head)):
            with suppress(OSError):
                _remove_unless_held(part)


def _remove_unless_held(part: Path) -> None:
    """Remove a part that nobody is writing.

    Raises:
        OSError: somebody is, or nobody can tell.
    """
    if sys.platform == "win32":
        return
    descriptor = os.open(part, _LOOK)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        held, there = os.fstat(descriptor), os.lstat(part)
        # It may have got its own name, and another one this, since it was listed.
        if stat.S_ISREG(held.st_mode) and os.path.samestat(held, there):
            part.unlink()
    finally:
        os.close(descriptor)


def _keep_name(folder: Path) -> None:
    """Wait until the disk knows the new name, where a folder can be opened."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # Windows opens no folders
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
