"""Chat Completions to canonical: tool calls. Every function raises `Malformed` with its own path."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._chat_completions.decode_part import decode_cache_control
from interlingua.dialects._shared.extra import Leftovers, read_text, rest
from interlingua.dialects._shared.reading import OBJECT, TEXT, Malformed, expect

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.vendor import Vendor


_CALL_MEMBERS: Final = frozenset({"id", "type", "function", "cache_control"})

_CUSTOM_MEMBERS: Final = frozenset({"id", "type", "custom", "cache_control"})

_FUNCTION_MEMBERS: Final = frozenset({"name", "arguments"})

# What arguments may be: text, an object of some vendors, or nothing.
_ARGUMENTS: Final = (str, dict, type(None))


def decode_calls(message: dict[str, Any], wire: Any, vendor: Vendor, left: Leftovers) -> None:
    if type(wire) is not list:
        raise Malformed("/tool_calls", "expected a list")
    calls = plain_calls(wire)
    if calls:
        message["tool_calls"] = calls
        return
    calls = []
    index = 0
    try:
        for index, one in enumerate(wire):
            call = decode_call(one, vendor)
            if call is None:
                left.typed.setdefault("opaque_calls", []).append({"at": index, "data": one})
            else:
                calls.append(call)
    except Malformed as malformed:
        raise malformed.under("tool_calls", index) from None
    if calls:
        message["tool_calls"] = calls


def plain_calls(wire: Any) -> list[dict[str, Any]] | None:
    """Return the calls of a list of plain calls, or None where any of them is more than plain."""
    if type(wire) is not list:
        return None
    calls: list[dict[str, Any]] = []
    try:
        for one in wire:
            function = one["function"]
            if len(one) != 3 or one["type"] != "function" or len(function) != 2:
                return None
            identifier, name, arguments = one["id"], function["name"], function["arguments"]
            if type(identifier) is not str or type(name) is not str or type(arguments) is not str:
                return None
            calls.append({"id": identifier, "name": name, "arguments": arguments})
    except (KeyError, TypeError):  # a member is missing, or it is no object
        return None
    return calls


def decode_call(wire: Any, vendor: Vendor) -> dict[str, Any] | None:
    """Decode one tool call, or return None for one of an unknown type, and for what is no object."""
    if type(wire) is not dict:
        return None
    plain = plain_calls([wire])
    if plain is not None:
        return plain[0]
    function = wire.get("function")
    kind = wire.get("type")
    left = Leftovers()
    if kind == "custom":
        call = _decode_inner(wire, "custom", "input", left)
        call["kind"] = "custom"
        known = _CUSTOM_MEMBERS
    elif kind == "function" or (type(kind) is not str and type(function) is dict):
        if kind is None:
            left.untyped(wire)
        elif kind != "function":  # no text: it says nothing
            left.spelling["type"] = "absent"
            left.fields["type"] = kind
        call = _decode_inner(wire, "function", "arguments", left)
        known = _CALL_MEMBERS
    else:
        return None
    named: dict[str, Any] = {}
    read_text(named, "id", wire, "id", left)
    call = {**named, **call}
    if "cache_control" in wire:
        decode_cache_control(call, wire["cache_control"], left)
    left.fields |= rest(wire, known)
    left.attach(call, vendor.dialect)
    return call


def _decode_inner(wire: dict[str, Any], kind: str, member: str, left: Leftovers) -> dict[str, Any]:
    """Decode name and arguments of a call, which stand in an object named after its type."""
    inner = expect(wire.get(kind), OBJECT, kind)
    call = {"name": expect(inner.get("name"), TEXT, kind, "name"), "arguments": _text_or(inner, member, left)}
    left.nest(kind, rest(inner, frozenset({"name", member})))
    return call


def _text_or(wire: dict[str, Any], name: str, left: Leftovers) -> str | dict[str, Any]:
    """Return argument text; an object as some vendors send it; or empty text where nothing was said."""
    value = wire.get(name)
    if type(value) is str:
        return value
    if type(value) is dict:
        left.spelling["arguments"] = "object"
        return value
    if value is not None:
        raise Malformed("/function/arguments" if name == "arguments" else "/custom/input", "expected text")
    left.spelling["arguments"] = "null" if name in wire else "absent"
    return ""


def decode_function_call(
    message: dict[str, Any], wire: Any, whole: dict[str, Any], vendor: Vendor, left: Leftovers
) -> None:
    """Decode the older `function_call`; beside `tool_calls` it is only a repeat and stays a leftover."""
    if (
        type(wire) is not dict
        or type(wire.get("name")) is not str
        or type(wire.get("arguments")) not in _ARGUMENTS
        or whole.get("tool_calls")
    ):
        left.fields["function_call"] = wire
        return
    inner = Leftovers()
    call = {"name": wire["name"], "arguments": _text_or(wire, "arguments", inner)}
    inner.fields = rest(wire, _FUNCTION_MEMBERS)
    inner.attach(call, vendor.dialect)
    message["tool_calls"] = [call]
    left.spelling["call"] = "function_call"
