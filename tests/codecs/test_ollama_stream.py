"""Streams of Ollama: what its lines say, and how the events of others become its lines."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.streaming import gather
from support.streams import read, said, write

MOMENT: Final = "2025-01-01T00:00:00.5Z"
PICTURE: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def line(*, done: bool = False, at: str = MOMENT, **message: Any) -> dict[str, Any]:
    spoken = {"role": "assistant", "content": "", **message}
    return {"model": "m", "created_at": at, "message": spoken, "done": done}


def last(**members: Any) -> dict[str, Any]:
    return {**line(done=True), "done_reason": "stop", "prompt_eval_count": 3, "eval_count": 4, **members}


CALL: Final[dict[str, Any]] = {"id": "call_1", "function": {"index": 0, "name": "look", "arguments": {"at": 1}}}


def test_thoughts_and_texts_are_blocks_that_end_with_the_stream() -> None:
    frames = [line(thinking="Hm"), line(thinking="."), line(content="Hel"), line(content="lo"), last()]
    events = read("ollama", frames)
    assert [(kind, text) for _, kind, text in said(events)] == [
        ("reasoning", "Hm"), ("reasoning", "."), ("content", "Hel"), ("content", "lo"),
    ]  # fmt: skip
    assert {event["block"] for event in events if "block" in event} == {0, 1}
    assert write("ollama", events) == (frames, ())
    assert gather(events)["messages"] == [{"role": "assistant", "reasoning": "Hm.", "content": "Hello"}]


def test_timestamps_of_lines_are_kept_and_lost_once_in_other_dialects() -> None:
    frames = [line(content=text, at=f"2025-01-01T00:00:0{at}Z") for at, text in enumerate("abc")] + [last()]
    events = read("ollama", frames)
    assert write("ollama", events) == (frames, ())
    told = [loss for loss in write("claude", events)[1] if "moment" in loss.detail]
    assert [loss.severity for loss in told] == ["lost", "lost"]  # once for texts, once for the end


def test_str_4_calls_are_whole_and_several_may_be_in_a_line() -> None:
    second = {"id": "call_2", "function": {"index": 1, "name": "look", "arguments": {}}}
    frames = [line(tool_calls=[CALL, second]), last()]
    events = read("ollama", frames)
    assert write("ollama", events) == (frames, ())
    starts = [event for event in events if event["type"] == "tool_call_start"]
    assert [(one["id"], one["arguments"]) for one in starts] == [("call_1", {"at": 1}), ("call_2", {})]
    assert gather(events)["finish_reason"] == "tool_calls"


def test_foreign_calls_are_written_once_they_are_complete() -> None:
    events: list[dict[str, Any]] = [
        {"type": "start", "model": "m", "created": 0},
        {"type": "tool_call_start", "block": 0, "id": "a", "name": "look"},
        {"type": "tool_call_start", "block": 1, "id": "b", "name": "look"},
        {"type": "tool_call_delta", "block": 0, "arguments": '{"at":'},
        {"type": "tool_call_delta", "block": 1, "arguments": "{}"},
        {"type": "tool_call_delta", "block": 0, "arguments": "1}"},
        {"type": "block_end", "block": 1},
        {"type": "finish", "reason": "tool_calls"},
        {"type": "end", "complete": True},
    ]
    frames, losses = write("ollama", events)
    made = [call["function"] for frame in frames for call in frame["message"].get("tool_calls", ())]
    assert [(one["name"], one["arguments"]) for one in made] == [("look", {}), ("look", {"at": 1})]
    assert losses == ()
    assert frames[-1]["done_reason"] == "stop"


def test_images_of_a_line_are_parts() -> None:
    frames = [line(content="See.", images=[PICTURE, 7]), last()]
    events = read("ollama", frames)
    parts = [event["part"]["type"] for event in events if event["type"] == "part"]
    assert parts == ["image", "opaque"]
    assert [text for _, _, text in said(events)] == ["See."]
    assert write("ollama", events) == (frames, ())


def test_an_error_within_a_stream_has_the_partial_answer() -> None:
    frames = [line(content="Hel"), {"error": "out of memory"}]
    events = list(il.decode_stream(frames, "ollama"))
    assert list(il.encode_stream(events, "ollama")) == frames
    with pytest.raises(il.StreamError) as broken:
        il.collect(events)
    assert broken.value.message == "out of memory"
    assert broken.value.partial.messages[0].content == "Hel"


@pytest.mark.parametrize("count", range(5))
def test_str_14_a_truncated_stream_is_kept_and_marked(count: int) -> None:
    frames = [line(thinking="Hm."), line(content="Hel"), line(content="lo"), line(tool_calls=[CALL]), last()][:count]
    events = list(il.decode_stream(frames, "ollama"))
    assert events[-1].type == "end"
    assert events[-1].complete is False
    assert list(il.encode_stream(events, "ollama")) == frames


def test_messages_of_one_answer_are_separated_by_a_blank_line() -> None:
    events: list[dict[str, Any]] = [
        {"type": "start", "model": "m", "created": 0},
        {"type": "content", "block": 0, "text": "First."},
        {"type": "content", "block": 1, "text": "", "new_message": True},
        {"type": "content", "block": 1, "text": "Second."},
        {"type": "reasoning", "block": 2, "text": "Hm."},
        {"type": "content", "block": 3, "text": "Third."},
        {"type": "end", "complete": True},
    ]
    frames, _ = write("ollama", events)
    assert "".join(frame["message"]["content"] for frame in frames) == "First.\n\nSecond.\n\nThird."


@pytest.mark.parametrize("frame", ["x", {}, {"status": "loading"}])
def test_an_unknown_line_is_kept_unchanged(frame: Any) -> None:
    events = read("ollama", [frame])
    assert [event["type"] for event in events] == ["opaque", "end"]
    assert write("ollama", events) == ([frame], ())


@pytest.mark.parametrize("frame", [None, 1, [], {"message": None}, {"message": {"content": 1}}])
def test_a_malformed_line_raises_an_error_with_its_number(frame: Any) -> None:
    with pytest.raises(il.DecodeError) as refused:
        read("ollama", [line(content="a"), frame])
    assert refused.value.path.startswith("/1")


@pytest.mark.parametrize("said", [{"content": "a"}, {"content": "", "thinking": "a"}])
def test_a_last_line_without_a_reason_ends_the_answer_and_round_trips(said: dict[str, Any]) -> None:
    frames = [line(**said), line(done=True)]
    events = read("ollama", frames)
    assert events[-1]["complete"] is bool(said["content"])
    assert write("ollama", events) == (frames, ())
