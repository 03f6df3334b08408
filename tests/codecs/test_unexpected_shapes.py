"""Known members of a type that the dialect does not have there: all else is read, and they stay where they are."""

from __future__ import annotations

import copy
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.streaming import gather
from support.canonical import lookup, tokens
from support.rooms import decode, encode
from support.streams import read, write

HELLO: Final = {"role": "user", "content": "Hello"}
ASKED: Final = {
    "openai_chat": {"model": "m", "messages": [HELLO]},
    "vllm": {"model": "m", "messages": [HELLO]},
    "openai_responses": {"model": "m", "input": "Hello"},
    "claude": {"model": "m", "max_tokens": 9, "messages": [HELLO]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "Hello"}]}]},
    "ollama": {"model": "m", "messages": [HELLO]},
}
# Settings of a type that the provider does not read: dialect, member, value, and where the member stands.
SETTINGS: Final[list[tuple[str, dict[str, Any], str]]] = [
    ("openai_chat", {"temperature": "hot"}, "/temperature"),
    ("openai_chat", {"max_completion_tokens": 1.5}, "/max_completion_tokens"),
    ("openai_chat", {"max_tokens": "many"}, "/max_tokens"),
    ("openai_chat", {"stop": ["a", 7]}, "/stop"),
    ("openai_chat", {"tools": {}}, "/tools"),
    ("openai_chat", {"metadata": 7}, "/metadata"),
    ("openai_chat", {"user": 7}, "/user"),
    ("openai_chat", {"reasoning_effort": 7}, "/reasoning_effort"),
    ("vllm", {"chat_template_kwargs": []}, "/chat_template_kwargs"),
    ("vllm", {"thinking_token_budget": "much"}, "/thinking_token_budget"),
    ("vllm", {"structured_outputs": "json"}, "/structured_outputs"),
    ("vllm", {"top_k": "all"}, "/top_k"),
    ("openai_responses", {"tools": {}}, "/tools"),
    ("openai_responses", {"reasoning": "high"}, "/reasoning"),
    ("openai_responses", {"text": "json"}, "/text"),
    ("openai_responses", {"include": "x"}, "/include"),
    ("openai_responses", {"max_output_tokens": 1.5}, "/max_output_tokens"),
    ("claude", {"temperature": "hot"}, "/temperature"),
    ("claude", {"max_tokens": "many"}, "/max_tokens"),
    ("claude", {"stop_sequences": ["a", 7]}, "/stop_sequences"),
    ("claude", {"metadata": "me"}, "/metadata"),
    ("claude", {"thinking": True}, "/thinking"),
    ("claude", {"tool_choice": "auto"}, "/tool_choice"),
    ("gemini", {"generationConfig": {"topK": "many"}}, "/generationConfig/topK"),
    ("gemini", {"generationConfig": {"stopSequences": [1]}}, "/generationConfig/stopSequences"),
    (
        "gemini",
        {"generationConfig": {"thinkingConfig": {"thinkingBudget": "much"}}},
        "/generationConfig/thinkingConfig",
    ),
    ("gemini", {"generationConfig": "fast"}, "/generationConfig"),
    ("gemini", {"toolConfig": "AUTO"}, "/toolConfig"),
    ("ollama", {"stream": "yes"}, "/stream"),
    ("ollama", {"think": 1}, "/think"),
    ("ollama", {"options": []}, "/options"),
    ("ollama", {"options": {"temperature": "hot"}}, "/options/temperature"),
    ("ollama", {"options": {"stop": ["a", 1]}}, "/options/stop"),
    ("ollama", {"tools": {}}, "/tools"),
]


