"""The TypedDicts say what the schema says: the same members, demanded where it demands them."""

from __future__ import annotations

import importlib
import types
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from interlingua_types import VERSIONS
from interlingua_types.current import shapes
from support.bundles import bundle


def names() -> list[Any]:
    pairs = [(number, name) for number in VERSIONS for name in bundle(number)["$defs"]]
    return [pytest.param(number, name, id=f"v{number}-{name}") for number, name in pairs]


def shape(number: int, name: str) -> Any:
    return getattr(importlib.import_module(f"interlingua_types.v{number}.shapes"), name)


@pytest.mark.parametrize(("number", "name"), names())
def test_an_object_has_the_members_of_its_schema(number: int, name: str) -> None:
    definition = bundle(number)["$defs"][name]
    if "properties" not in definition:
        return
    assert is_typeddict(shape(number, name))
    assert shape(number, name).__required_keys__ == set(definition.get("required", ()))
    hints = get_type_hints(shape(number, name), include_extras=True)
    assert list(hints) == list(definition["properties"])
    demanded = {member for member, hint in hints.items() if get_origin(hint) is not NotRequired}
    assert demanded == set(definition.get("required", ()))


@pytest.mark.parametrize(("number", "name"), names())
def test_a_union_lists_its_variants(number: int, name: str) -> None:
    definition = bundle(number)["$defs"][name]
    if "discriminator" in definition:
        expected = [shape(number, choice["$ref"].rpartition("/")[2]) for choice in definition["oneOf"]]
        found = shape(number, name)
        assert list(get_args(found) if get_origin(found) in {Union, types.UnionType} else [found]) == expected


def test_types_are_plain_json_types() -> None:
    request = get_type_hints(shapes.ChatRequest)
    assert request["messages"] == list[shapes.ChatMessage]
    assert request["temperature"] == int | float
    assert request["metadata"] == dict[str, Any]
    assert request["stop"] == list[str]
    assert get_type_hints(shapes.TextPart)["type"] == Literal["text"]
    assert get_type_hints(shapes.OpaquePart)["data"] is Any
    assert shapes.MessageRole == Literal["system", "user", "assistant", "tool", "developer"]
    assert shapes.Content == str | list[shapes.Part]


def test_null_is_a_type_in_older_versions_that_have_it() -> None:
    older = importlib.import_module("interlingua_types.v1.shapes")
    assert get_type_hints(older.AssistantMessage)["content"] == str | None
