"""Streams of Chat Completions: calls, texts, usage, errors, accents of vendors, cut streams."""

from __future__ import annotations

import itertools
import json
from typing import Any, Final

import pytest
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

import interlingua as il
from interlingua.rooms import claude, openai_chat
from interlingua.streaming import EventDecoder, EventEncoder, gather, translate_stream

DONE: Final[Any] = "[DONE]"
USAGE: Final = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
LABELS: Final = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": "gpt-x"}


def chunk(delta: dict[str, Any], reason: str | None = None, index: int = 0, **members: Any) -> Any:
    return {**LABELS, "choices": [{"index": index, "delta": delta, "finish_reason": reason}], **members}


def usage_chunk(usage: dict[str, Any] | None = None) -> Any:
    return {**LABELS, "choices": [], "usage": USAGE if usage is None else usage}


def events_of(frames: list[Any], dialect: str = "openai_chat") -> list[dict[str, Any]]:
    decoder = EventDecoder(dialect)
    return [*(event for frame in frames for event in decoder.feed(frame)), *decoder.close()]


def frames_of(events: list[dict[str, Any]], dialect: str = "openai_chat") -> list[Any]:
    encoder = EventEncoder(dialect)
    frames = [*(frame for event in events for frame in encoder.feed(event)), *encoder.close()]
    assert dialect != "openai_chat" or encoder.losses == ()
    return frames


def collected(frames: list[Any]) -> dict[str, Any]:
    """Return the response of a stream that comes back as it was."""
    events = events_of(frames)
    assert frames_of(events) == frames
    return gather(events)


def said(events: list[dict[str, Any]], kind: str) -> list[str]:
    return [event["text"] for event in events if event["type"] == kind]


def call_chunks(fragments: list[dict[str, Any]]) -> list[Any]:
    return [*(chunk({"tool_calls": [fragment]}) for fragment in fragments), chunk({}, "tool_calls"), DONE]


# --- calls ------------------------------------------------------------------------------------------------------------

INDEXES: Final = ("absent", "null", "always 0", "text", "one more per fragment")
IDENTIFIERS: Final = ("every fragment", "first only", "absent")
ORDERS: Final = ("sequential", "interleaved")
ARGUMENTS: Final = ('{"a": "}"}', '{"b": [2]}')


def fragments_of(index: str, identifiers: str, order: str, names: tuple[str, str]) -> list[dict[str, Any]]:
    pieces = [[None, *(text[at : at + 3] for at in range(0, len(text), 3))] for text in ARGUMENTS]
    if order == "sequential":
        plan = [(call, piece) for call in (0, 1) for piece in pieces[call]]
    else:
        plan = [(call, pieces[call][at]) for at in range(len(pieces[0])) for call in (0, 1)]
    fragments: list[dict[str, Any]] = []
    for number, (call, piece) in enumerate(plan):
        fragment: dict[str, Any] = {}
        if index != "absent":
            fragment["index"] = {"null": None, "always 0": 0, "text": "0", "one more per fragment": number}[index]
        if identifiers == "every fragment" or (identifiers == "first only" and piece is None):
            fragment["id"] = f"call_{call}"
        fragment["function"] = {"name": names[call], "arguments": ""} if piece is None else {"arguments": piece}
        fragments.append(fragment)
    return fragments


@pytest.mark.parametrize("names", [("look", "find"), ("look", "look")])
@pytest.mark.parametrize(("index", "identifiers", "order"), list(itertools.product(INDEXES, IDENTIFIERS, ORDERS)))
def test_str_1_fragments_are_assigned_to_their_call_or_refused(
    index: str, identifiers: str, order: str, names: tuple[str, str]
) -> None:
    frames = call_chunks(fragments_of(index, identifiers, order, names))
    if order == "interleaved" and identifiers != "every fragment":  # nothing says which call a piece belongs to
        with pytest.raises(il.DecodeError) as refused:
            events_of(frames)
        assert refused.value.path.endswith("/choices/0/delta/tool_calls/0")
        return
    calls = collected(frames)["messages"][0]["tool_calls"]
    assert [(call["name"], call["arguments"]) for call in calls] == list(zip(names, ARGUMENTS, strict=True))
    expected = [None, None] if identifiers == "absent" else ["call_0", "call_1"]
    assert [call.get("id") for call in calls] == expected


def test_str_1_interleaved_calls_with_different_indexes_are_separate() -> None:
    frames = call_chunks(
        [
            {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}},
            {"index": 1, "id": "b", "type": "function", "function": {"name": "f", "arguments": ""}},
            {"index": 0, "function": {"arguments": '{"x":'}},
            {"index": 1, "function": {"arguments": '{"y":'}},
            {"index": 0, "function": {"arguments": "1}"}},
            {"index": 1, "function": {"arguments": "2}"}},
        ]
    )
    calls = collected(frames)["messages"][0]["tool_calls"]
    assert [(call["id"], call["arguments"]) for call in calls] == [("a", '{"x":1}'), ("b", '{"y":2}')]


