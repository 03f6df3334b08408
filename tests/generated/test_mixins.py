"""What stands on the types themselves: creating by hand under the rules of 004, arguments, roles."""

from __future__ import annotations

import copy
import json
import logging
import sys
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from typing_extensions import TypedDict

from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import parse_arguments
from interlingua_types._mixins import MessageRoleMixin
from interlingua_types.current import (
    ChatMessage,
    MessageRole,
    TextData,
    ToolCall,
    ToolCallDelta,
    ToolChatMessage,
    ToolDefinition,
    ToolResult,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType

HIDDEN = "correct-horse-battery"
OBJECT = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
GOOD_NAMES = ["read_file", "tool123", "a", "A_9", "a" * 64]
BAD_NAMES = ["", "read-file", "read file", "read.file", "read@file", "réad", "a\n", "a" * 65, None, 5]


class WriteFile(BaseModel):
    path: str
    content: str = ""


class Described(BaseModel):
    """What a file is written from."""

    path: str = Field(description="Where it is.")
    mode: Literal["new", "append"] = Field("new", description="How to write.")


@dataclass
class WriteFileData:
    path: str


class WriteFileShape(TypedDict):
    path: str


class EverythingShape(TypedDict):
    path: str
    content: str
    plant: dict[str, Any]
    lines: list[int]
    nothing: None
    no: bool


class Tree(BaseModel):
    name: str
    children: list[Tree] = []


class Everything(BaseModel):
    path: str
    content: str = "none"
    plant: Tree
    lines: list[int]
    # A null that is given is no member that is missing.
    nothing: int | None = 5
    no: bool = True


def text_of(check: Any, *given: Any, **named: Any) -> str:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - that it is a ValueError is the requirement
        check(*given, **named)
    assert isinstance(caught.value, InvalidArgumentError)
    assert caught.value.__cause__ is None
    assert HIDDEN not in str(caught.value)
    return str(caught.value)


# Roles.


@pytest.mark.requirement("FR-004a-01", "FR-004a-02", "FR-004a-03", "FR-004a-04", "FR-004a-05", "FR-004a-06")
def test_a_role_is_a_lower_case_string() -> None:
    words = ["system", "user", "assistant", "tool", "developer"]
    assert [str(role) for role in MessageRole] == words
    assert [role.name for role in MessageRole] == ["SYSTEM", "USER", "ASSISTANT", "TOOL", "DEVELOPER"]
    assert json.dumps(list(MessageRole)) == json.dumps(words)
    assert [TextData(role=role).model_dump(mode="json") for role in MessageRole] == [{"role": word} for word in words]
    assert MessageRole.SYSTEM == "system"


@pytest.mark.requirement("FR-004a-09", "FR-004a-10")
def test_every_role_has_its_own_number() -> None:
    assert {role.value: role.number for role in MessageRole} == {
        "system": 0,
        "user": 1,
        "assistant": 2,
        "tool": 3,
        "developer": 4,
    }
    assert {type(role.number) for role in MessageRole} == {int}


@pytest.mark.requirement("FR-004a-09")
def test_counting_by_role_is_separate() -> None:
    class Turned(MessageRoleMixin):
        DEVELOPER = "developer"
        TOOL = "tool"
        USER = "user"

    assert [role.number for role in Turned] == [4, 3, 1]


@pytest.mark.requirement("FR-004a-10")
@pytest.mark.parametrize("role", list(MessageRole))
def test_every_role_has_one_message_class(role: MessageRole) -> None:
    speaking = [model for model in get_args(get_args(ChatMessage)[0]) if model.constant_members["role"] == role.value]
    assert len(speaking) == 1


@pytest.mark.requirement("FR-004a-07")
@pytest.mark.parametrize("role", list(MessageRole))
def test_a_role_is_parsed_case_insensitively(role: MessageRole) -> None:
    turned = "".join(letter.upper() if place % 2 else letter for place, letter in enumerate(role.value))
    for text in (role.value, role.value.upper(), role.value.title(), turned, turned.swapcase()):
        assert MessageRole.parse(text) is role


@pytest.mark.requirement("FR-004a-08")
@pytest.mark.parametrize("text", ["", "usr", "user ", "function", "model", "opaque", HIDDEN, None, 1])
def test_an_unknown_role_is_refused(text: Any) -> None:
    text_of(MessageRole.parse, text)


# Calls.


@pytest.mark.requirement("FR-004a-41", "FR-004a-42", "FR-004a-43", "FR-004a-53", "FR-004a-54", "MAN-1.7", "MAN-1.8")
@pytest.mark.parametrize("name", BAD_NAMES)
def test_create_refuses_a_call_with_an_invalid_name(name: Any) -> None:
    assert "name" in text_of(ToolCall.create, name, {})


@pytest.mark.requirement("FR-004a-41", "FR-004a-42", "FR-004a-43")
@pytest.mark.parametrize("name", GOOD_NAMES)
def test_create_accepts_a_call_with_a_valid_name(name: str) -> None:
    assert ToolCall.create(name, {}, id="call_1") == ToolCall(name=name, arguments={}, id="call_1")


@pytest.mark.requirement("FR-004a-46", "MAN-1.9", "NFR-004a-14", "NFR-004a-18")
@pytest.mark.parametrize(
    "arguments", [None, 5, [1], "", "[1]", "5", '"text"', "{", '{"a": NaN}', HIDDEN, "[" * 100_000, '{"a":1} x']
)
def test_create_refuses_a_call_whose_arguments_are_not_an_object(arguments: Any) -> None:
    assert "object" in text_of(ToolCall.create, "a", arguments)


@pytest.mark.requirement("FR-004a-39")
def test_a_call_has_no_empty_id() -> None:
    assert "id" in text_of(ToolCall.create, "a", {}, id="")
    assert ToolCall.create("a", {}).id is None


def test_arguments_keep_their_original_form() -> None:
    text = '{ "a" : 1.0 }'
    assert ToolCall.create("a", text).arguments == text
    assert ToolCall.create("a", text).arguments_text() == text
    assert ToolCall.create("a", {"ä": 1, "b": [1, None]}).arguments_text() == '{"ä":1,"b":[1,null]}'


@pytest.mark.requirement("FR-004a-45", "FR-004a-46", "FR-004a-53")
@pytest.mark.parametrize(
    "arguments",
    [
        {"a": object()},
        {"a": float("nan")},
        {"a": float("inf")},
        {"a": {1, 2}},
        {"a": b"x"},
        {"a": "\ud800"},
        {1: 2},
        {"b": {1: "a", "1": "b"}},
        {"a": 10**5000},
        '{"a": 1e999}',
        '{"a": NaN}',
        '{"a": "\\ud800"}',
        '{"a": 1, "a": 1}',
        '{"b": {"a": 1, "a": 2}}',
        '{"a":' * 10_000,
        '{"a": ' + "9" * 5000 + "}",
    ],
    ids=range(16),
)
def test_create_refuses_arguments_that_json_cannot_represent(arguments: Any) -> None:
    assert "arguments" in text_of(ToolCall.create, "a", arguments)


def test_create_copies_arguments_as_json_values() -> None:
    inner = [1, (2, 3)]
    call = ToolCall.create("a", {"b": inner, "n": 2**70})
    inner.append(4)
    assert call.arguments == {"b": [1, [2, 3]], "n": 2**70}
    assert ToolCall.model_validate_json(call.model_dump_json()) == call


@pytest.mark.parametrize("arguments", ['{"a": 1, "b": null}', {"a": 1, "b": None}])
def test_arguments_are_read_as_an_object_in_either_form(arguments: Any) -> None:
    call = ToolCall(name="a", arguments=arguments)
    assert call.arguments_object() == {"a": 1, "b": None}


@pytest.mark.requirement("NFR-004a-12")
def test_arguments_are_parsed_once() -> None:
    call = ToolCall(name="a", arguments='{"a": 1}')
    parsed: list[str] = []

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is parse_arguments.__code__:
            parsed.append(frame.f_locals["arguments"])

    sys.setprofile(watch)
    try:
        assert call.arguments_object() == call.arguments_object() == {"a": 1}
        assert call.get_argument("a", int) == 1
        assert call.arguments_as(dict[str, int]) == {"a": 1}
    finally:
        sys.setprofile(None)
    assert parsed == ['{"a": 1}']
    # What was parsed is no part of the value.
    assert call == ToolCall(name="a", arguments='{"a": 1}')
    assert hash(call) == hash(ToolCall(name="a", arguments='{"a": 1}'))
    assert call.model_dump() == {"name": "a", "arguments": '{"a": 1}'}


class Holder(BaseModel):
    inner: dict[str, Any]


READERS: Final[Mapping[str, Callable[[ToolCall], Any]]] = MappingProxyType(
    {
        "arguments_object": lambda call: call.arguments_object()["inner"],
        "arguments_as a dictionary": lambda call: call.arguments_as(dict[str, Any])["inner"],
        "arguments_as a model": lambda call: call.arguments_as(Holder).inner,
        "get_argument": lambda call: call.get_argument("inner", dict[str, Any]),
        "try_get_argument": lambda call: call.try_get_argument("inner", Any)[1],
    }
)


@pytest.mark.requirement("FR-004a-37")
@pytest.mark.parametrize("arguments", ['{"inner": {"list": [{"a": 1}]}}', {"inner": {"list": [{"a": 1}]}}])
@pytest.mark.parametrize("reader", READERS)
def test_changing_parsed_arguments_does_not_affect_the_call(reader: str, arguments: Any) -> None:
    call = ToolCall(name="a", arguments=copy.deepcopy(arguments))
    read = READERS[reader](call)
    read["list"][0]["a"] = 2
    read["list"].append(3)
    read["more"] = 4
    assert call.arguments_object() == {"inner": {"list": [{"a": 1}]}}
    assert call.arguments == arguments
    assert json.loads(call.arguments_text()) == call.arguments_object()


@pytest.mark.parametrize("other", ['{"a": 2}', {"a": 2}])
@pytest.mark.parametrize("arguments", ['{"a": 1}', {"a": 1}])
def test_a_changed_copy_of_a_call_has_its_own_arguments(arguments: Any, other: Any) -> None:
    call = ToolCall(name="a", arguments=arguments)
    assert call.arguments_object() == {"a": 1}
    assert call.model_copy(update={"arguments": other}).arguments_object() == {"a": 2}
    assert call.arguments_object() == {"a": 1}


def test_arguments_object_and_arguments_text_agree_after_a_change() -> None:
    call = ToolCall(name="a", arguments={"a": {"b": 1}})
    assert call.arguments_object() == {"a": {"b": 1}}
    assert isinstance(call.arguments, dict)
    call.arguments["c"] = 2
    call.arguments["a"]["b"] = 3
    assert json.loads(call.arguments_text()) == call.arguments_object() == {"a": {"b": 3}, "c": 2}


@pytest.mark.requirement("NFR-004a-21")
@pytest.mark.parametrize("arguments", ["", "{", "[1]", HIDDEN])
def test_arguments_that_are_not_an_object_are_kept_and_raise_when_read(arguments: str) -> None:
    call = ToolCall(name="a", arguments=arguments)
    assert call.arguments_text() == arguments
    text_of(call.arguments_object)
    text_of(call.arguments_as, WriteFile)
    text_of(call.get_argument, "a", str)
    assert call.try_get_argument("a", str) == (False, None)


def test_arguments_that_do_not_fit_a_type_are_named_without_their_values() -> None:
    class Closed(BaseModel):
        """A closed object."""

        model_config = ConfigDict(extra="forbid")
        days: list[date]

        @field_validator("days")
        @classmethod
        def _check(cls, _days: list[date]) -> list[date]:
            raise ValueError(HIDDEN)

    call = ToolCall.create("plan", {"days": ["2026-01-01", HIDDEN], HIDDEN: 1})
    found = text_of(call.arguments_as, Closed)
    assert found == "the value does not fit the type: /days/1: date_from_datetime_parsing; extra_forbidden"
    assert text_of(ToolCall.create("plan", {"days": []}).arguments_as, Closed).endswith(": /days: value_error")
    many = ToolCall.create("plan", {"days": ["x"] * 1000})
    assert text_of(many.arguments_as, Closed).count("/days/") == 10


@pytest.mark.requirement("FR-004a-51", "FR-004a-52")
def test_arguments_are_read_as_any_type() -> None:
    call = ToolCall.create("write_file", {"path": "a"})
    assert call.arguments_as(WriteFile) == WriteFile(path="a")
    assert call.arguments_as(WriteFileData) == WriteFileData("a")
    assert call.arguments_as(WriteFileShape) == {"path": "a"}
    assert call.arguments_as(dict[str, str]) == {"path": "a"}


@pytest.mark.requirement("FR-004a-52")
@pytest.mark.parametrize("in_text", [True, False])
def test_arguments_with_any_content_are_read(*, in_text: bool) -> None:
    arguments: dict[str, Any] = {
        "path": "a.txt",
        "content": "",
        "plant": {"name": "oak", "children": [{"name": "leaf", "children": []}, {"name": "", "children": []}]},
        "lines": [1, 2, 0],
        "nothing": None,
        "no": False,
    }
    call = ToolCall.create("write_file", json.dumps(arguments) if in_text else arguments)
    assert call.arguments_as(dict[str, Any]) == arguments
    assert call.arguments_as(Everything).model_dump() == arguments
    assert call.arguments_as(EverythingShape) == arguments


@pytest.mark.requirement("FR-004a-52")
def test_a_validation_error_of_arguments_names_the_rule_but_not_the_value() -> None:
    call = ToolCall.create("a", {"path": [HIDDEN], HIDDEN: 1})
    assert "string_type" in text_of(call.arguments_as, WriteFile)
    text_of(call.arguments_as, dict[str, int])


@pytest.mark.requirement("FR-004a-49", "FR-004a-50", "MAN-3.4")
def test_one_argument_is_read_or_reported_as_missing() -> None:
    call = ToolCall.create("a", {"path": "x", "count": 5, "none": None})
    assert call.try_get_argument("path", str) == (True, "x")
    assert call.try_get_argument("count", int) == (True, 5)
    assert call.try_get_argument("none", type(None)) == (True, None)
    for target in (str, type(None), object, str | None):
        assert call.try_get_argument("missing", target) == (False, None)
        text_of(call.get_argument, "missing", target)
    assert call.try_get_argument("path", int) == (False, None)
    assert call.get_argument("path", str) == "x"
    text_of(call.get_argument, HIDDEN, str)
    text_of(call.get_argument, "path", int)


# Results.


@pytest.mark.requirement("FR-004a-62", "FR-004a-64", "FR-004a-67", "FR-004a-68", "FR-004a-69")
@pytest.mark.parametrize("text", ["", " ", "no such file", " 1\n 2\n", "x" * 10_000])
def test_a_result_is_created_as_success_or_error(text: str) -> None:
    success, error = ToolResult.success("call_1", text), ToolResult.error("call_1", text)
    assert (success.call_id, success.result, success.is_error) == ("call_1", text, False)
    assert (error.call_id, error.result, error.is_error) == ("call_1", text, True)
    assert ToolResult(call_id="call_1", result=text).is_error is False
    assert success == ToolResult(call_id="call_1", result=text, is_error=False)


@pytest.mark.requirement("FR-004a-61", "FR-004a-66", "FR-004a-58")
@pytest.mark.parametrize(("call_id", "result"), [("", "a"), (None, "a"), ("a", None), ("a", {"b": 1}), ("a", 5)])
def test_a_result_requires_an_id_and_a_text(call_id: Any, result: Any) -> None:
    for make in (ToolResult.success, ToolResult.error):
        text_of(make, call_id, result)
    with pytest.raises(ValidationError):
        ToolResult(call_id=call_id, result=result)


@pytest.mark.requirement("FR-004a-16", "FR-004a-58")
def test_the_call_id_is_readable_under_both_names() -> None:
    assert ToolResult.success("call_1", "a").tool_call_id == "call_1"
    assert ToolChatMessage(call_id="call_1").tool_call_id == "call_1"
    assert ToolChatMessage().tool_call_id is None


# Definitions.


@pytest.mark.requirement("FR-004a-74", "FR-004a-87")
@pytest.mark.parametrize("name", BAD_NAMES)
def test_create_refuses_a_tool_with_an_invalid_name(name: Any) -> None:
    assert "name" in text_of(ToolDefinition.create, name, "Reads.", OBJECT)


@pytest.mark.requirement("FR-004a-74")
@pytest.mark.parametrize("name", GOOD_NAMES)
def test_create_accepts_a_tool_with_a_valid_name(name: str) -> None:
    assert ToolDefinition.create(name, "Reads.", OBJECT).name == name


def test_error_texts_describe_the_problem() -> None:
    assert text_of(ToolDefinition.create, "", "Reads.", OBJECT) == "name must not be empty"
    assert "64" in text_of(ToolDefinition.create, "a" * 65, "Reads.", OBJECT)
    assert "object" in text_of(ToolDefinition.create, "a", "Reads.", {"type": "array"})


@pytest.mark.requirement("FR-004a-75", "FR-004a-76", "FR-004a-87")
@pytest.mark.parametrize("description", ["", None, 5])
def test_a_tool_requires_a_description(description: Any) -> None:
    assert "description" in text_of(ToolDefinition.create, "a", description, OBJECT)


@pytest.mark.requirement("FR-004a-77")
def test_a_long_description_is_accepted_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="interlingua"):
        assert len(ToolDefinition.create("a", "x" * 1024, OBJECT).description or "") == 1024
        assert caplog.records == []
        assert len(ToolDefinition.create("a", HIDDEN * 100, OBJECT).description or "") == 2100
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert HIDDEN not in caplog.text


