"""References of a schema that lead nowhere, arguments whose names Claude refuses, and answers that are no objects."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

HI: Final = {"role": "user", "content": "Hello"}
REFERRING: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "gone": {"$ref": "#/$defs/Gone"},
        "elsewhere": {"$ref": "https://example.org/x.json", "description": "d"},
        "inner": {"type": "object", "properties": {"x": {"$ref": "#/$defs/X"}}, "$defs": {"X": {"type": "string"}}},
        "older": {"$ref": "#/definitions/D"},
        "place": {"$ref": "#/properties/older"},
        "anchored": {"$ref": "#here"},
    },
    "definitions": {"D": {"type": "string", "$anchor": "here"}},
}
TARGETS: Final = [
    ("openai_chat", "gpt-5.2"),
    ("openai_responses", "gpt-5.2"),
    ("claude", "claude-sonnet-5"),
    ("gemini", "gemini-3-pro-preview"),
    ("vllm", "Qwen/Qwen3-8B"),
    ("bedrock_converse", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
]


def schema_of(body: dict[str, Any], target: str) -> dict[str, Any]:
    """Return the schema of the one tool of a body."""
    if target == "bedrock_converse":
        found = body["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"]
    elif target == "gemini":
        found = body["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"]
    elif target == "claude":
        found = body["tools"][0]["input_schema"]
    else:
        found = body["tools"][0].get("function", body["tools"][0])["parameters"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(("target", "model"), TARGETS)
def test_an_unresolvable_reference_is_reported_and_one_of_an_inner_schema_is_resolved(
    target: il.Dialect, model: str
) -> None:
    source: il.Dialect = "ollama"
    tool = {"type": "function", "function": {"name": "f", "parameters": REFERRING}}
    body = {"model": "m", "messages": [HI], "tools": [tool]}
    encoded = il.translate_request(body, source, target, model=model)
    named = schema_of(encoded.body, target)["properties"]
    assert named["gone"] == {"description": "As in: #/$defs/Gone"}
    assert named["elsewhere"] == {"description": "d\n\nAs in: https://example.org/x.json"}
    told = {loss.path.removeprefix("/tools/0/parameters") for loss in encoded.losses if loss.path.endswith("$ref")}
    changed = {f"/properties/{one}/$ref" for one in ("gone", "elsewhere", "inner/properties/x")}
    if target == "gemini":  # looks up nothing but definitions at the root
        assert named["inner"]["properties"]["x"] == {"$ref": "#/$defs/X"}
        assert [named[one] for one in ("older", "place")] == [{"$ref": "#/$defs/D"}, {"$ref": "#/$defs/older"}]
        assert told == {*changed, "/properties/older/$ref", "/properties/place/$ref"}
    else:
        assert named["inner"]["properties"]["x"] == {"$ref": "#/properties/inner/$defs/X"}
        assert [named[one] for one in ("older", "place")] == [
            REFERRING["properties"][one] for one in ("older", "place")
        ]
        assert told == changed
    assert named["anchored"] == {"$ref": "#here"}
    assert il.check_request(encoded.body, target, profile=model) == []


def test_unresolvable_references_are_violations() -> None:
    body = {
        "model": "claude-sonnet-5",
        "max_tokens": 9,
        "messages": [HI],
        "tools": [{"name": "f", "input_schema": REFERRING}],
    }
    assert [one.path.removeprefix("/tools/0/input_schema/properties/") for one in il.check_request(body, "claude")] == [
        "gone/$ref",
        "elsewhere/$ref",
        "inner/properties/x/$ref",
    ]


NAMES: Final = ("filter[name]", "$top", "Account Number", "x" * 65, "@odata.type", "naïve")


@pytest.mark.parametrize("target", ["claude", "bedrock_converse"])
@pytest.mark.parametrize("strict", [False, True])
def test_argument_names_that_claude_refuses_are_described_in_words(target: il.Dialect, strict: bool) -> None:
    named = {name: {"type": "string"} for name in ("ok", "a.b-c", *NAMES)}
    schema = {"type": "object", "properties": named, "required": ["$top", "ok"], "additionalProperties": False}
    tool = {"type": "function", "function": {"name": "f", "parameters": schema, "strict": strict}}
    body = {"model": "m", "messages": [HI], "tools": [tool]}
    model = "claude-sonnet-4-5" if target == "claude" else "anthropic.claude-sonnet-4-5-20250929-v1:0"
    encoded = il.translate_request(body, "openai_chat", target, model=model)
    found = schema_of(encoded.body, target)
    assert (found["properties"].keys(), found["required"]) == ({"ok", "a.b-c"}, ["ok"])
    assert "additionalProperties" not in found, "the model may give them"
    lines = found["description"].splitlines()[1:]
    assert lines == [f'{name}{" (required)" if name == "$top" else ""}: {{"type": "string"}}' for name in NAMES]
    told = {loss.path: loss.severity for loss in encoded.losses}
    assert all(told[f"/tools/0/parameters/properties/{name}"] == "changed" for name in NAMES)
    assert told["/tools/0/parameters/additionalProperties"] == "changed"
    assert ("/tools/0/strict" in told) is strict
    assert il.check_request(encoded.body, target) == []
    if target == "claude":
        refused = {**encoded.body, "tools": [{"name": "f", "input_schema": schema}]}
        assert len(il.check_request(refused, "claude")) == len(NAMES)


def test_nested_argument_names_are_accepted() -> None:
    inner = {"type": "object", "properties": {"$top": {"type": "integer"}}}
    schema = {"type": "object", "properties": {"a": inner}}
    body = {
        "model": "m",
        "messages": [HI],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": schema}}],
    }
    encoded = il.translate_request(body, "openai_chat", "claude", model="claude-sonnet-4-5")
    assert encoded.body["tools"][0]["input_schema"] == schema


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize(
    ("schema", "is_taken"),
    [
        ({"type": "array", "items": {"type": "string"}}, False),
        ({"type": "string", "enum": ["a", "b"]}, False),
        ({"type": "object", "properties": {"a": {"type": "string"}}}, True),
    ],
)
def test_a_response_schema_that_is_not_an_object_is_requested_in_words_from_openai(
    target: il.Dialect, schema: dict[str, Any], is_taken: bool
) -> None:
    body = {
        "contents": [{"role": "user", "parts": [{"text": "List them."}]}],
        "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": schema},
    }
    encoded = il.translate_request(body, "gemini", target, model="gpt-5.2")
    member = "response_format" if target == "openai_chat" else "text"
    assert (member in encoded.body) is is_taken
    said = str(encoded.body["messages" if target == "openai_chat" else "input"])
    assert ("Answer with JSON alone, of this schema" in said) is not is_taken
    assert ("/response_format" in [loss.path for loss in encoded.losses]) is not is_taken
    assert il.check_request(encoded.body, target) == []
    form = {"type": "json_schema", "name": "n", "schema": schema}
    if target == "openai_chat":
        form = {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}
    asked = {**encoded.body, member: form if target == "openai_chat" else {"format": form}}
    assert (il.check_request(asked, target) == []) is is_taken


def test_other_hosts_accept_a_response_schema_that_is_not_an_object() -> None:
    schema = {"type": "array", "items": {"type": "string"}}
    body = {
        "contents": [{"role": "user", "parts": [{"text": "List them."}]}],
        "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": schema},
    }
    encoded = il.translate_request(body, "gemini", "openai_chat", model="qwen/qwen3-235b")
    assert encoded.body["response_format"]["json_schema"]["schema"] == schema


def test_ollama_gets_a_response_schema_with_json_schema_keywords() -> None:
    schema = {
        "type": "OBJECT",
        "properties": {
            "l": {"type": "ARRAY", "items": {"type": "STRING"}, "minItems": "1", "maxItems": "3"},
            "x": {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}], "nullable": True},
        },
        "propertyOrdering": ["x", "l"],
    }
    body = {
        "contents": [{"role": "user", "parts": [{"text": "x"}]}],
        "generationConfig": {"responseMimeType": "application/json", "responseSchema": schema},
    }
    encoded = il.translate_request(body, "gemini", "ollama", model="qwen3")
    form = encoded.body["format"]
    assert [*form["properties"]] == ["x", "l"]
    assert form["properties"] == {
        "x": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        "l": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
    }
    assert any(loss.path.startswith("/response_format/schema") for loss in encoded.losses)
