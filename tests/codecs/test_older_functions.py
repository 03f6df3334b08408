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
def test_a_call_is_returned_as_the_function_call_that_the_client_expects(provider: il.Dialect) -> None:
    one = il.Exchange.from_json(il.exchange(ASKED, "openai_chat", provider, model="m").to_json())
    answer = one.response(il.encode_response(answered(sent(one), 1), provider).body).body["choices"][0]
    assert answer["message"]["function_call"] == {"name": "get.weather", "arguments": '{"city":"Bern"}'}
    assert "tool_calls" not in answer["message"]
    assert answer["finish_reason"] == "function_call"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_streamed_call_is_returned_as_a_function_call(provider: il.Dialect) -> None:
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


@pytest.mark.parametrize("provider", PROVIDERS)
def test_of_several_calls_only_the_first_is_a_function_call_and_the_others_are_lost(
    provider: il.Dialect,
) -> None:
    one = il.exchange(ASKED, "openai_chat", provider, model="m")
    whole = one.response(il.encode_response(answered(sent(one), 3), provider).body)
    answer = whole.body["choices"][0]
    assert answer["message"]["function_call"] == {"name": "get.weather", "arguments": '{"city":"Bern"}'}
    assert "tool_calls" not in answer["message"]
    assert answer["finish_reason"] == "function_call"
    stream = one.stream(list(il.translate_stream(streamed(sent(one), 3), "openai_chat", provider)))
    choices: Any = [frame["choices"][0] for frame in list(stream)[:-1]]  # type: ignore[index]
    said = [choice["delta"]["function_call"] for choice in choices if "function_call" in choice["delta"]]
    assert [one["name"] for one in said if "name" in one] == ["get.weather"]
    assert "".join(one["arguments"] for one in said) == '{"city":"Bern"}'
    assert not any("tool_calls" in choice["delta"] for choice in choices)
    assert choices[-1]["finish_reason"] == "function_call"
    for losses in (whole.losses, stream.losses):
        assert [(loss.severity, loss.code) for loss in losses if loss.concern == "content"] == [("lost", "message")] * 2


def test_a_call_after_a_second_thought_is_written_and_one_without_arguments_has_an_empty_object() -> None:
    one = il.exchange(ASKED, "openai_chat", "claude", model="m")
    blocks = [
        block
        for at in (1, 2)
        for block in (
            {"type": "thinking", "thinking": "Hm.", "signature": "s"},
            {"type": "tool_use", "id": f"toolu_{at}", "name": sent(one), "input": {}},
        )
    ]
    body = {"id": "m", "type": "message", "role": "assistant", "content": blocks, "stop_reason": "tool_use"}
    whole = one.response(body)
    assert whole.body["choices"][0]["message"]["function_call"] == {"name": "get.weather", "arguments": "{}"}
    assert [loss.path for loss in whole.losses if loss.concern == "content" and loss.severity == "lost"] == [
        "/messages/1/tool_calls/0"
    ]


def test_a_client_of_current_tools_gets_tool_calls() -> None:
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
