"""Tools are made from functions: what is annotated and written in the docstring is what the model is told."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import functools
import json
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field

import interlingua as il
from interlingua.tools import ArgumentReader, define
from interlingua_types._base import InvalidArgumentError


class Unit(enum.Enum):
    """How a temperature is written."""

    CELSIUS = "c"
    FAHRENHEIT = "f"


@dataclasses.dataclass
class Area:
    """A part of the map."""

    name: str
    parts: list[Area] = dataclasses.field(default_factory=list)


class Place(BaseModel):
    """A place."""

    city: str = Field(description="Its name.")
    area: Area | None = None


async def weather(  # noqa: D417  # not all are described
    place: Place,
    unit: Unit = Unit.CELSIUS,
    *,
    day: dt.date | None = None,
    kind: Literal["short", "long"] = "short",
    limit: Annotated[int, Field(ge=1, le=5, description="At most so many.")] = 3,
    words: list[str] | None = None,
) -> str:
    """Tell the weather.

    Args:
        place: Where.
        unit: How temperatures are written.
        limit: What the annotation says goes first.
    """
    return f"{place} {unit} {day} {kind} {limit} {words}"


PARAMETERS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "place": {"$ref": "#/$defs/Place", "description": "Where."},
        "unit": {"$ref": "#/$defs/Unit", "description": "How temperatures are written.", "default": "c"},
        "day": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
        "kind": {"type": "string", "enum": ["short", "long"], "default": "short"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 5, "description": "At most so many.", "default": 3},
        "words": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
    },
    "required": ["place"],
    "additionalProperties": False,
    "$defs": {
        "Unit": {"type": "string", "enum": ["c", "f"], "description": "How a temperature is written."},
        "Area": {
            "type": "object",
            "description": "A part of the map.",
            "properties": {"name": {"type": "string"}, "parts": {"type": "array", "items": {"$ref": "#/$defs/Area"}}},
            "required": ["name"],
            "additionalProperties": False,
        },
        "Place": {
            "type": "object",
            "description": "A place.",
            "properties": {
                "city": {"type": "string", "description": "Its name."},
                "area": {"anyOf": [{"$ref": "#/$defs/Area"}, {"type": "null"}]},
            },
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}


@pytest.mark.requirement("FR-004a-89", "FR-004a-90")
def test_a_definition_from_a_function_is_complete() -> None:
    tool = define(weather)
    assert (tool.name, tool.description, tool.strict) == ("weather", "Tell the weather.", True)
    assert tool.parameters == PARAMETERS
    Draft202012Validator.check_schema(tool.parameters)


def test_given_arguments_take_precedence_over_those_of_the_function() -> None:
    tool = define(weather, name="forecast", description="Guesses.", strict=False)
    assert (tool.name, tool.description, tool.strict) == ("forecast", "Guesses.", False)
    # The function takes no other arguments; the types of its own may take more.
    assert (tool.parameters or {})["additionalProperties"] is False
    assert json.dumps(tool.parameters).count("additionalProperties") == 1


class Counter:
    """Counts."""

    def __init__(self, start: int) -> None:
        self.start = start

    def add(self, step: int = 1) -> int:
        """Count on."""
        return self.start + step

    @classmethod
    def of(cls, start: int) -> int:
        """Count from the start."""
        return cls(start).start

    @staticmethod
    def nothing() -> None:
        """Do nothing."""

    def __call__(self, step: int) -> int:
        """Count by calling."""
        return self.start + step


def multiply(a: int, b: int = 2, *, loud: bool = False) -> int:
    """Multiply.

    :param a: One number.
    :param b: Another.
    """
    return a * b * (1 if loud else -1)


@functools.wraps(multiply)
def wrapped(*args: Any, **kwargs: Any) -> Any:
    return multiply(*args, **kwargs)


def test_methods_wrapped_functions_and_callable_objects_make_tools() -> None:
    counter = Counter(5)
    step = {"step": {"type": "integer"}}
    made = [define(counter.add), define(Counter.of), define(Counter.nothing), define(counter, name="count")]
    assert [(one.name, one.description) for one in made] == [
        ("add", "Count on."),
        ("of", "Count from the start."),
        ("nothing", "Do nothing."),
        ("count", "Count by calling."),
    ]
    assert [(one.parameters or {})["properties"] for one in made] == [
        {"step": {"type": "integer", "default": 1}},
        {"start": {"type": "integer"}},
        {},
        step,
    ]
    assert define(wrapped) == define(multiply)


def test_arguments_bound_by_a_partial_are_not_parameters() -> None:
    by_position = define(functools.partial(multiply, 3))
    assert (by_position.name, by_position.description) == ("multiply", "Multiply.")
    assert list((by_position.parameters or {})["properties"]) == ["b", "loud"]
    bound = functools.partial(multiply, b=3)
    by_name = define(bound).parameters or {}
    assert (list(by_name["properties"]), by_name["required"]) == (["a", "loud"], ["a"])
    assert bound(**ArgumentReader(bound).read({"a": 2})) == -6


def bare(a) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001  # what is refused
    """Take anything."""


def starred(*args: int) -> None:
    """Take any number."""


def double_starred(**kwargs: int) -> None:
    """Take any name."""


def by_position(a: int, /) -> None:
    """Take what comes first."""


def with_field(a: int = Field(3)) -> None:
    """Take a Field."""


def of_nothing(a: Missing) -> None:  # type: ignore[name-defined]  # noqa: F821  # what is refused
    """Take what nobody knows."""


def of_three(a: 3) -> None:  # type: ignore[valid-type]  # what is refused
    """Take a number for a type."""


def unfinished(a: "list[") -> None:  # type: ignore[valid-type]  # noqa: F722  # what is refused
    """Take what is no Python."""


def of_code(a: Callable[[int], int]) -> None:
    """Take a function."""


def undocumented(a: int) -> int:
    return a


def documented(function: Callable[[], None]) -> Callable[[], None]:
    function.__doc__ = "Does nothing."
    return function


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (bare, "a has no annotation"),
        (Counter.add, "self has no annotation; for a method, pass the method of an object"),
        (starred, "args cannot be passed by name"),
        (double_starred, "kwargs cannot be passed by name"),
        (by_position, "a cannot be passed by name"),
        (with_field, "a has a Field as its default"),
        (of_nothing, "an annotation uses Missing, which the function's module lacks"),
        (of_three, "a type is wanted, not a value of int"),
        (unfinished, "an annotation is not a type"),
        (of_code, "no JSON Schema"),
        (undocumented, "description must not be empty"),
        (Counter, "for a type use ToolDefinition.from_type"),
        (functools.partial(Counter), "for a type use ToolDefinition.from_type"),
        (lambda: None, "description must not be empty"),
        (documented(lambda: None), "name must consist"),
    ],
)
def test_an_incompletely_annotated_function_is_refused_with_the_reason(function: Any, reason: str) -> None:
    with pytest.raises(InvalidArgumentError, match=reason):
        define(function)


ARGUMENTS: Final[dict[str, Any]] = {
    "place": {"city": "Ulm", "area": {"name": "South", "parts": [{"name": "East"}]}},
    "unit": "f",
    "day": "2026-11-22",
}


def test_arguments_are_converted_for_the_function() -> None:
    read = ArgumentReader(weather).read(ARGUMENTS)
    assert read == {
        "place": Place(city="Ulm", area=Area("South", [Area("East")])),
        "unit": Unit.FAHRENHEIT,
        "day": dt.date(2026, 11, 22),
        "kind": "short",
        "limit": 3,
        "words": None,
    }


@pytest.mark.parametrize(
    "arguments",
    [{}, {"place": {}}, {**ARGUMENTS, "kind": "SECRET"}, {**ARGUMENTS, "SECRET": 1}, {**ARGUMENTS, "limit": 99}],
)
def test_invalid_arguments_are_refused_without_showing_them(arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        ArgumentReader(weather).read(arguments)
    assert "SECRET" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_default_is_the_functions_own_object_and_need_not_be_json() -> None:
    default: Final = object()

    def take(a: Any = default, b: tuple[int, ...] = (1, 2)) -> None:
        """Take."""
        del a, b

    assert (define(take).parameters or {})["properties"] == {
        "a": {},
        "b": {"type": "array", "items": {"type": "integer"}, "default": [1, 2]},
    }
    assert ArgumentReader(take).read({})["a"] is default


def test_names_reserved_by_pydantic_can_be_parameters() -> None:
    def take(copy: int, model_config: int, _private: int, json: int) -> int:
        """Take."""
        return copy + model_config + _private + json

    names = ["copy", "model_config", "_private", "json"]
    assert list((define(take).parameters or {})["properties"]) == names
    assert take(**ArgumentReader(take).read(dict.fromkeys(names, 1))) == 4


def test_tools_of_functions_and_tools_of_types_have_separate_constructors() -> None:
    made = il.tools.Tool.from_function(weather, name="look", description="Looks.", strict=False)
    assert made.definition == define(weather, name="look", description="Looks.", strict=False)
    functions: list[Any] = [weather, functools.partial(weather, kind="short"), Counter(1).add, lambda: None, print]
    for function in functions:
        with pytest.raises(InvalidArgumentError, match="from_function takes a function"):
            il.ToolDefinition.from_type(function, name="look", description="Looks.")
    with pytest.raises(InvalidArgumentError, match=r"for a type use ToolDefinition\.from_type"):
        il.tools.Tool.from_function(Counter)


def test_the_package_exports_the_tool_functions() -> None:
    assert il.tools.define(multiply) == define(multiply)
