"""Converts schemas to type expressions, which the generators for all languages use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from sources import Document, is_json_object

_TEXT_LIMITS: Final = ("minLength", "maxLength", "pattern")
_NUMBER_LIMITS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_LIMITS: Final = {
    "string": _TEXT_LIMITS,
    "integer": _NUMBER_LIMITS,
    "number": _NUMBER_LIMITS,
    "array": ("minItems", "maxItems"),
}

Limits: TypeAlias = tuple[tuple[str, str | int | float], ...]


@dataclass(frozen=True)
class Named:
    """Another class of the bundle."""

    name: str


@dataclass(frozen=True)
class Scalar:
    """A scalar: string, integer, number, boolean or null."""

    kind: str
    limits: Limits = ()


@dataclass(frozen=True)
class Words:
    """One of several constants."""

    values: tuple[str | int | bool, ...]


@dataclass(frozen=True)
class Sequence:
    """An array, each of whose items is of one type."""

    item: Type
    limits: Limits = ()


@dataclass(frozen=True)
class Map:
    """An object with any names, each of whose values is of one type."""

    value: Type


@dataclass(frozen=True)
class Anything:
    """Any JSON value."""


@dataclass(frozen=True)
class Choice:
    """One of several types."""

    options: tuple[Type, ...]


Type: TypeAlias = Named | Scalar | Words | Sequence | Map | Anything | Choice


@dataclass(frozen=True)
class Member:
    """A member of an object."""

    name: str
    type: Type
    is_required: bool
    description: str


def type_of(schema: Document) -> Type:
    """Return the type that a schema inside a bundle describes."""
    if "$ref" in schema:
        return Named(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return Words((schema["const"],))
    if "enum" in schema:
        return Words(tuple(schema["enum"]))
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        return _choice([type_of(option) for option in options])
    if "type" not in schema:
        return Anything()
    types: list[str] = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    # JSON Schema's `number` includes integers; naming both only says that the form is kept.
    kinds = [kind for kind in types if not (kind == "integer" and "number" in types)]
    return _choice([_of_kind(kind, schema) for kind in kinds])


def members_of(definition: Document) -> tuple[Member, ...]:
    """Return the members of an object in the order of the file."""
    required = definition.get("required", ())
    return tuple(
        Member(name, type_of(schema), name in required, schema["description"])
        for name, schema in definition["properties"].items()
    )


def is_object(definition: Document) -> bool:
    """Tell whether a definition is an object with members: a class, and not an alias."""
    return "properties" in definition


def _choice(options: list[Type]) -> Type:
    """Return the union of some types, or the only one."""
    return options[0] if len(options) == 1 else Choice(tuple(options))


def _of_kind(kind: str, schema: Document) -> Type:
    """Return the type of one JSON kind."""
    limits = tuple((name, schema[name]) for name in _LIMITS.get(kind, ()) if name in schema)
    if kind == "array":
        return Sequence(type_of(schema.get("items", {})), limits)
    if kind == "object":
        values = schema.get("additionalProperties")
        return Map(type_of(values) if is_json_object(values) else Anything())
    return Scalar(kind, limits)
