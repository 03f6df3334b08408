"""Translates SQLite errors to those of this library. No error contains a value, a statement or a path."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.errors import (
    SessionStoreBusyError,
    SessionStoreError,
    SessionStoreFormatError,
    SessionStoreFullError,
    SessionStoreMissingError,
    SessionStoreReadOnlyError,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

DAMAGED: Final = "the file is not a session store, or it is damaged"
"""The message for every damaged file."""

_FAULTS: Final[Mapping[int, tuple[type[SessionStoreError], str]]] = MappingProxyType(
    {
        sqlite3.SQLITE_BUSY: (SessionStoreBusyError, "another writer is using the store"),
        sqlite3.SQLITE_LOCKED: (SessionStoreBusyError, "another writer is using the store"),
        sqlite3.SQLITE_READONLY: (SessionStoreReadOnlyError, "the store is read-only"),
        sqlite3.SQLITE_FULL: (SessionStoreFullError, "the disk is full"),
        sqlite3.SQLITE_CANTOPEN: (SessionStoreMissingError, "the file does not exist, or may not be opened"),
        sqlite3.SQLITE_PERM: (SessionStoreMissingError, "the file may not be opened"),
        sqlite3.SQLITE_AUTH: (SessionStoreMissingError, "the file may not be opened"),
        sqlite3.SQLITE_NOTADB: (SessionStoreFormatError, DAMAGED),
        sqlite3.SQLITE_CORRUPT: (SessionStoreFormatError, DAMAGED),
        # Our statements are valid, so these errors come from the file: a table is missing or has another form.
        sqlite3.SQLITE_ERROR: (SessionStoreFormatError, DAMAGED),
        sqlite3.SQLITE_SCHEMA: (SessionStoreFormatError, DAMAGED),
        sqlite3.SQLITE_CONSTRAINT: (SessionStoreFormatError, DAMAGED),
        sqlite3.SQLITE_MISMATCH: (SessionStoreFormatError, DAMAGED),
        sqlite3.SQLITE_TOOBIG: (SessionStoreError, "a message is larger than the store can hold"),
        sqlite3.SQLITE_IOERR: (SessionStoreError, "the file could not be read or written"),
    }
)


@contextmanager
def sqlite_errors_translated() -> Generator[None]:
    """Translate the errors of SQLite that are raised in the block.

    Raises:
        SessionStoreError: or a subclass.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _error_for(error) from None


def _error_for(error: sqlite3.Error) -> SessionStoreError:
    # The low byte is the primary error code. Errors of the Python module itself have no code.
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        if isinstance(error, sqlite3.OperationalError):  # text that is not UTF-8
            return SessionStoreFormatError(DAMAGED)
        return SessionStoreError(f"the store could not be used: {type(error).__name__}")
    kind, reason = _FAULTS.get(code & 0xFF, (SessionStoreError, f"the store could not be used: error {code}"))
    return kind(reason)
