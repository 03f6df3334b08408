"""Canonical to Chat Completions: tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.arguments import arguments_text
from interlingua.dialects._chat_completions.encode_part import encode_cache_control
from interlingua.dialects._chat_completions.tables import ID_LIMIT, NAME_LIMIT
from interlingua.dialects._shared.extra import lay, lay_own, own_bag
from interlingua.dialects._shared.names import acceptable_40, acceptable_64, safe_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.tables import Vendor
    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import (
        ToolCall,
    )


_NOTHING: Final[Mapping[str, Any]] = {}


def encode_call(call: ToolCall, index: int, at: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Return the wire form of a tool call."""
    arguments = call["arguments"]
    name = call["name"]
    if len(call) == 3 and "id" in call and (to.home or (acceptable_64(name) and acceptable_40(call["id"]))):
        text = arguments if type(arguments) is str else arguments_text(arguments)
        return {"id": call["id"], "type": "function", "function": {"name": name, "arguments": text}}
    spelling = own_bag(call, vendor.dialect).get("spelling", _NOTHING)
    out: dict[str, Any] = {}
    if not to.home:
        name = safe_name(name, NAME_LIMIT, f"{to.call(index, at)}/name", to.log)
        out["id"] = _identifier(call, index, at, to)
    elif "id" in call:
        out["id"] = call["id"]
    custom = call.get("kind") == "custom"
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


def _identifier(call: ToolCall, index: int, at: int, to: Target) -> str:
    """Return the id of a call, made acceptable, or one from its position."""
    path = f"{to.call(index, at)}/id"
    if "id" in call:
        return safe_name(call["id"], ID_LIMIT, path, to.log)
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
