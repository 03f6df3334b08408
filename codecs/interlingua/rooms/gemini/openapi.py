"""Conversion between JSON Schema and the OpenAPI style of `parameters` and `responseSchema`.

OpenAPI writes types in upper case, and `nullable` where JSON Schema has a second type. Only a schema whose types are
all in upper case is converted, and only in schema positions, never in examples or enumerations. Members keep their
order. Source: docs/wire/gemini.md, section 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable

_TYPES: Final = frozenset({"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"})
_WORDS: Final = frozenset(word.lower() for word in _TYPES)
_NULL: Final = "null"
_OF_ONE: Final = frozenset({"items", "additionalProperties", "additional_properties"})
_OF_MANY: Final = frozenset({"anyOf", "any_of"})
_BY_NAME: Final = frozenset({"properties", "defs"})
# Deeper than any schema that a provider accepts; a deeper one is not converted.
_MAX_SCHEMA_DEPTH: Final = 64


class _OtherStyleError(Exception):
    """The schema is not in OpenAPI style throughout, or nested too deep."""


def to_json_schema(schema: dict[str, Any]) -> dict[str, Any] | None:
    """Return an OpenAPI-style schema as JSON Schema, or None if it has another style, or no types."""
    try:
        walked = _walked(schema, _lower, 0)
    except _OtherStyleError:
        return None
    return None if walked == schema else walked


def to_openapi(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON Schema with its types in OpenAPI style; what OpenAPI cannot express stays as it is."""
    try:
        return _walked(schema, _upper, 0)
    except _OtherStyleError:
        return schema


def _walked(schema: dict[str, Any], retyped: Callable[[dict[str, Any]], Any], depth: int) -> dict[str, Any]:
    if depth > _MAX_SCHEMA_DEPTH:
        raise _OtherStyleError
    out: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "type":
            out[key] = retyped(schema)
        elif key in _OF_ONE and type(value) is dict:
            out[key] = _walked(cast("dict[str, Any]", value), retyped, depth + 1)
        elif key in _OF_MANY and type(value) is list:
            out[key] = [_inner(one, retyped, depth) for one in value]
        elif key in _BY_NAME and type(value) is dict:
            members = cast("dict[str, Any]", value)
            out[key] = {name: _inner(one, retyped, depth) for name, one in members.items()}
        else:
            out[key] = value
    return out


def _inner(schema: Any, retyped: Callable[[dict[str, Any]], Any], depth: int) -> Any:
    return _walked(cast("dict[str, Any]", schema), retyped, depth + 1) if type(schema) is dict else schema


def _lower(schema: dict[str, Any]) -> Any:
    word = schema["type"]
    if type(word) is not str or word not in _TYPES:
        raise _OtherStyleError
    word = word.lower()
    return [word, _NULL] if schema.get("nullable") is True and word != _NULL else word


def _upper(schema: dict[str, Any]) -> Any:
    word: Any = schema["type"]
    if schema.get("nullable") is True and type(word) is list and len(word) == 2 and word[1] == _NULL:
        word = word[0]
    if type(word) is str:
        return word.upper() if word in _WORDS else word
    return word
