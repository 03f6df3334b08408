"""Models of other makers behind gateways of Chat Completions: caching, tools of free text, and settings."""

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


def of_gemini(model: str, **settings: Any) -> tuple[dict[str, Any], list[str]]:
    body = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}], "generationConfig": settings}
    encoded = il.translate_request(body, "gemini", "openai_chat", model=model)
    return encoded.body, sorted(loss.path for loss in encoded.losses if loss.severity == "lost")


@pytest.mark.parametrize("model", NAMES)
def test_claude_gets_no_setting_that_litellm_refuses_for_it(model: str) -> None:
    body, lost = of_gemini(model, seed=1, responseLogprobs=True, frequencyPenalty=0.5, candidateCount=2)
    assert body.keys() == {"model", "messages"}
    assert lost == ["/frequency_penalty", "/logprobs", "/n", "/seed"]
    asked = {
        "model": "gpt-5.1",
        "input": [{"role": "developer", "content": "Be brief."}],
        "store": True,
        "prompt_cache_key": "k",
        "safety_identifier": "ada",
        "service_tier": "priority",
        "text": {"verbosity": "low"},
    }
    encoded = il.translate_request(asked, "openai_responses", "openai_chat", model=model)
    assert encoded.body == {"model": model, "user": "ada", "messages": [{"role": "system", "content": "Be brief."}]}
    lost = sorted(loss.path for loss in encoded.losses if loss.severity == "lost")
    assert lost == ["/prompt_cache_key", "/service_tier", "/store", "/verbosity"]


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        ("claude-opus-5", set()),
        ("anthropic/claude-opus-5", set()),
        ("claude-sonnet-4-6", {"temperature"}),
        ("anthropic/claude-sonnet-4.5", {"temperature"}),
        ("claude-3-5-haiku-20241022", {"temperature", "top_p"}),
    ],
)
def test_claude_gets_the_sampling_settings_that_its_version_accepts_on_any_host(model: str, sent: set[str]) -> None:
    body, lost = of_gemini(model, temperature=0.5, topP=0.9)
    assert body.keys() - {"model", "messages"} == sent
    assert lost == sorted(f"/{name}" for name in {"temperature", "top_p"} - sent)


def test_claude_is_not_sampled_while_an_effort_makes_it_think() -> None:
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Hi"}], "temperature": 0.5}
    thinking = il.translate_request(
        {**body, "reasoning_effort": "high"}, "vllm", "openai_chat", model="claude-sonnet-4-5"
    )
    assert (thinking.body["reasoning_effort"], "temperature" in thinking.body) == ("high", False)
    plain = il.translate_request(body, "vllm", "openai_chat", model="claude-sonnet-4-5")
    assert plain.body["temperature"] == 0.5


@pytest.mark.parametrize(("model", "is_continued"), [("claude-opus-5", False), ("claude-sonnet-4-5", True)])
def test_claude_is_asked_to_continue_where_it_accepts_no_prefilled_answer(model: str, *, is_continued: bool) -> None:
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hel"}]
    body = {"model": "m", "max_tokens": 9, "messages": messages}
    encoded = il.translate_request(body, "claude", "openai_chat", model=model)
    assert (encoded.body["messages"][-1]["role"] == "assistant") is is_continued


@pytest.mark.parametrize(
    ("model", "effort"),
    [
        ("sonar-pro", None),
        ("sonar-reasoning-pro", "high"),
        ("mistralai/mistral-large-2512", None),
        ("mistralai/mistral-medium-3.1", "high"),
    ],
)
def test_only_models_that_reason_are_sent_an_effort(model: str, effort: str | None) -> None:
    body = {"model": "gpt-5.1", "input": "Hi", "reasoning": {"effort": "high"}}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model=model)
    assert encoded.body.get("reasoning_effort") == effort
    assert bool(encoded.losses) is (effort is None)
