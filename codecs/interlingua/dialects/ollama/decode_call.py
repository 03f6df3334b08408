"""Ollama to canonical: tool calls. Every function raises `Malformed` with its own path."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import Any, Final

from interlingua.dialects._shared.extra import Leftovers, read_text, rest
from interlingua.dialects._shared.reading import OBJECT, TEXT, Malformed, expect
from interlingua.dialects.ollama.tables import DIALECT

_CALL_MEMBERS: Final = frozenset({"id", "type", "function"})

_FUNCTION_MEMBERS: Final = frozenset({"index", "name", "arguments"})


def decode_calls(message: dict[str, Any], wire: list[Any], left: Leftovers, *, answer: bool) -> None:
    """Decode the calls of a message; those of an unknown type keep their place among the others."""
    calls: list[dict[str, Any]] = []
    index = 0
    try:
        for index, one in enumerate(wire):
            call = decode_call(one, len(calls), answer=answer)
            if call is None:
                left.typed.setdefault("opaque_calls", []).append({"at": index, "data": one})
            else:
                calls.append(call)
    except Malformed as malformed:
        raise malformed.under("tool_calls", index) from None
    if calls:
        message["tool_calls"] = calls


def plain_calls(wire: Any) -> list[dict[str, Any]] | None:
    """Return the calls of a list of plain calls of a request, or None where any of them is more than plain."""
    if type(wire) is not list:
        return None
    calls: list[dict[str, Any]] = []
    try:
        for one in wire:
            function = one["function"]
            name, arguments = function["name"], function["arguments"]
            if len(function) != 2 or type(name) is not str or type(arguments) is not dict:
                return None
            if len(one) == 1:
                calls.append({"name": name, "arguments": arguments})
                continue
            identifier = one["id"]
            if len(one) != 2 or type(identifier) is not str:
                return None
            calls.append({"id": identifier, "name": name, "arguments": arguments})
    except (KeyError, TypeError):  # a member is missing, or it is no object
        return None
    return calls


def decode_call(wire: Any, position: int, *, answer: bool) -> dict[str, Any] | None:
    """Decode one tool call, or return None for one of an unknown type, and for what is no object.

    An answer numbers its calls by habit, a request does not.
    """
    if type(wire) is not dict:
        return None
    kind = wire.get("type")
    if type(kind) is str and kind != "function":
        return None
    function = expect(wire.get("function"), OBJECT, "function")
    left = Leftovers()
    read_text(left.spelling, "type", wire, "type", left)
    call: dict[str, Any] = {}
    read_text(call, "id", wire, "id", left)
    call["name"] = expect(function.get("name"), TEXT, "function", "name")
    call["arguments"] = _arguments(function, left)
    nested = rest(function, _FUNCTION_MEMBERS)
    if "index" not in function:
        if answer:
            left.absent("index")
    elif type(function["index"]) is not int or function["index"] != position:
        nested["index"] = function["index"]
    elif not answer:
        left.spelling["index"] = "said"
    left.nest("function", nested)
    left.fields |= rest(wire, _CALL_MEMBERS)
    left.attach(call, DIALECT)
    return call


def _arguments(function: dict[str, Any], left: Leftovers) -> dict[str, Any] | str:
    """Return the arguments: an object, text as some clients send it, or nothing where nothing was said."""
    arguments = function.get("arguments")
    if type(arguments) is dict:
        return arguments
    if arguments is None:
        left.spelling["arguments"] = "null" if "arguments" in function else "absent"
        return {}
    left.spelling["arguments"] = "text"
    return str(expect(arguments, (dict, str), "function", "arguments"))