def test_str_1_a_new_id_in_each_fragment_begins_no_call() -> None:
    frames = call_chunks(
        [
            {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x"'}},
            {"index": 0, "id": "b", "type": "function", "function": {"arguments": ":1}"}},
        ]
    )
    (call,) = collected(frames)["messages"][0]["tool_calls"]
    assert (call["id"], call["arguments"]) == ("a", '{"x":1}')


def test_str_1_a_call_with_a_late_name_is_one_call() -> None:
    frames = call_chunks(
        [
            {"index": 0, "id": "a", "type": "function"},
            {"index": 0, "function": {"name": "f"}},
            {"index": 0, "function": {"arguments": "{}"}},
        ]
    )
    events = events_of(frames)
    assert [event["id"] for event in events if event["type"] == "tool_call_start"] == ["a"]
    assert collected(frames)["messages"][0]["tool_calls"][0]["arguments"] == "{}"


def test_str_1_a_repeated_name_begins_a_new_call_once_the_arguments_are_complete() -> None:
    pieces = ['{"x"', ":", "1}", '{"x"', ":", "2}"]
    frames = call_chunks([{"index": 0, "function": {"name": "f", "arguments": piece}} for piece in pieces])
    calls = collected(frames)["messages"][0]["tool_calls"]
    assert [call["arguments"] for call in calls] == ['{"x":1}', '{"x":2}']


def test_str_2_ids_and_names_are_set_once_and_counts_are_never_summed() -> None:
    fragment = {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x"'}}
    again = {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ":1}"}}
    frames = [
        chunk({"role": "assistant", "content": None, "flag": True}, seed=5),
        chunk({"role": "assistant", "tool_calls": [fragment], "flag": True}, seed=5),
        chunk({"role": "assistant", "tool_calls": [again], "flag": False}, seed=5),
        chunk({"role": "assistant"}, "tool_calls", seed=None),
        DONE,
    ]
    response = collected(frames)
    assert response["id"] == "chatcmpl-1"
    assert response["messages"][0]["tool_calls"] == [{"id": "a", "name": "f", "arguments": '{"x":1}'}]
    assert response["messages"][0]["extra"]["openai_chat"]["fields"] == {"flag": False}
    assert response["extra"]["openai_chat"]["fields"] == {"seed": 5}


def test_str_3_a_message_that_repeats_the_whole_text_adds_no_text() -> None:
    frames = []
    for text, whole in (("Hel", "Hel"), ("lo", "Hello"), (" you", "Hello you")):
        frames.append(chunk({"content": text}))
        frames[-1]["choices"][0]["message"] = {"role": "assistant", "content": whole}
    frames.append(chunk({}, "stop"))
    frames[-1]["choices"][0]["message"] = {"role": "assistant", "content": "Hello you"}
    events = events_of(frames)
    assert said(events, "content") == ["Hel", "lo", " you"]
    assert "Hello" not in str([event.get("extra") for event in events])
    assert collected(frames)["messages"] == [{"role": "assistant", "content": "Hello you"}]


def test_str_3_two_fragments_of_one_call_in_the_first_chunk_are_one_call() -> None:
    opening = {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}}
    frames = [
        chunk({"role": "assistant", "tool_calls": [opening, {"index": 0, "function": {"arguments": '{"x":1}'}}]}),
        chunk({}, "tool_calls"),
        DONE,
    ]
    (call,) = collected(frames)["messages"][0]["tool_calls"]
    assert call == {"id": "a", "name": "f", "arguments": '{"x":1}'}


def test_str_4_two_whole_calls_in_one_chunk_reach_claude_completely() -> None:
    calls = [
        {"index": at, "id": f"call_{at}", "type": "function", "function": {"name": "f", "arguments": f'{{"n":{at}}}'}}
        for at in (0, 1)
    ]
    frames = [chunk({"role": "assistant", "tool_calls": calls}, "tool_calls"), DONE]
    assert len(collected(frames)["messages"][0]["tool_calls"]) == 2
    message = claude.assemble_stream(translate_stream(frames, "openai_chat", "claude"))
    assert [(block["type"], block["id"], block["input"]) for block in message["content"]] == [
        ("tool_use", "call_0", {"n": 0}),
        ("tool_use", "call_1", {"n": 1}),
    ]
    assert message["stop_reason"] == "tool_use"


