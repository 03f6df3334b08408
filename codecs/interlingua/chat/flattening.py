"""Flattens chat messages to plain objects with text content, for Chat Completions APIs.

Source: 000. Content that is not text is written as text and never left out: an array of parts becomes its JSON text.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_jsonable_python

from interlingua.chat.flat_calls import BadMessageError, FlatCalls, joined
from interlingua.migrate.between_1_2 import json_text
from interlingua.migrate.roles import plain_role
from interlingua.model import MessageRole
from interlingua.strict_json import RefusedError, parse
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from interlingua.model import ChatMessage

__all__ = ["Flattened", "flatten", "flatten_contents"]

Given: TypeAlias = "ChatMessage | Mapping[str, Any] | str | bytes"

_LOGGER: Final = logging.getLogger("interlingua.chat")
_NO_MESSAGE: Final = "neither a chat message nor an object"
_NO_CONTENT: Final = "its content cannot be written as text"
_ENTRY: Final = "a transcript message: convert it with il.to_chat"
# `function` is the deprecated role of a result; services still accept it.
_ROLES: Final = frozenset({*(role.value for role in MessageRole), "function"})
# The members that services accept; others of a model belong to this library or to one provider.
_ACCEPTED: Final = frozenset({"role", "content", "tool_calls"})
_ACCEPTED_OF_ROLE: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {"assistant": _ACCEPTED | {"name", "refusal"}, "tool": _ACCEPTED | {"call_id", "id", "name"}}
)
_RESULT: Final = ("role", "content", "tool_call_id")
_ACCEPTED_OF_CALL: Final = frozenset({"id", "call_id", "name", "arguments", "kind"})


@dataclass(frozen=True, slots=True)
class Flattened:
    """The flattened messages, and the reasons why others were skipped, by index from 0.

    Example:
        >>> flat = il.chat.flatten([{"role": "user", "content": "Hi"}, 5])
        >>> flat.messages, list(flat.skipped)
        ([{'role': 'user', 'content': 'Hi'}], [1])
    """

    messages: list[dict[str, Any]] = field(repr=False)  # content
    skipped: dict[int, str] = field(default_factory=dict[int, str])


def flatten_contents(messages: Iterable[Given]) -> list[dict[str, Any]]:
    """Return messages as `flatten` does, and log a warning for each skipped message.

    Args:
        messages: Models, plain objects, or their JSON as text or bytes.

    Raises:
        InvalidArgumentError: the first message is not a message, or has no content.

    Example:
        >>> il.chat.flatten_contents([{"role": "user", "content": {"city": "Rome"}}])
        [{'role': 'user', 'content': '{"city":"Rome"}'}]
    """
    flattened = flatten(messages)
    for place, reason in flattened.skipped.items():
        _LOGGER.warning("left out message %d: %s", place, reason)
    return flattened.messages


def flatten(messages: Iterable[Given]) -> Flattened:
    """Return messages as plain objects whose content is text, and what could not be written.

    A message is a model, an object, or its JSON as text or bytes, as it was stored. Content that is an object or an
    array becomes JSON text, other values the text of their JSON. Null, and content that is absent, becomes "", but of a
    stored tool message it is left out. Calls are written as Chat Completions writes them, and a result names its call
    by `tool_call_id`; a call without an id gets one from its place. Ids and names that the API refuses become others.
    An answer that calls, and is followed by another one, is one with that. Other members of plain objects stay as they
    are; of models only those are written that the API has. Nothing that was given is changed.

    The first message is never skipped, and null or absent content is no "" there unless calls stand beside it: a
    conversation without its beginning is another one.

    Args:
        messages: Models, plain objects, or their JSON as text or bytes.

    Raises:
        InvalidArgumentError: the first message is no message, or says nothing.

    Example:
        >>> flat = il.chat.flatten([{"role": "user", "content": {"city": "Rome"}}, {"says": "nothing"}])
        >>> flat.messages, flat.skipped
        ([{'role': 'user', 'content': '{"city":"Rome"}'}], {1: 'it has no chat role'})
    """
    if isinstance(messages, (str, bytes, Mapping, BaseModel)) or not isinstance(messages, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may not be typed
        raise InvalidArgumentError("expected a list of messages")
    flattened = Flattened([])
    calls = FlatCalls()
    for place, message in enumerate(messages):
        reason = ""
        try:
            flat = calls.written(_flat(message, is_first=place == 0), place)
            if isinstance(message, BaseModel) and flat["role"] == "tool":
                flat = {name: flat[name] for name in _RESULT}  # id and name were only needed to find its call
            _add(flattened.messages, flat)
        except BadMessageError as error:
            reason = str(error)
        # Raised outside the handler: the cause would hold the message.
        if reason and place == 0:
            raise InvalidArgumentError(f"the first message: {reason}")
        if reason:
            flattened.skipped[place] = reason
    return flattened


def _add(messages: list[dict[str, Any]], message: dict[str, Any]) -> None:
    last = messages[-1] if messages else message
    if message["role"] == last["role"] == "assistant" and last is not message and last.get("tool_calls"):
        messages[-1] = joined(last, message)
    else:
        messages.append(message)


def _flat(message: Given, *, is_first: bool) -> dict[str, Any]:
    """Return one message, flattened.

    Raises:
        BadMessageError: it is not a message.
    """
    flat = _members(message)
    role = flat["role"] = plain_role(flat.get("role"))
    if not isinstance(role, str) or role not in _ROLES:
        raise BadMessageError(_ENTRY if "type" in flat and "data" in flat else "it has no chat role")
    if isinstance(flat.get("tool_calls"), (list, tuple)):
        flat["tool_calls"] = [_call(call) for call in flat["tool_calls"]]
    content = flat.pop("content", None)
    if content is not None:
        text = _text(content)
    elif role == "tool" and not isinstance(message, BaseModel):
        return flat  # 000: null is removed from a tool message
    elif is_first and not flat.get("tool_calls"):
        raise BadMessageError("it is empty")
    else:
        text = ""
    # Directly after the role, where people expect it.
    return {"role": flat.pop("role"), "content": text, **flat}


def _members(message: Given) -> dict[str, Any]:
    """Return the members of a message as a new object.

    Raises:
        BadMessageError: it is not a message.
    """
    found: Any = message
    if isinstance(message, (str, bytes)):
        found = _parsed(message)
    elif isinstance(message, BaseModel):
        found = _accepted_members(_plain(message))
    if not isinstance(found, Mapping):
        raise BadMessageError(_NO_MESSAGE)
    return dict(cast("Mapping[str, Any]", found))


def _accepted_members(plain: Any) -> Any:
    """Return the members of a model that services accept."""
    if not isinstance(plain, dict):
        return plain
    members = cast("dict[str, Any]", plain)
    taken = _ACCEPTED_OF_ROLE.get(members.get("role", ""), _ACCEPTED | {"name"})
    if "type" in members and "data" in members:
        taken = frozenset(members)  # it will be refused with its own error
    found = {name: value for name, value in members.items() if name in taken}
    if isinstance(found.get("tool_calls"), list):
        found["tool_calls"] = [_accepted_call_members(call) for call in found["tool_calls"]]
    if isinstance(found.get("refusal"), list):
        found["refusal"] = "".join(part["text"] for part in found["refusal"] if "text" in part)
    return found


def _call(call: Any) -> Any:
    """Return a call as a plain object."""
    if not isinstance(call, BaseModel):
        return dict(cast("Mapping[str, Any]", call)) if isinstance(call, Mapping) else call
    return _accepted_call_members(_plain(call))


def _accepted_call_members(call: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in call.items() if name in _ACCEPTED_OF_CALL}


def _parsed(text: str | bytes) -> Any:
    try:
        return parse(text.encode() if isinstance(text, str) else text)
    except (RefusedError, UnicodeEncodeError):
        pass
    raise BadMessageError("it is not JSON")


def _plain(value: Any) -> Any:
    """Return a Python value as JSON, including models, dates and the like."""
    try:
        return to_jsonable_python(value, by_alias=True)
    except (PydanticSerializationError, ValueError, RecursionError):
        pass
    raise BadMessageError(_NO_CONTENT)


def _text(content: Any) -> str:
    """Return content as text.

    Raises:
        BadMessageError: it is not JSON.
    """
    if isinstance(content, str):
        return content
    plain = _plain(content)
    if isinstance(plain, str):
        return plain
    try:
        return json_text(plain)
    except ValueError:
        pass
    raise BadMessageError(_NO_CONTENT)
