"""Streams of Responses read: what the frames say, and that they go out as they came."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.rooms.openai_responses import assemble_stream
from interlingua.streaming import gather
from support.streams import read, said, write

ROOM: Final = "openai_responses"
BODY: Final[dict[str, Any]] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1700000000,
    "status": "in_progress",
    "error": None,
    "incomplete_details": None,
    "model": "gpt-x",
    "output": [],
    "usage": None,
    "tools": [],
    "temperature": 1.0,
}
USAGE: Final[dict[str, Any]] = {
    "input_tokens": 3,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 4,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 7,
}
CREATED: Final[dict[str, Any]] = {"type": "response.created", "response": BODY}


def numbered(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**frame, "sequence_number": number} for number, frame in enumerate(frames)]


def ended(output: list[Any], status: str = "completed", **more: Any) -> dict[str, Any]:
    body = {**BODY, "status": status, "output": output, "usage": USAGE, "completed_at": 1700000009, **more}
    return {"type": f"response.{status}", "response": body}


def added(index: int, item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": index, "item": item}


def done(index: int, item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def about(name: str, index: int, item: str, **more: Any) -> dict[str, Any]:
    return {"type": f"response.{name}", "item_id": item, "output_index": index, **more}


def text_part(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": [], **more}


def message(text: str, **more: Any) -> dict[str, Any]:
    content = [text_part(text)] if text else []
    status = "completed" if text else "in_progress"
    return {"id": "msg_1", "type": "message", "status": status, "role": "assistant", "content": content, **more}


def opened(index: int = 0) -> list[dict[str, Any]]:
    return [
        added(index, message("")),
        about("content_part.added", index, "msg_1", content_index=0, part=text_part("")),
    ]


def pieces(index: int, *texts: str) -> list[dict[str, Any]]:
    return [
        about("output_text.delta", index, "msg_1", content_index=0, delta=text, logprobs=[], obfuscation="x" * at)
        for at, text in enumerate(texts)
    ]


def closed(index: int, text: str) -> list[dict[str, Any]]:
    return [
        about("output_text.done", index, "msg_1", content_index=0, text=text, logprobs=[]),
        about("content_part.done", index, "msg_1", content_index=0, part=text_part(text)),
        done(index, message(text)),
    ]


PLAIN: Final = numbered([
    CREATED,
    {**CREATED, "type": "response.in_progress"},
    *opened(),
    *pieces(0, "Hel", "lo"),
    *closed(0, "Hello"),
    ended([message("Hello")]),
])  # fmt: skip


def there_and_back(frames: list[Any]) -> list[dict[str, Any]]:
    """Return the events of frames, which must give the frames back."""
    events = read(ROOM, frames)
    assert write(ROOM, events) == (frames, ())
    return events


def test_a_text_answer_is_decoded_event_by_event_and_repeating_frames_are_ignored() -> None:
    events = there_and_back(PLAIN)
    kinds = ["start", "state", "content", "content", "content", "block_end", "usage", "finish", "end"]
    assert [event["type"] for event in events] == kinds
    assert [text for _, _, text in said(events)] == ["", "Hel", "lo"]
    assert events[5] == {"type": "block_end", "block": 0}
    assert events[4]["extra"] == {ROOM: {"frame": {"put": {"obfuscation": "x"}}}}
    assert "Hello" not in str([event.get("extra") for event in events])


def test_str_12_the_collected_answer_equals_the_whole_body() -> None:
    assert il.collect(il.decode_stream(PLAIN, ROOM)) == il.decode_response(PLAIN[-1]["response"], ROOM)


def test_missing_closing_frames_are_not_written() -> None:
    for left_out in ({6}, {7}, {6, 7}, {8}, {6, 7, 8}):
        frames = [frame for at, frame in enumerate(PLAIN) if at not in left_out]
        assert gather(there_and_back(frames)) == gather(read(ROOM, PLAIN))
    [end] = [event for event in there_and_back([*PLAIN[:7], *PLAIN[8:]]) if event["type"] == "block_end"]
    assert end["extra"][ROOM]["spelling"] == {"frames": ["text.done", "item.done"]}


def test_a_frame_between_those_that_close_a_text_keeps_its_position() -> None:
    strange = {"type": "response.moderation.checked", "output_index": 0}
    for at in range(2, len(PLAIN)):
        events = there_and_back([*PLAIN[:at], strange, *PLAIN[at:]])
        assert [event["data"] for event in events if event["type"] == "opaque"] == [strange]
        assert gather(events) == gather(read(ROOM, PLAIN))


def test_a_text_that_only_the_last_frames_contain_is_read_once() -> None:
    for frames in (
        numbered([CREATED, *opened(), *closed(0, "Hello"), ended([message("Hello")])]),
        numbered([CREATED, added(0, message("")), done(0, message("Hello")), ended([message("Hello")])]),
        numbered([CREATED, done(0, message("Hello")), ended([message("Hello")])]),
        numbered([CREATED, ended([message("Hello")])]),
        numbered([CREATED, *opened(), *pieces(0, "Hel"), *closed(0, "Hello"), ended([message("Hello")])]),
    ):
        events = there_and_back(frames)
        assert "".join(text for _, _, text in said(events)) == "Hello"
        assert "Hello" not in str([event.get("extra") for event in events])
        assert gather(events)["messages"][0]["content"] == [{"type": "text", "text": "Hello"}]


def test_fragments_take_precedence_over_a_contradictory_repetition() -> None:
    frames = numbered([CREATED, *opened(), *pieces(0, "Hullo"), *closed(0, "Hello"), ended([message("Hello")])])
    assert "".join(text for _, _, text in said(there_and_back(frames))) == "Hullo"


def thought(secret: str, *texts: str) -> dict[str, Any]:
    summary = [{"type": "summary_text", "text": text} for text in texts]
    return {"id": "rs_1", "type": "reasoning", "summary": summary, "encrypted_content": secret}


def test_encrypted_reasoning_of_the_last_frame_takes_precedence_and_a_truncated_stream_has_the_items() -> None:
    frames = numbered([CREATED, added(0, thought("early")), done(0, thought("whole")), ended([thought("terminal")])])
    events = there_and_back(frames)
    assert [event["type"] for event in events] == ["start", "state", "block_end", "usage", "finish", "end"]
    for came, secret in ((frames, "terminal"), (frames[:3], "whole"), (frames[:2], "early")):
        kept = gather(there_and_back(came))["messages"][0]["extra"][ROOM]["reasoning"]
        assert kept["encrypted_content"] == secret


def test_each_part_of_a_summary_is_a_block_of_the_same_item() -> None:
    frames = [CREATED, added(0, thought("s"))]
    for index, text in enumerate(("One.", "Two.")):
        part = {"type": "summary_text", "text": ""}
        frames += [
            about("reasoning_summary_part.added", 0, "rs_1", summary_index=index, part=part),
            about("reasoning_summary_text.delta", 0, "rs_1", summary_index=index, delta=text),
            about("reasoning_summary_text.done", 0, "rs_1", summary_index=index, text=text),
            about("reasoning_summary_part.done", 0, "rs_1", summary_index=index, part={**part, "text": text}),
        ]
    whole = thought("s", "One.", "Two.")
    events = there_and_back(numbered([*frames, done(0, whole), ended([whole])]))
    assert [event["block"] for event in events if event["type"] == "reasoning"] == [0, 0, 1, 1]
    openings = [event["extra"][ROOM] for event in events if event["type"] == "reasoning" and not event["text"]]
    assert openings == [{"item": {"id": "rs_1", "encrypted_content": "s"}}, {"spelling": {"item": "same"}}]
    assert [part["text"] for part in gather(events)["messages"][0]["reasoning"]] == ["One.", "Two."]


def call(index: int, arguments: str, status: str = "completed") -> dict[str, Any]:
    return {
        "id": f"fc_{index}",
        "type": "function_call",
        "status": status,
        "call_id": f"call_{index}",
        "name": "look",
        "arguments": arguments,
    }


def test_interleaved_calls_keep_their_arguments_separate() -> None:
    frames = numbered([
        CREATED,
        added(0, call(0, "", "in_progress")),
        added(1, call(1, "", "in_progress")),
        about("function_call_arguments.delta", 0, "fc_0", delta='{"at":'),
        about("function_call_arguments.delta", 1, "fc_1", delta="{}"),
        about("function_call_arguments.delta", 0, "fc_0", delta=" 1}"),
        about("function_call_arguments.done", 1, "fc_1", arguments="{}"),
        done(1, call(1, "{}")),
        about("function_call_arguments.done", 0, "fc_0", arguments='{"at": 1}'),
        done(0, call(0, '{"at": 1}')),
        ended([call(0, '{"at": 1}'), call(1, "{}")]),
    ])  # fmt: skip
    events = there_and_back(frames)
    assert not any(event["type"] == "opaque" for event in events)
    calls = gather(events)["messages"][0]["tool_calls"]
    assert [(one["id"], one["arguments"]) for one in calls] == [("call_0", '{"at": 1}'), ("call_1", "{}")]
    assert next(event["reason"] for event in events if event["type"] == "finish") == "tool_calls"


def test_arguments_without_fragments_are_read_from_the_closing_frame() -> None:
    frames = numbered([CREATED, added(0, call(0, "", "in_progress")), done(0, call(0, "{}")), ended([call(0, "{}")])])
    events = there_and_back(frames)
    [told] = [event for event in events if event["type"] == "tool_call_delta"]
    assert told["arguments"] == "{}"
    assert told["extra"][ROOM]["spelling"] == {"delta": "silent"}


def test_content_that_only_the_last_frame_has_is_read_even_if_it_omits_an_earlier_item() -> None:
    hidden = {"type": "reasoning", "id": "rs_1", "summary": []}
    frames = numbered([
        CREATED,
        added(0, hidden),
        done(0, hidden),
        *opened(1),
        *pieces(1, "Hel", "lo"),
        *closed(1, "Hello"),
        added(2, call(0, "", "in_progress")),
        added(3, call(1, "", "in_progress")),
        ended([message("Hello"), call(0, '{"at": 0}'), call(1, '{"at": 1}')]),
    ])  # fmt: skip
    collected = gather(there_and_back(frames))
    assert [(one["id"], one["arguments"]) for said in collected["messages"] for one in said.get("tool_calls", ())] == [
        ("call_0", '{"at": 0}'), ("call_1", '{"at": 1}')
    ]  # fmt: skip
    abroad = il.collect(il.decode_stream(list(il.translate_stream(frames, ROOM, "claude")), "claude"))
    normal = il.normal_form(abroad)
    assert [call["arguments"] for call in normal["messages"][0]["tool_calls"]] == [{"at": 0}, {"at": 1}]
    assert normal["messages"][0]["content"] == "Hello"


def test_server_tool_frames_collect_to_opaque_messages() -> None:
    search = {"id": "ws_1", "type": "web_search_call", "status": "completed", "action": {"query": "x"}}
    frames = numbered([
        CREATED,
        added(0, {**search, "status": "in_progress"}),
        about("web_search_call.searching", 0, "ws_1"),
        about("web_search_call.completed", 0, "ws_1"),
        done(0, search),
        *opened(1),
        *pieces(1, "Hello"),
        *closed(1, "Hello"),
        ended([search, message("Hello")]),
    ])  # fmt: skip
    events = there_and_back(frames)
    assert [event["type"] for event in events].count("opaque") == 4
    answer = gather(events)
    assert [one["role"] for one in answer["messages"]] == ["opaque", "assistant"]
    assert answer["messages"][0]["data"] == search


def test_a_call_run_by_xais_server_is_not_a_client_call() -> None:
    search = {"type": "custom_tool_call", "id": "ctc_1", "call_id": "xs_call_1", "name": "x_keyword_search"}
    frames = numbered([
        CREATED,
        added(0, {**search, "input": "", "status": "in_progress"}),
        about("custom_tool_call_input.delta", 0, "ctc_1", delta="{}"),
        about("custom_tool_call_input.done", 0, "ctc_1", input="{}"),
        done(0, {**search, "input": "{}", "status": "completed"}),
        *opened(1),
        *pieces(1, "Hello"),
        *closed(1, "Hello"),
        ended([{**search, "input": "{}", "status": "completed"}, message("Hello")]),
    ])  # fmt: skip
    answer = gather(there_and_back(frames))
    assert [one["role"] for one in answer["messages"]] == ["opaque", "assistant"]
    assert answer["finish_reason"] == "stop"
    stream = il.translate_stream(frames, ROOM, "claude")
    assert [frame["delta"]["stop_reason"] for frame in stream if frame["type"] == "message_delta"] == ["end_turn"]
    assert any(loss.severity == "lost" and loss.concern == "content" for loss in stream.losses)


def test_annotations_are_citations_of_their_text() -> None:
    link = {"type": "url_citation", "url": "https://a.example", "title": "A", "start_index": 0, "end_index": 5}
    cited = text_part("Hello", annotations=[link])
    frames = [CREATED, *opened(), *pieces(0, "Hello"), *closed(0, "Hello"), ended([message("", content=[cited])])]
    frames[4:4] = [
        about("output_text.annotation.added", 0, "msg_1", content_index=0, annotation_index=0, annotation=link)
    ]
    frames[6]["part"], frames[7]["item"] = cited, message("Hello", content=[cited])
    events = there_and_back(numbered(frames))
    [citation] = [event["citation"] for event in events if event["type"] == "citation"]
    assert citation == {"kind": "url", "url": "https://a.example", "title": "A", "start_index": 0, "end_index": 5}
    assert gather(events)["messages"][0]["content"][0]["citations"] == [citation]


def test_a_refusal_is_decoded() -> None:
    part = {"type": "refusal", "refusal": ""}
    whole = message("", status="completed", content=[{**part, "refusal": "I will not."}])
    frames = numbered([
        CREATED,
        added(0, message("")),
        about("content_part.added", 0, "msg_1", content_index=0, part=part),
        about("refusal.delta", 0, "msg_1", content_index=0, delta="I will not."),
        about("refusal.done", 0, "msg_1", content_index=0, refusal="I will not."),
        about("content_part.done", 0, "msg_1", content_index=0, part={**part, "refusal": "I will not."}),
        done(0, whole),
        ended([whole]),
    ])  # fmt: skip
    answer = gather(there_and_back(frames))
    assert answer["messages"][0]["refusal"] == "I will not."
    assert answer["finish_reason"] == "refusal"


@pytest.mark.parametrize(
    "error",
    [
        {"type": "error", "code": "server_error", "message": "Sorry.", "param": None},
        {
            "type": "error",
            "error": {"type": "server_error", "code": "server_error", "message": "Sorry.", "param": None},
        },
        ended([], "failed", error={"code": "server_error", "message": "Sorry."}),
    ],
)
def test_an_error_within_a_stream_has_the_partial_answer(error: dict[str, Any]) -> None:
    frames = numbered([*PLAIN[:6], error])
    events = there_and_back(frames)
    assert "Sorry." not in str([event.get("extra") for event in events])
    with pytest.raises(il.StreamError) as raised:
        il.collect(il.decode_stream(frames, ROOM))
    assert raised.value.code == "server_error"
    assert raised.value.partial.messages[0].content[0].text == "Hello"


def test_an_incomplete_answer_has_a_finish_reason() -> None:
    last = ended([message("Hello")], "incomplete", incomplete_details={"reason": "max_output_tokens"})
    events = there_and_back([*PLAIN[:9], {**last, "sequence_number": 9}])
    assert gather(events)["finish_reason"] == "length"
    assert events[-1] == {"type": "end", "complete": True}


def test_str_13_a_truncated_stream_is_incomplete() -> None:
    for end in range(1, len(PLAIN)):
        events = there_and_back(PLAIN[:end])
        assert events[-1] == {"type": "end", "complete": False}
        assert "finish_reason" not in gather(events)


def test_done_ends_the_stream_and_round_trips() -> None:
    events = there_and_back([*PLAIN, "[DONE]"])
    assert events[-1] == {"type": "end", "complete": True, "extra": {ROOM: {"spelling": {"end": "done"}}}}
    assert gather(events) == gather(read(ROOM, PLAIN))


def test_missing_sequence_numbers_are_learned_and_not_patched_in_each_frame() -> None:
    frames = [{name: value for name, value in frame.items() if name != "sequence_number"} for frame in PLAIN]
    for frame in frames:
        frame.pop("obfuscation", None)
    patched = [event["type"] for event in there_and_back(frames) if "frame" in event.get("extra", {}).get(ROOM, {})]
    assert patched == ["start", "finish"]


def test_a_missing_start_and_a_second_one_round_trip() -> None:
    assert gather(there_and_back(PLAIN[2:]))["id"] == "resp_1"
    events = there_and_back([*PLAIN[:6], *PLAIN])
    assert [event["block"] for event in events if event["type"] == "content"] == [0, 0, 0, 1, 1, 1]
    assert gather(events) == gather(read(ROOM, PLAIN))


@pytest.mark.parametrize(
    ("frame", "path"),
    [
        ({"type": 1}, "/4/type"),
        ({"type": "response.output_item.added", "output_index": 1, "item": 5}, "/4/item"),
        ({"type": "response.output_item.added", "output_index": None, "item": call(1, "")}, "/4/output_index"),
        ({"type": "response.output_item.done", "output_index": 0, "item": message("", content=5)}, "/4/item/content"),
        (about("output_text.delta", 0, "msg_1", content_index=0, delta=None), "/4/delta"),
        (about("content_part.done", 0, "msg_1", content_index=0, part={"type": "output_text"}), "/4/part/text"),
        ({"type": "response.completed", "response": {"output": [5]}}, "/4/response/output/0"),
    ],
)  # fmt: skip
def test_a_malformed_known_frame_raises_one_error_with_its_path(frame: Any, path: str) -> None:
    with pytest.raises(il.DecodeError) as raised:
        list(il.decode_stream([*PLAIN[:4], frame], ROOM))
    assert (raised.value.dialect, raised.value.path) == (ROOM, path)


def test_the_collected_body_is_that_of_the_last_frame_unless_its_output_is_empty() -> None:
    assert assemble_stream(PLAIN) == PLAIN[-1]["response"]
    emptied = [*PLAIN[:-1], {**PLAIN[-1], "response": {**PLAIN[-1]["response"], "output": []}}]
    assert assemble_stream(emptied) == PLAIN[-1]["response"]


def _told(index: int, text: str, how: str) -> list[dict[str, Any]]:
    """Return the frames of Responses that tell a message in one of the ways that its servers have."""
    where = {"output_index": index, "content_index": 0, "item_id": f"msg_{index}"}
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {"id": f"msg_{index}", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    begun = {**item, "status": "in_progress", "content": []}
    frames: dict[str, dict[str, Any]] = {
        "item": {"type": "response.output_item.added", "output_index": index, "item": begun},
        "part": {"type": "response.content_part.added", **where, "part": {**part, "text": ""}},
        "piece": {"type": "response.output_text.delta", **where, "delta": text},
        "text": {"type": "response.output_text.done", **where, "text": text},
        "whole": {"type": "response.output_item.done", "output_index": index, "item": item},
    }
    return [frames[word] for word in how.split()]


@pytest.mark.parametrize("first", ["item part piece text whole", "item whole", "whole", "item text whole"])
@pytest.mark.parametrize("second", ["item part piece text whole", "item whole", "whole", "piece text"])
def test_two_responses_messages_are_two_paragraphs_in_any_stream_form(first: str, second: str) -> None:
    answer = {"id": "resp_1", "object": "response", "created_at": 1, "status": "in_progress", "output": []}
    last = {"type": "response.completed", "response": {**answer, "status": "completed"}}
    begun = {"type": "response.created", "response": answer}
    frames = [begun, *_told(0, "Hello", first), *_told(1, "World", second), last]
    chunks = list(il.translate_stream(frames, "openai_responses", "openai_chat"))
    assert il.collect(il.decode_stream(chunks, "openai_chat")).messages[0].text == "Hello\n\nWorld"
    assert list(il.encode_stream(il.decode_stream(frames, "openai_responses"), "openai_responses")) == frames


def test_a_number_of_another_type_is_no_loss_abroad_and_another_value_is() -> None:
    def lost(**more: Any) -> list[str]:
        frames = numbered([CREATED, {"type": "response.in_progress", "response": {**BODY, **more}}, ended([])])
        with il.translate_stream(frames, ROOM, "claude") as stream:
            list(stream)
        return [loss.path for loss in stream.losses if loss.path.startswith("/1/")]

    assert lost() == lost(created_at=1700000000.0) == []
    assert lost(created_at=1700000001) == [f"/1/extra/{ROOM}"]
