"""Settings that ask for what a dialect does anyway: nobody must say them, and nothing is lost."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

ASKED: Final[dict[str, Any]] = {"messages": [{"role": "user", "content": "Hello"}], "model": "m", "max_tokens": 100}
TOOL: Final = {"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}}
SCHEMA: Final = {
    "type": "object",
    "properties": {"at": {"type": "string"}},
    "required": ["at"],
    "additionalProperties": False,
}
# A setting, what everybody does who does not have it, and what nobody does unasked.
SETTINGS: Final[tuple[tuple[str, Any, Any], ...]] = (
    ("n", 1, 3),
    ("logprobs", False, True),
    ("store", False, True),
    ("modalities", ["text"], ["text", "smell"]),
    ("stream_usage", True, False),
    ("stream_obfuscation", False, True),
    ("parallel_tool_calls", True, False),
)


def losses_of(dialect: str, **settings: Any) -> set[tuple[str, str]]:
    encoded = il.encode_request(il.ChatRequest.model_validate({**ASKED, **settings}), dialect)
    return {(loss.severity, loss.path) for loss in encoded.losses if loss.code == "setting"}


@pytest.mark.parametrize("dialect", il.dialects())
@pytest.mark.parametrize(("name", "usual", "other"), SETTINGS, ids=[name for name, _, _ in SETTINGS])
def test_a_setting_equal_to_a_default_is_written_or_omitted_without_a_loss(
    dialect: str, name: str, usual: Any, other: Any
) -> None:
    around: dict[str, Any] = {"tools": [TOOL], "stream": True}
    before = il.encode_request(il.ChatRequest.model_validate({**ASKED, **around}), dialect)
    after = il.encode_request(il.ChatRequest.model_validate({**ASKED, **around, name: usual}), dialect)
    assert f"/{name}" not in {loss.path for loss in after.losses}
    encoded = il.encode_request(il.ChatRequest.model_validate({**ASKED, **around, name: other}), dialect)
    is_told = f"/{name}" in {loss.path for loss in encoded.losses}
    assert is_told or encoded.body not in (before.body, after.body)  # what is not usual is said, or told as lost


@pytest.mark.parametrize("dialect", il.dialects())
def test_common_settings_of_chat_clients_cause_no_strict_losses(dialect: str) -> None:
    body = {
        "model": "gpt-4o",
        "messages": [{"role": "user", "content": "Hello"}],
        "n": 1,
        "stream": False,
        "store": False,
        "logprobs": False,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [{"type": "function", "function": {"name": "look", "parameters": SCHEMA}}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "place", "schema": SCHEMA, "strict": True},
        },
        "service_tier": "auto",
    }
    assert il.translate_request(body, "openai_chat", dialect, strict=True, model="m").body


@pytest.mark.parametrize("dialect", il.dialects())
@pytest.mark.parametrize("choice", ["auto", "none"])
@pytest.mark.parametrize("parallel", [True, False])
def test_tool_choices_none_and_auto_without_tools_are_omitted_without_a_loss(
    dialect: str, choice: str, parallel: bool
) -> None:
    assert losses_of(dialect, tool_choice={"mode": choice}, parallel_tool_calls=parallel) == set()
    body = il.encode_request(il.ChatRequest.model_validate({**ASKED, "tool_choice": {"mode": choice}}), dialect).body
    assert il.check_request(body, dialect) == []


@pytest.mark.parametrize("dialect", il.dialects())
def test_a_forcing_tool_choice_without_tools_is_reported(dialect: str) -> None:
    assert ("lost", "/tool_choice") in losses_of(dialect, tool_choice={"mode": "required"})


@pytest.mark.parametrize("dialect", il.dialects())
@pytest.mark.parametrize("name", ["temperature", "seed"])
def test_a_setting_of_0_is_not_treated_as_absent(dialect: str, name: str) -> None:
    said = il.encode_request(il.ChatRequest.model_validate({**ASKED, name: 0}), dialect)
    silent = il.encode_request(il.ChatRequest.model_validate(ASKED), dialect)
    assert said.body != silent.body or ("lost", f"/{name}") in losses_of(dialect, **{name: 0})


@pytest.mark.parametrize(
    "target", ["openai_chat", "openai_responses", "claude", "gemini", "ollama", "bedrock_converse"]
)
@pytest.mark.parametrize("model", [None, "claude-sonnet-4-5", "claude-opus-4-6"])
def test_an_unknown_effort_beside_disabled_thinking_is_reported(target: Any, model: str | None) -> None:
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": "Hello"}],
        "reasoning_effort": "weird",
        "chat_template_kwargs": {"enable_thinking": False},
    }
    encoded = il.translate_request(body, "vllm", target, model=model)
    assert "weird" not in str(encoded.body)
    assert not {"/reasoning", "/reasoning/effort"}.isdisjoint(loss.path for loss in encoded.losses)
