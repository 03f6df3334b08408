"""xAI gets no content of null: beside calls in Chat Completions, and in the reasoning items of Responses."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

PARAMETERS: Final[dict[str, Any]] = {"type": "object", "properties": {}}
TOOL: Final[dict[str, Any]] = {"type": "function", "function": {"name": "look", "parameters": PARAMETERS}}
CALL: Final[dict[str, Any]] = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
SAID: Final[dict[str, Any]] = {"role": "assistant", "content": None, "tool_calls": [CALL]}
BARE: Final[dict[str, Any]] = {"role": "assistant", "tool_calls": [CALL]}
TURN: Final[list[dict[str, Any]]] = [
    {"role": "user", "content": "Look."},
    SAID,
    {"role": "tool", "tool_call_id": "call_1", "content": "A tree."},
]
USES: Final[list[dict[str, Any]]] = [
    {"role": "user", "content": "Look."},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "call_1", "name": "look", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "A tree."}]},
]
GROK: Final = "grok-4.6"


@pytest.mark.parametrize("model", [GROK, "grok-4.5", "grok-code-fast-1", "grok-4", "grok-3", "grok-3-mini"])
def test_grok_gets_an_empty_text_beside_calls(model: str) -> None:
    body = {"model": "m", "max_tokens": 9, "messages": USES, "tools": [{"name": "look", "input_schema": PARAMETERS}]}
    encoded = il.translate_request(body, "claude", "openai_chat", model=model)
    assert encoded.body["messages"][1] == {**SAID, "content": ""}
    assert il.check_request(encoded.body, "openai_chat") == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [(SAID, {**SAID, "content": ""}), (BARE, BARE), ({**SAID, "content": "So"}, {**SAID, "content": "So"})],
)
def test_grok_gets_an_empty_text_for_null_of_the_same_dialect(said: dict[str, Any], expected: dict[str, Any]) -> None:
    body = {"model": "m", "messages": [TURN[0], said, TURN[2]], "tools": [TOOL]}
    sent = il.exchange(body, "openai_chat", "openai_chat", model=GROK, fit=True).body
    assert sent["messages"][1] == expected


@pytest.mark.parametrize("model", ["x-ai/grok-4.6", "gpt-5.1", "deepseek-v4-flash"])
def test_others_get_null_beside_calls(model: str) -> None:
    body = {"model": "m", "messages": TURN, "tools": [TOOL]}
    sent = il.exchange(body, "openai_chat", "openai_chat", model=model, fit=True).body
    assert sent["messages"][1]["content"] is None


def remembered(**more: Any) -> dict[str, Any]:
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "blob", **more}
    question = {"role": "user", "content": "Hi"}
    said = [{"type": "output_text", "text": "Hello", "annotations": []}]
    answer = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": said}
    return {"model": GROK, "store": False, "input": [question, thought, answer, question]}


@pytest.mark.parametrize(("model", "is_left"), [(GROK, False), ("grok-4", False), ("gpt-5.1", True)])
def test_grok_gets_no_reasoning_item_with_null_content(model: str, *, is_left: bool) -> None:
    body = remembered(content=None)
    item = il.exchange(body, "openai_responses", "openai_responses", model=model, fit=True).body["input"][1]
    assert item == remembered(**({"content": None} if is_left else {}))["input"][1]


def test_a_reasoning_item_with_null_content_is_a_violation_for_grok() -> None:
    found = il.check_request(remembered(content=None), "openai_responses")
    assert [(one.code, one.path) for one in found] == [("member", "/input/1/content")]
    assert il.check_request(remembered(content=[]), "openai_responses") == []
    assert il.check_request({**remembered(content=None), "model": "gpt-5.1"}, "openai_responses") == []
