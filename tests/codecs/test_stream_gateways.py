"""Streams as servers in between write them: errors in other words, an index used again, starts and reasons left out."""

from __future__ import annotations

import copy
from typing import Any, Final

import pytest

import interlingua as il
from support.errors import DIALECTS

Frames = list[Any]

CHUNK: Final = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
RESPONSE: Final = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "output": []}
# The beginning of an answer in each dialect, with half a text.
BEGUN: Final[dict[str, Frames]] = {
    "openai_chat": [{**CHUNK, "choices": [{"index": 0, "delta": {"content": "Hi"}, "finish_reason": None}]}],
    "openai_responses": [
        {"type": "response.created", "sequence_number": 0, "response": {**RESPONSE, "status": "in_progress"}},
        {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "Hi", "item_id": "m1"},
    ],
    "claude": [
        {"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
    ],
    "gemini": [{"candidates": [{"content": {"role": "model", "parts": [{"text": "Hi"}]}, "index": 0}]}],
    "ollama": [{"model": "m", "message": {"role": "assistant", "content": "Hi"}, "done": False}],
    "vllm": [{**CHUNK, "choices": [{"index": 0, "delta": {"content": "Hi"}, "finish_reason": None}]}],
    "bedrock_converse": [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hi"}}},
    ],
}
# Errors in the words of one dialect or another, or of a proxy.
FAILURES: Final[dict[str, dict[str, Any]]] = {
    "of OpenAI": {"error": {"message": "Slow down.", "type": "rate_limit_error", "param": None, "code": None}},
    "flat, as older vLLM": {"object": "error", "message": "Slow down.", "type": "Busy", "param": None, "code": 429},
    "of Claude": {"type": "error", "error": {"type": "rate_limit_error", "message": "Slow down."}},
    "flat, with a type": {"type": "rate_limit_error", "message": "Slow down."},
    "of Gemini": {"error": {"code": 429, "message": "Slow down.", "status": "RESOURCE_EXHAUSTED"}},
    "of Bedrock": {"message": "Slow down.", "__type": "ThrottlingException"},
    "of a proxy": {"detail": "Slow down.", "status": 429},
    "in a list": {"errors": [{"message": "Slow down.", "code": 429}], "success": False},
}


def calls(answer: il.ChatResponse) -> list[tuple[str | None, Any]]:
    return [
        (call.name, call.arguments_object())
        for message in answer.messages
        if isinstance(message, il.AssistantChatMessage)
        for call in message.tool_calls or ()
    ]


def heard(frames: Frames, source: str, target: str) -> il.ChatResponse:
    """Return what a client of another dialect collects; at home the frames come back through their events, too."""
    given = copy.deepcopy(frames)
    if source == target:
        assert list(il.encode_stream(il.decode_stream(given, source), source)) == frames
        return il.collect(il.decode_stream(given, source))
    return il.collect(il.decode_stream(list(il.translate_stream(given, source, target)), target))


# --- errors in other words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", FAILURES)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_error_in_the_form_of_another_dialect_ends_the_stream(dialect: str, words: str) -> None:
    frames = [*BEGUN[dialect], FAILURES[words]]
    assert list(il.encode_stream(il.decode_stream(frames, dialect), dialect)) == frames
    with pytest.raises(il.StreamError) as caught:
        il.collect(il.decode_stream(frames, dialect))
    assert (caught.value.category, caught.value.message) == ("rate_limit", "Slow down.")
    assert caught.value.partial is not None
    assert caught.value.partial.text == "Hi"


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("source", DIALECTS)
def test_such_an_error_is_translated_and_the_answer_gets_no_finish_reason(source: str, target: str) -> None:
    for frames in ([*BEGUN[source], FAILURES["of a proxy"]], [FAILURES["flat, as older vLLM"]]):
        with pytest.raises(il.StreamError) as caught:
            heard(frames, source, target)
        assert caught.value.message == "Slow down."


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "progress", "message": "Half way."},
        {"type": "ping"},
        {"message": "Half way.", "percent": 50},
        {"error": None, "note": "None."},
        {"error": {}},
    ],
    ids=str,
)
@pytest.mark.parametrize("dialect", ["openai_chat", "openai_responses", "gemini", "vllm", "bedrock_converse"])
def test_an_informational_frame_is_not_an_error(dialect: str, frame: dict[str, Any]) -> None:
    if dialect == "gemini" and "error" in frame:
        return  # whatever stands under `error` is Gemini's own word for one
    frames = [*BEGUN[dialect], frame]
    assert list(il.encode_stream(il.decode_stream(frames, dialect), dialect)) == frames
    assert il.collect(il.decode_stream(frames, dialect)).text == "Hi"


