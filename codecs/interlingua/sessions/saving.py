"""Writes the changes of a transcript, or nothing if another writer has changed the session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.errors import SessionConflictError
from interlingua.sessions.bookmark import Bookmark, BranchMark
from interlingua.sessions.queries import branch_number, length_of, place_of, revision_of
from interlingua.sessions.writing import add_branch, add_message, set_active, update_message

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from interlingua.sessions.documents import Prepared
    from interlingua.transcript.change import Change

__all__ = ["Saving", "requires_rewrite"]


def requires_rewrite(changes: Sequence[Change], bookmark: Bookmark) -> bool:
    """Tell whether changes require that old rows are rewritten first.

    Appending does not. A replacement or a fork requires a row per message.
    """
    return bookmark.is_old and any(change.kind in {"replace", "fork"} for change in changes)


class Saving:
    """Applies the changes of one save, and keeps the bookmark up to date. The caller holds the transaction."""

    def __init__(self, connection: sqlite3.Connection, session_id: str, bookmark: Bookmark) -> None:
        self._connection: Final = connection
        self._session_id: Final = session_id
        self._bookmark: Final = bookmark
        self._checked: Final[set[str]] = set()
        self._copied: Final[set[str]] = set()
        self._revision = revision_of(connection, "sessions", bookmark.session) or 0

    def apply(self, changes: Sequence[Change], messages: Sequence[Prepared | None]) -> None:
        """Apply the changes.

        Raises:
            SessionConflictError: another writer has changed the session.
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
        self._check_length(change.branch, mark)
        if change.position != len(mark.rows):
            raise self._conflict(change.branch)
        number = add_message(self._connection, self._bookmark.session, mark.number, mark.length, message)
        if change.branch not in self._copied:
            mark = self._bookmark.branches[change.branch] = mark.copy()
            self._copied.add(change.branch)
        mark.rows.append(number)
        mark.length += 1

    def _replace(self, change: Change, message: Prepared) -> None:
        mark = self._mark(change.branch)
        if not 0 <= change.position < len(mark.rows):
            raise self._conflict(change.branch)
        number = mark.rows[change.position]
        revision = revision_of(self._connection, "messages", number)
        if revision is None:
            raise self._conflict(change.branch)
        if revision > self._bookmark.revision and self._bookmark.replaced.get(number) != revision:
            raise self._conflict(change.branch)
        self._revision += 1
        update_message(self._connection, number, message, self._revision)
        self._connection.execute(
            "UPDATE sessions SET revision = ? WHERE number = ?", (self._revision, self._bookmark.session)
        )
        self._bookmark.replaced[number] = self._revision

    def _fork(self, change: Change) -> None:
        source = self._mark(change.source or "")
        if change.position > len(source.rows) or self._has_branch(change.branch):
            raise self._conflict(change.branch)
        shared = self._rows_with(source, change.position, change.branch)
        number = add_branch(self._connection, self._bookmark.session, change.branch, source.number, shared)
        self._bookmark.branches[change.branch] = BranchMark(number, shared, source.rows[: change.position])
        self._checked.add(change.branch)

    def _switch(self, change: Change) -> None:
        self._mark(change.branch)
        set_active(self._connection, self._bookmark.session, change.branch)

    def _mark(self, branch: str) -> BranchMark:
        mark = self._bookmark.branches.get(branch)
        if mark is None:
            raise self._conflict(branch)
        return mark

    def _check_length(self, branch: str, mark: BranchMark) -> None:
        """Check, once per branch, that no other writer has appended to it.

        Raises:
            SessionConflictError: another writer has.
        """
        if branch not in self._checked:
            if length_of(self._connection, mark.number) != mark.length:
                raise self._conflict(branch)
            self._checked.add(branch)

    def _rows_with(self, source: BranchMark, shared: int, branch: str) -> int:
        """Return how many rows of a branch hold its first `shared` messages; unreadable rows keep their positions.

        Raises:
            SessionConflictError: the last of them is no longer there.
        """
        if shared == len(source.rows):
            return source.length
        if shared == 0:
            return 0
        position = place_of(self._connection, source.number, source.rows[shared - 1])
        if position is None:
            raise self._conflict(branch)
        return position + 1

    def _has_branch(self, branch: str) -> bool:
        return branch_number(self._connection, self._bookmark.session, branch) is not None

    def _conflict(self, branch: str) -> SessionConflictError:
        reason = "another writer has changed the session: load it again"
        return SessionConflictError(self._session_id, branch, reason)
