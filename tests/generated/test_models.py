"""The models as values: strict, immutable, equal and hashed by value, silent when printed, light to import."""

from __future__ import annotations

import copy
import importlib
import json
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import to_json

from interlingua_types import CURRENT, VERSIONS, v3
from interlingua_types import current as models
from interlingua_types._base import InterlinguaModel
from support.bundles import bundle, classes, documents
from support.strategies import Documents

HIDDEN = "correct-horse-battery"
MARK_LENGTH = 36
PARTS = TypeAdapter(tuple[models.Part, ...])
MESSAGES = TypeAdapter(tuple[models.AnyMessage, ...])


def refused(check: Any, value: Any) -> set[str]:
    with pytest.raises(ValidationError) as caught:
        check(value)
    return {error["type"] for error in caught.value.errors()}


# Strict scalars.


@pytest.mark.parametrize("value", ["5", b"5", True, 5.5, None, [5], {}, float("nan"), float("inf"), 1e400])
def test_an_integer_member_accepts_only_integers(value: Any) -> None:
    assert refused(models.ToolCallDelta.model_validate, {"index": value})


@pytest.mark.parametrize(("value", "expected"), [(5, 5), (5.0, 5), (1e22, 10**22), (10**30, 10**30), (0, 0)])
def test_an_integer_written_as_a_float_becomes_an_integer(value: Any, expected: int) -> None:
    index = models.ToolCallDelta.model_validate({"index": value}).index
    assert index == expected
    assert type(index) is int


def test_limits_apply_to_an_integer_in_any_form() -> None:
    for value in (-1, -1.0):
        assert refused(models.ToolCallDelta.model_validate, {"index": value}) == {"integer_range"}


@pytest.mark.parametrize("value", [1, 1.0, 0, 10**25, 0.1])
def test_a_number_keeps_its_form(value: float) -> None:
    request = models.ChatRequest.model_validate({"messages": [], "temperature": value})
    assert type(request.temperature) is type(value)
    assert request.temperature == value
    assert json.loads(request.model_dump_json())["temperature"] == value


@pytest.mark.parametrize("value", ["1", b"1", True, float("nan"), float("inf"), None, {}])
def test_a_number_member_accepts_only_numbers(value: Any) -> None:
    execution = {"duration_ms": value}
    if value is None:
        assert models.Execution.model_validate(execution).duration_ms is None
    else:
        assert refused(models.Execution.model_validate, execution)


@pytest.mark.parametrize("value", [5, 5.0, True, b"text", ["text"], {"text": 1}])
def test_a_text_member_accepts_only_text(value: Any) -> None:
    assert "string_type" in refused(models.TextPart.model_validate, {"type": "text", "text": value})


@pytest.mark.parametrize("value", [1, 0, "true", "yes", 1.0])
def test_a_boolean_member_accepts_only_booleans(value: Any) -> None:
    assert refused(models.ChatRequest.model_validate, {"messages": [], "stream": value}) == {"bool_type"}


# Objects.


def test_a_tag_is_optional_in_constructors_and_required_in_documents() -> None:
    assert models.TextPart(text="a") == models.TextPart.model_validate({"type": "text", "text": "a"})
    assert refused(models.TextPart.model_validate, {"text": "a"}) == {"missing"}
    assert refused(PARTS.validate_python, [{"text": "a"}]) == {"union_tag_not_found"}
    assert refused(models.TextMessage.model_validate, {"type": "text", "data": {"role": "user"}}) == {"missing"}
    assert models.TextMessage(data=models.TextData(role=models.MessageRole.USER)).schema_version == CURRENT


def test_a_closed_object_refuses_unknown_members_and_an_open_one_keeps_them() -> None:
    assert refused(models.TextPart.model_validate, {"type": "text", "text": "a", "txet": "b"}) == {"extra_forbidden"}
    older = importlib.import_module("interlingua_types.v2").TextPart
    document = {"type": "text", "text": "a", "later": None}
    assert older.model_validate(document).model_dump() == document