# --- an index that is used again --------------------------------------------------------------------------------------


def claude(*frames: dict[str, Any], reason: str = "end_turn") -> Frames:
    ends = [{"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 9}}]
    return [BEGUN["claude"][0], *frames, *ends, {"type": "message_stop"}]


def block(index: int, start: dict[str, Any], *deltas: dict[str, Any]) -> Frames:
    pieces = [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
    begun = {"type": "content_block_start", "index": index, "content_block": start}
    return [begun, *pieces, {"type": "content_block_stop", "index": index}]


def of_call(name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{name}", "name": name, "input": given}


def json_piece(text: str) -> dict[str, Any]:
    return {"type": "input_json_delta", "partial_json": text}


def converse(index: int, name: str, text: str) -> Frames:
    return [
        {"contentBlockStart": {"contentBlockIndex": index, "start": {"toolUse": {"toolUseId": name, "name": name}}}},
        {"contentBlockDelta": {"contentBlockIndex": index, "delta": {"toolUse": {"input": text}}}},
        {"contentBlockStop": {"contentBlockIndex": index}},
    ]


def item(name: str, text: str = "", *, named: bool = True) -> dict[str, Any]:
    identifier = {"id": f"fc_{name}"} if named else {}
    return {"type": "function_call", **identifier, "call_id": f"call_{name}", "name": name, "arguments": text}


def of_item(kind: str, name: str, text: str, *, named: bool = True) -> dict[str, Any]:
    """Return a frame of Responses; all items are said to be the first."""
    if kind == "delta":
        identifier = {"item_id": f"fc_{name}"} if named else {}
        return {"type": "response.function_call_arguments.delta", "output_index": 0, **identifier, "delta": text}
    return {"type": f"response.output_item.{kind}", "output_index": 0, "item": item(name, text, named=named)}


def responses(*frames: dict[str, Any]) -> Frames:
    end = {"type": "response.completed", "response": {**RESPONSE, "status": "completed"}}
    return [BEGUN["openai_responses"][0], *frames, end]


TWO_CALLS: Final[dict[str, tuple[str, Frames]]] = {
    "claude": (
        "claude",
        claude(
            *block(0, of_call("f"), json_piece('{"a":1}')),
            *block(0, of_call("g"), json_piece('{"b":2}')),
            reason="tool_use",
        ),
    ),
    "bedrock": (
        "bedrock_converse",
        [
            BEGUN["bedrock_converse"][0],
            *converse(0, "f", '{"a":1}'),
            *converse(0, "g", '{"b":2}'),
            {"messageStop": {"stopReason": "tool_use"}},
        ],
    ),
    "responses, one after the other": (
        "openai_responses",
        responses(
            *(of_item(kind, "f", "" if kind == "added" else '{"a":1}') for kind in ("added", "delta", "done")),
            *(of_item(kind, "g", "" if kind == "added" else '{"b":2}') for kind in ("added", "delta", "done")),
        ),
    ),
    "responses, without ids": (
        "openai_responses",
        responses(
            *(
                of_item(kind, name, "" if kind == "added" else text, named=False)
                for name, text in (("f", '{"a":1}'), ("g", '{"b":2}'))
                for kind in ("added", "delta", "done")
            )
        ),
    ),
    "responses, side by side": (
        "openai_responses",
        responses(
            of_item("added", "f", ""),
            of_item("added", "g", ""),
            of_item("delta", "f", '{"a"'),
            of_item("delta", "g", '{"b"'),
            of_item("delta", "f", ":1}"),
            of_item("delta", "g", ":2}"),
            of_item("done", "f", '{"a":1}'),
            of_item("done", "g", '{"b":2}'),
        ),
    ),
    "responses, whole": (
        "openai_responses",
        responses(of_item("done", "f", '{"a":1}'), of_item("done", "g", '{"b":2}')),
    ),
    "responses, whole, with gaps": (
        "openai_responses",
        responses(
            {**of_item("done", "f", '{"a":1}'), "output_index": 1},
            {**of_item("done", "g", '{"b":2}'), "output_index": 4},
        ),
    ),
    "responses, after reasoning without an end": (
        "openai_responses",
        responses(
            {"type": "response.output_item.added", "output_index": 0, "item": {"type": "reasoning", "id": "rs_1"}},
            of_item("done", "f", '{"a":1}'),
            of_item("done", "g", '{"b":2}'),
        ),
    ),
}


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("case", TWO_CALLS)
def test_str_1_two_calls_with_one_index_are_two_calls(case: str, target: str) -> None:
    source, frames = TWO_CALLS[case]
    answer = heard(frames, source, target)
    assert calls(answer) == [("f", {"a": 1}), ("g", {"b": 2})]
    assert answer.finish_reason == "tool_calls"


def test_str_10_an_item_whose_id_changes_with_each_frame_is_one_item() -> None:
    text = {"type": "message", "role": "assistant", "status": "completed", "id": "A", "content": []}
    part = {"type": "output_text", "text": "", "annotations": []}
    frames = responses(
        {"type": "response.output_item.added", "output_index": 0, "item": text},
        {"type": "response.content_part.added", "output_index": 0, "content_index": 0, "item_id": "B", "part": part},
        {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "C", "delta": "H"},
        {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "D", "delta": "i"},
        {
            "type": "response.output_item.done",
            "output_index": 0,
            "item": {**text, "id": "E", "content": [{**part, "text": "Hi"}]},
        },
    )
    for target in DIALECTS:
        assert heard(frames, "openai_responses", target).text == "Hi"


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("end", [0, 1, 2, 7])
def test_an_item_that_ends_at_another_index_than_it_began_is_one_item(end: int, target: str) -> None:
    """As Ollama writes reasoning before a call of the client, if it may search the web (ollama/ollama#18411)."""
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    at = {"item_id": "rs_1", "summary_index": 0}
    frames = responses(
        {"type": "response.output_item.added", "output_index": 0, "item": thought},
        {
            "type": "response.reasoning_summary_part.added",
            "output_index": 0,
            **at,
            "part": {"type": "summary_text", "text": ""},
        },
        {"type": "response.reasoning_summary_text.delta", "output_index": 0, **at, "delta": "Hm."},
        *(of_item(kind, "f", "" if kind == "added" else '{"a":1}') for kind in ("added", "delta", "done")),
        {"type": "response.reasoning_summary_text.done", "output_index": end, **at, "text": "Hm."},
        {
            "type": "response.output_item.done",
            "output_index": end,
            "item": {**thought, "summary": [{"type": "summary_text", "text": "Hm."}]},
        },
    )
    answer = heard(frames, "openai_responses", target)
    messages: Any = il.normal_form(answer)["messages"]
    assert [message["reasoning"] for message in messages if "reasoning" in message] == ["Hm."]
    assert calls(answer) == [("f", {"a": 1})]


def without_indexes(frame: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in frame.items() if not name.endswith("_index")}


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("case", ["one after the other", "side by side", "whole"])
def test_calls_without_indexes_are_told_apart_by_their_ids(case: str, target: str) -> None:
    frames = [without_indexes(frame) for frame in TWO_CALLS[f"responses, {case}"][1]]
    assert calls(heard(frames, "openai_responses", target)) == [("f", {"a": 1}), ("g", {"b": 2})]


@pytest.mark.parametrize("target", DIALECTS)
def test_a_stream_without_indexes_is_read_by_ids_and_order(target: str) -> None:
    """As llama.cpp writes it: without any index, and all items end at the end (ggml-org/llama.cpp#20607)."""
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "content": []}
    said = {"type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress", "content": []}
    texts = [{"type": "output_text", "text": text, "annotations": []} for text in ("Hi you.", "And you?")]
    frames = responses(
        {"type": "response.output_item.added", "item": thought},
        {"type": "response.reasoning_text.delta", "item_id": "rs_1", "delta": "H"},
        {"type": "response.reasoning_text.delta", "item_id": "rs_1", "delta": "m."},
        {"type": "response.output_item.added", "item": said},
        {"type": "response.content_part.added", "item_id": "msg_1", "part": {"type": "output_text", "text": ""}},
        *({"type": "response.output_text.delta", "item_id": "msg_1", "delta": text} for text in ("Hi", " you.")),
        {"type": "response.output_text.done", "item_id": "msg_1", "text": "Hi you."},
        {"type": "response.content_part.done", "item_id": "msg_1", "part": texts[0]},
        {"type": "response.content_part.added", "item_id": "msg_1", "part": {"type": "output_text", "text": ""}},
        {"type": "response.output_text.delta", "item_id": "msg_1", "delta": "And you?"},
        *(without_indexes(of_item(kind, "f", "" if kind == "added" else '{"a":1}')) for kind in ("added", "delta")),
        {
            "type": "response.output_item.done",
            "item": {**thought, "content": [{"type": "reasoning_text", "text": "Hm."}]},
        },
        {"type": "response.output_text.done", "item_id": "msg_1", "text": "And you?"},
        {"type": "response.output_item.done", "item": {**said, "status": "completed", "content": texts}},
        without_indexes(of_item("done", "f", '{"a":1}')),
    )
    answer = heard(frames, "openai_responses", target)
    messages: Any = il.normal_form(answer)["messages"]
    assert [message["reasoning"] for message in messages if "reasoning" in message] == ["Hm."]
    assert answer.text.replace("\n", "") == "Hi you.And you?"
    assert calls(answer) == [("f", {"a": 1})]
    assert answer.finish_reason == "tool_calls"


# --- what is left out, or said twice ----------------------------------------------------------------------------------


@pytest.mark.parametrize("target", DIALECTS)
def test_a_fragment_without_a_block_start_begins_the_block(target: str) -> None:
    frames = claude(
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "H"}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "i"}},
        {"type": "content_block_stop", "index": 1},
    )
    answer = heard(frames, "claude", target)
    assert (answer.text, answer.finish_reason) == ("Hi", "stop")
    if target != "bedrock_converse":
        assert "Hm." in answer.model_dump_json()


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("pieces", [[], [""], ['{"a":', "1}"], ["", '{"a":1}']], ids=str)
def test_str_9_an_input_in_the_start_repeated_by_fragments_is_used_once(pieces: list[str], target: str) -> None:
    frames = claude(
        *block(0, of_call("f", a=1), *map(json_piece, pieces)), *block(1, of_call("g", b=2)), reason="tool_use"
    )
    assert calls(heard(frames, "claude", target)) == [("f", {"a": 1}), ("g", {"b": 2})]