def test_str_15_a_call_without_type_and_id_is_a_function_call() -> None:
    frames = call_chunks(
        [{"index": 0, "function": {"name": "f", "arguments": "{"}}, {"index": 0, "function": {"arguments": '"x":1}'}}]
    )
    (call,) = collected(frames)["messages"][0]["tool_calls"]
    assert (call["name"], call["arguments"]) == ("f", '{"x":1}')
    (block,) = claude.assemble_stream(translate_stream(frames, "openai_chat", "claude"))["content"]
    assert block["input"] == {"x": 1}
    assert block["id"] == "call_0adc2896ac2c_0"


def test_a_deprecated_function_call_round_trips() -> None:
    frames = [
        chunk({"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": ""}}),
        chunk({"function_call": {"arguments": '{"x":'}}),
        chunk({"function_call": {"arguments": "1}"}}),
        chunk({}, "function_call"),
        DONE,
    ]
    response = collected(frames)
    assert response["messages"][0]["tool_calls"] == [{"name": "f", "arguments": '{"x":1}'}]
    assert response["finish_reason"] == "tool_calls"


def test_a_custom_tool_call_streams_its_input() -> None:
    frames = call_chunks(
        [
            {"index": 0, "id": "a", "type": "custom", "custom": {"name": "code", "input": ""}},
            {"index": 0, "custom": {"input": "print("}},
            {"index": 0, "custom": {"input": '"x")'}},
        ]
    )
    (call,) = collected(frames)["messages"][0]["tool_calls"]
    assert call == {"id": "a", "name": "code", "arguments": 'print("x")', "kind": "custom"}
    (block,) = claude.assemble_stream(translate_stream(frames, "openai_chat", "claude"))["content"]
    assert block["input"] == {"input": 'print("x")'}


# --- usage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "frames",
    [
        [chunk({"content": "x"}), chunk({}, "stop"), usage_chunk(), DONE],
        [chunk({"content": "x"}, usage=None), chunk({}, "stop", usage=None), usage_chunk(), DONE],
        [chunk({"content": "x"}, usage=USAGE), chunk({}, "stop"), DONE],
        [chunk({"content": "x"}), chunk({}, "stop", usage=USAGE), DONE],
    ],
    ids=["last chunk", "null before", "first chunk", "with the finish"],
)
def test_str_7_usage_is_read_wherever_it_is(frames: list[Any]) -> None:
    assert collected(frames)["usage"] == {"input_tokens": 7, "output_tokens": 5, "total_tokens": 12}
    translated = claude.assemble_stream(translate_stream(frames, "openai_chat", "claude"))
    assert translated["usage"]["output_tokens"] == 5


def test_str_8_usage_in_every_chunk_is_not_summed() -> None:
    counts = [{"prompt_tokens": 7, "completion_tokens": n, "total_tokens": 7 + n} for n in (1, 2, 3)]
    frames = [chunk({"content": "x"}, usage=count) for count in counts]
    frames.append(chunk({}, "stop", usage=counts[-1]))
    assert collected(frames)["usage"] == {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}


# --- the end ----------------------------------------------------------------------------------------------------------


HALF_A_CALL: Final = {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"x":'}}]}
A_WHOLE_CALL: Final = {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]}


@pytest.mark.parametrize(
    ("last", "terminator"),
    [
        ({"content": "Hel"}, []),
        ({"content": ""}, [DONE]),
        ({"reasoning_content": "Hm."}, [DONE]),
        (HALF_A_CALL, [DONE]),
        ({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}}]}, [DONE]),
    ],
    ids=["no mark", "nothing", "thoughts alone", "half a call", "a call without arguments"],
)
def test_str_14_a_stream_without_a_finish_reason_is_incomplete(last: dict[str, Any], terminator: list[Any]) -> None:
    frames = [chunk({"role": "assistant", "content": ""}), chunk(last), *terminator]
    events = events_of(frames)
    assert events[-1]["type"] == "end"
    assert events[-1]["complete"] is False
    assert "finish_reason" not in collected(frames)
    assert list(translate_stream(frames, "openai_chat", "claude"))[-1]["type"] != "message_stop"  # type: ignore[index]  # Claude's frames are objects