def test_a_reserved_name_is_an_attribute_with_an_underscore_and_the_real_name_in_json() -> None:
    made = models.ResponseFormat(type="json_schema", schema_={"a": 1})
    assert made == models.ResponseFormat(type="json_schema", schema={"a": 1})
    assert made.schema_ == {"a": 1}
    assert made.model_dump() == {"type": "json_schema", "schema": {"a": 1}}
    assert refused(models.ResponseFormat.model_validate, {"type": "json_schema", "schema_": {}}) == {"extra_forbidden"}


@pytest.mark.parametrize("members", [{}, {"url": "a", "data": "b"}, {"url": "a", "file_id": "b"}])
def test_exactly_one_content_member_is_accepted(members: dict[str, str]) -> None:
    assert refused(models.ImagePart.model_validate, {"type": "image", **members}) == {"exactly_one_of"}
    with pytest.raises(ValidationError):
        models.ImagePart(**members)


def test_the_carrier_property_names_the_content_member() -> None:
    assert models.ImagePart(url="a").carrier == "url"
    assert models.FilePart(file_id="a").carrier == "file_id"


def test_lists_are_stored_as_tuples() -> None:
    request = models.ChatRequest(messages=[models.UserChatMessage(content=[models.TextPart(text="a")])], stop=["x"])
    assert request.stop == ("x",)
    assert isinstance(request.messages, tuple)
    assert isinstance(request.messages[0].content, tuple)
    assert request == models.ChatRequest(messages=tuple(request.messages), stop=("x",))


