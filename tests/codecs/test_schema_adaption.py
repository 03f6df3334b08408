"""Schemas abroad: what a target refuses is said in another way, told once, and `check_request` finds nothing more."""

from __future__ import annotations

import copy
import itertools
import json
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import interlingua as il
from support import corpus
from support.rooms import ROWS, decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterator

DIALECTS: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm")
CLOSED: Final = {"required": ["a"], "additionalProperties": False}


def asked(**members: Any) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Say it in JSON."}], **members}


def with_tool(schema: Any, *, strict: bool) -> dict[str, Any]:
    return asked(tools=[{"type": "function", "name": "f", "parameters": schema, "strict": strict}])


def with_form(schema: Any, *, strict: bool = True) -> dict[str, Any]:
    return asked(response_format={"type": "json_schema", "name": "n", "schema": schema, "strict": strict})


def tool_schema(body: dict[str, Any]) -> Any:
    (tool,) = body["tools"]
    if "functionDeclarations" in tool:
        (tool,) = tool["functionDeclarations"]
    tool = tool.get("function", tool)
    return next((tool[name] for name in ("parameters", "input_schema", "parametersJsonSchema") if name in tool), None)


def form_schema(body: dict[str, Any]) -> Any:
    form = body.get("response_format", body.get("format"))
    if form is None:
        form = body.get("text", body.get("output_config", {})).get("format")
    if form is None:
        return body["generationConfig"]["responseJsonSchema"]
    return form.get("json_schema", form).get("schema", form)


