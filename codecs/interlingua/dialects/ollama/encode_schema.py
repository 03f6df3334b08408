"""What the server hears of the schema of a tool.

It reads a schema into an object with a handful of members and drops all other keywords without a word. They are written
all the same, since later servers may know them, and each is reported. What the server refuses is written otherwise.

Source: reference/wire/ollama.md section 1.2; https://github.com/ollama/ollama/blob/main/api/types.go
"""

# A schema is verbatim JSON; narrowing it to dict or list leaves its members unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.dialects.ollama.tables import PARAMETER_KEYWORDS, PROPERTY_KEYWORDS
from interlingua.loss import pointer

if TYPE_CHECKING:
    from interlingua.dialects._shared.target import Target


def heard_schema(schema: dict[str, Any], path: str, to: Target) -> dict[str, Any]:
    """Return the schema as the server takes it, and report what it does not hear."""
    heard = schema
    if schema.get("type") != "object":
        heard = {**schema, "type": "object"}
        if "type" in schema:
            to.log.changed("tool", f"{path}/type", "the arguments are an object")
        else:
            to.log.filled(f"{path}/type", "the arguments are an object")
    known = PARAMETER_KEYWORDS
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), schema)]
    while waiting:  # a schema may be nested more deeply than functions may call each other
        at, inner = waiting.pop()
        if type(inner) is not dict:
            to.log.changed("tool", path + pointer(*at), "a property that takes anything has an empty schema")
            heard = _replaced(heard, at, {})
            continue
        for name in inner:
            if name not in known:
                to.log.changed("tool", path + pointer(*at, name), "the server drops this keyword of a schema")
        known = PROPERTY_KEYWORDS
        properties = inner.get("properties")
        if type(properties) is dict:
            waiting.extend(((*at, "properties", name), one) for name, one in reversed(properties.items()))
        either = inner.get("anyOf")
        if at and type(either) is list:
            waiting.extend(((*at, "anyOf", place), one) for place, one in enumerate(either))
    return heard


def _replaced(schema: dict[str, Any], at: tuple[str | int, ...], new: Any) -> dict[str, Any]:
    """Return the schema with another value at a place; the given one is not changed."""
    first = dict(schema)
    holder: Any = first
    for token in at[:-1]:
        holder[token] = dict(holder[token]) if type(holder[token]) is dict else list(holder[token])
        holder = holder[token]
    holder[at[-1]] = new
    return first
