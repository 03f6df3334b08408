"""Tracks the source paths of a downgraded document's values, so that losses of later steps refer to the source."""

from __future__ import annotations

from typing import Final

from interlingua.pointers import pointer


class Origin:
    """The source paths of one document's members in the caller's list.

    By default a member's source is below `base`. Lists may have a path for each item, since parts move when one of them
    is lost.
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
        """Return the JSON Pointers of a member's sources, or of a member inside it: several if messages were merged."""
        if name is None:
            return [self.of(member), *self.repeats.get(member, ())]
        key = member + pointer(name)
        return [self.members.get(key) or self.of(member) + pointer(name), *self.repeats.get(key, ())]

    def repeat(self, key: str, place: str) -> None:
        """Record that a merged message had the same value; its path is reported with the first one's."""
        self.repeats.setdefault(key, []).append(place)

    def item(self, member: str, index: int) -> str:
        """Return the JSON Pointer of the source of a list's item."""
        places = self.items.get(member)
        return f"{self.of(member)}/{index}" if places is None else places[index]

    def adopt(self, other: Origin, member: str) -> None:
        """Take over a member's source from a document that folds into this one."""
        self.members[member] = other.of(member)
        if member in other.items:
            self.items[member] = [*self.items.get(member, ()), *other.items[member]]
