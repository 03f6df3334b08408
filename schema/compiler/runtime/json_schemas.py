"""Checks whether a value is a JSON Schema, by the rules of the metaschema that it names, without following references.

The keywords of each draft are listed here with the shape that its metaschema demands, so that nothing has to be
installed or loaded for it. Source: https://json-schema.org/specification-links
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeGuard

from pydantic_core import SchemaError, SchemaValidator, core_schema

Shape: TypeAlias = Callable[[Any], Iterable[Any] | None]
"""Returns the schemas that the value of a keyword holds, or None where it has not the shape of the keyword."""

_DRAFT_4_ID: Final = "http://json-schema.org/draft-04/schema"
_NEWEST: Final = "https://json-schema.org/draft/2020-12/schema"
_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_ANCHOR: Final = re.compile(r"[A-Za-z_][-A-Za-z0-9._]*\Z")
_ANCHOR_2019: Final = re.compile(r"[A-Za-z][-A-Za-z0-9.:_]*\Z")
_IDENTIFIER: Final = re.compile(r"[^#]*#?\Z")


def broken_keyword(schema: Any) -> str | None:
    """Return the keyword whose value no schema may have, None for a schema; `$schema` names the draft, or the newest.

    The schema is plain JSON. A draft that is older than 4, or that nobody knows, is judged as the newest. What is no
    schema itself is told as the keyword that holds it, and the whole as `$schema`.
    """
    named = schema.get("$schema") if _is_object(schema) else None
    draft = named.removesuffix("#") if isinstance(named, str) else _NEWEST
    shapes = _DRAFTS.get(draft, _DRAFTS[_NEWEST])
    waiting: list[tuple[str, Any]] = [("$schema", schema)]
    while waiting:
        holder, value = waiting.pop()
        if isinstance(value, bool) and draft != _DRAFT_4_ID:
            continue
        if not _is_object(value):
            return holder
        for keyword, member in value.items():
            inner = shapes[keyword](member) if keyword in shapes else ()
            if inner is None:
                return keyword
            waiting += [(keyword, one) for one in inner]
        if draft == _DRAFT_4_ID and not _limits_are_given(value):
            return "exclusiveMinimum"
    return None


def _limits_are_given(schema: dict[str, Any]) -> bool:
    """Tell whether the limit exists that is marked as exclusive, as draft 4 does."""
    marks = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))
    return all(mark not in schema or limit in schema for mark, limit in marks)


def _accepted(holds: bool, *schemas: Any) -> Iterable[Any] | None:
    return schemas if holds else None


def _is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_unique(values: list[Any]) -> bool:
    """Tell whether no two values are equal, where true is not 1."""
    return len({json.dumps(value, sort_keys=True) for value in values}) == len(values)


def _is_pattern(value: Any) -> bool:
    """Tell whether Python or Rust accepts a pattern: JSON Schema has those of JavaScript, which few support in full."""
    if not isinstance(value, str):
        return False
    try:
        re.compile(value)
    except (re.error, OverflowError, RecursionError):
        return _is_rust_pattern(value)
    return True


def _is_rust_pattern(pattern: str) -> bool:
    try:
        SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except (SchemaError, UnicodeError):
        return False
    return True


def _text(value: Any) -> Iterable[Any] | None:
    return _accepted(isinstance(value, str))


def _pattern(value: Any) -> Iterable[Any] | None:
    return _accepted(_is_pattern(value))


def _flag(value: Any) -> Iterable[Any] | None:
    return _accepted(isinstance(value, bool))


def _number(value: Any) -> Iterable[Any] | None:
    return _accepted(_is_number(value))


def _positive(value: Any) -> Iterable[Any] | None:
    return _accepted(_is_number(value) and value > 0)


def _old_count(value: Any) -> Iterable[Any] | None:
    return _accepted(isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def _count(value: Any) -> Iterable[Any] | None:
    return _accepted(_is_number(value) and value >= 0 and value == value // 1)


def _schema(value: Any) -> Iterable[Any] | None:
    return (value,)


def _schema_or_flag(value: Any) -> Iterable[Any] | None:
    return () if isinstance(value, bool) else (value,)


def _schemas(value: Any) -> Iterable[Any] | None:
    return value if _is_list(value) and value else None


def _schema_or_schemas(value: Any) -> Iterable[Any] | None:
    return _schemas(value) if _is_list(value) else (value,)


def _named_schemas(value: Any) -> Iterable[Any] | None:
    return value.values() if _is_object(value) else None


def _schemas_by_pattern(value: Any) -> Iterable[Any] | None:
    if not _is_object(value) or not all(map(_is_pattern, value)):
        return None
    return value.values()


def _list(value: Any) -> Iterable[Any] | None:
    return _accepted(_is_list(value))


def _old_values(value: Any) -> Iterable[Any] | None:
    return _accepted(_is_list(value) and bool(value) and _is_unique(value))


def _names(value: Any) -> Iterable[Any] | None:
    if not _is_list(value):
        return None
    names = value
    return _accepted(all(isinstance(name, str) for name in names) and _is_unique(names))


def _some_names(value: Any) -> Iterable[Any] | None:
    return _names(value) if value else None


def _lists_of_names(value: Any) -> Iterable[Any] | None:
    return _accepted(_is_object(value) and all(_names(one) is not None for one in value.values()))


def _dependencies(value: Any) -> Iterable[Any] | None:
    if not _is_object(value):
        return None
    return _schemas_but(value.values(), _names)


def _some_dependencies(value: Any) -> Iterable[Any] | None:
    if not _is_object(value):
        return None
    return _schemas_but(value.values(), _some_names)


def _schemas_but(values: Iterable[Any], shape: Shape) -> list[Any] | None:
    """Return the values that are not lists, to be checked as schemas; None if a list does not have the given shape."""
    others: list[Any] = []
    for value in values:
        if not _is_list(value):
            others.append(value)
        elif shape(value) is None:
            return None
    return others


def _type(value: Any) -> Iterable[Any] | None:
    if isinstance(value, str):
        return _accepted(value in _TYPES)
    names = value if _is_list(value) else []
    return _accepted(bool(names) and all(isinstance(one, str) and one in _TYPES for one in names) and _is_unique(names))


def _identifier(value: Any) -> Iterable[Any] | None:
    return _accepted(isinstance(value, str) and _IDENTIFIER.match(value) is not None)


def _anchor(value: Any) -> Iterable[Any] | None:
    return _accepted(isinstance(value, str) and _ANCHOR.match(value) is not None)


def _anchor_2019(value: Any) -> Iterable[Any] | None:
    return _accepted(isinstance(value, str) and _ANCHOR_2019.match(value) is not None)


def _flags(value: Any) -> Iterable[Any] | None:
    return _accepted(_is_object(value) and all(isinstance(one, bool) for one in value.values()))


_DRAFT_4: Final[Mapping[str, Shape]] = MappingProxyType({
    **dict.fromkeys(("$schema", "id", "title", "description", "format"), _text),
    **dict.fromkeys(("uniqueItems", "exclusiveMinimum", "exclusiveMaximum"), _flag),
    **dict.fromkeys(("minimum", "maximum"), _number),
    **dict.fromkeys((
        "minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties",
    ), _old_count),
    **dict.fromkeys(("properties", "patternProperties", "definitions"), _named_schemas),
    **dict.fromkeys(("additionalProperties", "additionalItems"), _schema_or_flag),
    **dict.fromkeys(("allOf", "anyOf", "oneOf"), _schemas),
    "not": _schema,
    "items": _schema_or_schemas,
    "type": _type,
    "required": _some_names,
    "dependencies": _some_dependencies,
    "pattern": _pattern,
    "enum": _old_values,
    "multipleOf": _positive,
})  # fmt: skip
_DRAFT_6: Final[Mapping[str, Shape]] = MappingProxyType({
    **dict.fromkeys(("$id", "$schema", "$ref", "title", "description", "format"), _text),
    "uniqueItems": _flag,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _number),
    **dict.fromkeys((
        "minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties",
    ), _count),
    **dict.fromkeys(("properties", "definitions"), _named_schemas),
    **dict.fromkeys((
        "additionalProperties", "additionalItems", "contains", "propertyNames", "not",
    ), _schema),
    **dict.fromkeys(("allOf", "anyOf", "oneOf"), _schemas),
    **dict.fromkeys(("examples", "enum"), _list),
    "patternProperties": _schemas_by_pattern,
    "items": _schema_or_schemas,
    "type": _type,
    "required": _names,
    "dependencies": _dependencies,
    "pattern": _pattern,
    "multipleOf": _positive,
})  # fmt: skip
_DRAFT_7: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        **_DRAFT_6,
        **dict.fromkeys(("$comment", "contentMediaType", "contentEncoding"), _text),
        **dict.fromkeys(("if", "then", "else"), _schema),
        "readOnly": _flag,
    }
)
_DRAFT_2019: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        **_DRAFT_7,
        **dict.fromkeys(("deprecated", "writeOnly", "$recursiveAnchor"), _flag),
        **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties", "contentSchema"), _schema),
        **dict.fromkeys(("minContains", "maxContains"), _count),
        **dict.fromkeys(("$defs", "dependentSchemas"), _named_schemas),
        "$id": _identifier,
        "$anchor": _anchor_2019,
        "$recursiveRef": _text,
        "$vocabulary": _flags,
        "dependentRequired": _lists_of_names,
    }
)
_DRAFT_2020: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        **{keyword: shape for keyword, shape in _DRAFT_2019.items() if keyword != "additionalItems"},
        **dict.fromkeys(("$anchor", "$dynamicAnchor", "$recursiveAnchor"), _anchor),
        "$dynamicRef": _text,
        "prefixItems": _schemas,
        "items": _schema,
    }
)

_DRAFTS: Final[Mapping[str, Mapping[str, Shape]]] = MappingProxyType(
    {
        _DRAFT_4_ID: _DRAFT_4,
        "http://json-schema.org/draft-06/schema": _DRAFT_6,
        "http://json-schema.org/draft-07/schema": _DRAFT_7,
        "https://json-schema.org/draft/2019-09/schema": _DRAFT_2019,
        _NEWEST: _DRAFT_2020,
    }
)
