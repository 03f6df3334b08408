"""Streams of Claude: what its frames say, and how the events of others become its frames."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.streaming import gather
from support.accumulators import claude_message
from support.streams import read, said, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

START: Final[dict[str, Any]] = {
    "type": "message_start",
    "message": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 1},
    },
}
STOP: Final[dict[str, Any]] = {"type": "message_stop"}


def opened(index: int, block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def piece(index: int, **delta: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": delta}


def closed(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def finished(reason: str = "end_turn", tokens: int = 5) -> dict[str, Any]:
    delta = {"stop_reason": reason, "stop_sequence": None}
    return {"type": "message_delta", "delta": delta, "usage": {"output_tokens": tokens}}


def texts(index: int, *pieces: str) -> list[dict[str, Any]]:
    deltas = [piece(index, type="text_delta", text=text) for text in pieces]
    return [opened(index, {"type": "text", "text": ""}), *deltas, closed(index)]


def test_a_text_answer_is_decoded_event_by_event() -> None:
    events = read("claude", [START, *texts(0, "Hel", "lo"), finished(), STOP])
    assert [event["type"] for event in events] == [
        "start", "content", "content", "content", "block_end", "finish", "usage", "end",
    ]  # fmt: skip
    assert [text for _, _, text in said(events)] == ["", "Hel", "lo"]
    assert not any("extra" in event for event in events if event["type"] in {"content", "block_end", "end"})
    assert events[-1] == {"type": "end", "complete": True}


def test_late_signatures_are_written_at_their_place() -> None:
    frames = [
        START,
        opened(0, {"type": "thinking", "thinking": "", "signature": ""}),
        piece(0, type="thinking_delta", thinking="Let me see."),
        piece(0, type="signature_delta", signature="c2lnbmVk"),
        closed(0),
        opened(1, {"type": "redacted_thinking", "data": "aGlkZGVu"}),
        closed(1),
        *texts(2, "Done."),
        finished(),
        STOP,
    ]
    events = read("claude", frames)
    assert write("claude", events) == (frames, ())
    message = gather(events)["messages"][0]
    assert message["reasoning"] == "Let me see."
    assert message["extra"]["claude"]["thinking_blocks"] == [
        {"type": "thinking", "signature": "c2lnbmVk"},
        {"type": "redacted_thinking", "data": "aGlkZGVu"},
    ]


def test_str_9_foreign_events_become_blocks_that_the_official_accumulator_reads() -> None:
    # A source like Chat Completions: nothing ends before the finish, calls are written side by side.
    events: list[dict[str, Any]] = [
        {"type": "start", "id": "x", "model": "m"},
        {"type": "reasoning", "block": 0, "text": "Hm."},
        {"type": "content", "block": 1, "text": ""},
        {"type": "content", "block": 1, "text": "I look."},
        {"type": "tool_call_start", "block": 2, "id": "a", "name": "look"},
        {"type": "tool_call_start", "block": 3, "id": "b", "name": "look"},
        {"type": "tool_call_delta", "block": 2, "arguments": '{"at":'},
        {"type": "tool_call_delta", "block": 3, "arguments": "{}"},
        {"type": "tool_call_delta", "block": 2, "arguments": " 1}"},
        *({"type": "block_end", "block": block} for block in range(4)),
        {"type": "finish", "reason": "tool_calls"},
        {"type": "usage", "usage": {"input_tokens": 3, "output_tokens": 4}},
        {"type": "end", "complete": True},
    ]
    frames, losses = write("claude", events)
    message = claude_message(frames)
    assert [block.type for block in message.content] == ["thinking", "text", "tool_use", "tool_use"]
    assert [block.input for block in message.content if block.type == "tool_use"] == [{"at": 1}, {}]
    assert message.stop_reason == "tool_use"
    assert message.usage.output_tokens == 4
    starts = [frame["index"] for frame in frames if frame["type"] == "content_block_start"]
    stops = [frame["index"] for frame in frames if frame["type"] == "content_block_stop"]
    assert starts == stops == [0, 1, 2, 3]
    assert {loss.severity for loss in losses} == {"filled"}


@pytest.mark.parametrize("arguments", ["", {"at": [1, None]}, '{"at": 1}'])
def test_str_4_a_whole_call_is_written_as_one_fragment(arguments: Any) -> None:
    start = {"type": "tool_call_start", "block": 0, "id": "a", "name": "look", "arguments": arguments}
    frames, _ = write("claude", [{"type": "start"}, start, {"type": "end", "complete": True}])
    assert frames[1]["content_block"]["input"] == {}
    block = claude_message(frames).content[0]
    wanted = arguments if isinstance(arguments, dict) else {"at": 1} if arguments else {}
    assert block.type == "tool_use"
    assert block.input == wanted


def test_custom_tool_input_becomes_a_member_of_an_object() -> None:
    events: list[dict[str, Any]] = [
        {"type": "start"},
        {"type": "tool_call_start", "block": 0, "id": "a", "name": "patch", "kind": "custom"},
        {"type": "tool_call_delta", "block": 0, "arguments": 'say "hi"'},
        {"type": "tool_call_delta", "block": 0, "arguments": "\n"},
        {"type": "end", "complete": True},
    ]
    frames, losses = write("claude", events)
    block = claude_message(frames).content[0]
    assert block.type == "tool_use"
    assert block.input == {"input": 'say "hi"\n'}
    assert {loss.path for loss in losses if loss.code == "arguments"} == {"/2/arguments", "/1/kind"}


def test_str_8_usage_overwrites_and_is_never_added() -> None:
    frames = [START, *texts(0, "Hi"), finished(tokens=2), finished(tokens=7), STOP]
    response = il.collect(il.decode_stream(frames, "claude"))
    assert response.usage is not None
    assert response.usage.input_tokens == 10
    assert response.usage.output_tokens == 7


@pytest.mark.parametrize("count", range(7))
def test_str_13_a_truncated_stream_is_kept_and_marked(count: int) -> None:
    frames = [START, *texts(0, "Hel", "lo"), finished(), STOP][:count]
    events = list(il.decode_stream(frames, "claude"))
    assert events[-1].type == "end"
    assert events[-1].complete is (count > 5)
    assert list(il.encode_stream(events, "claude")) == frames
    collected = il.collect(events)
    messages = collected.model_dump(mode="json")["messages"]
    told = [part["text"] for message in messages for part in message.get("content", ())]
    assert "".join(told) == "Hello"[: 3 if count == 3 else 0 if count < 3 else 5]
    assert (collected.finish_reason is None) is (count < 6)


def test_an_error_within_a_stream_has_the_partial_answer() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}, "request_id": "r"}
    frames = [START, opened(0, {"type": "text", "text": ""}), piece(0, type="text_delta", text="Hel"), error]
    events = list(il.decode_stream(frames, "claude"))
    assert list(il.encode_stream(events, "claude")) == frames
    with pytest.raises(il.StreamError) as broken:
        il.collect(events)
    assert broken.value.code == "overloaded_error"
    assert broken.value.partial.messages[0].content in {"Hel", (il.TextPart(text="Hel"),)}
    assert "Hel" not in str(broken.value)


def test_a_malformed_frame_raises_an_error_with_its_number_and_the_partial_answer() -> None:
    frames = [START, opened(0, {"type": "text", "text": ""}), piece(0, type="text_delta", text="Hel")]
    decoder = il.StreamDecoder("claude")
    for frame in frames:
        decoder.feed(frame)
    with pytest.raises(il.DecodeError) as refused:
        decoder.feed(piece(0, type="text_delta", text=7))
    assert refused.value.path == "/3/delta/text"
    assert refused.value.dialect == "claude"
    assert "Hel" in str(refused.value.partial)


def test_server_tool_blocks_are_kept_with_their_fragments() -> None:
    block = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    pieces = [piece(0, type="input_json_delta", partial_json=text) for text in ('{"q":', '"x"}')]
    frames = [START, opened(0, block), *pieces, closed(0), *texts(1, "Found."), finished(), STOP]
    events = read("claude", frames)
    assert write("claude", events) == (frames, ())
    assert gather(events)["messages"][0]["content"][0]["data"] == {**block, "input": {"q": "x"}}
    parts = [event["part"]["data"]["input"] for event in events if event["type"] == "part"]
    assert parts == [{}, {"q": "x"}]


def test_a_second_message_start_begins_anew_and_block_numbers_continue() -> None:
    again = {**START, "message": {**START["message"], "id": "msg_2"}}
    frames = [START, *texts(0, "Hel"), again, *texts(0, "Hello"), finished(), STOP]
    events = read("claude", frames)
    assert write("claude", events) == (frames, ())
    assert {event["block"] for event in events if "block" in event} == {0, 1}
    assert gather(events)["id"] == "msg_2"
    assert gather(events)["messages"][0]["content"] == [{"type": "text", "text": "Hello"}]


def test_a_citation_before_the_first_text_opens_its_block_in_other_dialects() -> None:
    place = {"start_index": 0, "end_index": 1, "extra": {"claude": {"fields": {"document_index": 0}}}}
    citation = {"kind": "document", "title": "T", "cited_text": "c", **place}
    events: list[dict[str, Any]] = [
        {"type": "start"},
        {"type": "content", "block": 0, "text": ""},
        {"type": "citation", "block": 0, "citation": citation},
        {"type": "content", "block": 0, "text": "Said."},
        {"type": "end", "complete": True},
    ]
    block = claude_message(write("claude", events)[0]).content[0]
    assert block.type == "text"
    assert block.text == "Said."
    assert block.citations is not None
    assert len(block.citations) == 1


def test_an_async_source_is_read_incrementally() -> None:
    whole = [START, *texts(0, "Hi"), finished(), STOP]

    async def source() -> AsyncIterator[Any]:
        for frame in whole:
            yield frame

    async def check() -> None:
        assert [event async for event in il.decode_stream(source(), "claude")] == list(
            il.decode_stream(whole, "claude")
        )
        assert [frame async for frame in il.translate_stream(source(), "claude", "claude")] == whole

    asyncio.run(check())


def test_an_empty_citation_round_trips() -> None:
    block = [opened(0, {"type": "text", "text": ""}), piece(0, type="citations_delta", citation={}), closed(0)]
    frames = [START, *block, finished(), STOP]
    assert write("claude", read("claude", frames)) == (frames, ())
