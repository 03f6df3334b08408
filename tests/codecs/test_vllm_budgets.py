"""A thinking budget goes to vLLM only for models whose server takes one: others refuse the whole request."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

ENABLED: Final = {"type": "enabled", "budget_tokens": 8000}


def asked(model: str, thinking: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what of a request of Claude's with thinking is about that in vLLM's, and the losses by their paths."""
    hello = {"role": "user", "content": "Hello"}
    body = {"model": "claude-opus-4-6", "max_tokens": 16000, "messages": [hello], "thinking": thinking}
    encoded = il.translate_request(body, "claude", "vllm", model=model)
    assert il.check_request(encoded.body, "vllm") == []
    names = {"thinking_token_budget", "chat_template_kwargs", "reasoning_effort", "include_reasoning"}
    told = {loss.path: loss.severity for loss in encoded.losses if loss.path.startswith("/reasoning")}
    return {name: value for name, value in encoded.body.items() if name in names}, told


@pytest.mark.parametrize("model", ["Qwen/Qwen3-8B", "deepseek-ai/DeepSeek-R1", "my-own-model"])
def test_a_budget_stays_one_for_models_that_think_between_marks(model: str) -> None:
    out, told = asked(model, ENABLED)
    assert out == {"chat_template_kwargs": {"enable_thinking": True}, "thinking_token_budget": 8000}
    assert "/reasoning/budget_tokens" not in told


@pytest.mark.parametrize("model", ["openai/gpt-oss-120b", "deepseek-ai/DeepSeek-V4-Flash"])
def test_a_budget_becomes_an_effort_for_models_that_have_those(model: str) -> None:
    out, told = asked(model, ENABLED)
    assert out == {"reasoning_effort": "medium"}
    assert told == {
        "/reasoning/budget_tokens": "changed", "/reasoning/effort": "filled", "/reasoning/mode": "changed"
    }  # fmt: skip


@pytest.mark.parametrize(
    "model", ["deepseek-ai/DeepSeek-V3.1", "ibm-granite/granite-3.3-8b-instruct", "Hcompany/Holo2-30B-A3B"]
)
def test_a_budget_is_lost_for_models_with_a_switch_alone(model: str) -> None:
    out, told = asked(model, ENABLED)
    assert out == {"chat_template_kwargs": {"thinking": True}}
    assert told["/reasoning/budget_tokens"] == "lost"


@pytest.mark.parametrize(
    "model",
    [
        "meta-llama/Llama-3.3-70B-Instruct",
        "meta-llama/Llama-4-Scout-17B-16E-Instruct",
        "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
        "Qwen/Qwen2.5-7B-Instruct",
        "google/gemma-3-27b-it",
        "moonshotai/Kimi-K2-Instruct",
        "deepseek-ai/DeepSeek-V3-0324",
    ],
)
def test_models_that_never_think_are_not_asked_to(model: str) -> None:
    out, told = asked(model, {**ENABLED, "display": "summarized"})
    assert out == {}
    assert told == dict.fromkeys(("/reasoning/mode", "/reasoning/budget_tokens", "/reasoning/display"), "lost")


def test_thinking_that_is_not_to_be_shown_is_no_loss_where_there_is_none() -> None:
    for target, model in (("vllm", "meta-llama/Llama-3.3-70B-Instruct"), ("ollama", "llama3.2")):
        body = {
            "model": "claude-opus-4-8", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}],
            "thinking": {"type": "adaptive", "display": "omitted"},
        }  # fmt: skip
        encoded = il.translate_request(body, "claude", target, model=model)  # type: ignore[arg-type]
        told = [loss.path for loss in encoded.losses if loss.path.startswith("/reasoning")]
        assert told == ["/reasoning/mode"]
