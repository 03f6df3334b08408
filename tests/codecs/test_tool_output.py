"""What tools give back: JSON, parts, and what cannot be kept."""

from __future__ import annotations

import decimal
import enum
import json
import math
import uuid
import warnings
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from pydantic import BaseModel, Field, field_serializer

import interlingua as il
from interlingua.errors import ToolOutputError
from interlingua.model import FilePart, ImagePart, OpaquePart, TextPart, ToolDefinition, ToolResultMessage
from interlingua.tools import ExecutionLimits, Tool, ToolExecutor
from interlingua.tools.output import output_of
from support.calls import approved, codes, failure_of
from support.strategies import json_values

HIDDEN = "for-the-tool-alone"
LIMIT = 1000


class Point(BaseModel):
    """A point; one of its members has another name in JSON."""

    x: float
    label: str | None = Field(default=None, alias="the label")
    seen: date | None = None


class Labelled(Point):
    """A point with more members than its base names."""

    colour: str = "red"


class Picky(BaseModel):
    """A model that says itself what NaN becomes."""

    x: float

    @field_serializer("x")
    def _write(self, value: float) -> str:
        return str(value)


@dataclass
class Line:
    """Two points."""

    start: Point
    ends: list[Point] = field(default_factory=list)


class Size(NamedTuple):
    """A size."""

    width: int
    height: int


class Colour(enum.Enum):
    """A colour."""

    RED = "red"


def giving(value: Any, **options: Any) -> ToolExecutor:
    """Return an executor with a tool `give` that gives a value."""
    definition = ToolDefinition.create("give", "Give something.", {"type": "object"})
    return ToolExecutor([Tool(definition, lambda: value)], limits=ExecutionLimits(**options))


def given_back(value: Any, **options: Any) -> ToolResultMessage:
    (result,) = giving(value, **options).run(approved(("give", {})))
    assert il.load_message(il.dump_message_json(result)) == (result,)
    return result


@pytest.mark.requirement("TYPE-5.1.3")
@pytest.mark.parametrize(
    ("value", "output"),
    [
        ("text", "text"),
        ("", ""),
        (0, 0),
        (False, False),
        (10**30, 10**30),
        (2.0, 2.0),
        ([], []),
        ({"a": [1, None, {"b": "NaN, null and Infinity"}]}, {"a": [1, None, {"b": "NaN, null and Infinity"}]}),
        ((1, "two"), [1, "two"]),
        ({1: "a"}, {"1": "a"}),
        (Point.model_validate({"x": 1, "the label": "p"}), {"x": 1.0, "the label": "p", "seen": None}),
        (
            [Labelled(x=2, seen=date(2026, 5, 17))],
            [{"x": 2.0, "the label": None, "seen": "2026-05-17", "colour": "red"}],
        ),
        (Line(Labelled(x=1)), {"start": {"x": 1.0, "the label": None, "seen": None, "colour": "red"}, "ends": []}),
        (Size(3, 4), [3, 4]),
        (Colour.RED, "red"),
        (datetime(2026, 5, 17, 1, 2, 3, tzinfo=UTC), "2026-05-17T01:02:03Z"),
        (timedelta(days=1), "P1D"),
        (decimal.Decimal("1.10"), "1.10"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Path("a"), "a"),
        (b"bytes", "bytes"),
        (Picky(x=math.nan), {"x": "nan"}),
    ],
)
def test_an_output_is_kept_as_json(value: Any, output: Any) -> None:
    data = given_back(value).data
    assert (data.status, data.output, data.output_form, data.error) == ("success", output, None, None)
    assert type(data.output) is type(output)


def test_a_tool_that_returns_none_has_no_output() -> None:
    data = given_back(None).data
    assert (data.status, data.output, data.output_form) == ("success", None, None)


@pytest.mark.parametrize(
    "parts",
    [
        [TextPart(text="A picture:"), ImagePart(data="aGk=", format="image/png")],
        [FilePart(url="https://example.org/a.pdf")],
        [OpaquePart(dialect="claude", data={"type": "search_result", "n": None})],
    ],
)
def test_parts_are_kept_and_sent_to_the_model_as_parts(parts: list[Any]) -> None:
    data = given_back(parts).data
    assert data.output_form == "parts"
    assert data.output == [one.model_dump() for one in parts]
    (message,) = il.to_chat([given_back(tuple(parts))])
    assert getattr(message, "content", None) == tuple(parts)


PICTURE = il.ImagePart(url="https://example.com/a.png")


