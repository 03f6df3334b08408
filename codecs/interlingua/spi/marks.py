"""What tells a stored row of one dialect from those of all others, so that it can be read without being told."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Marks", "NestedCall"]

_NOTHING: Final[Mapping[Any, Any]] = MappingProxyType({})


class NestedCall(NamedTuple):
    """A call whose name and arguments stand under `member`.

    `arguments`: whether the arguments are an object, anything but an object, or not looked at. `type` is the type that
    such a call states; None where it may state any.

    Example:
        >>> il.spi.NestedCall("function", arguments="object").member
        'function'
    """

    member: str
    arguments: Literal["object", "other", "any"] = "any"
    type: str | None = None


class Marks(NamedTuple):
    """Shapes of a stored row that no schema version and no other dialect has.

    `parts`: types of parts. `part_members`: a type of part that version 2 has, too, and the object that it holds here.
    `items`: types of rows without a role, each with the members that must be texts; `listed_items` the same with the
    member that must be a list.
    `lists`: by role (None where a row has neither role nor type), the list that a row without content holds.
    `roles`: a role of its own, with the member that must be a text.
    `calls`: how an answer nests its calls; `call`: the member of an answer that is its one call.
    `results`: the member by which a result names its call or its tool, and whether the content must be a list.

    Example:
        >>> il.spi.Marks(roles={"host": "says"}).roles["host"]
        'says'
    """

    parts: frozenset[str] = frozenset()
    part_members: Mapping[str, str] = _NOTHING
    items: Mapping[str, tuple[str, ...]] = _NOTHING
    listed_items: Mapping[str, str] = _NOTHING
    lists: Mapping[str | None, str] = _NOTHING
    roles: Mapping[str, str] = _NOTHING
    calls: tuple[NestedCall, ...] = ()
    call: str | None = None
    results: Mapping[str, Literal["any", "list"]] = _NOTHING
