"""The models and the published JSON Schema accept and refuse the same documents.

The one exception is explicit null where a member is optional and has no default: Python reads it as absent.
"""

from __future__ import annotations

import importlib
import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter, ValidationError

from interlingua_types import CURRENT, VERSIONS
from support.bundles import bundle, documents


def names() -> list[Any]:
    return [
        pytest.param(number, name, id=f"v{number}-{name}") for number in VERSIONS for name in bundle(number)["$defs"]
    ]


def examples(number: int, current: int) -> int:
    """Return how many documents are tried: a third where nothing is to change any more."""
    return current if number == CURRENT else current // 3


@cache
def validator(number: int, name: str) -> Draft202012Validator:
    return Draft202012Validator({**bundle(number), "$ref": f"#/$defs/{name}"})


@cache
def adapter(number: int, name: str) -> TypeAdapter[Any]:
    return TypeAdapter(getattr(importlib.import_module(f"interlingua_types.v{number}"), name))


def takes(check: Any, document: Any) -> bool:
    try:
        check(document)
    except ValidationError:
        return False
    return True


def model_takes(number: int, name: str, document: Any) -> bool:
    by_objects = takes(adapter(number, name).validate_python, document)
    by_bytes = takes(adapter(number, name).validate_json, json.dumps(document))
    assert by_objects == by_bytes
    return by_objects


@pytest.mark.parametrize(("number", "name"), names())
def test_every_example_is_accepted_by_both_validators_and_round_trips(number: int, name: str) -> None:
    for example in bundle(number)["$defs"][name].get("examples", ()):
        assert validator(number, name).is_valid(example)
        value = adapter(number, name).validate_python(example)
        again = adapter(number, name).validate_json(adapter(number, name).dump_json(value))
        assert again == value
        assert validator(number, name).is_valid(adapter(number, name).dump_python(value, mode="json"))


@pytest.mark.one_python
@pytest.mark.requirement(
    "FR-004a-23", "FR-004a-24", "FR-004a-26", "FR-004a-47", "FR-004a-48", "FR-004a-65", "FR-004a-85"
)
@pytest.mark.parametrize(("number", "name"), names())
def test_every_valid_document_is_accepted_by_both_validators_and_survives_storage(number: int, name: str) -> None:
    @settings(max_examples=examples(number, 12))
    @given(documents(number).of(name))
    def check(document: Any) -> None:
        assert validator(number, name).is_valid(document)
        assert model_takes(number, name, document)
        value = adapter(number, name).validate_python(document)
        assert adapter(number, name).validate_json(adapter(number, name).dump_json(value)) == value

    check()


@pytest.mark.one_python
@pytest.mark.parametrize(("number", "name"), names())
def test_mutated_documents_get_the_same_result_from_both_validators(number: int, name: str) -> None:
    @settings(max_examples=examples(number, 25))
    @given(documents(number).changed(name))
    def check(drawn: tuple[Any, Any]) -> None:
        changed, without_null = drawn
        by_schema = validator(number, name).is_valid(changed)
        by_model = model_takes(number, name, changed)
        # Without a null in play both documents are one, and the verdicts must be equal.
        assert by_model == by_schema or (by_model and validator(number, name).is_valid(without_null))

    check()


@pytest.mark.parametrize("number", VERSIONS)
def test_the_mutations_produce_valid_and_invalid_documents(number: int) -> None:
    # A check that only ever sees valid documents, or only invalid ones, proves nothing.
    verdicts: set[bool] = set()

    @settings(max_examples=100)
    @given(documents(number).changed("Message"))
    def collect(drawn: tuple[Any, Any]) -> None:
        verdicts.add(validator(number, "Message").is_valid(drawn[0]))

    collect()
    assert verdicts == {True, False}


def test_a_validator_that_accepts_everything_fails_the_suite() -> None:
    document = {"schema_version": CURRENT, "type": "text", "data": {}}
    assert not validator(3, "Message").is_valid(document)
    assert not model_takes(3, "Message", document)


@pytest.mark.parametrize(("number", "name"), names())
def test_null_is_read_as_absent_for_every_optional_member(number: int, name: str) -> None:
    definition = bundle(number)["$defs"][name]
    for member, schema in definition.get("properties", {}).items():
        for example in definition["examples"]:
            if member not in example and "default" not in schema and "anyOf" not in definition:
                expected = adapter(number, name).validate_python(example)
                value = adapter(number, name).validate_python({**example, member: None})
                assert value == expected
                assert value.model_dump(mode="json") == expected.model_dump(mode="json")


def test_null_is_refused_for_a_member_with_a_default() -> None:
    document = {"call_id": "a", "result": "", "is_error": None}
    assert not validator(3, "ToolResult").is_valid(document)
    assert not model_takes(3, "ToolResult", document)
