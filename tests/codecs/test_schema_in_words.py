"""Models that follow no JSON schema are asked for it in words, and by JSON mode where they have one."""

from __future__ import annotations

import json
from typing import Any

import pytest

import interlingua as il

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
FORM = {"type": "json_schema", "name": "weather", "schema": SCHEMA, "strict": True}
MODES: list[tuple[il.Dialect, str, dict[str, Any] | None]] = [
    ("claude", "claude-3-5-haiku-latest", None),
    ("openai_chat", "gpt-3.5-turbo", {"response_format": {"type": "json_object"}}),
    ("openai_responses", "gpt-4-turbo", {"text": {"format": {"type": "json_object"}}}),
]


def instructions(body: dict[str, Any], target: str) -> str:
    if target == "claude":
        return str(body["system"])
    [first, *_] = body["input" if target == "openai_responses" else "messages"]
    assert first["role"] == "system"
    return str(first["content"])


def asked(target: il.Dialect, model: str, system: str | None) -> il.Encoded:
    source: il.Dialect = "gemini"
    config = {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}
    body: dict[str, Any] = {"contents": [{"role": "user", "parts": [{"text": "Where?"}]}], "generationConfig": config}
    if system is not None:
        body["systemInstruction"] = {"parts": [{"text": system}]}
    return il.translate_request(body, source, target, model=model)


@pytest.mark.parametrize("system", [None, "Be brief."])
@pytest.mark.parametrize(("target", "model", "mode"), MODES, ids=lambda one: str(one)[:20])
def test_a_schema_that_a_model_does_not_follow_is_asked_for_in_words(
    target: il.Dialect, model: str, mode: dict[str, Any] | None, system: str | None
) -> None:
    encoded = asked(target, model, system)
    said = instructions(encoded.body, target)
    assert json.dumps(SCHEMA) in said
    assert said.startswith(system or "Answer with JSON")
    assert {name: encoded.body.get(name) for name in mode or ()} == (mode or {})
    assert il.check_request(encoded.body, target) == []
    [loss] = [one for one in encoded.losses if one.path.startswith("/response_format")]
    assert (loss.path, loss.severity, loss.concern) == ("/response_format", "lost", "contract")


def test_a_model_without_json_mode_is_asked_in_words_alone() -> None:
    body = {"model": "m", "input": "Where?", "text": {"format": {"type": "json_object"}}}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model="gpt-4o-audio-preview")
    assert "response_format" not in encoded.body
    assert encoded.body["messages"][0] == {"role": "system", "content": "Answer with JSON alone."}
