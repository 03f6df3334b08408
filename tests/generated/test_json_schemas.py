"""What is taken for a JSON Schema, beside the metaschemas themselves."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import pytest
from jsonschema import (
    Draft4Validator,
    Draft6Validator,
    Draft7Validator,
    Draft201909Validator,
    Draft202012Validator,
    SchemaError,
)

from interlingua_types._json_schemas import broken_keyword

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

METASCHEMAS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        str(kind.META_SCHEMA.get("$id") or kind.META_SCHEMA["id"]): kind
        for kind in (
            Draft4Validator,
            Draft6Validator,
            Draft7Validator,
            Draft201909Validator,
            Draft202012Validator,
        )
    }
)
VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, -1, 0.5, 2.0, -0.5),
    *("", "string", "strng", "^a$", "(", "a#b", "#", "A", "1a", "_a", "a:b"),
    *([], [1], ["string"], ["string", "string"], ["a"], ["a", "a"], [{}], [True], [None], [{"type": 1}], [1, True]),
    *({}, {"a": 1}, {"a": True}, {"a": {}}, {"a": {"type": "strng"}}, {"a": "b"}, {"(": {}}),
    *({"a": ["b"]}, {"a": ["b", "b"]}, {"a": []}, {"a": [1]}),
)  # fmt: skip


def named(metaschema: Any) -> Iterator[str]:
    """Yield the keywords that a metaschema names, and those of the metaschemas that it is made of."""
    for vocabulary in (metaschema, *(_vocabularies(metaschema))):
        yield from vocabulary.get("properties", {})


def _vocabularies(metaschema: Any) -> Iterator[Any]:
    resolver = Draft202012Validator(metaschema)._resolver  # noqa: SLF001  # the library's own copies of the vocabularies
    for one in metaschema.get("allOf", ()):
        yield resolver.lookup(one["$ref"]).contents


KEYWORDS: Final = tuple(
    sorted({name for kind in METASCHEMAS.values() for name in named(kind.META_SCHEMA)} - {"$schema"})
)


def is_schema(kind: Any, schema: Any) -> bool:
    """Tell whether a metaschema takes a schema."""
    try:
        kind.check_schema(schema)
    except SchemaError:
        return False
    return True


@pytest.mark.one_python
@pytest.mark.parametrize("draft", METASCHEMAS)
def test_keyword_checks_of_every_draft_match_its_metaschema(draft: str) -> None:
    kind = METASCHEMAS[draft]
    schemas = [{"$schema": draft, keyword: value} for keyword in KEYWORDS for value in VALUES]
    schemas += [{"$schema": draft, "allOf": [{"not": {keyword: value}}]} for keyword in KEYWORDS for value in VALUES]
    wrong = [schema for schema in schemas if (broken_keyword(schema) is None) != is_schema(kind, schema)]
    assert wrong == []
    assert len(KEYWORDS) > 60


@pytest.mark.parametrize("value", VALUES)
def test_a_schema_without_a_draft_uses_the_newest(value: Any) -> None:
    found = broken_keyword(value) is None
    assert found == is_schema(Draft202012Validator, value)
    assert found == (broken_keyword({"not": value}) is None)


def test_a_deeply_nested_schema_is_checked() -> None:
    schema: dict[str, Any] = {"type": "strng"}
    for _ in range(100_000):
        schema = {"not": schema}
    assert broken_keyword(schema) == "type"
