"""Writes the tool calls and results of flat messages in the format of Chat Completions.

In stored rows and in models a call has its name and arguments as its own members; in that API they are in an object
`function`, with text arguments, and results refer to the call by id. Ids and names that the API refuses are replaced,
always in the same way.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias

from interlingua.errors import EncodeError
from interlingua.json_types import is_list, is_object, is_text
from interlingua.migrate.pairing import OpenCalls, Place
from interlingua.rooms._shared.names import acceptable_64, sanitized_name
from interlingua.tool_arguments import arguments_text

__all__ = ["BadMessageError", "FlatCalls", "joined"]

Json: TypeAlias = dict[str, Any]

_LONGEST_ID: Final = 40
_LONGEST_NAME: Final = 64
_is_valid_participant: Final = re.compile(r"[^\s<|\\/>]{1,64}").fullmatch
_OWN: Final = frozenset({"id", "type", "kind", "name", "arguments", "call_id", "function", "custom"})


class BadMessageError(Exception):
    """A message that cannot be written; the error message says why and has no content."""


class FlatCalls:
    """Writes the calls and results of a conversation, message by message, in linear time."""

    def __init__(self) -> None:
        self._open: Final = OpenCalls()
        self._ids: Final[dict[Place, str]] = {}

    def written(self, message: Json, index: int) -> Json:
        """Return a message with its calls, or the id of the call that it answers, in the API's format.

        Raises:
            BadMessageError: a call is not a valid call.
        """
        message = _named(message)
        if message["role"] == "tool":
            return self._result(message, index)
        if message["role"] != "assistant":
            self._open.end_turn()
            return message
        calls = message.get("tool_calls")
        if not calls:
            return {name: value for name, value in message.items() if name != "tool_calls"}
        if not is_list(calls):
            raise BadMessageError("its calls are not a list")
        written = [_call(call, f"call_{index}_{order}") for order, call in enumerate(calls)]
        for order, (call, out) in enumerate(zip(calls, written, strict=True)):
            place = (index, order)
            self._ids[place] = out["id"]
            identifier = call.get("id")
            named = {"name": _inner(call).get("name"), "id": identifier if _is_id(identifier) else None}
            self._open.add(place, {**named, "call_id": out["id"]})
        return {**message, "tool_calls": written}

    def _result(self, message: Json, index: int) -> Json:
        """Return a result with its call's id: the one it names, else that of an open call of its tool, else any."""
        named = next((message[name] for name in ("tool_call_id", "call_id", "id") if _is_id(message.get(name))), None)
        tool = message.get("name") or message.get("tool_name")
        place = self._open.answer(named, tool if is_text(tool) else None)
        identifier = f"call_{index}" if named is None else _short(named)
        out = {name: value for name, value in message.items() if name not in {"call_id", "tool_call_id"}}
        if "tool_call_id" not in message and "call_id" not in message and out.get("id") == named:
            out.pop("id", None)
        out["tool_call_id"] = identifier if place is None else self._ids[place]
        return out


def joined(first: Json, second: Json) -> Json:
    """Return two assistant messages joined, because the API requires results directly after the calls."""
    texts = [message["content"] for message in (first, second) if message["content"]]
    calls = [*first["tool_calls"], *second.get("tool_calls", ())]
    return {**second, **first, "content": "\n\n".join(texts), "tool_calls": calls}


def _named(message: Json) -> Json:
    """Return a message whose speaker has a name that the API accepts."""
    name = message.get("name")
    if name is None or (is_text(name) and _is_valid_participant(name)):
        return message
    if is_text(name) and name:
        return {**message, "name": sanitized_name(name, _LONGEST_NAME)}
    return {member: value for member, value in message.items() if member != "name"}


def _call(call: Any, fallback: str) -> Json:
    """Return a call in the API's format.

    Raises:
        BadMessageError: it is not a call, or has no name.
    """
    if not is_object(call):
        raise BadMessageError("a call is not an object")
    inner = _inner(call)
    name = inner.get("name")
    if not is_text(name) or not name:
        raise BadMessageError("a call has no name")
    is_custom = "custom" in (call.get("type"), call.get("kind"))
    identifier = next((call[member] for member in ("id", "call_id") if _is_id(call.get(member))), fallback)
    function_members = {
        **{member: value for member, value in inner.items() if inner is not call},
        "name": name if acceptable_64(name) else sanitized_name(name, _LONGEST_NAME),
        "input" if is_custom else "arguments": _text(
            inner.get("input") if "input" in inner else inner.get("arguments")
        ),
    }
    kind = "custom" if is_custom else "function"
    others = {member: value for member, value in call.items() if member not in _OWN}
    return {"id": _short(identifier), "type": kind, kind: function_members, **others}


def _inner(call: Json) -> Json:
    """Return the object with a call's name and arguments: one inside the call, or the call itself."""
    return next((call[kind] for kind in ("function", "custom") if is_object(call.get(kind))), call)


def _text(arguments: Any) -> str:
    """Return arguments as text; absent ones are an empty object.

    Raises:
        BadMessageError: they are not JSON.
    """
    if arguments is None:
        return "{}"
    if not (is_text(arguments) or is_object(arguments)):
        raise BadMessageError("the arguments of a call are neither an object nor text")
    try:
        return arguments_text(arguments)
    except (EncodeError, TypeError, ValueError):
        pass
    raise BadMessageError("the arguments of a call are not JSON")


def _is_id(value: Any) -> bool:
    return is_text(value) and bool(value)


def _short(identifier: str) -> str:
    return identifier if len(identifier) <= _LONGEST_ID else sanitized_name(identifier, _LONGEST_ID)
