"""Results in user messages: media, by the id that the model sees, and whole results for models without tools."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

PNG = "iVBORw0KGgo="


@pytest.mark.parametrize(
    ("target", "model"),
    [
        ("openai_chat", "gpt-4o"),
        ("openai_chat", "mistral-large-latest"),
        ("openai_chat", "mistralai/mistral-large-2512"),
        ("vllm", "mistralai/Mistral-Small-3.2-24B-Instruct-2506"),
        ("vllm", "moonshotai/Kimi-K2.6"),
    ],
)
def test_attached_media_name_their_call_by_its_id(target: Any, model: str) -> None:
    calls = [{"type": "tool_use", "id": f"toolu_{at}", "name": "look", "input": {}} for at in range(2)]
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    results = [{"type": "tool_result", "tool_use_id": f"toolu_{at}", "content": [picture]} for at in range(2)]
    tool = {"name": "look", "input_schema": {"type": "object", "properties": {}}}
    turns: list[Any] = [
        {"role": "user", "content": "Look twice."},
        {"role": "assistant", "content": calls},
        {"role": "user", "content": [*results, {"type": "text", "text": "Well?"}]},
    ]
    body = {"model": "m", "max_tokens": 9, "tools": [tool], "messages": turns}
    messages = il.translate_request(body, "claude", target, model=model).body["messages"]
    ids = [one["tool_call_id"] for one in messages if one["role"] == "tool"]
    texts = [
        part["text"]
        for one in messages
        if one["role"] == "user" and isinstance(one["content"], list)
        for part in one["content"]
        if part["type"] == "text"
    ]
    assert [text for text in texts if text.startswith("Attached")] == [
        f"Attached to the result of the call {identifier}:" for identifier in ids
    ]
    assert [call["id"] for one in messages for call in one.get("tool_calls", ())] == ids
    assert len(set(ids)) == 2


@pytest.mark.parametrize("model", ["gemma3:4b", "llava:7b", "deepseek-r1:8b", "llama2"])
def test_calls_and_results_are_text_for_ollama_models_without_tools(model: str) -> None:
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"x":1}'}}
    turns = [
        {"role": "user", "content": "What is it?"},
        {"role": "assistant", "content": "I look.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "A cat."},
    ]
    body = {"model": "gpt-4o", "tools": [tool], "parallel_tool_calls": True, "messages": turns}
    encoded = il.translate_request(body, "openai_chat", "ollama", model=model)
    assert encoded.body["messages"] == [
        {"role": "user", "content": "What is it?"},
        {"role": "assistant", "content": 'I look.\n\nCalled look: {"x":1}'},
        {"role": "user", "content": "Result of look:\nA cat."},
    ]
    told = [(loss.severity, loss.path) for loss in encoded.losses if loss.path != "/stream"]
    assert sorted(told) == [
        ("changed", "/messages/1/tool_calls/0"), ("changed", "/messages/2"), ("lost", "/tools/0")
    ]  # fmt: skip
    assert il.check_request(encoded.body, "ollama") == []


def test_calls_stay_calls_for_ollama_models_with_tools() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    turns = [
        {"role": "user", "content": "What is it?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "A cat."},
    ]
    encoded = il.translate_request({"model": "m", "messages": turns}, "openai_chat", "ollama", model="qwen3:8b")
    assert [one["role"] for one in encoded.body["messages"]] == ["user", "assistant", "tool"]


def test_a_result_of_an_empty_text_with_a_mark_says_that_its_picture_is_attached() -> None:
    picture = {"type": "image", "format": "image/png", "data": PNG}
    content = [{"type": "text", "text": "", "cache": {}}, picture]
    call = {"id": "a", "name": "look", "arguments": {}}
    turns: list[Any] = [{"role": "user", "content": "Look."}, {"role": "assistant", "tool_calls": [call]}]
    messages = [*turns, {"role": "tool", "call_id": "a", "content": content}]
    sent = il.encode_request({"model": "m", "messages": messages}, "openai_chat").body["messages"]
    assert sent[2]["content"] == "The result is attached to the next message of the user."
    assert [part["type"] for part in sent[3]["content"]] == ["text", "image_url"]
