"""The models and the published JSON Schema accept and refuse the same documents.

The one exception is explicit null where a member is optional: Python reads it as absent.
"""

from __future__ import annotations

import importlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter, ValidationError

from interlingua_types import VERSIONS
from support.strategies import Documents


def keys() -> list[str]:
    return [f"v{number}" for number in VERSIONS]


@cache
def bundle(key: str) -> dict[str, Any]:
    return json.loads(files("interlingua_types").joinpath(key, "schema.json").read_text("utf-8"))


def names() -> list[Any]:
    return [pytest.param(key, name, id=f"{key}-{name}") for key in keys() for name in bundle(key)["$defs"]]


@cache
def validator(key: str, name: str) -> Draft202012Validator:
    return Draft202012Validator({**bundle(key), "$ref": f"#/$defs/{name}"})


@cache
def adapter(key: str, name: str) -> TypeAdapter[Any]:
    return TypeAdapter(getattr(importlib.import_module(f"interlingua_types.{key}"), name))


@cache
def documents(key: str) -> Documents:
    return Documents(bundle(key))


def takes(check: Any, document: Any) -> bool:
    try:
        check(document)
    except ValidationError:
        return False
    return True


def model_takes(key: str, name: str, document: Any) -> bool:
    by_objects = takes(adapter(key, name).validate_python, document)
    by_bytes = takes(adapter(key, name).validate_json, json.dumps(document))
    assert by_objects == by_bytes
    return by_objects


@pytest.mark.parametrize(("key", "name"), names())
def test_every_example_is_accepted_by_both_and_comes_back_as_it_was(key: str, name: str) -> None:
    for example in bundle(key)["$defs"][name].get("examples", ()):
        assert validator(key, name).is_valid(example)
        value = adapter(key, name).validate_python(example)
        again = adapter(key, name).validate_json(adapter(key, name).dump_json(value))
        assert again == value
        assert validator(key, name).is_valid(adapter(key, name).dump_python(value, mode="json"))


@pytest.mark.parametrize(("key", "name"), names())
def test_every_valid_document_is_accepted_by_both_and_survives_storage(key: str, name: str) -> None:
    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(documents(key).of(name))
    def check(document: Any) -> None:
        assert validator(key, name).is_valid(document)
        assert model_takes(key, name, document)
        value = adapter(key, name).validate_python(document)
        assert adapter(key, name).validate_json(adapter(key, name).dump_json(value)) == value

    check()


@pytest.mark.parametrize(("key", "name"), names())
def test_changed_documents_get_the_same_verdict_from_both(key: str, name: str) -> None:
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(documents(key).changed(name))
    def check(drawn: tuple[Any, Any]) -> None:
        changed, without_null = drawn
        by_schema = validator(key, name).is_valid(changed) or validator(key, name).is_valid(without_null)
        assert model_takes(key, name, changed) == by_schema

    check()


@pytest.mark.parametrize("key", keys())
def test_the_mutations_reach_both_verdicts(key: str) -> None:
    # A check that only ever sees valid documents, or only invalid ones, proves nothing.
    verdicts: set[bool] = set()

    @settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(documents(key).changed("Message"))
    def collect(drawn: tuple[Any, Any]) -> None:
        verdicts.add(validator(key, "Message").is_valid(drawn[0]))

    collect()
    assert verdicts == {True, False}


def test_a_validator_that_takes_everything_would_turn_the_suite_red() -> None:
    document = {"schema_version": 3, "type": "text", "data": {}}
    assert not validator("v3", "Message").is_valid(document)
    assert not model_takes("v3", "Message", document)


def test_null_is_read_as_absent_where_a_member_is_optional() -> None:
    document = {"role": "user", "content": "Hello", "name": None}
    assert not validator("v3", "ChatMessage").is_valid(document)
    assert adapter("v3", "ChatMessage").validate_python(document).model_dump() == {"role": "user", "content": "Hello"}
