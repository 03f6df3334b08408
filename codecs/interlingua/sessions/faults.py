"""What SQLite refuses, as the errors of this library. No error shows a value, a statement or a path."""

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

_DAMAGED: Final = "the file is no session store, or it is damaged"
_FAULTS: Final[Mapping[int, tuple[type[SessionStoreError], str]]] = MappingProxyType(
    {
        sqlite3.SQLITE_BUSY: (SessionStoreBusyError, "another writer holds the store"),
        sqlite3.SQLITE_LOCKED: (SessionStoreBusyError, "another writer holds the store"),
        sqlite3.SQLITE_READONLY: (SessionStoreReadOnlyError, "the store may only be read"),
        sqlite3.SQLITE_FULL: (SessionStoreFullError, "there is no room left"),
        sqlite3.SQLITE_CANTOPEN: (SessionStoreMissingError, "there is no file to open, or it may not be opened"),
        sqlite3.SQLITE_PERM: (SessionStoreMissingError, "the file may not be opened"),
        sqlite3.SQLITE_AUTH: (SessionStoreMissingError, "the file may not be opened"),
        sqlite3.SQLITE_NOTADB: (SessionStoreFormatError, _DAMAGED),
        sqlite3.SQLITE_CORRUPT: (SessionStoreFormatError, _DAMAGED),
        sqlite3.SQLITE_TOOBIG: (SessionStoreError, "a message is larger than the store can hold"),
        sqlite3.SQLITE_IOERR: (SessionStoreError, "the file could not be read or written"),
    }
)


@contextmanager
def translated() -> Generator[None]:
    """Turn the errors of SQLite into those of this library.

    Raises:
        SessionStoreError: or the class of it that fits.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _fault(error) from None


def _fault(error: sqlite3.Error) -> SessionStoreError:
    # The low byte is the kind of error, the rest its variety. Errors of the Python module itself have no code.
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return SessionStoreError(f"the store could not be used: {type(error).__name__}")
    kind, reason = _FAULTS.get(code & 0xFF, (SessionStoreError, f"the store could not be used: error {code}"))
    return kind(reason)