def one(member: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": member}, **CLOSED, **more}


@pytest.mark.parametrize(
    ("target", "member", "expected"),
    [
        ("claude", {"type": "integer", "minimum": 1}, {"type": "integer", "description": "Limits: minimum 1"}),
        (
            "claude",
            {"type": "string", "description": "A.", "minLength": 2, "format": "byte"},
            {"type": "string", "description": 'A.\n\nLimits: minLength 2, format "byte"'},
        ),
        ("claude", {"type": "string", "format": "uri"}, {"type": "string", "format": "uri"}),
        (
            "claude",
            {"type": "array", "items": {"type": "string"}, "minItems": 3},
            {"type": "array", "items": {"type": "string"}, "description": "Limits: minItems 3"},
        ),
        ("claude", {"type": "array", "items": {}, "minItems": 1}, {"type": "array", "items": {}, "minItems": 1}),
        (
            "claude",
            {"oneOf": [{"type": "string"}, {"type": "null"}]},
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
        ),
        ("openai_chat", {"type": "string", "maxLength": 2}, {"type": "string", "description": "Limits: maxLength 2"}),
        ("openai_chat", {"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 1}),
        ("openai_chat", {"type": "string", "pattern": "^a+$"}, {"type": "string", "pattern": "^a+$"}),
        (
            "openai_responses",
            {"type": "string", "pattern": "(?=a)b"},
            {"type": "string", "description": 'Limits: pattern "(?=a)b"'},
        ),
        ("openai_responses", {"type": "string", "default": "x"}, {"type": "string", "description": 'Default: "x"'}),
        (
            "openai_responses",
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
            {
                "type": "array",
                "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                "description": "Items in order: string, integer",
            },
        ),
        (
            "openai_chat",
            {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            {"type": "array", "items": {"type": "string"}, "description": "Limits: uniqueItems true"},
        ),
    ],
)
@pytest.mark.parametrize("place", ["tool", "form"])
def test_a_constraint_that_an_enforced_schema_may_not_have_is_added_to_the_description(
    place: str, target: str, member: Any, expected: Any
) -> None:
    schema = one(member)
    before = copy.deepcopy(schema)
    encoded = il.encode_request(with_tool(schema, strict=True) if place == "tool" else with_form(schema), target)
    written = tool_schema(encoded.body) if place == "tool" else form_schema(encoded.body)
    assert written == one(expected)
    assert schema == before
    assert il.check_request(encoded.body, target) == []
    below = "/tools/0/parameters" if place == "tool" else "/response_format/schema"
    told = [loss for loss in encoded.losses if loss.path.startswith(below)]
    assert [loss.severity for loss in told] == (["changed"] if expected != member else [])


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize(
    ("schema", "properties"),
    [
        ({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}, {"a": {"type": "string"}}),
        (
            {"type": "object", "properties": {"a": {"type": "string", "nullable": True}}},
            {"a": {"type": ["string", "null"]}},
        ),
        (
            {"type": "object", "properties": {"a": {"type": "string", "enum": ["x"], "nullable": True}}},
            {"a": {"type": ["string", "null"], "enum": ["x", None]}},
        ),
        ({"type": "object", "properties": {"a": {"type": "string", "nullable": False}}}, {"a": {"type": "string"}}),
        (
            {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1, "exclusiveMinimum": True}}},
            {"a": {"type": "integer", "exclusiveMinimum": 1}},
        ),
        (
            {"type": "object", "required": None, "properties": {"a": {"type": "string", "description": None}}},
            {"a": {"type": "string"}},
        ),
        (
            {"type": "object", "properties": {"a": {"type": "array", "title": None, "items": {"type": "string"}}}},
            {"a": {"type": "array", "items": {"type": "string"}}},
        ),
        (
            {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string", "enum": None}}}},
            {"a": {"type": "array", "items": {"type": "string"}}},
        ),
        ({"type": "object", "properties": {"a": {"type": "any"}}}, {"a": {}}),
        (
            {"type": "object", "properties": {"a": {"type": ["string", None]}}},
            {"a": {"type": ["string", "null"]}},
        ),
        (
            {
                "type": "object",
                "properties": {"a": {"any_of": [{"type": "string"}, {"type": "integer"}], "nullable": True}},
            },
            {"a": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}},
        ),
        (
            {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}, "max_items": 5}}},
            {"a": {"type": "array", "items": {"type": "string"}, "maxItems": 5}},
        ),
        (
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "a"]},
            {"a": {"type": "string"}},
        ),
    ],
)
def test_openapi_and_older_draft_keywords_become_current_ones(target: str, schema: Any, properties: Any) -> None:
    encoded = il.encode_request(with_tool(schema, strict=False), target)
    written = tool_schema(encoded.body)
    assert written["type"] == "object"
    without_words = {name: {**said, "description": ""} for name, said in written["properties"].items()}
    assert without_words == {name: {**said, "description": ""} for name, said in properties.items()}
    Draft202012Validator.check_schema(written)
    assert il.check_request(encoded.body, target) == []
    assert {loss.severity for loss in encoded.losses if loss.path.startswith("/tools/0/parameters")} == {"changed"}


@pytest.mark.parametrize("target", DIALECTS)
def test_an_object_with_null_properties_has_none(target: str) -> None:
    encoded = il.encode_request(with_tool({"type": "object", "properties": None}, strict=False), target)
    written = tool_schema(encoded.body)
    assert (written["type"], written.get("properties", {})) == ("object", {})
    assert il.check_request(encoded.body, target) == []


def test_a_null_default_and_an_enum_with_null_are_kept() -> None:
    said = {"enum": ["x", None], "default": None, "const": None}
    encoded = il.encode_request(with_tool({"type": "object", "properties": {"a": said}}, strict=False), "claude")
    assert tool_schema(encoded.body)["properties"] == {"a": said}