@pytest.mark.parametrize(
    ("said", "reason"),
    [({"content": "Hello."}, "end_turn"), ({"refusal": "No."}, "refusal"), (A_WHOLE_CALL, "tool_use")],
    ids=["a text", "a refusal", "a call"],
)
def test_done_completes_an_answer_without_a_finish_reason(said: dict[str, Any], reason: str) -> None:
    frames = [chunk({"role": "assistant"}), chunk(said), {**chunk({}), "choices": [], "usage": USAGE}, DONE]
    assert events_of(frames)[-1]["complete"] is True
    assert "finish_reason" not in collected(frames)  # nobody has said it
    translated = translate_stream(frames, "openai_chat", "claude")
    *_, delta, stop = list(translated)
    assert delta["delta"]["stop_reason"] == reason  # type: ignore[index]  # Claude's frames are objects
    assert stop == {"type": "message_stop"}
    assert [loss.severity for loss in translated.losses if loss.path.endswith("/reason")] == ["filled"]
    (*_, last) = translate_stream(frames, "openai_chat", "openai_responses")
    assert last["type"] == "response.completed"  # type: ignore[index]  # as are those of Responses


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"content": "Hello."}, "end_turn"),
        ({"content": None, "refusal": "No."}, {"claude": "refusal", "bedrock_converse": "content_filtered"}),
        ({"content": None, **A_WHOLE_CALL}, "tool_use"),
    ],
    ids=["a text", "a refusal", "a call"],
)
@pytest.mark.parametrize("target", ["claude", "bedrock_converse"])
def test_a_missing_finish_reason_is_derived_from_the_answer(
    target: Any, said: dict[str, Any], reason: str | dict[str, str]
) -> None:
    word = reason if isinstance(reason, str) else reason[target]
    message = {"role": "assistant", **said}
    choice = {"index": 0, "message": message, "finish_reason": None}
    whole = il.translate_response({**LABELS, "object": "chat.completion", "choices": [choice]}, "openai_chat", target)
    assert (whole.body.get("stop_reason") or whole.body["stopReason"]) == word
    assert [loss.path for loss in whole.losses].count("/finish_reason") == 1
    streamed: list[Any] = list(translate_stream([chunk(said), DONE], "openai_chat", target))
    (ending,) = [
        frame.get("delta", {}).get("stop_reason") or frame.get("messageStop", {}).get("stopReason")
        for frame in streamed
        if frame.get("type") == "message_delta" or "messageStop" in frame
    ]
    assert ending == word


@pytest.mark.parametrize("said", [{"content": "Hello."}, {"content": None, **A_WHOLE_CALL}], ids=["a text", "a call"])
def test_a_missing_finish_reason_is_stop_for_gemini_whole_and_streamed(said: dict[str, Any]) -> None:
    choice = {"index": 0, "message": {"role": "assistant", **said}, "finish_reason": None}
    body = {**LABELS, "object": "chat.completion", "choices": [choice]}
    whole = il.translate_response(body, "openai_chat", "gemini")
    assert whole.body["candidates"][0]["finishReason"] == "STOP"
    assert ("/finish_reason", "filled") in [(loss.path, loss.severity) for loss in whole.losses]
    *_, last = list(translate_stream([chunk(said), DONE], "openai_chat", "gemini"))
    assert last["candidates"][0]["finishReason"] == "STOP"  # type: ignore[index]  # Gemini's frames are objects


def test_one_truncated_choice_of_two_keeps_done_from_completing_both() -> None:
    other = {**chunk({}), "choices": [{"index": 1, "delta": {"reasoning_content": "Hm."}, "finish_reason": None}]}
    assert events_of([chunk({"content": "Hello."}), other, DONE])[-1]["complete"] is False


def test_a_stream_without_done_is_complete_once_it_has_a_finish_reason() -> None:
    frames = [chunk({"content": "Hi"}), chunk({}, "stop")]
    assert events_of(frames)[-1]["complete"] is True
    assert collected(frames)["finish_reason"] == "stop"


def test_a_repeated_finish_reason_is_one() -> None:
    frames = [chunk({"content": "Hi"}), chunk({}, "stop"), chunk({"content": ""}, "stop", usage=USAGE), DONE]
    response = collected(frames)
    assert response["finish_reason"] == "stop"
    assert response["usage"]["output_tokens"] == 5


def test_a_chunk_after_the_end_begins_a_new_answer() -> None:
    first = [chunk({"content": "one"}), chunk({}, "stop"), DONE]
    second = [chunk({"content": "two"}), chunk({"content": "!"}), chunk({}, "length"), DONE]
    events = events_of([*first, *second])
    assert [event["block"] for event in events if event["type"] == "content"] == [0, 1, 1]
    response = collected([*first, *second])
    assert response["messages"][0]["content"] == "two!"
    assert response["finish_reason"] == "length"


