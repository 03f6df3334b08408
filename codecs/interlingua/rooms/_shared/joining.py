"""The frames of a stream put together to the answer that it is without a stream: each member joins by what it is.

A room says in a table which members grow, and how; every other member is as it was last said. A value that is not of
the kind that a table expects is no piece: it counts as said, and yields to what grows.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
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


How: TypeAlias = "Callable[[], Growing]"
# How members join, by their names.
Table: TypeAlias = "Mapping[str, How]"


class Pieces:
    """What comes in pieces of one type, which are joined once."""

    __slots__ = ("_join", "_kind", "_pieces")

    def __init__(self, kind: type, join: Callable[[list[Any]], Any]) -> None:
        self._kind = kind
        self._join = join
        self._pieces: list[Any] = []

    def take(self, value: Any) -> bool:
        """Take a piece."""
        if type(value) is not self._kind:
            return False
        self._pieces.append(value)
        return True

    def made(self) -> Any:
        """Return the whole."""
        return self._join(self._pieces)


class Said:
    """What several frames say: `choose` tells which value counts, that so far or the next; `nulls`: a null is one."""

    __slots__ = ("_choose", "_nulls", "_value")

    def __init__(self, choose: Callable[[Any, Any], Any], first: Any = None, *, nulls: bool = True) -> None:
        self._choose = choose
        self._value = first
        self._nulls = nulls

    def take(self, value: Any) -> bool:
        """Take a value."""
        self._value = self._choose(self._value, value)
        return self._nulls or value is not None

    def made(self) -> Any:
        """Return the value that counts."""
        return self._value


Text: Final[How] = partial(Pieces, str, "".join)
"""A text in pieces."""
Items: Final[How] = partial(Pieces, list, lambda lists: [*chain.from_iterable(lists)])
"""A list that comes in pieces."""
Last: Final[How] = partial(Said, lambda _, now: now)
"""What each frame says anew: the last value counts, a null too."""
First: Final[How] = partial(Said, lambda was, now: now if was is NOTHING else was, NOTHING)
"""What the first frame that has it says: the first value counts, whatever it is."""
FirstSaid: Final[How] = partial(Said, lambda was, now: was or now, nulls=False)
"""What is said once, and may be empty before: the first value that says something counts."""
LastSaid: Final[How] = partial(Said, lambda was, now: now or was, nulls=False)
"""What is empty until it is known: the last value that says something counts, else a null."""
LeftOut: Final[How] = partial(Said, lambda was, _: was, NOTHING)
"""What frames say and no whole answer does."""


class Members:
    """An object that grows member by member.

    `other` is how members join that the table does not name. Where it is None, they are as last said: a null takes
    nothing back, and `nulls` is whether it is kept where nothing else is said.
    """

    __slots__ = ("_grown", "_nulls", "_other", "_said", "_table")

    def __init__(self, table: Table, other: How | None = None, *, nulls: bool = True) -> None:
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
            known = self._grown.get(name)
            how = self._table.get(name, self._other) if known is None else None
            growing = known if how is None else how()
            if growing is not None and growing.take(one):
                if known is None:
                    self._grown[name] = growing
                    self._said.setdefault(name, NOTHING)
                continue
            if one is not None:
                self._said[name] = one
            elif self._nulls and self._said.get(name, NOTHING) is NOTHING:
                self._said[name] = None
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

    def __init__(self, new: How, number: Callable[[dict[str, Any], int], Any]) -> None:
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