def test_properties_have_the_order_of_property_ordering() -> None:
    schema = {"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "propertyOrdering": ["c", "a"]}
    for target in ("claude", "openai_chat"):
        written = tool_schema(il.encode_request(with_tool(schema, strict=False), target).body)
        assert (list(written["properties"]), "propertyOrdering" in written) == (["c", "a", "b"], False)
    assert tool_schema(il.encode_request(with_tool(schema, strict=False), "gemini").body) == schema


UNION: Final = {
    "oneOf": [
        {"type": "object", "properties": {"a": {"type": "string"}, "k": {"const": 1}}, "required": ["a", "k"]},
        {"$ref": "#/$defs/b"},
    ],
    "$defs": {"b": {"type": "object", "properties": {"b": {"type": "integer"}, "k": {"const": 2}}, "required": ["k"]}},
}


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "claude", "ollama"])
def test_a_union_at_the_root_of_a_tool_schema_becomes_one_object(target: str) -> None:
    encoded = il.encode_request(with_tool(UNION, strict=False), target)
    written = tool_schema(encoded.body)
    assert (written["type"], list(written["properties"]), written["required"]) == ("object", ["a", "k", "b"], ["k"])
    assert written["description"] == "Give one of these sets of arguments: a, k; k"
    assert "oneOf" not in written
    assert il.check_request(encoded.body, target) == []
    assert ("/tools/0/parameters/oneOf", "changed") in {(loss.path, loss.severity) for loss in encoded.losses}


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "claude", "ollama"])
def test_a_reference_at_the_root_is_resolved(target: str) -> None:
    schema = {"$ref": "#/$defs/x", "$defs": {"x": {"type": "object", "properties": {"a": {"type": "string"}}}}}
    written = tool_schema(il.encode_request(with_tool(schema, strict=False), target).body)
    assert (written["type"], written["properties"]) == ("object", {"a": {"type": "string"}})


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("#/$defs/a%20b", {"type": "integer"}),
        ("#/$defs/list/anyOf/1", {"type": "integer"}),
        ("#/properties/other", {"type": "integer"}),
        ("#anchor", None),
        ("#/$defs/list/anyOf/" + "9" * 5000, None),
    ],
    ids=["a percent sign", "a place in a list", "a property", "an anchor", "a number that Python does not read"],
)
def test_references_are_resolved_for_ollama(reference: str, found: dict[str, Any] | None) -> None:
    schema = {
        "type": "object",
        "properties": {"one": {"$ref": reference}, "other": {"type": "integer"}},
        "$defs": {"a b": {"type": "integer"}, "list": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
    }
    written = tool_schema(il.encode_request(with_tool(schema, strict=False), "ollama").body)["properties"]["one"]
    assert written == (found or {"description": f"As in: {reference}"})


def test_references_are_inlined_for_ollama_and_recursion_ends() -> None:
    node = {"type": "object", "properties": {"value": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}}}
    schema = {"type": "object", "properties": {"first": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}}
    encoded = il.encode_request(with_tool(schema, strict=False), "ollama")
    inner = {"type": "object", "description": "as above: node"}
    assert tool_schema(encoded.body)["properties"] == {
        "first": {"type": "object", "properties": {"value": {"type": "integer"}, "next": inner}}
    }


