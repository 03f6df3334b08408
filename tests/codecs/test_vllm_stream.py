"""Streams of vLLM: what they say otherwise than those of their family, both ways. Source: docs/wire/vllm.md."""

from __future__ import annotations

from typing import Any, Final

from interlingua.loss import Loss
from interlingua.rooms import openai_chat, vllm
from interlingua.streaming import EventDecoder, EventEncoder, gather, translate_stream

DONE: Final[Any] = "[DONE]"
LABELS: Final = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": "qwen"}


def chunk(delta: dict[str, Any], reason: str | None = None, **members: Any) -> Any:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason, **members}
    return {**LABELS, "choices": [choice]}


def events_of(frames: list[Any]) -> list[dict[str, Any]]:
    decoder = EventDecoder("vllm")
    return [*(event for frame in frames for event in decoder.feed(frame)), *decoder.close()]


def collected(frames: list[Any]) -> dict[str, Any]:
    """Return the response of a stream that comes back as it was."""
    events = events_of(frames)
    encoder = EventEncoder("vllm")
    assert [*(frame for event in events for frame in encoder.feed(event)), *encoder.close()] == frames
    assert encoder.losses == ()
    return gather(events)


def lost(losses: tuple[Loss, ...]) -> set[tuple[str, str]]:
    return {(loss.code, loss.path) for loss in losses if loss.severity != "filled"}


def test_reasoning_is_in_the_member_reasoning_without_a_note() -> None:
    frames = [chunk({"role": "assistant", "content": ""}), chunk({"reasoning": "hm"}), chunk({"content": "Hi"})]
    frames += [chunk({}, "stop", stop_reason=None, token_ids=None), DONE]
    response = collected(frames)
    assert response["messages"][0]["reasoning"] == "hm"
    pieces = [event for event in events_of(frames) if event["type"] == "reasoning"]
    assert "extra" not in pieces[0]


def test_the_stop_text_is_read_with_the_finish_reason() -> None:
    frames = [chunk({"content": "Hi"}), chunk({}, "stop", stop_reason="END"), DONE]
    assert collected(frames)["stop_sequence"] == "END"
    (finish,) = [event for event in events_of(frames) if event["type"] == "finish"]
    assert (finish["reason"], finish["stop_sequence"]) == ("stop", "END")


def test_a_stop_token_id_is_not_a_stop_text() -> None:
    frames = [chunk({"content": "Hi"}), chunk({}, "stop", stop_reason=151643), DONE]
    assert "stop_sequence" not in collected(frames)


def test_the_last_chunk_may_have_a_text_and_a_call() -> None:
    call = {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    frames = [chunk({"content": "Hel"}), chunk({"content": "lo", "tool_calls": [call]}, "tool_calls"), DONE]
    (message,) = collected(frames)["messages"]
    assert message["content"] == "Hello"
    assert message["tool_calls"] == [{"id": "c", "name": "f", "arguments": "{}"}]
    message = openai_chat.assemble_stream(translate_stream(frames, "vllm", "openai_chat"))["choices"][0]["message"]
    assert message["content"] == "Hello"
    assert message["tool_calls"][0]["function"]["arguments"] == "{}"


def test_usage_in_every_chunk_is_not_summed() -> None:
    frames = [chunk({"content": text}) for text in "abc"]
    for count, frame in enumerate(frames, 1):
        frame["usage"] = {"prompt_tokens": 3, "total_tokens": 3 + count, "completion_tokens": count}
    frames += [chunk({}, "stop"), DONE]
    assert collected(frames)["usage"] == {"input_tokens": 3, "output_tokens": 3, "total_tokens": 6}


def test_vllm_reasoning_reaches_chat_and_claude_clients_as_thinking() -> None:
    frames = [chunk({"reasoning": "hm"}), chunk({"content": "Hi"}), chunk({}, "stop"), DONE]
    chunks = [one for one in translate_stream(frames, "vllm", "openai_chat") if isinstance(one, dict)]
    deltas = [one["choices"][0]["delta"] for one in chunks]
    assert [delta["reasoning_content"] for delta in deltas if "reasoning_content" in delta] == ["hm"]
    back = translate_stream(list(translate_stream(frames, "vllm", "claude")), "claude", "vllm")
    assert vllm.assemble_stream(back)["choices"][0]["message"]["reasoning"] == "hm"


def test_a_custom_tool_call_becomes_an_object() -> None:
    events: list[dict[str, Any]] = [
        {"type": "start", "dialect": "openai_chat", "id": "a", "model": "m", "created": 1},
        {"type": "tool_call_start", "block": 0, "id": "c", "name": "code", "kind": "custom"},
        {"type": "tool_call_delta", "block": 0, "arguments": 'say("'},
        {"type": "tool_call_delta", "block": 0, "arguments": 'x")'},
        {"type": "block_end", "block": 0},
        {"type": "finish", "reason": "tool_calls"},
        {"type": "end", "complete": True},
    ]
    encoder = EventEncoder("vllm")
    frames = [frame for event in events for frame in encoder.feed(event)]
    (call,) = vllm.assemble_stream(frames)["choices"][0]["message"]["tool_calls"]
    assert call["type"] == "function"
    assert call["function"] == {"name": "code", "arguments": '{"input":"say(\\"x\\")"}'}
    assert lost(encoder.losses) == {("arguments", "/2/arguments"), ("arguments", "/1/kind")}
