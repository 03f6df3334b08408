"""Settings that say what is done without them, too, are no losses: `strict=True` takes them."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

HI: Final = {"role": "user", "content": "Hello"}
MODELS: Final = {
    "openai_chat": "gpt-5.5",
    "openai_responses": "gpt-5.5",
    "claude": "claude-opus-5-5",
    "gemini": "gemini-3.8-flash",
    "ollama": "qwen3",
    "vllm": "Qwen/Qwen3-32B",
    "bedrock_converse": "amazon.nova-pro-v1:0",
}
SAID: Final[list[tuple[str, dict[str, Any]]]] = [
    ("openai_chat", {"logprobs": False, "top_logprobs": 0}),
    ("openai_chat", {"verbosity": "medium"}),
    ("openai_responses", {"truncation": "disabled", "background": False}),
    ("openai_responses", {"text": {"format": {"type": "text"}, "verbosity": "medium"}}),
    ("openai_responses", {"top_logprobs": 0}),
    ("claude", {"speed": "standard"}),
    ("ollama", {"truncate": True, "shift": True}),
]


@pytest.mark.parametrize("target", MODELS)
@pytest.mark.parametrize(("source", "said"), SAID)
def test_a_setting_equal_to_the_targets_default_is_no_loss(source: str, said: dict[str, Any], target: str) -> None:
    asked = {"input": "Hello"} if source == "openai_responses" else {"messages": [HI], "max_tokens": 99}
    asked = {"messages": [HI]} if source in {"openai_chat", "ollama"} else asked
    body = {"model": "m", **asked, **said}
    done = il.translate_request(body, source, target, model=MODELS[target], strict=True)
    assert [loss for loss in done.losses if loss.severity == "lost"] == []
    assert il.check_request(done.body, target) == []


@pytest.mark.parametrize("model", ["gpt-6-sol", "gpt-5.5", "o3", "gpt-4.1"])
def test_logprobs_are_not_requested_unless_wanted(model: str) -> None:
    done = il.translate_request(
        {"model": "m", "input": "Hello", "top_logprobs": 0}, "openai_responses", "openai_chat", model=model
    )
    assert done.body == {"model": model, "messages": [HI]}
    wanted = il.translate_request(
        {"model": "m", "input": "Hello", "top_logprobs": 2}, "openai_responses", "openai_chat", model="gpt-4.1"
    )
    assert (wanted.body["logprobs"], wanted.body["top_logprobs"]) == (True, 2)


@pytest.mark.parametrize("said", [{"truncation": "auto"}, {"background": True}, {"text": {"verbosity": "low"}}])
def test_a_setting_that_differs_from_the_targets_default_is_a_loss(said: dict[str, Any]) -> None:
    with pytest.raises(il.LossError):
        il.translate_request({"model": "m", "input": "Hello", **said}, "openai_responses", "claude", strict=True)
