"""The subsets of JSON Schema that OpenAI accepts, in both of its dialects.

Source: docs/wire/openai_chat.md, section 4;
https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import pointer
from interlingua.rooms._shared.schema_adaptation import Subset, lacks_items, refusals
from interlingua.rooms._shared.schema_traversal import (
    DEFINITIONS,
    inner_schemas,
    is_object,
    loose_objects,
    optional_members,
    schemas_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.violation import Violation

# Any function, strict or not: the arguments are one object with named members, and patterns have no lookaround.
FUNCTION: Final = Subset(
    root_object=True, merges_root=True, listed=True, named_members=True, looks_around=False,
    judged=frozenset({"pattern", "patternProperties"}),
)  # fmt: skip
# A response format that is not strict.
FORM: Final = Subset(merges_root=True, looks_around=False)
# Strict schemas. Only some models refuse string lengths.
STRICT: Final = Subset(
    refused=frozenset({
        "patternProperties", "unevaluatedProperties", "propertyNames", "minProperties", "maxProperties",
        "unevaluatedItems", "contains", "minContains", "maxContains", "uniqueItems", "oneOf", "default",
    }),
    ignored=frozenset({"minLength", "maxLength", "examples"}),
    formats=frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}),
    simple_patterns=True,
    one_of=False,
    tuples=False,
    merges_root=True,
    judged=frozenset({"format", "pattern"}),
)  # fmt: skip
STRICT_FUNCTION: Final = STRICT._replace(named_members=True)
# Combining keywords that strict schemas must not have.
COMBINING: Final = frozenset({"allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"})
# Keywords that give a strict schema a type, or refer to one.
TYPING: Final = frozenset({"type", "$ref", "anyOf", "oneOf", "allOf"})
# Limits of strict schemas: the levels below the root, and totals over all levels.
MAX_LEVELS: Final = 10
MAX_PROPERTIES: Final = 5000
MAX_ENUM_VALUES: Final = 1000
MAX_CHARACTERS: Final = 120_000
_MANY_VALUES: Final = 250
"""An enum with more values than this has a character limit of its own."""
_MAX_ENUM_CHARACTERS: Final = 15_000

_LIMITS: Final = (
    f"a strict schema may have at most {MAX_LEVELS} levels, {MAX_PROPERTIES:,} members, {MAX_ENUM_VALUES:,} values of "
    f"enumerations, {MAX_CHARACTERS:,} characters of names and values"
)


def is_not_object(schema: Any) -> bool:
    """Tell whether the schema of an answer has a type other than object."""
    kind: Any = schema.get("type") if type(schema) is dict else None
    kinds = kind if type(kind) is list else [kind]
    return kind is not None and "object" not in kinds


def is_too_large(schema: dict[str, Any]) -> bool:
    """Tell whether a schema is deeper or larger than strict ones may be.

    Each nested schema is one level deeper; definitions count where they are defined, not where they are referenced.
    """
    properties = values = characters = levels = 0
    level = [schema]
    while level:
        if levels > MAX_LEVELS:
            return True
        for one in level:
            named, allowed = one.get("properties"), one.get("enum")
            if type(named) is dict:
                properties += len(named)
            for group in ("properties", *DEFINITIONS):
                if type(one.get(group)) is dict:
                    characters += sum(map(len, one[group]))
            if type(allowed) is list:
                length = sum(len(value) for value in allowed if type(value) is str)
                if len(allowed) > _MANY_VALUES and length > _MAX_ENUM_CHARACTERS:
                    return True
                values += len(allowed)
                characters += length
            if type(one.get("const")) is str:
                characters += len(one["const"])
        level = [inner for one in level for inner in inner_schemas(one)]
        levels += 1
    return properties > MAX_PROPERTIES or values > MAX_ENUM_VALUES or characters > MAX_CHARACTERS


def _boolean_properties(schema: dict[str, Any]) -> Iterator[str]:
    """Yield the names of properties that are booleans instead of schemas."""
    named = schema.get("properties")
    yield from (name for name, one in named.items() if type(one) is not dict) if type(named) is dict else ()


def strict_violations(schema: dict[str, Any], path: str, *, is_function: bool = False) -> Iterator[Violation]:
    """Yield the violations of a strict schema, which is an object, closes every object and requires every member.

    Encoding repairs each of these, or makes the schema non-strict.
    """
    from interlingua.violation import Violation  # noqa: PLC0415  # who writes a request judges none

    yield from loose_objects(schema, path)
    yield from optional_members(schema, path)
    yield from refusals(schema, STRICT, path)
    if is_function and is_object(schema) and "properties" not in schema:
        yield Violation("schema", f"{path}/properties", "an object needs properties, even if empty")
    for where, one in schemas_in(schema, path):
        for name in one:
            if name in COMBINING:
                yield Violation("schema", f"{where}/{name}", "strict schemas do not support this keyword")
        if "$ref" in one and len(one) > 1 and where != path:
            yield Violation("schema", f"{where}/$ref", "strict schemas allow nothing beside a $ref")
        if lacks_items(one):
            yield Violation("schema", f"{where}/items", "an array needs items")
        untyped = [f"{where}/properties{pointer(name)}" for name in _boolean_properties(one)]
        if TYPING.isdisjoint(one) and (one or where != path):
            untyped.append(where)
        for place in untyped:
            yield Violation("schema", place, "strict schemas need a type for each value")
    if schema and (not is_object(schema) or "anyOf" in schema):
        yield Violation("schema", path, "the schema must be of the type object")
    if is_too_large(schema):
        yield Violation("limit", path, _LIMITS)
