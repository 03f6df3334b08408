"""Calls of a history that have one id: each gets its own where results are told by it, and the results follow."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il

TARGETS: Final = ("openai_responses", "claude", "gemini", "ollama", "bedrock_converse")


def call(name: str, number: int) -> dict[str, Any]:
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": f'{{"a":{number}}}'}}


def result(text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": "c1", "content": text}


SAID: Final = ("of 1", "of 2", "of 3")
HISTORY: Final[list[dict[str, Any]]] = [
    {"role": "user", "content": "x"},
    {"role": "assistant", "content": None, "tool_calls": [call("f", 1), call("g", 2)]},
    result("of 1"),
    result("of 2"),
    {"role": "user", "content": "y"},
    {"role": "assistant", "content": None, "tool_calls": [call("f", 3)]},
    result("of 3"),
]
TOOLS: Final = [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in "fg"]


def pairs(body: dict[str, Any], dialect: str) -> list[tuple[str, dict[str, Any], str]]:
    """Return name and arguments of each call, with what its result says, as a reader of the body finds them."""
    request = il.decode_request(body, dialect)
    open_calls: dict[str, tuple[str, dict[str, Any]]] = {}
    found: list[tuple[str, dict[str, Any], str]] = []
    for message in request.messages:
        if isinstance(message, il.AssistantChatMessage):
            for one in message.tool_calls or ():
                assert one.id is not None
                assert one.id not in open_calls
                open_calls[one.id] = (one.name, one.arguments_object())
        elif isinstance(message, il.ToolChatMessage):
            assert message.call_id is not None
            text = json.dumps(message.model_dump(mode="json")["content"])
            found.append((*open_calls.pop(message.call_id), next(one for one in SAID if one in text)))
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_each_result_is_that_of_its_call(target: str) -> None:
    body = {"model": "gpt-4o", "messages": HISTORY, "tools": TOOLS}
    encoded = il.translate_request(body, "openai_chat", target, strict=True)
    assert pairs(encoded.body, target) == [("f", {"a": 1}, "of 1"), ("g", {"a": 2}, "of 2"), ("f", {"a": 3}, "of 3")]
    renamed = {loss.path for loss in encoded.losses if loss.code == "name" and loss.severity == "changed"}
    assert renamed >= {"/messages/1/tool_calls/1/id", "/messages/3/call_id"}


def test_no_call_of_a_conversation_with_responses_has_the_id_of_another() -> None:
    body = il.translate_request(
        {"model": "gpt-5", "messages": HISTORY, "tools": TOOLS}, "openai_chat", "openai_responses"
    ).body
    ids = [item["call_id"] for item in body["input"] if item.get("type") == "function_call"]
    answered = [item["call_id"] for item in body["input"] if item.get("type") == "function_call_output"]
    assert ids == answered == ["c1", "c1_2", "c1_3"]


def test_ollama_reads_the_name_of_the_tool_that_each_result_is_of() -> None:
    body = il.translate_request({"model": "m", "messages": HISTORY, "tools": TOOLS}, "openai_chat", "ollama").body
    assert [message["tool_name"] for message in body["messages"] if message["role"] == "tool"] == ["f", "g", "f"]


@pytest.mark.parametrize("dialect", ["openai_responses", "ollama"])
def test_at_home_an_id_stays_as_often_as_it_was_said(dialect: str) -> None:
    if dialect == "ollama":
        calls = [{"id": "c1", "function": {"name": name, "arguments": {}}} for name in "fg"]
        results = [{"role": "tool", "content": "r", "tool_call_id": "c1"}] * 2
        body: dict[str, Any] = {
            "model": "m",
            "messages": [{"role": "assistant", "content": "", "tool_calls": calls}, *results],
        }
    else:
        items = [{"type": "function_call", "call_id": "c1", "name": name, "arguments": "{}"} for name in "fg"]
        outputs = [{"type": "function_call_output", "call_id": "c1", "output": "r"}] * 2
        body = {"model": "gpt-5", "input": [*items, *outputs]}
    encoded = il.encode_request(il.decode_request(body, dialect), dialect)
    assert (encoded.body, encoded.losses) == (body, ())


def test_calls_with_ids_of_their_own_keep_them() -> None:
    calls = [{**call("f", 1), "id": "functions.f:0"}, {**call("g", 2), "id": "functions.g:1"}]
    results = [{**result("1"), "tool_call_id": "functions.g:1"}, {**result("2"), "tool_call_id": "functions.f:0"}]
    messages = [HISTORY[0], {"role": "assistant", "content": None, "tool_calls": calls}, *results]
    body = il.translate_request({"model": "m", "messages": messages, "tools": TOOLS}, "openai_chat", "ollama").body
    assert [message["tool_call_id"] for message in body["messages"][2:]] == ["functions.g:1", "functions.f:0"]
