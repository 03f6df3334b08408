"""What a damaged or hostile file answers: values of kinds that no store writes are refused before anybody uses them.

SQLite gives back whatever stands in a file, whatever the column was declared as, and its module for Python raises
errors with bytes of the file in their text. Both end here.
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
    """A connection whose errors show nothing of the file."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Run a statement.

        Raises:
            SessionStoreFormatError: the file is damaged, or has a number so large that there is none after it.
            sqlite3.Error: whatever else SQLite refuses.
        """
        try:
            return super().execute(sql, parameters)
        except (UnicodeDecodeError, OverflowError):
            pass
        # Outside the handler: the cause would hold bytes of the file.
        raise SessionStoreFormatError(DAMAGED)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """Run a statement once for each of some values.

        Raises:
            SessionStoreFormatError: as `execute`.
            sqlite3.Error: whatever else SQLite refuses.
        """
        try:
            return super().executemany(sql, parameters)
        except (UnicodeDecodeError, OverflowError):
            pass
        raise SessionStoreFormatError(DAMAGED)


def checked_rows(
    connection: sqlite3.Connection, query: str, values: tuple[Any, ...], *kinds: Kind
) -> list[tuple[Any, ...]]:
    """Return the rows of a query, whose columns are of those kinds.

    Raises:
        SessionStoreFormatError: a value is of another kind.
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
    """Return the first row of a query, None where there is none.

    Raises:
        SessionStoreFormatError: a value is not of the kind of its column.
        sqlite3.Error: the row cannot be read.
    """
    row: tuple[Any, ...] | None = connection.execute(query, values).fetchone()
    if row is not None and not all(map(isinstance, row, kinds)):
        raise SessionStoreFormatError(DAMAGED)
    return row
