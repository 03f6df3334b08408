"""Counts of cached tokens that come without the count of the others, or in another frame: the total is their sum."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CACHED: Final = "cache_read_input_tokens"
WRITTEN: Final = "cache_creation_input_tokens"
OUT: Final = {"output_tokens": 7}
# What the first frame tells, what the last one does, and all tokens of the input.
TOLD: Final[list[tuple[dict[str, Any] | None, dict[str, Any] | None, int]]] = [
    ({"input_tokens": 10, CACHED: 100, WRITTEN: 5}, OUT, 115),
    ({"input_tokens": 10}, {CACHED: 100, WRITTEN: 5, **OUT}, 115),
    ({CACHED: 100}, OUT, 100),
    ({"input_tokens": None, CACHED: 100}, OUT, 100),
    (None, {CACHED: 100, **OUT}, 100),
    ({"input_tokens": 10, CACHED: 100}, {CACHED: 120, **OUT}, 130),
    ({"input_tokens": 10, CACHED: 100}, {"input_tokens": 15, **OUT}, 115),
    ({"input_tokens": 10, CACHED: 100}, {"input_tokens": 15, CACHED: 0, **OUT}, 15),
    ({"input_tokens": 10, CACHED: 100}, {"input_tokens": None, CACHED: None, **OUT}, 110),
    ({"input_tokens": 0}, {"input_tokens": 10, CACHED: 100, **OUT}, 110),
    ({"input_tokens": 10, CACHED: 0}, {CACHED: 0, **OUT}, 10),
    ({"output_tokens": 1}, OUT, 0),
    (None, None, 0),
]


def streamed(first: dict[str, Any] | None, last: dict[str, Any] | None) -> list[dict[str, Any]]:
    message = {"id": "m", "type": "message", "role": "assistant", "model": "claude-x", "content": []}
    message |= {"stop_reason": None, "stop_sequence": None}
    told: dict[str, Any] = {} if first is None else {"usage": first}
    ended: dict[str, Any] = {} if last is None else {"usage": last}
    return [
        {"type": "message_start", "message": {**message, **told}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, **ended},
        {"type": "message_stop"},
    ]


@pytest.mark.parametrize(("first", "last", "total"), TOLD)
def test_a_stream_round_trips_and_its_total_equals_that_of_the_whole_answer(
    first: dict[str, Any] | None, last: dict[str, Any] | None, total: int
) -> None:
    frames = streamed(first, last)
    events = list(il.decode_stream(frames, "claude"))
    assert list(il.encode_stream(events, "claude")) == frames
    usage = il.collect(il.decode_stream(frames, "claude")).usage
    assert ((usage and usage.input_tokens) or 0) == total


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "gemini", "ollama", "bedrock_converse"])
@pytest.mark.parametrize(("first", "last", "total"), TOLD)
def test_other_dialects_get_the_total_number_of_input_tokens(
    target: str, first: dict[str, Any] | None, last: dict[str, Any] | None, total: int
) -> None:
    frames = list(il.translate_stream(streamed(first, last), "claude", target))
    usage = il.collect(il.decode_stream(frames, target)).usage
    assert ((usage and usage.input_tokens) or 0) == total
    assert usage is None or usage.total_tokens in {None, total + (7 if last else 0)}


@pytest.mark.parametrize("usage", [{CACHED: 100, **OUT}, {"input_tokens": None, WRITTEN: 100, **OUT}])
def test_a_whole_answer_without_an_uncached_count_round_trips_and_is_summed(usage: dict[str, Any]) -> None:
    body = {"id": "m", "type": "message", "role": "assistant", "model": "claude-x", "usage": usage}
    body |= {"content": [{"type": "text", "text": "Hi"}], "stop_reason": "end_turn", "stop_sequence": None}
    response = il.decode_response(body, "claude")
    home = il.encode_response(response, "claude")
    assert (home.body, home.losses) == (body, ())
    assert il.translate_response(body, "claude", "openai_chat").body["usage"]["prompt_tokens"] == 100
    assert il.translate_response(body, "claude", "gemini").body["usageMetadata"]["totalTokenCount"] == 107
    assert response.usage is not None
    more = response.replace(usage=response.usage.replace(input_tokens=130))
    assert il.encode_response(more, "claude").body["usage"]["input_tokens"] == 30


@pytest.mark.parametrize("more", [{}, {"inputTokens": None}])
def test_cached_counts_of_bedrock_are_summed_too(more: dict[str, Any]) -> None:
    usage = {"cacheReadInputTokens": 100, "outputTokens": 7, **more}
    message = {"role": "assistant", "content": [{"text": "Hi"}]}
    body = {"output": {"message": message}, "stopReason": "end_turn", "usage": usage, "metrics": {"latencyMs": 1}}
    assert il.encode_response(il.decode_response(body, "bedrock_converse"), "bedrock_converse").body == body
    assert il.translate_response(body, "bedrock_converse", "openai_chat").body["usage"]["prompt_tokens"] == 100


@pytest.mark.parametrize("target", ["claude", "bedrock_converse"])
def test_no_count_is_negative_if_more_tokens_were_cached_than_came_in(target: str) -> None:
    told: dict[str, Any] = {"prompt_tokens": 347, "completion_tokens": 18, "total_tokens": 365}
    told["prompt_tokens_details"] = {"cached_tokens": 403}
    choice: dict[str, Any] = {"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "grok-4", "choices": [choice], "usage": told}
    answer = il.translate_response(body, "openai_chat", target)
    frames: list[Any] = list(il.translate_stream(chunks(told), "openai_chat", target))
    streamed = next(frame for frame in reversed(frames) if "usage" in frame or "metadata" in frame)
    for usage in (answer.body["usage"], streamed.get("usage") or streamed["metadata"]["usage"]):
        assert usage["input_tokens" if target == "claude" else "inputTokens"] == 0
        assert usage[CACHED if target == "claude" else "cacheReadInputTokens"] == 403
    changed = [loss.detail for loss in answer.losses if loss.severity == "changed"]
    summed = ", total_tokens" if target == "claude" else ""  # Bedrock says the sum itself
    assert changed == [f"a token count cannot be below 0: input_tokens{summed}"]


def chunks(usage: dict[str, Any]) -> list[Any]:
    shared = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "grok-4"}
    said = {"index": 0, "delta": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}
    return [{**shared, "choices": [said]}, {**shared, "choices": [], "usage": usage}, "[DONE]"]
