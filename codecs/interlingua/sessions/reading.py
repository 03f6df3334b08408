"""Sessions as they are read: whole, with all branches, or a piece of one branch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interlingua.errors import SessionDamagedError, SessionStoreFormatError, TranscriptError
from interlingua.migrate.kinds import is_object
from interlingua.sessions.bookmark import Bookmark, BranchMark
from interlingua.sessions.queries import branches_of, find_branch, length_of, numbers_of
from interlingua.sessions.rows import ReadRows, read_rows
from interlingua.transcript.branch_tree import id_of
from interlingua.transcript.doubt import mark_doubtful
from interlingua.transcript.transcript import Transcript

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from interlingua.model import AnyMessage
    from interlingua.sessions.queries import FoundSession

__all__ = [
    "LoadedSession",
    "Page",
    "SessionInfo",
    "SkippedRow",
    "info_of",
    "read_metadata",
    "read_page",
    "read_session",
    "refuse_damaged_beginning",
]


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A row that could not be read, and is left as it is: where it stands, and why, free of content.

    `orphans` are the positions, in the same branch, of the rows with results that answer a call of this one.
    """

    branch: str
    position: int
    reason: str
    orphans: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedSession:
    """A session as a transcript, with nothing to save, and the rows that could not be read.

    `doubtful` are the ids of the requests with a call whose result may be in a row that could not be read. Such a call
    is marked as begun, without a moment, so that it does not run again; the row stays as it is.
    """

    transcript: Transcript
    skipped: tuple[SkippedRow, ...] = ()
    doubtful: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """Some messages of a branch; `position` is the row of the first one, `skipped` has the rows that are unreadable."""

    position: int
    messages: tuple[AnyMessage, ...]
    skipped: tuple[SkippedRow, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """What a list of sessions shows: nothing of the messages is read for it.

    `branches` has the number of rows of each branch, in the order in which they were made.
    """

    id: str
    branch: str
    branches: Mapping[str, int]
    metadata: Mapping[str, Any]
    created_at: str
    updated_at: str


def info_of(connection: sqlite3.Connection, session: FoundSession) -> SessionInfo:
    """Return what a list shows of a session."""
    lengths = {name: length_of(connection, number) for name, number in branches_of(connection, session.number)}
    metadata = read_metadata(session.metadata)
    return SessionInfo(session.id, session.branch, lengths, metadata, session.created_at, session.updated_at)


def read_metadata(text: Any) -> dict[str, Any]:
    """Return the metadata of a session. Damaged ones are none: they must not hide the session."""
    try:
        found = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}
    return found if is_object(found) else {}


def read_session(
    connection: sqlite3.Connection,
    identity: str,
    session: FoundSession,
    branch: str | None,
    *,
    new_id: Callable[[], str],
    now: Callable[[], datetime],
) -> tuple[LoadedSession, Bookmark]:
    """Return a session with all its branches, and where each message stands.

    Raises:
        SessionNotFoundError: there is no such branch.
        SessionStoreFormatError: the branches do not fit each other.
    """
    active, _ = find_branch(connection, session, branch)
    branches = branches_of(connection, session.number)
    layout = {name: numbers_of(connection, number) for name, number in branches}
    # The order of the numbers is the order in which things happened.
    numbers = sorted({number for of_branch in layout.values() for number in of_branch})
    rows = read_rows(connection, numbers)
    marked, doubtful = _marked(numbers, rows, layout)
    entries: list[AnyMessage] = []
    places: dict[int, range] = {}
    for number, messages in zip(numbers, marked, strict=True):
        places[number] = range(len(entries), len(entries) + len(messages))
        entries += messages
    bookmark = Bookmark(identity, session.number, session.generation, session.revision, is_old=bool(rows.old))
    for name, number in branches:
        mark = BranchMark(number, length_of(connection, number))
        mark.rows.extend(row for row in layout[name] for _ in places[row])
        bookmark.branches[name] = mark
    try:
        transcript = Transcript.restore(
            entries,
            {name: [place for row in layout[name] for place in places[row]] for name in layout},
            branch=active,
            id=session.id,
            metadata=read_metadata(session.metadata),
            new_id=new_id,
            now=now,
        )
    except TranscriptError:
        raise SessionStoreFormatError("the branches of the session do not fit each other") from None
    return LoadedSession(transcript, _skipped(numbers, rows, layout, active), doubtful), bookmark


def read_page(connection: sqlite3.Connection, branch: str, number: int, start: int, count: int = -1) -> Page:
    """Return some messages of a branch, read by themselves."""
    numbers = numbers_of(connection, number, start, count)
    rows = read_rows(connection, numbers)
    marked, _ = mark_doubtful(rows.messages, rows.failures)
    messages = tuple(message for of_row in marked for message in of_row)
    skipped = tuple(
        SkippedRow(branch, start + index, reason, tuple(start + orphan for orphan in rows.orphans.get(index, ())))
        for index, reason in rows.failures.items()
    )
    return Page(start, messages, skipped)


def refuse_damaged_beginning(session_id: str, branch: str, skipped: Sequence[SkippedRow]) -> None:
    """Refuse a branch whose first message is lost: a conversation without its beginning is another one.

    Raises:
        SessionDamagedError: the first row cannot be read.
    """
    for row in skipped:
        if row.branch == branch and row.position == 0:
            raise SessionDamagedError(session_id, branch, 0, row.reason)


def _marked(
    numbers: Sequence[int], rows: ReadRows, layout: Mapping[str, Sequence[int]]
) -> tuple[Sequence[tuple[AnyMessage, ...]], tuple[str, ...]]:
    """Return the messages of the rows with the doubtful calls of each branch marked, and the ids of their requests."""
    indexes = {number: index for index, number in enumerate(numbers)}
    branches = ([indexes[number] for number in of_branch] for of_branch in layout.values())
    marked, doubtful = mark_doubtful(rows.messages, rows.failures, branches)
    return marked, tuple(id_of(marked[row][order]) or "" for row, order in doubtful)


def _skipped(
    numbers: Sequence[int], rows: ReadRows, layout: Mapping[str, Sequence[int]], active: str
) -> tuple[SkippedRow, ...]:
    """Return the rows that could not be read, each once: where it stands in the active branch, or else in another."""
    if not rows.failures:
        return ()
    standing: dict[int, tuple[str, int]] = {}
    positions: dict[tuple[str, int], int] = {}
    for name in (active, *layout):
        for position, number in enumerate(layout[name]):
            standing.setdefault(number, (name, position))
            positions[name, number] = position
    found: list[SkippedRow] = []
    for index, reason in rows.failures.items():
        if numbers[index] in standing:
            branch, position = standing[numbers[index]]
            orphans = (positions.get((branch, numbers[orphan])) for orphan in rows.orphans.get(index, ()))
            found.append(SkippedRow(branch, position, reason, tuple(one for one in orphans if one is not None)))
    return tuple(sorted(found, key=lambda row: (row.branch, row.position)))
