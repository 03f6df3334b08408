"""`il.validate`: short errors with a place and a rule, and never a word of what was found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from interlingua.errors import UnknownTypeError, UnknownVersionError
from interlingua.validation import LIMIT, SchemaError, validate
from interlingua_types import CURRENT, VERSIONS

VECTORS: Final = Path(__file__).parents[2] / "schema" / "vectors"


def text(content: Any) -> dict[str, Any]:
    return {"schema_version": CURRENT, "type": "text", "data": {"role": "user", "content": content}}


def found(document: Any, *rest: Any) -> list[tuple[str, str]]:
    return [(error.path, error.rule) for error in validate(document, *rest)]


@pytest.mark.parametrize("version", list(VERSIONS))
def test_schema_vectors_are_valid_or_invalid_as_their_folders_say(version: int) -> None:
    wrong: list[str] = []
    paths = sorted((VECTORS / f"v{version}").rglob("*.json"))
    for path in paths:
        union, variant, verdict, _ = path.relative_to(VECTORS / f"v{version}").parts
        errors = validate(
            json.loads(path.read_text(encoding="utf-8")), version, variant if union == "shared" else union
        )
        if bool(errors) != (verdict == "invalid"):
            wrong.append(str(path))
    assert paths
    assert wrong == []


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (text("x"), []),
        (text(5), [("/data/content", "anyOf")]),
        (text([{"type": "text"}]), [("/data/content/0", "required")]),
        (text([{"type": "text", "text": 5}]), [("/data/content/0/text", "type")]),
        (text([{"type": "hologram"}]), [("/data/content/0/type", "discriminator")]),
        (text([{}]), [("/data/content/0/type", "discriminator")]),
        (text(["x"]), [("/data/content/0", "type")]),
        (text([{"type": "image"}]), [("/data/content/0", "oneOf")]),
        ({**text("x"), "a/b": 1}, [("", "additionalProperties")]),
        ({**text("x"), "schema_version": 2}, [("/schema_version", "const")]),
        ({"role": "user", "content": ""}, [("/type", "discriminator")]),
        (None, [("", "type")]),
    ],
)
def test_per_val_3_one_mistake_is_one_error_with_its_path(document: Any, expected: list[tuple[str, str]]) -> None:
    assert found(document) == expected


def test_val_3_a_mistake_deep_in_a_long_conversation_is_one_error() -> None:
    messages = [{"role": "user", "content": "x"} for _ in range(418)]
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, {"type": "text", "text": 5}]
    messages[417] = {"role": "user", "content": parts}
    assert found({"messages": messages}, CURRENT, "chat_request") == [("/messages/417/content/2/text", "type")]


@pytest.mark.parametrize("name", ["chat_request", "ChatRequest"])
def test_a_shape_is_found_by_the_name_of_its_file_and_its_class(name: str) -> None:
    assert found({"messages": []}, CURRENT, name) == []
    assert found({"messages": 5}, CURRENT, name) == [("/messages", "type")]


@pytest.mark.parametrize("name", ["part", "TextPart", "text_part", "any_message", "transcript", "approval_status"])
def test_unions_variants_and_shared_objects_are_found_by_name(name: str) -> None:
    assert found(None, CURRENT, name) != []


def test_older_versions_are_validated_by_their_own_schema() -> None:
    assert found({"role": "user", "content": "", "more": 1}, 1) == []
    assert found({"role": "developer", "content": ""}, 1) == [("/role", "discriminator")]
    assert found({"role": "developer", "content": ""}, 2) == []


def test_a_fallback_variant_accepts_unknown_types_and_refuses_invalid_known_ones() -> None:
    assert found({"type": "hologram"}, CURRENT, "any_message") == []
    assert found({"schema_version": CURRENT + 1, "type": "text"}, CURRENT, "any_message") == []
    assert found({"schema_version": CURRENT, "type": "text"}, CURRENT, "any_message") == [("", "required")]
    assert found(text(5), CURRENT, "any_message") == [("/data/content", "anyOf")]


@pytest.mark.parametrize("version", [0, max(VERSIONS) + 1, "3", True, None])
def test_an_unknown_version_raises_a_typed_error(version: Any) -> None:
    with pytest.raises(UnknownVersionError) as caught:
        validate({}, version)
    assert caught.value.known == tuple(VERSIONS)


@pytest.mark.parametrize(
    ("version", "name"), [(CURRENT, "robot"), (1, "chat_request"), (CURRENT, ""), (CURRENT, "../message")]
)
def test_an_unknown_name_raises_a_typed_error_that_lists_the_known_ones(version: int, name: str) -> None:
    with pytest.raises(UnknownTypeError) as caught:
        validate({}, version, name)
    assert caught.value.name == name
    assert "message" in caught.value.known


def test_no_error_contains_content() -> None:
    content = "hunter2"
    wrong = [
        {**text(content), "type": content},
        {**text([{"type": "text", "text": {content: content}}]), "id": ""},
        {"schema_version": CURRENT, "type": "text", "data": content},
        {**text("x"), "data": {"role": content, content: content}},
        text([{"type": content}, content, {"type": "image", "url": content, "data": content}]),
    ]
    for document in wrong:
        errors = validate(document)
        assert errors
        assert content not in repr(errors)


def test_the_number_and_length_of_errors_are_limited() -> None:
    errors = validate(text([{"type": "text"}] * 500))
    assert len(errors) == LIMIT
    assert all(len(error.detail) <= 120 for error in errors)


def test_a_value_that_is_nested_too_deeply_is_one_error() -> None:
    content: Any = []
    for _ in range(3000):
        content = [{"type": "file", "content": content}]
    assert validate(text(content)) == [SchemaError("", "depth", "nested too deeply to be checked")]


def test_free_form_data_is_not_validated() -> None:
    deep: Any = {}
    for _ in range(3000):
        deep = {"a": deep}
    assert validate({**text("x"), "metadata": deep}) == []


def test_validation_does_not_modify_the_document() -> None:
    document = text([{"type": "text", "text": 5, "more": None}])
    before = json.dumps(document)
    validate(document)
    assert json.dumps(document) == before
