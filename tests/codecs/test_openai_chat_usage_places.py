"""What a stream cost, where vendors of Chat Completions say it elsewhere than beside the choices."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

COUNTS: Final = {"prompt_tokens": 1336, "completion_tokens": 31, "total_tokens": 1367, "cached_tokens": 1280}
OTHER: Final = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
LABELS: Final[dict[str, Any]] = {"id": "i", "object": "chat.completion.chunk", "created": 1, "model": "m"}
SAID: Final[dict[str, Any]] = {"index": 0, "delta": {"role": "assistant", "content": "4"}, "finish_reason": None}
LAST: Final[dict[str, Any]] = {"index": 0, "delta": {}, "finish_reason": "stop"}
ENDS: Final[dict[str, dict[str, Any]]] = {
    "in the choice": {"choices": [{**LAST, "usage": COUNTS}]},
    "in x_groq": {"choices": [LAST], "x_groq": {"id": "req", "usage": COUNTS}},
    "in both places": {"choices": [{**LAST, "usage": OTHER}], "usage": COUNTS},
    "beside a null": {"choices": [{**LAST, "usage": COUNTS}], "usage": None},
}


@pytest.mark.parametrize("end", ENDS)
def test_usage_of_a_stream_is_read_wherever_it_is(end: str) -> None:
    frames: list[Any] = [{**LABELS, "choices": [SAID]}, {**LABELS, **ENDS[end]}, "[DONE]"]
    told: list[Any] = list(il.translate_stream(frames, "openai_chat", "claude"))
    counts = {"input_tokens": 56, "output_tokens": 31, "cache_read_input_tokens": 1280}
    assert {name: told[-2]["usage"].get(name) for name in counts} == counts
    events = list(il.decode_stream(frames, "openai_chat"))
    home = il.encode_stream(events, "openai_chat")
    assert (list(home), home.losses) == (frames, ())
    usage = il.collect(events).usage
    assert usage is not None
    assert (usage.input_tokens, usage.cache_read_tokens) == (1336, 1280)


@pytest.mark.parametrize("usage", [None, "31", 31])
def test_malformed_usage_round_trips(usage: Any) -> None:
    frames: list[Any] = [
        {**LABELS, "choices": [{**SAID, "usage": usage}]},
        {**LABELS, "choices": [LAST], "x_groq": usage},
        "[DONE]",
    ]
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames


def test_members_beside_the_usage_of_groq_are_reported_and_a_last_chunk_without_counts_is_no_usage() -> None:
    for usage, told in ((COUNTS, 31), ({"queue_time": 1}, 0)):
        end = {**LABELS, "choices": [LAST], "x_groq": {"id": "req", "usage": usage}}
        stream = il.translate_stream([{**LABELS, "choices": [SAID]}, end, "[DONE]"], "openai_chat", "claude")
        frames: list[Any] = list(stream)
        assert frames[-2]["usage"]["output_tokens"] == told
        assert any(": id" in loss.detail for loss in stream.losses)
