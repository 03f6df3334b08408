"""Saves a transcript: its changes in one transaction, or all of it if the store does not know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlingua.clock import timestamp_text
from interlingua.errors import SessionConflictError, SessionNotFoundError
from interlingua.sessions.bookmark import Bookmark, BranchMark, bookmark_of, set_bookmark
from interlingua.sessions.documents import prepared, stored_metadata
from interlingua.sessions.old_rows import rewrite_old_rows
from interlingua.sessions.queries import branches_of, find_session, has_old_rows, length_of, places_of
from interlingua.sessions.results import Saved, redactions_of
from interlingua.sessions.saving import Saving, requires_rewrite
from interlingua.sessions.writing import add_session, touch, transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from interlingua.sessions.file import StoreFile
    from interlingua.sessions.queries import FoundSession
    from interlingua.sessions.redaction import Redact
    from interlingua.transcript.change import Change
    from interlingua.transcript.transcript import Transcript

__all__ = ["save_transcript"]

_CONFLICT = "another writer has changed the session: load it again"


def save_transcript(
    file: StoreFile, transcript: Transcript, *, redact: Redact | None, now: Callable[[], datetime]
) -> Saved:
    """Write the changes of a transcript, and mark it as saved.

    Raises:
        SessionConflictError: another writer has changed the session; nothing is written.
        SessionNotFoundError: the session has been deleted.
        EncodeError: a message cannot be written as JSON.
        SessionStoreError: or a subclass.
    """
    with file.queue() as connection:
        bookmark = bookmark_of(transcript, file.identity)
        is_known = _find(connection, transcript.id) is not None
        if bookmark is not None and not is_known:
            raise SessionNotFoundError(transcript.id, None, "the session has been deleted")
        count, changes = _changes(transcript, is_known=is_known)
        if is_known and not changes:
            return Saved(transcript.id, 0)
        messages = [None if change.message is None else prepared(change.message, redact) for change in changes]
        with transaction(connection):
            moment = timestamp_text(now)
            session = _find(connection, transcript.id)
            if (session is not None) != is_known:
                raise SessionConflictError(transcript.id, None, _CONFLICT)
            if session is None:
                metadata = stored_metadata(transcript.metadata, redact)
                name = transcript.branches[0]
                number, branch = add_session(connection, transcript.id, name, metadata, moment)
                bookmark = Bookmark(file.identity, number, 0, 0, {name: BranchMark(branch, 0)})
            else:
                bookmark = _current_bookmark(connection, session, bookmark, file.identity, changes)
                touch(connection, session.number, moment)
            Saving(connection, transcript.id, bookmark).apply(changes, messages)
        set_bookmark(transcript, bookmark)
        transcript.mark_saved(count)
    written = zip(changes, messages, strict=True)
    redactions = redactions_of((change.branch, change.position, message) for change, message in written)
    return Saved(transcript.id, len(changes), redactions)


def _changes(transcript: Transcript, *, is_known: bool) -> tuple[int, Sequence[Change]]:
    """Return the number of changes to save, and the changes to write for that.

    A session that this store does not have is written completely, even if another store has saved a part of it.
    """
    changes = transcript.changes
    if is_known:
        return len(changes), changes
    while True:
        all_changes = transcript.replay()
        if len(transcript.changes) == len(changes):
            return len(changes), all_changes
        changes = transcript.changes  # another thread has changed it meanwhile


def _current_bookmark(
    connection: sqlite3.Connection,
    session: FoundSession,
    bookmark: Bookmark | None,
    identity: str,
    changes: Sequence[Change],
) -> Bookmark:
    """Return the transcript's bookmark, as a copy that the save may update.

    Raises:
        SessionConflictError: another writer has changed the session.
    """
    if bookmark is None:
        return _assumed_bookmark(connection, session, identity)
    if (bookmark.session, bookmark.generation) != (session.number, session.generation):
        raise SessionConflictError(session.id, None, _CONFLICT)
    if requires_rewrite(changes, bookmark):
        return rewrite_old_rows(connection, session.id, bookmark)
    return bookmark.copy()


def _assumed_bookmark(connection: sqlite3.Connection, session: FoundSession, identity: str) -> Bookmark:
    """Return a bookmark for a transcript that this store has not seen: each message is assumed to be the row there.

    Raises:
        SessionConflictError: the session has rows of an older version, which may be several messages each.
    """
    if has_old_rows(connection, session.number):
        raise SessionConflictError(session.id, None, "the session has rows of an older version: load it first")
    bookmark = Bookmark(identity, session.number, session.generation, 0)
    for name, number in branches_of(connection, session.number):
        bookmark.branches[name] = BranchMark(number, length_of(connection, number))
        bookmark.branches[name].rows.extend(row for _, row in places_of(connection, number, 0))
    return bookmark


def _find(connection: sqlite3.Connection, session_id: str) -> FoundSession | None:
    try:
        return find_session(connection, session_id)
    except SessionNotFoundError:
        return None
