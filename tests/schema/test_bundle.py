"""The flat bundle: one document that stands for itself, with the unions written from the folders."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

import packages
from bundle import bundle
from support.tree import Tree


@pytest.fixture
def bundled(tree: Tree) -> dict[str, Any]:
    return bundle(packages.read_versions(tree.root)[1])


def test_the_bundle_has_its_address_and_its_root(bundled: dict[str, Any]) -> None:
    assert {key: value for key, value in bundled.items() if key != "$defs"} == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://fixture.example/v2/schema.json",
        "title": "Fixture 2",
        "description": "The nested form.",
        "$ref": "#/$defs/Message",
    }


def test_every_file_and_union_is_a_definition_in_order(bundled: dict[str, Any]) -> None:
    assert list(bundled["$defs"]) == [
        "AnyMessage", "Box", "Message", "Mood", "NoticeMessage", "Part", "Parts", "Picture", "Speaker", "TextData",
        "TextMessage", "TextPart", "UnknownMessage",
    ]  # fmt: skip


def test_a_union_is_one_of_its_variants_with_a_discriminator(bundled: dict[str, Any]) -> None:
    assert bundled["$defs"]["Part"] == {
        "title": "Part",
        "description": "One of the variants that `type` tells apart: `image`, `text`.",
        "oneOf": [{"$ref": "#/$defs/Picture"}, {"$ref": "#/$defs/TextPart"}],
        "discriminator": {
            "propertyName": "type",
            "mapping": {"image": "#/$defs/Picture", "text": "#/$defs/TextPart"},
        },
    }


def test_a_union_with_a_fallback_accepts_unknown_variants(bundled: dict[str, Any]) -> None:
    assert bundled["$defs"]["AnyMessage"]["anyOf"] == [
        {"$ref": "#/$defs/Message"},
        {"$ref": "#/$defs/UnknownMessage"},
    ]
    assert bundled["$defs"]["UnknownMessage"]["anyOf"] == [
        {"properties": {"type": {"type": "string", "not": {"enum": ["notice", "text"]}}}, "required": ["type"]},
        {
            "properties": {"schema_version": {"type": "integer", "exclusiveMinimum": 2}},
            "required": ["schema_version"],
        },
    ]


def test_references_are_local_and_data_is_unchanged(tree: Tree) -> None:
    tree.edit(
        "schema/v2/message/notice.json",
        examples=[{"schema_version": 2, "type": "notice", "schema": {"$ref": "../part"}}],
    )
    bundled = bundle(packages.read_versions(tree.root)[1])
    assert bundled["$defs"]["TextData"]["properties"]["mood"]["$ref"] == "#/$defs/Mood"
    assert bundled["$defs"]["NoticeMessage"]["examples"][0]["schema"] == {"$ref": "../part"}


def test_python_specific_members_are_not_published(bundled: dict[str, Any]) -> None:
    assert "x-mixin" not in bundled["$defs"]["UnknownMessage"]


def test_the_bundle_refers_to_no_other_document(bundled: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(bundled)
    validator = Draft202012Validator(bundled)
    assert validator.is_valid({"schema_version": 2, "type": "text", "data": {"speaker": "user"}})
    assert not validator.is_valid({"schema_version": 2, "type": "text", "data": {"speaker": "nobody"}})
