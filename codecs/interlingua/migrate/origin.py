"""Where the values of a downgraded document came from, so that a loss found two steps down still names its source."""

from __future__ import annotations

from typing import Final

from interlingua.pointers import pointer


class Origin:
    """The places of one document's members in the list that the caller gave.

    A member that is not named otherwise stands where it stood: below `base`. Lists may name the place of each item,
    since parts move when one of them finds no place.
    """

    __slots__ = ("base", "items", "members", "repeats")

    def __init__(self, base: str) -> None:
        self.base: Final = base
        self.members: Final[dict[str, str]] = {}
        self.items: Final[dict[str, list[str]]] = {}
        self.repeats: Final[dict[str, list[str]]] = {}

    def of(self, member: str) -> str:
        """Return the JSON Pointer of a member's source."""
        return self.members.get(member) or self.base + pointer(member)

    def every(self, member: str, name: str | None = None) -> list[str]:
        """Return the JSON Pointers of a member's sources, or of one member inside it: several if messages agreed."""
        if name is None:
            return [self.of(member), *self.repeats.get(member, ())]
        key = member + pointer(name)
        return [self.members.get(key) or self.of(member) + pointer(name), *self.repeats.get(key, ())]

    def repeat(self, key: str, place: str) -> None:
        """Note that a message which folds into this one says the same; its place is reported with the first one's."""
        self.repeats.setdefault(key, []).append(place)

    def item(self, member: str, index: int) -> str:
        """Return the JSON Pointer of the source of a list's item."""
        places = self.items.get(member)
        return f"{self.of(member)}/{index}" if places is None else places[index]

    def adopt(self, other: Origin, member: str) -> None:
        """Take over where a member came from, when another document folds into this one."""
        self.members[member] = other.of(member)
        if member in other.items:
            self.items[member] = [*self.items.get(member, ()), *other.items[member]]
