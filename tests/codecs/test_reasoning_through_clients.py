"""Reasoning that nobody signed comes back to the server of Chat Completions that wrote it, in the member it came in.

Clients of other dialects keep it with their own provider's thoughts. Source: docs/exchange.md, "What the provider
signed".
"""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.registry import room

MODEL: Final = "moonshotai/kimi-k2.5"
SCHEMA: Final = {"type": "object", "properties": {}}
OPENINGS: Final[dict[str, dict[str, Any]]] = {
    "claude": {
        "model": "own",
        "max_tokens": 900,
        "messages": [{"role": "user", "content": "Weather?"}],
        "tools": [{"name": "weather", "input_schema": SCHEMA}],
    },
    "openai_responses": {
        "model": "own",
        "input": [{"role": "user", "content": "Weather?"}],
        "store": False,
        "tools": [{"type": "function", "name": "weather", "parameters": SCHEMA}],
    },
    "gemini": {
        "contents": [{"role": "user", "parts": [{"text": "Weather?"}]}],
        "tools": [{"functionDeclarations": [{"name": "weather", "parameters": SCHEMA}]}],
    },
}
MEMBERS: Final = ("reasoning", "reasoning_content", "reasoning_details")
CALL: Final = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}


def thought(member: str, text: str) -> dict[str, Any]:
    return {member: [{"type": "reasoning.text", "text": text, "index": 0}] if member == "reasoning_details" else text}


def answer(member: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": None, **thought(member, "I look."), "tool_calls": [CALL]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    return {"id": "r", "object": "chat.completion", "created": 1, "model": "served", "choices": [choice]}


def streamed(member: str) -> list[Any]:
    deltas: list[tuple[dict[str, Any], str | None]] = [
        ({"role": "assistant", "content": ""}, None),
        (thought(member, "I "), None),
        (thought(member, "look."), None),
        ({"tool_calls": [{"index": 0, **CALL}]}, None),
        ({}, "tool_calls"),
    ]
    chunk = {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "served"}
    return [{**chunk, "choices": [{"index": 0, "delta": one, "finish_reason": why}]} for one, why in deltas]


def next_of(client: Any, told: dict[str, Any]) -> dict[str, Any]:
    """Return the client's next request: its history, the answer as it came, and the result of the call."""
    asked = json.loads(json.dumps(OPENINGS[client]))
    if client == "claude":
        result = {"type": "tool_result", "tool_use_id": told["content"][-1]["id"], "content": "Rain."}
        asked["messages"] += [
            {"role": "assistant", "content": told["content"]},
            {"role": "user", "content": [result]},
        ]
    elif client == "openai_responses":
        call_id = told["output"][-1]["call_id"]
        asked["input"] += [*told["output"], {"type": "function_call_output", "call_id": call_id, "output": "Rain."}]
    else:  # Gemini CLI sends no thoughts back
        said = told["candidates"][0]["content"]
        said = {**said, "parts": [part for part in said["parts"] if not part.get("thought")]}
        result = {"functionResponse": {"name": "weather", "response": {"output": "Rain."}}}
        asked["contents"] += [said, {"role": "user", "parts": [result]}]
    return asked


def told_by(first: il.Exchange, member: str, *, is_streamed: bool) -> dict[str, Any]:
    if not is_streamed:
        return json.loads(json.dumps(first.response(answer(member)).body))
    frames = list(first.stream(streamed(member)))
    return room(first.source).assemble_stream(json.loads(json.dumps(frames)))


def reasoning_of(body: dict[str, Any]) -> dict[str, Any]:
    [message] = [one for one in body["messages"] if one["role"] == "assistant"]
    return {name: held for name, held in message.items() if name in MEMBERS}


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("client", OPENINGS)
def test_reasoning_comes_back_in_the_member_that_it_came_in(client: Any, member: str, is_streamed: bool) -> None:
    first = il.exchange(OPENINGS[client], client, "openai_chat", model=MODEL)
    stored = il.Exchange.from_json(first.to_json())
    for one in (first, stored):
        asked = next_of(client, told_by(one, member, is_streamed=is_streamed))
        then = il.exchange(asked, client, "openai_chat", model=MODEL)
        found = reasoning_of(then.body)
        assert [*found] == [member]
        [held] = found.values()
        assert held == "I look." or [detail["text"] for detail in held] == ["I look."]
        assert not [loss for loss in then.losses if loss.code == "reasoning"]


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize("client", OPENINGS)
def test_another_model_does_not_get_it_since_its_server_may_refuse_the_member(client: Any, is_streamed: bool) -> None:
    first = il.exchange(OPENINGS[client], client, "openai_chat", model=MODEL)
    asked = next_of(client, told_by(first, "reasoning", is_streamed=is_streamed))
    then = il.exchange(asked, client, "openai_chat", model="some-other-model")
    assert reasoning_of(then.body) == {}
    if client != "gemini":  # which sent none
        assert [loss.path for loss in then.losses if loss.code == "reasoning"] == ["/messages/1/reasoning"]


@pytest.mark.parametrize("model", ["gpt-5.1", "mistral-large-latest"])
def test_a_model_whose_provider_refuses_reasoning_does_not_get_it(model: str) -> None:
    first = il.exchange(OPENINGS["claude"], "claude", "openai_chat", model=model)
    then = il.exchange(
        next_of("claude", told_by(first, "reasoning", is_streamed=False)), "claude", "openai_chat", model=model
    )
    assert reasoning_of(then.body) == {}


@pytest.mark.parametrize("client", OPENINGS)
def test_the_clients_own_provider_does_not_get_it(client: Any) -> None:
    first = il.exchange(OPENINGS[client], client, "openai_chat", model=MODEL)
    asked = next_of(client, told_by(first, "reasoning", is_streamed=False))
    assert "interlingua" not in json.dumps(il.exchange(asked, client, client).body)


def test_a_member_that_a_client_made_up_is_ignored() -> None:
    from interlingua.rooms._shared.sealed_state import sealed  # noqa: PLC0415  # only this test forges one

    for state in (
        {"member": "role", "model": MODEL},
        {"member": ["reasoning"], "model": MODEL},
        {"member": "reasoning"},
        {"member": "reasoning", "model": MODEL, "thoughts": [1]},
        {"member": "reasoning", "model": MODEL, "more": 1},
    ):
        block = {"type": "thinking", "thinking": "I look.", "signature": sealed("openai_chat", state)}
        call = {"type": "tool_use", "id": "call_1", "name": "weather", "input": {}}
        then = il.exchange(next_of("claude", {"content": [block, call]}), "claude", "openai_chat", model=MODEL)
        [message] = [one for one in then.body["messages"] if one["role"] == "assistant"]
        assert message.keys() == {"role", "content", "tool_calls"}
