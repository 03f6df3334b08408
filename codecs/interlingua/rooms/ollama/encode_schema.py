"""What the server hears of the schema of a tool.

It reads a schema into an object with a handful of members and drops all other keywords without a word. They are written
all the same, since later servers may know them, and each is reported. What the server refuses is written otherwise.

Source: docs/wire/ollama.md, section 4; https://github.com/ollama/ollama/blob/main/api/types.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.loss import pointer
from interlingua.rooms.ollama.tables import PARAMETER_KEYWORDS, PROPERTY_KEYWORDS

if TYPE_CHECKING:
    from interlingua.rooms._shared.writing import Target

_Place: TypeAlias = tuple[str | int, ...]

_DROPPED: Final = "the server drops this keyword of a schema"
_FLAT_KEYWORDS: Final = PROPERTY_KEYWORDS - {"properties", "anyOf"}


def readable_schema(schema: dict[str, Any], path: str, to: Target) -> dict[str, Any]:
    """Return the schema as the server takes it, and report what it does not hear."""
    heard = schema
    if schema.get("type") != "object":
        heard = {**schema, "type": "object"}
        if "type" in schema:
            to.log.changed("tool", f"{path}/type", "the arguments are an object")
        else:
            to.log.filled(f"{path}/type", "the arguments are an object")
    for name in schema:
        if name not in PARAMETER_KEYWORDS:
            to.log.changed("tool", path + pointer(name), _DROPPED)
    properties = schema.get("properties")
    return heard if type(properties) is not dict or _are_flat(properties) else _readable_properties(heard, path, to)


def _are_flat(properties: dict[str, Any]) -> bool:
    """Tell whether all properties are flat and heard whole, as those of most tools are: the walk would find nothing."""
    for one in properties.values():  # noqa: SIM110  # no generator for each tool
        if type(one) is not dict or not one.keys() <= _FLAT_KEYWORDS:
            return False
    return True


def _readable_properties(schema: dict[str, Any], path: str, to: Target) -> dict[str, Any]:
    """Return the schema with its properties, and what is in them, as the server takes them."""
    heard = schema
    waiting = _properties((), schema)
    while waiting:  # a schema may be nested more deeply than functions may call each other
        at, inner = waiting.pop()
        if type(inner) is not dict:
            to.log.changed("tool", path + pointer(*at), "a property that takes anything has an empty schema")
            heard = _replaced(heard, at, {})
            continue
        for name in inner:
            if name not in PROPERTY_KEYWORDS:
                to.log.changed("tool", path + pointer(*at, name), _DROPPED)
        waiting += _properties(at, inner)
        either = inner.get("anyOf")
        if type(either) is list:
            waiting.extend(((*at, "anyOf", place), one) for place, one in enumerate(either))
    return heard


def _properties(at: _Place, schema: dict[str, Any]) -> list[tuple[_Place, Any]]:
    """Return the properties of a schema, each with its place, the first one last."""
    properties = schema.get("properties")
    if type(properties) is not dict:
        return []
    return [((*at, "properties", name), one) for name, one in reversed(properties.items())]


def _replaced(schema: dict[str, Any], at: _Place, new: Any) -> dict[str, Any]:
    """Return the schema with another value at a place; the given one is not changed."""
    first = dict(schema)
    holder: Any = first
    for token in at[:-1]:
        holder[token] = dict(holder[token]) if type(holder[token]) is dict else list(holder[token])
        holder = holder[token]
    holder[at[-1]] = new
    return first