def test_multiplying_references_are_resolved_a_limited_number_of_times() -> None:
    definitions: dict[str, Any] = {"d0": {"type": "string"}}
    for at in range(1, 30):
        both = {name: {"$ref": f"#/$defs/d{at - 1}"} for name in ("l", "r")}
        definitions[f"d{at}"] = {"type": "object", "properties": both}
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/d29"}}, "$defs": definitions}
    body = il.encode_request(with_tool(schema, strict=False), "ollama").body
    assert len(json.dumps(body)) < 100_000


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
def test_an_array_schema_gets_items(target: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array"}}}
    encoded = il.encode_request(with_tool(schema, strict=False), target)
    assert tool_schema(encoded.body)["properties"] == {"a": {"type": "array", "items": {}}}
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
def test_a_function_without_parameters_gets_empty_properties_for_openai(target: str, strict: bool) -> None:
    bare = {"type": "object", "additionalProperties": False} if strict else {"type": "object"}
    encoded = il.encode_request(with_tool(bare, strict=strict), target)
    assert tool_schema(encoded.body)["properties"] == {}
    assert il.check_request(encoded.body, target) == []
    assert [loss.severity for loss in encoded.losses if loss.path == "/tools/0/parameters/properties"] == ["filled"]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
def test_a_function_schema_without_properties_is_a_violation_for_openai(target: str) -> None:
    body = il.encode_request(with_tool({"type": "object", "properties": {}}, strict=False), target).body
    del tool_schema(body)["properties"]
    assert [violation.code for violation in il.check_request(body, target)] == ["schema"]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize("pattern", ["^(?!\\.)[a-z]+@", "(?=.*\\S)a", "(?<=a)b", "(?<!a)b", "\\\\(?=a)"])
def test_lookaround_patterns_are_removed_for_openai_even_without_strict(target: str, pattern: str) -> None:
    texts = {"type": "array", "items": {"type": "string", "pattern": pattern}}
    schema = {"type": "object", "properties": {"to": texts}}
    encoded = il.encode_request(with_tool(schema, strict=False), target)
    function = encoded.body["tools"][0].get("function", encoded.body["tools"][0])
    items = function["parameters"]["properties"]["to"]["items"]
    assert items == {"type": "string", "description": f"Limits: pattern {json.dumps(pattern)}"}
    assert "/tools/0/parameters/properties/to/items" in {loss.path for loss in encoded.losses}
    assert not il.check_request(encoded.body, target)
    function["parameters"] = schema
    broken = [one.path for one in il.check_request(encoded.body, target)]
    assert [path.removeprefix("/tools/0").removeprefix("/function") for path in broken] == [
        "/parameters/properties/to/items/pattern"
    ]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize("pattern", ["^[a-z]+$", "(?:a|b)", "(?P<year>[0-9]{4})", "\\(?=a", "\\\\\\(?=a"])
def test_other_patterns_are_unchanged_for_openai(target: str, pattern: str) -> None:
    schema = {"type": "object", "properties": {"to": {"type": "string", "pattern": pattern}}}
    body = il.encode_request(with_tool(schema, strict=False), target).body
    assert body["tools"][0].get("function", body["tools"][0])["parameters"] == schema
    assert not il.check_request(body, target)


def test_lookaround_pattern_properties_are_described_in_words_for_openai() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "object", "patternProperties": {"^(?!x)": {}}}}}
    body = il.encode_request(with_tool(schema, strict=False), "openai_responses").body
    said = body["tools"][0]["parameters"]["properties"]["a"]
    assert said == {"type": "object", "description": 'Limits: patternProperties {"^(?!x)": {}}'}


def test_claude_enforces_a_limited_number_of_members_with_several_types() -> None:
    named = {f"a{at}": {"type": ["string", "null"]} for at in range(17)}
    schema = {"type": "object", "properties": named, "required": [*named], "additionalProperties": False}
    encoded = il.encode_request(with_tool(schema, strict=True), "claude")
    assert "strict" not in encoded.body["tools"][0]
    assert "/tools/0/strict" in {loss.path for loss in encoded.losses}


REFUSED: Final = {"minLength": 1, "oneOf": [{"type": "string"}], "uniqueItems": True, "maxItems": 2, "multipleOf": 2}


@pytest.mark.parametrize(
    ("dialect", "keywords"),
    [
        ("claude", {"maxItems", "minLength", "multipleOf"}),
        ("openai_chat", {"oneOf", "uniqueItems"}),
        ("openai_responses", {"oneOf", "uniqueItems"}),
    ],
)
def test_unadapted_schemas_have_the_same_violations(dialect: str, keywords: set[str]) -> None:
    body = il.encode_request(with_tool(one({"type": "string"}), strict=True), dialect).body
    schema = tool_schema(body)
    schema["properties"]["a"].update(REFUSED)
    told = {violation.path.rpartition("/")[2] for violation in il.check_request(body, dialect)}
    assert told == keywords


