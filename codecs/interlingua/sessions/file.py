"""The file of a session store: connections lent out, one writer of this process at a time."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from interlingua.errors import SessionStoreBusyError, SessionStoreMissingError, SessionStoreReadOnlyError
from interlingua.sessions import tables
from interlingua.sessions.connections import Connections
from interlingua.sessions.read_only_folder import unchanged
from interlingua.sessions.sqlite_errors import translated
from interlingua.sessions.writing import transaction

if TYPE_CHECKING:
    import os
    import sqlite3
    from collections.abc import Generator

__all__ = ["StoreFile"]


class StoreFile:
    """An open session store. `identity` is the same for everybody who opens the file, and for no other file."""

    def __init__(self, path: str | os.PathLike[str], *, timeout: float, is_made: bool, is_read_only: bool) -> None:
        """Open a file, and make it where there is none and `is_made` says so.

        Raises:
            SessionStoreError: or the class of it that fits.
        """
        self.path: Final = Path(path).absolute()
        self._timeout: Final = timeout
        self._is_read_only: Final = is_read_only
        self.identity: Final = tables.prepare(self.path, timeout=timeout, is_made=is_made, is_read_only=is_read_only)
        self._connections: Final = Connections(
            lambda: tables.connect(self.path, timeout=timeout, is_read_only=is_read_only), timeout
        )
        self._place: Final = _place_of(self.path)
        # Taken only while a connection is lent, and so free whenever the process forks.
        self._writing: Final = threading.Lock()

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """Lend a connection that sees the store as it is now, whatever is written meanwhile.

        Raises:
            SessionStoreError: or the class of it that fits.
        """
        self._check_place()
        with (
            translated(),
            self._connections.lent() as connection,
            unchanged(connection),
            transaction(connection, is_writing=False),
        ):
            yield connection

    @contextmanager
    def queue(self) -> Generator[sqlite3.Connection]:
        """Lend a connection to one writer of this process at a time; others wait, and those of other processes may too.

        Raises:
            SessionStoreReadOnlyError: the store was opened for reading only.
            SessionStoreBusyError: another thread goes on writing for too long.
            SessionStoreError: or another class of it that fits.
        """
        if self._is_read_only:
            raise SessionStoreReadOnlyError("the store was opened for reading only")
        self._check_place()
        with translated(), self._connections.lent() as connection:
            if not self._writing.acquire(timeout=self._timeout):
                raise SessionStoreBusyError("another thread is writing")
            try:
                yield connection
            finally:
                self._writing.release()

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """Lend a connection inside a transaction: all of it is stored when the block ends, or nothing when it raises.

        Raises:
            SessionStoreError: or the class of it that fits.
        """
        with self.queue() as connection, transaction(connection):
            yield connection

    def close(self) -> None:
        """Close the file. What comes after is refused."""
        self._connections.close()

    def _check_place(self) -> None:
        """Refuse to go on with a file that is no longer there: what is written to it would be lost.

        Raises:
            SessionStoreMissingError: it was moved or deleted, or another one stands in its place.
        """
        if _place_of(self.path) != self._place:
            raise SessionStoreMissingError("the file has been moved or replaced: open the store again")


def _place_of(path: Path) -> tuple[int, int] | None:
    """Return what tells the file at a path from every other one, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
