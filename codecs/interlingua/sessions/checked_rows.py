"""Reads rows of a store file that may be damaged or hostile: values of unexpected types are refused.

SQLite returns whatever is in the file, whatever type the column declares, and errors of Python's `sqlite3` module may
contain bytes of the file. Neither gets past this module.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

from interlingua.errors import SessionStoreFormatError
from interlingua.sessions.sqlite_errors import DAMAGED

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import UnionType

    Kind = type[Any] | UnionType

__all__ = ["StoreConnection", "checked_row", "checked_rows"]


class StoreConnection(sqlite3.Connection):
    """A connection whose errors contain nothing from the file."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Run a statement.

        Raises:
            SessionStoreFormatError: the file is damaged, or has the largest possible row number.
            sqlite3.Error: any other error of SQLite.
        """
        try:
            return super().execute(sql, parameters)
        except (UnicodeDecodeError, OverflowError):
            pass
        # Raised outside the handler: the cause would contain bytes of the file.
        raise SessionStoreFormatError(DAMAGED)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """Run a statement once for each tuple of values.

        Raises:
            SessionStoreFormatError: as `execute`.
            sqlite3.Error: any other error of SQLite.
        """
        try:
            return super().executemany(sql, parameters)
        except (UnicodeDecodeError, OverflowError):
            pass
        raise SessionStoreFormatError(DAMAGED)


def checked_rows(
    connection: sqlite3.Connection, query: str, values: tuple[Any, ...], *kinds: Kind
) -> list[tuple[Any, ...]]:
    """Return the rows of a query after checking the type of each column.

    Raises:
        SessionStoreFormatError: a value is of another type.
        sqlite3.Error: the rows cannot be read.
    """
    rows: list[tuple[Any, ...]] = connection.execute(query, values).fetchall()
    for index, kind in enumerate(kinds):
        if not all(isinstance(row[index], kind) for row in rows):
            raise SessionStoreFormatError(DAMAGED)
    return rows


def checked_row(
    connection: sqlite3.Connection, query: str, values: tuple[Any, ...], *kinds: Kind
) -> tuple[Any, ...] | None:
    """Return the first row of a query after checking its types; None if there is no row.

    Raises:
        SessionStoreFormatError: a value is not of the type of its column.
        sqlite3.Error: the row cannot be read.
    """
    row: tuple[Any, ...] | None = connection.execute(query, values).fetchone()
    if row is not None and not all(map(isinstance, row, kinds)):
        raise SessionStoreFormatError(DAMAGED)
    return row
