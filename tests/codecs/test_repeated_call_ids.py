"""Calls that have one id: each gets its own where results are told by it, and the results of a history follow."""

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
def test_each_result_belongs_to_its_call(target: str) -> None:
    body = {"model": "gpt-4o", "messages": HISTORY, "tools": TOOLS}
    encoded = il.translate_request(body, "openai_chat", target, strict=True)
    assert pairs(encoded.body, target) == [("f", {"a": 1}, "of 1"), ("g", {"a": 2}, "of 2"), ("f", {"a": 3}, "of 3")]
    renamed = {loss.path for loss in encoded.losses if loss.code == "name" and loss.severity == "changed"}
    assert renamed >= {"/messages/1/tool_calls/1/id", "/messages/3/call_id"}


def test_call_ids_are_unique_within_a_responses_conversation() -> None:
    body = il.translate_request(
        {"model": "gpt-5", "messages": HISTORY, "tools": TOOLS}, "openai_chat", "openai_responses"
    ).body
    ids = [item["call_id"] for item in body["input"] if item.get("type") == "function_call"]
    answered = [item["call_id"] for item in body["input"] if item.get("type") == "function_call_output"]
    assert ids == answered == ["c1", "c1_2", "c1_3"]


def test_ollama_gets_the_tool_name_of_each_result() -> None:
    body = il.translate_request({"model": "m", "messages": HISTORY, "tools": TOOLS}, "openai_chat", "ollama").body
    assert [message["tool_name"] for message in body["messages"] if message["role"] == "tool"] == ["f", "g", "f"]


@pytest.mark.parametrize("dialect", ["openai_responses", "ollama"])
def test_within_the_dialect_repeated_ids_are_unchanged(dialect: str) -> None:
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


def test_calls_with_unique_ids_keep_them() -> None:
    calls = [{**call("f", 1), "id": "functions.f:0"}, {**call("g", 2), "id": "functions.g:1"}]
    results = [{**result("1"), "tool_call_id": "functions.g:1"}, {**result("2"), "tool_call_id": "functions.f:0"}]
    messages = [HISTORY[0], {"role": "assistant", "content": None, "tool_calls": calls}, *results]
    body = il.translate_request({"model": "m", "messages": messages, "tools": TOOLS}, "openai_chat", "ollama").body
    told = [(message["tool_call_id"], message["content"]) for message in body["messages"][2:]]
    assert told == [("functions.f:0", "2"), ("functions.g:1", "1")]


CLIENTS: Final = ("openai_responses", "claude", "gemini", "ollama", "vllm", "bedrock_converse")