@pytest.mark.parametrize("target", DIALECTS)
def test_str_9_an_input_only_in_the_start_is_kept_in_a_truncated_stream(target: str) -> None:
    frames = [BEGUN["claude"][0], *block(0, of_call("f", a=1))[:1]]
    assert calls(heard(frames, "claude", target)) == [("f", {"a": 1})]


@pytest.mark.parametrize("pieces", [[], [{**json_piece(""), "x_piece": 1}], [json_piece('{"a":1}')]], ids=str)
def test_unknown_members_of_a_delayed_start_are_reported(pieces: list[dict[str, Any]]) -> None:
    frames = claude(*block(0, {**of_call("f", a=1), "x_new": 1}, *pieces), reason="tool_use")
    stream = il.translate_stream(frames, "claude", "openai_chat")
    assert list(stream)
    told = [loss.detail for loss in stream.losses if loss.path.endswith("/extra/claude")]
    assert len(told) == 1
    assert "x_piece" in told[0] or "x_new" in told[0]


def announced(given: str, pieces: list[str], *, ends: bool) -> Frames:
    """Return a stream of Responses whose text is announced with words, and its pieces."""
    item = {"type": "message", "role": "assistant", "status": "in_progress", "id": "m1", "content": []}
    part: dict[str, Any] = {"type": "output_text", "text": given, "annotations": []}
    at = {"output_index": 0, "content_index": 0, "item_id": "m1"}
    whole = {**item, "status": "completed", "content": [{**part, "text": "Hello"}]}
    frames = [
        BEGUN["openai_responses"][0],
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.content_part.added", **at, "part": part},
        *({"type": "response.output_text.delta", **at, "delta": said} for said in pieces),
    ]
    if not ends:
        return frames
    return [
        *frames,
        {"type": "response.output_text.done", **at, "text": "Hello"},
        {"type": "response.output_item.done", "output_index": 0, "item": whole},
        {"type": "response.completed", "response": {**RESPONSE, "status": "completed", "output": [whole]}},
    ]


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize(
    ("given", "pieces"),
    [("Hello", ["Hel", "lo"]), ("Hel", ["Hel", "lo"]), ("Hel", ["", "lo"]), ("Hello", []), ("H", ["Hello"])],
    ids=str,
)
def test_str_10_a_text_in_the_added_frame_repeated_by_fragments_is_used_once(
    given: str, pieces: list[str], target: str
) -> None:
    """So servers in between write it that keep one object and change it while its announcement is sent."""
    assert heard(announced(given, pieces, ends=True), "openai_responses", target).text == "Hello"
    if "".join(pieces) != "lo":
        assert heard(announced(given, pieces, ends=False), "openai_responses", target).text in {"Hello", "Hel"}


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize(
    ("given", "pieces"),
    [
        ('{"a":1}', ['{"a":', "1}"]),
        ('{"a":', ['{"a":', "1}"]),
        ('{"a":', ["1}"]),
        ("{}", ['{"a":', "1}"]),
        ('{"a":1}', []),
    ],
    ids=str,
)
@pytest.mark.parametrize("ends", [True, False])
def test_str_10_arguments_in_the_added_frame_repeated_by_fragments_are_used_once(
    given: str, pieces: list[str], ends: bool, target: str
) -> None:
    item = {"type": "function_call", "id": "f1", "call_id": "c1", "name": "f", "arguments": given}
    at = {"output_index": 0, "item_id": "f1"}
    frames: Frames = [
        BEGUN["openai_responses"][0],
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        *({"type": "response.function_call_arguments.delta", **at, "delta": said} for said in pieces),
    ]
    if ends:
        whole = {**item, "arguments": '{"a":1}', "status": "completed"}
        frames += [
            {"type": "response.function_call_arguments.done", **at, "arguments": '{"a":1}'},
            {"type": "response.output_item.done", "output_index": 0, "item": whole},
            {"type": "response.completed", "response": {**RESPONSE, "status": "completed", "output": [whole]}},
        ]
    assert calls(heard(frames, "openai_responses", target)) == [("f", {"a": 1})]


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("unsaid", [{}, {"text": None, "thinking": None}], ids=["absent", "null"])
def test_a_block_start_without_its_content_member_is_empty(unsaid: dict[str, Any], target: str) -> None:
    frames = claude(
        *block(0, {**unsaid, "type": "thinking"}, {"type": "thinking_delta", "thinking": "Hm."}),
        *block(1, {**unsaid, "type": "text"}, {"type": "text_delta", "text": "Hi"}),
        *block(2, {**unsaid, "type": "text"}),
    )
    assert heard(frames, "claude", target).text == "Hi"


