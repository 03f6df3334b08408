"""Is a store whole? Every row is read, every blob compared with its digest, and SQLite asked about the file."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final

from interlingua.sessions.queries import all_sessions, branches_of, length_of, numbers_of
from interlingua.sessions.results import Problem
from interlingua.sessions.rows import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.sessions.queries import FoundSession

__all__ = ["problems"]

_PAGE: Final = 32


def problems(connection: sqlite3.Connection) -> list[Problem]:
    """Return what is wrong in a store, each row once."""
    found = list(_of_file(connection))
    for session in all_sessions(connection):
        found += _of_session(connection, session)
    return found


def _of_file(connection: sqlite3.Connection) -> Iterator[Problem]:
    try:
        for (text,) in connection.execute("PRAGMA integrity_check"):
            if text != "ok":
                yield Problem("the file is damaged")
        for _ in connection.execute("PRAGMA foreign_key_check"):
            yield Problem("a row refers to one that is missing")
    except sqlite3.DatabaseError:
        yield Problem("the file is damaged")


def _of_session(connection: sqlite3.Connection, session: FoundSession) -> Iterator[Problem]:
    seen: set[int] = set()
    for name, branch in branches_of(connection, session.number):
        for start in range(0, length_of(connection, branch), _PAGE):
            numbers = numbers_of(connection, branch, start, _PAGE)
            rows = read_rows(connection, numbers)
            for index, reason in rows.failures.items():
                if numbers[index] not in seen:
                    yield Problem(reason, session.id, name, start + index)
            seen.update(numbers[index] for index in rows.failures)
