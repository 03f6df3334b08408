"""What `il.chat.flatten_contents` gives is sent as it is: calls and results as Chat Completions takes them."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il
from support import corpus
from support.rooms import ROWS, Row

Json = dict[str, Any]

SYSTEM: Final[Json] = {"role": "system", "content": "Be brief."}
FLAT: Final[Json] = {"id": "c1", "name": "clock", "arguments": {"zone": "UTC"}}
TEXT: Final[Json] = {"id": "c1", "name": "clock", "arguments": '{"zone":"UTC"}'}
NESTED: Final[Json] = {"id": "c1", "type": "function", "function": {"name": "clock", "arguments": '{"zone":"UTC"}'}}
MODEL: Final = il.ToolCall(id="c1", name="clock", arguments={"zone": "UTC"})
RESULT: Final[Json] = {"role": "tool", "tool_call_id": "c1", "content": "12:00"}


def refused(messages: list[Json]) -> list[tuple[str, str]]:
    """Return what the API would refuse of messages."""
    found = il.check_request({"model": "m", "messages": messages}, "openai_chat")
    return [(one.code, one.path) for one in found]


@pytest.mark.requirement("NORM-1.3.2", "NORM-2.1.2", "NORM-2.1.3")
@pytest.mark.parametrize(
    "call",
    [
        FLAT,
        TEXT,
        NESTED,
        MODEL,
        {"id": "c1", "function": {"name": "clock", "arguments": {"zone": "UTC"}}},
        {"call_id": "c1", "name": "clock", "arguments": {"zone": "UTC"}},
        {"id": "c1", "type": "function", "name": "clock", "arguments": {"zone": "UTC"}},
    ],
)
@pytest.mark.parametrize("is_text", [True, False])
def test_a_call_of_any_form_is_written_in_the_form_of_the_api(call: Any, is_text: bool) -> None:
    row: Any = {"role": "assistant", "content": None, "tool_calls": [call]}
    if is_text and not isinstance(call, il.ToolCall):
        row = json.dumps(row)
    flat = il.chat.flatten_contents([SYSTEM, row, RESULT])
    assert flat == [SYSTEM, {"role": "assistant", "content": "", "tool_calls": [NESTED]}, RESULT]
    assert refused(flat) == []
    assert il.chat.flatten_contents(flat) == flat


def test_a_custom_tool_call_stays_a_custom_tool_call() -> None:
    custom = {"id": "c1", "type": "custom", "custom": {"name": "sh", "input": "ls"}}
    model = il.ToolCall(id="c1", name="sh", arguments="ls", kind="custom")
    for call in (custom, model):
        flat = il.chat.flatten_contents([SYSTEM, {"role": "assistant", "tool_calls": [call]}, RESULT])
        assert flat[1]["tool_calls"] == [custom]
        assert refused(flat) == []


@pytest.mark.parametrize("nothing", [{}, {"arguments": None}])
def test_a_call_without_arguments_has_an_empty_object(nothing: Json) -> None:
    calls = [{"id": "c1", "name": "clock", **nothing}]
    flat = il.chat.flatten_contents([SYSTEM, {"role": "assistant", "tool_calls": calls}, RESULT])
    assert flat[1]["tool_calls"][0]["function"]["arguments"] == "{}"
    assert refused(flat) == []


def test_calls_and_results_without_ids_are_paired_by_name_and_by_order() -> None:
    calls = [{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}, {"name": "g", "arguments": {}}]
    rows: list[Any] = [
        SYSTEM,
        {"role": "assistant", "tool_calls": calls},
        {"role": "tool", "name": "g", "content": "of g"},
        il.ToolChatMessage(content="of f"),
        {"role": "tool", "tool_name": "g", "content": "of g, too"},
    ]
    flat = il.chat.flatten_contents(rows)
    ids = [call["id"] for call in flat[1]["tool_calls"]]
    assert [message["tool_call_id"] for message in flat[2:]] == [ids[1], ids[0], ids[2]]
    assert refused(flat) == []


@pytest.mark.requirement("NORM-3.1.4")
@pytest.mark.parametrize("member", ["tool_call_id", "call_id", "id"])
def test_a_result_names_its_call_by_tool_call_id(member: str) -> None:
    calling = {"role": "assistant", "tool_calls": [{**FLAT, "id": "c0"}, FLAT]}
    rows = [SYSTEM, calling, {"role": "tool", member: "c1", "content": "1"}, {**RESULT, "tool_call_id": "c0"}]
    flat = il.chat.flatten_contents(rows)
    assert flat[2] == {"role": "tool", "content": "1", "tool_call_id": "c1"}
    assert refused(flat) == []


def test_an_id_that_is_no_text_is_replaced() -> None:
    calls = [
        {"id": ["c1"], "name": "clock", "arguments": {}},
        {"id": {}, "call_id": "c2", "name": "f", "arguments": {}},
    ]
    results = [{"role": "tool", "content": "12:00"}, {"role": "tool", "call_id": "c2", "content": "x"}]
    flat = il.chat.flatten_contents([SYSTEM, {"role": "assistant", "tool_calls": calls}, *results])
    assert [call["id"] for call in flat[1]["tool_calls"]] == ["call_1_0", "c2"]
    assert [one["tool_call_id"] for one in flat[2:]] == ["call_1_0", "c2"]


def test_ids_and_names_that_the_api_refuses_are_replaced_consistently() -> None:
    call = {"id": "i" * 60, "name": "files.read", "arguments": {}}
    rows = [
        {"role": "user", "name": "Ada Lovelace", "content": "Read."},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "i" * 60, "content": "1"},
    ]
    flat = il.chat.flatten_contents(rows)
    assert refused(flat) == []
    assert flat[1]["tool_calls"][0]["id"] == flat[2]["tool_call_id"]
    assert il.chat.flatten_contents(rows) == flat


def test_consecutive_assistant_messages_are_joined_if_the_first_has_calls() -> None:
    rows: list[Any] = [
        SYSTEM,
        il.AssistantChatMessage(content="One.", tool_calls=[MODEL]),
        il.AssistantChatMessage(content="Two.", tool_calls=[MODEL.model_copy(update={"id": "c2"})]),
        RESULT,
        {**RESULT, "tool_call_id": "c2"},
    ]
    flat = il.chat.flatten_contents(rows)
    assert [message["role"] for message in flat] == ["system", "assistant", "tool", "tool"]
    assert flat[1]["content"] == "One.\n\nTwo."
    assert refused(flat) == []


@pytest.mark.requirement("NORM-2.2.2")
def test_an_assistant_message_without_calls_has_no_tool_calls_member() -> None:
    for nothing in ([], None, ()):
        flat = il.chat.flatten_contents([SYSTEM, {"role": "assistant", "content": "Yes.", "tool_calls": nothing}])
        assert flat[1] == {"role": "assistant", "content": "Yes."}
        assert refused(flat) == []


@pytest.mark.requirement("NORM-1.2.2")
def test_only_members_known_to_the_api_are_written_for_a_model() -> None:
    model = il.AssistantChatMessage(
        id="m1",
        content="Yes.",
        reasoning="Hm.",
        refusal=[il.TextPart(text="But no.")],
        tool_calls=[il.ToolCall(id="c1", name="clock", arguments={}, extra={"unknown": {"a": 1}})],
        extra={"unknown": {"b": 2}},
    )
    flat = il.chat.flatten_contents([SYSTEM, model, il.ToolChatMessage(call_id="c1", id="m2", name="clock")])
    assert flat[1].keys() == {"role", "content", "refusal", "tool_calls"}
    assert flat[1]["refusal"] == "But no."
    assert flat[1]["tool_calls"][0].keys() == {"id", "type", "function"}
    assert flat[2] == {"role": "tool", "content": "", "tool_call_id": "c1"}
    assert refused(flat) == []


@pytest.mark.requirement("NORM-3.2.3")
@pytest.mark.parametrize(
    "bad",
    [
        {"role": "robot", "content": "x"},
        {"role": "assistant", "tool_calls": {"id": "c1"}},
        {"role": "assistant", "tool_calls": [5]},
        {"role": "assistant", "tool_calls": [{"id": "c1", "arguments": {}}]},
        {"role": "assistant", "tool_calls": [{"id": "c1", "name": "f", "arguments": 5}]},
        {"role": "assistant", "tool_calls": [{"id": "c1", "name": "f", "arguments": {"a": float("nan")}}]},
        {"role": "assistant", "tool_calls": [{"id": "c1", "name": "f", "arguments": {"a": object()}}]},
    ],
)
def test_a_message_that_cannot_be_represented_is_skipped_with_a_reason(bad: Json) -> None:
    flattened = il.chat.flatten([SYSTEM, bad, {"role": "USER", "content": "Hi"}])
    assert flattened.messages == [SYSTEM, {"role": "user", "content": "Hi"}]
    assert flattened.skipped.keys() == {1}
    with pytest.raises(il.InvalidArgumentError):
        il.chat.flatten([bad])


@pytest.mark.corpus
@pytest.mark.requirement("NORM-1.3.1", "NORM-1.3.2", "NORM-1.3.3")
@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.dialect)
def test_recorded_conversations_are_flattened_to_messages_that_the_api_accepts(row: Row) -> None:
    wrong = []
    for line in corpus.sample(row.folder, "request"):
        if line["id"] in row.unreadable:
            continue
        request = il.decode_request(line["body"], row.dialect)
        models = [message for message in request.messages if message.role != "opaque"]
        if not models:
            continue
        plain = [message.model_dump(mode="json") for message in models]
        documents = [il.dump_message(message) for message in il.from_chat(models)]
        forms: list[list[Any]] = [
            models,
            plain,
            [pair[place % 2] for place, pair in enumerate(zip(models, plain, strict=True))],
            il.downgrade(documents, to=2).documents,
            il.downgrade(documents, to=1).documents,
        ]
        for form in forms:
            flat = il.chat.flatten_contents(form)
            assert all(isinstance(message.get("content", ""), str) for message in flat)
            if not set(refused(flat)) <= set(refused(encoded(request))):
                wrong.append((line["id"], refused(flat)))
    assert wrong == []


def encoded(request: il.ChatRequest) -> list[Json]:
    """Return the messages of a request as the codec writes them abroad."""
    stranger = request.model_copy(update={"dialect": None})
    messages: list[Json] = il.encode_request(stranger, "openai_chat").body["messages"]
    return messages