def nested(levels: int) -> dict[str, Any]:
    """Make a strict schema of so many levels below its root."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = one(schema)
    return schema


def wide(members: int, **member: Any) -> dict[str, Any]:
    named = {f"a{at}": {"type": "string", **member} for at in range(members)}
    return {"type": "object", "properties": named, "required": [*named], "additionalProperties": False}


def halves(members: int, name: str = "b") -> dict[str, Any]:
    """Make a schema of so many members and one more, half of them in a list of objects."""
    lower, upper = wide(members // 2), wide(members - members // 2)
    upper["properties"][name] = {"type": "array", "items": lower}
    upper["required"].append(name)
    return upper


TEXTS: Final = [f"{at:059}" for at in range(251)]
JUST_SMALL: Final = (
    nested(10),
    halves(4999),
    wide(50, enum=[*range(20)]),
    wide(1, enum=[*range(1000)]),
    wide(1, enum=TEXTS),
    wide(1, const="x" * 119_998),
)
TOO_LARGE: Final = (
    nested(11),
    nested(30),
    halves(5000),
    wide(5001),
    wide(51, enum=[*range(20)]),
    wide(1, enum=[*range(1001)]),
    wide(1, enum=[*TEXTS[1:], "x" * 251]),
    wide(1, const="x" * 119_999),
    halves(1, "x" * 120_000),
)


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize(
    ("make", "strict_at"), [(with_tool, "/tools/0/strict"), (with_form, "/response_format/strict")]
)
def test_a_schema_beyond_openais_depth_or_size_limits_is_not_enforced(target: str, make: Any, strict_at: str) -> None:
    for schema in TOO_LARGE:
        encoded = il.encode_request(make(schema, strict=True), target)
        assert (tool_schema if make is with_tool else form_schema)(encoded.body) == schema
        assert il.check_request(encoded.body, target) == []
        assert [(loss.path, loss.severity, loss.concern) for loss in encoded.losses if "/strict" in loss.path] == [
            (strict_at, "lost", "contract")
        ]
    for schema in JUST_SMALL:
        encoded = il.encode_request(make(schema, strict=True), target)
        assert (tool_schema if make is with_tool else form_schema)(encoded.body) == schema
        assert il.check_request(encoded.body, target) == []
        assert not [loss for loss in encoded.losses if loss.path == strict_at]


@pytest.mark.parametrize("dialect", ["openai_chat", "openai_responses"])
def test_a_strict_schema_beyond_the_limits_is_a_violation(dialect: str) -> None:
    for schema in TOO_LARGE:
        body = il.encode_request(with_tool(one({"type": "string"}), strict=True), dialect).body
        tool = body["tools"][0].get("function", body["tools"][0])
        tool["parameters"] = schema
        place = "/tools/0/function/parameters" if dialect == "openai_chat" else "/tools/0/parameters"
        assert [(told.code, told.path) for told in il.check_request(body, dialect)] == [("limit", place)]


# --- JSON without a schema, and schemas that nobody enforces ---------------------------------------------------------

JSON_MODE: Final = {"response_format": {"type": "json_object"}}


def json_mode(**members: Any) -> dict[str, Any]:
    return {**asked(messages=[{"role": "user", "content": "Say it."}]), **JSON_MODE, **members}


@pytest.mark.parametrize(
    ("target", "member", "expected"),
    [
        ("openai_chat", "response_format", {"type": "json_object"}),
        ("openai_responses", "text", {"format": {"type": "json_object"}}),
        ("gemini", "generationConfig", {"maxOutputTokens": 9, "responseMimeType": "application/json"}),
        ("ollama", "format", "json"),
        ("vllm", "response_format", {"type": "json_object"}),
        ("claude", "system", "Answer with JSON alone."),
    ],
)
def test_json_mode_is_supported_in_every_dialect(target: str, member: str, expected: Any) -> None:
    encoded = il.encode_request(json_mode(), target)
    assert encoded.body[member] == expected
    assert il.check_request(encoded.body, target) == []
    told = {(loss.path, loss.severity) for loss in encoded.losses if loss.path.startswith("/response_format")}
    assert told == {
        "claude": {("/response_format/type", "lost")},
        "openai_chat": {("/response_format/description", "filled")},
        "openai_responses": {("/response_format/description", "filled")},
    }.get(target, set())


def test_the_word_json_is_added_for_openai_if_no_message_has_it() -> None:
    system = {"role": "system", "content": "Be short."}
    user = {"role": "user", "content": "Say it."}
    chat = il.encode_request(json_mode(), "openai_chat").body
    assert chat["messages"] == [{"role": "system", "content": "Answer with JSON alone."}, user]
    chat = il.encode_request(json_mode(messages=[system, user]), "openai_chat").body
    assert chat["messages"] == [{"role": "system", "content": "Be short.\n\nAnswer with JSON alone."}, user]
    answers = il.encode_request(json_mode(messages=[system, user]), "openai_responses").body
    assert answers["input"] == [{"role": "system", "content": "Be short.\n\nAnswer with JSON alone."}, user]
    said_above = json_mode(messages=[{"role": "system", "content": "Write JSON."}, user])
    answers = il.encode_request(said_above, "openai_responses").body
    assert answers["input"] == [{"role": "system", "content": "Write JSON."}, user], "it is read in the input alone"
    assert "instructions" not in answers
    for target in ("openai_chat", "openai_responses"):
        said = il.encode_request({**asked(), **JSON_MODE}, target)
        assert "alone" not in json.dumps(said.body)
        assert not [loss for loss in said.losses if loss.path.startswith("/response_format")]


def test_instructions_about_the_format_follow_the_other_instructions_for_claude() -> None:
    parts = [{"type": "text", "text": "Be short.", "cache": {"ttl": "5m"}}]
    user = {"role": "user", "content": "Say it."}
    said = il.encode_request(json_mode(messages=[{"role": "system", "content": parts}, user]), "claude").body["system"]
    assert said[-1] == {"type": "text", "text": "Answer with JSON alone."}
    body = il.encode_request(json_mode(messages=[{"role": "system", "content": "Be short."}, user]), "claude").body
    assert body["system"] == "Be short.\n\nAnswer with JSON alone."


NODE: Final = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
MAP: Final = {"type": "object", "additionalProperties": {"type": "string"}}


@pytest.mark.parametrize("schema", [{**NODE, "$defs": {"node": NODE}}, MAP, one(MAP), {"type": "object"}])
def test_a_format_that_claude_does_not_enforce_is_requested_in_the_instructions(schema: Any) -> None:
    encoded = il.encode_request(with_form(schema), "claude")
    assert encoded.body["system"] == f"Answer with JSON alone, of this schema: {json.dumps(schema)}"
    assert "output_config" not in encoded.body
    assert il.check_request(encoded.body, "claude") == []
    told = [(loss.path, loss.severity) for loss in encoded.losses if loss.path.startswith("/response_format")]
    assert told == [("/response_format", "lost")]


def test_a_schema_that_is_too_deep_is_left_out() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(2_000):
        schema = {"type": "object", "properties": {"a": schema}, "additionalProperties": {}}
    body, _ = encode("claude", "request", with_form(schema))
    assert body["system"] == "Answer with JSON alone."


# --- all recorded ones ------------------------------------------------------------------------------------------------


def names(schema: Any) -> list[Any]:
    """Return the names of the properties of a schema, in their order, as far as its objects nest."""
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict) or "$ref" in schema:
        return []
    return [(name, names(inner)) for name, inner in schema["properties"].items()]


def same_names(before: Any, after: Any) -> bool:
    """Tell whether a schema has the names of another one; what stood behind a reference may stand there itself."""
    named = before["properties"] if isinstance(before, dict) and isinstance(before.get("properties"), dict) else {}
    found = after.get("properties", {})
    return list(named) == list(found) and all(names(inner) in ([], names(found[name])) for name, inner in named.items())


def recorded(source: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield id and request of each recording with functions or with the form of an answer."""
    for folder in (ROWS[source].folder, *ROWS[source].compatible):
        for line in corpus.lines(folder, "request"):
            if line["id"] not in ROWS[source].unreadable:
                request = decode(source, "request", line["body"])
                if request.get("tools") or "schema" in request.get("response_format", {}):
                    yield line["id"], request


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), list(itertools.permutations(DIALECTS, 2)))
def test_every_recorded_schema_is_accepted_and_keeps_its_names(source: str, target: str) -> None:
    wrong = {}
    for identifier, request in recorded(source):
        functions = [tool for tool in request.get("tools", ()) if tool["type"] == "function"]
        for function in functions:
            alone = {**request, "tools": [function], "messages": asked()["messages"]}
            alone.pop("tool_choice", None)
            body = encode(target, "request", alone)[0]
            schema = tool_schema(body)
            if schema is None:
                continue
            Draft202012Validator.check_schema(schema)
            if not same_names(function.get("parameters"), schema):
                wrong[identifier] = "names"
            refused = [one for one in il.check_request(body, target) if one.code == "schema"]
            if refused:
                wrong[identifier] = repr(refused)
    assert wrong == {}


