"""Streams to another dialect whose last words are missing, empty or of nobody: what the client gets of them."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.loss import LossLog
from interlingua.registry import room
from support.streams import read

START: Final = {"type": "start", "id": "a", "model": "m", "created": 1}
CALL: Final = {"type": "tool_call_start", "block": 0, "id": "call_1", "name": "look", "arguments": "{}"}
ENDED: Final = {"type": "block_end", "block": 0}
STOPPED: Final = {"type": "finish", "reason": "stop"}
END: Final = {"type": "end", "complete": True}


def written(dialect: str, *events: dict[str, Any]) -> tuple[list[Any], LossLog]:
    log = LossLog(is_answer=True)
    encoder = room(dialect).encode_stream(log)
    return [frame for event in events for frame in encoder.feed(event)], log


@pytest.mark.parametrize("odd", [-1, "x", {"a": 1}, True])
def test_calls_in_a_chunk_that_are_not_a_list_do_not_end_the_stream(odd: Any) -> None:
    chunks = [
        {"choices": [{"index": 0, "delta": {"content": "Hi", "tool_calls": odd}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ]
    assert list(il.translate_stream(chunks, "openai_chat", "openai_chat")) == chunks
    for target in il.dialects():
        frames = list(il.translate_stream(chunks, "openai_chat", il.dialect(target)))
        assert "".join(event["text"] for event in read(target, frames) if event["type"] == "content") == "Hi"


@pytest.mark.parametrize("dialect", il.dialects())
def test_calls_without_a_finish_reason_end_with_tool_calls_reported_once_as_filled(dialect: str) -> None:
    frames, log = written(dialect, START, CALL, ENDED, END)
    reasons = {event["reason"] for event in read(dialect, frames) if event["type"] == "finish"}
    assert reasons == {"tool_calls"}
    assert [(loss.path, loss.severity) for loss in log.losses() if "reason" in loss.path] == [("/3/reason", "filled")]


def test_a_thought_without_text_opens_no_block_for_bedrock() -> None:
    thought = {"type": "reasoning", "block": 0, "text": ""}
    said = {"type": "content", "block": 1, "text": "Hi"}
    frames, _ = written("bedrock_converse", START, thought, ENDED, said, STOPPED, END)
    [content] = room("bedrock_converse").assemble_stream(frames)["output"]["message"]["content"]
    assert content == {"text": "Hi"}


@pytest.mark.parametrize("dialect", il.dialects())
def test_state_of_an_unknown_dialect_or_block_is_reported_and_does_not_fail(dialect: str) -> None:
    state = {"type": "state", "extra": {"": 1.5, "gemini": {"signature": "c2ln"}}}
    frames, log = written(dialect, START, {"type": "content", "block": 0, "text": "Hi"}, state, STOPPED, END)
    assert "Hi" in str(frames)
    if "c2ln" not in str(frames):
        assert any(loss.path.startswith("/2/extra/gemini") for loss in log.losses())


def test_an_error_frame_ends_a_responses_stream_that_began_in_another_dialect() -> None:
    error = {"type": "error", "dialect": "openai_responses", "message": "No.", "extra": {"openai_responses": {}}}
    frames, _ = written("openai_responses", START, {"type": "content", "block": 0, "text": "Hi"}, error)
    assert [frame["type"] for frame in frames][-1] == "response.failed"


@pytest.mark.parametrize("dialect", ["claude", "gemini", "bedrock_converse"])
def test_a_signature_without_a_block_is_lost(dialect: str) -> None:
    state = {"type": "state", "extra": {dialect: {"signature": "c2ln"}}}
    frames, log = written(dialect, START, {"type": "content", "block": 0, "text": "Hi"}, state, STOPPED, END)
    assert "c2ln" not in str(frames)
    assert f"/2/extra/{dialect}" in {loss.path.removesuffix("/signature") for loss in log.losses()}
