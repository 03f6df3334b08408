"""Numbers that the target does not take stay behind, and are told; within one dialect they go out as they came."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

HELLO: Final[list[dict[str, Any]]] = [{"role": "user", "content": "Hello"}]
MODELS: Final[dict[il.Dialect, str]] = {
    "openai_chat": "gpt-4o",
    "openai_responses": "gpt-4o",
    "claude": "claude-3-5-sonnet-20241022",
    "gemini": "gemini-2.5-flash",
    "bedrock_converse": "anthropic.claude-3-5-sonnet-20241022-v2:0",
}
OUTSIDE: Final[list[dict[str, Any]]] = [
    {"temperature": -1},
    {"temperature": 3},
    {"top_p": -1},
    {"top_p": 1.5},
    {"frequency_penalty": -3},
    {"presence_penalty": 3},
    {"n": 200},
    {"top_logprobs": 25, "logprobs": True},
]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize("settings", OUTSIDE, ids=lambda settings: "-".join(map(str, settings.items())))
def test_numbers_that_openai_does_not_accept_are_lost(target: il.Dialect, settings: dict[str, Any]) -> None:
    encoded = il.encode_request({"messages": HELLO, **settings}, target, model=MODELS[target])
    name = next(iter(settings))
    assert name not in encoded.body
    assert (f"/{name}", "lost") in {(loss.path, loss.severity) for loss in encoded.losses}
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize("target", ["claude", "gemini", "bedrock_converse"])
def test_a_negative_temperature_is_lost(target: il.Dialect) -> None:
    version = "2023-06-01" if target == "claude" else None
    request = {"messages": HELLO, "temperature": -1}
    encoded = il.encode_request(request, target, model=MODELS[target], api_version=version)
    assert ("/temperature", "lost") in {(loss.path, loss.severity) for loss in encoded.losses}
    assert il.check_request(encoded.body, target) == []


def test_other_servers_of_the_format_have_their_own_limits() -> None:
    encoded = il.encode_request({"messages": HELLO, "temperature": 3}, "vllm", model="m")
    assert encoded.body["temperature"] == 3


@pytest.mark.parametrize("target", MODELS)
@pytest.mark.parametrize("limit", [0, -1])
def test_a_token_limit_below_one_means_no_limit(target: il.Dialect, limit: int) -> None:
    encoded = il.encode_request({"messages": HELLO, "max_tokens": limit}, target, model=MODELS[target])
    told = "changed" if target == "claude" else "lost"  # Claude demands a limit: the usual one is put in
    assert [loss.severity for loss in encoded.losses if loss.path == "/max_tokens"] == [told]
    assert il.decode_request(encoded.body, target).max_tokens in {None, 4096}
    assert il.check_request(encoded.body, target) == []


def test_a_budget_beyond_max_tokens_leaves_room_for_an_answer() -> None:
    thinking = {"thinkingConfig": {"thinkingBudget": 5000}, "maxOutputTokens": 4096}
    body = {"contents": [{"role": "user", "parts": [{"text": "Hello"}]}], "generationConfig": thinking}
    encoded = il.translate_request(body, "gemini", "claude", model="claude-sonnet-4-5")
    assert (encoded.body["thinking"]["budget_tokens"], encoded.body["max_tokens"]) == (2048, 4096)


@pytest.mark.parametrize(
    ("model", "most", "budget"),
    [
        ("gemini-2.5-flash", None, 24576),
        ("gemini-2.5-flash", 100_000, 24576),
        ("gemini-2.5-flash", 1000, 500),
        ("gemini-2.5-pro", 100, 128),
    ],
)
def test_the_budget_of_an_effort_leaves_half_of_the_tokens_to_the_answer(
    model: str, most: int | None, budget: int
) -> None:
    body = {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}], "reasoning_effort": "high"}
    body |= {} if most is None else {"max_completion_tokens": most}
    encoded = il.translate_request(body, "openai_chat", "gemini", model=model)
    assert encoded.body["generationConfig"]["thinkingConfig"] == {"thinkingBudget": budget}


@pytest.mark.parametrize(
    ("model", "effort", "most"),
    [
        ("claude-opus-5", None, 12288),
        ("claude-fable-5-2", "none", 12288),
        ("claude-opus-5", "none", 4096),
        ("claude-opus-4-8", None, 4096),
        ("claude-haiku-4-5", None, 4096),
    ],
)
def test_the_filled_limit_leaves_room_for_thinking_that_is_on_by_default(
    model: str, effort: str | None, most: int
) -> None:
    body = {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}]}
    body |= {} if effort is None else {"reasoning_effort": effort}
    encoded = il.translate_request(body, "openai_chat", "claude", model=model)
    assert encoded.body["max_tokens"] == most
    assert [loss.severity for loss in encoded.losses if loss.path == "/max_tokens"] == ["filled"]
    assert il.translate_request({**body, "max_tokens": 7}, "openai_chat", "claude", model=model).body["max_tokens"] == 7
