"""Checks a store: reads every row, compares every blob with its digest, and runs SQLite's own checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.errors import SessionStoreFormatError
from interlingua.sessions.layout import UNPLACED, layouts_of, lost_rows
from interlingua.sessions.queries import MISSING_BRANCH, all_sessions
from interlingua.sessions.reading import BAD_METADATA, read_metadata
from interlingua.sessions.results import Problem
from interlingua.sessions.rows import read_rows
from interlingua.sessions.sqlite_errors import translated

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from interlingua.sessions.layout import BranchLayout
    from interlingua.sessions.queries import FoundSession

__all__ = ["problems"]

_PAGE: Final = 32
_DAMAGED: Final = "the file is damaged"


def problems(connection: sqlite3.Connection) -> list[Problem]:
    """Return the problems of a store, each row once."""
    found = list(dict.fromkeys(_as_far_as_readable(_of_file(connection))))
    sessions: list[FoundSession] = []
    found += _as_far_as_readable(_listed(connection, sessions))
    for session in sessions:
        found += _as_far_as_readable(_of_session(connection, session), session.id)
    return found


def _as_far_as_readable(found: Iterable[Problem], session_id: str | None = None) -> Iterator[Problem]:
    """Yield the problems found; if reading fails because of damage, that is one more problem."""
    try:
        with translated():
            yield from found
    except SessionStoreFormatError:
        yield Problem(_DAMAGED, session_id)


def _of_file(connection: sqlite3.Connection) -> Iterator[Problem]:
    for (text,) in connection.execute("PRAGMA integrity_check"):
        if text != "ok":
            yield Problem(_DAMAGED)
    for _ in connection.execute("PRAGMA foreign_key_check"):
        yield Problem("a row refers to one that is missing")


def _listed(connection: sqlite3.Connection, sessions: list[FoundSession]) -> Iterator[Problem]:
    """Read the sessions into the list; yields nothing."""
    sessions += all_sessions(connection)
    yield from ()


def _of_session(connection: sqlite3.Connection, session: FoundSession) -> Iterator[Problem]:
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
    yield from _of_rows(connection, session.id, layouts)


def _of_rows(connection: sqlite3.Connection, session_id: str, layouts: Iterable[BranchLayout]) -> Iterator[Problem]:
    """Read every row once, even if it is on several branches."""
    seen: set[int] = set()
    for layout in layouts:
        for start in range(0, len(layout.rows), _PAGE):
            end = start + _PAGE
            places = zip(layout.positions[start:end], layout.rows[start:end], strict=True)
            fresh = [(position, row) for position, row in places if row not in seen]
            seen.update(row for _, row in fresh)
            rows = read_rows(connection, [row for _, row in fresh])
            for index, reason in rows.failures.items():
                yield Problem(reason, session_id, layout.name, fresh[index][0])
