"""What users suffered from in streams (docs/pain.md, Streams, from 11): whole and cut ones, each entry by its id."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il
from support.bodies import (
    DIALECTS,
    chat_answer,
    chat_call,
    claude_answer,
    claude_call,
    gemini_answer,
    gemini_call,
    ollama_answer,
    ollama_call,
    responses_answer,
    responses_call,
    responses_text,
)

DONE: Final[Any] = "[DONE]"
SIGNATURE: Final = "c2lnbmVk"
LOGPROBS: Final = [{"token": "It", "logprob": -0.25, "bytes": [73, 116], "top_logprobs": []}]


# --- the same answer, whole and streamed ------------------------------------------------------------------------------


def chat(name: str) -> tuple[dict[str, Any], list[Any]]:
    """Return an answer of Chat Completions with reasoning under this name, and its chunks."""
    message: dict[str, Any] = {"content": "It is.", name: "Hm.", "tool_calls": [chat_call(), chat_call("{}", "call_2")]}
    whole = chat_answer(message, "tool_calls")
    whole["choices"][0]["logprobs"] = {"content": LOGPROBS, "refusal": None}
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}

    def chunk(delta: dict[str, Any], reason: str | None = None, logprobs: Any = None) -> dict[str, Any]:
        return {**head, "choices": [{"index": 0, "delta": delta, "logprobs": logprobs, "finish_reason": reason}]}

    first, second = ({"index": at, **one} for at, one in enumerate(message["tool_calls"]))
    opened = {**first, "function": {**first["function"], "arguments": ""}}
    frames = [
        chunk({"role": "assistant", "content": None, name: "H"}),
        chunk({name: "m."}),
        chunk({"content": "It "}, None, {"content": LOGPROBS, "refusal": None}),
        chunk({"content": "is."}),
        chunk({"tool_calls": [opened]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"city":'}}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": '"Rome"}'}}]}),
        chunk({"tool_calls": [second]}),
        chunk({}, "tool_calls"),
        {**head, "choices": [], "usage": whole["usage"]},
        DONE,
    ]
    return whole, frames


def numbered(*frames: dict[str, Any]) -> list[Any]:
    return [{**frame, "sequence_number": at} for at, frame in enumerate(frames)]


def responses(*kinds: str) -> tuple[dict[str, Any], list[Any]]:
    """Return an answer of Responses with items of these kinds in this order, and its events."""
    items = {"message": responses_text(), "call": responses_call()}
    output = [{**items[kind], "id": f"{items[kind]['id']}{at}"} for at, kind in enumerate(kinds)]
    whole = responses_answer(*(one | ({"call_id": one["id"]} if "call_id" in one else {}) for one in output))
    empty = {**whole, "status": "in_progress", "output": [], "usage": None}
    frames: list[Any] = [{"type": "response.created", "response": empty}]
    for at, item in enumerate(whole["output"]):
        place = {"output_index": at, "item_id": item["id"]}
        started = {**item, "status": "in_progress"}
        if item["type"] == "function_call":
            told = {"type": "response.function_call_arguments.delta", **place}
            middle: list[Any] = [{**told, "delta": one} for one in (item["arguments"][:7], item["arguments"][7:])]
            middle.append({**place, "type": "response.function_call_arguments.done", "arguments": item["arguments"]})
            started["arguments"] = ""
        else:
            (part,) = item["content"]
            place["content_index"] = 0
            told = {"type": "response.output_text.delta", **place}
            opened = {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}
            middle = [opened, *({**told, "delta": piece} for piece in (part["text"][:4], part["text"][4:]))]
            middle.append({**place, "type": "response.output_text.done", "text": part["text"]})
            middle.append({**place, "type": "response.content_part.done", "part": part})
            started["content"] = []
        frames.append({"type": "response.output_item.added", "output_index": at, "item": started})
        frames += [*middle, {"type": "response.output_item.done", "output_index": at, "item": item}]
    return whole, numbered(*frames, {"type": "response.completed", "response": whole})


def claude() -> tuple[dict[str, Any], list[Any]]:
    """Return an answer of Claude, and its events."""
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": SIGNATURE}
    blocks = [thinking, {"type": "text", "text": "It is."}, claude_call(), claude_call({}, "toolu_2")]
    whole = claude_answer(*blocks, reason="tool_use")
    opened: list[Any] = [
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "text", "text": ""},
        claude_call({}),
        claude_call({}, "toolu_2"),
    ]
    deltas: list[list[Any]] = [
        [
            *({"type": "thinking_delta", "thinking": piece} for piece in ("H", "m.")),
            {"type": "signature_delta", "signature": SIGNATURE},
        ],
        [{"type": "text_delta", "text": piece} for piece in ("It ", "is.")],
        [{"type": "input_json_delta", "partial_json": piece} for piece in ('{"city": ', '"Rome"}')],
        [],
    ]
    start = {**whole, "content": [], "stop_reason": None, "usage": {"input_tokens": 5, "output_tokens": 1}}
    frames: list[Any] = [{"type": "message_start", "message": start}]
    for at, block in enumerate(opened):
        frames.append({"type": "content_block_start", "index": at, "content_block": block})
        frames += [{"type": "content_block_delta", "index": at, "delta": delta} for delta in deltas[at]]
        frames.append({"type": "content_block_stop", "index": at})
    ending = {"stop_reason": "tool_use", "stop_sequence": None}
    return whole, [
        *frames,
        {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    ]


def gemini() -> tuple[dict[str, Any], list[Any]]:
    """Return an answer of Gemini, and its chunks."""
    signed = {**gemini_call(), "thoughtSignature": SIGNATURE}
    whole = gemini_answer({"text": "Hm.", "thought": True}, {"text": "It is."}, signed, gemini_call({}))
    steps: list[list[dict[str, Any]]] = [
        [{"text": "H", "thought": True}],
        [{"text": "m.", "thought": True}, {"text": "It "}],
        [{"text": "is."}],
        [signed, gemini_call({})],
    ]
    frames = [gemini_answer(*step) for step in steps]
    for frame in frames[:-1]:
        del frame["candidates"][0]["finishReason"], frame["usageMetadata"]
    return whole, frames


def ollama() -> tuple[dict[str, Any], list[Any]]:
    """Return an answer of Ollama, and its lines."""
    calls = [ollama_call(), {"id": "call_2", "function": {"index": 1, "name": "look_up", "arguments": {}}}]
    whole = ollama_answer({"content": "It is.", "thinking": "Hm.", "tool_calls": calls})
    head = {"model": "m", "created_at": whole["created_at"]}
    said: list[dict[str, Any]] = [
        {"content": "", "thinking": "H"},
        {"content": "", "thinking": "m."},
        {"content": "It "},
        {"content": "is."},
        {"content": "", "tool_calls": calls},
    ]
    frames: list[Any] = [{**head, "message": {"role": "assistant", **one}, "done": False} for one in said]
    return whole, [*frames, {**whole, "message": {"role": "assistant", "content": ""}}]


ANSWERS: Final[dict[str, tuple[dict[str, Any], list[Any]]]] = {
    "openai_chat": chat("reasoning_content"),
    "openai_responses": responses("message", "call"),
    "claude": claude(),
    "gemini": gemini(),
    "ollama": ollama(),
    "vllm": chat("reasoning"),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_str_12_a_streamed_answer_equals_the_whole_one_in_content_and_usage(dialect: str) -> None:
    whole, frames = ANSWERS[dialect]
    events = list(il.decode_stream(frames, dialect))
    assert list(il.encode_stream(events, dialect)) == frames
    streamed, told = il.collect(events), il.decode_response(whole, dialect)
    assert streamed == told
    assert streamed.usage is not None
    assert streamed.finish_reason == "tool_calls"


@pytest.mark.parametrize("kinds", [("call", "message"), ("message", "call"), ("call", "message", "call")])
def test_str_11_items_have_the_order_of_the_whole_answer(kinds: tuple[str, ...]) -> None:
    whole, frames = responses(*kinds)
    events = list(il.decode_stream(frames, "openai_responses"))
    assert list(il.encode_stream(events, "openai_responses")) == frames
    streamed = il.collect(events)
    assert streamed == il.decode_response(whole, "openai_responses")
    output = il.encode_response(streamed, "openai_responses").body["output"]
    assert [{"function_call": "call"}.get(item["type"], "message") for item in output] == list(kinds)
    for target in DIALECTS:
        streamed_there = il.collect(il.decode_stream(il.translate_stream(frames, "openai_responses", target), target))
        whole_there = il.decode_response(il.translate_response(whole, "openai_responses", target).body, target)
        assert said(streamed_there) == said(whole_there)


def said(answer: il.ChatResponse) -> Any:
    """Return what the messages of an answer say, outside what only a provider understands."""
    return il.normal_form({"messages": [message.model_dump(mode="json") for message in answer.messages]})


# --- streams that break off -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_str_13_a_stream_truncated_at_any_frame_is_marked_and_can_be_translated(dialect: str) -> None:
    _, frames = ANSWERS[dialect]
    for length in range(len(frames)):
        events = list(il.decode_stream(frames[:length], dialect))
        assert list(il.encode_stream(events, dialect)) == frames[:length]
        answer = il.collect(events)
        assert events[-1].complete is (answer.finish_reason is not None)  # type: ignore[union-attr]  # the last event is an end
        partial = [message.model_dump(mode="json") for message in answer.messages]
        question = {"role": "user", "content": "Go."}
        for target in DIALECTS:
            request = {"dialect": dialect, "model": "m", "max_tokens": 100, "messages": [question, *partial, question]}
            assert resent(request, target) == []


# Their servers take a call that nothing answers, so that nothing is put in for them.
PAIRLESS: Final = ("ollama", "vllm")


def resent(request: dict[str, Any], target: str) -> list[il.Violation]:
    """Return what a dialect would refuse of a mended request, whose calls are all answered, and as an error."""
    mended = il.repair_request(request, target).request
    calls = [call.id for message in mended.messages if message.role == "assistant" for call in message.tool_calls or ()]
    answers = [message for message in mended.messages if message.role == "tool"]
    assert len(answers) == (0 if target in PAIRLESS else len(calls))
    assert all(answer.is_error for answer in answers)
    return il.check_request(il.encode_request(mended, target).body, target)


@pytest.mark.parametrize("target", ["claude", "gemini", "ollama", "vllm"])
@pytest.mark.parametrize("source", ["openai_chat", "openai_responses", "claude"])
def test_str_13_a_partial_call_is_never_sent_as_a_complete_one(source: str, target: str) -> None:
    _, frames = ANSWERS[source]
    half = next(at for at, frame in enumerate(frames) if "Rome" in json.dumps(frame))
    answer = il.collect(il.decode_stream(frames[:half], source))
    (call,) = (call for message in answer.messages for call in message.tool_calls or ())  # type: ignore[union-attr]  # the assistant's messages
    text = call.arguments_text()
    assert text in {'{"city":', '{"city": ', '{"city"'}
    messages = [{"role": "user", "content": "Go."}, *(message.model_dump(mode="json") for message in answer.messages)]
    encoded = il.encode_request({"model": "m", "max_tokens": 100, "messages": messages}, target)
    again = [
        call
        for message in il.decode_request(encoded.body, target).messages
        if message.role == "assistant"
        for call in message.tool_calls or ()
    ]
    assert [call.arguments_object() for call in again] == [{"arguments": text}]
    assert any(loss.severity == "changed" and loss.path.endswith("/arguments") for loss in encoded.losses)


def is_cut(events: list[Any]) -> bool:
    return (events[-1].type, events[-1].complete) == ("end", False) and not any(one.type == "finish" for one in events)


# A dialect -> how many of its last frames say that the answer ended.
ENDINGS: Final = {"openai_chat": 3, "openai_responses": 1, "claude": 2, "gemini": 1, "ollama": 1, "vllm": 3}


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("source", DIALECTS)
def test_str_14_a_stream_without_an_end_is_incomplete_in_every_dialect(source: str, target: str) -> None:
    _, frames = ANSWERS[source]
    cut = frames[: -ENDINGS[source]]
    events = list(il.decode_stream(cut, source))
    assert is_cut(events)
    assert il.collect(events).finish_reason is None
    translated = list(il.translate_stream(cut, source, target))
    there = list(il.decode_stream(translated, target))
    assert is_cut(there)
    assert DONE not in translated or source == target


# --- accents ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize("left_out", [("type",), ("id",), ("type", "id"), ("type", "id", "index")], ids=" ".join)
def test_str_15_a_call_with_missing_members_is_complete(dialect: str, left_out: tuple[str, ...]) -> None:
    opened = {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "{"}}
    pieces: list[dict[str, Any]] = [opened, {"index": 0, "function": {"arguments": '"x":1}'}}]
    fragments = [{name: value for name, value in piece.items() if name not in left_out} for piece in pieces]
    frames: list[Any] = [{"choices": [{"index": 0, "delta": {"tool_calls": [one]}}]} for one in fragments]
    frames.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    events = list(il.decode_stream(frames, dialect))
    assert list(il.encode_stream(events, dialect)) == frames
    (call,) = il.collect(events).model_dump(mode="json")["messages"][0]["tool_calls"]
    assert (call["name"], call["arguments"], call.get("id")) == ("f", '{"x":1}', None if "id" in left_out else "a")


@pytest.mark.parametrize("left_out", [set(), {"id"}, {"id", "index"}], ids=["all", "id", "id and index"])
def test_str_15_ollama_calls_without_ids_stay_separate(left_out: set[str]) -> None:
    calls: list[dict[str, Any]] = [
        {"id": f"call_{at}", "function": {"index": at, "name": "f", "arguments": {"n": at}}} for at in (0, 1)
    ]
    for call in calls:
        for name in left_out:
            call.pop(name, None)
            call["function"].pop(name, None)
    lines = [{**ollama_answer({"content": "", "tool_calls": [call]}), "done": False} for call in calls]
    for line in lines:
        for name in ("done_reason", "prompt_eval_count", "eval_count"):
            del line[name]
    frames: list[Any] = [*lines, ollama_answer({"content": ""})]
    events = list(il.decode_stream(frames, "ollama"))
    assert list(il.encode_stream(events, "ollama")) == frames
    made = il.collect(events).model_dump(mode="json")["messages"][0]["tool_calls"]
    assert [call["arguments"] for call in made] == [{"n": 0}, {"n": 1}]
    chunks = list(il.translate_stream(frames, "ollama", "openai_chat"))
    there = il.collect(il.decode_stream(chunks, "openai_chat")).model_dump(mode="json")["messages"][0]["tool_calls"]
    assert len({call["id"] for call in there}) == 2