def test_every_prefix_of_a_stream_round_trips() -> None:
    frames = [
        chunk({"role": "assistant", "content": ""}),
        chunk({"reasoning_content": "hm"}),
        chunk({"content": "Hi"}),
        chunk({"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "f"}}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}),
        chunk({}, "tool_calls"),
        usage_chunk(),
        DONE,
    ]
    for cut in range(len(frames) + 1):
        events = events_of(frames[:cut])
        assert frames_of(events) == frames[:cut]
        assert events[-1]["complete"] is (cut >= 6)


# --- errors -----------------------------------------------------------------------------------------------------------


def test_an_error_within_a_stream_has_the_partial_answer() -> None:
    error = {"error": {"message": "overloaded", "type": "server_error", "param": None, "code": "busy"}}
    frames = [chunk({"role": "assistant", "content": ""}), chunk({"content": "Hel"}), error]
    events = events_of(frames)
    assert frames_of(events) == frames
    with pytest.raises(il.StreamError) as failed:
        gather(events)
    assert failed.value.code == "busy"
    assert failed.value.partial["messages"][0]["content"] == "Hel"
    translated = list(translate_stream(frames, "openai_chat", "claude"))
    assert translated[-1] == {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}


def test_an_error_given_as_a_string_beside_its_code_is_read() -> None:
    error = {"code": "The service is currently unavailable", "error": "No token came."}
    frames = [chunk({"role": "assistant", "content": ""}), chunk({"content": "Hel"}), error]
    assert frames_of(events_of(frames)) == frames
    translated = list(translate_stream(frames, "openai_chat", "claude"))
    assert translated[-1] == {"type": "error", "error": {"type": "overloaded_error", "message": "No token came."}}


def test_an_error_inside_a_chunk_round_trips() -> None:
    frames = [chunk({"content": "Hel"}), chunk({"content": ""}, "error", error={"code": 502, "message": "gone"})]
    events = events_of(frames)
    assert frames_of(events) == frames
    assert [event["message"] for event in events if event["type"] == "error"] == ["gone"]


@pytest.mark.parametrize(
    ("frame", "path"),
    [
        (None, "/1"),
        ({**LABELS, "choices": "x"}, "/1/choices"),
        ({**LABELS, "choices": [None]}, "/1/choices/0"),
        ({**LABELS, "choices": [{"index": "0", "delta": {}}]}, "/1/choices/0/index"),
        ({**LABELS, "choices": [{"index": -1, "delta": {}}]}, "/1/choices/0/index"),
        (chunk({"content": 1}), "/1/choices/0/delta/content"),
        (chunk({"tool_calls": [{"index": 0, "function": []}]}), "/1/choices/0/delta/tool_calls/0/function"),
        (chunk({"tool_calls": [{"index": {}}]}), "/1/choices/0/delta/tool_calls/0/index"),
    ],
)
def test_a_malformed_chunk_raises_an_error_with_its_path_and_the_partial_answer(frame: Any, path: str) -> None:
    decoder = EventDecoder("openai_chat")
    decoder.feed(chunk({"content": "Hel"}))
    with pytest.raises(il.DecodeError) as refused:
        decoder.feed(frame)
    assert refused.value.path == path
    assert refused.value.partial is not None
    assert refused.value.partial["messages"][0]["content"] == "Hel"


def test_a_frame_that_is_not_a_chunk_is_kept_unchanged() -> None:
    frames = [{"response": "Hi", "p": "abc"}, chunk({"content": "x"}), {"ping": 1}, chunk({}, "stop"), DONE]
    events = events_of(frames)
    assert [event["data"] for event in events if event["type"] == "opaque"] == [frames[0], frames[2]]
    assert frames_of(events) == frames


# --- accents ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "delta",
    [
        {"reasoning_content": "hm"},
        {"reasoning": "hm"},
        {"reasoning": "hm", "reasoning_content": "hm"},
        {"reasoning_details": [{"type": "reasoning.text", "text": "hm", "index": 0}]},
        {"reasoning": "hm", "reasoning_details": [{"type": "reasoning.summary", "summary": "hm", "format": "v1"}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}], "closed": True}]},
        {"content": [{"type": "thinking", "thinking": "hm"}]},
        {"content": "", "reasoning": "hm", "role": "assistant"},
    ],
)
def test_reasoning_under_any_name_is_read_and_written_under_its_own_name(delta: dict[str, Any]) -> None:
    frames = [chunk({"role": "assistant", "content": ""}), chunk(delta), chunk(delta), chunk({"content": "Hi"})]
    frames += [chunk({}, "stop"), DONE]
    events = events_of(frames)
    assert frames_of(events) == frames
    assert said(events, "reasoning") == ["hm", "hm"]
    assert said(events, "content") == ["Hi"]
    assert "hm" not in str([event.get("extra") for event in events])
    message = claude.assemble_stream(translate_stream(frames, "openai_chat", "claude"))
    assert [block.get("thinking", block.get("text")) for block in message["content"]] == ["hmhm", "Hi"]


def test_a_contradictory_repetition_is_kept() -> None:
    frames = [chunk({"reasoning": "one", "reasoning_content": "two"}), chunk({}, "stop"), DONE]
    assert frames_of(events_of(frames)) == frames


def test_text_parts_in_a_delta_are_read() -> None:
    part: dict[str, Any] = {"type": "text", "text": "Hi"}
    frames = [chunk({"content": [part]}), chunk({"content": [part, {"type": "reference", "reference_ids": [1]}]})]
    frames += [chunk({"content": "!"}), chunk({}, "stop"), DONE]
    events = events_of(frames)
    assert frames_of(events) == frames
    assert said(events, "content") == ["Hi", "Hi", "!"]
    assert [event["part"]["type"] for event in events if event["type"] == "part"] == ["opaque"]