def answer(*identifiers: str) -> dict[str, Any]:
    calls = [
        {"id": identifier, "type": "function", "function": {"name": "f", "arguments": f'{{"a":{number}}}'}}
        for number, identifier in enumerate(identifiers)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    return {"id": "a", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def chunks(*identifiers: str, repeated: bool = False) -> list[dict[str, Any] | str]:
    """Return the stream of such an answer, each call in two pieces; `repeated`: both say its id and its name."""
    fragments: list[dict[str, Any]] = []
    for number, identifier in enumerate(identifiers):
        named = {"index": number, "id": identifier, "type": "function"}
        fragments.append({**named, "function": {"name": "f", "arguments": '{"a"'}})
        rest = {"arguments": f":{number}}}"}
        again = {**named, "function": {"name": "f", **rest}}
        fragments.append(again if repeated else {"index": number, "function": rest})
    deltas: list[dict[str, Any]] = [*({"tool_calls": [fragment]} for fragment in fragments), {}]
    head = {"id": "a", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    choices: list[dict[str, Any]] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices[-1]["finish_reason"] = "tool_calls"
    return [*({**head, "choices": [one]} for one in choices), "[DONE]"]


def called(response: il.ChatResponse) -> list[tuple[str | None, dict[str, Any]]]:
    return [(one.id, one.arguments_object()) for one in response.tool_calls]


@pytest.mark.parametrize("client", CLIENTS)
def test_calls_of_one_answer_with_the_same_id_get_different_ids(client: str) -> None:
    expected = [("x", {"a": 0}), ("x_2", {"a": 1}), ("x_3", {"a": 2})]
    encoded = il.translate_response(answer("x", "x", "x"), "openai_chat", client)
    assert called(il.decode_response(encoded.body, client)) == expected
    renamed = [loss.path for loss in encoded.losses if loss.code == "name"]
    assert renamed == ["/messages/0/tool_calls/1/id", "/messages/0/tool_calls/2/id"]
    for repeated in (False, True):
        stream = il.translate_stream(chunks("x", "x", "x", repeated=repeated), "openai_chat", client)
        assert called(il.collect(il.decode_stream(stream, client))) == expected
        assert [loss.code for loss in stream.losses if loss.code == "name"] == ["name", "name"]


def test_a_generated_id_is_never_that_of_another_call() -> None:
    encoded = il.translate_response(answer("x", "x_2", "x", "x_2"), "openai_chat", "claude")
    assert [block["id"] for block in encoded.body["content"]] == ["x", "x_2", "x_3", "x_2_2"]


@pytest.mark.parametrize("client", CLIENTS)
def test_an_empty_id_counts_as_missing_and_is_generated_where_required(client: str) -> None:
    encoded = il.translate_response(answer("", ""), "openai_chat", client)
    whole = called(il.decode_response(encoded.body, client))
    assert [arguments for _, arguments in whole] == [{"a": 0}, {"a": 1}]
    identifiers = {identifier for identifier, _ in whole}
    assert identifiers == {None} if client in {"gemini", "ollama"} else len(identifiers - {None, ""}) == 2
    stream = il.translate_stream(chunks("", ""), "openai_chat", client)
    assert called(il.collect(il.decode_stream(stream, client))) == whole


def test_calls_with_the_same_id_are_unchanged_within_one_dialect() -> None:
    body, frames = answer("x", "x", ""), chunks("x", "x", "")
    assert il.translate_response(body, "openai_chat", "openai_chat").body == body
    assert il.encode_response(il.decode_response(body, "openai_chat"), "openai_chat").body == body
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames


def test_each_alternative_has_its_own_ids() -> None:
    body = answer("x", "x")
    body["choices"].append({**body["choices"][0], "index": 1})
    choices = il.translate_response(body, "openai_chat", "vllm").body["choices"]
    assert [[one["id"] for one in choice["message"]["tool_calls"]] for choice in choices] == [["x", "x_2"]] * 2


def twice_answered(*outputs: str) -> dict[str, Any]:
    """Return a request as Gemini CLI writes it where it takes up a conversation again: results stand there twice."""
    results = [{"functionResponse": {"id": "c", "name": "f", "response": {"output": one}}} for one in outputs]
    call = {"functionCall": {"id": "c", "name": "f", "args": {}}}
    turns = [("user", [{"text": "Hi"}]), ("model", [call]), ("user", results)]
    return {"contents": [{"role": role, "parts": parts} for role, parts in turns]}


@pytest.mark.parametrize("target", ["openai_responses", "openai_chat", "claude", "ollama", "vllm", "bedrock_converse"])
def test_a_duplicate_result_is_written_once_and_reported(target: il.Dialect) -> None:
    body = twice_answered("Same.", "Same.")
    assert il.encode_request(il.decode_request(body, "gemini"), "gemini").body == body
    encoded = il.translate_request(body, "gemini", target, model="m")
    [result] = [one for one in il.decode_request(encoded.body, target).messages if isinstance(one, il.ToolChatMessage)]
    assert result.text == "Same."
    assert ("/messages/3", "changed") in {(loss.path, loss.severity) for loss in encoded.losses}


@pytest.mark.parametrize("target", ["openai_responses", "openai_chat", "claude"])
def test_different_results_of_one_call_are_all_written(target: il.Dialect) -> None:
    encoded = il.translate_request(twice_answered("One.", "Two.", "One."), "gemini", target, model="m")
    said = [one.text for one in il.decode_request(encoded.body, target).messages if isinstance(one, il.ToolChatMessage)]
    assert said == (["One.", "Two."] if target == "openai_responses" else ["One.\n\nTwo."])


def test_two_calls_with_one_id_and_equal_results_each_have_a_result() -> None:
    body = twice_answered("Same.", "Same.")
    body["contents"][1]["parts"] *= 2
    items = il.translate_request(body, "gemini", "openai_responses", model="m").body["input"]
    assert [one["call_id"] for one in items if one.get("type") == "function_call_output"] == ["c", "c_2"]
