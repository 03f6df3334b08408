"""Claude to canonical: tools and the choice among them."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import Any, Final

from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.reading import (
    OBJECT,
    TEXT,
    Malformed,
    expect,
)
from interlingua.dialects.claude.decode_part import decode_cache
from interlingua.dialects.claude.tables import (
    DIALECT,
    TOOL_CHOICES,
)

_TOOL_MEMBERS: Final = frozenset({"type", "name", "description", "input_schema", "strict", "cache_control"})


def read_tool_choice(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    """Read which tools may or must be called, and the parallel switch that stands in it."""
    choice = expect(value, OBJECT, "tool_choice")
    kind = choice.get("type")
    known = {"type"}
    if kind == "tool" and type(choice.get("name")) is str:
        request["tool_choice"] = {"mode": "named", "name": choice["name"]}
        known.add("name")
    elif type(kind) is str and kind in TOOL_CHOICES:
        request["tool_choice"] = {"mode": TOOL_CHOICES[kind]}
    else:
        left.fields["tool_choice"] = choice
        return
    if type(choice.get("disable_parallel_tool_use")) is bool:
        request["parallel_tool_calls"] = not choice["disable_parallel_tool_use"]
        known.add("disable_parallel_tool_use")
    if len(choice) > len(known):
        left.nest("tool_choice", rest(choice, frozenset(known)))


def read_tools(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    """Read the tools."""
    if type(value) is not list:
        raise Malformed("/tools", "expected a list")
    if not value:
        left.empty("tools")
        return
    tools = request["tools"] = []
    index = 0
    try:
        for index, tool in enumerate(value):  # noqa: B007  # the index is read when a tool is malformed
            tools.append(_plain_tool(tool) or decode_tool(tool))
    except Malformed as malformed:
        raise malformed.under("tools", index) from None


def decode_tool(wire: Any) -> dict[str, Any]:
    """Decode one tool; all but the application's own are opaque."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    kind = wire.get("type")
    if kind is not None and kind != "custom":
        return {"type": "opaque", "dialect": DIALECT, "data": wire}
    tool: dict[str, Any] = {"type": "function", "name": expect(wire.get("name"), TEXT, "name")}
    left = Leftovers()
    if kind == "custom":
        left.spelling["type"] = "custom"
    for key, value in wire.items():
        if key == "description" and type(value) is str:
            tool["description"] = value
        elif key == "input_schema" and type(value) is dict:
            tool["parameters"] = value
        elif key == "strict" and type(value) is bool:
            tool["strict"] = value
        elif value is None and key in _TOOL_MEMBERS:
            if key != "cache_control":
                left.null(key)
        elif key not in _TOOL_MEMBERS or key in {"description", "input_schema", "strict"}:
            left.fields[key] = value
    decode_cache(tool, wire, left)
    left.attach(tool, DIALECT)
    return tool


def _plain_tool(wire: Any) -> dict[str, Any] | None:
    """Decode a tool of name, description, schema and perhaps whether it is strict, or return None for any other."""
    if type(wire) is not dict:
        return None
    name, description, schema = wire.get("name"), wire.get("description"), wire.get("input_schema")
    if type(name) is not str or type(description) is not str or type(schema) is not dict:
        return None
    if len(wire) == 3:
        return {"type": "function", "name": name, "description": description, "parameters": schema}
    strict = wire.get("strict")
    if len(wire) != 4 or type(strict) is not bool:
        return None
    return {"type": "function", "name": name, "description": description, "parameters": schema, "strict": strict}
