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


LISTED = {"type": "mcp_list_tools", "id": "mcpl_1", "server_label": "docs", "tools": []}


@pytest.mark.parametrize("target", ["claude", "gemini", "bedrock_converse"])
def test_instructions_behind_an_item_that_is_left_out_still_lead(target: il.Dialect) -> None:
    question = {"role": "user", "content": "Go on."}
    body = {"model": "gpt-5", "input": [LISTED, {"role": "developer", "content": "Be brief."}, question]}
    encoded = il.translate_request(body, "openai_responses", target, defaults={"max_tokens": 9})
    assert texts(encoded.body, target) == ["Be brief."]
    assert [loss.path for loss in encoded.losses if loss.severity == "lost" and loss.path[:9] == "/messages"] == [
        "/messages/0"
    ]


def test_instructions_that_are_joined_behind_an_item_that_is_left_out_are_reported_as_joined() -> None:
    said = [{"role": "developer", "content": text} for text in ("Be brief.", "Be kind.")]
    body = {"model": "gpt-5", "input": [LISTED, *said, {"role": "user", "content": "Go on."}]}
    encoded = il.translate_request(body, "openai_responses", "ollama", model="qwen3")
    assert encoded.body["messages"][0] == {"role": "system", "content": "Be brief.\n\nBe kind."}
    assert [loss.path for loss in encoded.losses if loss.code == "content"] == ["/messages/1/content"]


def test_what_the_target_is_asked_in_words_stands_behind_all_instructions() -> None:
    tools = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]
    messages = [*({"role": "system", "content": text} for text in "AB"), {"role": "user", "content": "Go on."}]
    body = {"model": "gpt-5", "messages": messages, "tools": tools, "tool_choice": "required"}
    encoded = il.translate_request(body, "openai_chat", "ollama", model="qwen3")
    assert encoded.body["messages"][0]["content"] == "A\n\nB\n\nAnswer with a call of one of the tools."
