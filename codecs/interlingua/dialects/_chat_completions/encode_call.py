"""Canonical to Chat Completions: tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.arguments import arguments_object, arguments_text
from interlingua.dialects._chat_completions.encode_part import encode_cache_control
from interlingua.dialects._chat_completions.names import wire_identifier, wire_name
from interlingua.dialects._shared.extra import lay, lay_own, own_bag
from interlingua.dialects._shared.names import acceptable_40, acceptable_64

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import (
        ToolCall,
    )


_NOTHING: Final[Mapping[str, Any]] = {}


def plain_calls(calls: list[ToolCall], vendor: Vendor, to: Target) -> list[dict[str, Any]] | None:
    """Return the wire form of calls of an id, a name and a text each that are accepted as they are, else None."""
    free = to.home or not vendor.limited
    out: list[dict[str, Any]] = []
    if not (vendor.custom or to.home):
        return None
    for call in calls:
        if len(call) != 3 or "id" not in call:
            return None
        identifier, name, arguments = call["id"], call["name"], call["arguments"]
        if type(arguments) is not str or not (free or (acceptable_64(name) and acceptable_40(identifier))):
            return None
        out.append({"id": identifier, "type": "function", "function": {"name": name, "arguments": arguments}})
    return out


def encode_call(call: ToolCall, index: int, at: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Return the wire form of a tool call."""
    arguments = call["arguments"]
    name = call["name"]
    if (
        len(call) == 3
        and "id" in call
        and (to.home or not vendor.limited or (acceptable_64(name) and acceptable_40(call["id"])))
    ):
        text = arguments if type(arguments) is str else arguments_text(arguments)
        if vendor.custom or to.home or type(arguments) is dict or arguments_object(text)[1]:
            return {"id": call["id"], "type": "function", "function": {"name": name, "arguments": text}}
    spelling = own_bag(call, vendor.dialect).get("spelling", _NOTHING)
    out: dict[str, Any] = {}
    if not to.home:
        name = wire_name(name, f"{to.call(index, at)}/name", vendor, to)
        out["id"] = _identifier(call, index, at, vendor, to)
        if not vendor.custom:
            arguments = _object_text(call, to.call(index, at), to)
    elif "id" in call:
        out["id"] = call["id"]
    custom = call.get("kind") == "custom" and (to.home or vendor.custom)
    if spelling.get("type") != "absent":
        out["type"] = None if "type" in spelling.get("null", ()) else "custom" if custom else "function"
    inner: dict[str, Any] = {"name": name}
    _encode_arguments(inner, "input" if custom else "arguments", arguments, spelling)
    out["custom" if custom else "function"] = inner
    if "call_id" in call:
        to.log.lost("member", f"{to.call(index, at)}/call_id", "a call has one id")
    if "cache" in call:
        encode_cache_control(out, call["cache"], spelling, f"{to.call(index, at)}/cache", to)
    lay_own(out, call, vendor.dialect, to.call(index, at), to.log)
    return out


def _object_text(call: ToolCall, path: str, to: Target) -> str:
    """Return arguments as the text of an object, for a server that forgets all others."""
    arguments = call["arguments"]
    if call.get("kind") == "custom":
        to.log.changed("arguments", f"{path}/arguments", "free text becomes an object with the member input")
        to.log.changed("arguments", f"{path}/kind", "every call has an object")
        return arguments_text({"input": arguments})
    if type(arguments) is str:
        value, faithful = arguments_object(arguments)
        if not faithful:
            to.log.changed("arguments", f"{path}/arguments", "the text is not faithfully an object")
            return arguments_text(value)
    return arguments_text(arguments)


def _identifier(call: ToolCall, index: int, at: int, vendor: Vendor, to: Target) -> str:
    """Return the id of a call, made acceptable, or one from its position."""
    path = f"{to.call(index, at)}/id"
    if "id" in call:
        return wire_identifier(call["id"], path, vendor, to)
    to.log.filled(path, "every call has an id")
    return f"call_{index}_{at}"


def _encode_arguments(inner: dict[str, Any], name: str, arguments: Any, spelling: Mapping[str, Any]) -> None:
    """Write arguments as text, or as they came: an object, null, or not at all."""
    form = spelling.get("arguments")
    if form == "object" and type(arguments) is dict:
        inner[name] = arguments
    elif form == "null" and arguments == "":
        inner[name] = None
    elif form != "absent" or arguments != "":
        inner[name] = arguments_text(arguments)


def encode_function_call(call: Any, vendor: Vendor) -> dict[str, Any]:
    """Return the wire form of a call that came under the older `function_call`."""
    out: dict[str, Any] = {"name": call["name"]}
    bag = own_bag(call, vendor.dialect)
    _encode_arguments(out, "arguments", call["arguments"], bag.get("spelling", _NOTHING))
    lay(out, bag.get("fields", _NOTHING))
    return out
