"""The frames of a stream put together to the answer that it is without a stream: each member joins by what it is.

A room says in a table which members grow, and how; every other member is as it was last said. A value that is not of
the kind that a table expects is no piece: it counts as said, and yields to what grows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


NOTHING: Final = object()  # what has no value


class Growing(Protocol):
    """What grows by pieces."""

    def take(self, value: Any, /) -> bool:
        """Take a piece, and tell whether it is one."""
        ...

    def made(self) -> Any:
        """Return the whole, or `NOTHING`."""


# How members join, by their names.
Table: TypeAlias = "Mapping[str, Callable[[], Growing]]"


class Text:
    """A text in pieces, which are joined once."""

    __slots__ = ("_pieces",)

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def take(self, value: Any) -> bool:
        """Take a piece."""
        if type(value) is not str:
            return False
        self._pieces.append(value)
        return True

    def made(self) -> str:
        """Return the whole text."""
        return "".join(self._pieces)


class Items:
    """A list that comes in pieces."""

    __slots__ = ("_items",)

    def __init__(self) -> None:
        self._items: list[Any] = []

    def take(self, value: Any) -> bool:
        """Take the next items."""
        if type(value) is not list:
            return False
        self._items += value
        return True

    def made(self) -> list[Any]:
        """Return the whole list."""
        return self._items


class Last:
    """What each frame says anew: the last value counts, a null too."""

    __slots__ = ("_value",)

    def __init__(self) -> None:
        self._value: Any = None

    def take(self, value: Any) -> bool:
        """Take a value."""
        self._value = value
        return True

    def made(self) -> Any:
        """Return what was said."""
        return self._value


class First(Last):
    """What the first frame that has it says: the first value counts, whatever it is."""

    __slots__ = ()

    def __init__(self) -> None:
        self._value = NOTHING

    def take(self, value: Any) -> bool:
        """Take a value."""
        return self._value is not NOTHING or super().take(value)


class FirstSaid(Last):
    """What is said once, and may be empty before: the first value that says something counts."""

    __slots__ = ()

    def take(self, value: Any) -> bool:
        """Take a value."""
        self._value = self._value or value
        return value is not None


class LastSaid(Last):
    """What is empty until it is known: the last value that says something counts, else a null."""

    __slots__ = ()

    def take(self, value: Any) -> bool:
        """Take a value."""
        self._value = value or self._value
        return value is not None


class LeftOut(First):
    """What frames say and no whole answer does."""

    __slots__ = ()

    def take(self, value: Any) -> bool:
        """Take what nobody is told."""
        del value
        return True


class Members:
    """An object that grows member by member.

    `other` is how members join that the table does not name. Where it is None, they are as last said: a null takes
    nothing back, and `nulls` is whether it is kept where nothing else is said.
    """

    __slots__ = ("_grown", "_nulls", "_other", "_said", "_table")

    def __init__(self, table: Table, other: Callable[[], Growing] | None = None, *, nulls: bool = True) -> None:
        self._table = table
        self._other = other
        self._nulls = nulls
        self._said: dict[str, Any] = {}
        self._grown: dict[str, Growing] = {}

    def take(self, value: Any) -> bool:
        """Take what a frame says of the object."""
        if type(value) is not dict:
            return False
        for name, one in value.items():
            how = self._table.get(name, self._other)
            if how is not None and self._grows(name, how, one):
                continue
            if one is not None:
                self._said[name] = one
            elif self._nulls and self._said.get(name, NOTHING) is NOTHING:
                self._said[name] = None
        return True

    def _grows(self, name: str, how: Callable[[], Growing], value: Any) -> bool:
        """Give a value to the member that grows by it, and tell whether it is a piece; the first one begins it."""
        known = self._grown.get(name)
        growing = how() if known is None else known
        if not growing.take(value):
            return False
        if known is None:
            self._grown[name] = growing
            self._said.setdefault(name, NOTHING)
        return True

    def made(self) -> dict[str, Any]:
        """Return the whole object."""
        out: dict[str, Any] = {}
        for name, said in self._said.items():
            whole = self._grown[name].made() if name in self._grown else NOTHING
            value = said if whole is NOTHING or (said and said is not NOTHING and whole == "") else whole
            if value is not NOTHING:
                out[name] = value
        return out


class Numbered:
    """The objects of a list that later lists go on with; `number` tells which one an object is, by its position too."""

    __slots__ = ("_new", "_number", "grown")

    def __init__(self, new: Callable[[], Growing], number: Callable[[dict[str, Any], int], Any]) -> None:
        self._new = new
        self._number = number
        self.grown: dict[Any, Growing] = {}

    def take(self, value: Any) -> bool:
        """Take the objects of the next list."""
        if type(value) is not list:
            return False
        for position, one in enumerate(value):
            if type(one) is dict:
                which = self._number(one, position)
                if which not in self.grown:
                    self.grown[which] = self._new()
                self.grown[which].take(one)
        return True

    def made(self) -> Any:
        """Return the whole list, in the order in which its objects began; `NOTHING` where none has."""
        return [growing.made() for growing in self.grown.values()] or NOTHING
