# Copied from schema/compiler/runtime/printing.py. Do not edit: edit that file and run `nox -s generate`.
"""How values are printed: tags, identifiers, numbers, lengths and counts, never content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeAlias, Union, cast, get_args, get_origin

from pydantic import BaseModel

Printer: TypeAlias = Callable[[Any], object]

_SHOWN_LENGTH: Final = 64


class _Shown(str):
    """Text that prints as it is, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def printer_of(annotation: Any, *, is_identifier: bool) -> Printer:
    """Return the printer of one member: its value for tags, numbers and identifiers, else its size."""
    is_shown = is_identifier or all(_is_closed(part) for part in _alternatives(annotation))
    return _shortened if is_shown else _size


def _alternatives(annotation: Any) -> list[Any]:
    """Return the types that an annotation allows, through aliases, unions and `Annotated`."""
    if hasattr(annotation, "__value__"):
        return _alternatives(annotation.__value__)
    origin = get_origin(annotation)
    if origin is Annotated:
        return _alternatives(get_args(annotation)[0])
    if origin in {Union, UnionType}:
        return [part for argument in get_args(annotation) for part in _alternatives(argument)]
    return [annotation]


def _is_closed(part: Any) -> bool:
    """Tell whether the values of a type are tags or numbers, and never content."""
    if get_origin(part) is Literal or part in {bool, int, float, NoneType}:
        return True
    return isinstance(part, type) and issubclass(part, Enum)


def _shortened(value: Any) -> object:
    """Return a tag, number or identifier, truncated if it is long."""
    value = value.value if isinstance(value, Enum) else value
    return value[:_SHOWN_LENGTH] + "..." if isinstance(value, str) and len(value) > _SHOWN_LENGTH else value


def _size(value: Any) -> object:
    """Return the size and the kinds of a value instead of the value."""
    if isinstance(value, BaseModel):
        return value
    if isinstance(value, str):
        return _Shown(f"<{len(value)} characters>")
    if isinstance(value, dict):
        return _Shown(f"<{len(cast('dict[str, Any]', value))} members>")
    if isinstance(value, (list, tuple)):
        return _listed(cast("tuple[Any, ...]", value))
    return _Shown(f"<{type(value).__name__}>")


def _listed(items: tuple[Any, ...]) -> object:
    """Return the number of items, and the kinds of those that have a tag."""
    kinds = {str(tag): None for item in items[:_SHOWN_LENGTH] if (tag := _tag_of(item)) is not None}
    return _Shown(f"<{len(items)} items{': ' + ', '.join(kinds) if kinds else ''}>")


def _tag_of(item: Any) -> object:
    """Return the constant that distinguishes the variants of a union, or None."""
    constants: Mapping[str, Any] = getattr(cast("object", item), "constant_members", {})
    return next((tag for tag in constants.values() if isinstance(tag, str)), None)