@pytest.mark.requirement("FR-004a-78", "FR-004a-80", "FR-004a-81", "FR-004a-87")
@pytest.mark.parametrize(
    "parameters",
    [
        None,
        [],
        {},
        {"type": "array"},
        {"type": ["object", "null"]},
        {"type": "object", "properties": []},
        {"type": "object", "required": "path"},
        {"type": "object", "required": [1]},
    ],
)
def test_parameters_must_be_an_object_schema(parameters: Any) -> None:
    assert "parameters" in text_of(ToolDefinition.create, "a", "Reads.", parameters)


@pytest.mark.requirement("FR-004a-82", "FR-004a-83")
def test_create_makes_a_strict_tool_by_default() -> None:
    assert ToolDefinition.create("a", "Reads.", OBJECT).strict is True
    assert ToolDefinition.create("a", "Reads.", OBJECT, strict=False).strict is False
    assert ToolDefinition(name="a").strict is None


@pytest.mark.requirement("FR-004a-79")
def test_given_parameters_are_copied() -> None:
    whole: dict[str, Any] = {
        "type": "object",
        "properties": {"a": {"enum": [1], "default": None}},
        "required": ("a",),
        "$defs": {"Path": {"type": "string"}},
        "additionalProperties": False,
        "x-order": [1],
    }
    parameters = copy.deepcopy(whole)
    tool = ToolDefinition.create("a", "Reads.", parameters)
    parameters["type"] = "array"
    parameters["properties"]["a"]["enum"].append(2)
    parameters["properties"]["b"] = {}
    assert tool.parameters == {**whole, "required": ["a"]}