@pytest.mark.parametrize(("dialect", "members", "path"), SETTINGS)
def test_a_setting_of_the_wrong_type_round_trips_and_is_lost_in_other_dialects(
    dialect: str, members: dict[str, Any], path: str
) -> None:
    body = {**ASKED[dialect], **members}
    before = copy.deepcopy(body)
    request = il.decode_request(body, dialect)
    assert [message.content for message in request.messages] == ["Hello"]
    encoded = il.encode_request(request, dialect)
    assert (encoded.body, encoded.losses) == (before, ())
    assert body == before
    bag = f"/extra/{dialect}/fields{path}"
    assert lookup(request.model_dump(mode="json"), tokens(bag)) == lookup(body, tokens(path))
    target = "claude" if dialect != "claude" else "openai_chat"
    if lookup(body, tokens(path)):  # an empty list says nothing
        lost = [loss.path for loss in il.encode_request(request, target).losses if loss.severity == "lost"]
        assert any(bag == one or bag.startswith(f"{one}/") for one in lost)
    named = [violation.path for violation in il.check_request(body, dialect)]
    assert any(one == path or one.startswith(f"{path}/") for one in named)


MESSAGE: Final = {"role": "assistant", "content": "Hello"}
LABELS: Final = {"id": "a", "object": "chat.completion", "created": 1, "model": "m"}
CALL: Final = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
RESPONSE: Final = {"id": "a", "object": "response", "created_at": 1, "model": "m", "status": "completed"}
SPOKEN: Final = {"type": "message", "id": "i", "role": "assistant", "status": "completed"}
TEXT: Final = {"type": "output_text", "text": "Hello", "annotations": []}


def chat(message: Any, **members: Any) -> dict[str, Any]:
    return {**LABELS, "choices": [{"index": 0, "message": message, "finish_reason": "stop", **members}]}


def responses(*items: Any, **members: Any) -> dict[str, Any]:
    return {**RESPONSE, "output": [*items], **members}


