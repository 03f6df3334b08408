"""Losses of a provider's own members name these members, and not the place where the canonical form keeps them."""

from __future__ import annotations

from typing import Any, Final

import interlingua as il

ONLY: Final = "only its own dialect has this member: "
LABELS: Final[dict[str, Any]] = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}


def named(losses: tuple[il.Loss, ...], path: str = "") -> list[str]:
    return [loss.detail.removeprefix(ONLY) for loss in losses if loss.detail.startswith(ONLY) and path in loss.path]


def streamed(frames: list[Any], source: str, target: str) -> tuple[il.Loss, ...]:
    stream = il.translate_stream(frames, source, target)
    assert list(stream)
    return stream.losses


def chunk(choice: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**LABELS, "choices": [{"index": 0, "delta": {}, "finish_reason": None, **choice}], **more}


def test_members_of_a_choice_and_a_candidate_are_named() -> None:
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}
    body = {
        "choices": [{**choice, "content_filter_results": {"hate": {"filtered": False}}, "native_finish_reason": ""}]
    }
    assert named(il.translate_response(body, "openai_chat", "claude").losses) == ["content_filter_results"]
    candidate = {"content": {"role": "model", "parts": [{"text": "Hi"}]}, "finishReason": "STOP", "avgLogprobs": -0.1}
    answer = {"candidates": [{**candidate, "safetyRatings": [{"probability": "LOW"}]}]}
    assert named(il.translate_response(answer, "gemini", "claude").losses) == ["avgLogprobs, safetyRatings"]


def test_unknown_members_of_frames_are_named_each_once() -> None:
    frames = [
        chunk({"delta": {"role": "assistant", "content": "Hi"}}, provider="X"),
        chunk({"delta": {"content": "Hi"}}, provider="X"),
        chunk({"finish_reason": "stop", "native_finish_reason": "end"}, provider="X", timings={"n": 1}),
        "[DONE]",
    ]
    for losses in (
        streamed(frames, "openai_chat", "claude"),
        _encoded(il.decode_stream(frames, "openai_chat"), "claude"),
    ):
        told = {name for one in named(losses) for name in one.split(", ")}
        assert told == {"provider", "native_finish_reason", "timings"}
        assert sum("provider" in one for one in named(losses)) <= 3  # once for each kind of event


def _encoded(events: Any, target: str) -> tuple[il.Loss, ...]:
    stream = il.encode_stream(events, target)
    assert list(stream)
    return stream.losses


def test_padding_of_a_frame_is_no_loss() -> None:
    frames = [
        chunk({"delta": {"role": "assistant", "content": "Hi"}}, obfuscation="Xy3"),
        chunk({"finish_reason": "stop"}, obfuscation="a"),
        "[DONE]",
    ]
    assert named(streamed(frames, "openai_chat", "claude")) == []
    assert named(_encoded(il.decode_stream(frames, "openai_chat"), "claude")) == []


def test_only_text_is_padding() -> None:
    for value, told in (("abcdef", []), (0.25, ["p"]), ({"mood": 1}, ["p"])):
        frames = [chunk({"delta": {"role": "assistant", "content": "Hi"}}), chunk({"finish_reason": "stop"}, p=value)]
        frames.append("[DONE]")
        assert named(streamed(frames, "openai_chat", "claude")) == told
        assert named(_encoded(il.decode_stream(frames, "openai_chat"), "claude")) == told


def test_the_token_counts_of_the_last_line_of_ollama_are_no_losses() -> None:
    line = {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant", "content": "Hi"}}
    counts = {"prompt_eval_count": 3, "eval_count": 2, "eval_duration": 7}
    losses = streamed(
        [{**line, "done": False}, {**line, "done": True, "done_reason": "stop", **counts}], "ollama", "claude"
    )
    assert named(losses) == ["eval_duration"]


def test_a_changed_member_of_a_repeated_response_is_named() -> None:
    response = {"id": "r", "object": "response", "created_at": 1, "status": "in_progress", "model": "m", "output": []}
    frames = [
        {"type": "response.created", "response": response, "sequence_number": 0},
        {"type": "response.in_progress", "response": {**response, "created_at": 2}, "sequence_number": 1},
        {"type": "response.completed", "response": {**response, "status": "completed"}, "sequence_number": 2},
    ]
    assert named(streamed(frames, "openai_responses", "claude"), "/1/") == ["created_at"]


def test_a_long_list_of_names_says_how_many_more_there_are() -> None:
    names = {f"a_member_with_a_long_name_{number}": number for number in range(1, 7)}
    body = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], **names}
    told = named(il.translate_response(body, "claude", "openai_chat").losses)
    assert told == [", ".join(list(names)[:4]) + " and 2 more"]


def test_an_item_of_a_list_that_is_replaced_is_named_by_its_members() -> None:
    for value, told in (({"mood": 1, "pace": None}, ["mood, pace"]), (7, ["0"]), (None, [])):
        patch = {"in": {"choices": {"put": {"0": value}}}}
        events = [{"type": "start"}, {"type": "state", "extra": {"openai_chat": {"frame": patch}}}]
        assert named(_encoded([*events, {"type": "end", "complete": True}], "claude")) == told