@pytest.mark.requirement("FR-004a-79", "FR-004a-80")
@pytest.mark.parametrize(
    "members",
    [
        {"properties": {"a": {"type": "strng"}}},
        {"properties": {"a": 5}},
        {"properties": {"a": None}},
        {"properties": {"a": {"items": [{}]}}},
        {"properties": {"a": {"anyOf": [{"properties": {"b": {"minimum": "1"}}}]}}},
        {"properties": {"a": {"pattern": "("}}},
        {"properties": {"a": {"enum": {1, 2}}}},
        {"properties": {"a": {"default": object()}}},
        {"properties": {"a": {"default": {1: "a", "1": "b"}}}},
        {"$defs": {"a": {"required": True}}},
        {"required": ["a", "a"]},
        {"additionalProperties": HIDDEN},
        {"$schema": 7},
        {"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": True}},
    ],
    ids=range(14),
)
def test_parameters_that_are_not_a_json_schema_are_refused(members: Any) -> None:
    assert "parameters" in text_of(ToolDefinition.create, "a", "Reads.", {"type": "object", **members})


@pytest.mark.requirement("FR-004a-79", "FR-004a-80")
@pytest.mark.parametrize(
    "members",
    [
        {"properties": {"a": True, "b": False}},
        {"properties": {"type": {"type": ["string", "null"]}}, "additionalProperties": False},
        {"properties": {"a": {"pattern": r"^\p{L}+$"}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"items": [{}]}}},
        {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True},
        {"x-order": {"type": "strng"}, "properties": {"a": {"default": {"type": "strng"}}}},
    ],
    ids=range(6),
)
def test_parameters_valid_by_their_own_metaschema_are_accepted(members: Any) -> None:
    parameters = {"type": "object", **members}
    assert ToolDefinition.create("a", "Reads.", parameters).parameters == parameters


