"""Models of other makers behind gateways of Chat Completions: caching, and tools of free text."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

MARK = {"type": "ephemeral"}
LONG = {"type": "ephemeral", "ttl": "1h"}
NAMES = ("claude-sonnet-4-5", "anthropic/claude-opus-5", "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0")


def marked(result: Any = "31 degrees") -> dict[str, Any]:
    """Return a request of Claude with a mark wherever an agent sets one."""
    return {
        "model": "claude-opus-5",
        "max_tokens": 99,
        "cache_control": MARK,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": LONG}],
        "tools": [{"name": "look", "input_schema": {"type": "object", "properties": {}}, "cache_control": MARK}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "How warm?", "cache_control": MARK}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}]},
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "toolu_1", "content": result, "cache_control": MARK}
                ],
            },
        ],
    }


@pytest.mark.parametrize("model", NAMES)
def test_claude_gets_its_own_cache_marks(model: str) -> None:
    encoded = il.translate_request(marked(), "claude", "openai_chat", model=model)
    system, user, _, result = encoded.body["messages"]
    assert system["content"] == [{"type": "text", "text": "Be brief.", "cache_control": LONG}]
    assert user["content"] == [{"type": "text", "text": "How warm?", "cache_control": MARK}]
    assert result["content"] == [{"type": "text", "text": "31 degrees", "cache_control": MARK}]
    assert encoded.body["tools"][0]["cache_control"] == MARK
    assert encoded.body["cache_control"] == MARK
    assert "cache" not in [loss.code for loss in encoded.losses]
    assert il.check_request(encoded.body, "openai_chat") == []


def test_an_empty_result_gets_no_mark_since_claude_refuses_it() -> None:
    encoded = il.translate_request(marked(""), "claude", "openai_chat", model=NAMES[0])
    assert encoded.body["messages"][3]["content"] == ""
    assert [loss.path for loss in encoded.losses if loss.code == "cache"] == ["/messages/3/cache"]


def test_marks_of_openai_become_those_of_claude() -> None:
    part = {"type": "input_text", "text": "Long", "prompt_cache_breakpoint": {"mode": "explicit", "ttl": "12h"}}
    body = {"model": "gpt-5.6", "input": [{"role": "user", "content": [part]}]}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model=NAMES[0])
    assert encoded.body["messages"][0]["content"] == [{"type": "text", "text": "Long", "cache_control": MARK}]
    assert [(loss.path, loss.severity) for loss in encoded.losses] == [("/messages/0/content/0/cache/ttl", "lost")]


@pytest.mark.parametrize("model", ["gpt-5.6", "google/gemini-3.5-flash"])
def test_others_get_no_marks_of_claude(model: str) -> None:
    encoded = il.translate_request(marked(), "claude", "openai_chat", model=model)
    assert "cache_control" not in str(encoded.body)


@pytest.mark.parametrize("model", [*NAMES, "google/gemini-3.5-flash", "gemini-2.5-pro", "grok-4.6", "x-ai/grok-4"])
def test_a_tool_of_free_text_becomes_a_function_whose_calls_come_back_as_they_should(model: str) -> None:
    tool = {"type": "custom", "name": "apply_patch", "description": "Patches files."}
    body = {"model": "gpt-5.5", "input": "Fix it.", "tools": [tool]}
    exchange = il.exchange(body, source="openai_responses", target="openai_chat", model=model)
    [sent] = exchange.body["tools"]
    assert (sent["type"], sent["function"]["name"]) == ("function", "apply_patch")
    [argument] = sent["function"]["parameters"]["properties"]
    call = {
        "id": "call_1",
        "type": "function",
        "function": {"name": "apply_patch", "arguments": f'{{"{argument}":"+a"}}'},
    }
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
    }
    [item] = exchange.response(answer).body["output"]
    assert (item["type"], item["name"], item["input"]) == ("custom_tool_call", "apply_patch", "+a")


@pytest.mark.parametrize(
    ("model", "is_stored"), [("gpt-5.1", True), ("openai/gpt-5.1", False), ("x-ai/grok-4.6", False)]
)
def test_gateways_are_not_asked_to_store_a_response(model: str, *, is_stored: bool) -> None:
    body = {"model": "gpt-5.1", "messages": [{"role": "user", "content": "Hi"}], "store": True}
    encoded = il.translate_request(body, "openai_chat", "openai_responses", model=model)
    assert encoded.body["store"] is is_stored
    assert ("/store" in [loss.path for loss in encoded.losses]) is not is_stored
