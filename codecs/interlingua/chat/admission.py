"""Checks messages that are added to a history: a chat message, valid JSON throughout, each tool call with an id.

Source: docs/pain.md, PER-10 (values that no file can hold are found when they are added, not when the history is
saved),
docs/design.md, section 4 (ids are assigned here).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.call_ids import call_id_of
from interlingua.json_types import is_list, is_object, is_text
from interlingua.model import (
    AssistantChatMessage,
    DeveloperChatMessage,
    OpaqueChatMessage,
    SystemChatMessage,
    ToolChatMessage,
    UserChatMessage,
)
from interlingua.pointers import pointer
from interlingua.strict_json import LARGEST_INTEGER, MAX_DEPTH
from interlingua_types._base import InterlinguaModel, InvalidArgumentError
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from interlingua.model import ChatMessage

__all__ = ["admit", "check_json"]

_CHAT_MESSAGES: Final = (
    AssistantChatMessage,
    DeveloperChatMessage,
    OpaqueChatMessage,
    SystemChatMessage,
    ToolChatMessage,
    UserChatMessage,
)


def admit(message: ChatMessage, new_id: Callable[[], str]) -> ChatMessage:
    """Return a message with an id for each of its calls.

    Raises:
        InvalidArgumentError: it is not a chat message, holds a value that is not JSON, or `new_id` returns no string.
    """
    if not isinstance(message, _CHAT_MESSAGES):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may not be typed
        raise InvalidArgumentError(
            "a history holds chat messages: make them with interlingua.chat.create_user and the like"
        )
    check_json(message)
    if isinstance(message, AssistantChatMessage):
        calls = message.tool_calls or ()
        if any(call_id_of(call) is None for call in calls):
            return message.replace(
                tool_calls=[
                    call if call_id_of(call) is not None else call.replace(id=check_text(new_id(), "id"))
                    for call in calls
                ]
            )
    return message


def check_json(value: Any, levels: int = MAX_DEPTH, *, checked: Iterable[object] = ()) -> None:
    """Check that a model, or free-form JSON, holds only JSON values, of at most so many levels.

    `checked` are objects at the same level of a value that has been checked: they are not walked again.

    Raises:
        InvalidArgumentError: a value is of another Python type, not finite, or nested too deeply. The message has its
            path and type.
    """
    _check(value, [], set(map(id, checked)), levels)


def _check(value: Any, path: list[str | int], done: set[int], levels: int, *, free: bool = False) -> None:
    """Check a value and its children; free-form JSON must hold no models and no tuples."""
    if value is None or isinstance(value, str):
        return
    if isinstance(value, int):
        if not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
            raise _refused(path, "a number larger than a double can hold")
        return
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _refused(path, "a number that is NaN or infinite")
        return
    # A shared object is checked once; a circular one ends at the depth limit.
    if id(value) in done:
        return
    if len(path) >= levels:
        raise _refused([], f"a value nested deeper than {levels} levels")
    if isinstance(value, InterlinguaModel) and not free:
        # Members that the schema does not declare are free-form.
        _check(value.__pydantic_extra__, path, done, levels)
    free = free or is_object(value) or is_list(value)
    for name, child in _children(value, path, free=free):
        if child is not None and type(child) is not str:
            path.append(name)
            _check(child, path, done, levels, free=free)
            path.pop()
    done.add(id(value))


def _children(value: Any, path: list[str | int], *, free: bool) -> Iterable[tuple[str | int, Any]]:
    """Return the children of an object, an array or, if not `free`, a model.

    Raises:
        InvalidArgumentError: the value is none of these.
    """
    if is_object(value):
        if not all(is_text(name) for name in value):
            raise _refused(path, "a member whose name is not text")
        return value.items()
    if is_list(value):
        return enumerate(value)
    declared: Any = None if free else value
    if isinstance(declared, tuple):
        items: Iterable[Any] = cast("Iterable[Any]", declared)
        return enumerate(items)
    if isinstance(declared, InterlinguaModel):
        fields = type(declared).__pydantic_fields__
        return [(field.alias or name, declared.__dict__[name]) for name, field in fields.items()]
    raise _refused(path, f"a value of type {type(value).__name__}")


def _refused(path: list[str | int], what: str) -> InvalidArgumentError:
    return InvalidArgumentError(f"{what} is no JSON: at {pointer(*path) or 'the top'}")
