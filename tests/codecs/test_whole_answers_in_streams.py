"""Servers that do not stream, though asked to: the one chunk of their stream is a whole answer of Chat Completions."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CALLS: Final = [
    {"id": "call_1", "type": "function", "function": {"name": "find", "arguments": '{"a": 1}'}},
    {"id": "call_2", "type": "function", "function": {"name": "look", "arguments": "{}"}},
]
MESSAGES: Final[dict[str, dict[str, Any]]] = {
    "text": {"role": "assistant", "content": "Hello."},
    "thought": {"role": "assistant", "content": "Hello.", "reasoning_content": "A greeting."},
    "calls": {"role": "assistant", "content": None, "tool_calls": CALLS},
    "refusal": {"role": "assistant", "content": None, "refusal": "No."},
}


def answer(message: dict[str, Any], kind: str = "chat.completion") -> dict[str, Any]:
    reason = "tool_calls" if "tool_calls" in message else "stop"
    return {
        "id": "chatcmpl-1",
        "object": kind,
        "created": 1_700_000_000,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
    }


@pytest.mark.parametrize("kind", ["chat.completion", "chat.completion.chunk"])
@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_a_stream_with_one_whole_answer_equals_the_answer(message: dict[str, Any], kind: str) -> None:
    body = answer(message, kind)
    collected = il.collect(il.decode_stream([body, "[DONE]"], "openai_chat"))
    whole = il.decode_response(body, "openai_chat")
    assert collected.messages == whole.messages
    assert (collected.finish_reason, collected.usage) == (whole.finish_reason, whole.usage)


@pytest.mark.parametrize("target", ["claude", "gemini", "openai_responses", "ollama", "bedrock_converse"])
@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_a_whole_answer_in_a_stream_is_translated(message: dict[str, Any], target: str) -> None:
    body = answer(message)
    stream = il.translate_stream([body, "[DONE]"], "openai_chat", target)
    told = il.collect(il.decode_stream([*stream], target))
    whole = il.decode_response(il.translate_response(body, "openai_chat", target).body, target)
    assert il.normal_form(told)["messages"] == il.normal_form(whole)["messages"]
    assert not [loss for loss in stream.losses if loss.severity == "lost" and loss.concern == "content"]


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_a_whole_answer_in_a_stream_round_trips(message: dict[str, Any]) -> None:
    for frames in ([answer(message)], [answer(message), "[DONE]"]):
        assert [*il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")] == frames


def test_an_unknown_member_of_such_a_message_is_lost() -> None:
    body = answer({"role": "assistant", "content": "Hello.", "mood": "glad"})
    stream = il.translate_stream([body], "openai_chat", "claude")
    assert [*stream]
    assert any("mood" in f"{loss.path} {loss.detail}" or "frame" in loss.detail for loss in stream.losses)
