"""Shared queries on the tables of a store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias
from uuid import UUID

from interlingua.errors import SessionDamagedError, SessionNotFoundError, SessionStoreFormatError
from interlingua.sessions.checked_rows import checked_row, checked_rows
from interlingua.sessions.names import is_written
from interlingua.sessions.sqlite_errors import DAMAGED
from interlingua_types import CURRENT

if TYPE_CHECKING:
    import sqlite3

__all__ = [
    "LARGEST",
    "MISSING_BRANCH",
    "FoundSession",
    "Place",
    "all_sessions",
    "branch_number",
    "branches_of",
    "find_branch",
    "find_session",
    "has_message",
    "has_old_rows",
    "identity_of",
    "is_known",
    "last_places_of",
    "last_row",
    "length_of",
    "place_of",
    "places_of",
    "position_of",
    "revision_of",
    "row_numbers",
    "unplaced_rows",
]


LARGEST: Final = 2**63 - 1
"""The largest integer that SQLite can store."""

MISSING_BRANCH: Final = "the active branch is missing"

Place: TypeAlias = tuple[int, int]
"""A position in a branch, and the number of the row at this position."""


@dataclass(frozen=True, slots=True)
class FoundSession:
    """The row of a session. `metadata` is the stored text, not yet checked."""

    number: int
    id: str
    branch: str
    metadata: bytes
    created_at: str
    updated_at: str
    revision: int
    generation: int


_SESSION: Final = (
    "SELECT number, id, branch, CAST(metadata AS BLOB), created_at, updated_at, revision, generation FROM sessions"
)
_KINDS: Final = (int, str, str, bytes, str, str, int, int)


def identity_of(connection: sqlite3.Connection) -> UUID:
    """Return the identity of the store.

    Raises:
        SessionStoreFormatError: it has none.
    """
    row = checked_row(connection, "SELECT identity FROM store", (), str)
    if row is not None:
        try:
            return UUID(row[0])
        except ValueError:
            pass
    raise SessionStoreFormatError(DAMAGED)


def find_session(connection: sqlite3.Connection, session_id: str) -> FoundSession:
    """Return the row of a session.

    Raises:
        SessionNotFoundError: there is no session with that id.
    """
    row = (
        checked_row(connection, f"{_SESSION} WHERE id = ?", (session_id,), *_KINDS) if is_written(session_id) else None
    )
    if row is None:
        raise SessionNotFoundError(session_id, None, "there is no such session")
    return FoundSession(*row)


def find_branch(connection: sqlite3.Connection, session: FoundSession, branch: str | None) -> tuple[str, int]:
    """Return the name and number of a branch, by default of the active one.

    Raises:
        SessionNotFoundError: there is no such branch.
        SessionDamagedError: no branch is given, and the active one is missing.
    """
    name = session.branch if branch is None else branch
    number = branch_number(connection, session.number, name)
    if number is not None:
        return name, number
    if branch is None:
        raise SessionDamagedError(session.id, None, None, MISSING_BRANCH)
    raise SessionNotFoundError(session.id, name, "the session has no such branch")


def branch_number(connection: sqlite3.Connection, session: int, name: str) -> int | None:
    """Return the number of a branch, or None."""
    if not is_written(name):
        return None
    row = checked_row(connection, "SELECT number FROM branches WHERE session = ? AND name = ?", (session, name), int)
    return None if row is None else row[0]


def revision_of(connection: sqlite3.Connection, table: Literal["sessions", "messages"], number: int) -> int | None:
    """Return the revision of a session or a message, or None if there is no such row."""
    query = f"SELECT revision FROM {table} WHERE number = ?"  # noqa: S608  # the names stand above
    row = checked_row(connection, query, (number,), int)
    return None if row is None else row[0]


def place_of(connection: sqlite3.Connection, branch: int, row: int) -> int | None:
    """Return the position of a row in a branch, or None."""
    query = "SELECT position FROM places WHERE branch = ? AND message = ?"
    found = checked_row(connection, query, (branch, row), int)
    return None if found is None else found[0]


def all_sessions(connection: sqlite3.Connection) -> list[FoundSession]:
    """Return all sessions, the most recently written first."""
    rows = checked_rows(connection, f"{_SESSION} ORDER BY updated_at DESC, number DESC", (), *_KINDS)
    return [FoundSession(*row) for row in rows]


def is_known(connection: sqlite3.Connection, session_id: str) -> bool:
    """Tell whether there is a session with that id."""
    return checked_row(connection, "SELECT 1 FROM sessions WHERE id = ?", (session_id,)) is not None


def has_message(connection: sqlite3.Connection, session: int, word: str) -> bool:
    """Tell whether a session has a message with that id, given in the form that the store compares."""
    query = "SELECT 1 FROM messages WHERE session = ? AND id = ?"
    return checked_row(connection, query, (session, word)) is not None


def position_of(connection: sqlite3.Connection, branch: int, word: str) -> int | None:
    """Return the position in a branch of the first message with that id, given in the form that the store compares."""
    query = (
        "SELECT places.position FROM places JOIN messages ON messages.number = places.message"
        " WHERE places.branch = ? AND places.position >= 0 AND messages.id = ? ORDER BY places.position LIMIT 1"
    )
    row = checked_row(connection, query, (branch, word), int)
    return None if row is None else row[0]


def has_old_rows(connection: sqlite3.Connection, session: int) -> bool:
    """Tell whether a session has rows of an older version; reads every row of the session."""
    query = "SELECT 1 FROM messages WHERE session = ? AND schema_version < ? LIMIT 1"
    return checked_row(connection, query, (session, CURRENT)) is not None


def row_numbers(connection: sqlite3.Connection, session: int) -> list[int]:
    """Return the rows of a session, in the order of writing."""
    query = "SELECT number FROM messages WHERE session = ? ORDER BY number"
    return [number for (number,) in checked_rows(connection, query, (session,), int)]


def last_row(connection: sqlite3.Connection) -> int:
    """Return the number of the last row written, 0 if there is none."""
    row = checked_row(connection, "SELECT max(number) FROM messages", (), int | None)
    return 0 if row is None else row[0] or 0


def unplaced_rows(connection: sqlite3.Connection, session: int) -> list[int]:
    """Return the rows of a session that are on no branch, in order; an undamaged store has none."""
    query = (
        "SELECT number FROM messages WHERE session = ?"
        " AND NOT EXISTS (SELECT 1 FROM places WHERE places.message = messages.number) ORDER BY number"
    )
    return [number for (number,) in checked_rows(connection, query, (session,), int)]


def branches_of(connection: sqlite3.Connection, session: int) -> list[tuple[str, int]]:
    """Return the name and number of each branch of a session, in order of creation."""
    query = "SELECT name, number FROM branches WHERE session = ? ORDER BY number"
    return [(name, number) for name, number in checked_rows(connection, query, (session,), str, int)]


def places_of(connection: sqlite3.Connection, branch: int, start: int = -LARGEST - 1, count: int = -1) -> list[Place]:
    """Return the places of a branch in order, from a position on, at most `count`; negative positions come first."""
    query = "SELECT position, message FROM places WHERE branch = ? AND position >= ? ORDER BY position LIMIT ?"
    return _places(connection, query, branch, start, count)


def last_places_of(connection: sqlite3.Connection, branch: int, count: int) -> list[Place]:
    """Return the last places of a branch, in order."""
    query = "SELECT position, message FROM places WHERE branch = ? ORDER BY position DESC LIMIT ?"
    return _places(connection, query, branch, min(count, LARGEST))[::-1]


def length_of(connection: sqlite3.Connection, branch: int) -> int:
    """Return the number of messages of a branch, including missing ones: the position of the next message."""
    row = checked_row(connection, "SELECT max(position) FROM places WHERE branch = ?", (branch,), int | None)
    return 0 if row is None or row[0] is None else max(0, row[0] + 1)


def _places(connection: sqlite3.Connection, query: str, *values: Any) -> list[Place]:
    return [(position, number) for position, number in checked_rows(connection, query, values, int, int)]
