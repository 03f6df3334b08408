"""The records of 004 as values: the members that each has and needs, when two are equal, and how they are stored."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

import pytest
from pydantic import TypeAdapter, ValidationError

from interlingua_types import current as models
from interlingua_types._base import InterlinguaModel

CHAT: Final[TypeAdapter[Any]] = TypeAdapter(models.ChatMessage)
CALL: Final = {"id": "call_1", "name": "read_file", "arguments": {"path": "a"}}

# Two values of every member, by its name.
VALUES: Final[dict[str, tuple[Any, Any]]] = {
    "arguments": ({"path": "a", "deep": [{"b": None}]}, '{"path": "a", "deep": [{"b": null}]}'),
    "arguments_delta": ('{"pa', 'th": 1}'),
    "cache": ({"ttl": "5m"}, {"ttl": "1h"}),
    "call_id": ("call_1", "call_2"),
    "content": ("Hello", [{"type": "text", "text": "Hello"}]),
    "data": ({"a": 1}, {"a": 2}),
    "description": ("Reads.", "Reads a file."),
    "dialect": ("claude", "gemini"),
    "extra": ({"unknown": {"a": 1}}, {"unknown": {"a": 2}}),
    "id": ("id_1", "id_2"),
    "index": (0, 1),
    "is_error": (False, True),
    "kind": ("function", "custom"),
    "name": ("read_file", "write_file"),
    "parameters": ({"type": "object"}, {"type": "object", "properties": {"path": {"default": None}}}),
    "reasoning": ("hm", "aha"),
    "refusal": ("No.", "Never."),
    "result": ("done", ""),
    "strict": (True, False),
    "tool_calls": ([CALL], [CALL, {**CALL, "id": "call_2"}]),
}


class Record(NamedTuple):
    """What a record must have: constants, the members that it needs, those that may be missing, and defaults."""

    constants: dict[str, str]
    needed: tuple[str, ...]
    others: tuple[str, ...]
    defaults: dict[str, Any] = {}  # noqa: RUF012  # nobody changes it

    def document(self, which: int = 0) -> dict[str, Any]:
        """Return a document with all members."""
        return {**self.constants, **{name: VALUES[name][which] for name in (*self.needed, *self.others)}}

    def least(self) -> dict[str, Any]:
        """Return a document with the members that are needed."""
        return {**self.constants, **{name: VALUES[name][0] for name in self.needed}}


COMMON: Final = ("name", "id", "extra")
SPOKEN: Final = ("content", *COMMON)
MESSAGES: Final[dict[type[InterlinguaModel], Record]] = {
    models.SystemChatMessage: Record({"role": "system"}, (), SPOKEN),
    models.DeveloperChatMessage: Record({"role": "developer"}, (), SPOKEN),
    models.UserChatMessage: Record({"role": "user"}, (), SPOKEN),
    models.AssistantChatMessage: Record(
        {"role": "assistant"}, (), ("reasoning", "content", "refusal", "tool_calls", *COMMON)
    ),
    models.ToolChatMessage: Record({"role": "tool"}, (), ("call_id", "content", "is_error", "cache", *COMMON)),
    models.OpaqueChatMessage: Record({"role": "opaque"}, ("dialect", "data"), ("id", "extra")),
}
OTHERS: Final[dict[type[InterlinguaModel], Record]] = {
    models.ToolCall: Record({}, ("name", "arguments"), ("id", "call_id", "kind", "cache", "extra")),
    models.ToolResult: Record({}, ("call_id", "result"), ("is_error",), {"is_error": False}),
    models.ToolDefinition: Record(
        {"type": "function"}, ("name",), ("description", "parameters", "strict", "cache", "extra")
    ),
    models.ToolCallDelta: Record({}, ("index",), ("id", "name", "arguments_delta")),
}
RECORDS: Final = MESSAGES | OTHERS


def every(
    records: dict[type[InterlinguaModel], Record], message: int = 0, **requirements: tuple[int, ...]
) -> list[Any]:
    """Return a case for each record, marked with the requirements of 004 that it proves.

    They are given by the name of the record; `message` is one that each chat message proves.
    """
    proved = {model.__name__: (message,) * (message > 0 and model in MESSAGES) for model in records}
    return [
        pytest.param(
            model,
            record,
            id=model.__name__,
            marks=[
                pytest.mark.requirement(f"FR-004a-{number:02}")
                for number in (*proved[model.__name__], *requirements.get(model.__name__, ()))
            ],
        )
        for model, record in records.items()
    ]


@pytest.mark.requirement("FR-004a-11")
@pytest.mark.parametrize(("model", "record"), every(MESSAGES))
def test_a_chat_message_of_each_role_has_its_own_class(model: type[InterlinguaModel], record: Record) -> None:
    read = CHAT.validate_python(record.document())
    assert type(read) is model
    assert set(model.model_fields) == {*record.constants, *record.needed, *record.others}


@pytest.mark.parametrize(
    ("model", "record"),
    every(OTHERS, ToolCall=(36,), ToolResult=(56, 63), ToolDefinition=(71,), ToolCallDelta=(91, 95, 97, 99)),
)
def test_a_record_has_its_members_and_refuses_others(model: type[InterlinguaModel], record: Record) -> None:
    assert set(model.model_fields) == {*record.constants, *record.needed, *record.others}
    with pytest.raises(ValidationError) as caught:
        model.model_validate({**record.document(), "other": 1})
    assert [(error["type"], error["loc"]) for error in caught.value.errors()] == [("extra_forbidden", ("other",))]


@pytest.mark.parametrize(
    ("model", "record"),
    every(
        RECORDS,
        message=13,
        ToolCall=(40, 44),
        ToolResult=(58, 60),
        ToolDefinition=(73,),
        ToolCallDelta=(93,),
    ),
)
def test_a_record_without_a_required_member_is_refused(model: type[InterlinguaModel], record: Record) -> None:
    for name in (*record.constants, *record.needed):
        document = record.document()
        del document[name]
        with pytest.raises(ValidationError) as caught:
            model.model_validate(document)
        assert [(error["type"], error["loc"]) for error in caught.value.errors()] == [("missing", (name,))]


@pytest.mark.requirement("FR-004a-25", "FR-004a-26")
@pytest.mark.parametrize(
    ("model", "record"),
    every(
        RECORDS,
        message=14,
        AssistantChatMessage=(15,),
        ToolChatMessage=(16,),
        ToolDefinition=(82,),
        ToolCallDelta=(95, 97, 99),
    ),
)
def test_optional_record_members_may_be_absent_or_null_and_are_not_written(
    model: type[InterlinguaModel], record: Record
) -> None:
    optional = [name for name in record.others if name not in record.defaults]
    expected = {**record.least(), **record.defaults}
    for document in (record.least(), {**record.least(), **dict.fromkeys(optional)}):
        value = model.model_validate(document)
        assert [getattr(value, name) for name in optional] == [None] * len(optional)
        assert value.model_dump(mode="json") == json.loads(value.model_dump_json()) == expected


@pytest.mark.parametrize(
    ("model", "record"),
    every(
        RECORDS,
        message=34,
        ToolCall=(55,),
        ToolResult=(70,),
        ToolDefinition=(88,),
    ),
)
def test_records_are_equal_if_all_their_members_are(model: type[InterlinguaModel], record: Record) -> None:
    first, second = (model.model_validate(record.document(which)) for which in (0, 1))
    again = model.model_validate(record.document())
    assert first == again
    assert hash(first) == hash(again)
    for name in (*record.needed, *record.others):
        changed = first.replace(**{name: getattr(second, name)})
        assert changed != first, name
        assert len({changed, first, again}) == 2, name
        if name in record.others:
            assert model.model_validate(
                {member: value for member, value in record.document(1).items() if member != name}
            ) != model.model_validate(record.document(1)), name
    assert first != record.document()
    for other in RECORDS:
        if other is not model:
            assert first != other.model_construct(**first.__dict__), other.__name__


# JSON as it is stored, letter for letter: white space, empty texts, nulls inside free-form JSON, and spelling stay.
STORED: Final[tuple[tuple[type[InterlinguaModel], dict[str, Any]], ...]] = (
    (models.SystemChatMessage, {"role": "system", "content": " You are helpful.\n"}),
    (models.UserChatMessage, {"role": "user", "content": " Write a hello world program \n"}),
    (models.UserChatMessage, {"role": "user", "content": [{"type": "text", "text": " a\t"}], "name": ""}),
    (models.AssistantChatMessage, {"role": "assistant", "content": "\n Done. "}),
    (
        models.AssistantChatMessage,
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"id": "call_001", "name": "write_file", "arguments": {"path": "hello.cs", "a": None}},
                {"id": "call_002", "name": "write_file", "arguments": ' { "path" : "b" }\n'},
            ],
        },
    ),
    (models.ToolChatMessage, {"role": "tool", "call_id": "call_001", "content": "File written successfully\n"}),
    (models.ToolChatMessage, {"role": "tool", "call_id": "call_001", "content": "", "is_error": False}),
    (models.ToolCall, {"id": "call_1", "name": "f", "arguments": ' { "a" : 1.0, "b":null }\n'}),
    (
        models.ToolCall,
        {"id": "a", "call_id": "b", "name": "f", "arguments": {"a": [None, 1.0, {"": " x "}], "b": None}},
    ),
    (models.ToolResult, {"call_id": "call_1", "result": " 1\n 2\n", "is_error": False}),
    (models.ToolResult, {"call_id": "call_1", "result": "", "is_error": True}),
    (
        models.ToolDefinition,
        {
            "type": "function",
            "name": "write_file",
            "description": " Writes.\n",
            "parameters": {"type": "object", "properties": {"a": {"default": None, "const": " "}}, "x-vendor": [None]},
            "strict": False,
        },
    ),
    (models.ToolDefinition, {"type": "function", "name": "now"}),
)


@pytest.mark.requirement(
    "FR-004a-23", "FR-004a-24", "FR-004a-47", "FR-004a-48", "FR-004a-63", "FR-004a-65", "FR-004a-85"
)
@pytest.mark.parametrize(("model", "document"), STORED)
def test_a_record_round_trips_exactly(model: type[InterlinguaModel], document: Any) -> None:
    read = model.model_validate_json(json.dumps(document))
    assert read.model_dump(mode="json") == document
    assert json.loads(read.model_dump_json()) == document
    # By hand it is the same value: what is read is what was written, not merely the same each time.
    assert model(**document) == read
    members = {name: getattr(read, name) for name in document}
    assert {name: value for name, value in members.items() if isinstance(value, str)} == {
        name: value for name, value in document.items() if isinstance(value, str)
    }


@pytest.mark.requirement("FR-004a-18", "FR-004a-36")
def test_the_calls_of_a_parsed_message_are_records_in_an_immutable_list() -> None:
    read: Any = CHAT.validate_python({"role": "assistant", "tool_calls": [CALL, {**CALL, "id": "call_2"}]})
    assert type(read.tool_calls) is tuple
    assert [type(call) for call in read.tool_calls] == [models.ToolCall] * 2
    assert [(call.id, call.name, call.arguments) for call in read.tool_calls] == [
        ("call_1", "read_file", {"path": "a"}),
        ("call_2", "read_file", {"path": "a"}),
    ]


@pytest.mark.requirement("FR-004a-63")
@pytest.mark.parametrize("is_error", ["yes", "false", 0, 1, None, []])
def test_the_error_flag_of_a_result_is_a_boolean(is_error: Any) -> None:
    with pytest.raises(ValidationError):
        models.ToolResult(call_id="call_1", result="", is_error=is_error)


@pytest.mark.requirement("FR-004a-100")
@pytest.mark.parametrize("delta", [{"path": "a"}, ["a"], 5, b"a", True])
def test_an_argument_fragment_is_text(delta: Any) -> None:
    with pytest.raises(ValidationError):
        models.ToolCallDelta(index=0, arguments_delta=delta)
