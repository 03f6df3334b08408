"""The file of a session store: lends connections, and allows one writer per process at a time."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from interlingua.errors import SessionStoreBusyError, SessionStoreMissingError, SessionStoreReadOnlyError
from interlingua.sessions import tables
from interlingua.sessions.connections import Connections
from interlingua.sessions.read_only_folder import refused_if_changed
from interlingua.sessions.sqlite_errors import sqlite_errors_translated
from interlingua.sessions.writing import transaction

if TYPE_CHECKING:
    import os
    import sqlite3
    from collections.abc import Generator

__all__ = ["StoreFile"]


class StoreFile:
    """An open session store. `identity` is unique to the file, and the same for everyone who opens it."""

    def __init__(self, path: str | os.PathLike[str], *, timeout: float, may_create: bool, is_read_only: bool) -> None:
        """Open the file; create it if it is missing and `may_create` is set.

        Raises:
            SessionStoreError: or a subclass.
        """
        self.path: Final = Path(path).absolute()
        self._timeout: Final = timeout
        self._is_read_only: Final = is_read_only
        self.identity: Final = tables.prepare(
            self.path, timeout=timeout, may_create=may_create, is_read_only=is_read_only
        )
        self._connections: Final = Connections(
            lambda: tables.connect(self.path, timeout=timeout, is_read_only=is_read_only), timeout
        )
        self._place: Final = _place_of(self.path)
        # Only held while a connection is lent, so it is free whenever the process forks.
        self._writing: Final = threading.Lock()

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """Lend a connection that sees the store as it is now; later writes are not visible to it.

        Raises:
            SessionStoreError: or a subclass.
        """
        self._check_place()
        with (
            sqlite_errors_translated(),
            self._connections.borrowed() as connection,
            refused_if_changed(connection),
            transaction(connection, is_writing=False),
        ):
            yield connection

    @contextmanager
    def queue(self) -> Generator[sqlite3.Connection]:
        """Lend a connection to one writer of this process at a time.

        Other writers of this process wait. Writers of other processes wait once a transaction begins.

        Raises:
            SessionStoreReadOnlyError: the store was opened for reading only.
            SessionStoreBusyError: another thread did not finish writing within the timeout.
            SessionStoreError: or another subclass.
        """
        if self._is_read_only:
            raise SessionStoreReadOnlyError("the store was opened for reading only")
        self._check_place()
        with sqlite_errors_translated(), self._connections.borrowed() as connection:
            if not self._writing.acquire(timeout=self._timeout):
                raise SessionStoreBusyError("another thread is writing")
            try:
                yield connection
            finally:
                self._writing.release()

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """Lend a connection inside a transaction: committed at the end of the block, rolled back on an error.

        Raises:
            SessionStoreError: or a subclass.
        """
        with self.queue() as connection, transaction(connection):
            yield connection

    def close(self) -> None:
        """Close the file. Later operations are refused."""
        self._connections.close()

    def _check_place(self) -> None:
        """Refuse to continue if the file is gone from its path, since what is written to it would be lost.

        Raises:
            SessionStoreMissingError: it was moved or deleted, or replaced by another file.
        """
        if _place_of(self.path) != self._place:
            raise SessionStoreMissingError("the file has been moved or replaced: open the store again")


def _place_of(path: Path) -> tuple[int, int] | None:
    """Return what identifies the file at a path; None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
