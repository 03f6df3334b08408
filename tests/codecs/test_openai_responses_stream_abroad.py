"""Streams of other dialects written as those of Responses: the whole lifecycle, as the official SDK reads it."""

from __future__ import annotations

from typing import Any, Final

import pytest
from openai import omit
from openai.lib.streaming.responses._responses import ResponseStreamState
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

import interlingua as il
from interlingua.streaming import gather
from support.streams import read, write

ROOM: Final = "openai_responses"
START: Final[dict[str, Any]] = {"type": "start", "dialect": "elsewhere", "id": "x", "model": "m", "created": 5}
END: Final[dict[str, Any]] = {"type": "end", "complete": True}


def official(frames: list[Any]) -> Response:
    """Return what the official accumulator makes of frames, each checked against the official types."""
    adapter: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
    state: Any = ResponseStreamState(text_format=omit, input_tools=omit)
    events = [event for frame in frames for event in state.handle_event(adapter.validate_python(frame))]
    assert events[-1].type == "response.completed"
    return Response.model_validate(events[-1].response.model_dump(warnings=False))


def kinds(frames: list[Any]) -> list[str]:
    return [frame["type"].removeprefix("response.") for frame in frames]


def text(block: int, *pieces: str, kind: str = "content") -> list[dict[str, Any]]:
    return [{"type": kind, "block": block, "text": piece} for piece in pieces]


def finish(reason: str = "stop") -> list[dict[str, Any]]:
    usage = {"input_tokens": 3, "output_tokens": 4}
    return [{"type": "finish", "reason": reason}, {"type": "usage", "usage": usage}, END]


def test_str_10_the_lifecycle_of_a_text_is_complete() -> None:
    frames, losses = write(ROOM, [START, *text(0, "", "Hel", "lo"), *finish()])
    assert kinds(frames) == [
        "created", "in_progress", "output_item.added", "content_part.added", "output_text.delta", "output_text.delta",
        "output_text.done", "content_part.done", "output_item.done", "completed",
    ]  # fmt: skip
    assert [frame["sequence_number"] for frame in frames] == list(range(len(frames)))
    assert {frame["item_id"] for frame in frames if "item_id" in frame} == {"msg_2d711642b726_0"}
    answer = official(frames)
    assert (answer.output_text, answer.status, answer.model) == ("Hello", "completed", "m")
    assert answer.usage is not None
    assert answer.usage.total_tokens == 7
    assert {loss.severity for loss in losses} == {"filled"}


