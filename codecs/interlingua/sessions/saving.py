"""Writing what a transcript has changed, or nothing where somebody else was there first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.errors import SessionConflictError
from interlingua.sessions.bookmark import Bookmark, BranchMark
from interlingua.sessions.queries import length_of
from interlingua.sessions.writing import add_branch, add_message, put_message, set_active

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from interlingua.sessions.documents import Prepared
    from interlingua.transcript.change import Change

__all__ = ["Saving", "touches_old_rows"]


def touches_old_rows(changes: Sequence[Change], bookmark: Bookmark) -> bool:
    """Tell whether changes reach into rows of an older version: those must be written anew first.

    Appending does not. A replacement or a fork needs a row for each message.
    """
    return bookmark.is_old and any(change.kind in {"replace", "fork"} for change in changes)


class Saving:
    """Carries out the changes of one save, and keeps the bookmark up to date. The caller holds the transaction."""

    def __init__(self, connection: sqlite3.Connection, session_id: str, bookmark: Bookmark) -> None:
        self._connection: Final = connection
        self._session_id: Final = session_id
        self._bookmark: Final = bookmark
        self._compared: Final[set[str]] = set()
        (self._revision,) = connection.execute(
            "SELECT revision FROM sessions WHERE number = ?", (bookmark.session,)
        ).fetchone()

    def apply(self, changes: Sequence[Change], messages: Sequence[Prepared | None]) -> None:
        """Carry out the changes.

        Raises:
            SessionConflictError: the session is not where the transcript takes it to be.
        """
        for change, message in zip(changes, messages, strict=True):
            if change.kind == "append" and message is not None:
                self._append(change, message)
            elif change.kind == "replace" and message is not None:
                self._replace(change, message)
            elif change.kind == "fork":
                self._fork(change)
            else:
                self._switch(change)

    def _append(self, change: Change, message: Prepared) -> None:
        mark = self._mark(change.branch)
        self._compare(change.branch, mark)
        if change.position != len(mark.rows):
            raise self._conflict(change.branch)
        number = add_message(self._connection, self._bookmark.session, mark.number, mark.length, message)
        mark.rows.append(number)
        mark.length += 1

    def _replace(self, change: Change, message: Prepared) -> None:
        mark = self._mark(change.branch)
        if not 0 <= change.position < len(mark.rows):
            raise self._conflict(change.branch)
        number = mark.rows[change.position]
        found = self._connection.execute("SELECT revision FROM messages WHERE number = ?", (number,)).fetchone()
        if found is None:
            raise self._conflict(change.branch)
        (revision,) = found
        if revision > self._bookmark.revision and self._bookmark.replaced.get(number) != revision:
            raise self._conflict(change.branch)
        self._revision += 1
        put_message(self._connection, number, message, self._revision)
        self._connection.execute(
            "UPDATE sessions SET revision = ? WHERE number = ?", (self._revision, self._bookmark.session)
        )
        self._bookmark.replaced[number] = self._revision

    def _fork(self, change: Change) -> None:
        source = self._mark(change.source or "")
        if change.position > len(source.rows) or self._number(change.branch) is not None:
            raise self._conflict(change.branch)
        shared = self._length_with(source, change.position)
        number = add_branch(self._connection, self._bookmark.session, change.branch, source.number, shared)
        self._bookmark.branches[change.branch] = BranchMark(number, shared, source.rows[: change.position])
        self._compared.add(change.branch)

    def _switch(self, change: Change) -> None:
        self._mark(change.branch)
        set_active(self._connection, self._bookmark.session, change.branch)

    def _mark(self, branch: str) -> BranchMark:
        mark = self._bookmark.branches.get(branch)
        if mark is None:
            raise self._conflict(branch)
        return mark

    def _compare(self, branch: str, mark: BranchMark) -> None:
        """Make sure, once a branch, that nobody has appended to it.

        Raises:
            SessionConflictError: somebody has.
        """
        if branch not in self._compared:
            if length_of(self._connection, mark.number) != mark.length:
                raise self._conflict(branch)
            self._compared.add(branch)

    def _length_with(self, source: BranchMark, shared: int) -> int:
        """Return how many rows of a branch make its first messages; rows that cannot be read stay where they are."""
        if shared == len(source.rows):
            return source.length
        if shared == 0:
            return 0
        (position,) = self._connection.execute(
            "SELECT position FROM places WHERE branch = ? AND message = ?", (source.number, source.rows[shared - 1])
        ).fetchone()
        return int(position) + 1

    def _number(self, branch: str) -> int | None:
        found = self._connection.execute(
            "SELECT number FROM branches WHERE session = ? AND name = ?", (self._bookmark.session, branch)
        ).fetchone()
        return None if found is None else int(found[0])

    def _conflict(self, branch: str) -> SessionConflictError:
        reason = "the session has been written to by somebody else; load it anew"
        return SessionConflictError(self._session_id, branch, reason)