def test_a_type_with_an_invalid_schema_is_refused() -> None:
    class Strange(BaseModel):
        a: Annotated[str, Field(json_schema_extra={"type": "strng"})]

    assert "type" in text_of(ToolDefinition.from_type, Strange, name="a", description="Writes.")


@pytest.mark.requirement("FR-004a-89", "FR-004a-90")
@pytest.mark.parametrize("target", [WriteFile, WriteFileData, WriteFileShape])
def test_a_tool_is_made_from_a_type(target: Any) -> None:
    tool = ToolDefinition.from_type(target, name="write_file", description="Writes.")
    assert tool.parameters is not None
    assert tool.parameters["type"] == "object"
    assert tool.parameters["properties"]["path"]["type"] == "string"
    assert tool.parameters["required"] == ["path"]
    assert (tool.name, tool.description, tool.strict) == ("write_file", "Writes.", True)


@pytest.mark.requirement("FR-004a-90")
def test_descriptions_of_members_are_in_the_schema() -> None:
    tool = ToolDefinition.from_type(Described, name="write_file", description="Writes.", strict=False)
    mode = {"type": "string", "enum": ["new", "append"], "default": "new", "description": "How to write."}
    assert tool.parameters == {
        "type": "object",
        "description": "What a file is written from.",
        "properties": {"path": {"type": "string", "description": "Where it is."}, "mode": mode},
        "required": ["path"],
    }
    plain = ToolDefinition.from_type(WriteFile, name="write_file", description="Writes.", strict=False)
    assert plain.parameters == {
        "type": "object",
        "properties": {"path": {"type": "string"}, "content": {"type": "string", "default": ""}},
        "required": ["path"],
    }


