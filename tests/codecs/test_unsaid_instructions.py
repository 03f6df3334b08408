"""An instruction of which the target can say no part: the model is told nothing, and the user says nothing instead."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

ADDED: Final[dict[str, Any]] = {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "look"}}
BODY: Final[dict[str, Any]] = {
    "model": "claude-opus-5",
    "max_tokens": 9,
    "tools": [{"name": "look", "input_schema": {"type": "object"}}],
    "messages": [{"role": "user", "content": "Hello"}, {"role": "system", "content": [ADDED]}],
}


@pytest.mark.parametrize(
    ("target", "model", "member"),
    [
        ("gemini", "gemma-3-27b-it", "contents"),
        ("gemini", "gemini-3.6-flash", "contents"),
        ("bedrock_converse", "mistral.mistral-7b-instruct-v0:2", "messages"),
        ("openai_chat", "o1-mini", "messages"),
        ("openai_chat", "mistral-large-2512", "messages"),
        ("vllm", "Qwen/Qwen3.5-9B", "messages"),
        ("ollama", "qwen3-coder", "messages"),
    ],
)
def test_an_instruction_without_representable_content_is_left_out(target: str, model: str, member: str) -> None:
    encoded = il.translate_request(BODY, "claude", target, model=model)
    assert len(encoded.body[member]) == 1
    found = [(loss.severity, loss.path) for loss in encoded.losses if loss.path.startswith("/messages")]
    assert found == [("lost", "/messages/1")]
    without = il.translate_request({**BODY, "messages": BODY["messages"][:1]}, "claude", target, model=model)
    assert encoded.body == without.body


def test_an_instruction_with_some_representable_content_becomes_a_user_message_where_needed() -> None:
    messages = [BODY["messages"][0], {"role": "system", "content": [ADDED, {"type": "text", "text": "Be brief."}]}]
    encoded = il.translate_request({**BODY, "messages": messages}, "claude", "gemini", model="gemma-3-27b-it")
    assert encoded.body["contents"] == [{"role": "user", "parts": [{"text": "Hello"}, {"text": "Be brief."}]}]
    assert ("changed", "/messages/1/role") in [(loss.severity, loss.path) for loss in encoded.losses]
