"""Canonical to Chat Completions: tools and the choice among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._chat_completions.names import wire_name
from interlingua.dialects._shared.extra import lay, own_bag, report_foreign
from interlingua.dialects._shared.names import acceptable_64
from interlingua.dialects._shared.strict import enforce, is_strict
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import Tool, ToolChoice


_NOTHING: Final[Mapping[str, Any]] = {}

_TOOL_MEMBERS: Final = ("name", "description", "parameters", "strict")


def write_tools(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    """Write the tools, and the older `functions` under their own name."""
    tools: list[Tool] = value
    encoded: list[dict[str, Any]] = []
    functions: list[dict[str, Any]] = []
    allowed = None if to.home or vendor.custom else _allowed(request.get("tool_choice"))
    for index, tool in enumerate(tools):
        if tool["type"] == "function" and to.home and "extra" not in tool and "cache" not in tool:
            function = {name: content for name, content in tool.items() if name != "type"}
            encoded.append({"type": "function", "function": function})
        elif tool["type"] == "function" and allowed is None and _is_accepted(tool, vendor):
            said: Any = tool
            encoded.append(
                {"type": "function", "function": {name: said[name] for name in _TOOL_MEMBERS if name in said}}
            )
        elif tool["type"] == "function":
            if allowed is not None and tool["name"] not in allowed:
                lost_members(to.log, tool, f"/tools/{index}", "tool", "only allowed tools are offered")
                continue
            bag = own_bag(tool, vendor.dialect)
            spelling = bag.get("spelling", _NOTHING)
            wire = _encode_function(tool, index, spelling, bag, vendor, to)
            (functions if "tool" in spelling else encoded).append(wire)
        elif tool["type"] == "opaque":
            if tool["dialect"] == vendor.dialect:
                encoded.append(tool["data"])
            else:
                lost_members(to.log, tool, f"/tools/{index}", "tool", "only its own dialect understands it")
        else:
            assert_never(tool)
    if encoded or not (functions or tools):
        out["tools"] = encoded
    if functions:
        out["functions"] = functions


def _is_accepted(tool: Any, vendor: Vendor) -> bool:
    """Tell whether a function without more is accepted as it is: its name, and its schema where it is strict."""
    if "extra" in tool or "cache" in tool or (vendor.limited and not acceptable_64(tool["name"])):
        return False
    return not (vendor.closes and tool.get("strict")) or ("parameters" in tool and is_strict(tool["parameters"]))


def _allowed(choice: ToolChoice | None) -> frozenset[str] | None:
    """Return the names of the only tools that may be called, or None for all."""
    return frozenset(choice["names"]) if choice is not None and choice["mode"] == "subset" else None


def _encode_function(
    tool: Any, index: int, spelling: Mapping[str, Any], bag: Mapping[str, Any], vendor: Vendor, to: Target
) -> dict[str, Any]:
    function = {name: tool[name] for name in _TOOL_MEMBERS if name in tool}
    function["name"] = wire_name(tool["name"], f"/tools/{index}/name", vendor, to)
    for name in spelling.get("null", ()):
        if name in _TOOL_MEMBERS:
            function.setdefault(name, None)
    if vendor.closes and not to.home and tool.get("strict"):
        enforce(function, "parameters", f"/tools/{index}", to.log, "tool")
    out: dict[str, Any]
    if "tool" in spelling:
        out = function
    else:
        out = {"function": function} if "type" in spelling else {"type": "function", "function": function}
        if "type" in spelling.get("null", ()):
            out["type"] = None
    if "cache" in tool:
        if "cache" in spelling:
            out["cache_control"] = {"type": "ephemeral", **tool["cache"]}
        else:
            to.log.lost("cache", f"/tools/{index}/cache", "tools have no cache mark")
    if bag:
        lay(out, bag.get("fields", _NOTHING))
    if "extra" in tool:
        report_foreign(tool, vendor.dialect, f"/tools/{index}", to.log)
    return out


def write_tool_choice(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    """Write which tools may or must be called."""
    choice: ToolChoice = value
    older = "tool_choice" in own_bag(request, vendor.dialect).get("spelling", _NOTHING)
    if choice["mode"] == "auto" or choice["mode"] == "none" or choice["mode"] == "required":
        wire: Any = choice["mode"]
    elif choice["mode"] == "named":
        kind = choice.get("kind", "function")
        if kind != "function" and not (to.home or vendor.custom):
            to.log.lost("setting", "/tool_choice/kind", "every tool takes an object")
            kind = "function"
        name = wire_name(choice["name"], "/tool_choice/name", vendor, to)
        wire = {"name": name} if older else {"type": kind, kind: {"name": name}}
    elif choice["mode"] == "subset":
        mode = "required" if choice.get("required") else "auto"
        if to.home or vendor.custom:
            names = [wire_name(name, f"/tool_choice/names/{at}", vendor, to) for at, name in enumerate(choice["names"])]
            tools = [{"type": "function", "function": {"name": name}} for name in names]
            wire = {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": tools}}
        else:
            wire = mode
    else:
        assert_never(choice)
    out["function_call" if older else "tool_choice"] = wire


def settle_choice(out: dict[str, Any], request: Any, vendor: Vendor, to: Target) -> None:
    """Drop a choice among no tools, and what else is refused beside none of them."""
    if out.get("tools") == []:
        del out["tools"]
    choice = request.get("tool_choice")
    if out.get("tools"):
        if choice is not None and choice["mode"] == "subset" and not vendor.custom:
            to.log.changed("setting", "/tool_choice", "only allowed tools are offered instead")
        return
    if "tool_choice" in out and out["tool_choice"] != "none":
        del out["tool_choice"]
        lost_members(to.log, choice, "/tool_choice", "setting", "there are no tools to choose from")
    if "parallel_tool_calls" in out and "functions" not in out:
        del out["parallel_tool_calls"]
        to.log.lost("setting", "/parallel_tool_calls", "there are no tools to call")
