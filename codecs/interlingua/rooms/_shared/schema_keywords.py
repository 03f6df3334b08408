"""Check the values of JSON Schema keywords, and translate type names of other languages.

Providers refuse a tool whose schema is invalid ("'str' is not valid under any of the given schemas", "It must match
JSON Schema draft 2020-12"); hand-written tools, and some MCP servers, have such schemas. Source: section 4 of
docs/wire/openai_chat.md and docs/wire/claude.md; https://json-schema.org/draft/2020-12/meta/validation
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TYPES: Final = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
# Type names of Python, TypeScript and databases, in lower case.
_OTHER_WORDS: Final[Mapping[str, str]] = MappingProxyType({
    **{word: word for word in _TYPES},
    "str": "string", "text": "string", "int": "integer", "long": "integer", "float": "number", "double": "number",
    "decimal": "number", "bool": "boolean", "dict": "object", "map": "object", "list": "array", "tuple": "array",
    "set": "array", "none": "null", "nonetype": "null",
})  # fmt: skip
COUNTS: Final = frozenset({
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"
})  # fmt: skip
# More digits than any count has.
_MAX_DIGITS: Final = 15


def types_in_words_of_json(kind: Any) -> Any:
    """Return a type, or a list of types, by their names in JSON Schema; the same object if nothing changes."""
    if type(kind) is str:
        return kind if kind in _TYPES else _OTHER_WORDS.get(kind.lower(), kind)
    if type(kind) is not list:
        return kind
    words: list[Any] = [types_in_words_of_json(one) if type(one) is str else one for one in kind]
    return kind if words == kind else list(dict.fromkeys(words)) if all(type(one) is str for one in words) else words


def number_of(text: Any) -> int | None:
    """Return a count that is given as text, as Google's libraries write 64-bit numbers; None for anything else."""
    is_count = type(text) is str and len(text) <= _MAX_DIGITS and text.isascii() and text.isdecimal()
    return int(text) if is_count else None


def misformed(schema: dict[str, Any]) -> list[str]:
    """Return the keywords of one schema, without nested ones, that have invalid values."""
    found: list[str] = []
    for name, value in schema.items():
        if name in _FORMS:
            kinds, fits = _FORMS[name]
            if type(value) not in kinds or (fits is not None and not fits(value)):
                found.append(name)
    return found


def _names_types(value: str | list[Any]) -> bool:
    if type(value) is str:
        return value in _TYPES
    return bool(value) and all(type(one) is str and one in _TYPES for one in value)


def _is_positive(value: float) -> bool:
    return value > 0


def _is_count(value: float) -> bool:
    return (type(value) is int or float(value).is_integer()) and value >= 0


def _are_texts(values: list[Any]) -> bool:
    return all(type(one) is str for one in values)


# Keyword -> the types of its value, and a further check.
_FORMS: Final[Mapping[str, tuple[tuple[type, ...], Callable[[Any], bool] | None]]] = MappingProxyType({
    "type": ((str, list), _names_types),
    **dict.fromkeys(("title", "description", "format", "pattern", "$ref", "$schema", "$comment"), ((str,), None)),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), ((bool,), None)),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), ((int, float), None)),
    "multipleOf": ((int, float), _is_positive),
    **dict.fromkeys(COUNTS, ((int, float), _is_count)),
    **dict.fromkeys(("enum", "examples"), ((list,), None)),
    **dict.fromkeys(("anyOf", "allOf", "oneOf", "prefixItems"), ((list,), bool)),
    "required": ((list,), _are_texts),
    **dict.fromkeys(("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"), ((dict,), None)),
    **dict.fromkeys(("items", "additionalProperties", "not", "contains", "propertyNames"), ((dict, bool), None)),
})  # fmt: skip