LAST_LINES: Final[dict[str, dict[str, Any]]] = {
    "without a reason": {"model": "m", "message": {"role": "assistant", "content": ""}, "done": True},
    "without a message": {"model": "m", "done": True, "done_reason": "stop", "eval_count": 4},
    "without both": {"model": "m", "done": True},
}


@pytest.mark.parametrize("target", [dialect for dialect in DIALECTS if dialect != "ollama"])
@pytest.mark.parametrize("line", LAST_LINES)
def test_str_14_a_done_line_of_ollama_completes_the_answer_whatever_it_omits(line: str, target: str) -> None:
    call = {"function": {"name": "f", "arguments": {"a": 1}}}
    said = {"model": "m", "message": {"role": "assistant", "content": "", "tool_calls": [call]}, "done": False}
    for begun, reason in ((BEGUN["ollama"][0], "stop"), (said, "tool_calls")):
        frames = [begun, LAST_LINES[line]]
        assert list(il.encode_stream(il.decode_stream(frames, "ollama"), "ollama")) == frames
        assert heard(frames, "ollama", target).finish_reason == reason


def test_str_14_thoughts_alone_are_incomplete_even_after_the_done_line() -> None:
    thought = {"model": "m", "message": {"role": "assistant", "content": "", "thinking": "Hm."}, "done": False}
    frames = [thought, LAST_LINES["without a reason"]]
    assert heard(frames, "ollama", "openai_chat").finish_reason is None
