"""A chat client that declares its tools in the older `functions` finds their calls in `function_call`."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

PROVIDERS: list[il.Dialect] = ["vllm", "openai_responses", "claude", "gemini", "ollama", "bedrock_converse"]
ASKED: dict[str, Any] = {
    "model": "gpt-4",
    "messages": [{"role": "user", "content": "How is the weather?"}],
    "functions": [{"name": "get.weather", "parameters": {"type": "object", "properties": {}}}],
    "function_call": "auto",
}


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "r1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def answered(name: str, count: int) -> dict[str, Any]:
    calls = [{"id": f"call_{at}", "name": name, "arguments": {"city": "Bern"}} for at in range(count)]
    return {"model": "m", "messages": [{"role": "assistant", "tool_calls": calls}], "finish_reason": "tool_calls"}


def streamed(name: str, count: int) -> list[Any]:
    begun = [
        {"index": at, "id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": ""}}
        for at in range(count)
    ]
    frames = [chunk({"role": "assistant"})]
    for one in begun:
        piece = {"index": one["index"], "function": {"arguments": '{"city":"Bern"}'}}
        frames += [chunk({"tool_calls": [one]}), chunk({"tool_calls": [piece]})]
    return [*frames, chunk({}, "tool_calls"), "[DONE]"]


def sent(one: il.Exchange) -> str:
    """Return the name under which the provider knows the tool."""
    return next((name for name in one.tools if name != "get.weather"), "get.weather")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_call_comes_home_as_the_function_call_that_the_client_looks_for(provider: il.Dialect) -> None:
    one = il.Exchange.from_json(il.exchange(ASKED, "openai_chat", provider, model="m").to_json())
    answer = one.response(il.encode_response(answered(sent(one), 1), provider).body).body["choices"][0]
    assert answer["message"]["function_call"] == {"name": "get.weather", "arguments": '{"city":"Bern"}'}
    assert "tool_calls" not in answer["message"]
    assert answer["finish_reason"] == "function_call"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_streamed_call_comes_home_as_a_function_call(provider: il.Dialect) -> None:
    one = il.exchange(ASKED, "openai_chat", provider, model="m")
    there: Any = list(il.translate_stream(streamed(sent(one), 1), "openai_chat", provider))
    stream = one.stream(there)
    frames: list[Any] = list(stream)
    choices = [frame["choices"][0] for frame in frames[:-1]]
    deltas = [choice["delta"]["function_call"] for choice in choices if "function_call" in choice["delta"]]
    assert deltas[0]["name"] == "get.weather"
    assert "".join(delta["arguments"] for delta in deltas) == '{"city":"Bern"}'
    assert not any("tool_calls" in choice["delta"] for choice in choices)
    assert choices[-1]["finish_reason"] == "function_call"
    assert "content" not in {loss.concern for loss in stream.losses}
    [message] = il.collect(il.decode_stream(frames, "openai_chat")).messages
    assert isinstance(message, il.AssistantChatMessage)
    assert [call.name for call in message.tool_calls or ()] == ["get.weather"]


def test_several_calls_which_the_older_way_has_no_place_for_are_told_in_the_newer_one() -> None:
    one = il.exchange(ASKED, "openai_chat", "claude", model="m")
    answer = one.response(il.encode_response(answered(sent(one), 2), "claude").body).body["choices"][0]
    assert [call["function"]["name"] for call in answer["message"]["tool_calls"]] == ["get.weather"] * 2
    assert answer["finish_reason"] == "tool_calls"
    streams: Any = list(one.stream(list(il.translate_stream(streamed(sent(one), 2), "openai_chat", "claude"))))
    deltas = [frame["choices"][0]["delta"] for frame in streams[:-1]]
    assert sum("name" in delta.get("function_call", ()) for delta in deltas) == 1
    assert sum("tool_calls" in delta for delta in deltas) == 2


def test_a_client_of_the_newer_tools_finds_tool_calls() -> None:
    tools = [{"type": "function", "function": one} for one in ASKED["functions"]]
    newer = {"model": "gpt-4", "messages": ASKED["messages"], "tools": tools}
    one = il.exchange(newer, "openai_chat", "claude", model="m")
    answer = one.response(il.encode_response(answered(sent(one), 1), "claude").body).body["choices"][0]
    assert "function_call" not in answer["message"]
    assert answer["finish_reason"] == "tool_calls"


def test_the_next_request_pairs_the_call_with_its_result() -> None:
    one = il.exchange(ASKED, "openai_chat", "claude", model="claude-opus-4-5")
    answer = one.response(il.encode_response(answered(sent(one), 1), "claude").body).body["choices"][0]
    result = {"role": "function", "name": "get.weather", "content": "Seven degrees."}
    history = [*ASKED["messages"], answer["message"], result]
    body = il.exchange({**ASKED, "messages": history}, "openai_chat", "claude", model="claude-opus-4-5").body
    assert il.check_request(body, "claude") == []
    call, answered_by = body["messages"][1]["content"][-1], body["messages"][2]["content"][0]
    assert call["id"] == answered_by["tool_use_id"]