@pytest.mark.requirement("ITEM-4.1")
@pytest.mark.parametrize("mark", [[], ["[DONE]"]])
def test_finished_messages_have_one_text_and_thoughts_are_a_summary(mark: list[str]) -> None:
    delta = {"role": "assistant", "reasoning_content": "Hm."}
    chunks: list[Any] = [
        {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        for choice in (
            {"index": 0, "delta": delta, "finish_reason": None},
            {"index": 0, "delta": {"content": "Hello"}, "finish_reason": None},
            {"index": 0, "delta": {}, "finish_reason": "stop"},
        )
    ]
    frames: list[Any] = list(il.translate_stream([*chunks, *mark], "openai_chat", ROOM))
    thought, message = [frame["item"] for frame in frames if frame["type"] == "response.output_item.done"]
    assert (thought["type"], thought["summary"]) == ("reasoning", [{"type": "summary_text", "text": "Hm."}])
    assert "content" not in thought
    assert [frame["type"] for frame in frames if "reasoning" in frame["type"]] == [
        "response.reasoning_summary_part.added", "response.reasoning_summary_text.delta",
        "response.reasoning_summary_text.done", "response.reasoning_summary_part.done",
    ]  # fmt: skip
    assert message["content"] == [{"type": "output_text", "text": "Hello", "annotations": [], "logprobs": []}]
    assert frames[-1]["response"]["output"] == [thought, message]
    assert [item.type for item in official(frames).output] == ["reasoning", "message"]


@pytest.mark.requirement("ITEM-4.3")
def test_no_item_is_written_for_an_empty_text() -> None:
    events = [START, *text(0, "", kind="reasoning"), {"type": "block_end", "block": 0}, *text(1, "", ""), *finish()]
    frames, losses = write(ROOM, events)
    assert kinds(frames) == ["created", "in_progress", "completed"]
    assert official(frames).output == []
    assert {loss.severity for loss in losses} == {"filled"}


def test_str_1_interleaved_calls_are_written_one_after_another() -> None:
    events = [
        START,
        *text(0, "I look."),
        {"type": "tool_call_start", "block": 1, "id": "a", "name": "look"},
        {"type": "tool_call_start", "block": 2, "name": "look", "kind": "custom"},
        {"type": "tool_call_delta", "block": 1, "arguments": '{"at":'},
        {"type": "tool_call_delta", "block": 2, "arguments": "free"},
        {"type": "tool_call_delta", "block": 1, "arguments": " 1}"},
        *finish("tool_calls"),
    ]
    frames, losses = write(ROOM, events)
    done = [frame for frame in frames if frame["type"] == "response.output_item.done"]
    assert [frame["output_index"] for frame in done] == [0, 1, 2]
    assert done[1]["item"] == {
        "id": "fc_2d711642b726_1", "type": "function_call", "status": "completed", "call_id": "a", "name": "look",
        "arguments": '{"at": 1}',
    }  # fmt: skip
    assert (done[2]["item"]["type"], done[2]["item"]["input"]) == ("custom_tool_call", "free")
    assert done[2]["item"]["call_id"] == "call_2d711642b726_1"
    assert "/3/id" in [loss.path for loss in losses if loss.severity == "filled"]
    assert [item.type for item in official(frames).output] == ["message", "function_call", "custom_tool_call"]
    assert gather(read(ROOM, frames))["finish_reason"] == "tool_calls"


@pytest.mark.parametrize(("arguments", "wanted"), [("", "{}"), ({"at": [1, None]}, '{"at":[1,null]}'), ("{}", "{}")])
def test_str_4_a_whole_call_keeps_its_arguments(arguments: Any, wanted: str) -> None:
    start = {"type": "tool_call_start", "block": 0, "id": "a", "name": "look", "arguments": arguments}
    frames, _ = write(ROOM, [START, start, {"type": "block_end", "block": 0}, *finish("tool_calls")])
    [item] = official(frames).output
    assert item.type == "function_call"
    assert item.arguments == wanted


def test_consecutive_texts_share_a_message_until_a_call_or_refusal() -> None:
    events = [
        START,
        *text(0, "One."),
        *text(1, "Two."),
        *text(2, "No.", kind="refusal"),
        *text(3, "Three."),
        {"type": "tool_call_start", "block": 4, "id": "a", "name": "look", "arguments": "{}"},
        *text(5, "Four."),
        *finish(),
    ]
    frames, _ = write(ROOM, events)
    output = official(frames).output
    assert [item.type for item in output] == ["message", "message", "function_call", "message"]
    assert [len(item.content) for item in output if item.type == "message"] == [3, 1, 1]
    messages = gather(read(ROOM, frames))["messages"]
    assert [(len(one["content"]), "refusal" in one) for one in messages] == [(2, True), (1, False), (1, False)]


def test_citations_are_written_when_their_text_is_complete() -> None:
    citation = {"kind": "url", "url": "https://a.example", "cited_text": "lo"}
    events = [START, {"type": "citation", "block": 0, "citation": citation}, *text(0, "Hel", "lo"), *finish()]
    frames, losses = write(ROOM, events)
    [frame] = [frame for frame in frames if frame["type"] == "response.output_text.annotation.added"]
    assert frame["annotation"] == {
        "type": "url_citation", "url": "https://a.example", "title": "", "start_index": 0, "end_index": 5,
    }  # fmt: skip
    [message] = official(frames).output
    assert message.type == "message"
    [part] = message.content
    assert part.type == "output_text"
    assert [one.type for one in part.annotations] == ["url_citation"]
    assert "/1/citation/cited_text" in [loss.path for loss in losses if loss.severity == "lost"]


def test_str_13_a_truncated_stream_has_no_last_frame_and_its_item_is_incomplete() -> None:
    start = {"type": "tool_call_start", "block": 0, "id": "a", "name": "look"}
    events = [START, start, {"type": "tool_call_delta", "block": 0, "arguments": '{"a'}]
    frames, _ = write(ROOM, [*events, {"type": "end", "complete": False}])
    assert frames == write(ROOM, events)[0]
    assert frames[-1]["type"] == "response.output_item.done"
    assert frames[-1]["item"]["status"] == "incomplete"
    assert "finish_reason" not in gather(read(ROOM, frames))


def test_an_error_is_written_and_ends_a_failed_answer() -> None:
    error = {"type": "error", "code": "overloaded_error", "message": "Sorry."}
    frames, _ = write(ROOM, [START, *text(0, "Hel"), error, *finish("error")])
    [told] = [frame for frame in frames if frame["type"] == "error"]
    assert (told["code"], told["message"], told["param"]) == ("server_is_overloaded", "Sorry.", None)
    assert frames[-1]["type"] == "response.failed"
    assert frames[-1]["response"]["error"] == {"code": "server_is_overloaded", "message": "Sorry."}
    with pytest.raises(il.StreamError):
        il.collect(il.decode_stream(frames, ROOM))


@pytest.mark.parametrize(
    ("reason", "status"), [("length", "incomplete"), ("content_filter", "incomplete"), ("stop", "completed")]
)
def test_the_last_message_of_a_truncated_answer_is_incomplete(reason: Any, status: str) -> None:
    frames, _ = write(ROOM, [START, *text(0, "Hel"), *finish(reason)])
    assert [one["item"]["status"] for one in frames if one["type"].endswith("item.done")] == [status]
    assert frames[-1]["response"]["output"][0]["status"] == status
    message = il.AssistantChatMessage(content="Hel")
    whole = il.encode_response(il.ChatResponse(messages=(message,), finish_reason=reason), ROOM).body
    assert whole["output"][0]["status"] == status


def test_finish_reason_length_makes_an_incomplete_answer() -> None:
    frames, _ = write(ROOM, [START, *text(0, "Hel"), *finish("length")])
    assert frames[-1]["type"] == "response.incomplete"
    assert frames[-1]["response"]["incomplete_details"] == {"reason": "max_output_tokens"}
    frames, losses = write(ROOM, [START, *text(0, "Hel"), END])
    assert official(frames).status == "completed"
    assert "/2/reason" in [loss.path for loss in losses if loss.severity == "filled"]


def test_events_without_a_start_get_one() -> None:
    frames, losses = write(ROOM, [*text(0, "Hello"), *finish()])
    assert official(frames).output_text == "Hello"
    assert {"/0/id", "/0/model", "/0/created"} <= {loss.path for loss in losses if loss.severity == "filled"}


def test_other_alternatives_are_lost_and_a_second_start_is_reported() -> None:
    other = {"type": "content", "block": 1, "text": "Other", "alternative": 1}
    frames, losses = write(ROOM, [START, *text(0, "Hello"), other, *finish()])
    assert official(frames).output_text == "Hello"
    assert ("message", "/2/text", "lost") in [(loss.code, loss.path, loss.severity) for loss in losses]
    frames, losses = write(ROOM, [START, *text(0, "Hello"), {**START, "id": "y"}, *text(1, "Again"), *finish()])
    assert official(frames).output_text == "HelloAgain"
    assert [loss.path for loss in losses if loss.severity != "filled"] == ["/2/type", "/2/id"]


def test_opaque_frames_of_another_dialect_are_one_loss_for_each_type_and_a_ping_is_none() -> None:
    ping, news = (
        {"type": "opaque", "dialect": "claude", "data": {"type": "ping", **more}} for more in ({}, {"new": 1})
    )
    frames, losses = write(ROOM, [START, news, news, ping, *text(0, "Hello"), *finish()])
    assert official(frames).output_text == "Hello"
    assert [loss.path for loss in losses if loss.code == "extra"] == ["/1/data"]
