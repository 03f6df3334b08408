"""Every line that refuses a value made by hand, or a message of a history, has an input that it refuses."""

from __future__ import annotations

import ast
import contextlib
import datetime as dt
import importlib
import inspect
import sys
from collections.abc import Callable, Iterable
from types import FrameType, ModuleType
from typing import Any, Final

import pytest
from pydantic import ValidationError

import interlingua as il
from interlingua.chat import create_assistant, create_message, create_system, create_tool_result, create_user

MODULES: Final = tuple(
    importlib.import_module(name)
    for name in (
        "interlingua_types._checks",
        "interlingua_types._mixins",
        "interlingua.chat.admission",
        "interlingua.chat.factories",
        "interlingua.chat.flattening",
        "interlingua.chat.history",
    )
)


def holding(value: Any) -> il.AssistantChatMessage:
    return il.AssistantChatMessage(tool_calls=(il.ToolCall(name="f", arguments={"a": [{"b": value}]}),))


def itself() -> list[Any]:
    endless: list[Any] = []
    endless.append(endless)
    return endless


def add(*messages: Any) -> Any:
    history = il.ConversationHistory()
    for message in messages:
        history.add(message)
    return history


OBJECT: Final = {"type": "object"}
# What is refused; each is a ValueError.
BAD: Final[dict[str, Callable[[], Any]]] = {
    "no role": lambda: il.MessageRole.parse("robot"),
    "no text for a role": lambda: il.MessageRole.parse(None),  # type: ignore[arg-type]  # that is the test
    "an empty name": lambda: il.ToolCall.create("", {}),
    "a long name": lambda: il.ToolCall.create("a" * 65, {}),
    "a name with a hyphen": lambda: il.ToolCall.create("a-b", {}),
    "arguments that are no JSON": lambda: il.ToolCall.create("f", "{"),
    "arguments that are no object": lambda: il.ToolCall.create("f", "[]"),
    "arguments that say a member twice": lambda: il.ToolCall.create("f", '{"a": 1, "a": 2}'),
    "arguments with a number that is none": lambda: il.ToolCall.create("f", '{"a": 1e999}'),
    "arguments of a type of Python's own": lambda: il.ToolCall.create("f", {"a": {1}}),
    "a known message as an unknown one": lambda: il.UnknownMessage.model_validate({"type": "text"}),
    "an argument that is not there": lambda: il.ToolCall.create("f", {}).get_argument("a", int),
    "an argument of another type": lambda: il.ToolCall.create("f", {"a": "x"}).get_argument("a", int),
    "a value in the place of a type": lambda: il.ToolCall.create("f", {}).arguments_as(5),  # type: ignore[arg-type]
    "a type that nobody can read": lambda: il.ToolCall.create("f", {}).arguments_as(type("Odd", (), {})),
    "no result": lambda: il.ToolResult.success("c", None),  # type: ignore[arg-type]  # that is the test
    "parameters that are no schema": lambda: il.ToolDefinition.create("f", "d", 5),  # type: ignore[arg-type]  # the test
    "parameters of no object": lambda: il.ToolDefinition.create("f", "d", {"type": "array"}),
    "content that is not given": lambda: create_user(None),  # type: ignore[arg-type]  # that is the test
    "content that is no list": lambda: create_user(5),  # type: ignore[arg-type]  # that is the test
    "content with a part that is none": lambda: create_user([5]),  # type: ignore[list-item]  # that is the test
    "calls that are no list": lambda: create_assistant("x", 5),  # type: ignore[arg-type]  # that is the test
    "content that says nothing": lambda: create_user([]),
    "an answer of nothing": create_assistant,
    "two calls of one id": lambda: create_assistant(None, [il.ToolCall.create("f", {}, "a")] * 2),
    "a member that the schema has not": lambda: create_user("x", colour="x"),
    "calls of a user": lambda: create_message("user", "x", tool_calls=[]),
    "a call id of a user": lambda: create_message("user", "x", call_id="c"),
    "no chat message": lambda: add(5),
    "a date": lambda: add(holding(dt.datetime.now(dt.UTC))),
    "a number that is none": lambda: add(holding(float("inf"))),
    "a number larger than a double can hold": lambda: add(holding(-(10**400))),
    "names that are no text": lambda: add(holding({1: 2})),
    "what holds itself": lambda: add(holding(itself())),
    "rules that are none": lambda: il.ConversationHistory(None),  # type: ignore[arg-type]  # that is the test
    "metadata that are no object": lambda: il.ConversationHistory(metadata=[]),  # type: ignore[arg-type]  # the test
    "a turn that is no list": lambda: il.ConversationHistory().add_turn(None),  # type: ignore[arg-type]  # the test
    "a conversation that is none": lambda: il.ConversationHistory.from_conversation(None),  # type: ignore[arg-type]
    "a stored text that is none": lambda: il.ConversationHistory.from_json(None),  # type: ignore[arg-type]  # the test
    "a stored text that is no JSON": lambda: il.ConversationHistory.from_json("{"),
    "a stored text that is no conversation": lambda: il.ConversationHistory.from_json("{}"),
    "an answer that goes on with none": lambda: il.ConversationHistory.from_conversation(
        il.Conversation(messages=(create_system("s"),), continued=(1,))
    ),
    "a message out of order": lambda: add(create_user("u")),
    "a text that no file holds": lambda: add(create_system("\ud800")).to_json(),
    "messages that are no list": lambda: il.chat.flatten(None),  # type: ignore[arg-type]  # that is the test
    "a first message that is none": lambda: il.chat.flatten([5]),  # type: ignore[list-item]  # that is the test
    "a first message that is no JSON": lambda: il.chat.flatten(["{"]),
    "a first message without a role": lambda: il.chat.flatten([{}]),
    "a first message that says nothing": lambda: il.chat.flatten([{"role": "system"}]),
    "content of no JSON": lambda: il.chat.flatten([{"role": "user", "content": object()}]),
    "content of a number that is none": lambda: il.chat.flatten([{"role": "user", "content": float("nan")}]),
    "a result without its call": lambda: create_tool_result("", "x"),
    "parameters without properties": lambda: il.ToolDefinition.create("f", "d", {**OBJECT, "properties": 5}),
    "parameters with required names that are none": lambda: il.ToolDefinition.create(
        "f", "d", {**OBJECT, "required": 5}
    ),
}


