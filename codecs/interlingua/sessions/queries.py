"""What is asked of the tables again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from interlingua.errors import SessionNotFoundError
from interlingua_types import CURRENT

if TYPE_CHECKING:
    import sqlite3

__all__ = [
    "FoundSession",
    "all_sessions",
    "branches_of",
    "find_branch",
    "find_session",
    "has_message",
    "has_old_rows",
    "is_known",
    "length_of",
    "numbers_of",
    "position_of",
    "row_numbers",
]


@dataclass(frozen=True, slots=True)
class FoundSession:
    """The row of a session."""

    number: int
    id: str
    branch: str
    metadata: str
    created_at: str
    updated_at: str
    revision: int
    generation: int


_COLUMNS: Final = "number, id, branch, metadata, created_at, updated_at, revision, generation"


def find_session(connection: sqlite3.Connection, session_id: str) -> FoundSession:
    """Return a session.

    Raises:
        SessionNotFoundError: there is none of that id.
    """
    query = f"SELECT {_COLUMNS} FROM sessions WHERE id = ?"  # noqa: S608  # the columns stand above
    row = connection.execute(query, (session_id,)).fetchone()
    if row is None:
        raise SessionNotFoundError(session_id, None, "there is no such session")
    return FoundSession(*row)


def find_branch(connection: sqlite3.Connection, session: FoundSession, branch: str | None) -> tuple[str, int]:
    """Return the name and the number of a branch, the active one where none is named.

    Raises:
        SessionNotFoundError: there is no such branch.
    """
    name = session.branch if branch is None else branch
    row = connection.execute(
        "SELECT number FROM branches WHERE session = ? AND name = ?", (session.number, name)
    ).fetchone()
    if row is None:
        raise SessionNotFoundError(session.id, name, "the session has no such branch")
    return name, int(row[0])


def all_sessions(connection: sqlite3.Connection) -> list[FoundSession]:
    """Return all sessions, the one that was written to last first."""
    query = f"SELECT {_COLUMNS} FROM sessions ORDER BY updated_at DESC, number DESC"  # noqa: S608  # as above
    return [FoundSession(*row) for row in connection.execute(query).fetchall()]


def is_known(connection: sqlite3.Connection, session_id: str) -> bool:
    """Tell whether there is a session of that id."""
    return connection.execute("SELECT 1 FROM sessions WHERE id = ?", (session_id,)).fetchone() is not None


def has_message(connection: sqlite3.Connection, session: int, word: str) -> bool:
    """Tell whether a session has a message of that id, given as the store compares it."""
    query = "SELECT 1 FROM messages WHERE session = ? AND id = ?"
    return connection.execute(query, (session, word)).fetchone() is not None


def position_of(connection: sqlite3.Connection, branch: int, word: str) -> int | None:
    """Return where in a branch the first message of that id stands, given as the store compares it; None if nowhere."""
    query = (
        "SELECT min(places.position) FROM places JOIN messages ON messages.number = places.message"
        " WHERE places.branch = ? AND messages.id = ?"
    )
    (position,) = connection.execute(query, (branch, word)).fetchone()
    return None if position is None else int(position)


def has_old_rows(connection: sqlite3.Connection, session: int) -> bool:
    """Tell whether a session has rows of an older version."""
    query = "SELECT EXISTS (SELECT 1 FROM messages WHERE session = ? AND schema_version < ?)"
    return bool(connection.execute(query, (session, CURRENT)).fetchone()[0])


def row_numbers(connection: sqlite3.Connection, session: int) -> list[int]:
    """Return the rows of a session in the order in which they were written."""
    query = "SELECT number FROM messages WHERE session = ? ORDER BY number"
    return [number for (number,) in connection.execute(query, (session,))]


def branches_of(connection: sqlite3.Connection, session: int) -> list[tuple[str, int]]:
    """Return the name and the number of each branch of a session, in the order in which they were made."""
    query = "SELECT name, number FROM branches WHERE session = ? ORDER BY number"
    return connection.execute(query, (session,)).fetchall()


def numbers_of(connection: sqlite3.Connection, branch: int, start: int = 0, count: int = -1) -> list[int]:
    """Return the rows of a branch in order, from a position on; all of them, or a count."""
    query = "SELECT message FROM places WHERE branch = ? AND position >= ? ORDER BY position LIMIT ?"
    return [number for (number,) in connection.execute(query, (branch, start, count))]


def length_of(connection: sqlite3.Connection, branch: int) -> int:
    """Return how many messages a branch has."""
    (last,) = connection.execute("SELECT max(position) FROM places WHERE branch = ?", (branch,)).fetchone()
    return 0 if last is None else int(last) + 1
