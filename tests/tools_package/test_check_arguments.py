"""Arguments are judged by the definition of their tool, and read as it means them."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

import interlingua as il
from interlingua.tools import check_arguments, read_arguments
from interlingua.violation import VIOLATION_CODES
from interlingua_types._base import InvalidArgumentError
from support.cost import grows_at_most, seconds

SECRET: Final = "SECRET"  # noqa: S105  # what must not be shown
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "pattern": "^/", "maxLength": 20},
        "mode": {"enum": ["r", "w"]},
        "lines": {
            "type": "array",
            "items": {"type": "object", "properties": {"at": {"type": "integer", "minimum": 1}}},
        },
    },
    "required": ["path"],
    "additionalProperties": False,
}


def tool(parameters: Any = SCHEMA, *, strict: bool = True) -> il.ToolDefinition:
    return il.ToolDefinition(name="f", parameters=parameters, strict=strict)


def call(arguments: Any) -> il.ToolCall:
    return il.ToolCall(name="f", arguments=arguments)


def told(arguments: Any, parameters: Any = SCHEMA) -> list[tuple[str, str]]:
    found = check_arguments(call(arguments), tool(parameters))
    assert SECRET not in str(found)
    assert {one.code for one in found} <= VIOLATION_CODES
    return [(one.code, one.path) for one in found]


@pytest.mark.parametrize("arguments", [{"path": "/a"}, '{"path": "/a", "mode": "r", "lines": [{"at": 1}, {}]}'])
def test_valid_arguments_are_accepted(arguments: Any) -> None:
    assert told(arguments) == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, [("required", "/path")]),
        ("", [("required", "/path")]),
        (" \n", [("required", "/path")]),
        ("null", [("required", "/path")]),
        ({"path": 1}, [("shape", "/path")]),
        ({"path": SECRET}, [("arguments", "/path")]),
        ({"path": "/" + SECRET * 5}, [("limit", "/path")]),
        ({"path": "/a\n"}, []),
        ({"path": "/a", "mode": SECRET}, [("arguments", "/mode")]),
        ({"path": "/a", SECRET: 1}, [("member", "")]),
        (
            {"path": "/a", "lines": [{}, {"at": 0}, {"at": "SECRET"}]},
            [("limit", "/lines/1/at"), ("shape", "/lines/2/at")],
        ),
        ("{", [("arguments", "")]),
        ("[1]", [("arguments", "")]),
        ('"SECRET"', [("arguments", "")]),
        ('{"path": NaN}', [("arguments", "")]),
        ("[" * 100_000, [("arguments", "")]),
        ('{"path":' * 100_000, [("arguments", "")]),
        ('{"path": "/a", "path": "/b"}', [("arguments", "")]),
        ('{"path": "/a", "lines": [{"at": 1, "at": 2}]}', [("arguments", "")]),
    ],
)
def test_invalid_arguments_are_reported_with_code_and_path(arguments: Any, expected: list[Any]) -> None:
    assert sorted(told(arguments)) == sorted(expected)


def test_a_number_keeps_its_value_however_long_it_is() -> None:
    text = '{"n": 123456789012345678901234567890}'
    schema = {"type": "object", "properties": {"n": {"const": 123456789012345678901234567890}}}
    assert told(text, schema) == []
    assert read_arguments(call(text), tool(schema)) == {"n": 123456789012345678901234567890}
    assert told('{"n": 123456789012345678901234567891}', schema) == [("arguments", "/n")]
    # Python itself refuses so many digits; a number beyond the largest is none.
    assert told('{"n": ' + "9" * 5000 + "}", schema) == told('{"n": 1e999}', schema) == [("arguments", "")]


def test_at_most_ten_violations_are_reported() -> None:
    schema = {"type": "object", "additionalProperties": {"type": "integer"}}
    assert len(told({str(at): "x" for at in range(50)}, schema)) == 10


def test_a_call_of_another_tool_is_reported() -> None:
    found = check_arguments(il.ToolCall(name="g", arguments={}), tool())
    assert [(one.code, one.path) for one in found] == [("name", "")]


@pytest.mark.parametrize("parameters", [None, {}])
def test_a_tool_without_parameters_accepts_any_object(parameters: Any) -> None:
    assert told({"a": 1}, parameters) == []
    assert told("[]", parameters) == [("arguments", "")]


# --- definitions of strangers -----------------------------------------------------------------------------------------


def doubling(depth: int) -> dict[str, Any]:
    """Return a small schema whose references double at every step."""
    steps: dict[str, Any] = {
        f"a{at}": {"allOf": [{"$ref": f"#/$defs/a{at + 1}"}, {"$ref": f"#/$defs/a{at + 1}"}]} for at in range(depth)
    }
    return {"$ref": "#/$defs/a0", "$defs": {**steps, f"a{depth}": {}}}


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(depth):
        schema = {"properties": {"a": schema}}
    return schema


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        ({"type": 5}, "schema"),
        ({"$schema": 5}, "schema"),
        ({"properties": 3}, "schema"),
        ({"required": 5}, "schema"),
        ({"multipleOf": 0}, "schema"),
        ({"$ref": "http://schemas.invalid/a"}, "schema"),
        ({"$ref": "file:///etc/passwd"}, "schema"),
        ({"$id": "http://schemas.invalid/a", "$ref": "b"}, "schema"),
        ({"$ref": "#/$defs/none"}, "schema"),
        ({"$ref": "#/title", "title": "x"}, "schema"),
        ({"$ref": "#"}, "limit"),
        (doubling(40), "schema"),
        (nested(20_000), "limit"),
        ({"properties": {"a": {"const": nested(20_000)}}}, "limit"),
    ],
)
def test_an_invalid_schema_is_reported_and_nothing_is_fetched(schema: dict[str, Any], code: str) -> None:
    def judge() -> None:
        assert told({"a": SECRET, "b": None}, schema) == [(code, "")]

    assert seconds(judge) < 20


@pytest.mark.parametrize(
    ("schema", "arguments", "expected"),
    [
        ({"properties": {"a": {"pattern": "^(a+)+$"}}}, {"a": "a" * 50 + "!"}, [("arguments", "/a")]),
        ({"patternProperties": {"^(a+)+$": False}}, {"a" * 50 + "!": 1}, []),
        ({"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False}, {"a" * 50 + "!": 1}, [("member", "")]),
        ({"propertyNames": {"pattern": "^(a+)+$"}}, {"a" * 50 + "!": 1}, [("arguments", "")]),
        ({"properties": {"a": {"pattern": "^(?=a)(a+)+$"}}}, {"a": "a" * 50 + "!"}, []),
        ({"unevaluatedProperties": False, "patternProperties": {"^(a+)+$": {}}}, {"a" * 50 + "!": 1}, []),
    ],
)
def test_no_pattern_takes_exponential_time(
    schema: dict[str, Any], arguments: dict[str, Any], expected: list[Any]
) -> None:
    def judge() -> None:
        assert told(arguments, schema) == expected

    assert seconds(judge) < 5


@pytest.mark.parametrize(
    ("items", "is_unique"),
    [
        ([], True),
        ([1, 1.0], False),
        ([1, True, "1", None, [], {}, [1], [[1]], {"a": 1}], True),
        ([{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}], False),
        ([[True], [1]], True),
        ([0, False], True),
        ([{}, []], True),
    ],
)
def test_items_are_compared_as_json_values(items: list[Any], is_unique: bool) -> None:
    found = told({"a": items}, {"properties": {"a": {"uniqueItems": True}}})
    assert found == ([] if is_unique else [("arguments", "/a")])
    assert told({"a": items}, {"properties": {"a": {"uniqueItems": False}}}) == []


def test_many_objects_are_compared_in_linear_time() -> None:
    items = [{"a": number} for number in range(10_000)]
    assert seconds(lambda: told({"a": items}, {"properties": {"a": {"uniqueItems": True}}})) < 5


def test_pattern_properties_are_applied() -> None:
    schema = {"patternProperties": {"^n_": {"type": "integer"}}, "additionalProperties": {"type": "string"}}
    assert told({"n_a": 1, "b": "x"}, schema) == []
    assert told({"n_a": "x", "b": 1}, schema) == [("shape", "/n_a"), ("shape", "/b")]


@pytest.mark.parametrize(
    ("value", "step", "is_multiple"),
    [
        (19.99, 0.01, True),
        (0.3, 0.1, True),
        (4.35, 0.01, True),
        (-1.1, 0.1, True),
        (1.1, 1e-1, True),
        (9, 3, True),
        (9.0, 3, True),
        (0, 0.1, True),
        (2**70, 2, True),
        (1e300, 1e-300, True),
        (19.995, 0.01, False),
        (0.35, 0.1, False),
        (10, 3, False),
        (2**70 + 1, 2, False),
        (1, 1e300, False),
        (10**400, 10, True),
        (float("inf"), 1, False),
        ("a", 2, True),
        (True, 2, True),
    ],
)
def test_multiple_of_uses_exact_decimals(value: Any, step: Any, *, is_multiple: bool) -> None:
    expected = [] if is_multiple else [("arguments", "/a")]
    assert told({"a": value}, {"properties": {"a": {"multipleOf": step}}}) == expected


def test_a_decimal_price_is_passed_to_the_function() -> None:
    def order(price: Annotated[float, Field(multiple_of=0.01)]) -> float:
        """Order."""
        return price

    request = il.messages.tool_request(il.ToolCall.create("order", {"price": 19.99}, "call_1"), status="approved")
    (result,) = il.tools.ToolExecutor([il.tools.Tool.from_function(order)]).run(request)
    assert (result.data.status, result.data.output) == ("success", 19.99)


def test_a_schema_of_an_older_draft_is_applied_by_its_own_rules() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"pair": {"items": [{"type": "integer"}, {"$ref": "#/definitions/text"}]}},
        "definitions": {"text": {"type": "string"}},
    }
    assert told({"pair": [1, "a"]}, schema) == []
    assert told({"pair": ["a", 1]}, schema) == [("shape", "/pair/0"), ("shape", "/pair/1")]


JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
KEYWORDS: Final = st.sampled_from([
    "type", "properties", "required", "items", "anyOf", "oneOf", "allOf", "$ref", "$defs", "enum", "const", "not",
    "pattern", "patternProperties", "additionalProperties", "minimum", "maxItems", "uniqueItems", "$schema", "$id",
    "unevaluatedProperties", "prefixItems", "contains", "if", "then", "$dynamicRef", "$anchor",
])  # fmt: skip
SCHEMAS: Final = st.recursive(
    JSON | st.just({"$ref": "#"}) | st.just({"type": "object"}),
    lambda inner: st.dictionaries(KEYWORDS, inner | st.lists(inner, max_size=2), max_size=3),
    max_leaves=12,
)


@given(
    schema=st.dictionaries(KEYWORDS, SCHEMAS, max_size=4),
    arguments=st.dictionaries(st.text(max_size=5), JSON, max_size=3),
    strict=st.booleans(),
)
def test_any_schema_can_check_any_arguments(schema: dict[str, Any], arguments: dict[str, Any], *, strict: bool) -> None:
    for violation in check_arguments(call(arguments), tool(schema, strict=strict)):
        assert violation.code in VIOLATION_CODES


# --- null for what is not said ----------------------------------------------------------------------------------------

OPTIONAL: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "needed": {"type": "integer"},
        "plain": {"type": "integer"},
        "maybe": {"type": ["integer", "null"]},
        "either": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "word": {"enum": ["a", None]},
        "fixed": {"const": "a"},
        "anything": {},
        "node": {"$ref": "#/$defs/node"},
        "nodes": {"type": "array", "items": {"$ref": "#/$defs/node"}},
        "shape": {
            "anyOf": [
                {"type": "object", "properties": {"kind": {"const": "a"}, "size": {"type": "integer"}}},
                {"type": "object", "properties": {"kind": {"const": "b"}, "size": {"type": "null"}}},
            ]
        },
    },
    "required": ["needed"],
    "$defs": {
        "node": {"type": "object", "properties": {"value": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}}}
    },
}


def test_null_for_an_optional_member_is_removed_from_a_strict_call() -> None:
    said = dict.fromkeys(OPTIONAL["properties"], None)
    kept = {"needed": None, "maybe": None, "either": None, "word": None, "anything": None}
    assert read_arguments(call(said), tool(OPTIONAL)) == kept
    assert told(said, OPTIONAL) == [("shape", "/needed")]
    loose = tool(OPTIONAL, strict=False)
    assert read_arguments(call(said), loose) == said
    assert {one.path for one in check_arguments(call(said), loose)} >= {"/needed", "/plain", "/fixed", "/node"}


def test_null_for_an_optional_member_is_removed_at_any_depth() -> None:
    node = {"value": None, "next": {"value": 1, "next": None}}
    said = {"needed": 1, "node": node, "nodes": [node, {"value": None, "next": None}]}
    clean = {"next": {"value": 1}}
    assert read_arguments(call(said), tool(OPTIONAL)) == {"needed": 1, "node": clean, "nodes": [clean, {}]}
    # What was given is not changed.
    assert node == {"value": None, "next": {"value": 1, "next": None}}


def test_a_null_is_judged_by_the_matching_alternative() -> None:
    for kind, kept in (("a", {"kind": "a"}), ("b", {"kind": "b", "size": None})):
        said = {"needed": 1, "shape": {"kind": kind, "size": None}}
        assert read_arguments(call(said), tool(OPTIONAL))["shape"] == kept


@pytest.mark.parametrize("others", [{}, {"none": None}])
def test_cyclic_arguments_are_checked_completely(others: dict[str, Any]) -> None:
    endless: dict[str, Any] = {**others}
    endless["again"] = endless
    definition = il.ToolDefinition(name="f", description="d", parameters={"type": "object"}, strict=True)
    call = il.ToolCall(id="a", name="f", arguments={"x": endless})
    assert check_arguments(call, definition) == []
    assert set(read_arguments(call, definition)) == {"x"}


def test_arguments_of_any_depth_are_read() -> None:
    deep: dict[str, Any] = {}
    for _ in range(20_000):
        deep = {"next": deep}
    schema = {"type": "object", "properties": {"next": {"$ref": "#"}}}
    assert read_arguments(call(deep), tool(schema)) is not None
    assert told(deep, schema) == [("limit", "")]


@pytest.mark.parametrize("text", ["[1]", "{", '{"a": 1, "a": 2}'])
def test_arguments_that_are_not_an_object_are_refused(text: str) -> None:
    with pytest.raises(InvalidArgumentError):
        read_arguments(call(text), tool())


def test_many_patterns_of_members_are_compiled_once() -> None:
    def check(patterns: int, names: int) -> list[str]:
        by_pattern = {f"^a{number}$": {"type": "string"} for number in range(patterns)}
        schema = {"type": "object", "patternProperties": by_pattern, "additionalProperties": False}
        call = il.ToolCall(name="f", arguments={f"b{number}": 1 for number in range(names)})
        return [one.code for one in check_arguments(call, il.ToolDefinition(name="f", parameters=schema))]

    assert check(300, 2) == ["member"]
    assert grows_at_most(lambda: check(200, 600), lambda: check(300, 400), 8)


def test_unique_numbers_with_one_hash_are_compared_in_linear_time() -> None:
    def check(count: int) -> list[tuple[str, str]]:
        numbers = [number * sys.hash_info.modulus for number in range(1, count)]
        return told({"a": numbers}, {"properties": {"a": {"uniqueItems": True}}})

    assert check(10) == []
    assert grows_at_most(lambda: check(1_500), lambda: check(6_000), 8)
