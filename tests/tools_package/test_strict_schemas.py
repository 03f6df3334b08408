"""A strict tool is closed for the providers that enforce its schema, whatever type it was made from."""

from __future__ import annotations

import copy
import dataclasses
import enum
import itertools
import json
from typing import Annotated, Any, Final, Literal, NamedTuple, NotRequired

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field, TypeAdapter, create_model
from typing_extensions import TypedDict

import interlingua as il
from interlingua.tools import check_arguments, read_arguments
from support.bodies import DIALECTS

CLOSING: Final = ("openai_chat", "openai_responses", "claude")
COMPLETING: Final = ("openai_chat", "openai_responses")


def asking(*tools: il.ToolDefinition, **members: Any) -> il.ChatRequest:
    message = il.UserChatMessage(content="Go.")
    return il.ChatRequest(model="m", max_tokens=100, messages=(message,), tools=tools, **members)


def wire_tools(body: dict[str, Any], dialect: str) -> list[tuple[Any, Any]]:
    """Return the schema of each tool of a body, and what it says of being strict."""
    if dialect == "claude":
        return [(tool["input_schema"], tool.get("strict")) for tool in body["tools"]]
    tools = [tool.get("function", tool) for tool in body["tools"]]
    return [(tool["parameters"], tool.get("strict")) for tool in tools]


def objects_in(schema: Any) -> list[dict[str, Any]]:
    """Return the schemas of objects anywhere in a schema."""
    if isinstance(schema, list):
        return [found for one in schema for found in objects_in(one)]
    if not isinstance(schema, dict):
        return []
    kinds = schema.get("type")
    here = [schema] if kinds == "object" or (isinstance(kinds, list) and "object" in kinds) else []
    return here + [found for one in schema.values() for found in objects_in(one)]


class Step(BaseModel):
    do: str
    times: int = 1


class Plan(BaseModel):
    title: str
    first: Step
    steps: list[Step] = []
    last: Step | None = None
    either: Step | int = 0


PLAN: Final = il.ToolDefinition.from_type(Plan, name="plan", description="Plans.")
# As 004 takes it: made by hand, and open.
OPEN: Final = il.ToolDefinition.create("plan", "Plans.", Plan.model_json_schema())


@pytest.mark.requirement("FR-004a-84")
@pytest.mark.parametrize("tool", [PLAN, OPEN], ids=["from a type", "by hand"])
@pytest.mark.parametrize("dialect", CLOSING)
def test_a_strict_tool_refuses_undeclared_members_at_every_depth(dialect: str, tool: il.ToolDefinition) -> None:
    encoded = il.encode_request(asking(tool), dialect)
    ((schema, strict),) = wire_tools(encoded.body, dialect)
    assert strict is True
    assert len(objects_in(schema)) == 2
    assert all(one["additionalProperties"] is False for one in objects_in(schema))
    assert il.check_request(encoded.body, dialect) == []


@pytest.mark.requirement("FR-004a-84")
def test_a_schema_from_a_type_is_closed_if_strict_and_open_otherwise() -> None:
    assert all(one["additionalProperties"] is False for one in objects_in(PLAN.parameters))
    loose = il.ToolDefinition.from_type(Plan, name="plan", description="Plans.", strict=False)
    assert not any("additionalProperties" in one for one in objects_in(loose.parameters))
    assert il.encode_request(asking(PLAN), "claude").losses == ()


@pytest.mark.requirement("FR-004a-84")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_tool_that_is_not_strict_is_written_unchanged(dialect: str) -> None:
    loose = OPEN.replace(strict=False)
    paths = {loss.path for loss in il.encode_request(asking(loose), dialect).losses}
    if dialect != "ollama":  # which tells each keyword that it drops
        assert not any(path.startswith("/tools/0/parameters") for path in paths)
    if dialect in CLOSING:
        ((schema, _),) = wire_tools(il.encode_request(asking(loose), dialect).body, dialect)
        assert schema == OPEN.parameters