def test_alternating_texts_open_separate_blocks() -> None:
    frames = [chunk({"reasoning": "a"}), chunk({"content": "b"}), chunk({"reasoning": "c"}), chunk({"content": "d"})]
    events = events_of([*frames, chunk({}, "stop")])
    assert [event["block"] for event in events if "text" in event] == [0, 1, 2, 3]
    assert [event["block"] for event in events if event["type"] == "block_end"] == [0, 1, 2, 3]


def test_padding_is_kept_without_other_patches() -> None:
    frames = [chunk({"content": text}, obfuscation=f"pad{text}") for text in "abcd"]
    events = events_of(frames)
    assert frames_of(events) == frames
    assert events[-2]["extra"]["openai_chat"] == {"frame": {"put": {"obfuscation": "padd"}}}


def test_members_that_a_vendor_repeats_in_each_chunk_are_stored_once() -> None:
    beside: Any = {"provider": "x", "service_tier": None, "usage": None, "images": ["https://a"]}
    frames = [chunk({"role": None, "refusal": None, "content": text}, **beside) for text in "abc"]
    events = events_of(frames)
    assert frames_of(events) == frames
    assert [event for event in events[2:-1] if "extra" in event] == []


def test_numbers_with_equal_value_but_another_form_round_trip() -> None:
    for other in (True, 1.0):
        frames: list[Any] = [chunk({"content": "a"}, created=1), chunk({"content": "b"}, created=1)]
        frames.append(chunk({"content": "c"}, created=other))
        back = frames_of(events_of(frames))
        assert type(back[2]["created"]) is type(other)


