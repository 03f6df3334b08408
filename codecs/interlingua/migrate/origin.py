"""Where the values of a downgraded document came from, so that a loss found two steps down still names its source."""

from __future__ import annotations

from typing import Final

from interlingua.loss import pointer


class Origin:
    """The places of one document's members in the list that the caller gave.

    A member that is not named otherwise stands where it stood: below `base`. Lists may name the place of each item,
    since parts move when one of them finds no place.
    """

    __slots__ = ("base", "items", "members")

    def __init__(self, base: str) -> None:
        self.base: Final = base
        self.members: Final[dict[str, str]] = {}
        self.items: Final[dict[str, list[str]]] = {}

    def of(self, member: str) -> str:
        """Return the JSON Pointer of a member's source."""
        return self.members.get(member) or self.base + pointer(member)

    def inside(self, member: str, name: str) -> str:
        """Return the JSON Pointer of the source of one member of a member."""
        return self.members.get(member + pointer(name)) or self.of(member) + pointer(name)

    def item(self, member: str, index: int) -> str:
        """Return the JSON Pointer of the source of a list's item."""
        places = self.items.get(member)
        return f"{self.of(member)}/{index}" if places is None else places[index]

    def adopt(self, other: Origin, member: str) -> None:
        """Take over where a member came from, when another document folds into this one."""
        self.members[member] = other.of(member)
        if member in other.items:
            self.items[member] = [*self.items.get(member, ()), *other.items[member]]