@pytest.mark.parametrize("dialect", CLOSING)
def test_within_the_dialect_a_strict_tool_is_unchanged(dialect: str) -> None:
    body = il.encode_request(asking(OPEN.replace(strict=False)), dialect).body
    for tool in body["tools"]:
        tool.get("function", tool)["strict"] = True
    again = il.encode_request(il.decode_request(body, dialect), dialect)
    assert (again.body, again.losses) == (body, ())


@pytest.mark.parametrize("dialect", COMPLETING)
def test_optional_members_become_nullable_and_every_change_is_reported(dialect: str) -> None:
    encoded = il.encode_request(asking(PLAN), dialect)
    ((schema, _),) = wire_tools(encoded.body, dialect)
    step = {
        "type": "object",
        "properties": {"do": {"type": "string"}, "times": {"type": ["integer", "null"], "description": "Default: 1"}},
        "required": ["do", "times"],
        "additionalProperties": False,
    }
    assert schema == {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "first": {"$ref": "#/$defs/Step"},
            "steps": {"type": ["array", "null"], "items": {"$ref": "#/$defs/Step"}, "description": "Default: []"},
            "last": {"anyOf": [{"$ref": "#/$defs/Step"}, {"type": "null"}]},
            "either": {
                "anyOf": [{"$ref": "#/$defs/Step"}, {"type": "integer"}, {"type": "null"}],
                "description": "Default: 0",
            },
        },
        "required": ["title", "first", "steps", "last", "either"],
        "additionalProperties": False,
        "$defs": {"Step": step},
    }
    below = "/tools/0/parameters"
    assert {(loss.path, loss.severity) for loss in encoded.losses} == {
        (f"{below}/required", "changed"),
        (f"{below}/properties/steps", "changed"),
        (f"{below}/properties/either", "changed"),
        (f"{below}/$defs/Step/required", "changed"),
        (f"{below}/$defs/Step/properties/times", "changed"),
    }


REFERENCE: Final = {"$ref": "#/$defs/x"}


@pytest.mark.parametrize(
    ("member", "expected", "told"),
    [
        ({"type": "string"}, {"type": ["string", "null"]}, {""}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}, set()),
        ({"type": "null"}, {"type": "null"}, set()),
        ({}, {}, set()),
        (True, True, set()),
        ({"enum": ["a", None]}, {"type": ["string", "null"], "enum": ["a", None]}, {"/type"}),
        ({"const": None}, {"type": "null", "const": None}, {"/type"}),
        ({"const": "null"}, {"anyOf": [{"type": "string", "const": "null"}, {"type": "null"}]}, {"", "/type"}),
        (
            {"type": "string", "enum": ["a"], "description": "d"},
            {"description": "d", "anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]},
            {""},
        ),
        (REFERENCE, {"anyOf": [REFERENCE, {"type": "null"}]}, {""}),
        (
            {**REFERENCE, "description": "d", "default": None},
            {"description": "d", "anyOf": [REFERENCE, {"type": "null"}]},
            {"", "/default"},
        ),
        (
            {"oneOf": [REFERENCE, {"type": "integer"}], "title": "t"},
            {"anyOf": [REFERENCE, {"type": "integer"}, {"type": "null"}], "title": "t"},
            {"", "/oneOf"},
        ),
        (
            {"anyOf": [REFERENCE, {"type": "null"}], "default": None},
            {"anyOf": [REFERENCE, {"type": "null"}]},
            {"/default"},
        ),
        ({"allOf": [REFERENCE]}, {"anyOf": [{"anyOf": [REFERENCE]}, {"type": "null"}]}, {"", "/allOf"}),
    ],
)
def test_each_kind_of_optional_member_becomes_nullable_for_openai(member: Any, expected: Any, told: set[str]) -> None:
    schema = {"type": "object", "properties": {"a~/b": member}, "$defs": {"x": {"type": "string"}}}
    before = copy.deepcopy(schema)
    encoded = il.encode_request(asking(il.ToolDefinition.create("f", "F.", schema)), "openai_chat")
    ((closed, _),) = wire_tools(encoded.body, "openai_chat")
    assert closed["properties"]["a~/b"] == expected
    place = "/tools/0/parameters/properties/a~0~1b"
    paths = {loss.path.removeprefix(place) for loss in encoded.losses if loss.path.startswith(place)}
    assert paths == told
    assert il.check_request(encoded.body, "openai_chat") == []
    assert schema == before