@pytest.mark.requirement("FR-004a-90")
def test_a_recursive_type_makes_a_tool() -> None:
    tool = ToolDefinition.from_type(Tree, name="plant", description="Plants.")
    assert tool.parameters is not None
    assert tool.parameters["type"] == "object"
    assert tool.parameters["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}
    assert "Tree" in tool.parameters["$defs"]


def test_a_type_that_is_not_an_object_is_refused() -> None:
    assert "object" in text_of(ToolDefinition.from_type, int, name="a", description="Counts.")


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (object(), "JSON Schema"),
        (type("Plain", (), {}), "JSON Schema"),
        ("WriteFile", "a type is wanted, not a value of str"),
    ],
)
def test_a_type_without_a_schema_is_refused(target: Any, reason: str) -> None:
    with pytest.raises(InvalidArgumentError, match=reason):
        ToolDefinition.from_type(target, name="a", description="Writes.")


@pytest.mark.requirement("FR-004a-79", "FR-004a-80", "FR-004a-84")
@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("target", [WriteFile, WriteFileData, WriteFileShape, Tree])
def test_the_schema_of_a_type_is_valid_and_has_unique_names(target: Any, *, strict: bool) -> None:
    parameters = ToolDefinition.from_type(target, name="a", description="Writes.", strict=strict).parameters
    assert parameters is not None
    Draft202012Validator.check_schema(parameters)
    assert "title" not in json.dumps(parameters)
    assert (parameters.get("additionalProperties") is False) is strict


# Deltas.


@pytest.mark.requirement("FR-004a-91", "FR-004a-93", "FR-004a-95", "FR-004a-97", "FR-004a-99", "FR-004a-100")
def test_a_delta_has_an_index_and_the_received_members() -> None:
    delta = ToolCallDelta(index=0)
    assert (delta.id, delta.name, delta.arguments_delta) == (None, None, None)
    assert delta.model_dump_json() == '{"index":0}'
    first = ToolCallDelta(index=1, id="call_1", name="read_file", arguments_delta="")
    assert (first.index, first.id, first.name, first.arguments_delta) == (1, "call_1", "read_file", "")
    assert first.model_dump() == {"index": 1, "id": "call_1", "name": "read_file", "arguments_delta": ""}
    assert ToolCallDelta(index=0, arguments_delta='{"pa').arguments_delta == '{"pa'
