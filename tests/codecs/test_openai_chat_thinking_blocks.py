"""Claude's thinking blocks in answers of gateways that speak Chat Completions: their signatures arrive, texts once."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

BLOCK: Final = {"type": "thinking", "thinking": "Let me see.", "signature": "c2ln"}
HIDDEN: Final = {"type": "redacted_thinking", "data": "aGlk"}
TEXT: Final = {"type": "text", "text": "4"}


def piece(text: str, signature: str) -> dict[str, Any]:
    return {"thinking_blocks": [{"type": "thinking", "thinking": text, "signature": signature}]}


DELTAS: Final[dict[str, list[dict[str, Any]]]] = {
    "the signature comes alone": [
        {"role": "assistant", "content": "", "reasoning_content": "Let me ", **piece("Let me ", "")},
        {"reasoning_content": "see.", **piece("see.", "")},
        {"reasoning_content": "", **piece("", "c2ln")},
    ],
    "the signature repeats the text": [
        {"role": "assistant", "reasoning_content": "Let me "},
        {"reasoning_content": "see."},
        piece("Let me see.", "c2ln"),
    ],
    "nothing else says the text": [
        {"role": "assistant", **piece("Let me ", "")},
        piece("see.", ""),
        piece("Let me see.", "c2ln"),
    ],
    "all of it comes at once": [
        {"role": "assistant", "reasoning_content": "Let me see.", **piece("Let me see.", "c2ln")},
    ],
}


def answered(message: dict[str, Any]) -> dict[str, Any]:
    said = {"index": 0, "message": {"role": "assistant", "content": "4", **message}, "finish_reason": "stop"}
    return {"id": "i", "object": "chat.completion", "created": 1, "model": "m", "choices": [said]}


def chunks(*deltas: dict[str, Any]) -> list[Any]:
    labels: dict[str, Any] = {"id": "i", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    ends: list[tuple[dict[str, Any], str | None]] = [*((delta, None) for delta in deltas), ({}, "stop")]
    said = [{"index": 0, "delta": delta, "finish_reason": reason} for delta, reason in ends]
    return [*({**labels, "choices": [choice]} for choice in said), "[DONE]"]


def state_lost(losses: tuple[il.Loss, ...]) -> list[str]:
    return [loss.path for loss in losses if loss.concern in {"state", "content"}]


@pytest.mark.parametrize(
    ("message", "content"),
    [
        ({"reasoning_content": "Let me see.", "thinking_blocks": [BLOCK]}, [BLOCK, TEXT]),
        ({"thinking_blocks": [BLOCK]}, [BLOCK, TEXT]),
        ({"reasoning_content": "Let me see.", "thinking_blocks": [BLOCK, HIDDEN]}, [BLOCK, HIDDEN, TEXT]),
        ({"thinking_blocks": [HIDDEN]}, [HIDDEN, TEXT]),
    ],
)
def test_thinking_blocks_of_a_whole_answer_reach_claude_clients(message: dict[str, Any], content: list[Any]) -> None:
    body = answered(message)
    encoded = il.translate_response(body, "openai_chat", "claude")
    assert encoded.body["content"] == content
    assert state_lost(encoded.losses) == []
    assert il.translate_response(body, "openai_chat", "openai_chat").body == body


def test_thinking_blocks_that_contradict_the_answer_are_lost() -> None:
    body = answered({"reasoning_content": "Something else.", "thinking_blocks": [BLOCK]})
    encoded = il.translate_response(body, "openai_chat", "claude")
    assert encoded.body["content"][0]["thinking"] == "Something else."
    assert ("lost", "/messages/0/extra/openai_chat") in {(loss.severity, loss.path) for loss in encoded.losses}


@pytest.mark.parametrize("deltas", DELTAS.values(), ids=DELTAS)
def test_thinking_blocks_of_a_stream_reach_claude_clients_without_duplicated_text(deltas: list[Any]) -> None:
    frames = chunks(*deltas, {"thinking_blocks": [HIDDEN]}, {"content": "4"})
    stream = il.translate_stream(frames, "openai_chat", "claude")
    answer = il.collect(il.decode_stream(list(stream), "claude"))
    assert il.encode_response(answer, "claude").body["content"] == [BLOCK, HIDDEN, TEXT]
    assert state_lost(stream.losses) == []


@pytest.mark.parametrize("deltas", DELTAS.values(), ids=DELTAS)
def test_thinking_blocks_of_a_stream_round_trip_and_are_collected(deltas: list[Any]) -> None:
    frames = chunks(*deltas, {"thinking_blocks": [HIDDEN]}, {"content": "4"})
    events = list(il.decode_stream(frames, "openai_chat"))
    home = il.encode_stream(events, "openai_chat")
    assert (list(home), home.losses) == (frames, ())
    answer = il.collect(events)
    assert il.encode_response(answer, "openai_chat").body["choices"][0]["message"]["thinking_blocks"] == [BLOCK, HIDDEN]
    assert il.encode_response(answer, "claude").body["content"] == [BLOCK, HIDDEN, TEXT]


def test_a_second_thought_has_its_own_signature() -> None:
    second = {"type": "thinking", "thinking": "And now?", "signature": "c2Vj"}
    deltas = [*DELTAS["the signature comes alone"], {"reasoning_content": "And now?"}, {"thinking_blocks": [second]}]
    stream = il.translate_stream(chunks(*deltas, {"content": "4"}), "openai_chat", "claude")
    answer = il.collect(il.decode_stream(list(stream), "claude"))
    assert il.encode_response(answer, "claude").body["content"] == [BLOCK, second, TEXT]


@pytest.mark.parametrize("blocks", ["Let me see.", [BLOCK, {"type": "other"}], [{"type": "thinking", "thinking": 7}]])
def test_unknown_thinking_blocks_round_trip(blocks: Any) -> None:
    frames = chunks({"role": "assistant", "thinking_blocks": blocks}, {"content": "4"})
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
    stream = il.translate_stream(frames, "openai_chat", "claude")
    assert len(list(stream)) > 1
    assert any(loss.detail.endswith(": thinking_blocks") for loss in stream.losses)


@pytest.mark.parametrize(
    ("beside", "lost"),
    [
        ({"cache_control": None, "data": None}, []),
        ({"cache_control": {"type": "ephemeral"}}, ["/messages/1/extra/openai_chat"]),
    ],
)
def test_thinking_blocks_that_clients_send_back_may_have_nulls_and_cache_marks(
    beside: dict[str, Any], lost: list[str]
) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    said = {"role": "assistant", "content": "4", "thinking_blocks": [{**BLOCK, **beside}], "tool_calls": [call]}
    messages = [{"role": "user", "content": "2 + 2?"}, said, {"role": "tool", "tool_call_id": "c1", "content": "4"}]
    body = {"model": "m", "messages": messages, "reasoning_effort": "low"}
    encoded = il.translate_request(body, "openai_chat", "claude", model="claude-sonnet-4-5")
    assert encoded.body["messages"][1]["content"][0] == BLOCK
    assert encoded.body["thinking"]["type"] == "enabled"
    assert state_lost(encoded.losses) == lost
    assert il.translate_request(body, "openai_chat", "openai_chat").body == body