def test_fragments_beside_a_number_are_equal_to_plain_ones() -> None:
    texts = [f"{at} " for at in range(20)]
    kinds: list[tuple[str, Any]] = [
        *(("content", text) for text in texts),
        *(("refusal", text) for text in texts),
        ("tool_calls", [{"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}}]),
        *(("tool_calls", [{"index": 0, "function": {"arguments": text}}]) for text in texts),
    ]
    plain = [*(chunk({name: value}) for name, value in kinds), chunk({}, "stop"), DONE]
    others = [*(chunk({name: value}, seed=1) for name, value in kinds), chunk({}, "stop", seed=1), DONE]
    answer, other = collected(plain), collected(others)
    assert answer["messages"] == other["messages"]
    assert [event["type"] for event in events_of(plain)] == [event["type"] for event in events_of(others)]


def test_an_empty_text_beside_calls_is_kept() -> None:
    call = {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    frames = [chunk({"role": "assistant", "content": ""}), chunk({"tool_calls": [call]}), chunk({}, "tool_calls"), DONE]
    events = events_of(frames)
    assert [event["type"] for event in events if "block" in event][:2] == ["content", "tool_call_start"]
    assert collected(frames)["messages"][0]["content"] == ""
    (block,) = claude.assemble_stream(translate_stream(frames, "openai_chat", "claude"))["content"]
    assert block["type"] == "tool_use"


def test_several_choices_in_one_stream_are_alternatives() -> None:
    both = chunk({"content": "B"})
    both["choices"].append({"index": 1, "delta": {"content": "b"}, "finish_reason": None})
    frames = [
        chunk({"role": "assistant", "content": ""}),
        chunk({"role": "assistant", "content": ""}, index=1),
        chunk({"content": "A"}),
        chunk({"content": "a"}, index=1),
        both,
        chunk({}, "stop"),
        chunk({}, "length", index=1),
        DONE,
    ]
    response = collected(frames)
    assert response["messages"][0]["content"] == "AB"
    (other,) = response["alternatives"]
    assert other["messages"][0]["content"] == "ab"
    assert other["finish_reason"] == "length"


def test_a_refusal_is_not_content() -> None:
    frames = [chunk({"role": "assistant", "refusal": ""}), chunk({"refusal": "I'm"}), chunk({"refusal": " sorry"})]
    frames += [chunk({}, "stop"), DONE]
    (message,) = collected(frames)["messages"]
    assert message["refusal"] == "I'm sorry"
    assert "content" not in message


def test_an_audio_answer_is_a_part_with_its_transcript() -> None:
    frames = [
        chunk({"role": "assistant", "content": None, "audio": {"id": "audio_1", "transcript": "He"}}),
        chunk({"audio": {"data": "UklG", "transcript": "llo"}}),
        chunk({"audio": {"data": "Rg=="}}),
        chunk({"audio": {"expires_at": 5}}),
        chunk({}, "stop"),
        DONE,
    ]
    (part,) = collected(frames)["messages"][0]["content"]
    assert (part["type"], part["data"], part["transcript"]) == ("audio", "UklGRg==", "Hello")
    assert part["expires_at"] == 5
    assert [event["part"] for event in events_of(frames) if event["type"] == "part"] == [part]


def test_sources_are_citations_of_the_text() -> None:
    cited = {"url": "https://a", "title": "A", "start_index": 0, "end_index": 2}
    frames = [chunk({"content": "Hi"}), chunk({"annotations": [{"type": "url_citation", "url_citation": cited}]})]
    frames += [chunk({}, "stop"), DONE]
    events = events_of(frames)
    assert [event["citation"] for event in events if event["type"] == "citation"] == [{"kind": "url", **cited}]
    assert collected(frames)["messages"][0]["content"][0]["citations"] == [{"kind": "url", **cited}]


def test_logprobs_of_all_chunks_are_collected() -> None:
    frames = [chunk({"content": text}) for text in "ab"]
    for frame, token in zip(frames, "ab", strict=True):
        frame["choices"][0]["logprobs"] = {"content": [{"token": token, "logprob": -0.5}], "refusal": None}
    response = collected([*frames, chunk({}, "stop"), DONE])
    logprobs = response["extra"]["openai_chat"]["choice"]["logprobs"]
    assert [one["token"] for one in logprobs["content"]] == ["a", "b"]


def test_a_first_chunk_about_the_prompt_does_not_begin_the_answer() -> None:
    frames = [
        {"id": "", "model": "", "object": "", "created": 0, "choices": [], "prompt_filter_results": [{"x": 1}]},
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": "Hi"}),
        chunk({}, "stop"),
        DONE,
    ]
    events = events_of(frames)
    assert [event["type"] for event in events[:2]] == ["state", "start"]
    assert events[1]["id"] == "chatcmpl-1"
    assert collected(frames)["model"] == "gpt-x"


# --- abroad -----------------------------------------------------------------------------------------------------------

FROM_CLAUDE: Final[list[dict[str, Any]]] = [
    {
        "type": "message_start",
        "message": {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-x",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 9, "output_tokens": 1},
        },
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2ln"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Hello"}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": " you"}},
    {"type": "content_block_stop", "index": 1},
    {
        "type": "content_block_start",
        "index": 2,
        "content_block": {"type": "tool_use", "id": "t1", "name": "f", "input": {}},
    },
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": '{"x":'}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "1}"}},
    {"type": "content_block_stop", "index": 2},
    {
        "type": "content_block_start",
        "index": 3,
        "content_block": {"type": "tool_use", "id": "t2", "name": "g", "input": {}},
    },
    {"type": "content_block_stop", "index": 3},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use", "stop_sequence": None},
        "usage": {"output_tokens": 20},
    },
    {"type": "message_stop"},
]


def test_a_claude_stream_is_read_by_the_official_accumulator() -> None:
    translated = translate_stream(FROM_CLAUDE, "claude", "openai_chat")
    frames = list(translated)
    assert frames[-1] == DONE
    state: ChatCompletionStreamState[None] = ChatCompletionStreamState()
    for frame in frames[:-1]:
        assert isinstance(frame, dict)
        state.handle_chunk(ChatCompletionChunk.model_validate(frame))
    completion = state.get_final_completion()
    message = completion.choices[0].message
    assert completion.id == "msg_1"
    assert message.content == "Hello you"
    assert message.tool_calls is not None
    calls = [(call.id, call.function.name, call.function.arguments) for call in message.tool_calls]
    assert calls == [("t1", "f", '{"x":1}'), ("t2", "g", "{}")]
    assert completion.choices[0].finish_reason == "tool_calls"
    assert completion.usage is not None
    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (9, 20)
    lost = {(loss.code, loss.path) for loss in translated.losses if loss.severity == "lost"}
    assert lost == {("provider_state", "/3/extra/claude")}
    assert message.model_extra is not None
    assert message.model_extra["reasoning_content"]


@pytest.mark.parametrize("member", ["reasoning", None])
def test_a_client_that_reads_another_member_gets_the_reasoning_there_or_nowhere(member: Any) -> None:
    translated = translate_stream(FROM_CLAUDE, "claude", "openai_chat", reasoning_member=member)
    names = {
        name for frame in translated if isinstance(frame, dict) for one in frame["choices"] for name in one["delta"]
    }
    assert ("reasoning" in names, "reasoning_content" in names) == (member is not None, False)
    said = [loss.path for loss in translated.losses if loss.code == "reasoning"]
    assert said == ([] if member else ["/2/text"])


def test_a_text_is_written_as_soon_as_it_arrives() -> None:
    decoder, encoder = EventDecoder("claude"), EventEncoder("openai_chat")
    written = [[frame for event in decoder.feed(frame) for frame in encoder.feed(event)] for frame in FROM_CLAUDE]
    assert written[6][0]["choices"][0]["delta"] == {"content": "Hello"}  # type: ignore[index]  # a chunk is an object
    assert written[7][0]["choices"][0]["delta"] == {"content": " you"}  # type: ignore[index]  # a chunk is an object


def test_events_without_ids_are_written_with_filled_members() -> None:
    encoder = EventEncoder("openai_chat")
    events: list[dict[str, Any]] = [
        {"type": "start", "dialect": "gemini"},
        {"type": "finish", "reason": "stop"},
        {"type": "content", "block": 0, "text": "late"},
        {"type": "end", "complete": True},
    ]
    frames = [frame for event in events for frame in encoder.feed(event)]
    assert {loss.path for loss in encoder.losses} == {"/0/id", "/0/created", "/0/model"}
    response: Any = openai_chat.decode_response(openai_chat.assemble_stream(frames))
    assert response["messages"][0]["content"] == "late"
    assert response["finish_reason"] == "stop"


def test_a_truncated_stream_has_no_done_in_other_dialects() -> None:
    frames = list(translate_stream(FROM_CLAUDE[:8], "claude", "openai_chat"))
    assert DONE not in frames
    assert all(frame["choices"][0]["finish_reason"] is None for frame in frames if isinstance(frame, dict))


# --- chunks like the one before ---------------------------------------------------------------------------------------


def spelt(frames: list[Any]) -> str:
    """Return the frames as JSON tells them apart: 1, 1.0 and true are three values."""
    return json.dumps(frames, sort_keys=True)


def test_logprobs_are_in_each_fragment_without_a_patch() -> None:
    tokens: list[Any] = [{"content": [{"token": word, "logprob": -0.5, "bytes": None}]} for word in ("a", "b", "c")]
    choices = [chunk({"content": one["content"][0]["token"]}) for one in tokens]
    for one, likeliness in zip(choices, tokens, strict=True):
        one["choices"][0]["logprobs"] = likeliness
    events = events_of([*choices, chunk({}, "stop"), DONE])
    assert spelt(frames_of(events)) == spelt([*choices, chunk({}, "stop"), DONE])
    pieces = [event for event in events if event["type"] == "content"]
    assert [event["extra"]["openai_chat"]["choice"]["logprobs"] for event in pieces] == tokens
    assert ["frame" in event["extra"]["openai_chat"] for event in pieces[1:]] == [False, False]


@pytest.mark.parametrize("index", [0, 0.0, False, "absent", None])
def test_duplicated_reasoning_round_trips_with_any_details_index(index: Any) -> None:
    def thought(text: str, at: Any) -> Any:
        item = {"type": "reasoning.text", "text": text, **({} if at == "absent" else {"index": at})}
        return chunk({"role": "assistant", "content": "", "reasoning": text, "reasoning_details": [item]})

    frames = [thought("a", 0), thought("b", 0), thought("c", index), thought("d", 0), chunk({}, "stop"), DONE]
    events = events_of(frames)
    assert spelt(frames_of(events)) == spelt(frames)
    assert said(events, "reasoning") == ["a", "b", "c", "d"]
    pieces = [event for event in events if event["type"] == "reasoning"]
    assert "extra" not in pieces[1]


@pytest.mark.parametrize("created", [1700000000, 1700000000.0, None, "absent"])
def test_a_chunk_without_choices_has_no_content_and_round_trips(created: Any) -> None:
    bare: Any = {**LABELS, "created": created, "obfuscation": "xy"}
    if created == "absent":
        del bare["created"]
    plain: Any = {name: value for name, value in bare.items() if name != "obfuscation"}
    frames = [chunk({"role": "assistant", "content": ""}), bare, plain, bare, chunk({"content": "a"}), bare]
    frames += [chunk({"content": "b"}), chunk({}, "stop"), DONE]
    events = events_of(frames)
    assert spelt(frames_of(events)) == spelt(frames)
    assert said(events, "content") == ["a", "b"]


@pytest.mark.parametrize("target", ["claude", "openai_responses", "gemini"])
def test_the_transcript_of_an_audio_answer_is_a_paragraph_after_its_text(target: str) -> None:
    audio = {"id": "audio_1", "data": "UklGRg==", "transcript": "Hello."}
    answer = {"role": "assistant", "content": "See.", "audio": audio}
    request = {"model": "m", "messages": [{"role": "user", "content": "Hi"}, answer, {"role": "user", "content": "?"}]}
    encoded = il.translate_request(request, "openai_chat", target, model="m")
    content = il.decode_request(encoded.body, target).messages[1].content
    texts = [content] if isinstance(content, str) else [part.text for part in content]
    assert "".join(texts) == "See.\n\nHello."
