"""Makes mutants of a body, each with one change, which a decoder must accept or refuse with a documented error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.json_types import is_list, is_object
from interlingua.pointers import pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["mutants"]

_OTHERS: Final[tuple[Any, ...]] = (None, True, 7, 0.5, "x_mutant", "", [], [None], {}, {"x_mutant": 1})
_GONE: Final = object()
Place: TypeAlias = "tuple[str | int, ...]"


def mutants(body: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each mutant with the path of its change: another value, a removed value, or a new member."""
    for value in _OTHERS:
        yield path, value
    for place in _places(body, ()):
        where = path + pointer(*place)
        if place:
            for value in (*_OTHERS, _GONE):
                yield where, _changed(body, place, value)
        if isinstance(_at(body, place), dict):
            yield f"{where}/x_mutant", _changed(body, (*place, "x_mutant"), {"y": [1, None]})


def _places(value: Any, place: Place) -> Iterator[Place]:
    yield place
    if is_object(value):
        for name, member in value.items():
            yield from _places(member, (*place, name))
    elif is_list(value):
        for index, item in enumerate(value):
            yield from _places(item, (*place, index))


def _at(value: Any, place: Place) -> Any:
    for step in place:
        value = value[step]
    return value


def _changed(value: Any, place: Place, new: Any) -> Any:
    """Return a copy of a value with another one at a place; everything off the path is shared."""
    changed: Any = dict(value) if is_object(value) else list(value)
    first, rest = place[0], place[1:]
    inner = _changed(changed[first], rest, new) if rest else new
    if inner is _GONE:
        del changed[first]
    else:
        changed[first] = inner
    return changed