def gemini(*parts: Any, **members: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": [*parts]}, "finishReason": "STOP", **members}]}


def claude(**members: Any) -> dict[str, Any]:
    blocks = [{"type": "text", "text": "Hello"}]
    return {"id": "a", "type": "message", "role": "assistant", "model": "m", "content": blocks, **members}


def ollama(message: Any) -> dict[str, Any]:
    return {"model": "m", "message": message, "done": True}


IN_MESSAGE: Final = "/messages/0/extra/{}/fields"
# Answers with a member of another type: dialect, body, and where the canonical answer keeps it.
ANSWERS: Final[list[tuple[str, dict[str, Any], str]]] = [
    ("vllm", chat({**MESSAGE, "audio": 7}), f"{IN_MESSAGE}/audio"),
    ("openai_chat", chat({**MESSAGE, "audio": "x"}), f"{IN_MESSAGE}/audio"),
    ("openai_chat", chat({**MESSAGE, "refusal": 7}), f"{IN_MESSAGE}/refusal"),
    ("openai_chat", chat({**MESSAGE, "name": [1]}), f"{IN_MESSAGE}/name"),
    ("openai_chat", chat({**MESSAGE, "role": 7}), f"{IN_MESSAGE}/role"),
    ("openai_chat", chat({**MESSAGE, "tool_calls": 7}), f"{IN_MESSAGE}/tool_calls"),
    ("openai_chat", chat({**MESSAGE, "tool_calls": ["x", CALL]}), "/messages/0/extra/{}/opaque_calls/0/data"),
    (
        "openai_chat",
        chat({**MESSAGE, "tool_calls": [{**CALL, "id": 7}]}),
        "/messages/0/tool_calls/0/extra/{}/fields/id",
    ),
    ("openai_chat", chat(MESSAGE, finish_reason=["stop"]), "/extra/{}/choice/finish_reason"),
    ("openai_chat", {**chat(MESSAGE), "usage": 7}, "/extra/{}/fields/usage"),
    ("openai_chat", {**chat(MESSAGE), "usage": {"prompt_tokens": "7"}}, "/usage/extra/{}/fields/prompt_tokens"),
    ("openai_responses", responses({**SPOKEN, "content": [TEXT], "id": 1}), f"{IN_MESSAGE}/id"),
    ("openai_responses", responses({**SPOKEN, "content": [TEXT]}, usage=[1]), "/extra/{}/fields/usage"),
    (
        "openai_responses",
        responses({**SPOKEN, "content": [TEXT]}, usage={"input_tokens": "3"}),
        "/usage/extra/{}/fields/input_tokens",
    ),
    (
        "openai_responses",
        responses({"type": "reasoning", "id": "r", "summary": "x"}, {**SPOKEN, "content": [TEXT]}),
        "/messages/0/extra/{}/reasoning/fields/summary",
    ),
    ("claude", claude(stop_reason=7), "/extra/{}/fields/stop_reason"),
    ("claude", claude(usage="much"), "/extra/{}/fields/usage"),
    ("claude", claude(usage={"output_tokens": "3"}), "/usage/extra/{}/fields/output_tokens"),
    ("gemini", gemini({"text": "Hello"}, finishReason={"x": 1}), "/extra/{}/candidate/finishReason"),
    ("gemini", gemini({"text": "Hello", "thought": "no"}), "/messages/0/content/0/extra/{}/fields/thought"),
    ("gemini", {**gemini({"text": "Hello"}), "usageMetadata": 7}, "/extra/{}/fields/usageMetadata"),
    (
        "gemini",
        {**gemini({"text": "Hello"}), "usageMetadata": {"promptTokenCount": "3"}},
        "/usage/extra/{}/fields/promptTokenCount",
    ),
    ("ollama", ollama({**MESSAGE, "role": 7}), f"{IN_MESSAGE}/role"),
    ("ollama", ollama({**MESSAGE, "thinking": {"x": 1}}), f"{IN_MESSAGE}/thinking"),
    ("ollama", ollama({**MESSAGE, "tool_calls": "x"}), f"{IN_MESSAGE}/tool_calls"),
]


@pytest.mark.parametrize(("dialect", "body", "place"), ANSWERS)
def test_an_answer_with_a_member_of_the_wrong_type_is_read_and_the_member_kept(
    dialect: str, body: dict[str, Any], place: str
) -> None:
    before = copy.deepcopy(body)
    response = il.decode_response(body, dialect)
    plain = response.model_dump(mode="json")
    assert "Hello" in "".join(str(message.get("content")) for message in plain["messages"])
    kept = place.format(dialect)
    assert lookup(plain, tokens(kept)) is not None
    encoded = il.encode_response(response, dialect)
    assert (encoded.body, encoded.losses) == (before, ())
    target = "claude" if dialect != "claude" else "openai_chat"
    lost = [loss.path for loss in il.encode_response(response, target).losses if loss.severity == "lost"]
    assert any(kept == one or kept.startswith(f"{one}/") for one in lost)


CHUNK: Final = {"id": "a", "object": "chat.completion.chunk", "created": 1, "model": "m"}
MOMENT: Final = "2026-01-01T00:00:00Z"


def chunk(delta: Any, reason: Any = None, **members: Any) -> dict[str, Any]:
    return {**CHUNK, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}], **members}


def started(**members: Any) -> dict[str, Any]:
    message = {"id": "a", "type": "message", "role": "assistant", "model": "m", "content": [], **members}
    return {"type": "message_start", "message": message}


def line(message: Any, **members: Any) -> dict[str, Any]:
    return {"model": "m", "created_at": MOMENT, "message": message, "done": False, **members}