def test_a_required_reference_stays_a_plain_reference() -> None:
    member = {**REFERENCE, "description": "d"}
    schema = {
        "type": "object",
        "properties": {"a": member},
        "required": ["a"],
        "$defs": {"x": {"type": "string"}},
        "additionalProperties": True,
    }
    encoded = il.encode_request(asking(il.ToolDefinition.create("f", "F.", schema)), "openai_chat")
    ((closed, _),) = wire_tools(encoded.body, "openai_chat")
    assert closed["properties"]["a"] == {"anyOf": [REFERENCE], "description": "d"}
    assert {(loss.path.removeprefix("/tools/0/parameters"), loss.severity) for loss in encoded.losses} == {
        ("/additionalProperties", "changed"),
        ("/properties/a/$ref", "changed"),
    }


def one_member(member: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": member}}


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = one_member(schema)
    return schema


PART: Final = one_member({"type": "string"})


@pytest.mark.parametrize("dialect", CLOSING)
@pytest.mark.parametrize(
    "schema",
    [
        one_member({"type": "object", "additionalProperties": {"type": "integer"}}),
        one_member({"type": "object", "additionalProperties": True}),
        one_member({"type": "object"}),
        one_member({"type": ["object", "null"]}),
        one_member({"type": "object", "patternProperties": {"^a": {}}}),
        one_member({"allOf": [PART, PART]}),
        one_member({"not": PART}),
        one_member({"if": PART, "then": PART}),
        one_member({**PART, "anyOf": [{"required": ["a"]}]}),
        {**one_member({"$ref": "#/$defs/x", "properties": {}}), "$defs": {"x": PART}},
        {**PART, "dependentRequired": {"a": ["b"]}},
        deep(100),
    ],
    ids=range(12),
)
def test_a_schema_that_cannot_be_closed_is_no_longer_strict_and_reported(schema: Any, dialect: str) -> None:
    request = asking(il.ToolDefinition.create("f", "F.", schema))
    encoded = il.encode_request(request, dialect)
    ((written, strict),) = wire_tools(encoded.body, dialect)
    assert (written, strict or False) == (schema, False)
    assert [(loss.path, loss.severity) for loss in encoded.losses] == [("/tools/0/strict", "lost")]
    assert il.check_request(encoded.body, dialect) == []
    with pytest.raises(il.LossError):
        il.encode_request(request, dialect, strict=True)


@pytest.mark.parametrize("dialect", CLOSING)
def test_a_tool_without_arguments_is_closed_too(dialect: str) -> None:
    for schema in ({"type": "object"}, {"type": "object", "properties": {}}):
        encoded = il.encode_request(asking(il.ToolDefinition.create("f", "F.", schema)), dialect)
        ((written, strict),) = wire_tools(encoded.body, dialect)
        named = schema if dialect == "claude" else {**schema, "properties": {}}  # OpenAI demands them
        assert (written, strict) == ({**named, "additionalProperties": False}, True)


class Tree(BaseModel):
    value: int
    left: Tree | None = None


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_recursive_type_is_written_in_every_dialect(dialect: str) -> None:
    encoded = il.encode_request(asking(il.ToolDefinition.from_type(Tree, name="f", description="F.")), dialect)
    assert il.check_request(encoded.body, dialect) == []
    if dialect in CLOSING:
        # Claude refuses circles in what it enforces.
        assert ("/tools/0/strict" in {loss.path for loss in encoded.losses}) is (dialect == "claude")


def test_claude_enforces_a_limited_number_of_tools_and_optional_members() -> None:
    few = [il.ToolDefinition.create(f"f{at}", "F.", {"type": "object"}) for at in range(25)]
    many = [il.ToolDefinition.create(f"f{at}", "F.", one_member({"type": "string"})) for at in range(5)]
    wide = il.ToolDefinition.create("w", "W.", {"type": "object", "properties": {f"a{at}": {} for at in range(22)}})
    for tools, strict in (
        (few, [True] * 20 + [None] * 5),
        ([wide, *many], [True] * 3 + [None] * 3),
        ([*many, wide], [True] * 5 + [None]),
    ):
        encoded = il.encode_request(asking(*tools), "claude")
        assert [one for _, one in wire_tools(encoded.body, "claude")] == strict
        lost = [loss.path for loss in encoded.losses if loss.severity == "lost"]
        assert lost == [f"/tools/{at}/strict" for at, one in enumerate(strict) if not one]
        assert il.check_request(encoded.body, "claude") == []


@pytest.mark.parametrize("dialect", COMPLETING)
def test_a_response_schema_is_closed_like_a_tool_schema(dialect: str) -> None:
    for schema, strict in ((OPEN.parameters, True), (one_member({"type": "object"}), False)):
        form = il.ResponseFormat(type="json_schema", name="plan", schema_=schema, strict=True)
        encoded = il.encode_request(asking(PLAN, response_format=form), dialect)
        chat = dialect == "openai_chat"
        written = encoded.body["response_format"]["json_schema"] if chat else encoded.body["text"]["format"]
        assert written.get("strict", False) is strict
        assert (written["schema"] == schema) is not strict
        lost = {loss.path for loss in encoded.losses if loss.severity == "lost"}
        assert ("/response_format/strict" in lost) is not strict
        assert il.check_request(encoded.body, dialect) == []


# --- any type ---------------------------------------------------------------------------------------------------------

NAMES: Final = itertools.count()
NAME: Final = st.sampled_from(["a", "b", "c", "copy", "x_y"])


class Word(enum.Enum):
    YES = "yes"
    NO = "no"


class Kind(NamedTuple):
    """A type, and what gives JSON values of it."""

    type: Any
    values: st.SearchStrategy[Any]
    nullable: bool = False


LEAVES: Final[tuple[Kind, ...]] = (
    Kind(int, st.integers()),
    Kind(str, st.text(max_size=3)),
    Kind(bool, st.booleans()),
    Kind(float, st.floats(allow_nan=False, allow_infinity=False)),
    Kind(Word, st.sampled_from(["yes", "no"])),
    Kind(Literal["p", 1], st.sampled_from(["p", 1])),
    Kind(Annotated[int, Field(ge=0, description="Not less than nothing.")], st.integers(0, 9)),
)


def a_model(name: str, types: dict[str, Any], defaults: dict[str, Any]) -> Any:
    fields: dict[str, Any] = {
        f"m_{word}": (one, Field(defaults.get(word, ...), alias=word)) for word, one in types.items()
    }
    return create_model(name, **fields)


def a_dataclass(name: str, types: dict[str, Any], defaults: dict[str, Any]) -> Any:
    def field(word: str) -> Any:
        return dataclasses.field(default_factory=lambda: defaults[word]) if word in defaults else dataclasses.field()

    return dataclasses.make_dataclass(name, [(word, one, field(word)) for word, one in types.items()], kw_only=True)


def a_dict(name: str, types: dict[str, Any], defaults: dict[str, Any]) -> Any:
    make: Any = TypedDict
    return make(name, {word: NotRequired[one] if word in defaults else one for word, one in types.items()})


MAKERS: Final = {"model": a_model, "dataclass": a_dataclass, "dict": a_dict}


def a_list(kind: Kind) -> Kind:
    many: Any = list
    return Kind(many[kind.type], st.lists(kind.values, max_size=2))


def a_map(kind: Kind) -> Kind:
    named: Any = dict
    return Kind(named[str, kind.type], st.dictionaries(st.text(max_size=2), kind.values, max_size=2))


@st.composite
def object_kinds(draw: st.DrawFn, inner: st.SearchStrategy[Kind]) -> Kind:
    """Draw a model, a dataclass or a TypedDict of members that are needed, have a default, or may be null."""
    members = draw(st.dictionaries(NAME, st.tuples(inner, st.sampled_from(["needed", "optional", "null"])), max_size=3))
    shape = draw(st.sampled_from(sorted(MAKERS)))
    types = {word: kind.type | None if way == "null" else kind.type for word, (kind, way) in members.items()}
    # What may be null and has another default is said in two ways: nobody can tell them apart.
    nulls = {word for word, (kind, way) in members.items() if kind.nullable or way == "null"}
    defaults = {word: None if word in nulls else draw(kind.values) for word, (kind, _) in members.items()}
    optional = {word for word, (_, way) in members.items() if way != "needed"}
    made = MAKERS[shape](f"T{next(NAMES)}", types, {word: defaults[word] for word in optional})
    needed = {word: kind.values for word, (kind, _) in members.items() if word not in optional}
    others = {
        word: st.none() | kind.values if way == "null" else kind.values
        for word, (kind, way) in members.items()
        if word in optional
    }
    return Kind(made, st.fixed_dictionaries(needed, optional=others))


KINDS: Final[st.SearchStrategy[Kind]] = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        object_kinds(inner),
        inner.map(a_list),
        inner.map(a_map),
        inner.map(lambda kind: Kind(kind.type | None, st.none() | kind.values, nullable=True)),
    ),
    max_leaves=6,
)
ROOTS: Final = object_kinds(KINDS)


