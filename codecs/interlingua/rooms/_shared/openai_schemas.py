"""What OpenAI takes of JSON Schema, in both of its dialects.

Source: docs/wire/openai_chat.md, section 4;
https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
"""

from __future__ import annotations

from typing import Final

from interlingua.rooms._shared.schema_adaption import Subset

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
