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
def test_an_unsupported_schema_is_requested_in_the_instructions(
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


def test_a_model_without_json_mode_gets_only_instructions() -> None:
    body = {"model": "m", "input": "Where?", "text": {"format": {"type": "json_object"}}}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model="gpt-4o-audio-preview")
    assert "response_format" not in encoded.body
    assert encoded.body["messages"][0] == {"role": "system", "content": "Answer with JSON alone."}


_LOOK = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
_BESIDE_FUNCTIONS: list[tuple[dict[str, Any], str]] = [
    ({"type": "json_schema", "json_schema": {"name": "weather", "schema": SCHEMA}}, json.dumps(SCHEMA)),
    ({"type": "json_object"}, "Answer with JSON alone."),
]


@pytest.mark.parametrize("system", [[], ["Be brief."]], ids=["alone", "behind others"])
@pytest.mark.parametrize(("form", "said"), _BESIDE_FUNCTIONS, ids=["a schema", "any JSON"])
def test_a_model_without_json_mode_beside_functions_gets_instructions(
    form: dict[str, Any], said: str, system: list[str]
) -> None:
    messages = [*({"role": "system", "content": one} for one in system), {"role": "user", "content": "Where?"}]
    body = {"model": "gpt-5.6", "messages": messages, "tools": [_LOOK], "response_format": form}
    encoded = il.translate_request(body, "openai_chat", "gemini", model="gemini-2.5-flash")
    texts = [part["text"] for part in encoded.body["systemInstruction"]["parts"]]
    assert texts[:-1] == system
    assert said in texts[-1]
    assert "generationConfig" not in encoded.body
    [loss] = [one for one in encoded.losses if one.path.startswith("/response_format")]
    assert (loss.path, loss.severity, loss.concern) == ("/response_format", "lost", "contract")


_PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}


def _asking_for(schema: dict[str, Any]) -> dict[str, Any]:
    form = {"name": "person", "description": "Who it is about.", "schema": schema, "strict": True}
    said = [{"role": "user", "content": "Who?"}]
    return {"model": "m", "messages": said, "response_format": {"type": "json_schema", "json_schema": form}}


@pytest.mark.parametrize("target", ["claude", "gemini"])
def test_name_and_description_of_a_format_move_into_the_schema_where_no_other_place_exists(
    target: str,
) -> None:
    encoded = il.translate_request(_asking_for(_PERSON), "openai_chat", target, profile=None, strict=True)
    form = il.decode_request(encoded.body, target).response_format
    assert form is not None
    assert form.schema_ == {**_PERSON, "description": "Who it is about."}
    told = {(loss.path, loss.severity) for loss in encoded.losses}
    assert {
        ("/response_format/description", "changed"),
        ("/response_format/schema/description", "filled"),
    } <= told


@pytest.mark.parametrize("target", ["claude", "gemini"])
def test_a_schema_with_its_own_title_and_description_keeps_them(target: str) -> None:
    schema = {**_PERSON, "description": "A person."}
    encoded = il.translate_request(_asking_for(schema), "openai_chat", target, profile=None)
    form = il.decode_request(encoded.body, target).response_format
    assert form is not None
    assert form.schema_ == schema
    assert ("/response_format/description", "lost") in {(loss.path, loss.severity) for loss in encoded.losses}


@pytest.mark.parametrize("target", ["claude", "gemini", "ollama"])
def test_descriptions_repeated_in_the_schema_are_not_lost(target: str) -> None:
    schema = {**_PERSON, "description": "Who it is about."}
    encoded = il.translate_request(_asking_for(schema), "openai_chat", target, profile=None)
    told = [(loss.path, loss.severity) for loss in encoded.losses if "description" in loss.path]
    assert told == [("/response_format/description", "changed")]


