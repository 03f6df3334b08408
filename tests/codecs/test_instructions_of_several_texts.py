"""Instructions of several texts: the texts stay apart, as those of the user do, and messages are a blank line apart."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il


def texts(body: dict[str, Any], target: str) -> list[str]:
    said: Any = body["systemInstruction"]["parts"] if target == "gemini" else body["system"]
    return [said] if isinstance(said, str) else [part["text"] for part in said]


@pytest.mark.parametrize("target", ["claude", "gemini", "bedrock_converse"])
def test_texts_of_one_instruction_are_not_run_together(target: il.Dialect) -> None:
    said = ["Never delete files.", "<mode>plan</mode>"]
    developer = {
        "type": "message",
        "role": "developer",
        "content": [{"type": "input_text", "text": one} for one in said],
    }
    question = {"type": "message", "role": "user", "content": "Go on."}
    body = {"model": "gpt-5", "instructions": "You are Codex.", "input": [developer, question]}
    encoded = il.translate_request(body, "openai_responses", target, defaults={"max_tokens": 9})
    assert texts(encoded.body, target) == ["You are Codex.", "\n\nNever delete files.", "<mode>plan</mode>"]
    again = il.normal_form(il.decode_request(encoded.body, target))
    assert again["messages"][0]["content"] == "You are Codex.\n\nNever delete files.<mode>plan</mode>"


@pytest.mark.parametrize("target", ["claude", "gemini"])
def test_messages_of_one_text_are_one_text(target: il.Dialect) -> None:
    messages = [{"role": "system", "content": "A"}, {"role": "system", "content": [{"type": "text", "text": "B"}]}]
    body = {"model": "gpt-5", "messages": [*messages, {"role": "user", "content": "Go on."}]}
    encoded = il.translate_request(body, "openai_chat", target)
    assert texts(encoded.body, target) == ["A\n\nB"]