@pytest.mark.requirement("FR-004a-12", "FR-004a-37", "FR-004a-57", "FR-004a-72", "FR-004a-92", "NFR-004a-37")
@pytest.mark.requirement("NFR-004a-23", "NFR-004a-36")
@pytest.mark.parametrize(
    "value",
    [
        models.SystemChatMessage(content=HIDDEN),
        models.DeveloperChatMessage(content=HIDDEN),
        models.UserChatMessage(content=HIDDEN),
        models.AssistantChatMessage(content=HIDDEN, tool_calls=[models.ToolCall(name="a", arguments="{}")]),
        models.ToolChatMessage(call_id="a", content=HIDDEN),
        models.OpaqueChatMessage(dialect="claude", data=HIDDEN),
        models.ToolCall(name="a", arguments="{}"),
        models.ToolResult(call_id="a", result=""),
        models.ToolDefinition(name="a"),
        models.ToolCallDelta(index=0),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_are_immutable(value: InterlinguaModel) -> None:
    before = value.model_dump()
    for name in (*type(value).model_fields, "other"):
        with pytest.raises(ValidationError) as caught:
            setattr(value, name, HIDDEN)
        assert HIDDEN not in str(caught.value)
        with pytest.raises(ValidationError):
            delattr(value, name)
    assert value.model_dump() == before
    assert hash(value) == hash(value.replace())


# Storage.


@pytest.mark.requirement("FR-004a-25")
def test_unset_members_are_not_dumped() -> None:
    message = models.UserChatMessage(content="a")
    expected = {"role": "user", "content": "a"}
    assert message.model_dump() == expected
    assert json.loads(message.model_dump_json()) == expected
    assert json.loads(to_json(message)) == expected
    assert TypeAdapter(models.ChatMessage).dump_python(message) == expected
    assert json.loads(TypeAdapter(list[models.ChatMessage]).dump_json([message])) == [expected]
    assert pickle.loads(pickle.dumps(message)) == message  # noqa: S301 - our own bytes


def test_nulls_inside_free_form_json_are_kept() -> None:
    metadata = {"a": None, "b": [None, {"c": None}]}
    request = models.ChatRequest(messages=[], metadata=metadata)
    assert json.loads(request.model_dump_json())["metadata"] == metadata
    opaque = {"type": "opaque", "dialect": "claude", "data": None}
    assert models.OpaquePart.model_validate(opaque).model_dump() == opaque


# Unions and the fallback.


def test_a_known_message_has_its_own_class() -> None:
    document = {"schema_version": CURRENT, "type": "text", "data": {"role": "user", "content": "a"}}
    assert type(MESSAGES.validate_python([document])[0]) is models.TextMessage


@pytest.mark.requirement("TYPE-2.2.1", "TYPE-2.2.2", "TYPE-2.2.3")
@pytest.mark.parametrize(
    "document",
    [
        {"type": "hologram", "schema_version": CURRENT, "data": {"a": None}},
        {"z": None, "type": "hologram", "a": [1, 1.0, True, None], "id": 5},
        {"schema_version": CURRENT + 1, "type": "text", "data": "anything"},
        {"schema_version": 9},
    ],
)
def test_an_unknown_message_is_kept_unchanged(document: dict[str, Any]) -> None:
    (message,) = MESSAGES.validate_python([document])
    assert isinstance(message, models.UnknownMessage)
    assert message.document == document
    for written in (message.model_dump_json(), to_json(message), MESSAGES.dump_json((message,))[1:-1]):
        assert json.dumps(json.loads(written)) == json.dumps(document)
    assert MESSAGES.validate_json(MESSAGES.dump_json((message,))) == (message,)
    assert hash(MESSAGES.validate_python([copy.deepcopy(document)])[0]) == hash(message)


@pytest.mark.parametrize(
    "document",
    [
        {"type": "text", "schema_version": CURRENT},
        {"type": "text", "data": {"role": "user"}},
        {"type": "text", "schema_version": 2, "data": {"role": "user"}},
        {"schema_version": CURRENT},
        {"schema_version": "9", "type": "text"},
        {"type": 5},
        {},
        [],
        "text",
    ],
)
def test_an_invalid_known_message_is_not_accepted_as_unknown(document: Any) -> None:
    assert refused(MESSAGES.validate_python, [document])
    with pytest.raises(ValidationError):
        models.UnknownMessage.model_validate(document)


def test_changing_the_input_does_not_affect_an_unknown_message() -> None:
    document = {"type": "hologram"}
    (message,) = MESSAGES.validate_python([document])
    document["type"] = "text"
    assert message.model_dump() == {"type": "hologram"}


def core_schemas(model: Any) -> list[dict[str, Any]]:
    """Return every core schema inside that of a type."""
    found: list[dict[str, Any]] = []
    waiting = [TypeAdapter(model).core_schema]
    while waiting:
        node: Any = waiting.pop()
        if isinstance(node, dict):
            if isinstance(node.get("type"), str):
                found.append(node)
            waiting += node.values()
        elif isinstance(node, (list, tuple)):
            waiting += node
    return found


@pytest.mark.parametrize("number", VERSIONS)
def test_unions_are_discriminated_and_not_tried_one_by_one(number: int) -> None:
    for model in classes(number):
        for schema in core_schemas(model):
            if schema["type"] == "union":
                kinds = [choice["type"] for choice in schema["choices"]]
                assert kinds.count("model") + kinds.count("definition-ref") < 2
                assert schema["mode"] == "left_to_right"


@pytest.mark.parametrize("number", VERSIONS)
def test_validation_runs_python_code_only_where_declared(number: int) -> None:
    allowed = {"_whole", "_refuse_several", "_keep_document", "_write_document"}
    for model in classes(number):
        for schema in core_schemas(model):
            if schema["type"].startswith("function"):
                given: Any = schema["function"]
                function = given["function"] if isinstance(given, dict) else given
                assert getattr(function, "func", function).__name__ in allowed


def test_local_names_of_the_caller_are_not_resolved() -> None:
    class Extra:
        pass

    Part = Content = int  # noqa: N806, F841 - names that the module uses for its own types
    adapter = TypeAdapter(tuple[models.AnyMessage, ...])
    part = {"type": "file", "content": [{"type": "text", "text": "a"}]}
    document = {"schema_version": CURRENT, "type": "text", "data": {"role": "user", "content": [part]}, "extra": {}}
    assert isinstance(adapter.validate_python([document])[0].extra, models.Extra)
    assert all(
        model.__pydantic_fields_complete__
        for model in classes(3)
        if isinstance(model, type) and issubclass(model, BaseModel)
    )


# Values.


@pytest.mark.requirement("FR-004a-55", "FR-004a-88")
def test_equal_values_have_equal_hashes() -> None:
    first = models.ToolDefinition(name="a", parameters={"a": [1, {"b": 2}], "c": None})
    second = models.ToolDefinition(name="a", parameters={"c": None, "a": [1.0, {"b": True + 1}]})
    assert first == second
    assert hash(first) == hash(second)
    assert len({first, second, first.replace(name="b")}) == 2
    calls = [models.ToolCall(name="a", arguments=arguments) for arguments in ({"a": {}, "b": 2}, {"b": 2, "a": {}})]
    assert calls[0] == calls[1]
    assert hash(calls[0]) == hash(calls[1])


@pytest.mark.parametrize("number", VERSIONS)
@settings(max_examples=60)
@given(data=st.data())
def test_every_value_equals_its_copy_and_has_the_same_hash(number: int, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(bundle(number)["$defs"])))
    document = data.draw(documents(number).of(name))
    adapter = TypeAdapter(getattr(importlib.import_module(f"interlingua_types.v{number}"), name))
    value, again = adapter.validate_python(document), adapter.validate_python(copy.deepcopy(document))
    assert value == again
    if isinstance(value, BaseModel):
        assert hash(value) == hash(again)
        for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):  # noqa: S301
            assert other == value
            assert hash(other) == hash(value)


