"""The request types of the official SDKs, made eager and, on request, closed.

The SDKs declare requests as TypedDicts with `Iterable[...]` members. Pydantic validates an iterable only when it is
read, ignores members that a TypedDict does not name, and its core panics on an iterable inside a recursive iterable
(pydantic_core 2.50.4). So the types are rebuilt with lists, and one call validates the whole body.
"""

from __future__ import annotations

import collections.abc
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, NotRequired, Required, Union, cast, get_args, get_origin

from pydantic import TypeAdapter
from typing_extensions import TypedDict, get_type_hints, is_typeddict

if TYPE_CHECKING:
    from collections.abc import Mapping

_LAZY = (collections.abc.Iterable, collections.abc.Sequence)


def request_adapter(kind: object, *, closed: bool = True) -> TypeAdapter[Any]:
    """Return an adapter that validates a whole request body.

    `kind` is the SDK's parameter type, such as `MessageCreateParamsNonStreaming`. With `closed`, a member that the SDK
    does not know is an error; free-form members of the SDK stay free.
    """
    return TypeAdapter(_eager(kind, {}, closed=closed))


def _eager(kind: Any, made: dict[object, object], *, closed: bool) -> Any:
    """Return the type with lists in place of iterables, at all levels."""
    if is_typeddict(kind):
        return made[kind] if kind in made else _eager_dict(kind, made, closed=closed)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return Annotated[_eager(arguments[0], made, closed=closed), *arguments[1:]]
    inner = [_eager(argument, made, closed=closed) for argument in arguments]
    if origin in (Union, UnionType):
        return cast("Any", Union)[tuple(inner)]
    if origin in _LAZY:
        return list.__class_getitem__(inner[0])
    if origin in (Required, NotRequired):
        return cast("Any", origin)[inner[0]]
    if origin in (list, dict) and inner:
        return cast("Any", origin)[tuple(inner)]
    return kind


def _required(hints: Mapping[str, object], declared: frozenset[str]) -> frozenset[str]:
    """Return the required members; `__required_keys__` is wrong for annotations that are strings."""
    said = {name: get_origin(hint) for name, hint in hints.items()}
    return frozenset(
        name for name, origin in said.items() if origin is Required or (name in declared and origin is not NotRequired)
    )


def _eager_dict(kind: Any, made: dict[object, object], *, closed: bool) -> object:
    """Return a rebuilt TypedDict; it is registered before its members are inspected, since they may refer to it."""
    hints: Mapping[str, object] = get_type_hints(kind, include_extras=True)
    required = _required(hints, kind.__required_keys__)
    blank = {name: Required[Any] if name in required else NotRequired[Any] for name in hints}
    config: dict[str, object] = {**getattr(kind, "__pydantic_config__", {}), "extra": "forbid" if closed else "ignore"}
    make: Any = TypedDict  # called as a function: the members are only known at run time
    rebuilt = make(kind.__name__, blank)
    rebuilt.__module__ = kind.__module__
    rebuilt.__pydantic_config__ = config
    made[kind] = rebuilt
    for name, hint in hints.items():
        bare = get_args(hint)[0] if get_origin(hint) in (Required, NotRequired) else hint
        member = _eager(bare, made, closed=closed)
        rebuilt.__annotations__[name] = Required[member] if name in required else NotRequired[member]
    return rebuilt
