"""What a store remembers of a transcript that it loaded or saved: which of its rows each message came from.

The position of a message in a transcript is not always its position in the store: a row of an old version may have
become several messages, and a row that cannot be read none. The bookmark also tells whether somebody else has written
since.
"""

from __future__ import annotations

import threading
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from interlingua.transcript.transcript import Transcript

__all__ = ["Bookmark", "BranchMark", "bookmark_of", "remember"]


@dataclass(slots=True)
class BranchMark:
    """One branch: its row, how many messages it has in the store, and the row of each message of the transcript."""

    number: int
    length: int
    rows: array[int] = field(default_factory=lambda: array("q"))

    def copy(self) -> BranchMark:
        """Return a copy that can be changed by itself."""
        return BranchMark(self.number, self.length, self.rows[:])


@dataclass(slots=True)
class Bookmark:
    """One transcript in one store.

    `revision` is how many messages of the session had been replaced when it was read, `replaced` what this transcript
    has replaced itself since: the revision of each of those rows. `is_old` tells whether rows of an older version were
    among those read.
    """

    identity: str
    session: int
    generation: int
    revision: int
    branches: dict[str, BranchMark] = field(default_factory=dict[str, BranchMark])
    replaced: dict[int, int] = field(default_factory=dict[int, int])
    is_old: bool = False

    def copy(self) -> Bookmark:
        """Return a copy that can be changed by itself."""
        branches = {name: mark.copy() for name, mark in self.branches.items()}
        replaced = dict(self.replaced)
        return Bookmark(
            self.identity, self.session, self.generation, self.revision, branches, replaced, is_old=self.is_old
        )


_BOOKMARKS: Final[WeakKeyDictionary[Transcript, Bookmark]] = WeakKeyDictionary()
_LOCK: Final = threading.Lock()


def bookmark_of(transcript: Transcript, identity: str) -> Bookmark | None:
    """Return what the store of that identity remembers of a transcript."""
    with _LOCK:
        found = _BOOKMARKS.get(transcript)
    return found if found is not None and found.identity == identity else None


def remember(transcript: Transcript, bookmark: Bookmark) -> None:
    """Remember a transcript as long as it lives."""
    with _LOCK:
        _BOOKMARKS[transcript] = bookmark
