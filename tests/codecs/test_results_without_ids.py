"""Results that do not name their call: those without an id are for calls without an id, while one is open."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

CALLS = [
    {"id": "call_a", "name": "look_up", "arguments": {"q": "a"}},
    {"name": "look_up", "arguments": {"q": "b"}},
]
RESULTS = [{"role": "tool", "content": "of b"}, {"role": "tool", "call_id": "call_a", "content": "of a"}]


@pytest.mark.parametrize("name", [None, "look_up"])
@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "claude", "gemini", "bedrock_converse"])
def test_a_result_without_an_id_answers_the_call_without_an_id(target: str, name: str | None) -> None:
    unnamed = RESULTS[0] if name is None else {**RESULTS[0], "name": name}
    turns: list[Any] = [{"role": "user", "content": "Hi"}, {"role": "assistant", "tool_calls": CALLS}]
    request: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": [*turns, unnamed, RESULTS[1]]}
    sent = il.encode_request(request, target).body
    messages = il.normal_form(il.decode_request(sent, target))["messages"]
    [asked] = [message for message in messages if message["role"] == "assistant"]
    said = {message.get("call_id"): message["content"] for message in messages if message["role"] == "tool"}
    assert [said[call.get("id")] for call in asked["tool_calls"]] == ["of a", "of b"]


def test_a_result_without_a_name_does_not_answer_a_call_because_its_name_is_empty() -> None:
    calls = [{"name": "look_up", "arguments": {}}, {"name": "", "arguments": {}}]
    messages: list[Any] = [{"role": "assistant", "tool_calls": calls}, {"role": "tool", "content": "31"}]
    items = il.encode_request({"model": "m", "messages": messages}, "openai_responses").body["input"]
    assert items[2]["call_id"] == items[0]["call_id"]


@pytest.mark.parametrize("blank", [" \n", [{"type": "text", "text": " \n"}]])
def test_a_blank_instruction_is_left_out_of_claudes_system_prompt_and_reported(blank: Any) -> None:
    texts = [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Be kind."}]
    messages = [{"role": role, "content": said} for role, said in (("system", texts), ("system", blank))]
    body: dict[str, Any] = {"model": "m", "messages": [*messages, {"role": "user", "content": "Hi"}]}
    made = il.translate_request(body, "openai_chat", "claude", model="claude-sonnet-4-5")
    assert made.body["system"] == texts
    assert il.check_request(made.body, "claude") == []
    assert [loss.code for loss in made.losses if loss.path.startswith("/messages/1/content")] == ["empty_text"]