OPENED: Final = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "Hello"}}
# Streams that say "Hello" beside a member of another type.
STREAMS: Final[list[tuple[str, list[dict[str, Any]]]]] = [
    ("openai_chat", [chunk({"role": [], "content": "Hello"})]),
    ("openai_chat", [chunk({"content": "Hello", "tool_calls": {}})]),
    ("openai_chat", [chunk({"content": "Hello", "refusal": 7})]),
    ("vllm", [chunk({"content": "Hello", "audio": 7})]),
    ("openai_chat", [chunk([]), chunk({"content": "Hello"}), chunk("x", "stop")]),
    ("openai_chat", [chunk({"content": "Hello"}, ["stop"])]),
    ("openai_chat", [chunk({"content": "Hello"}, usage=[1])]),
    ("openai_chat", [chunk({"content": "Hello"}), {**CHUNK, "choices": [], "usage": {"prompt_tokens": "7"}}]),
    ("claude", [started(id=7, model=[], usage="x"), OPENED]),
    ("claude", [started(usage=[1]), OPENED, {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 3}}]),
    ("ollama", [line({**MESSAGE, "images": [7]}), line({**MESSAGE, "content": "", "tool_calls": "x"})]),
    ("ollama", [line({"role": "assistant", "content": "", "tool_calls": 7}), line({**MESSAGE, "tool_calls": []})]),
    ("gemini", [gemini({"text": "Hello"}, logprobsResult=7), gemini({"text": ""}, logprobsResult={"x": [1]})]),
    ("claude", [started(usage={"input_tokens": "7"}), OPENED]),
    ("claude", [started(), OPENED, {"type": "message_delta", "delta": {"stop_reason": 7}, "usage": 7}]),
    ("claude", [started(), OPENED, {"type": "message_delta", "delta": 7, "usage": {"output_tokens": 3}}]),
    ("gemini", [gemini({"text": "Hello"}, finishReason=["STOP"])]),
    ("gemini", [{**gemini({"text": "Hello"}), "usageMetadata": 7}]),
    ("gemini", [gemini({"text": "Hello"}), {"candidates": [{"content": 7, "index": 0}]}]),
    ("ollama", [line({**MESSAGE, "role": 7}, done="no")]),
    ("openai_responses", [{"type": "response.created", "response": {**RESPONSE, "usage": 7}}]),
]


@pytest.mark.parametrize(("dialect", "came"), STREAMS)
def test_a_stream_with_a_member_of_the_wrong_type_is_read_and_round_trips(
    dialect: str, came: list[dict[str, Any]]
) -> None:
    before = copy.deepcopy(came)
    events = read(dialect, came)
    said = "".join(event["text"] for event in events if event["type"] == "content")
    assert said == ("" if dialect == "openai_responses" else "Hello")
    assert write(dialect, events) == (before, ())
    if dialect != "openai_responses":  # its whole answer is in its last frame, which is not there
        assert "Hello" in str(gather(events)["messages"])
    assert came == before


def test_reasoning_details_with_inconsistent_types_round_trip() -> None:
    def thought(text: str, **members: Any) -> dict[str, Any]:
        return chunk({"content": "", "reasoning": text, "reasoning_details": [{"text": text, **members}]})

    typed = {"type": "reasoning.text", "index": 0}
    came = [thought("a", index=0), thought("b", **typed), thought("c", index=0), thought("d", **typed)]
    assert write("openai_chat", read("openai_chat", came)) == (came, ())


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize("choice", [{}, {"message": None}, {"message": 7}, {"message": ["x"]}])
@pytest.mark.parametrize("others", [{}, {"index": 0}, {"index": 0, "finish_reason": "stop"}])
def test_a_choice_without_a_message_is_empty_and_round_trips(
    dialect: str, choice: dict[str, Any], others: dict[str, Any]
) -> None:
    for choices in ([{**choice, **others}], [{"index": 0, "message": MESSAGE}, {**choice, **others, "index": 1}]):
        body = {**LABELS, "choices": choices}
        response = decode(dialect, "response", body)
        assert response["messages"] == [MESSAGE][: len(choices) - 1]
        assert encode(dialect, "response", response) == (body, ())
        model = il.decode_response(body, dialect)
        assert il.encode_response(model, dialect).body == body


def test_an_answer_without_choices_differs_from_a_choice_without_a_message() -> None:
    body: dict[str, Any] = {**LABELS, "choices": []}
    assert encode("openai_chat", "response", decode("openai_chat", "response", body)) == (body, ())
