"""Bookmarks: what a store remembers about a transcript that it loaded or saved.

A bookmark maps each message to its row in the store. The position of a message in a transcript is not always its
position in the store: a row of an older version may have become several messages, and an unreadable row has become
none. A bookmark also shows whether another writer has changed the session since.
"""

from __future__ import annotations

import threading
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from interlingua.transcript.transcript import Transcript

__all__ = ["Bookmark", "BranchMark", "bookmark_of", "set_bookmark"]


@dataclass(slots=True)
class BranchMark:
    """One branch: its row, how many messages it has in the store, and the row of each message of the transcript."""

    number: int
    length: int
    rows: array[int] = field(default_factory=lambda: array("q"))

    def copy(self) -> BranchMark:
        """Return an independent copy."""
        return BranchMark(self.number, self.length, self.rows[:])


@dataclass(slots=True)
class Bookmark:
    """The bookmark of one transcript in one store.

    `revision` is the session's revision when it was read: the number of messages replaced so far. `replaced` maps each
    row that this transcript has replaced since to the row's new revision. `is_old` says whether rows of an older
    version were read.
    """

    identity: str
    session: int
    generation: int
    revision: int
    branches: dict[str, BranchMark] = field(default_factory=dict[str, BranchMark])
    replaced: dict[int, int] = field(default_factory=dict[int, int])
    is_old: bool = False

    def copy(self) -> Bookmark:
        """Return a copy with the same marks of branches: copy a mark before it changes, and only that one."""
        branches, replaced = dict(self.branches), dict(self.replaced)
        return Bookmark(
            self.identity, self.session, self.generation, self.revision, branches, replaced, is_old=self.is_old
        )


_BOOKMARKS: Final[WeakKeyDictionary[Transcript, Bookmark]] = WeakKeyDictionary()
_LOCK: Final = threading.Lock()


def bookmark_of(transcript: Transcript, identity: str) -> Bookmark | None:
    """Return the bookmark of a transcript for the store with that identity."""
    with _LOCK:
        found = _BOOKMARKS.get(transcript)
    return found if found is not None and found.identity == identity else None


def set_bookmark(transcript: Transcript, bookmark: Bookmark) -> None:
    """Remember a transcript's bookmark for as long as the transcript exists."""
    with _LOCK:
        _BOOKMARKS[transcript] = bookmark
