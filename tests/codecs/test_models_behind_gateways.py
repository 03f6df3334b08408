"""Models of other makers behind gateways of Chat Completions: caching, tools of free text, and settings."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

MARK = {"type": "ephemeral"}
LONG = {"type": "ephemeral", "ttl": "1h"}
NAMES = ("claude-sonnet-4-5", "anthropic/claude-opus-5", "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0")


def marked(result: Any = "31 degrees") -> dict[str, Any]:
    """Return a request of Claude with a mark in each place where an agent sets one, as many as Claude accepts."""
    return {
        "model": "claude-opus-5",
        "max_tokens": 99,
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
    assert "cache" not in [loss.code for loss in encoded.losses]
    assert il.check_request(encoded.body, "openai_chat") == []


@pytest.mark.parametrize("model", NAMES)
def test_claude_gets_its_mark_of_a_whole_request(model: str) -> None:
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}], "cache_control": LONG}
    assert il.translate_request(body, "claude", "openai_chat", model=model).body["cache_control"] == LONG


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


@pytest.mark.parametrize("model", NAMES)
def test_claude_gets_the_last_four_of_many_cache_marks(model: str) -> None:
    body = marked() | {"cache_control": MARK}
    body["messages"][0]["content"].append({"type": "text", "text": "In Oslo.", "cache_control": LONG})
    encoded = il.translate_request(body, "claude", "openai_chat", model=model)
    system, user, _, result = encoded.body["messages"]
    assert "cache_control" not in encoded.body["tools"][0]
    assert system["content"] == [{"type": "text", "text": "Be brief."}]
    assert [part["cache_control"] for part in user["content"]] == [MARK, LONG]
    assert result["content"][0]["cache_control"] == encoded.body["cache_control"] == MARK
    lost = [(loss.path, loss.severity) for loss in encoded.losses if loss.code == "cache"]
    assert lost == [("/tools/0/cache", "lost"), ("/messages/0/content/0/cache", "lost")]


def test_a_client_of_chat_completions_may_set_more_marks_than_an_exchange_sends_to_claude() -> None:
    parts = [{"type": "text", "text": str(at), "cache_control": MARK} for at in range(6)]
    body = {"model": "m", "messages": [{"role": "user", "content": parts}]}
    exchange = il.exchange(body, "openai_chat", "openai_chat", model=NAMES[1], fit=True)
    [user] = exchange.body["messages"]
    assert ["cache_control" in part for part in user["content"]] == [False] * 2 + [True] * 4
    assert [loss.path for loss in exchange.losses] == [f"/messages/0/content/{at}/cache" for at in range(2)]


@pytest.mark.parametrize("mark", [MARK, LONG])
@pytest.mark.parametrize(
    ("source", "conversation"),
    [
        ("openai_chat", {"messages": [{"role": "user", "content": "Hi"}]}),
        ("vllm", {"messages": [{"role": "user", "content": "Hi"}]}),
        ("openai_responses", {"input": "Hi"}),
    ],
)
def test_the_mark_of_a_whole_request_at_a_gateway_is_read_as_claudes(
    source: str, conversation: dict[str, Any], mark: dict[str, str]
) -> None:
    body = {"model": NAMES[1], **conversation, "cache_control": mark}
    request = il.decode_request(body, source)
    assert request.cache == il.CacheMark(ttl=mark.get("ttl"))
    assert il.encode_request(request, source).body == body
    encoded = il.translate_request({**body, "max_tokens": 9}, source, "claude")
    assert encoded.body["cache_control"] == mark
    assert "cache" not in {loss.code for loss in encoded.losses}
    without = il.translate_request(body, source, "gemini")
    assert "/cache" in [loss.path for loss in without.losses]


@pytest.mark.parametrize("source", ["openai_chat", "openai_responses"])
def test_the_mark_of_a_whole_request_stays_beside_the_cache_options_of_openai(source: str) -> None:
    said = {"messages": [{"role": "user", "content": "Hi"}]} if source == "openai_chat" else {"input": "Hi"}
    body = {"model": NAMES[1], **said, "cache_control": MARK, "prompt_cache_options": {"mode": "explicit"}}
    request = il.decode_request(body, source)
    assert request.cache == il.CacheMark(mode="explicit")
    assert il.encode_request(request, source).body == body


@pytest.mark.parametrize("mark", [None, "yes", {"type": "lasting"}, {**MARK, "scope": "global"}])
@pytest.mark.parametrize("source", ["openai_chat", "openai_responses"])
def test_a_mark_of_another_shape_comes_back(source: str, mark: Any) -> None:
    said = {"messages": [{"role": "user", "content": "Hi"}]} if source == "openai_chat" else {"input": "Hi"}
    body = {"model": NAMES[1], **said, "cache_control": mark}
    assert il.encode_request(il.decode_request(body, source), source).body == body


@pytest.mark.parametrize("source", ["openai_chat", "openai_responses"])
def test_models_of_openai_are_asked_to_cache_in_their_own_words(source: str) -> None:
    said = {"messages": [{"role": "user", "content": "Hi"}]} if source == "openai_chat" else {"input": "Hi"}
    body = {"model": NAMES[1], **said, "cache_control": MARK}
    exchange = il.exchange(body, source, "openai_chat", model="gpt-5.6", fit=source == "openai_chat")
    assert "cache_control" not in exchange.body
    assert exchange.body["prompt_cache_options"] == {"mode": "implicit"}


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


BEGUN: list[dict[str, Any]] = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hel"}]
LOOK = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
FORM = {"type": "json_schema", "json_schema": {"name": "o", "schema": {"type": "object", "properties": {}}}}


@pytest.mark.parametrize(
    ("model", "settings", "is_continued"),
    [
        ("claude-opus-5", {}, False),
        ("claude-sonnet-4-5", {}, True),
        ("claude-sonnet-4-5", {"reasoning_effort": "none"}, True),
        ("claude-sonnet-4-5", {"reasoning_effort": "low"}, False),
        ("anthropic/claude-haiku-4.5", {"tools": [LOOK]}, False),
        ("claude-3-5-haiku-20241022", {"tools": [LOOK]}, False),
        ("claude-3-5-haiku-20241022", {"reasoning_effort": "low"}, True),  # it does not think
        ("anthropic/claude-sonnet-4", {"response_format": FORM}, False),
        ("gpt-5.1", {"tools": [LOOK]}, True),
    ],
)
def test_claude_is_asked_to_continue_where_it_accepts_no_prefilled_answer(
    model: str, settings: dict[str, Any], *, is_continued: bool
) -> None:
    body = {"model": "m", "messages": BEGUN, **settings}
    encoded = il.translate_request(body, "vllm", "openai_chat", model=model)
    assert (encoded.body["messages"] == BEGUN) is is_continued
    added = [loss.path for loss in encoded.losses if "go on" in loss.detail]
    assert added == ([] if is_continued else ["/messages/2"])


def test_claude_that_does_not_think_gets_no_effort() -> None:
    body = {"model": "m", "messages": BEGUN, "reasoning_effort": "high"}
    encoded = il.translate_request(body, "vllm", "openai_chat", model="claude-3-5-haiku-20241022")
    assert encoded.body.keys() == {"model", "messages"}
    assert [(loss.path, loss.severity) for loss in encoded.losses] == [("/reasoning/effort", "lost")]


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
