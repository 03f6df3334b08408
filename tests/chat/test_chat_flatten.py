"""Content as text, for services that take nothing else: the rules of 000, when loading, building and sending."""

from __future__ import annotations

import copy
import datetime as dt
import json
import logging
from types import MappingProxyType
from typing import Any, Final

import pytest

import interlingua as il
from interlingua_types import CURRENT

CALLS: Final = [{"id": "call_1", "name": "read_file", "arguments": {"path": "a.txt"}}]
FUNCTIONS: Final = [
    {"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": '{"path":"a.txt"}'}}
]
ARRAY: Final = [{"type": "text", "text": "a"}, {"type": "image", "url": "https://example.com/a.png"}]


def only(message: Any) -> dict[str, Any]:
    """Return what a message becomes that is not the first."""
    first, flat = il.chat.flatten_contents([{"role": "system", "content": "s"}, message])
    assert first == {"role": "system", "content": "s"}
    return flat


# Loading from a session, and building in a tool handler.


@pytest.mark.requirement("NORM-1.1.1", "NORM-2.2.1")
@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize("content", ["", "Hello", "{}", " \n", "\u00e9\u2603"])
def test_text_content_is_unchanged(content: str, role: str) -> None:
    assert only({"role": role, "content": content}) == {"role": role, "content": content}


@pytest.mark.requirement("NORM-1.1.1", "NORM-1.1.2", "NORM-1.2.3", "NORM-1.3.3")
@pytest.mark.parametrize("content", [ARRAY, [], {}, {"a": {"b": [None, 1.5]}}, ["\u2603", 2**70]])
@pytest.mark.parametrize("role", ["user", "assistant", "tool", "system", "developer"])
def test_an_object_or_an_array_becomes_its_json_text(role: str, content: Any) -> None:
    flat = only({"role": role, "content": content, "tool_call_id": "c"})["content"]
    assert isinstance(flat, str)
    assert json.loads(flat) == content
    assert "\\u" not in flat


@pytest.mark.requirement("NORM-1.1.3")
def test_null_content_is_omitted_in_tool_messages_and_empty_text_in_others() -> None:
    assert only({"role": "tool", "content": None, "tool_call_id": "c"}) == {"role": "tool", "tool_call_id": "c"}
    assert only({"role": "tool", "tool_call_id": "c"}) == {"role": "tool", "tool_call_id": "c"}
    for nothing in ({}, {"content": None}):
        assert only({"role": "assistant", **nothing}) == {"role": "assistant", "content": ""}
        assert only({"role": "user", **nothing}) == {"role": "user", "content": ""}


@pytest.mark.requirement("NORM-1.1.4")
def test_other_json_values_become_text() -> None:
    moment = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
    for content, text in ((5, "5"), (True, "true"), (1.5, "1.5"), (2**70, str(2**70)), (b"ab", "ab")):
        assert only({"role": "user", "content": content})["content"] == text
    assert only({"role": "user", "content": moment})["content"] == "2026-01-02T03:04:05Z"
    assert json.loads(only({"role": "user", "content": {"at": moment}})["content"]) == {"at": "2026-01-02T03:04:05Z"}


@pytest.mark.requirement("NORM-2.1.1", "NORM-2.1.2", "NORM-2.1.3")
@pytest.mark.parametrize("nothing", [{}, {"content": None}, {"content": ""}])
def test_an_assistant_message_with_only_calls_has_empty_text_and_its_calls(nothing: dict[str, Any]) -> None:
    functions = [*FUNCTIONS, {**FUNCTIONS[0], "id": "call_2"}]
    expected = {"role": "assistant", "content": "", "tool_calls": functions}
    for calls in ([*CALLS, {**CALLS[0], "id": "call_2"}], functions):
        assert only({"role": "assistant", **nothing, "tool_calls": calls}) == expected
        assert il.chat.flatten_contents([{"role": "assistant", **nothing, "tool_calls": calls}]) == [expected]


@pytest.mark.requirement("NORM-1.2.1", "NORM-1.2.2", "NORM-1.2.3", "NORM-1.3.2", "NORM-2.2.2", "NORM-3.1.4")
def test_models_become_objects_in_the_format_of_the_api() -> None:
    call = il.ToolCall(id="call_1", name="read_file", arguments={"path": "a.txt"})
    messages: list[Any] = [
        il.chat.create_system("Be brief."),
        il.chat.create_user([il.TextPart(text="Look")]),
        il.chat.create_assistant(None, [call]),
        il.chat.create_tool_result("call_1", "done", is_error=True),
        il.chat.create_assistant("There."),
    ]
    flat = il.chat.flatten_contents(messages)
    assert all(type(message) is dict for message in flat)
    assert flat == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": '[{"type":"text","text":"Look"}]'},
        {"role": "assistant", "content": "", "tool_calls": FUNCTIONS},
        {"role": "tool", "content": "done", "tool_call_id": "call_1"},
        {"role": "assistant", "content": "There."},
    ]
    assert il.check_request({"model": "m", "messages": flat}, "openai_chat") == []
    # Models among plain members are written, too.
    assert only({"role": "assistant", "tool_calls": (call,)})["tool_calls"] == FUNCTIONS
    assert only({"role": "user", "content": [il.TextPart(text="Look")]})["content"] == '[{"type":"text","text":"Look"}]'