def test_replace_validates_and_does_not_modify_the_original() -> None:
    call = models.ToolCall(id="a", name="b", arguments="{}")
    assert call.replace(id="c") == models.ToolCall(id="c", name="b", arguments="{}")
    assert call.replace(id=None) == models.ToolCall(name="b", arguments="{}")
    assert call.id == "a"
    assert refused(lambda name: call.replace(name=name), 5) == {"string_type"}
    assert refused(lambda value: call.replace(other=value), 5) == {"extra_forbidden"}


def test_replace_accepts_both_names_of_a_reserved_member_and_keeps_unknown_ones() -> None:
    made = models.ResponseFormat(type="json_schema", schema_={"a": 1})
    assert made.replace(schema={}) == made.replace(schema_={})
    older = importlib.import_module("interlingua_types.v2").TextPart
    assert older.model_validate({"type": "text", "text": "a", "later": 1}).replace(text="b").model_dump() == {
        "type": "text",
        "text": "b",
        "later": 1,
    }


# Printing.


@pytest.mark.requirement("FR-004a-35", "NFR-004a-20")
def test_repr_shows_kinds_counts_and_ids_but_no_content() -> None:
    message = models.AssistantChatMessage(
        id="msg_1",
        name=HIDDEN,
        reasoning=HIDDEN,
        content=[models.TextPart(text=HIDDEN), models.ImagePart(url=HIDDEN)],
        tool_calls=[models.ToolCall(id="call_1", name=HIDDEN, arguments={HIDDEN: HIDDEN})],
    )
    assert repr(message) == (
        "AssistantChatMessage(role='assistant', reasoning=<21 characters>, content=<2 items: text, image>, "
        "tool_calls=<1 items>, name=<21 characters>, id='msg_1')"
    )
    assert repr(message.tool_calls) == "(ToolCall(id='call_1', name=<21 characters>, arguments=<1 members>),)"
    result = models.ToolChatMessage(call_id="call_1", content=HIDDEN, is_error=True)
    assert repr(result) == "ToolChatMessage(role='tool', call_id='call_1', content=<21 characters>, is_error=True)"
    # What a log line holds is made by `str` and by format strings.
    for value in (message, *(message.tool_calls or ()), result):
        assert str(value) == f"{value}" == f"{value!s:>1}" == repr(value)


def marked_texts(node: Any, key: str = "") -> set[tuple[str, str]]:
    """Return every text of the marked kind with the name of the member that it stands in."""
    if isinstance(node, str):
        return {(key, node)} if len(node) == MARK_LENGTH else set()
    if isinstance(node, dict):
        return {found for name, value in node.items() for found in marked_texts(value, name)}
    return {found for item in node for found in marked_texts(item, key)} if isinstance(node, list) else set()


def shown_members(value: Any) -> frozenset[str]:
    """Return the members that a value, and those inside it, print as they are."""
    if isinstance(value, InterlinguaModel):
        return frozenset(type(value).shown_members).union(*(shown_members(member) for _, member in value))
    return frozenset().union(*map(shown_members, value)) if isinstance(value, tuple) else frozenset()