# --- any schema -------------------------------------------------------------------------------------------------------

SCALARS: Final = st.one_of(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["string", "STRING"])},
        optional={
            "minLength": st.integers(0, 3),
            "pattern": st.sampled_from(["^a$", "(?!x)y"]),
            "format": st.sampled_from(["date", "byte", "uri"]),
            "nullable": st.booleans(),
            "default": st.sampled_from(["a", None]),
            "description": st.just("Words."),
        },
    ),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["integer", "number", "NUMBER"])},
        optional={"minimum": st.integers(-3, 3), "multipleOf": st.just(2), "exclusiveMaximum": st.booleans()},
    ),
    st.just({"const": 1}),
    st.just({"$ref": "#/$defs/x", "description": "Beside."}),
    st.just({"enum": ["p", "q"]}),
    st.just({"type": "array"}),
)


def deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return schemas that hold others."""
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.sampled_from(["object", "OBJECT"])},
            optional={
                "properties": st.dictionaries(st.sampled_from(["b", "c", "nullable", "type"]), inner, max_size=3),
                "additionalProperties": st.booleans(),
                "maxProperties": st.just(2),
            },
        ),
        st.builds(lambda items: {"type": "array", "items": items, "minItems": 2}, inner),
        st.builds(lambda items: {"type": "array", "items": items}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(
            lambda name, parts: {name: parts},
            st.sampled_from(["anyOf", "oneOf", "allOf"]),
            st.lists(inner, min_size=1, max_size=2),
        ),
    )


SCHEMAS: Final = st.builds(
    lambda named: {"type": "object", "properties": named, "$defs": {"x": {"type": "string", "maxLength": 1}}},
    st.dictionaries(st.sampled_from(["a", "b", "format"]), st.recursive(SCALARS, deeper, max_leaves=5), max_size=3),
)


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("strict", [True, False])
def test_any_schema_is_accepted_stays_valid_and_keeps_its_names(target: str, *, strict: bool) -> None:
    @settings(max_examples=60, deadline=None)
    @given(SCHEMAS)
    def check(schema: dict[str, Any]) -> None:
        before = copy.deepcopy(schema)
        encoded = il.encode_request(with_tool(schema, strict=strict), target)
        written = tool_schema(encoded.body)
        assert schema == before
        Draft202012Validator.check_schema(written)
        assert list(written["properties"]) == list(schema["properties"])
        assert [one for one in il.check_request(encoded.body, target) if one.code == "schema"] == []
        if target not in {"gemini", "vllm", "ollama"}:
            again = il.encode_request(with_tool(written, strict=strict), target).body
            assert tool_schema(again) == written

    check()


@pytest.mark.parametrize("allowed", [5, "a", True])
@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("strict", [True, False])
def test_an_enum_that_is_not_a_list_is_described_in_words(target: str, allowed: Any, *, strict: bool) -> None:
    schema = one({"type": "string", "enum": allowed})
    encoded = il.encode_request(with_tool(schema, strict=strict), target)
    said = {"type": "string", "description": f"Limits: enum {json.dumps(allowed)}"}
    assert tool_schema(encoded.body)["properties"] == {"a": said}
    assert "/tools/0/parameters/properties/a" in {loss.path for loss in encoded.losses}


@pytest.mark.parametrize(
    ("said", "sent"),
    [
        ({"type": "str"}, {"type": "string"}),
        ({"type": "Integer"}, {"type": "integer"}),
        ({"type": "float"}, {"type": "number"}),
        ({"type": "dict"}, {"type": "object"}),
        ({"type": ["str", "int", "long", "none"]}, {"type": ["string", "integer", "null"]}),
        ({"type": "list", "items": {"type": "bool"}}, {"type": "array", "items": {"type": "boolean"}}),
        ({"type": "date"}, {"description": 'Limits: type "date"'}),
        ({"type": ""}, {"description": 'Limits: type ""'}),
        ("int", {"type": "integer"}),
        ({"type": "list", "items": "str"}, {"type": "array", "items": {"type": "string"}}),
        ("the city", {"description": "the city"}),
        ({"type": "string", "maxLength": "10"}, {"type": "string", "maxLength": 10}),
        ({"type": "string", "minLength": -1}, {"type": "string", "description": "Limits: minLength -1"}),
        ({"type": "number", "maximum": "ten"}, {"type": "number", "description": 'Limits: maximum "ten"'}),
        ({"type": "object", "properties": []}, {"type": "object", "description": "Limits: properties []"}),
        ({"anyOf": []}, {"description": "Limits: anyOf []"}),
        ({"type": "string", "title": 5}, {"type": "string", "description": "Limits: title 5"}),
        ({"type": "string", "description": ["a"]}, {"type": "string", "description": 'Limits: description ["a"]'}),
    ],
)
@pytest.mark.parametrize("target", DIALECTS)
def test_an_invalid_json_schema_is_made_valid_and_reported(target: str, said: Any, sent: Any) -> None:
    schema = {"type": "object", "properties": {"a": said}}
    encoded = il.encode_request(with_tool(schema, strict=False), target)
    assert sent.items() <= tool_schema(encoded.body)["properties"]["a"].items()  # Ollama is told limits in words, too
    Draft202012Validator.check_schema(tool_schema(encoded.body))
    assert any(loss.path.startswith("/tools/0/parameters") for loss in encoded.losses)
    assert not [one for one in il.check_request(encoded.body, target) if one.code == "schema"]


@pytest.mark.parametrize("target", ["claude", "openai_chat", "openai_responses"])
@pytest.mark.parametrize(("keyword", "value"), [("type", "str"), ("minItems", "1"), ("enum", 5), ("description", 5)])
def test_a_keyword_with_an_invalid_value_is_a_violation(target: str, keyword: str, value: Any) -> None:
    body = il.encode_request(with_tool({"type": "object", "properties": {}}, strict=False), target).body
    tool_schema(body)["properties"]["a"] = {keyword: value}
    (found,) = [one.path for one in il.check_request(body, target) if one.code == "schema"]
    assert found.endswith(f"/properties/a/{keyword}")


def test_a_schema_that_has_been_adapted_already_is_not_described_again() -> None:
    encoded = il.encode_request(with_tool(one({"type": "string", "format": "date"}), strict=False), "ollama")
    (described,) = [member["description"] for member in tool_schema(encoded.body)["properties"].values()]
    assert described == 'Limits: format "date"'
    assert il.exchange(encoded.body, "ollama", "ollama", fit=True).body["tools"] == encoded.body["tools"]
