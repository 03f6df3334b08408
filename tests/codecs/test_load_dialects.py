"""`il.load_message(s)`: rows that are messages of a dialect, alone, as whole sessions and among rows of versions."""

from __future__ import annotations

import copy
import json
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings

import interlingua as il
from interlingua.errors import DecodeError, JsonDecodeError, MigrationError, UnknownDialectError, UnknownVersionError
from interlingua.registry import descriptor
from interlingua.spi.marks import Marks
from interlingua.transcript.dialect_marks import marked_dialect
from interlingua.validation import bundle
from interlingua_types import CURRENT
from support import corpus
from support.rooms import ROWS
from support.strategies import Documents

Json = dict[str, Any]

ARGUMENTS: Final = '{"city": "Rome"}'
PICTURE: Final = "iVBORw0KGgo="
CHAT: Final[list[Json]] = [
    {"role": "system", "content": "Be short."},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "Warm?"},
            {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
        ],
    },
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": ARGUMENTS}},
            {"id": "c2", "type": "function", "function": {"name": "weather", "arguments": "{}"}},
        ],
    },
    {"role": "tool", "tool_call_id": "c2", "content": "18"},
    {"role": "tool", "tool_call_id": "c1", "content": "31"},
    {"role": "assistant", "content": "31 degrees."},
]
SESSIONS: Final[dict[str, list[Json]]] = {
    "openai_chat": CHAT,
    "vllm": CHAT,
    "claude": [
        {"role": "user", "content": "Warm?"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Two cities.", "signature": "c2ln"},
                {"type": "tool_use", "id": "c1", "name": "weather", "input": {"city": "Rome"}},
                {"type": "tool_use", "id": "c2", "name": "weather", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c2", "content": "18"},
                {"type": "tool_result", "tool_use_id": "c1", "content": "31"},
            ],
        },
        {"role": "assistant", "content": "31 degrees."},
    ],
    "gemini": [
        {"role": "user", "parts": [{"text": "Warm?"}]},
        {
            "role": "model",
            "parts": [
                {"functionCall": {"id": "c1", "name": "weather", "args": {"city": "Rome"}}},
                {"functionCall": {"id": "c2", "name": "weather", "args": {}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"id": "c2", "name": "weather", "response": {"output": "18"}}},
                {"functionResponse": {"id": "c1", "name": "weather", "response": {"output": "31"}}},
            ],
        },
        {"role": "model", "parts": [{"text": "31 degrees."}]},
    ],
    "ollama": [
        {"role": "user", "images": [PICTURE]},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"function": {"name": "weather", "arguments": {"city": "Rome"}}},
                {"function": {"name": "height", "arguments": {}}},
            ],
        },
        {"role": "tool", "tool_name": "height", "content": "18"},
        {"role": "tool", "tool_name": "weather", "content": "31"},
        {"role": "assistant", "content": "31 degrees."},
    ],
    "openai_responses": [
        {"role": "user", "content": [{"type": "input_text", "text": "Warm?"}]},
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Two cities."}]},
        {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": ARGUMENTS},
        {"type": "function_call", "call_id": "c2", "name": "weather", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c2", "output": "18"},
        {"type": "function_call_output", "call_id": "c1", "output": "31"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "31 degrees."}]},
    ],
}
DIALECTS: Final = [pytest.param(name, rows, id=name) for name, rows in SESSIONS.items()]
USER: Final[Json] = {"role": "user", "content": "Warm?"}
CALLING: Final = CHAT[2]
FLAT: Final[Json] = {"role": "assistant", "tool_calls": [{"id": "c3", "name": "weather", "arguments": {}}]}


def answered(loaded: il.Loaded) -> list[tuple[str, Any]]:
    """Return the name of each call that has a result, and what the result is."""
    transcript = il.Transcript(loaded.messages)
    found = []
    for (message, call), result in transcript.answers().items():
        request, answer = transcript[message], transcript[result]
        assert isinstance(request, il.ToolRequestMessage)
        assert isinstance(answer, il.ToolResultMessage)
        found.append((request.data.calls[call].call.arguments_text(), answer.data.output))
    return sorted(found)


def again(messages: tuple[Any, ...], dialect: str) -> Any:
    """Return the messages as a request of their dialect says them."""
    request = il.ChatRequest(dialect=dialect, model="m", messages=tuple(il.to_chat(messages)))
    return il.encode_request(request, dialect).body[descriptor(dialect).messages]


def is_opaque(message: Any) -> bool:
    return message.type == "opaque" or '"opaque"' in il.dump_message_json(message).decode()


@pytest.mark.parametrize(("dialect", "rows"), DIALECTS)
@pytest.mark.parametrize("form", [lambda row: row, json.dumps, lambda row: json.dumps(row).encode()])
def test_stored_messages_of_a_dialect_load_and_are_encoded_unchanged(dialect: str, rows: list[Json], form: Any) -> None:
    before = copy.deepcopy(rows)
    loaded = il.load_messages([form(row) for row in rows], dialect=dialect)
    assert rows == before
    assert loaded.skipped == ()
    assert again(loaded.messages, dialect) == rows
    stored = [il.dump_message_json(message) for message in loaded.messages]
    assert il.load_messages(stored).messages == loaded.messages


