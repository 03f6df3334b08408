"""A refusal in a dialect without a place for one: it is said as text, and the answer ends as one that declines."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

ENDING: Final = {"claude": "refusal", "gemini": "SAFETY", "ollama": "stop"}


def answer(content: str | None) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, "refusal": "I will not."}
    choice = {"index": 0, "finish_reason": "stop", "logprobs": None, "message": message}
    return {"id": "a", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
    return {"id": "a", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices}


def said(response: il.ChatResponse) -> tuple[str, str | None]:
    """Return all texts of an answer, and the provider's word for why it ended."""
    return "".join(message.text for message in response.messages if message.role == "assistant"), response.finish_reason


def ending(body: dict[str, Any]) -> str:
    """Return the word for why an answer ended."""
    holder: Any = body["candidates"][0] if "candidates" in body else body
    return str(next(holder[name] for name in ("stop_reason", "finishReason", "done_reason") if holder.get(name)))


@pytest.mark.parametrize("target", ENDING)
@pytest.mark.parametrize(("content", "text"), [(None, "I will not."), ("Hm.", "Hm.\n\nI will not.")])
def test_a_refusal_is_written_and_has_the_targets_finish_reason(target: str, content: str | None, text: str) -> None:
    encoded = il.translate_response(answer(content), "openai_chat", target)
    assert said(il.decode_response(encoded.body, target))[0] == text
    assert ending(encoded.body) == ENDING[target]
    losses = {(one.code, one.path): one.severity for one in encoded.losses}
    assert losses["refusal", "/messages/0/refusal"] == "changed"
    assert (("finish_reason", "/finish_reason") in losses) is (target != "ollama")


@pytest.mark.parametrize("target", ENDING)
def test_a_streamed_refusal_equals_the_whole_one(target: str) -> None:
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": "Hm."},
        {"refusal": "I will"},
        {"refusal": " not."},
    ]
    frames: list[dict[str, Any] | str] = [*(chunk(delta) for delta in deltas), chunk({}, "stop"), "[DONE]"]
    stream = il.translate_stream(frames, "openai_chat", target)
    collected = il.collect(il.decode_stream(list(stream), target))
    whole = il.translate_response(answer("Hm."), "openai_chat", target).body
    assert said(collected) == said(il.decode_response(whole, target))
    assert [one.severity for one in stream.losses if one.code == "refusal"] == ["changed"]


@pytest.mark.parametrize("target", ["claude", "gemini", "ollama", "vllm"])
def test_a_refusal_in_the_history_is_kept_in_its_place(target: str) -> None:
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": None, "refusal": "I will not."},
        {"role": "user", "content": "Why?"},
    ]
    body = il.translate_request({"model": "m", "messages": messages}, "openai_chat", target).body
    assert il.check_request(body, target) == []
    request = il.decode_request(body, target)
    assert [message.role for message in request.messages] == ["user", "assistant", "user"]
    assert request.messages[1].model_dump(mode="json")["content"] == "I will not."


@pytest.mark.parametrize("target", [*ENDING, "bedrock_converse"])
def test_a_whitespace_refusal_is_ignored_and_reported_at_its_path(target: str) -> None:
    message = {"role": "assistant", "content": [{"type": "text", "text": "Hm."}], "refusal": " \n"}
    encoded = il.encode_response({"messages": [message], "finish_reason": "stop"}, target)
    assert said(il.decode_response(encoded.body, target)) == ("Hm.", "stop")
    told = {loss.path for loss in encoded.losses if loss.path.startswith("/messages/0")}
    assert told == {"/messages/0/refusal"}
