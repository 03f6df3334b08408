"""The entries and branches of a transcript; each message is stored once, however many branches share it.

A branch is a list of indexes of entries. Entries are only appended, so the indexes of a branch increase; a fork begins
with the indexes of its source. There is no lock here: the owning transcript has one.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from interlingua.argument_checks import check_mapping
from interlingua.errors import TranscriptError
from interlingua.model import UnknownMessage
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from interlingua.model import AnyMessage


@dataclass(frozen=True, slots=True)
class Lineage:
    """The origin of a branch: its first `shared` messages are those of `source`, `own` are the indexes of the rest."""

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
        """Return the tree of stored entries and branches.

        A duplicate id refers to the first message with it.

        Raises:
            TranscriptError: the active branch does not exist; the indexes of a branch are invalid or not increasing, or
                it does not begin like the branch whose last message it shares; an entry is on no branch.
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
        """Rebuild a tree from its state."""
        tree = cls(next(iter(branches)))
        tree.entries.extend(entries)
        tree._branches.update({name: list(own) for name, own in branches.items()})
        tree._places.update(places)
        return tree

    def copy(self) -> BranchTree:
        """Return an independent tree of the same entries."""
        return self._again(self.entries, self._branches, self._places)

    def __reduce__(self) -> tuple[Callable[..., BranchTree], tuple[Any, ...]]:
        """Support all pickle protocols."""
        return self._again, (self.entries, self._branches, self._places)

    @property
    def names(self) -> tuple[str, ...]:
        """The branches, in the order in which they were made."""
        return tuple(self._branches)

    def messages(self, branch: str) -> tuple[AnyMessage, ...]:
        """Return the messages of a branch; the tuple is cached until the next change."""
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
        """Return the entry index of the message with that id."""
        return self._places.get(check_text(message_id, "the id of a message", may_be_empty=True))

    def position(self, branch: str, place: int) -> int | None:
        """Return the position in a branch of an entry, or None."""
        places = self._of(branch)
        position = bisect_left(places, place)
        return position if position < len(places) and places[position] == place else None

    def begins_before(self, branch: str, shared: int, place: int) -> bool:
        """Tell whether the first `shared` messages of a branch come before an entry index."""
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
        """Remove the last `count` entries, which were just appended to that branch."""
        places = self._of(branch)
        for _ in range(count):
            message_id = id_of(self.entries.pop())
            if message_id and self._places[message_id] == len(self.entries):
                del self._places[message_id]
            places.pop()
        self._snapshots.pop(branch, None)

    def replace(self, place: int, message: AnyMessage) -> None:
        """Replace the message of an entry, in every branch that has it."""
        self.entries[place] = message
        self._snapshots.clear()

    def fork(self, name: str, source: str, shared: int) -> None:
        """Create a branch that begins with the first messages of another.

        Raises:
            TranscriptError: there is a branch of that name, or the name is empty.
        """
        if named(name) in self._branches:
            raise TranscriptError("duplicate_branch", name)
        self._branches[name] = self._of(source)[:shared]

    def lineages(self) -> list[Lineage]:
        """Return the origin of each branch; each entry is owned by one branch.

        Raises:
            TranscriptError: a branch does not begin like the branch whose last message it shares.
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
        """Return the entry indexes of a branch.

        Raises:
            TranscriptError: there is no such branch.
        """
        places = self._branches.get(check_text(branch, "branch", may_be_empty=True))
        if places is None:
            raise TranscriptError("unknown_branch", branch)
        return places


def id_of(message: AnyMessage) -> str | None:
    """Return the id of a message; for an unknown one, that in its document."""
    found = message.document.get("id") if isinstance(message, UnknownMessage) else message.id
    return found if isinstance(found, str) and found else None


def named(name: object) -> str:
    """Return a branch name or message id after checking it.

    Raises:
        TranscriptError: it is empty, or not a string.
    """
    if not isinstance(name, str) or not name:
        raise TranscriptError("empty_name", "")
    return name


def _rises(places: Sequence[int], count: int) -> bool:
    """Tell whether indexes are increasing and below `count`."""
    before = -1
    for place in places:
        if not before < place < count:
            return False
        before = place
    return True