def members(optional: int, either: int) -> dict[str, Any]:
    """Return a schema with so many optional members, and so many of several types."""
    named = {f"o{at}": {"type": "string"} for at in range(optional)}
    unions = {f"u{at}": {"oneOf": [{"type": "string"}, {"type": "null"}]} for at in range(either)}
    return {
        "type": "object", "properties": {**named, **unions}, "required": [*unions], "additionalProperties": False,
    }  # fmt: skip


@pytest.mark.parametrize("target", ["claude", "bedrock_converse"])
@pytest.mark.parametrize(("optional", "either"), [(24, 16), (25, 0), (0, 17)])
def test_a_schema_beyond_claudes_limits_is_requested_in_the_instructions(
    target: il.Dialect, optional: int, either: int
) -> None:
    model = "claude-opus-4-5" if target == "claude" else "anthropic.claude-opus-4-5-20251101-v1:0"
    form = {"type": "json_schema", "name": "n", "schema": members(optional, either), "strict": False}
    body = {"model": "m", "input": "Where?", "text": {"format": form}}
    encoded = il.translate_request(body, "openai_responses", target, model=model)
    output = encoded.body.get("output_config" if target == "claude" else "outputConfig")
    assert (output is not None) == ("system" not in encoded.body) == ((optional, either) == (24, 16))
    assert il.check_request(encoded.body, target) == []
    assert ("/response_format" in [one.path for one in encoded.losses]) == (output is None)


def test_limits_used_by_the_response_schema_are_not_available_to_strict_tools() -> None:
    tools = [
        {"type": "function", "name": name, "parameters": members(optional, 0), "strict": True}
        for name, optional in (("a", 4), ("b", 1))
    ]
    form = {"type": "json_schema", "name": "n", "schema": members(20, 0), "strict": False}
    body = {"model": "m", "input": "Where?", "text": {"format": form}, "tools": tools}
    encoded = il.translate_request(body, "openai_responses", "claude", model="claude-opus-4-5")
    assert encoded.body["output_config"]["format"]["type"] == "json_schema"
    assert [tool.get("strict") for tool in encoded.body["tools"]] == [True, None]
    assert il.check_request(encoded.body, "claude") == []


CHOICE: dict[str, Any] = {
    "responseMimeType": "text/x.enum",
    "responseSchema": {"type": "STRING", "enum": ["yes", "no"]},
}
CHOSEN_IN_WORDS = "Answer with one of these texts alone:\nyes\nno"


@pytest.mark.parametrize("system", [None, "Be brief."])
@pytest.mark.parametrize("target", ["claude", "openai_chat", "openai_responses", "ollama", "bedrock_converse"])
def test_one_of_several_texts_is_requested_in_the_instructions(target: il.Dialect, system: str | None) -> None:
    body: dict[str, Any] = {"contents": [{"role": "user", "parts": [{"text": "Well?"}]}], "generationConfig": CHOICE}
    if system is not None:
        body["systemInstruction"] = {"parts": [{"text": system}]}
    encoded = il.translate_request(body, "gemini", target, model="m", defaults={"max_tokens": 9})
    said = json.dumps(encoded.body, ensure_ascii=False)
    assert said.count(json.dumps(CHOSEN_IN_WORDS)[1:-1]) == 1
    assert not {"response_format", "text", "format", "output_config", "outputConfig"} & {*encoded.body}
    assert system is None or system in said
    [loss] = [one for one in encoded.losses if one.path.startswith("/response_format")]
    assert (loss.path, loss.severity, loss.concern) == ("/response_format", "lost", "contract")


def test_one_of_several_texts_is_a_setting_of_gemini_and_vllm() -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Well?"}], "guided_choice": ["yes", "no"]}
    encoded = il.translate_request(body, "vllm", "gemini")
    assert encoded.body["generationConfig"] == CHOICE
    assert "systemInstruction" not in encoded.body
    assert il.check_request(encoded.body, "gemini") == []
    back = il.translate_request(encoded.body, "gemini", "vllm", model="m")
    assert back.body == {
        "model": "m",
        "messages": body["messages"],
        "structured_outputs": {"choice": ["yes", "no"]},
    }
    assert back.losses == ()
