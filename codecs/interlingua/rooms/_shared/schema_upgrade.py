"""Convert schemas of OpenAPI, older drafts and Google's libraries to JSON Schema 2020-12, and find invalid keywords.

Source: section 4 of docs/wire/openai_chat.md and docs/wire/claude.md; https://json-schema.org/draft/2020-12/release-notes
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.pointers import pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.rooms._shared.schema_adaptation import Remarks

_OLDER: Final = frozenset({
    "nullable", "propertyOrdering", "property_ordering", "example", "additionalItems", "exclusiveMinimum",
    "exclusiveMaximum",
})  # fmt: skip
# Keywords in the spelling of google-genai.
_SNAKE: Final[Mapping[str, str]] = MappingProxyType({
    "any_of": "anyOf", "additional_properties": "additionalProperties", "min_items": "minItems",
    "max_items": "maxItems", "min_length": "minLength", "max_length": "maxLength",
    "min_properties": "minProperties", "max_properties": "maxProperties",
})  # fmt: skip
# Keywords whose value may be null.
_OF_VALUES: Final = frozenset({"default", "const", "example"})
_NULL: Final[dict[str, Any]] = {"type": "null"}


def modernize(one: dict[str, Any], where: str, remarks: Remarks, *, ordering: bool) -> None:
    """Convert one schema in place; `ordering`: `propertyOrdering` is kept."""
    if not _SNAKE.keys().isdisjoint(one):
        _write_in_camel_case(one, where, remarks)
    _mend_values(one, where, remarks)
    if _OLDER.isdisjoint(one):
        return
    if "nullable" in one:
        if one.pop("nullable") is True:
            accept_null(one)
        remarks.changed(where, "nullable is sent as the type null")
    for name in () if ordering else ("propertyOrdering", "property_ordering"):
        if name in one:
            _order(one, one.pop(name))
            remarks.changed(where, "propertyOrdering is sent as the order of properties")
    if "example" in one and "examples" not in one:
        one["examples"] = [one.pop("example")]
        remarks.changed(where, "example is sent as a list of examples")
    for name, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if type(one.get(name)) is bool:
            if one.pop(name) and limit in one:
                one[name] = one.pop(limit)
            remarks.changed(where, "an exclusive limit is sent as a number")


def _write_in_camel_case(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    for name in [name for name in one if name in _SNAKE and _SNAKE[name] not in one]:
        one[_SNAKE[name]] = one.pop(name)
        remarks.changed(f"{where}/{name}", "the keyword was renamed as in JSON Schema")


def _mend_values(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    """Convert current keywords with outdated or empty values."""
    for name in [name for name, value in one.items() if value is None and name not in _OF_VALUES]:
        del one[name]
        remarks.changed(f"{where}{pointer(name)}", "a keyword with the value null was left out: it has no effect")
    kind = one.get("type")
    if kind == "any":
        del one["type"]
        remarks.changed(f"{where}/type", "the type any was left out: a schema without a type accepts any type")
    if type(kind) is list and None in kind:
        one["type"] = kind = ["null" if each is None else each for each in kind]
        remarks.changed(f"{where}/type", 'null in a list of types was replaced by "null"')
    words = types_in_words_of_json(kind)
    if words is not kind:
        one["type"] = words
        remarks.changed(f"{where}/type", "the type was renamed as in JSON Schema")
    for name in COUNTS & one.keys():
        count = number_of(one[name])
        if count is not None:
            one[name] = count
            remarks.changed(f"{where}/{name}", "the count was converted to a number")
    _write_words_as_schemas(one, where, remarks)
    if type(one.get("items")) is list:
        _write_tuple(one, where, remarks)
    if type(one.get("required")) is bool:
        del one["required"]
        remarks.changed(where, "required was moved from the properties to their object, as a list")
    if repeated(one.get("required")):
        one["required"] = list(dict.fromkeys(one["required"]))
        remarks.changed(f"{where}/required", "required named a property more than once")


def _write_words_as_schemas(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    """Replace properties and items that are just a type name, or a description, by schemas."""
    if type(one.get("items")) is str:
        one["items"] = _schema_of(one["items"])
        remarks.changed(f"{where}/items", "the name of a type was replaced by a schema")
    named = one.get("properties")
    words = [name for name, said in named.items() if type(said) is str] if type(named) is dict else []
    if not words:
        return
    one["properties"] = written = {**cast("dict[str, Any]", named)}
    for name in words:
        written[name] = _schema_of(written[name])
        remarks.changed(f"{where}/properties{pointer(name)}", "the name of a type was replaced by a schema")


def _schema_of(word: str) -> dict[str, Any]:
    kind = types_in_words_of_json(word)
    return {"description": word} if misformed({"type": kind}) else {"type": kind}


def repeated(required: Any) -> bool:
    """Tell whether a list of names has duplicates."""
    return type(required) is list and len(required) > 1 and _is_text(required) and len(set(required)) < len(required)


def _is_text(several: list[Any]) -> bool:
    return all(type(one) is str for one in several)


def accept_null(one: dict[str, Any]) -> None:
    """Make a schema accept null as well, in place."""
    kind = one.get("type")
    if type(kind) is str and kind != "null":
        one["type"] = [kind, "null"]
    elif type(kind) is list and "null" not in kind:
        one["type"] = [*kind, "null"]
    elif kind is None and type(one.get("anyOf")) is list:
        if _NULL not in one["anyOf"]:
            one["anyOf"] = [*one["anyOf"], _NULL]
        return
    elif kind is None and "$ref" in one:
        one["anyOf"] = [{"$ref": one.pop("$ref")}, _NULL]
        return
    allowed = one.get("enum")
    if type(allowed) is list and None not in allowed:
        one["enum"] = [*allowed, None]


def _write_tuple(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    """Replace a list of `items` by `prefixItems`, and `additionalItems` by `items`."""
    members = {"prefixItems" if name == "items" else name: value for name, value in one.items()}
    if "additionalItems" in members:
        members["items"] = members.pop("additionalItems")
    one.clear()
    one.update(members)
    remarks.changed(where, "the items of a tuple are sent as prefixItems")


def _order(one: dict[str, Any], names: Any) -> None:
    """Sort the properties in the order of the names; the others follow."""
    properties = one.get("properties")
    if type(properties) is not dict or type(names) is not list:
        return
    known = cast("dict[str, Any]", properties)
    first = {name: known[name] for name in names if type(name) is str and name in known}
    one["properties"] = {**first, **known}


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