def refusing_lines(module: ModuleType) -> set[int]:
    """Return the lines of a module that raise an error of ours on the value that was given."""
    tree = ast.parse(inspect.getsource(module))
    return {node.lineno for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.exc is not None}


def reached(works: Iterable[Callable[[], Any]]) -> set[tuple[str, int]]:
    """Return the lines of the modules that some work came through."""
    files = {module.__file__ for module in MODULES}
    lines: set[tuple[str, int]] = set()

    def step(frame: FrameType, _event: str, _argument: Any) -> Any:
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return step

    before = sys.gettrace()
    sys.settrace(lambda frame, _event, _argument: step if frame.f_code.co_filename in files else None)
    try:
        for work in works:
            with contextlib.suppress(ValueError):
                work()
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.requirement("NFR-004a-25")
@pytest.mark.parametrize("what", BAD)
def test_invalid_input_raises_a_value_error_of_the_library(what: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - that it is a ValueError is the requirement
        BAD[what]()
    assert isinstance(caught.value, (il.InvalidArgumentError, il.InterlinguaError, ValidationError))


@pytest.mark.requirement("NFR-004a-39")
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_line_that_refuses_input_is_covered_by_an_example(module: ModuleType) -> None:
    lines = {line for file, line in reached(BAD.values()) if file == module.__file__}
    assert refusing_lines(module) - lines == set()
