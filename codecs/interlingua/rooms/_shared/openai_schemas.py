"""What OpenAI takes of JSON Schema, in both of its dialects.

Source: docs/wire/openai_chat.md, section 4;
https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.schema_adaption import DEFINITIONS, Subset, refusals
from interlingua.rooms._shared.schemas import inner_schemas, is_object, loose_objects, optional_members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.violation import Violation

# Any function: its arguments are one object that names its members.
FUNCTION: Final = Subset(root_object=True, merges_root=True, listed=True, named_members=True)
# An answer whose form is not enforced.
FORM: Final = Subset(merges_root=True)
# What is enforced. Lengths of texts are refused by some models and taken by others.
STRICT: Final = Subset(
    refused=frozenset({
        "patternProperties", "unevaluatedProperties", "propertyNames", "minProperties", "maxProperties",
        "unevaluatedItems", "contains", "minContains", "maxContains", "uniqueItems", "oneOf", "default",
    }),
    unheard=frozenset({"minLength", "maxLength", "examples"}),
    formats=frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}),
    simple_patterns=True,
    one_of=False,
    tuples=False,
    merges_root=True,
    judged=frozenset({"format", "pattern"}),
)  # fmt: skip
STRICT_FUNCTION: Final = STRICT._replace(named_members=True)
# How large a strict schema may be: the levels below its root, and the sums over all its levels.
MAX_LEVELS: Final = 10
MAX_PROPERTIES: Final = 5000
MAX_ENUM_VALUES: Final = 1000
MAX_CHARACTERS: Final = 120_000
_MANY_VALUES: Final = 250
"""From how many values on the texts of one enumeration have a limit of their own."""
_MAX_ENUM_CHARACTERS: Final = 15_000

_LIMITS: Final = (
    f"where strict: at most {MAX_LEVELS} levels, {MAX_PROPERTIES:,} members, {MAX_ENUM_VALUES:,} values of "
    f"enumerations, {MAX_CHARACTERS:,} characters of names and values"
)


def is_too_large(schema: dict[str, Any]) -> bool:
    """Whether a schema is deeper or larger than strict ones may be.

    Each schema in a schema is a level below it; what a reference leads to counts where it is defined.
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


def refused_where_enforced(schema: dict[str, Any], path: str) -> Iterator[Violation]:
    """Yield what is refused of a strict schema: it closes every object, requires every member, and is an object."""
    from interlingua.violation import Violation  # noqa: PLC0415  # who writes a request judges none

    yield from loose_objects(schema, path)
    yield from optional_members(schema, path)
    yield from refusals(schema, STRICT, path)
    if schema and (not is_object(schema) or "anyOf" in schema):
        yield Violation("schema", path, "the schema must be of the type object")
    if is_too_large(schema):
        yield Violation("limit", path, _LIMITS)