@given(kind=ROOTS, data=st.data(), strict=st.booleans())
@settings(max_examples=25)
def test_the_schema_of_a_type_accepts_what_the_type_accepts(kind: Kind, data: st.DataObject, *, strict: bool) -> None:
    tool = il.ToolDefinition.from_type(kind.type, name="f", description="F.", strict=strict)
    assert tool.parameters is not None
    Draft202012Validator.check_schema(tool.parameters)
    value = data.draw(kind.values)
    TypeAdapter(kind.type).validate_python(value)
    Draft202012Validator(tool.parameters).validate(value)
    assert check_arguments(il.ToolCall.create("f", value), tool) == []
    assert check_arguments(il.ToolCall.create("f", json.dumps(value)), tool) == []


@given(kind=ROOTS, data=st.data())
@settings(max_examples=25)
def test_the_closed_schema_of_a_type_accepts_what_the_type_accepts_with_nulls(kind: Kind, data: st.DataObject) -> None:
    tool = il.ToolDefinition.from_type(kind.type, name="f", description="F.")
    value = data.draw(kind.values)
    for dialect in DIALECTS:
        encoded = il.encode_request(asking(tool), dialect)
        assert il.check_request(encoded.body, dialect) == []
        if dialect not in CLOSING:
            continue
        ((schema, strict),) = wire_tools(encoded.body, dialect)
        Draft202012Validator.check_schema(schema)
        said = completed(value, schema, schema) if strict and dialect in COMPLETING else value
        Draft202012Validator(schema).validate(said)
        if strict:
            assert all(one["additionalProperties"] is False for one in objects_in(schema))
            read = read_arguments(il.ToolCall.create("f", said), tool)
            assert dumped(kind, read) == with_nulls(dumped(kind, value), dumped(kind, read))
            assert check_arguments(il.ToolCall.create("f", said), tool) == []


def dumped(kind: Kind, value: Any) -> Any:
    adapter = TypeAdapter(kind.type)
    # A default may be a plain object, which is none of the type's own.
    return adapter.dump_python(adapter.validate_python(value), warnings=False)


def completed(value: Any, schema: Any, root: dict[str, Any]) -> Any:
    """Return a value with every member that its closed schema names, null where nothing was said."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        schema = next(one for one in schema["anyOf"] if (one == {"type": "null"}) is (value is None))
        return completed(value, schema, root)
    if isinstance(value, list):
        return [completed(one, schema.get("items", {}), root) for one in value]
    if isinstance(value, dict):
        return {name: completed(value.get(name), one, root) for name, one in schema["properties"].items()}
    return value


def with_nulls(value: Any, read: Any) -> Any:
    """Return a value with the nulls of what was read: a TypedDict that may lack a member may also hold null there."""
    if isinstance(value, dict) and isinstance(read, dict):
        nulls = {name: one for name, one in read.items() if one is None and name not in value}
        return {name: with_nulls(one, read.get(name)) for name, one in value.items()} | nulls
    if isinstance(value, list) and isinstance(read, list):
        return [with_nulls(one, other) for one, other in zip(value, read, strict=True)]
    return value
