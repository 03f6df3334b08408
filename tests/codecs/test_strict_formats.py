"""Response formats of providers that enforce every schema, for OpenAI, which enforces only strict ones."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CLOSED: Final = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}},
    "required": ["city", "degrees"],
    "additionalProperties": False,
}
OPEN: Final = {name: value for name, value in CLOSED.items() if name != "additionalProperties"}
OPTIONAL: Final = {**CLOSED, "required": ["city"]}
ASKED: Final = [{"role": "user", "content": "Report on Oslo."}]
NESTED: Final = {**CLOSED, "properties": {**CLOSED["properties"], "degrees": OPTIONAL}}
OR_NULL: Final = {**OPTIONAL, "properties": {"city": {"type": "string"}, "degrees": {"type": ["integer", "null"]}}}
MAP: Final = {**CLOSED, "properties": {**CLOSED["properties"], "degrees": {"type": "object"}}}


def body_of(source: str, schema: dict[str, Any]) -> dict[str, Any]:
    if source == "claude":
        form = {"type": "json_schema", "schema": schema}
        return {"model": "m", "max_tokens": 9, "messages": ASKED, "output_config": {"format": form}}
    if source == "gemini":
        config = {"responseMimeType": "application/json", "responseJsonSchema": schema}
        return {"contents": [{"role": "user", "parts": [{"text": "Go."}]}], "generationConfig": config}
    if source == "ollama":
        return {"model": "m", "messages": ASKED, "format": schema, "stream": False}
    nested = {"type": "json_schema", "json_schema": {"name": "report", "schema": schema}}
    return {"model": "m", "messages": ASKED, "response_format": nested}


def sent(source: str, target: str, schema: dict[str, Any], model: str = "gpt-5.4") -> tuple[dict[str, Any], set[str]]:
    encoded = il.translate_request(body_of(source, schema), source, target, model=model)
    assert il.check_request(encoded.body, target) == []
    body = encoded.body
    form = body["response_format"]["json_schema"] if target == "openai_chat" else body["text"]["format"]
    return form, {loss.path for loss in encoded.losses if loss.severity == "filled"}


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize("source", ["claude", "gemini", "ollama", "vllm"])
def test_a_schema_enforced_by_its_source_provider_is_strict_for_openai(source: str, target: str) -> None:
    for schema in (CLOSED, OPEN):
        form, filled = sent(source, target, schema)
        assert (form["strict"], form["schema"]) == (True, CLOSED)
        assert "/response_format/strict" in filled


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize("schema", [OPTIONAL, NESTED, MAP, {"type": "object"}])
def test_a_schema_that_strict_mode_would_change_for_the_client_is_unchanged(
    target: str, schema: dict[str, Any]
) -> None:
    form, filled = sent("claude", target, schema)
    assert "strict" not in form
    assert form["schema"] == schema
    assert "/response_format/strict" not in filled


def test_an_optional_nullable_member_becomes_required() -> None:
    form, _ = sent("gemini", "openai_chat", OR_NULL)
    assert form["strict"] is True
    assert form["schema"] == {**OR_NULL, "required": ["city", "degrees"]}


def test_a_schema_without_enforcement_stays_without() -> None:
    form, filled = sent("openai_chat", "openai_responses", CLOSED)
    assert "strict" not in form
    assert "/response_format/strict" not in filled


@pytest.mark.parametrize(
    "model", ["mistral-large-latest", "command-a-03-2025", "qwen/qwen3-32b", "deepseek/deepseek-v3.2"]
)
def test_models_of_other_makers_get_no_strict_member_that_a_host_may_refuse(model: str) -> None:
    form, _ = sent("claude", "openai_chat", CLOSED, model)
    assert "strict" not in form
    assert form["schema"] == CLOSED


def test_a_model_without_structured_output_gets_only_instructions() -> None:
    encoded = il.translate_request(body_of("claude", CLOSED), "claude", "openai_chat", model="gpt-4-turbo")
    assert encoded.body["response_format"] == {"type": "json_object"}
    assert [one.path for one in encoded.losses if one.path.startswith("/response_format")] == ["/response_format"]
