"""Entries that branches share: a message stands once, however many branches it is part of.

A branch is a list of places among the entries. Entries are only ever added at the end, so the places of a branch rise;
a fork begins with the places of its source. Nothing here is locked: the transcript that owns it is.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from interlingua.errors import TranscriptError
from interlingua.given import check_mapping
from interlingua.model import UnknownMessage
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from interlingua.model import AnyMessage


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where a branch comes from: its first `shared` messages are those of `source`, `own` the places of the rest."""

    name: str
    source: str | None
    shared: int
    own: tuple[int, ...]


class BranchTree:
    """The entries of a transcript, and its branches."""

    __slots__ = ("_branches", "_places", "_snapshots", "entries")

    def __init__(self, branch: str) -> None:
        self.entries: Final[list[AnyMessage]] = []
        self._branches: Final[dict[str, list[int]]] = {named(branch): []}
        self._places: Final[dict[str, int]] = {}
        self._snapshots: Final[dict[str, tuple[AnyMessage, ...]]] = {}

    @classmethod
    def of(cls, entries: Sequence[AnyMessage], branches: Mapping[str, Sequence[int]], active: str) -> BranchTree:
        """Return the tree of entries and branches that were stored.

        An id that stands twice means the first message of that id.

        Raises:
            TranscriptError: the active branch is none of them; a branch has places that are none, or that do not rise,
                or it does not begin as the branch does whose last message it shares; an entry is on no branch.
        """
        check_mapping(branches, "branches")
        if check_text(active, "branch", may_be_empty=True) not in branches:
            raise TranscriptError("unknown_branch", active)
        tree = cls(active)
        tree.entries.extend(entries)
        for place, message in enumerate(entries):
            if message_id := id_of(message):
                tree._places.setdefault(message_id, place)
        del tree._branches[active]
        for name, places in branches.items():
            if not _rises(places, len(entries)):
                raise TranscriptError("bad_branch", name)
            tree._branches[named(name)] = list(places)
        if sum(len(lineage.own) for lineage in tree.lineages()) != len(entries):
            raise TranscriptError("bad_branch", active)
        return tree

    @classmethod
    def _again(
        cls, entries: Iterable[AnyMessage], branches: Mapping[str, Sequence[int]], places: Mapping[str, int]
    ) -> BranchTree:
        """Return a tree of what another one holds."""
        tree = cls(next(iter(branches)))
        tree.entries.extend(entries)
        tree._branches.update({name: list(own) for name, own in branches.items()})
        tree._places.update(places)
        return tree

    def copy(self) -> BranchTree:
        """Return a tree of the same entries that changes on its own."""
        return self._again(self.entries, self._branches, self._places)

    def __reduce__(self) -> tuple[Callable[..., BranchTree], tuple[Any, ...]]:
        """Say how to make a copy in any protocol of pickle."""
        return self._again, (self.entries, self._branches, self._places)

    @property
    def names(self) -> tuple[str, ...]:
        """The branches, in the order in which they were made."""
        return tuple(self._branches)

    def messages(self, branch: str) -> tuple[AnyMessage, ...]:
        """Return the messages of a branch; the tuple is made once after each change."""
        found = self._snapshots.get(check_text(branch, "branch", may_be_empty=True))
        if found is None:
            found = tuple(map(self.entries.__getitem__, self._of(branch)))
            self._snapshots[branch] = found
        return found

    def at(self, branch: str, position: int) -> AnyMessage:
        """Return the message at a position of a branch."""
        return self.entries[self._of(branch)[position]]

    def length(self, branch: str) -> int:
        """Return how many messages a branch has."""
        return len(self._of(branch))

    def place(self, message_id: str) -> int | None:
        """Return the place of the message of that id among the entries."""
        return self._places.get(check_text(message_id, "the id of a message", may_be_empty=True))

    def position(self, branch: str, place: int) -> int | None:
        """Return where in a branch the entry of that place stands, or None."""
        places = self._of(branch)
        position = bisect_left(places, place)
        return position if position < len(places) and places[position] == place else None

    def begins_before(self, branch: str, shared: int, place: int) -> bool:
        """Tell whether the first `shared` messages of a branch stand before a place among the entries."""
        return not shared or self._of(branch)[shared - 1] < place

    def append(self, branch: str, message: AnyMessage) -> int:
        """Add a message at the end of a branch, and return its position there."""
        places = self._of(branch)
        places.append(len(self.entries))
        if message_id := id_of(message):
            self._places.setdefault(message_id, len(self.entries))
        self.entries.append(message)
        self._snapshots.pop(branch, None)
        return len(places) - 1

    def drop(self, branch: str, count: int) -> None:
        """Take away the last `count` entries, which have just been appended to that branch."""
        places = self._of(branch)
        for _ in range(count):
            message_id = id_of(self.entries.pop())
            if message_id and self._places[message_id] == len(self.entries):
                del self._places[message_id]
            places.pop()
        self._snapshots.pop(branch, None)

    def replace(self, place: int, message: AnyMessage) -> None:
        """Put another message in the place of an entry, in every branch that has it."""
        self.entries[place] = message
        self._snapshots.clear()

    def fork(self, name: str, source: str, shared: int) -> None:
        """Make a branch that begins with the first messages of another.

        Raises:
            TranscriptError: there is a branch of that name, or the name is empty.
        """
        if named(name) in self._branches:
            raise TranscriptError("duplicate_branch", name)
        self._branches[name] = self._of(source)[:shared]

    def lineages(self) -> list[Lineage]:
        """Return where each branch comes from; no entry is an own one of two.

        Raises:
            TranscriptError: a branch does not begin as the branch does whose last message it shares.
        """
        owners: dict[int, str] = {}
        found: list[Lineage] = []
        first = next(iter(self._branches))
        for name, places in self._branches.items():
            shared = next((at for at, place in enumerate(places) if place not in owners), len(places))
            source = None if name == first else owners[places[shared - 1]] if shared else first
            own = tuple(places[shared:])
            if not owners.keys().isdisjoint(own) or (source and self._branches[source][:shared] != places[:shared]):
                raise TranscriptError("bad_branch", name)
            owners.update(dict.fromkeys(own, name))
            found.append(Lineage(name, source, shared, own))
        return found

    def _of(self, branch: str) -> list[int]:
        """Return the places of a branch.

        Raises:
            TranscriptError: there is no such branch.
        """
        places = self._branches.get(check_text(branch, "branch", may_be_empty=True))
        if places is None:
            raise TranscriptError("unknown_branch", branch)
        return places


def id_of(message: AnyMessage) -> str | None:
    """Return the id of a message; an unknown one has the id that its document says."""
    found = message.document.get("id") if isinstance(message, UnknownMessage) else message.id
    return found if isinstance(found, str) and found else None


def named(name: object) -> str:
    """Return the name of a branch or the id of a message.

    Raises:
        TranscriptError: it is empty, or no text.
    """
    if not isinstance(name, str) or not name:
        raise TranscriptError("empty_name", "")
    return name


def _rises(places: Sequence[int], count: int) -> bool:
    """Tell whether places are among `count` entries, each beyond the one before."""
    before = -1
    for place in places:
        if not before < place < count:
            return False
        before = place
    return True