@pytest.mark.parametrize(("dialect", "rows"), DIALECTS)
@pytest.mark.parametrize("is_named", [True, False])
def test_results_in_stored_messages_of_a_dialect_stay_with_their_calls(
    dialect: str, rows: list[Json], is_named: bool
) -> None:
    loaded = il.load_messages(rows, dialect=dialect if is_named else None)
    assert loaded.skipped == ()
    assert not any(map(is_opaque, loaded.messages))
    assert sorted(str(result) for _, result in answered(loaded)) == ["18", "31"]
    (asked,) = [result for arguments, result in answered(loaded) if "Rome" in arguments]
    assert asked == "31"
    requests = [one for one in loaded.messages if isinstance(one, il.ToolRequestMessage)]
    assert {call.approval.status for one in requests for call in one.data.calls} == {"approved"}


@pytest.mark.parametrize(
    ("row", "dialect"),
    [
        (CALLING, "openai_chat"),
        ({"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}, "openai_chat"),
        (
            {"role": "assistant", "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "f", "input": "x"}}]},
            "openai_chat",
        ),
        ({"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "31"}]}, "openai_chat"),
        ({"role": "function", "name": "f", "content": "31"}, "openai_chat"),
        (CHAT[1], "openai_chat"),
        ({"role": "user", "content": [{"type": "file", "file": {"file_id": "f1"}}]}, "openai_chat"),
        ({"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]}, "ollama"),
        ({"role": "tool", "tool_name": "f", "content": "31"}, "ollama"),
        ({"role": "user", "images": [PICTURE]}, "ollama"),
        *((row, "claude") for row in SESSIONS["claude"][1:3]),
        (
            {"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "https://a.example/b"}}]},
            "claude",
        ),
        *((row, "gemini") for row in SESSIONS["gemini"]),
        ({"parts": [{"text": "Warm?"}]}, "gemini"),
        *((row, "openai_responses") for row in SESSIONS["openai_responses"]),
        ({"role": "ASSISTANT", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]}, "claude"),
    ],
)
def test_a_row_that_only_one_dialect_writes_is_read_in_that_dialect(row: Json, dialect: str) -> None:
    messages = il.load_message(row)
    assert messages == il.load_message(row, dialect=dialect)
    assert again(messages, dialect)[0].keys() >= {"role"} & row.keys()
    assert not any(map(is_opaque, messages))


@pytest.mark.parametrize(
    "row",
    [
        USER,
        FLAT,
        {"role": "assistant", "content": "Yes.", "reasoning_content": "Hm."},
        {"role": "user", "content": "Look.", "images": [PICTURE]},
        {"role": "user", "content": "Look.", "parts": []},
        {"role": "tool", "tool_call_id": "c1", "content": "31"},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image", "url": "https://a.example/b"}]},
        {"role": "user", "content": [{"type": "hologram", "rays": 7}]},
        {"role": "user", "content": [{"type": "tool_use"}], "extra": {}},
        {"role": "assistant", "content": [{"type": "image_url"}, {"type": "tool_use"}]},
        {"role": "assistant", "content": [{"type": "tool_use"}], "schema_version": 2},
    ],
)
def test_a_row_of_a_schema_version_is_not_taken_for_a_dialect(row: Json) -> None:
    assert [il.dump_message(one) for one in il.load_message(row)] == il.upgrade([row]).documents


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(Documents(bundle(1)).of("Message") | Documents(bundle(2)).of("Message"))
def test_no_document_valid_in_a_sealed_version_is_taken_for_a_dialect(document: Json) -> None:
    held = {"tool_use", "tool_result", "image", "file"}  # what version 2 accepts, and could read nothing of
    content = document.get("content")
    parts = content if isinstance(content, list) else []
    if not any(isinstance(part, dict) and part.get("type") in held for part in parts):
        assert marked_dialect(document) is None
    assert il.load_message(document) != ()


def test_a_version_takes_precedence_over_a_dialect_and_a_stated_version_over_both() -> None:
    row = {"role": "user", "content": "Hi", "name": "Ada"}
    assert il.load_message(row, version=2, dialect="openai_chat") == il.load_message(row, version=2)
    with pytest.raises(MigrationError):
        il.load_message(CALLING, version=1, dialect="openai_chat")
    current = {"schema_version": CURRENT, "type": "text", "data": {"role": "user", "content": "Hi"}}
    assert il.load_message(current, dialect="claude") == il.load_message(current)
    stated = {**FLAT, "schema_version": 1}
    assert il.load_message(stated, dialect="openai_chat") == il.load_message(stated)


def test_a_given_dialect_takes_precedence_over_detection() -> None:
    row = {"role": "user", "content": "Look.", "images": [PICTURE]}
    (seen,) = il.to_chat(il.load_message(row, dialect="ollama"))
    assert isinstance(seen, il.UserChatMessage)
    assert isinstance(seen.content, tuple)
    assert [part.type for part in seen.content] == ["text", "image"]
    (unseen,) = il.to_chat(il.load_message(row))
    assert unseen.text == "Look."


@pytest.mark.parametrize(
    ("dialect", "member"),
    [*((one, "call_id") for one in SESSIONS), *((one, "tool_call_id") for one in ("openai_chat", "vllm", "ollama"))],
)
def test_calls_and_results_of_schema_versions_match_among_rows_of_a_dialect(dialect: str, member: str) -> None:
    result = {"role": "tool", member: "c3", "content": "7"}
    loaded = il.load_messages([*SESSIONS[dialect], FLAT, result], dialect=dialect)
    assert loaded.skipped == ()
    assert sorted(str(found) for _, found in answered(loaded)) == ["18", "31", "7"]


def test_a_row_that_its_dialect_refuses_and_a_version_accepts_is_read_as_that_version() -> None:
    row = {"role": "assistant", "content": None}
    with pytest.raises(DecodeError):
        il.decode_request({"messages": [row]}, "claude")
    assert il.load_messages([USER, row], dialect="claude").messages[1:] == il.load_message(row)


def test_rows_of_versions_and_dialects_can_be_mixed() -> None:
    current = [il.dump_message(one) for one in il.load_messages([USER, FLAT]).messages]
    rows = [*current, {"role": "tool", "tool_call_id": "c3", "content": "7"}, CALLING, *CHAT[3:], *SESSIONS["claude"]]
    loaded = il.load_messages(rows)
    assert loaded.skipped == ()
    assert sorted(str(result) for _, result in answered(loaded)) == ["18", "18", "31", "31", "7"]


@pytest.mark.parametrize(
    ("bad", "dialect", "good"),
    [
        (
            {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": 5}}]},
            "openai_chat",
            CHAT[4],
        ),
        (
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1"}, {"type": "text", "text": 5}]},
            "claude",
            SESSIONS["claude"][2],
        ),
    ],
)
@pytest.mark.parametrize("is_named", [True, False])
def test_a_bad_row_of_a_dialect_is_skipped_and_lists_its_orphaned_results(
    bad: Json, dialect: str, good: Json, is_named: bool
) -> None:
    loaded = il.load_messages([USER, bad, good, USER], dialect=dialect if is_named else None)
    assert [(one.index, one.orphans) for one in loaded.skipped] == [(1, (2,))]
    assert len(il.load_messages([USER, good, USER], dialect=dialect).messages) == len(loaded.messages)


def test_an_error_path_leads_into_the_row_and_the_error_has_no_content() -> None:
    bad = {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": ["hunter2"]}}]}
    with pytest.raises(DecodeError) as caught:
        il.load_message(bad, dialect="openai_chat")
    assert (caught.value.dialect, caught.value.path) == ("openai_chat", "/tool_calls/0/function/name")
    assert "hunter2" not in repr(caught.value) + str(caught.value)
    assert caught.value.__cause__ is None
    with pytest.raises(DecodeError):
        il.load_messages([bad, USER], dialect="openai_chat")


@pytest.mark.parametrize("dialect", ["klingon", "", 7, ["claude"]])
def test_an_unknown_dialect_raises_a_typed_error_regardless_of_other_arguments(dialect: Any) -> None:
    for version in (None, 1):
        with pytest.raises(UnknownDialectError):
            il.load_message(USER, version=version, dialect=dialect)
        with pytest.raises(UnknownDialectError):
            il.load_messages([USER], version=version, dialect=dialect)
    with pytest.raises(UnknownVersionError):
        il.load_messages([USER], version=9, dialect="claude")


def test_values_that_are_not_json_objects_are_not_rows_of_a_dialect() -> None:
    with pytest.raises(MigrationError):
        il.load_message(json.dumps([1]), dialect="claude")
    with pytest.raises(JsonDecodeError):
        il.load_message("{", dialect="claude")


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("dialect", "folder"), [(row.dialect, folder) for row in ROWS.values() for folder in (row.folder, *row.compatible)]
)
def test_messages_of_recorded_requests_load_as_rows_and_are_encoded_unchanged(dialect: str, folder: str) -> None:
    changed = []
    for line in corpus.sample(folder, "request"):
        rows = line["body"].get(descriptor(dialect).messages)
        if not isinstance(rows, list) or not rows or line["id"] in ROWS[dialect].unreadable:
            continue
        loaded = il.load_messages(rows, dialect=dialect)
        is_marked = descriptor(dialect).marks != Marks()  # else only who names the dialect reads its rows
        looked = il.load_messages(rows) if is_marked else loaded
        if loaded.skipped or again(loaded.messages, dialect) != rows or answered(looked) != answered(loaded):
            changed.append(line["id"])
    assert changed == []
