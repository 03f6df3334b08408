"""Checks a store: reads every row, compares every blob with its digest, and runs SQLite's own checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.errors import SessionStoreFormatError
from interlingua.sessions.layout import UNPLACED, layouts_of, lost_rows
from interlingua.sessions.queries import MISSING_BRANCH, all_sessions
from interlingua.sessions.reading import BAD_METADATA, read_metadata
from interlingua.sessions.results import Problem
from interlingua.sessions.rows import read_rows
from interlingua.sessions.sqlite_errors import sqlite_errors_translated

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from interlingua.sessions.layout import BranchLayout
    from interlingua.sessions.queries import FoundSession

__all__ = ["problems"]

_PAGE_ROWS: Final = 32
_DAMAGED_FILE: Final = "the file is damaged"


def problems(connection: sqlite3.Connection) -> list[Problem]:
    """Return the problems of a store, each row once."""
    found = list(dict.fromkeys(_as_far_as_readable(_file_problems(connection))))
    sessions: list[FoundSession] = []
    found += _as_far_as_readable(_read_sessions(connection, sessions))
    for session in sessions:
        found += _as_far_as_readable(_session_problems(connection, session), session.id)
    return found


def _as_far_as_readable(found: Iterable[Problem], session_id: str | None = None) -> Iterator[Problem]:
    """Yield the problems found; if reading fails because of damage, that is one more problem."""
    try:
        with sqlite_errors_translated():
            yield from found
    except SessionStoreFormatError:
        yield Problem(_DAMAGED_FILE, session_id)


def _file_problems(connection: sqlite3.Connection) -> Iterator[Problem]:
    for (text,) in connection.execute("PRAGMA integrity_check"):
        if text != "ok":
            yield Problem(_DAMAGED_FILE)
    for _ in connection.execute("PRAGMA foreign_key_check"):
        yield Problem("a row refers to one that is missing")


def _read_sessions(connection: sqlite3.Connection, sessions: list[FoundSession]) -> Iterator[Problem]:
    """Read the sessions into the list; yields nothing."""
    sessions += all_sessions(connection)
    yield from ()


def _session_problems(connection: sqlite3.Connection, session: FoundSession) -> Iterator[Problem]:
    if read_metadata(session.metadata) is None:
        yield Problem(BAD_METADATA, session.id)
    layouts = layouts_of(connection, session.number)
    if all(layout.name != session.branch for layout in layouts):
        yield Problem(MISSING_BRANCH, session.id)
    for layout in layouts:
        for gap in layout.missing_rows:
            yield Problem(gap.reason, session.id, layout.name, gap.position)
    for _ in lost_rows(connection, session.number, layouts):
        yield Problem(UNPLACED, session.id)
    yield from _row_problems(connection, session.id, layouts)


def _row_problems(
    connection: sqlite3.Connection, session_id: str, layouts: Iterable[BranchLayout]
) -> Iterator[Problem]:
    """Read every row once, even if it is on several branches."""
    seen: set[int] = set()
    for layout in layouts:
        for start in range(0, len(layout.rows), _PAGE_ROWS):
            end = start + _PAGE_ROWS
            places = zip(layout.positions[start:end], layout.rows[start:end], strict=True)
            unread = [(position, row) for position, row in places if row not in seen]
            seen.update(row for _, row in unread)
            rows = read_rows(connection, [row for _, row in unread])
            for index, reason in rows.failures.items():
                yield Problem(reason, session_id, layout.name, unread[index][0])
