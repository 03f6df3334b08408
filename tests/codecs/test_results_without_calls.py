"""Results that no call asked for: Codex tells what a tool of its own says by itself, and only Responses takes that."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il

CALL: Final = {"type": "function_call", "call_id": "c1", "name": "create_goal", "arguments": "{}"}
RESULT: Final = {"type": "function_call_output", "call_id": "c1", "output": "It is set."}
# As Codex 0.171 sent it.
UNASKED: Final = {
    "type": "function_call_output", "id": "fco_1", "name": "goal_objective", "namespace": "agent", "output": "Count."
}  # fmt: skip
TOOL: Final = {"type": "function", "name": "create_goal", "parameters": {"type": "object", "properties": {}}}
TARGETS: Final = [
    ("claude", "claude-opus-4-8"), ("claude", "claude-sonnet-4-5"), ("openai_chat", "gpt-5.5"),
    ("openai_chat", "deepseek-v4-pro"), ("gemini", "gemini-3.5-pro"), ("ollama", "qwen3:8b"),
    ("vllm", "mistralai/Mistral-Small-3.2-24B-Instruct-2506"),
    ("bedrock_converse", "anthropic.claude-opus-4-8-v1:0"),
]  # fmt: skip


def asked(*items: dict[str, Any]) -> dict[str, Any]:
    return {"model": "gpt-5.5", "input": [{"role": "user", "content": "Count."}, *items], "tools": [TOOL]}


@pytest.mark.parametrize(("target", "model"), TARGETS)
@pytest.mark.parametrize("items", [(CALL, RESULT, UNASKED), (CALL, UNASKED, RESULT), (UNASKED, CALL, RESULT)])
def test_a_result_without_any_call_becomes_a_user_message(target: Any, model: str, items: Any) -> None:
    encoded = il.translate_request(asked(*items), "openai_responses", target, model=model)
    assert il.check_request(encoded.body, target) == []
    read = il.decode_request(encoded.body, target)
    results = [message for message in read.messages if message.role == "tool"]
    said = json.dumps([one.model_dump(mode="json", by_alias=True) for one in read.messages])
    assert "Result of goal_objective:\\nCount." in said
    assert len(results) == 1 or target == "bedrock_converse"  # which says it in the same turn
    place = next(index for index, item in enumerate(items, 1) if item is UNASKED)
    told = "no call asked for this result: it is sent as a user message"
    assert [(loss.path, loss.severity) for loss in encoded.losses if loss.detail == told] == [
        (f"/messages/{place}", "changed")
    ]


def test_images_of_such_a_result_are_kept() -> None:
    picture = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto"}
    body = il.translate_request(asked({**UNASKED, "output": [picture]}), "openai_responses", "claude").body
    assert [block["type"] for block in body["messages"][0]["content"]] == ["text", "text", "image"]


def test_within_responses_such_a_result_is_unchanged() -> None:
    body = asked(CALL, RESULT, UNASKED)
    assert il.translate_request(body, "openai_responses", "openai_responses").body == body
    assert il.check_request(body, "openai_responses") == []


def test_a_result_without_a_call_id_answers_the_open_call() -> None:
    call = {"function": {"name": "weather", "arguments": {}}}
    messages = [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_name": "weather", "content": "Sunny."},
        {"role": "tool", "tool_name": "clock", "content": "Noon."},
    ]
    body = il.translate_request({"model": "m", "messages": messages}, "ollama", "openai_chat").body
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "tool", "user"]
    assert body["messages"][2]["tool_call_id"] == body["messages"][1]["tool_calls"][0]["id"]
    assert body["messages"][3]["content"] == "Result of clock:\nNoon."


@pytest.mark.parametrize(("target", "model"), [*TARGETS[:5], *TARGETS[6:], ("openai_responses", "gpt-5.5")])
def test_results_without_names_and_calls_become_user_messages(target: Any, model: str) -> None:
    """LlamaIndex.TS sends Ollama the results of tools, but not their calls; nothing is made up for them."""
    results = [{"role": "tool", "content": text} for text in ("Sunny.", "Noon.")]
    messages = [{"role": "user", "content": "Weather?"}, {"role": "assistant", "content": "Let me look."}, *results]
    encoded = il.translate_request({"model": "m", "messages": messages}, "ollama", target, model=model)
    assert il.check_request(encoded.body, target) == []
    read = il.decode_request(encoded.body, target)
    assert not any(message.role == "tool" or getattr(message, "tool_calls", None) for message in read.messages)
    said = json.dumps([one.model_dump(mode="json", by_alias=True) for one in read.messages])
    assert "Result of the call:\\nSunny." in said
    assert "Result of the call:\\nNoon." in said
    assert [loss.path for loss in encoded.losses if "no call asked" in loss.detail] == ["/messages/2", "/messages/3"]
