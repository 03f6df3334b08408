"""Models of OpenAI since gpt-5.3-codex are told which texts of the assistant are answers, and which precede calls."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

TOOL: Final = {"name": "look", "input_schema": {"type": "object", "properties": {}}}


def says(text: str, *calls: str) -> dict[str, Any]:
    uses = [{"type": "tool_use", "id": one, "name": "look", "input": {}} for one in calls]
    return {"role": "assistant", "content": [{"type": "text", "text": text}, *uses]}


def result(identifier: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": identifier, "content": "a tree"}]}


HISTORY: Final = (
    {"role": "user", "content": "Hi"},
    says("Hello."),
    {"role": "user", "content": "What is there?"},
    says("I look.", "toolu_1"),
    result("toolu_1"),
    says("I look again.", "toolu_2"),
    result("toolu_2"),
    says("A tree."),
    {"role": "user", "content": "Thanks"},
)


def to(model: str, *messages: dict[str, Any]) -> il.Encoded:
    body = {"model": "claude-opus-4-6", "max_tokens": 900, "tools": [TOOL], "messages": [*messages]}
    encoded = il.translate_request(body, "claude", "openai_responses", model=model)
    assert il.check_request(encoded.body, "openai_responses") == []
    return encoded


def phases(body: dict[str, Any]) -> list[tuple[str, str | None]]:
    texts = [item for item in body["input"] if item.get("role") == "assistant"]
    return [(item["content"], item.get("phase")) for item in texts]


@pytest.mark.parametrize("model", ["gpt-5.3-codex", "gpt-5.4", "gpt-5.5", "gpt-5.6-sol", "gpt-6-luna"])
def test_texts_before_calls_are_commentary_and_others_are_answers(model: str) -> None:
    encoded = to(model, *HISTORY)
    assert phases(encoded.body) == [
        ("Hello.", "final_answer"),
        ("I look.", "commentary"),
        ("I look again.", "commentary"),
        ("A tree.", "final_answer"),
    ]
    [told] = [loss for loss in encoded.losses if "phase" in loss.detail]
    assert (told.path, told.severity) == ("/messages", "filled")


@pytest.mark.parametrize("model", ["gpt-5.2", "gpt-5.1", "gpt-4.1", "o3", "grok-4", "deepseek-v4-flash", "unknown"])
def test_other_models_get_no_phase(model: str) -> None:
    assert {phase for _, phase in phases(to(model, *HISTORY).body)} == {None}


def test_a_longer_history_begins_with_the_same_items() -> None:
    """What the provider has cached stays valid."""
    before = to("gpt-5.4", *HISTORY[:5]).body["input"]
    assert to("gpt-5.4", *HISTORY).body["input"][: len(before)] == before


def test_a_request_without_answers_is_not_reported() -> None:
    assert not [loss for loss in to("gpt-5.4", HISTORY[0]).losses if "phase" in loss.detail]


@pytest.mark.parametrize("fit", [False, True])
def test_a_client_of_responses_keeps_its_own_phases(fit: bool) -> None:
    texts = [
        {"role": "assistant", "content": "I look.", "phase": "final_answer"},
        {"role": "assistant", "content": "I look again."},
    ]
    body = {"model": "gpt-5.4", "input": [{"role": "user", "content": "Hi"}, *texts, {"role": "user", "content": "?"}]}
    sent = il.exchange(body, "openai_responses", "openai_responses", fit=fit).body
    assert phases(sent) == [("I look.", "final_answer"), ("I look again.", None)]
