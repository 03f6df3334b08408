"""Canonical to Chat Completions: tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.encode_part import encode_cache_control
from interlingua.rooms._chat_completions.tables import ID_LIMIT, NAME_LIMIT
from interlingua.rooms._shared.names import acceptable_40, acceptable_64, lettered_name, safe_name
from interlingua.rooms._shared.writing import object_arguments, write_arguments
from interlingua.spi.extra import NOTHING, merge_extra, merge_own_extra, own_extra, own_spelling
from interlingua.tool_arguments import arguments_object, arguments_text, is_blank

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ToolCall
    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.rooms._shared.writing import Target

ONE_CALL: Final = "clients of the older functions accept one call at a time: this one was left out"


def wire_name(name: str, path: str, vendor: Vendor, to: Target) -> str:
    """Return the name of a tool, made acceptable abroad."""
    if to.home or not vendor.word_names:
        return name
    return (lettered_name if vendor.initial_letters else safe_name)(name, NAME_LIMIT, path, to.log)


def wire_identifier(identifier: str, path: str, vendor: Vendor, to: Target) -> str:
    """Return the id of a call, made acceptable abroad."""
    return identifier if to.home or not vendor.limited else safe_name(identifier, ID_LIMIT, path, to.log)


def encode_call(call: ToolCall, index: int, at: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Return the wire form of a tool call."""
    name, arguments = call["name"], call["arguments"]
    free = to.home or not vendor.limited
    if not to.home and is_blank(arguments) and call.get("kind") != "custom":
        arguments = "{}"  # clients parse it
    out: dict[str, Any] = {}
    if "id" in call:
        identifier = call["id"]
        if not (free or acceptable_40(identifier)):
            identifier = wire_identifier(identifier, f"{to.call(index, at)}/id", vendor, to)
        out["id"] = identifier
        if to.ids is not None:
            to.ids.next_call()
    elif not to.home:
        out["id"] = to.made_call_id(index, at)
        to.log.filled(f"{to.call(index, at)}/id", "every tool call needs an id: one was generated")
    if vendor.initial_letters or not (to.home or not vendor.word_names or acceptable_64(name)):
        name = wire_name(name, f"{to.call(index, at)}/name", vendor, to)
    if not (to.home or vendor.custom):
        arguments = _object_text(call, index, at, to)
    if len(call) == 3 and "id" in call:  # id, name and arguments alone
        out["type"] = "function"
        out["function"] = {"name": name, "arguments": arguments_text(arguments)}
        return out
    spelling = own_spelling(call, vendor.dialect)
    custom = call.get("kind") == "custom" and (to.home or vendor.custom)
    if spelling.get("type") != "absent":
        out["type"] = None if "type" in spelling.get("null", ()) else "custom" if custom else "function"
    held = "custom" if custom else "function"
    inner: dict[str, Any] = {"name": name}
    write_arguments(inner, "input" if custom else "arguments", arguments, spelling)
    out[held] = inner
    _restore_missing_name(inner, f"{held}.name", spelling)
    if "call_id" in call:
        to.log.lost("member", f"{to.call(index, at)}/call_id", "a tool call has only one id")
    if "cache" in call:
        encode_cache_control(out, call["cache"], spelling, f"{to.call(index, at)}/cache", to)
    merge_own_extra(out, call, vendor.dialect, to.call(index, at), to.log)
    return out


def _restore_missing_name(inner: dict[str, Any], place: str, spelling: Mapping[str, Any]) -> None:
    """Restore the missing name of a call: null or absent."""
    if inner["name"] or not spelling:
        return
    if place in spelling.get("null", ()):
        inner["name"] = None
    elif place in spelling.get("absent", ()):
        del inner["name"]


def _object_text(call: ToolCall, index: int, at: int, to: Target) -> str:
    """Return arguments as the JSON text of an object, for servers that drop anything else."""
    arguments = call["arguments"]
    if is_blank(arguments) and call.get("kind") != "custom":
        return "{}"
    is_faithful = type(arguments) is str and call.get("kind") != "custom" and arguments_object(arguments)[1]
    return arguments_text(arguments if is_faithful else object_arguments(call, index, at, to))


def encode_function_call(call: Any, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Return the wire form of a call as the deprecated `function_call`."""
    out: dict[str, Any] = {"name": call["name"]}
    bag = own_extra(call, vendor.dialect)
    arguments = "{}" if not to.home and is_blank(call["arguments"]) else call["arguments"]
    spelling = bag.get("spelling", NOTHING)
    write_arguments(out, "arguments", arguments, spelling)
    _restore_missing_name(out, "name", spelling)
    merge_extra(out, bag.get("fields", NOTHING))
    return out
