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
