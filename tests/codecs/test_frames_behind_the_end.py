"""What a server sends behind `[DONE]` comes home, and reaches no client of another dialect."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

LABELS: Final[dict[str, Any]] = {"id": "i", "object": "chat.completion.chunk", "created": 1, "model": "m"}


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {**LABELS, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


COUNTS: Final = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
WHOLE: Final[list[Any]] = [chunk({"role": "assistant", "content": "4"}), chunk({}, "stop"), "[DONE]"]
LATE: Final[dict[str, tuple[list[Any], set[tuple[str, str]]]]] = {
    "another answer": (WHOLE, {("message", "content"), ("finish_reason", "bookkeeping")}),
    "usage": ([{**LABELS, "choices": [], "usage": COUNTS}], {("member", "bookkeeping")}),
    "an error": ([{"error": {"message": "No."}}], {("message", "content")}),
    "the end again": (["[DONE]"], set()),
}


@pytest.mark.parametrize("target", ["bedrock_converse", "claude", "gemini", "ollama", "openai_responses", "vllm"])
@pytest.mark.parametrize("late", LATE)
def test_frames_after_the_end_are_dropped_and_reported_in_other_dialects(late: str, target: Any) -> None:
    frames, losses = LATE[late]
    stream = il.translate_stream([*WHOLE, *frames], "openai_chat", target)
    assert list(stream) == list(il.translate_stream(WHOLE, "openai_chat", target))
    told = {(loss.code, loss.concern) for loss in stream.losses if loss.detail == "the stream had already ended"}
    assert told == losses


@pytest.mark.parametrize("late", LATE)
def test_frames_after_the_end_round_trip_within_the_dialect(late: str) -> None:
    frames = [*WHOLE, *LATE[late][0]]
    assert list(il.translate_stream(frames, "openai_chat", "openai_chat")) == frames
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
