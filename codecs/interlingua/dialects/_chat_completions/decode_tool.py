"""Chat Completions to canonical: tools and the choice among them."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.reading import TEXT, Malformed, expect

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.vendor import Vendor


_TOOL_MEMBERS: Final = frozenset({"type", "function", "cache_control"})

_FUNCTION_MEMBERS: Final = frozenset({"name", "description", "parameters"})


def read_tools(request: dict[str, Any], value: Any, _body: dict[str, Any], vendor: Vendor, left: Leftovers) -> None:
    """Read the tools."""
    if type(value) is not list:
        raise Malformed("/tools", "expected a list")
    if not value:
        left.empty("tools")
        return
    tools = request.setdefault("tools", [])
    index = 0
    try:
        for index, tool in enumerate(value):  # noqa: B007  # the index is read when a tool is malformed
            tools.append(_plain_tool(tool) or decode_tool(tool, vendor))
    except Malformed as malformed:
        raise malformed.under("tools", index) from None


def read_functions(request: dict[str, Any], value: Any, body: dict[str, Any], vendor: Vendor, left: Leftovers) -> None:
    """Read the older `functions`; beside `tools`, or malformed, they stay a leftover."""
    known = type(value) is list and all(type(one) is dict and type(one.get("name")) is str for one in value)
    if not value or not known or body.get("tools"):
        left.fields["functions"] = value
        return
    for function in value:
        inner = Leftovers()
        tool = _decode_function(function, inner)
        inner.spelling["tool"] = "functions"
        inner.fields = inner.fields.pop("function", {})
        inner.attach(tool, vendor.dialect)
        request.setdefault("tools", []).append(tool)


def _plain_tool(wire: Any) -> dict[str, Any] | None:
    """Return a function that says its name, description and parameters, perhaps whether it is strict, and no more.

    None for any other tool. The longer way gives the same.
    """
    if type(wire) is not dict or len(wire) != 2:
        return None
    try:
        function = wire["function"]
        if type(function) is not dict or wire["type"] != "function" or type(function["parameters"]) is not dict:
            return None
        if type(function["name"]) is not str or type(function["description"]) is not str:
            return None
        if len(function) != 3 and (len(function) != 4 or type(function["strict"]) is not bool):
            return None
    except KeyError:
        return None
    return {"type": "function", **function}


def decode_tool(wire: Any, vendor: Vendor) -> dict[str, Any]:
    """Decode one tool; all but functions are opaque."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    function = wire.get("function")
    kind = wire.get("type")
    if (kind is not None and kind != "function") or type(function) is not dict:
        return {"type": "opaque", "dialect": vendor.dialect, "data": wire}
    left = Leftovers()
    if kind is None:
        left.untyped(wire)
    tool = _decode_function(function, left)
    cache = _decode_mark(wire.get("cache_control"))
    if cache is not None:
        tool["cache"] = cache
        left.spelling["cache"] = "cache_control"
    elif "cache_control" in wire:
        left.fields["cache_control"] = wire["cache_control"]
    left.fields |= rest(wire, _TOOL_MEMBERS)
    left.attach(tool, vendor.dialect)
    return tool


def _decode_mark(mark: Any) -> dict[str, Any] | None:
    """Decode a mark for the cache that says that it is one, perhaps for how long, and nothing else."""
    match mark:
        case {"type": "ephemeral", "ttl": str(ttl), **others} if not others:
            return {"ttl": ttl}
        case {"type": "ephemeral", **others} if not others:
            return {}
        case _:
            return None


def _decode_function(function: dict[str, Any], left: Leftovers) -> dict[str, Any]:
    tool: dict[str, Any] = {"type": "function", "name": expect(function.get("name"), TEXT, "function", "name")}
    nested: dict[str, Any] = {}
    for key, value in function.items():
        if key == "name":
            pass
        elif (
            (key == "parameters" and type(value) is dict)
            or (key == "description" and type(value) is str)
            or (key == "strict" and type(value) is bool)
        ):
            tool[key] = value
        elif value is None and (key == "strict" or key in _FUNCTION_MEMBERS):
            left.null(key)
        else:
            nested[key] = value
    left.nest("function", nested)
    return tool


def read_tool_choice(
    request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    """Read which tools may or must be called."""
    choice = _decode_tool_choice(value)
    if choice is None:
        left.fields["tool_choice"] = value
    else:
        request["tool_choice"] = choice


def _decode_tool_choice(value: Any) -> dict[str, Any] | None:
    """Decode a tool choice of exactly a known shape, or return None."""
    match value:
        case "auto" | "none" | "required":
            return {"mode": value}
        case {"type": "function", "function": {"name": str(name), **inner}, **outer} if not inner and not outer:
            return {"mode": "named", "name": name}
        case {"type": "custom", "custom": {"name": str(name), **inner}, **outer} if not inner and not outer:
            return {"mode": "named", "name": name, "kind": "custom"}
        case {
            "type": "allowed_tools",
            "allowed_tools": {"mode": "auto" | "required" as mode, "tools": list(tools), **inner},
            **outer,
        } if not inner and not outer:
            names = [_allowed_name(tool) for tool in tools]
            return None if None in names else {"mode": "subset", "names": names, "required": mode == "required"}
        case _:
            return None


def _allowed_name(tool: Any) -> str | None:
    match tool:
        case {"type": "function", "function": {"name": str(name), **inner}, **outer} if not inner and not outer:
            return name
        case _:
            return None


def read_function_call(
    request: dict[str, Any], value: Any, body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    """Read the older `function_call`; beside `tool_choice` it stays a leftover."""
    if body.get("tool_choice") is None:
        match value:
            case "auto" | "none":
                request["tool_choice"] = {"mode": value}
                left.spelling["tool_choice"] = "function_call"
                return
            case {"name": str(name), **others} if not others:
                request["tool_choice"] = {"mode": "named", "name": name}
                left.spelling["tool_choice"] = "function_call"
                return
            case _:
                pass
    left.fields["function_call"] = value
