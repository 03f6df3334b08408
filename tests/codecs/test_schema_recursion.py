"""References as Gemini follows them: to `$defs` at the root, and never from a schema to itself without end."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

FORM: Final = "/response_format/schema"
MODEL: Final = "gemini-3.8-flash"


def translated(schema: dict[str, Any]) -> il.Encoded:
    return il.translate_request(
        {
            "model": "gpt-5",
            "messages": [{"role": "user", "content": "Hello"}],
            "response_format": {"type": "json_schema", "json_schema": {"name": "o", "schema": schema, "strict": True}},
        },
        "openai_chat",
        "gemini",
        model=MODEL,
    )


def form_of(encoded: il.Encoded) -> dict[str, Any]:
    found: dict[str, Any] = encoded.body["generationConfig"]["responseJsonSchema"]
    return found


def changes(encoded: il.Encoded) -> set[str]:
    return {loss.path.removeprefix(FORM) for loss in encoded.losses if loss.path.startswith(FORM)}


def test_definitions_as_openais_helper_for_zod_writes_them_become_defs() -> None:
    kind = {"type": "string", "enum": ["x", "y"]}
    many = {"type": "array", "items": {"$ref": "#/definitions/Kind"}}
    encoded = translated(
        {
            "type": "object",
            "properties": {"one": {"$ref": "#/definitions/Kind"}, "many": many},
            "required": ["one", "many"],
            "additionalProperties": False,
            "definitions": {"Kind": kind},
        }
    )
    assert form_of(encoded) == {
        "type": "object",
        "properties": {
            "one": {"$ref": "#/$defs/Kind"},
            "many": {"type": "array", "items": {"$ref": "#/$defs/Kind"}},
        },
        "required": ["one", "many"],
        "additionalProperties": False,
        "$defs": {"Kind": kind},
    }
    assert changes(encoded) == {"/definitions", "/properties/one/$ref", "/properties/many/items/$ref"}


def test_what_is_referred_to_elsewhere_becomes_a_definition_with_a_name_of_its_own() -> None:
    encoded = translated(
        {
            "type": "object",
            "properties": {
                "a": {"type": "string", "maxLength": 3},
                "b": {"$ref": "#/properties/a"},
                "c": {
                    "type": "object",
                    "properties": {"d": {"$ref": "#/$defs/a"}},
                    "$defs": {"a": {"type": "integer"}},
                },
            },
        }
    )
    form = form_of(encoded)
    assert form["properties"]["c"] == {"type": "object", "properties": {"d": {"$ref": "#/$defs/a"}}}
    assert form["properties"]["b"] == {"$ref": "#/$defs/a_2"}
    assert form["$defs"] == {"a": {"type": "integer"}, "a_2": form["properties"]["a"]}


def test_a_reference_at_the_root_is_replaced_by_what_it_names() -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}}
    assert form_of(translated({"$ref": "#/$defs/Tree", "$defs": {"Tree": tree}})) == {**tree, "$defs": {"Tree": tree}}


@pytest.mark.parametrize(
    "following",
    [
        pytest.param({"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}, id="may be null"),
        pytest.param({"$ref": "#/$defs/Node"}, id="bare"),
        pytest.param(
            {"type": "array", "items": {"$ref": "#/$defs/Node"}, "minItems": 1}, id="a list that is not empty"
        ),
        pytest.param({"type": ["array", "null"], "items": {"$ref": "#/$defs/Node"}}, id="a list or null"),
    ],
)
def test_a_member_by_which_a_schema_contains_itself_is_no_longer_required(following: dict[str, Any]) -> None:
    node = {"type": "object", "properties": {"value": {"type": "number"}, "next": following}}
    encoded = translated(
        {
            "type": "object",
            "properties": {"first": {"$ref": "#/$defs/Node"}},
            "required": ["first"],
            "$defs": {"Node": {**node, "required": ["value", "next"]}},
        }
    )
    form = form_of(encoded)
    assert form["required"] == ["first"]
    assert form["$defs"]["Node"]["required"] == ["value"]
    assert changes(encoded) == {"/$defs/Node/required"}


@pytest.mark.parametrize(
    "children",
    [
        pytest.param({"type": "array", "items": {"$ref": "#"}}, id="a list"),
        pytest.param({"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "null"}]}, id="a list, or null"),
    ],
)
def test_a_schema_that_contains_itself_in_a_list_that_may_be_empty_stays(children: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"children": children}, "required": ["children"]}
    encoded = translated(schema)
    assert form_of(encoded) == schema
    assert changes(encoded) == set()


def test_of_two_schemas_that_contain_each_other_one_member_is_no_longer_required() -> None:
    def holding(name: str) -> dict[str, Any]:
        return {"type": "object", "properties": {"x": {"$ref": f"#/$defs/{name}"}}, "required": ["x"]}

    form = form_of(translated({**holding("A"), "$defs": {"A": holding("B"), "B": holding("A")}}))
    assert form["required"] == form["$defs"]["A"]["required"] == ["x"]
    assert "required" not in form["$defs"]["B"]


def test_any_json_value_as_the_argument_of_a_tool_names_what_no_member_leads_to() -> None:
    value = {
        "anyOf": [
            {"type": "string"},
            {"type": "array", "items": {"$ref": "#/$defs/Json"}},
            {"type": "object", "additionalProperties": {"$ref": "#/$defs/Json"}},
        ]
    }
    tool = {"name": "f", "input_schema": {"type": "object", "properties": {"v": {"$ref": "#/$defs/Json"}}}}
    tool["input_schema"] |= {"$defs": {"Json": value}, "required": ["v"]}  # type: ignore[operator]
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}], "tools": [tool]}
    encoded = il.translate_request(body, "claude", "gemini", model=MODEL)
    schema = encoded.body["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"]
    assert schema["$defs"]["Json"]["anyOf"] == [
        *value["anyOf"][:2],
        {"type": "object", "additionalProperties": {"description": "as above: Json"}},
    ]
    assert [loss.path for loss in encoded.losses if loss.code == "tool"] == [
        "/tools/0/parameters/$defs/Json/anyOf/2/additionalProperties/$ref"
    ]
    assert il.check_request(encoded.body, "gemini") == []


def test_what_gemini_does_not_follow_is_a_violation() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/definitions/Node"}}, "required": ["next"]}
    schema = {"type": "object", "properties": {"n": {"$ref": "#/definitions/Node"}}, "definitions": {"Node": node}}
    body = {
        "contents": [{"role": "user", "parts": [{"text": "Hello"}]}],
        "tools": [{"functionDeclarations": [{"name": "f", "parametersJsonSchema": schema}]}],
        "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": schema},
    }
    form, function = "/generationConfig/responseJsonSchema", "/tools/0/functionDeclarations/0/parametersJsonSchema"
    endless = "/definitions/Node/properties/next/$ref"
    assert sorted((one.code, one.path) for one in il.check_request(body, "gemini")) == sorted(
        [
            ("schema", f"{form}/properties/n/$ref"),
            ("schema", f"{form}{endless}"),
            ("schema", f"{form}{endless}"),
            ("schema", f"{function}{endless}"),
        ]
    )


def test_a_chain_of_many_definitions_is_followed_without_recursion() -> None:
    count = 3000
    named = {
        f"d{at}": {"type": "object", "properties": {"x": {"$ref": f"#/$defs/d{(at + 1) % count}"}}, "required": ["x"]}
        for at in range(count)
    }
    form = form_of(translated({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": named}))
    assert [name for name, one in form["$defs"].items() if "required" not in one] == [f"d{count - 1}"]
