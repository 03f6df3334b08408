"""What users suffered from in stored conversations (docs/pain.md), with a transcript, each entry by its id."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interlingua as il
from support.bundles import documents
from support.transcripts import call, request, result, said, texts, transcript, user

DIALECTS: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm")


def reopened(story: il.Transcript) -> il.Transcript:
    """Return a transcript that was written to a file, and read by another process."""
    return il.Transcript.from_document(json.dumps(story.to_document()).encode())


def sent(story: il.Transcript, dialect: str) -> Any:
    """Return the request that a transcript becomes; it breaks no rule."""
    told = il.ChatRequest(messages=tuple(il.to_chat(story)), max_tokens=9)
    body = il.encode_request(told, dialect, model="m").body
    assert il.check_request(body, dialect) == []
    return body


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("source", DIALECTS)
def test_his_6_calls_and_results_are_stored_and_usable_with_another_provider(source: str, target: str) -> None:
    spoken = il.ChatResponse(
        messages=(il.AssistantChatMessage(content="I look.", tool_calls=(call("call_1", city="Rome"),)),),
        finish_reason="tool_calls",
    )
    wire = il.encode_response(spoken, source).body
    story = transcript([user("How warm is it?")])
    story.extend(il.from_chat(il.decode_response(wire, source).messages))
    asked = story[-1]
    story.append(result(asked.data.calls[0].call.id, {"degrees": 31}, name="look_up"))
    again = reopened(story)
    assert again.messages == story.messages
    read = il.decode_request(sent(again, target), target)
    calls = [one for message in read.messages if message.role == "assistant" for one in message.tool_calls or ()]
    results = [message for message in read.messages if message.role == "tool"]
    assert [(one.name, one.arguments_object()) for one in calls] == [("look_up", {"city": "Rome"})]
    assert [json.loads(str(one.content)) for one in results] == [{"degrees": 31}]
    assert results[0].call_id in {calls[0].id, None}


def conversation() -> Any:
    """Return three turns, one of them with a call."""
    return transcript(
        [
            said("system", "You help.", id="s"),
            user("one", id="u1"),
            said("assistant", "1", id="a1"),
            user("two", id="u2"),
            request(call("c"), status="approved", id="q"),
            result("c", "found", name="look_up").replace(id="r"),
            said("assistant", "2", id="a2"),
            user("three", id="u3"),
        ]
    )


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("place", [1, 2, 3, 5, 6, 7])
def test_his_7_returning_to_a_message_restores_exactly_its_history(dialect: str, place: int) -> None:
    story = conversation()
    ancestors = story.messages[: place + 1]
    story.fork("again", after=story[place].id)
    story.switch("again")
    story.append(user("another way"))
    expected = transcript([*ancestors, user("another way")])
    again = reopened(story)
    for one in (story, again):
        assert il.to_chat(one) == il.to_chat(expected)
        assert sent(one, dialect) == sent(expected, dialect)
        assert one.messages_of("main")[: place + 1] == ancestors
        assert len(one.messages_of("main")) == 8


def test_his_7_a_retry_keeps_every_turn_of_both_branches() -> None:
    story = conversation()
    for attempt in range(3):
        story.fork(f"try {attempt}", after="u2")
        story.switch(f"try {attempt}")
        story.append(said("assistant", str(attempt)))
        story.switch("main")
    again = reopened(story)
    for attempt in range(3):
        words = [one for one in texts(again.messages_of(f"try {attempt}")) if one != "system_control"]
        assert words == ["You help.", "one", "1", "two", str(attempt)]
    assert [one for one in texts(again) if one != "system_control"][-1] == "three"


COMPACTION: Final = {"type": "compaction", "id": "cmp_1", "encrypted_content": "b3BhcXVl", "n": None}


def test_his_8_encrypted_state_survives_a_stored_transcript_verbatim() -> None:
    body = {"model": "m", "input": [COMPACTION, {"role": "user", "content": "Go on."}]}
    story = transcript(il.from_chat(il.decode_request(body, "openai_responses").messages))
    assert story[0].type == "opaque"
    told = il.ChatRequest(dialect="openai_responses", messages=tuple(il.to_chat(reopened(story))))
    assert il.encode_request(told, "openai_responses").body["input"] == body["input"]


@pytest.mark.parametrize("dialect", [dialect for dialect in DIALECTS if dialect != "openai_responses"])
def test_his_8_encrypted_state_of_a_transcript_is_a_typed_loss_in_other_dialects(dialect: str) -> None:
    body = {"model": "m", "input": [COMPACTION, {"role": "user", "content": "Go on."}]}
    story = transcript(il.from_chat(il.decode_request(body, "openai_responses").messages))
    told = il.ChatRequest(messages=tuple(il.to_chat(reopened(story))), max_tokens=9)
    losses = il.encode_request(told, dialect, model="m").losses
    assert "/messages/0" in {loss.path for loss in losses if loss.severity == "lost"}
    assert story[0].data.data == COMPACTION


def test_his_4_separate_steps_stay_separate_in_a_stored_transcript() -> None:
    story = transcript([user("Go.")])
    for step in "abc":
        story.append(request(call(step), status="approved"))
        story.append(result(step, step, name="look_up"))
    for dialect in DIALECTS:
        read = il.decode_request(sent(reopened(story), dialect), dialect)
        steps = [len(one.tool_calls or ()) for one in read.messages if one.role == "assistant"]
        assert steps == [1, 1, 1]


@given(st.lists(documents(3).of("Message"), max_size=5))
@settings(max_examples=60)
def test_per_9_a_transcript_of_any_messages_round_trips(plain: list[Any]) -> None:
    story = transcript()
    for message in il.load_messages(plain).messages:
        try:
            story.append(message)
        except il.TranscriptError as refused:
            assert refused.code == "duplicate_id"  # noqa: PT017  # a drawn list may have one twice
    again = reopened(story)
    assert again.messages == story.messages
    assert again.to_document() == story.to_document()


def holders(value: Any) -> list[Any]:
    """Return a message for each place of a transcript that holds free-form JSON, with a value in it."""
    data = il.TextData(role=il.MessageRole.USER, content="x")
    approved = {"status": "approved"}
    asked = {"call": {"id": "c", "name": "f", "arguments": {"deep": [{"in": value}]}}, "approval": approved}
    return [
        il.TextMessage(data=data, metadata={"deep": [value]}),
        il.TextMessage(data=data, extra={"mine": {"deep": [value]}}),
        il.TextMessage(
            data={"role": "user", "content": [{"type": "opaque", "dialect": "claude", "data": {"a": value}}]}
        ),
        il.ToolRequestMessage(data={"calls": [asked]}),
        il.ToolResultMessage(data={"call_id": "c", "output": {"deep": value}}),
        il.ToolResultMessage(data={"call_id": "c", "output": "x", "artifact": [value]}),
        il.SystemControlMessage(data={"control": {"kind": "custom", "name": "n", "parameters": {"a": value}}}),
        il.OpaqueMessage(data={"dialect": "claude", "data": {"a": value}}),
    ]


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), 10**400, b"\xff", object()], ids=lambda one: str(type(one))
)
def test_per_10_a_transcript_refuses_what_could_not_be_saved_when_it_is_added(value: Any, tmp_path: Path) -> None:
    story = transcript([user("u", id="u1")])
    with il.SessionStore(tmp_path / "sessions.db") as store:
        for message in holders(value):
            with pytest.raises(il.InvalidArgumentError, match=" is no JSON: at /"):
                story.append(message)
            with pytest.raises(il.InvalidArgumentError):
                story.extend([user("v"), message])
            with pytest.raises(il.InvalidArgumentError):
                story.replace("u1", message)
        with pytest.raises(il.InvalidArgumentError, match="at /when"):
            il.Transcript(metadata={"when": value})
        assert texts(story) == ["u"]
        store.save(story)
        assert store.load(story.id).transcript.messages == story.messages


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (date(2026, 1, 2), "2026-01-02"),
        ((1, (2,)), [1, [2]]),
        ({1: "a"}, {"1": "a"}),
        (Decimal("1.50"), "1.50"),
        (b"text", "text"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_per_10_what_json_writes_as_something_else_is_the_same_before_and_after_it_is_stored(
    value: Any, stored: Any, tmp_path: Path
) -> None:
    story = transcript([user("u", id="u1")])
    kept = [story.append(message) for message in holders(value)]
    kept.append(story.replace("u1", user("u", metadata={"a": value})))
    assert kept[-1].metadata == {"a": stored}
    assert kept[4].data.output == {"deep": stored}
    with il.SessionStore(tmp_path / "sessions.db") as store:
        store.save(story)
        assert store.load(story.id).transcript.messages == story.messages
    assert reopened(story).messages == story.messages


def test_per_10_a_value_that_is_nested_deeper_than_can_be_read_again_is_refused_when_it_is_added() -> None:
    def deep(levels: int) -> Any:
        value: Any = 1
        for _ in range(levels):
            value = [value]
        return value

    story = transcript([])
    with pytest.raises(il.InvalidArgumentError, match="nested deeper"):
        story.append(result("c", deep(205)))
    story.append(result("c", deep(150)))
    assert reopened(story).messages == story.messages
