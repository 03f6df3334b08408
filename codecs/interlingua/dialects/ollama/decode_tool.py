"""Ollama to canonical: tools."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import Any, Final

from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.reading import TEXT, Malformed, expect
from interlingua.dialects.ollama.tables import DIALECT

_TOOL_MEMBERS: Final = frozenset({"type", "function"})


def read_tools(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    """Read the tools; an empty list says nothing."""
    if type(value) is not list:
        raise Malformed("/tools", "expected a list")
    if not value:
        left.empty("tools")
        return
    tools: list[dict[str, Any]] = []
    try:
        for tool in value:
            tools.append(plain_tool(tool) or decode_tool(tool))  # noqa: PERF401  # how far it came is read when one is malformed
    except Malformed as malformed:
        raise malformed.under("tools", len(tools)) from None
    request["tools"] = tools


def plain_tool(wire: Any) -> dict[str, Any] | None:
    """Return a function with name, description and parameters, as nearly all have, or None for any other tool."""
    if type(wire) is not dict or len(wire) != 2 or wire.get("type") != "function":
        return None
    function = wire.get("function")
    if type(function) is not dict or len(function) != 3:
        return None
    name, description, parameters = function.get("name"), function.get("description"), function.get("parameters")
    if type(name) is str and type(description) is str and type(parameters) is dict:
        return {"type": "function", "name": name, **function}
    return None


def decode_tool(wire: Any) -> dict[str, Any]:
    """Decode one tool; all but functions are opaque."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    function = wire.get("function")
    kind = wire.get("type")
    if (kind is not None and kind != "function") or type(function) is not dict:
        return {"type": "opaque", "dialect": DIALECT, "data": wire}
    left = Leftovers()
    if kind is None:
        if "type" in wire:
            left.null("type")
        else:
            left.spelling["type"] = "absent"
    tool: dict[str, Any] = {"type": "function", "name": expect(function.get("name"), TEXT, "function", "name")}
    nested: dict[str, Any] = {}
    for key, value in function.items():
        if key == "name":
            continue
        if (key == "parameters" and type(value) is dict) or (key == "description" and type(value) is str):
            tool[key] = value
        elif value is None and key in {"parameters", "description"}:
            left.null(f"function.{key}")
        else:
            nested[key] = value
    left.nest("function", nested)
    left.fields |= rest(wire, _TOOL_MEMBERS)
    left.attach(tool, DIALECT)
    return tool
