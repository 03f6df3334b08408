"""What OpenAI takes of JSON Schema, in both of its dialects.

Source: docs/wire/openai_chat.md, section 4;
https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.schema_adaption import Subset, refusals
from interlingua.rooms._shared.schemas import is_object, loose_objects, optional_members
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

# Any function: its arguments are one object.
FUNCTION: Final = Subset(root_object=True, merges_root=True, listed=True)
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


def refused_where_enforced(schema: dict[str, Any], path: str) -> Iterator[Violation]:
    """Yield what is refused of a strict schema: it closes every object, requires every member, and is an object."""
    yield from loose_objects(schema, path)
    yield from optional_members(schema, path)
    yield from refusals(schema, STRICT, path)
    if schema and (not is_object(schema) or "anyOf" in schema):
        yield Violation("schema", path, "the schema must be of the type object")
