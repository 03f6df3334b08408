"""Known members of a type that the dialect does not have there: all else is read, and they stay where they are."""

from __future__ import annotations

import copy
from typing import Any, Final

import pytest

import interlingua as il
from support.canonical import lookup, tokens
from support.rooms import decode, encode

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
def test_a_setting_of_another_type_is_kept_named_and_lost_abroad(
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
def test_an_answer_with_a_member_of_another_type_is_read_and_the_member_kept(
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


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize("choice", [{}, {"message": None}, {"message": 7}, {"message": ["x"]}])
@pytest.mark.parametrize("others", [{}, {"index": 0}, {"index": 0, "finish_reason": "stop"}])
def test_a_choice_without_a_message_says_nothing_and_comes_back(
    dialect: str, choice: dict[str, Any], others: dict[str, Any]
) -> None:
    for choices in ([{**choice, **others}], [{"index": 0, "message": MESSAGE}, {**choice, **others, "index": 1}]):
        body = {**LABELS, "choices": choices}
        response = decode(dialect, "response", body)
        assert response["messages"] == [MESSAGE][: len(choices) - 1]
        assert encode(dialect, "response", response) == (body, ())
        model = il.decode_response(body, dialect)
        assert il.encode_response(model, dialect).body == body


def test_an_answer_without_any_choice_is_another_one_than_a_choice_without_a_message() -> None:
    body: dict[str, Any] = {**LABELS, "choices": []}
    assert encode("openai_chat", "response", decode("openai_chat", "response", body)) == (body, ())
