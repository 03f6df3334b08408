"""Reads sessions: a whole one with all branches, or a part of one branch."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from interlingua.errors import SessionDamagedError, SessionStoreFormatError, TranscriptError
from interlingua.json_types import is_object
from interlingua.sessions.bookmark import Bookmark, BranchMark
from interlingua.sessions.layout import UNPLACED, branch_layout, layouts_of, lost_rows
from interlingua.sessions.queries import MISSING_BRANCH, branches_of, find_branch, length_of
from interlingua.sessions.rows import ReadRows, read_rows
from interlingua.transcript.branch_tree import id_of
from interlingua.transcript.doubtful_calls import mark_doubtful
from interlingua.transcript.transcript import Transcript

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from interlingua.model import AnyMessage
    from interlingua.sessions.layout import BranchLayout
    from interlingua.sessions.queries import FoundSession, Place

__all__ = [
    "BAD_METADATA",
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

BAD_METADATA: Final = "the metadata is not an object"
_CONTRADICTORY_BRANCHES: Final = "the branches of the session do not fit each other"


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A row that could not be read, and stays in the store: its position, and the reason, without content.

    Missing rows are reported in the same way, adjacent ones once, at the position of the first. `position` is None if
    it is unknown, and for problems of the session itself: its metadata or its active branch. `orphans` are the
    positions, in the same branch, of the rows with results for a call of this row.

    Example:
        >>> import sqlite3
        >>> with il.SessionStore("sessions.db") as store:
        ...     saved = store.save(il.Transcript([il.messages.user("Hi")], id="s1"))
        >>> with sqlite3.connect("sessions.db") as file:
        ...     damaged = file.execute("update messages set document = '{'")
        >>> with il.SessionStore("sessions.db") as store:
        ...     skipped = store.load("s1", recover=True).skipped
        >>> skipped[0].branch, skipped[0].position
        ('main', 0)
    """

    branch: str
    position: int | None
    reason: str
    orphans: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedSession:
    """A session as a transcript without unsaved changes, and the rows that could not be read.

    `doubtful` are the ids of the requests that have a call whose result may be in an unreadable row. Such a call is
    marked as started, without a time, so that it does not run again; the stored row is not changed.

    Example:
        >>> with il.SessionStore("sessions.db") as store:
        ...     saved = store.save(il.Transcript([il.messages.user("Hi")], id="s1"))
        ...     loaded = store.load("s1")
        >>> len(loaded.transcript), loaded.skipped
        (1, ())
    """

    transcript: Transcript
    skipped: tuple[SkippedRow, ...] = ()
    doubtful: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """Some messages of a branch; `position` is the row of the first one, `skipped` has the unreadable rows.

    Example:
        >>> with il.SessionStore("sessions.db") as store:
        ...     saved = store.save(il.Transcript([il.messages.user("Hi"), il.messages.user("Hello?")], id="s1"))
        ...     page = store.load_tail("s1", 1)
        >>> page.position, page.messages[0].text
        (1, 'Hello?')
    """

    position: int
    messages: tuple[AnyMessage, ...]
    skipped: tuple[SkippedRow, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """The information about a session in a list of sessions; no message is read for it.

    `branches` has the number of rows of each branch, in order of creation.

    Example:
        >>> with il.SessionStore("sessions.db") as store:
        ...     saved = store.save(il.Transcript([il.messages.user("Hi")], id="s1"))
        ...     info = store.info("s1")
        >>> info.id, info.branch, dict(info.branches)
        ('s1', 'main', {'main': 1})
    """

    id: str
    branch: str
    branches: Mapping[str, int]
    metadata: Mapping[str, Any] = field(repr=False)  # may be content, such as a title
    created_at: str
    updated_at: str


def info_of(connection: sqlite3.Connection, session: FoundSession) -> SessionInfo:
    """Return the information about a session."""
    lengths = {name: length_of(connection, number) for name, number in branches_of(connection, session.number)}
    metadata = read_metadata(session.metadata)
    return SessionInfo(session.id, session.branch, lengths, metadata or {}, session.created_at, session.updated_at)


def read_metadata(text: bytes) -> dict[str, Any] | None:
    """Return the metadata of a session; None if it is damaged, which must not hide the session."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if is_object(found) else None


def read_session(
    connection: sqlite3.Connection,
    identity: str,
    session: FoundSession,
    branch: str | None,
    *,
    is_recovered: bool,
    new_id: Callable[[], str],
    now: Callable[[], datetime],
) -> tuple[LoadedSession, Bookmark]:
    """Return a session with all its branches, and its bookmark.

    If the active branch is missing and no other is given, `is_recovered` selects the first one.

    Raises:
        SessionNotFoundError: there is no such branch.
        SessionDamagedError: the active branch is missing.
        SessionStoreFormatError: the branches contradict each other.
    """
    layouts = layouts_of(connection, session.number)
    active = _active_layout(connection, session, branch, layouts, is_recovered=is_recovered)
    # Rows are numbered in the order of writing.
    numbers = sorted({number for layout in layouts for number in layout.rows})
    rows = read_rows(connection, numbers)
    unplaced = lost_rows(connection, session.number, layouts)
    marked, doubtful = _with_doubtful_calls(numbers, rows, layouts, unplaced)
    entries: list[AnyMessage] = []
    places: dict[int, range] = {}
    for number, messages in zip(numbers, marked, strict=True):
        places[number] = range(len(entries), len(entries) + len(messages))
        entries += messages
    bookmark = Bookmark(identity, session.number, session.generation, session.revision, is_old=bool(rows.old))
    for layout in layouts:
        mark = BranchMark(layout.number, layout.length)
        mark.rows.extend(row for row in layout.rows for _ in places[row])
        bookmark.branches[layout.name] = mark
    metadata = read_metadata(session.metadata)
    try:
        transcript = Transcript.restore(
            entries,
            {layout.name: [place for row in layout.rows for place in places[row]] for layout in layouts},
            branch=active.name,
            id=session.id,
            metadata=metadata or {},
            new_id=new_id,
            now=now,
        )
    except TranscriptError:
        raise SessionStoreFormatError(_CONTRADICTORY_BRANCHES) from None
    skipped = [
        *_unreadable_rows(numbers, rows, [active, *layouts]),
        *_missing_rows(layouts),
        *_unplaced_rows(active, unplaced),
    ]
    if metadata is None:
        skipped.append(SkippedRow(active.name, None, BAD_METADATA))
    if all(layout.name != session.branch for layout in layouts):
        skipped.append(SkippedRow(active.name, None, MISSING_BRANCH))
    skipped.sort(key=lambda row: (row.branch, row.position is not None, row.position or 0))
    return LoadedSession(transcript, tuple(skipped), doubtful), bookmark


def read_page(
    connection: sqlite3.Connection,
    branch: str,
    number: int,
    places: Sequence[Place],
    start: int | None,
    unplaced: Sequence[int] = (),
) -> Page:
    """Return the messages at adjacent places of a branch, without the rest of the session.

    `start` is the expected position of the first one; None for any. `unplaced` are rows of the session that are on no
    branch.
    """
    layout = branch_layout(branch, number, places, start)
    rows = read_rows(connection, layout.rows)
    marked, _ = _with_doubtful_calls(layout.rows, rows, [layout], unplaced)
    messages = tuple(message for of_row in marked for message in of_row)
    unread = (
        SkippedRow(
            branch,
            layout.positions[index],
            reason,
            tuple(layout.positions[orphan] for orphan in rows.orphans.get(index, ())),
        )
        for index, reason in rows.failures.items()
    )
    skipped = [*unread, *_missing_rows([layout])]
    skipped.sort(key=lambda row: row.position or 0)
    skipped += [SkippedRow(branch, None, UNPLACED) for _ in unplaced]
    position = layout.positions[0] if layout.positions else start
    return Page(length_of(connection, number) if position is None else position, messages, tuple(skipped))


def refuse_damaged_beginning(session_id: str, branch: str, skipped: Sequence[SkippedRow]) -> None:
    """Refuse a branch whose first message is lost, since the conversation would begin in the middle.

    Raises:
        SessionDamagedError: the first row cannot be read.
    """
    for row in skipped:
        if row.branch == branch and row.position == 0:
            raise SessionDamagedError(session_id, branch, 0, row.reason)


def _active_layout(
    connection: sqlite3.Connection,
    session: FoundSession,
    branch: str | None,
    layouts: Sequence[BranchLayout],
    *,
    is_recovered: bool,
) -> BranchLayout:
    """Return the layout of the branch to select."""
    name = session.branch if branch is None else branch
    for layout in layouts:
        if layout.name == name:
            return layout
    if branch is None and is_recovered and layouts:
        return layouts[0]
    find_branch(connection, session, branch)
    raise SessionStoreFormatError(
        _CONTRADICTORY_BRANCHES
    )  # the file has an index entry for a branch that its table lacks


def _with_doubtful_calls(
    numbers: Sequence[int], rows: ReadRows, layouts: Sequence[BranchLayout], unplaced: Sequence[int]
) -> tuple[Sequence[tuple[AnyMessage, ...]], tuple[str, ...]]:
    """Return the rows' messages with doubtful calls marked in each branch, and the ids of their requests.

    A missing row may have been a result, just as an unreadable one. `unplaced` are rows that are on no branch, and
    may have been on any.
    """
    indexes = {number: index for index, number in enumerate(numbers)}
    branches = [[indexes[number] for number in layout.rows] for layout in layouts]
    unread: Collection[int] = rows.failures.keys()
    messages, missing = rows.messages, len(numbers)
    if unplaced or any(layout.missing_rows for layout in layouts):
        # A single unreadable row stands for all missing ones.
        missing_rows = (
            {*(gap.before for gap in layout.missing_rows), *map(layout.before, unplaced)} for layout in layouts
        )
        branches = [
            _with_missing(branch, before, missing) for branch, before in zip(branches, missing_rows, strict=True)
        ]
        unread, messages = {*unread, missing}, [*messages, ()]
    marked, doubtful = mark_doubtful(messages, unread, branches)
    return marked[:missing], tuple(id_of(marked[row][order]) or "" for row, order in doubtful)


def _with_missing(rows: list[int], before: Collection[int], missing: int) -> list[int]:
    """Return the rows of a branch with a missing row inserted wherever `before` has the number of rows before it."""
    found: list[int] = []
    for index, row in enumerate(rows):
        found += (missing, row) if index in before else (row,)
    return [*found, missing] if len(rows) in before else found


def _missing_rows(layouts: Iterable[BranchLayout]) -> Iterator[SkippedRow]:
    for layout in layouts:
        for gap in layout.missing_rows:
            yield SkippedRow(layout.name, gap.position, gap.reason)


def _unplaced_rows(active: BranchLayout, unplaced: Iterable[int]) -> Iterator[SkippedRow]:
    """Yield the rows that are on no branch. One older than the active branch may have been its first message."""
    for row in unplaced:
        yield SkippedRow(active.name, None if active.before(row) else 0, UNPLACED)


def _unreadable_rows(numbers: Sequence[int], rows: ReadRows, layouts: Sequence[BranchLayout]) -> Iterator[SkippedRow]:
    """Yield each unreadable row once, at its position in the first branch that has it."""
    if not rows.failures:
        return
    first_places: dict[int, tuple[str, int]] = {}
    positions: dict[tuple[str, int], int] = {}
    for layout in layouts:
        for position, number in zip(layout.positions, layout.rows, strict=True):
            first_places.setdefault(number, (layout.name, position))
            positions[layout.name, number] = position
    for index, reason in rows.failures.items():
        branch, position = first_places[numbers[index]]
        orphans = (positions.get((branch, numbers[orphan])) for orphan in rows.orphans.get(index, ()))
        yield SkippedRow(branch, position, reason, tuple(one for one in orphans if one is not None))
