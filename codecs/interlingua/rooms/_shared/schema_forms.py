"""Which values JSON Schema gives its keywords, and the words that other languages have for its types.

Providers refuse a tool whose schema is no JSON Schema ("'str' is not valid under any of the given schemas", "It must
match JSON Schema draft 2020-12"); tools made by hand, and some servers of MCP, have such. Source: section 4 of
docs/wire/openai_chat.md and docs/wire/claude.md; https://json-schema.org/draft/2020-12/meta/validation
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TYPES: Final = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
# What Python, TypeScript and databases call them, in lower case.
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
    """Return a type, or a list of types, in the words of JSON Schema: the very value where it has no other word."""
    if type(kind) is str:
        return kind if kind in _TYPES else _OTHER_WORDS.get(kind.lower(), kind)
    if type(kind) is not list:
        return kind
    words: list[Any] = [types_in_words_of_json(one) if type(one) is str else one for one in kind]
    return kind if words == kind else list(dict.fromkeys(words)) if all(type(one) is str for one in words) else words


def number_of(text: Any) -> int | None:
    """Return the count that a text says: Google's libraries write 64-bit numbers so."""
    is_count = type(text) is str and len(text) <= _MAX_DIGITS and text.isascii() and text.isdecimal()
    return int(text) if is_count else None


def misformed(schema: dict[str, Any]) -> list[str]:
    """Return the keywords of one schema, not of those in it, whose value is none that JSON Schema has there."""
    return [name for name, value in schema.items() if name in _FORMS and not _FORMS[name](value)]


def _is_type(value: Any) -> bool:
    if type(value) is list:
        return bool(value) and all(type(one) is str and one in _TYPES for one in value)
    return type(value) is str and value in _TYPES


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_flag(value: Any) -> bool:
    return type(value) is bool


def _is_number(value: Any) -> bool:
    return type(value) is int or type(value) is float


def _is_factor(value: Any) -> bool:
    return _is_number(value) and value > 0


def _is_count(value: Any) -> bool:
    return (type(value) is int or (type(value) is float and value.is_integer())) and value >= 0


def _is_list(value: Any) -> bool:
    return type(value) is list


def _is_full_list(value: Any) -> bool:
    return type(value) is list and bool(value)


def _is_list_of_texts(value: Any) -> bool:
    return type(value) is list and all(type(one) is str for one in value)


def _is_map(value: Any) -> bool:
    return type(value) is dict


def _is_schema(value: Any) -> bool:
    return type(value) is dict or type(value) is bool


_FORMS: Final[Mapping[str, Callable[[Any], bool]]] = MappingProxyType({
    "type": _is_type,
    **dict.fromkeys(("title", "description", "format", "pattern", "$ref", "$schema", "$comment"), _is_text),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _is_flag),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    "multipleOf": _is_factor,
    **dict.fromkeys(COUNTS, _is_count),
    **dict.fromkeys(("enum", "examples"), _is_list),
    **dict.fromkeys(("anyOf", "allOf", "oneOf", "prefixItems"), _is_full_list),
    "required": _is_list_of_texts,
    **dict.fromkeys(("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"), _is_map),
    **dict.fromkeys(("items", "additionalProperties", "not", "contains", "propertyNames"), _is_schema),
})  # fmt: skip
