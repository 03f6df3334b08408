"""A setting that asks for what is done anyway is no loss where the target lacks it."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

TARGETS: Final = [
    ("openai_responses", "gpt-4o"),
    ("openai_responses", "gpt-5.2"),
    ("claude", "claude-opus-4-8"),
    ("claude", "claude-haiku-4-5"),
    ("gemini", "gemini-2.5-flash"),
    ("ollama", "llama3.2"),
    ("vllm", "Qwen/Qwen3-8B"),
    ("bedrock_converse", "amazon.nova-pro-v1:0"),
]
# What OpenAI's playground exports, and clients that send each setting even if it is not set.
EXPORTED: Final[dict[str, Any]] = {
    "model": "gpt-4o", "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}],
    "response_format": {"type": "text"}, "temperature": 1, "max_completion_tokens": 2048, "top_p": 1,
    "frequency_penalty": 0, "presence_penalty": 0, "reasoning_effort": "", "user": "", "stop": [], "logit_bias": {},
}  # fmt: skip


@pytest.mark.parametrize(("target", "model"), TARGETS)
def test_penalties_of_0_and_empty_settings_are_no_loss(target: Any, model: str) -> None:
    encoded = il.translate_request(EXPORTED, "openai_chat", target, model=model, strict=True)
    told = [loss.path for loss in encoded.losses if loss.severity != "filled"]
    assert set(told) <= {"/model", "/stream"}
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize(("target", "model"), TARGETS)
def test_an_empty_effort_comes_back_at_home_and_is_not_sent_elsewhere(target: Any, model: str) -> None:
    home = il.translate_request(EXPORTED, "openai_chat", "openai_chat")
    assert home.body == EXPORTED
    away = il.translate_request(EXPORTED, "openai_chat", target, model=model).body
    assert not {"reasoning", "reasoning_effort", "thinking", "think"} & away.keys()


@pytest.mark.parametrize(
    ("name", "idle", "effective"),
    [("min_p", 0, 0.1), ("repetition_penalty", 1.0, 1.1), ("top_k", -1, 40), ("top_k", 0, 40)],
)
def test_settings_of_vllm_without_effect_are_no_loss_for_openai(name: str, idle: float, effective: float) -> None:
    hello = [{"role": "user", "content": "Hello"}]
    for value, told in ((idle, []), (effective, [f"/{name}"])):
        body = {"model": "m", "messages": hello, name: value}
        for target in ("openai_chat", "openai_responses"):
            encoded = il.translate_request(body, "vllm", target, model="gpt-4o")  # type: ignore[arg-type]
            assert [loss.path for loss in encoded.losses if loss.severity == "lost"] == told


def test_the_likeliest_tokens_are_asked_of_ollama_with_the_switch_that_they_need() -> None:
    body = {"model": "gpt-4o", "input": "Hello", "top_logprobs": 2}
    encoded = il.translate_request(body, "openai_responses", "ollama", model="llama3.2")
    assert (encoded.body["top_logprobs"], encoded.body["logprobs"]) == (2, True)
    assert "/logprobs" in [loss.path for loss in encoded.losses if loss.severity == "filled"]
