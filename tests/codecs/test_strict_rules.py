"""Strict schemas of OpenAI's: what encoding mends there, `check_request` asks for, and the other way round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il

if TYPE_CHECKING:
    from collections.abc import Mapping

TARGETS: Final = ("openai_chat", "openai_responses")
CLOSED: Final[dict[str, Any]] = {"additionalProperties": False}
TEXT: Final[dict[str, Any]] = {"type": "string"}


def with_a(schema: Any, **others: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": schema}, "required": ["a"], **CLOSED, **others}


# What OpenAI takes as it is.
TAKEN: Final[Mapping[str, Any]] = {
    "nothing": {},
    "no members": {"type": "object", "properties": {}, **CLOSED},
    "a text": with_a(TEXT),
    "a list": with_a({"type": "array", "items": TEXT}),
    "a union": with_a({"anyOf": [TEXT, {"type": "null"}]}),
    "a reference": with_a({"$ref": "#/$defs/x"}, **{"$defs": {"x": TEXT}}),
    "an enumeration": with_a({"type": "string", "enum": ["b", "c"]}),
}
# What is mended: where it is refused, and what stands there afterwards.
MENDED: Final[Mapping[str, tuple[Any, Any]]] = {
    "no properties": ({"type": "object", **CLOSED}, {"type": "object", **CLOSED, "properties": {}}),
    "open": ({**with_a(TEXT), "additionalProperties": True}, with_a(TEXT)),
    "no type": ({name: value for name, value in with_a(TEXT).items() if name != "type"}, with_a(TEXT)),
    "beside $ref": (
        with_a({"$ref": "#/$defs/x", "description": "d"}, **{"$defs": {"x": TEXT}}),
        with_a({"anyOf": [{"$ref": "#/$defs/x"}], "description": "d"}, **{"$defs": {"x": TEXT}}),
    ),
    "a description that is no text": (
        with_a({**TEXT, "description": 5}),
        with_a({**TEXT, "description": "Limits: description 5"}),
    ),
    "allOf of one": (with_a({"allOf": [TEXT]}), with_a({"anyOf": [TEXT]})),
    "enum without type": (with_a({"enum": ["b", "c"]}), with_a({"type": "string", "enum": ["b", "c"]})),
    "enum of several types": (with_a({"enum": ["b", 1]}), with_a({"type": ["string", "integer"], "enum": ["b", 1]})),
    "const without type": (with_a({"const": True}), with_a({"type": "boolean", "const": True})),
    "an inner object without type": (
        with_a({"properties": {"b": TEXT}, "required": ["b"], **CLOSED}),
        with_a({"type": "object", "properties": {"b": TEXT}, "required": ["b"], **CLOSED}),
    ),
}
# What cannot be enforced.
LOOSE: Final[Mapping[str, Any]] = {
    "anything": with_a({}),
    "anything with a description": with_a({"description": "d"}),
    "true": with_a(True),
    "a list of anything": with_a({"type": "array"}),
    "a list of {}": with_a({"type": "array", "items": {}}),
    "not": with_a({"type": "string", "not": {"const": "b"}}),
    "if": with_a(TEXT, **{"if": {"type": "object"}, "then": {"type": "object"}}),
    "dependentRequired": with_a(TEXT, dependentRequired={"a": ["b"]}),
    "allOf of two": with_a({"allOf": [TEXT, {"type": "string", "enum": ["b"]}]}),
}


def asked(target: str, schema: Any) -> dict[str, Any]:
    function = {"name": "f", "parameters": schema, "strict": True}
    if target == "openai_responses":
        return {"model": "gpt-5", "input": "Hello", "tools": [{"type": "function", **function}]}
    messages = [{"role": "user", "content": "Hello"}]
    return {"model": "gpt-5", "messages": messages, "tools": [{"type": "function", "function": function}]}


def encoded(target: str, schema: Any) -> tuple[dict[str, Any], list[str], list[str]]:
    """Return the function as it goes out, what is told of it, and what is still refused."""
    result = il.translate_request(asked("openai_chat", schema), "vllm", target)
    tool = result.body["tools"][0]
    told = [loss.path for loss in result.losses if loss.path.startswith("/tools")]
    return tool.get("function", tool), told, refused(result.body, target)


def refused(body: dict[str, Any], target: str) -> list[str]:
    return [violation.path for violation in il.check_request(body, target) if violation.code == "schema"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", TAKEN)
def test_a_schema_that_openai_accepts_is_neither_a_violation_nor_changed(name: str, target: str) -> None:
    assert refused(asked(target, TAKEN[name]), target) == []
    function, told, still = encoded(target, TAKEN[name])
    assert (function["parameters"], function["strict"], told, still) == (TAKEN[name], True, [], [])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MENDED)
def test_schemas_that_encoding_would_adapt_are_violations_without_it(name: str, target: str) -> None:
    given, expected = MENDED[name]
    assert refused(asked(target, given), target) != []
    function, told, still = encoded(target, given)
    assert (function["parameters"], function["strict"], still) == (expected, True, [])
    assert told


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", LOOSE)
def test_a_schema_without_constraints_is_a_violation_and_not_enforced(name: str, target: str) -> None:
    assert refused(asked(target, LOOSE[name]), target) != []
    function, told, still = encoded(target, LOOSE[name])
    assert (function.get("strict"), still) == (None, [])
    assert "/tools/0/strict" in told


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", [*MENDED, *LOOSE])
def test_a_response_schema_is_checked_in_the_same_way(name: str, target: str) -> None:
    schema = MENDED[name][0] if name in MENDED else LOOSE[name]
    form = {"name": "n", "schema": schema, "strict": True}
    body = {**asked("openai_chat", TAKEN["a text"]), "response_format": {"type": "json_schema", "json_schema": form}}
    if name != "no properties":  # an answer may have no members
        assert refused(body, "openai_chat") != []
    assert refused(il.translate_request(body, "vllm", target).body, target) == []


@pytest.mark.parametrize("target", TARGETS)
def test_schemas_without_strict_are_not_checked(target: str) -> None:
    body = asked(target, LOOSE["not"])
    tool = body["tools"][0]
    tool.get("function", tool)["strict"] = False
    assert refused(body, target) == []


@pytest.mark.parametrize(
    ("target", "model"), [("claude", "claude-opus-5"), ("bedrock_converse", "us.anthropic.claude-opus-4-6-v1:0")]
)
def test_a_reference_in_all_of_becomes_any_of_for_claude(target: Any, model: str) -> None:
    """Pydantic writes a member of another model so, where it has a description; Claude takes no `allOf` of a `$ref`."""
    inner = {
        "type": "object",
        "properties": {"z": {"type": "string"}},
        "required": ["z"],
        "additionalProperties": False,
    }
    member = {"allOf": [{"$ref": "#/$defs/X"}], "description": "One."}
    schema = {"type": "object", "properties": {"a": member}, "required": ["a"], "additionalProperties": False}
    schema = {**schema, "$defs": {"X": inner}}
    tool = {"type": "function", "function": {"name": "t", "strict": True, "parameters": schema}}
    form = {"type": "json_schema", "json_schema": {"name": "o", "strict": True, "schema": schema}}
    for asked in ({"tools": [tool]}, {"response_format": form}):
        body = {"model": "m", "messages": [{"role": "user", "content": "Go."}], **asked}
        encoded = il.translate_request(body, "openai_chat", target, model=model)
        assert "allOf" not in str(encoded.body)
        assert "anyOf" in str(encoded.body)
        assert any(loss.path.endswith("/properties/a/allOf") and loss.severity == "changed" for loss in encoded.losses)
        assert il.check_request(encoded.body, target) == []
