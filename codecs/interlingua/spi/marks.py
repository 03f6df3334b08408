"""What distinguishes a dialect's stored rows, so that they can be read without naming the dialect."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Marks", "NestedCall"]

_NOTHING: Final[Mapping[Any, Any]] = MappingProxyType({})


class NestedCall(NamedTuple):
    """A call whose name and arguments are in the object `member`.

    `arguments`: whether the arguments must be an object, must not be one, or may be anything. `type`: the call's
    `type`; None for any.

    Example:
        >>> il.spi.NestedCall("function", arguments="object").member
        'function'
    """

    member: str
    arguments: Literal["object", "other", "any"] = "any"
    type: str | None = None


class Marks(NamedTuple):
    """Shapes of stored rows that no schema version and no other dialect has.

    `parts`: types of parts. `part_members`: a type of part that schema version 2 has, too, and the object member that
    it has here.
    `items`: types of rows without a role, each with the members that must be strings; `listed_items` the same with the
    member that must be a list.
    `lists`: by role (None for a row with neither role nor type), the list member of a row without content.
    `roles`: a role of its own, with the member that must be a string.
    `calls`: how an assistant message nests its calls; `call`: the member of an assistant message that is its only call.
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
