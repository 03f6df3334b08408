"""Counterparts of the tests that 004 lists for ToolDefinition and ToolCallDelta, in Python's spelling."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from interlingua_types.current import ToolCallDelta, ToolDefinition

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


class WriteFileArgs(BaseModel):
    path: str
    content: str


class ReadFileArgs(BaseModel):
    path: str
    encoding: str | None = None


def listed(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.requirement(*(f"TEST-{name}" for name in names))


# ToolDefinition.


@listed("ToolDefinition.Should_Be_Immutable")
def test_a_changed_copy_does_not_affect_the_definition() -> None:
    definition = ToolDefinition(name="read_file", description="Read contents of a file", parameters=SCHEMA)
    modified = definition.replace(name="write_file")
    assert (definition.name, modified.name) == ("read_file", "write_file")
    assert definition is not modified
    with pytest.raises(ValidationError):
        definition.name = "write_file"


@listed("ToolDefinition.Should_Validate_Name_NonEmpty")
def test_an_empty_name_is_refused() -> None:
    with pytest.raises(ValueError, match=r"name.*empty"):
        ToolDefinition.create("", "Description", SCHEMA)


@listed("ToolDefinition.Should_Accept_Valid_Names")
@pytest.mark.parametrize("name", ["read_file", "write_file", "execute_command", "search_codebase", "tool123"])
def test_a_valid_name_is_accepted(name: str) -> None:
    assert ToolDefinition.create(name, "Description", SCHEMA).name == name


@listed("ToolDefinition.Should_Reject_Invalid_Name_Characters")
@pytest.mark.parametrize("name", ["read-file", "read file", "read.file", "read@file"])
def test_a_name_with_other_characters_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        ToolDefinition.create(name, "Description", SCHEMA)


@listed("ToolDefinition.Should_Enforce_Name_MaxLength", "ToolDefinition.Should_Accept_Name_At_MaxLength")
def test_a_name_has_at_most_64_characters() -> None:
    with pytest.raises(ValueError, match="64"):
        ToolDefinition.create("a" * 65, "Description", SCHEMA)
    assert len(ToolDefinition.create("a" * 64, "Description", SCHEMA).name) == 64


@listed("ToolDefinition.Should_Require_Description", "ToolDefinition.Should_Require_Description_NonNull")
@pytest.mark.parametrize("description", ["", None])
def test_a_description_is_required(description: Any) -> None:
    with pytest.raises(ValueError, match="description"):
        ToolDefinition.create("tool", description, SCHEMA)


@listed("ToolDefinition.Should_Warn_Long_Description")
def test_a_long_description_is_accepted_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        definition = ToolDefinition.create("tool", "x" * 1025, SCHEMA)
    assert definition.description == "x" * 1025
    assert len(caplog.records) == 1


@listed("ToolDefinition.Should_Require_Object_Schema")
def test_a_schema_of_another_type_is_refused() -> None:
    with pytest.raises(ValueError, match="object"):
        ToolDefinition.create("tool", "desc", {"type": "array", "items": {"type": "string"}})


@listed("ToolDefinition.Should_Accept_Valid_Schema")
def test_an_object_schema_is_accepted() -> None:
    properties = {
        "path": {"type": "string", "description": "File path"},
        "content": {"type": "string", "description": "Content"},
    }
    schema = {"type": "object", "properties": properties, "required": ["path", "content"]}
    assert ToolDefinition.create("write_file", "Writes a file", schema).parameters == schema


@listed("ToolDefinition.Should_Default_Strict_True", "ToolDefinition.Should_Allow_Strict_False")
def test_a_definition_is_strict_by_default() -> None:
    assert ToolDefinition.create("tool", "desc", SCHEMA).strict is True
    assert ToolDefinition.create("tool", "desc", SCHEMA, strict=False).strict is False


@listed(
    "ToolDefinition.CreateFromType_Should_Generate_Schema",
    "ToolDefinition.CreateFromType_Should_Include_Required",
)
def test_a_definition_is_made_from_a_type() -> None:
    definition = ToolDefinition.from_type(WriteFileArgs, name="write_file", description="Write content to a file")
    assert (definition.name, definition.description) == ("write_file", "Write content to a file")
    assert definition.parameters is not None
    assert definition.parameters["type"] == "object"
    assert "path" in definition.parameters["properties"]
    assert definition.parameters["required"] == ["path", "content"]


@listed("ToolDefinition.CreateFromType_Should_Handle_Optional_Properties")
def test_members_with_a_default_are_not_required() -> None:
    definition = ToolDefinition.from_type(ReadFileArgs, name="read_file", description="Read file contents")
    assert definition.parameters is not None
    assert "encoding" in definition.parameters["properties"]
    assert "encoding" not in definition.parameters["required"]


@listed("ToolDefinition.Should_Serialize_To_Json", "ToolDefinition.Should_Serialize_Strict_When_False")
def test_a_definition_is_written_as_json() -> None:
    text = ToolDefinition.create("read_file", "Read a file", SCHEMA, strict=False).model_dump_json()
    assert '"name":"read_file"' in text
    assert '"description":"Read a file"' in text
    assert '"parameters":' in text
    assert '"strict":false' in text


@listed("ToolDefinition.Should_Deserialize_From_Json")
def test_a_definition_is_read_from_json() -> None:
    document = {
        "type": "function",
        "name": "execute_command",
        "description": "Execute a shell command",
        "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
        "strict": True,
    }
    definition = ToolDefinition.model_validate_json(json.dumps(document))
    assert (definition.name, definition.description) == ("execute_command", "Execute a shell command")
    assert definition.strict is True


@listed("ToolDefinition.Should_Match_OpenAI_Function_Format")
def test_a_definition_has_the_members_of_a_function() -> None:
    document = json.loads(ToolDefinition.create("my_tool", "My tool description", SCHEMA).model_dump_json())
    assert {"name", "description", "parameters"} <= document.keys()
    assert "type" in document["parameters"]


@listed("ToolDefinition.Should_Implement_Value_Equality", "ToolDefinition.Should_Detect_Inequality")
def test_definitions_are_equal_by_value() -> None:
    first, second = ToolDefinition.create("tool", "desc", SCHEMA), ToolDefinition.create("tool", "desc", dict(SCHEMA))
    assert first == second
    assert hash(first) == hash(second)
    assert first != ToolDefinition.create("tool2", "desc", SCHEMA)


# ToolCallDelta.


@listed("ToolCallDelta.Should_Be_Immutable")
def test_a_changed_copy_does_not_affect_the_delta() -> None:
    delta = ToolCallDelta(index=0, id="call_123", name="read_file")
    modified = delta.replace(index=1)
    assert (delta.index, modified.index) == (0, 1)
    assert delta is not modified
    with pytest.raises(ValidationError):
        delta.index = 1


@listed("ToolCallDelta.Should_Have_Index", "ToolCallDelta.Should_Accept_Valid_Index_Values")
@pytest.mark.parametrize("index", [0, 1, 2, 5, 10])
def test_a_delta_has_an_index(index: int) -> None:
    assert ToolCallDelta(index=index).index == index


@listed("ToolCallDelta.Index_Identifies_Which_ToolCall")
def test_the_index_distinguishes_parallel_calls() -> None:
    assert ToolCallDelta(index=0, name="read_file").index != ToolCallDelta(index=1, name="write_file").index


@listed("ToolCallDelta.Should_Allow_Only_Index", "ToolCallDelta.Subsequent_Deltas_Only_Need_ArgumentsDelta")
def test_a_later_delta_needs_no_id_and_no_name() -> None:
    bare = ToolCallDelta(index=0)
    assert (bare.id, bare.name, bare.arguments_delta) == (None, None, None)
    later = ToolCallDelta(index=0, arguments_delta='{"pa')
    assert (later.id, later.name, later.arguments_delta) == (None, None, '{"pa')


@listed("ToolCallDelta.First_Delta_Should_Have_Id_And_Name")
def test_a_first_delta_names_the_call() -> None:
    first = ToolCallDelta(index=0, id="call_abc123", name="write_file")
    assert (first.id, first.name) == ("call_abc123", "write_file")


@listed("ToolCallDelta.Should_Support_ArgumentsDelta", "ToolCallDelta.ArgumentsDelta_Can_Be_Empty_String")
@pytest.mark.parametrize("text", ['th": "test.cs', ""])
def test_a_delta_has_any_fragment_of_text(text: str) -> None:
    assert ToolCallDelta(index=0, arguments_delta=text).arguments_delta == text


@listed("ToolCallDelta.ArgumentsDelta_Can_Be_Partial_Json", "ToolCallDelta.Should_Support_Accumulation_Pattern")
def test_the_joined_fragments_are_the_whole_text() -> None:
    deltas = [
        ToolCallDelta(index=0, id="call_xyz", name="search", arguments_delta="{"),
        ToolCallDelta(index=0, arguments_delta='"query"'),
        ToolCallDelta(index=0, arguments_delta=': "test"}'),
    ]
    assert next(delta.id for delta in deltas if delta.id) == "call_xyz"
    assert next(delta.name for delta in deltas if delta.name) == "search"
    assert "".join(delta.arguments_delta or "" for delta in deltas) == '{"query": "test"}'


@listed("ToolCallDelta.Should_Handle_Multiple_Parallel_ToolCalls")
def test_deltas_of_parallel_calls_are_separate() -> None:
    deltas = [
        ToolCallDelta(index=0, id="call_1", name="read_file"),
        ToolCallDelta(index=1, id="call_2", name="write_file"),
        ToolCallDelta(index=0, arguments_delta='{"path":"a.cs"}'),
        ToolCallDelta(index=1, arguments_delta='{"path":"b.cs"}'),
    ]
    texts = ["".join(delta.arguments_delta or "" for delta in deltas if delta.index == index) for index in (0, 1)]
    assert texts == ['{"path":"a.cs"}', '{"path":"b.cs"}']


@listed("ToolCallDelta.Should_Serialize_To_Json", "ToolCallDelta.Should_Omit_Null_Properties")
def test_a_delta_is_written_as_json_without_absent_members() -> None:
    text = ToolCallDelta(index=0, id="call_123", name="read_file", arguments_delta='{"path":"').model_dump_json()
    assert '"index":0' in text
    assert '"id":"call_123"' in text
    assert ToolCallDelta(index=0).model_dump_json() == '{"index":0}'
