"""Reads a store in a folder that is not writable.

SQLite keeps the index of its log in a file beside the store, and creates it even for reading. If it cannot, and no
process has the store open, there are two ways. A store without a log is opened as immutable. A store with a log, left
by a killed process, is copied to a private folder and read there. SQLite then does not see what other processes write.
So the files are compared before and after each read: anything read during a write is refused, and the files are opened
again.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from interlingua.errors import SessionStoreBusyError, SessionStoreMissingError
from interlingua.sessions.checked_rows import StoreConnection

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

__all__ = ["SnapshotConnection", "is_current", "is_refused", "open_snapshot", "refused_if_changed"]

State: TypeAlias = tuple[tuple[int, ...] | None, ...]
"""For each existing file of a store, the values that change when it is written to."""

_SUFFIXES: Final = ("", "-wal", "-journal")
_REFUSAL_CODES: Final = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})
_MAX_ATTEMPTS: Final = 3
_BUSY: Final = "another process is writing to the store, and this one cannot see its changes"


class SnapshotConnection(StoreConnection):
    """A connection that sees the files of a store in the state `seen_state`, that of when it was opened."""

    seen_state: tuple[Path, State] | None = None
    folder: tempfile.TemporaryDirectory[str] | None = None

    def close(self) -> None:
        """Close the connection, and remove the copy that it reads."""
        super().close()
        if self.folder is not None:
            self.folder.cleanup()


def is_refused(connection: sqlite3.Connection) -> bool:
    """Tell whether SQLite cannot read an opened file because it may not write beside it.

    Raises:
        sqlite3.Error: it cannot read the file for another reason.
    """
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _REFUSAL_CODES:
            return True
        raise
    return False


def open_snapshot(path: Path, open_file: Callable[[str], SnapshotConnection]) -> SnapshotConnection:
    """Return a connection to the current state of a store; `open_file` connects to the URI of a file.

    Raises:
        SessionStoreBusyError: other processes keep writing.
        SessionStoreMissingError: the store has a log, and there is no room for a copy.
        sqlite3.Error: it cannot be opened.
    """
    for _ in range(_MAX_ATTEMPTS):
        state = _state_of(path)
        folder = _copy_files(path) if _has_log(state) else None
        if _state_of(path) == state:
            address = f"{path.as_uri()}?mode=ro&immutable=1"
            connection = open_file(address if folder is None else f"{Path(folder.name, path.name).as_uri()}?mode=rw")
            connection.seen_state, connection.folder = (path, state), folder
            return connection
        if folder is not None:
            folder.cleanup()
    raise SessionStoreBusyError(_BUSY)


def is_current(connection: sqlite3.Connection) -> bool:
    """Tell whether a connection sees the current state of the files."""
    if not isinstance(connection, SnapshotConnection) or connection.seen_state is None:
        return True  # SQLite ensures this itself
    path, state = connection.seen_state
    return _state_of(path) == state


@contextmanager
def refused_if_changed(connection: sqlite3.Connection) -> Generator[None]:
    """Refuse what was read in the block if another process wrote meanwhile and SQLite could not see it.

    Raises:
        SessionStoreBusyError: another process wrote.
    """
    try:
        yield
    except Exception:
        if is_current(connection):
            raise
    if not is_current(connection):
        raise SessionStoreBusyError(_BUSY)


def _state_of(path: Path) -> State:
    return tuple(_state_of_file(Path(f"{path}{suffix}")) for suffix in _SUFFIXES)


def _state_of_file(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _has_log(state: State) -> bool:
    """Tell whether there is a non-empty log or journal, so that the main file alone is incomplete or inconsistent."""
    return any(found is not None and found[2] > 0 for found in state[1:])


def _copy_files(path: Path) -> tempfile.TemporaryDirectory[str]:
    """Copy the files of a store to a folder that only its owner can read.

    Raises:
        SessionStoreMissingError: there is no room for them, or they cannot be read.
    """
    folder = None
    try:
        folder = tempfile.TemporaryDirectory(prefix="interlingua-")
        for suffix in _SUFFIXES:
            source = f"{path}{suffix}"
            if not suffix or os.path.exists(source):  # noqa: PTH110  # the name of a file, and more
                shutil.copyfile(source, Path(folder.name, path.name + suffix))
    except OSError as error:
        if folder is not None:
            folder.cleanup()
        reason = os.strerror(error.errno or 0)
    else:
        return folder
    raise SessionStoreMissingError(f"the store can neither be read in place nor copied: {reason}")
