"""Sessions as they are read: whole, with all branches, or a piece of one branch."""

from __future__ import annotations

import json
from dataclasses import dataclass
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
_MISFIT: Final = "the branches of the session do not fit each other"


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A row that could not be read, and is left as it is: where it stands, and why, free of content.

    A row that is missing is told in the same way, rows that follow each other once, at the position of the first.
    `position` is None where nobody knows where the row stood, and where it is about the session itself: its metadata,
    or which branch is active. `orphans` are the positions, in the same branch, of the rows with results that answer a
    call of this one.

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
    """A session as a transcript, with nothing to save, and the rows that could not be read.

    `doubtful` are the ids of the requests with a call whose result may be in a row that could not be read. Such a call
    is marked as begun, without a moment, so that it does not run again; the row stays as it is.

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
    """Some messages of a branch; `position` is the row of the first one, `skipped` has the rows that are unreadable.

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
    """What a list of sessions shows: nothing of the messages is read for it.

    `branches` has the number of rows of each branch, in the order in which they were made.

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
    metadata: Mapping[str, Any]
    created_at: str
    updated_at: str


def info_of(connection: sqlite3.Connection, session: FoundSession) -> SessionInfo:
    """Return what a list shows of a session."""
    lengths = {name: length_of(connection, number) for name, number in branches_of(connection, session.number)}
    metadata = read_metadata(session.metadata)
    return SessionInfo(session.id, session.branch, lengths, metadata or {}, session.created_at, session.updated_at)


def read_metadata(text: bytes) -> dict[str, Any] | None:
    """Return the metadata of a session, None where they are damaged: they must not hide the session."""
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
    """Return a session with all its branches, and where each message stands.

    Where the active branch is missing and none is named, `is_recovered` takes the first one.

    Raises:
        SessionNotFoundError: there is no such branch.
        SessionDamagedError: the active branch is missing.
        SessionStoreFormatError: the branches do not fit each other.
    """
    layouts = layouts_of(connection, session.number)
    active = _active(connection, session, branch, layouts, is_recovered=is_recovered)
    # The order of the numbers is the order in which things happened.
    numbers = sorted({number for layout in layouts for number in layout.rows})
    rows = read_rows(connection, numbers)
    lost = lost_rows(connection, session.number, layouts)
    marked, doubtful = _marked(numbers, rows, layouts, lost)
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
        raise SessionStoreFormatError(_MISFIT) from None
    skipped = [*_unread(numbers, rows, [active, *layouts]), *_missing(layouts), *_lost(active, lost)]
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
    lost: Sequence[int] = (),
) -> Page:
    """Return the messages at some places of a branch that follow each other, read by themselves.

    `start` is where the first one should stand, None where that may be anywhere. `lost` are rows of the session that
    stand on no branch.
    """
    layout = branch_layout(branch, number, places, start)
    rows = read_rows(connection, layout.rows)
    marked, _ = _marked(layout.rows, rows, [layout], lost)
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
    skipped = [*unread, *_missing([layout])]
    skipped.sort(key=lambda row: row.position or 0)
    skipped += [SkippedRow(branch, None, UNPLACED) for _ in lost]
    position = layout.positions[0] if layout.positions else start
    return Page(length_of(connection, number) if position is None else position, messages, tuple(skipped))


def refuse_damaged_beginning(session_id: str, branch: str, skipped: Sequence[SkippedRow]) -> None:
    """Refuse a branch whose first message is lost: a conversation without its beginning is another one.

    Raises:
        SessionDamagedError: the first row cannot be read.
    """
    for row in skipped:
        if row.branch == branch and row.position == 0:
            raise SessionDamagedError(session_id, branch, 0, row.reason)


def _active(
    connection: sqlite3.Connection,
    session: FoundSession,
    branch: str | None,
    layouts: Sequence[BranchLayout],
    *,
    is_recovered: bool,
) -> BranchLayout:
    """Return the branch that is to be active."""
    name = session.branch if branch is None else branch
    for layout in layouts:
        if layout.name == name:
            return layout
    if branch is None and is_recovered and layouts:
        return layouts[0]
    find_branch(connection, session, branch)
    raise SessionStoreFormatError(_MISFIT)  # an index of the file has a branch that its table does not have


def _marked(
    numbers: Sequence[int], rows: ReadRows, layouts: Sequence[BranchLayout], lost: Sequence[int]
) -> tuple[Sequence[tuple[AnyMessage, ...]], tuple[str, ...]]:
    """Return the messages of the rows with the doubtful calls of each branch marked, and the ids of their requests.

    What is missing may have been a result as well as what cannot be read. `lost` are rows that stand on no branch, and
    may have stood on any.
    """
    indexes = {number: index for index, number in enumerate(numbers)}
    branches = [[indexes[number] for number in layout.rows] for layout in layouts]
    unread: Collection[int] = rows.failures.keys()
    messages, missing = rows.messages, len(numbers)
    if lost or any(layout.missing_rows for layout in layouts):
        # One row that nobody could read stands for all that are missing.
        missing_rows = ({*(gap.before for gap in layout.missing_rows), *map(layout.before, lost)} for layout in layouts)
        branches = [
            _with_missing(branch, before, missing) for branch, before in zip(branches, missing_rows, strict=True)
        ]
        unread, messages = {*unread, missing}, [*messages, ()]
    marked, doubtful = mark_doubtful(messages, unread, branches)
    return marked[:missing], tuple(id_of(marked[row][order]) or "" for row, order in doubtful)


def _with_missing(rows: list[int], before: Collection[int], missing: int) -> list[int]:
    """Return the rows of a branch with a missing one wherever as many rows stand before it."""
    found: list[int] = []
    for index, row in enumerate(rows):
        found += (missing, row) if index in before else (row,)
    return [*found, missing] if len(rows) in before else found


def _missing(layouts: Iterable[BranchLayout]) -> Iterator[SkippedRow]:
    for layout in layouts:
        for gap in layout.missing_rows:
            yield SkippedRow(layout.name, gap.position, gap.reason)


def _lost(active: BranchLayout, lost: Iterable[int]) -> Iterator[SkippedRow]:
    """Yield the rows that stand on no branch. One that is older than the active branch may have been its beginning."""
    for row in lost:
        yield SkippedRow(active.name, None if active.before(row) else 0, UNPLACED)


def _unread(numbers: Sequence[int], rows: ReadRows, layouts: Sequence[BranchLayout]) -> Iterator[SkippedRow]:
    """Yield the rows that could not be read, each once: where it stands in the first of the branches that have it."""
    if not rows.failures:
        return
    standing: dict[int, tuple[str, int]] = {}
    positions: dict[tuple[str, int], int] = {}
    for layout in layouts:
        for position, number in zip(layout.positions, layout.rows, strict=True):
            standing.setdefault(number, (layout.name, position))
            positions[layout.name, number] = position
    for index, reason in rows.failures.items():
        branch, position = standing[numbers[index]]
        orphans = (positions.get((branch, numbers[orphan])) for orphan in rows.orphans.get(index, ()))
        yield SkippedRow(branch, position, reason, tuple(one for one in orphans if one is not None))