@pytest.mark.parametrize(
    ("given", "output", "message"),
    [
        (il.ToolResult.success("c", "31 degrees"), "31 degrees", None),
        (il.ToolResult.error("c", "No such city."), None, "No such city."),
        (il.ToolResult.error("c", ""), None, "The tool failed."),
        (il.chat.create_tool_result("c", "31 degrees"), "31 degrees", None),
        (il.chat.create_tool_result("c", "No such city.", is_error=True), None, "No such city."),
        (il.chat.create_tool_result("c", [PICTURE]), [PICTURE.model_dump()], None),
        (
            il.chat.create_tool_result("c", [TextPart(text="No city, "), TextPart(text="but a map."), PICTURE], True),
            [PICTURE.model_dump()],
            "No city, but a map.",
        ),
        (il.ToolChatMessage(call_id="c", is_error=True), None, "The tool failed."),
    ],
    ids=repr,
)
def test_a_result_of_our_own_is_read_as_one_and_its_error_is_a_failure(
    given: Any, output: Any, message: str | None
) -> None:
    tool = Tool.from_function(lambda: given, name="look", description="Look.")
    (result,) = ToolExecutor([tool]).run(approved(("look", {})))
    assert (result.data.call_id, result.data.output) == ("c0", output)
    assert result.data.status == ("success" if message is None else "error")
    assert (
        (result.data.error.code, result.data.error.message) == ("tool", message) if result.data.error else not message
    )
    (told,) = il.to_chat([result])
    assert isinstance(told, il.ToolChatMessage)
    assert bool(told.is_error) is (message is not None)
    made = il.messages.tool_result("c0", given)
    assert (made.data.status, made.data.output) == (result.data.status, output)


def test_a_single_part_becomes_a_list_and_texts_between_parts_become_parts() -> None:
    assert given_back(TextPart(text="a")).data.output == [{"type": "text", "text": "a"}]
    picture = ImagePart(data="aGk=", format="image/png")
    mixed = given_back(("A picture:", picture)).data
    assert mixed.output == [{"type": "text", "text": "A picture:"}, picture.model_dump()]
    assert mixed.output_form == "parts"
    for plain in ([{"type": "text", "text": "a"}], ["a", "b"], [TextPart(text="a"), 1]):
        assert given_back(plain).data.output_form is None


def deep(levels: int) -> Any:
    value: Any = "bottom"
    for _ in range(levels):
        value = [value]
    return value


def circle() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        [1, -math.inf],
        {"a": {"b": math.nan}},
        Point(x=math.nan),
        {"points": [Labelled(x=math.inf)]},
        Line(Point(x=1), [Point(x=math.nan)]),
        "\ud83d",
        {"\udc80": 1},
        b"\xff",
        object(),
        {HIDDEN: object()},
        len,
        deep(300),
        deep(100_000),
        circle(),
        lambda: HIDDEN,
        [ToolOutputError],
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_output_that_is_not_json_fails_the_call_without_a_crash(value: Any) -> None:
    failure = failure_of([given_back(value)])
    assert (failure.code, failure.recoverable) == ("output", False)
    assert HIDDEN not in failure.message
    assert HIDDEN not in (failure.stack_trace or "")


def test_an_output_may_be_as_deep_as_can_be_loaded() -> None:
    assert given_back(deep(180)).data.status == "success"


def test_an_awaitable_result_that_was_not_awaited_is_refused() -> None:
    async def later() -> None: ...

    async def give() -> Any:
        """Forget to await."""
        return later()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert codes(ToolExecutor([Tool.from_function(give)]).run(approved(("give", {})))) == ["output"]


def test_a_model_with_values_of_wrong_types_is_dumped_without_a_warning() -> None:
    # Pydantic's own warning would show the value.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        output = given_back(Point.model_construct(x=HIDDEN, label=None, seen=None)).data.output
    assert output == {"x": HIDDEN, "the label": None, "seen": None}


def test_the_output_size_is_limited() -> None:
    assert given_back("\u00e9" * 4, output_bytes=10).data.output == "\u00e9" * 4
    failure = failure_of([given_back("\u00e9" * 4, output_bytes=9)])
    assert failure.code == "output"
    assert "10 bytes, but only 9 are allowed" in failure.message
    with pytest.raises(ToolOutputError) as caught:
        output_of("\u00e9" * 4, 9)
    assert (caught.value.code, caught.value.limit, caught.value.size) == ("too_large", 9, 10)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("value", [math.nan, {HIDDEN: object()}, "\ud83d" + HIDDEN])
def test_an_output_error_contains_no_output(value: Any) -> None:
    with pytest.raises(ToolOutputError) as caught:
        output_of(value, LIMIT)
    assert caught.value.code == "not_json"
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert HIDDEN not in repr(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        {1: "a", "1": "b"},
        {None: 1, "None": 2},
        {True: 1, "true": 2},
        {1.5: 1, "1.5": 2},
        {Colour.RED: 1, "red": 2},
        {date(2026, 1, 2): 1, "2026-01-02": 2},
        [{"a": {"b": [{1: 2**70, "1": 1.0}]}}],
        {"a": "\\", 1: "a", "1": "b", "c": 1e-7},
    ],
    ids=repr,
)
def test_member_names_with_the_same_json_form_fail_the_call(value: Any) -> None:
    failure = failure_of(giving(value).run(approved(("give", {}))))
    assert failure.code == "output"
    assert failure.recoverable is False
    with pytest.raises(ToolOutputError) as caught:
        output_of(value, LIMIT)
    assert caught.value.code == "repeated_name"


@pytest.mark.parametrize(
    "value", [{1: "a", "2": "b"}, {"a": '":1,"a"'}, {"a": {"a": {"a": 2**70}}}, [{"a": 1}, {"a": 1}]]
)
def test_similar_but_different_member_names_are_kept(value: Any) -> None:
    assert output_of(value, LIMIT).value == json.loads(json.dumps(value))


@given(json_values)
def test_any_json_output_is_unchanged(value: Any) -> None:
    output = output_of(value, 10**6)
    assert output.value == value
    assert repr(output.value) == repr(value)