@pytest.mark.parametrize("number", VERSIONS)
@settings(max_examples=80)
@given(data=st.data())
def test_repr_shows_no_text_except_tags_and_ids(number: int, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(bundle(number)["$defs"])))
    document = data.draw(Documents(bundle(number), texts=st.uuids().map(str)).of(name))
    value = TypeAdapter(getattr(importlib.import_module(f"interlingua_types.v{number}"), name)).validate_python(
        document
    )
    shown = shown_members(value)
    for key, text in marked_texts(document):
        if key not in shown and isinstance(value, BaseModel):
            for printed in (repr(value), str(value), f"{value}", f"{value!r:>5}"):
                assert text not in printed


def test_a_long_id_is_truncated() -> None:
    assert len(repr(models.ToolResult(call_id="a" * 10_000, result=""))) < 150


def test_a_validation_error_hides_the_input() -> None:
    for check in (models.TextPart.model_validate, models.ToolCallDelta.model_validate, models.ToolCall.model_validate):
        with pytest.raises(ValidationError) as caught:
            check({"type": HIDDEN, "index": HIDDEN, "name": 5, "arguments": 7})
        assert HIDDEN not in str(caught.value)


# Loading.


def test_importing_the_package_imports_no_model_and_a_version_imports_no_other() -> None:
    program = """
import sys
import interlingua_types
assert "pydantic" not in sys.modules, "pydantic"
import interlingua_types.v1, interlingua_types.v2, interlingua_types.v3
import interlingua_types.v3.shapes, interlingua_types.migrations
assert "pydantic" not in sys.modules, "pydantic"
assert dir(interlingua_types.v2)[0] == "AssistantMessage"
interlingua_types.v2.TextPart
assert "interlingua_types.v2.models" in sys.modules
assert "interlingua_types.v3.models" not in sys.modules
from interlingua_types.v3 import ChatRequest
from interlingua_types.v3.models import ChatRequest as same
assert ChatRequest is same
"""
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True, timeout=120)


def test_a_missing_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Massage"):
        _ = v3.Massage  # type: ignore[attr-defined]
    assert not hasattr(v3, "__path_to_nowhere__")


@pytest.mark.parametrize("number", VERSIONS)
def test_every_name_is_exported_by_the_package_the_models_and_the_shapes(number: int) -> None:
    expected = sorted(bundle(number)["$defs"])
    package = importlib.import_module(f"interlingua_types.v{number}")
    for module in (
        package,
        *(importlib.import_module(f"interlingua_types.v{number}.{name}") for name in ("models", "shapes")),
    ):
        assert sorted(module.__all__) == expected
        assert all(hasattr(module, name) for name in expected)


def test_the_versions_are_integers_in_order() -> None:
    assert tuple(range(1, len(VERSIONS) + 1)) == VERSIONS
    assert CURRENT in VERSIONS  # a newer one may be open beside it
    assert CURRENT >= 3
    assert type(CURRENT) is int


def test_a_version_can_be_first_used_by_several_threads() -> None:
    program = """
import threading
from interlingua_types import v3
document = {"role": "user", "content": [{"type": "file", "content": [{"type": "text", "text": "a"}]}]}
ready, failures = threading.Barrier(16), []

def use():
    ready.wait(60)
    try:
        message = v3.UserChatMessage.model_validate(document)
        assert v3.UserChatMessage(content=message.content) == message
    except Exception as error:
        failures.append(error)

threads = [threading.Thread(target=use) for _ in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(60)
assert not failures, failures
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_a_copy_with_a_list_instead_of_a_tuple_is_dumped_without_a_warning() -> None:
    first, second = models.UserChatMessage(content="Hello"), models.UserChatMessage(content="Again")
    request = models.ChatRequest(messages=(first,), metadata={"tags": ["a"]})
    longer = request.model_copy(update={"messages": [first, second], "metadata": {"tags": ["b"]}})
    assert longer == request.replace(messages=(first, second), metadata={"tags": ["b"]})
    assert json.loads(longer.model_dump_json())["messages"][1] == {"role": "user", "content": "Again"}
    parts = second.model_copy(update={"content": [models.TextPart(text="Hi")]})
    assert json.loads(parts.model_dump_json())["content"] == [{"type": "text", "text": "Hi"}]
    assert request.model_copy() == request
    assert request.model_copy(update={"model": "m"}, deep=True).model == "m"