@pytest.mark.requirement("NORM-1.1.1", "NORM-1.2.1")
def test_stored_rows_are_read_unchanged() -> None:
    rows: list[Any] = [b'{"role":"system","content":"s"}', '{"role":"user","content":["a",{"b":18446744073709551617}]}']
    assert il.chat.flatten_contents(rows) == [
        {"role": "system", "content": "s"},
        {"role": "user", "content": '["a",{"b":18446744073709551617}]'},
    ]


@pytest.mark.requirement("NORM-1.2.1")
def test_a_message_in_any_mapping_type_becomes_a_new_dict() -> None:
    for members in ({"role": "USER", "content": "Hi"}, {"role": "tool", "content": None, "tool_call_id": "c"}):
        flat = only(MappingProxyType(members))
        assert type(flat) is dict
        assert flat == only(members)


@pytest.mark.requirement("NORM-1.1.1", "NORM-1.1.2", "NORM-1.1.3", "NORM-1.1.4")
def test_a_stored_session_is_loaded_with_its_contents_as_text() -> None:
    rows: list[dict[str, Any]] = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": {"a": 1}},
        {"role": "user", "content": [1, "b"]},
        {"role": "user", "content": 5},
        {"role": "assistant", "content": None, "tool_calls": CALLS},
        {"role": "tool", "content": None, "tool_call_id": "call_1"},
    ]
    loaded = il.load_messages(rows, version=1)
    assert loaded.skipped == ()
    texts = [message.data.content for message in loaded.messages if isinstance(message, il.TextMessage)]
    assert texts == ["s", '{"a":1}', '[1,"b"]', "5"]
    written = il.chat.flatten_contents(il.downgrade(map(il.dump_message, loaded.messages), to=1).documents)
    assert [message["content"] for message in written[:5]] == [*texts, ""]
    assert written[5]["tool_call_id"] == "call_1"


# The last look before sending.


@pytest.mark.requirement("NORM-1.3.1", "NORM-1.3.3")
def test_flattening_twice_gives_the_same_result() -> None:
    call = {"name": "files.read", "arguments": {}}
    messages: list[Any] = [
        {"role": "system", "content": ["s"]},
        {"role": "user", "name": "Ada Lovelace", "content": {"a": 1}},
        {"role": "assistant"},
        {"role": "user"},
        {"role": "assistant", "tool_calls": [{**call, "id": "i" * 60}, call]},
        {"role": "tool", "tool_call_id": "i" * 60, "content": 5},
        {"role": "tool", "content": None},
    ]
    once = il.chat.flatten_contents(messages)
    assert [message.get("content") for message in once] == ['["s"]', '{"a":1}', "", "", "", "5", None]
    assert once[4]["tool_calls"][0]["id"] == once[5]["tool_call_id"] != "i" * 60
    assert il.chat.flatten_contents(once) == once


@pytest.mark.requirement("NORM-1.3.4", "NORM-3.2.2")
@pytest.mark.parametrize(
    "first",
    [
        None,
        5,
        "{",
        b"\xff",
        [],
        {},
        {"role": "system"},
        {"role": "system", "content": None},
        {"role": "user", "content": float("nan")},
        {"role": "user", "content": object()},
        {"role": "", "content": "x"},
        {"role": 5, "content": "x"},
        {"role": ["user"], "content": "x"},
        {"content": "x"},
        il.OpaqueChatMessage(dialect="claude", data={}),
        {"schema_version": CURRENT, "type": "text", "data": {"role": "user", "content": "x"}},
    ],
)
def test_a_bad_first_message_raises_and_a_bad_later_one_is_skipped_with_a_reason(
    first: Any, caplog: pytest.LogCaptureFixture
) -> None:
    good = {"role": "user", "content": "x"}
    with pytest.raises(il.InvalidArgumentError, match="the first message: ") as caught:
        il.chat.flatten_contents([first, good])
    assert caught.value.__context__ is None
    flattened = il.chat.flatten([good, first, good])
    is_empty = isinstance(first, dict) and first.get("role") == "system"
    assert flattened.skipped.keys() == (set() if is_empty else {1})
    with caplog.at_level(logging.WARNING, logger="interlingua.chat"):
        flat = il.chat.flatten_contents([good, first, good])
    assert flat == flattened.messages
    assert len(flat) == (3 if is_empty else 2)
    assert ("left out message 1" in caplog.text) is not is_empty


@pytest.mark.requirement("NORM-1.3.4")
def test_a_first_message_with_calls_needs_no_text() -> None:
    (flat,) = il.chat.flatten_contents([{"role": "assistant", "content": None, "tool_calls": CALLS}])
    assert flat["content"] == ""


def test_the_input_is_not_modified() -> None:
    messages: list[Any] = [
        {"role": "system", "content": ["s"], "extra": {"a": [1]}},
        {"role": "assistant", "content": None, "tool_calls": CALLS},
        {"role": "tool", "call_id": "call_1", "content": None},
    ]
    before = copy.deepcopy(messages)
    il.chat.flatten_contents(messages)[0]["role"] = "user"
    assert messages == before


@pytest.mark.requirement("NFR-004a-24")
@pytest.mark.parametrize("nothing", [None, 5, "text", b"[]", {"role": "user", "content": "x"}])
def test_input_that_is_not_a_list_is_refused(nothing: Any) -> None:
    with pytest.raises(il.InvalidArgumentError):
        il.chat.flatten_contents(nothing)


def test_a_single_model_is_not_accepted_as_a_list() -> None:
    with pytest.raises(il.InvalidArgumentError):
        il.chat.flatten_contents(il.chat.create_user("x"))  # type: ignore[arg-type]  # that is the test
