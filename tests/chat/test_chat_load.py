"""`il.chat.load` and stored histories: chat messages as people write them in JSON, by the words of 004 too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings

import interlingua as il
from interlingua.validation import bundle
from interlingua_types import CURRENT
from support.strategies import Documents

if TYPE_CHECKING:
    from collections.abc import Callable

Json = dict[str, Any]

CALL: Final[Json] = {"id": "call_001", "name": "write_file", "arguments": {"path": "hello.cs"}}
# The examples of 004, letter for letter.
PRINTED: Final[list[Json]] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Write a hello world program"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call_001", "content": "File written successfully"},
    {"role": "assistant", "content": "Done."},
]
READ: Final = (
    il.SystemChatMessage(content="Be kind."),
    il.UserChatMessage(content="Write a hello world program"),
    il.AssistantChatMessage(tool_calls=(il.ToolCall(**CALL),)),
    il.ToolChatMessage(call_id="call_001", content="File written successfully"),
    il.AssistantChatMessage(content="Done."),
)
FORMS: Final = pytest.mark.parametrize("form", [lambda one: one, json.dumps, lambda one: json.dumps(one).encode()])


@FORMS
@pytest.mark.requirement("FR-004a-24", "NFR-004a-31")
def test_the_example_messages_of_004_are_read(form: Callable[[Any], Any]) -> None:
    assert tuple(il.chat.load(form(document)) for document in PRINTED) == READ
    assert READ[3].tool_call_id == "call_001"


@pytest.mark.requirement("NFR-004a-31")
@FORMS
def test_undeclared_members_are_kept_as_unknown(form: Callable[[Any], Any]) -> None:
    written = {
        "role": "assistant",
        "content": [{"type": "text", "text": "Hi", "tone": "warm"}],
        "tool_calls": [{**CALL, "index": 0}],
        "provider_specific_field": {"a": None},
        "extra": {"unknown": {"old": 1}},
    }
    message = il.chat.load(form(written))
    assert isinstance(message, il.AssistantChatMessage)
    dumped = message.model_dump(mode="json")
    assert dumped["extra"]["unknown"] == {"old": 1, "provider_specific_field": {"a": None}}
    assert dumped["content"][0]["extra"]["unknown"] == {"tone": "warm"}
    assert dumped["tool_calls"][0]["extra"]["unknown"] == {"index": 0}
    assert il.chat.load(dumped) == message
    assert il.validate(dumped, union="chat_message") == []


@pytest.mark.parametrize(
    ("written", "call_id", "unknown"),
    [
        ({"tool_call_id": "c1"}, "c1", None),
        ({"tool_call_id": "c1", "call_id": "c1"}, "c1", None),
        ({"tool_call_id": "c1", "call_id": None}, "c1", None),
        ({"tool_call_id": None, "call_id": "c1"}, "c1", None),
        ({"tool_call_id": "c2", "call_id": "c1"}, "c1", {"tool_call_id": "c2"}),
    ],
)
def test_the_call_id_of_a_result_is_read_under_either_name(written: Json, call_id: str, unknown: Json | None) -> None:
    message = il.chat.load({"role": "tool", "content": "1", **written})
    assert isinstance(message, il.ToolChatMessage)
    assert message.tool_call_id == call_id
    assert (message.extra.unknown if message.extra else None) == unknown


def test_only_a_result_has_a_call_id() -> None:
    message = il.chat.load({"role": "user", "content": "Hi", "tool_call_id": "c1"})
    assert message == il.UserChatMessage(content="Hi", extra=il.Extra(unknown={"tool_call_id": "c1"}))
    assert il.chat.load({"role": "user", "content": "Hi", "tool_call_id": None}) == il.UserChatMessage(content="Hi")


@pytest.mark.parametrize("word", ["TOOL", "Tool"])
def test_role_names_are_read_case_insensitively(word: str) -> None:
    assert il.chat.load({**PRINTED[3], "role": word}) == READ[3]


@settings(max_examples=60, deadline=None)
@given(Documents(bundle(3)).of("ChatMessage"))
def test_a_message_in_the_format_of_the_schema_is_read_unchanged(document: Json) -> None:
    message = il.chat.load(document)
    assert il.chat.load(message.model_dump(mode="json")) == message
    assert il.ChatRequest.model_validate({"messages": [document]}).messages == (message,)


@pytest.mark.requirement("MAN-2.2")
@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"role": "robot", "content": "hunter2"}, "/role"),
        ({"content": "hunter2"}, "/role"),
        ({"role": "user", "content": 5}, "/content"),
        ({"role": "tool", "tool_call_id": 5, "content": "hunter2"}, "/call_id"),
        ([], ""),
        (5, ""),
    ],
)
def test_a_value_that_is_not_a_chat_message_raises_an_error_with_a_path_and_without_content(
    document: Any, path: str
) -> None:
    with pytest.raises(il.MigrationError) as caught:
        il.chat.load(document)
    assert caught.value.path == path
    assert caught.value.__context__ is None
    assert "hunter2" not in str(caught.value)


@pytest.mark.requirement("NFR-004a-26", "NFR-004a-22")
@pytest.mark.parametrize("text", ["", "{", b"\xff", "[NaN]", "\ud800", '{"hunter2'])
def test_text_that_is_not_json_raises_an_error_of_the_library(text: str | bytes) -> None:
    with pytest.raises(il.JsonDecodeError) as caught:
        il.chat.load(text)
    assert caught.value.__context__ is caught.value.__cause__ is None
    assert "hunter2" not in str(caught.value)


@pytest.mark.requirement("NFR-004a-19")
@FORMS
def test_text_is_not_unicode_normalised(form: Callable[[Any], Any]) -> None:
    for content in ("\u00e9", "e\u0301", "\ufb01", "\uff21", "\u212b"):
        assert il.chat.load(form({"role": "user", "content": content})).text == content
        written = json.dumps({"role": "user", "content": content}, ensure_ascii=False)
        assert il.chat.load(written).text == il.chat.load(written.encode()).text == content


@pytest.mark.requirement("NFR-004a-31")
def test_a_stored_history_accepts_messages_in_the_form_of_004() -> None:
    text = json.dumps({"schema_version": CURRENT, "messages": [*PRINTED[:-1], {**PRINTED[-1], "model": "m"}]})
    history = il.ConversationHistory.from_json(text)
    assert history.get_messages()[:4] == READ[:4]
    assert history.get_messages()[4] == READ[4].replace(extra=il.Extra(unknown={"model": "m"}))
    assert il.ConversationHistory.from_json(history.to_json()).get_messages() == history.get_messages()
    with pytest.raises(il.MigrationError) as caught:
        il.ConversationHistory.from_json('{"schema_version": 3, "messages": [{"role": "user", "content": 5}]}')
    assert caught.value.path.startswith("/messages/0/")
