"""Responses to canonical: tools and the choice among them."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import Any, Final

from interlingua.dialects._shared.extra import Leftovers
from interlingua.dialects._shared.reading import TEXT, Malformed, expect
from interlingua.dialects.openai_responses.tables import DIALECT

_TOOL_MEMBERS: Final = {"description": str, "parameters": dict, "strict": bool}


def read_tools(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Leftovers) -> None:
    """Read the tools of a request."""
    if type(value) is not list:
        raise Malformed("/tools", "expected a list")
    if not value:
        left.empty("tools")
        return
    tools = request["tools"] = []
    index = 0
    try:
        for index, tool in enumerate(value):  # noqa: B007  # the index is read when a tool is malformed
            tools.append(decode_tool(tool))
    except Malformed as malformed:
        raise malformed.under("tools", index) from None


def decode_tool(wire: Any) -> dict[str, Any]:
    """Decode one tool; all but functions are opaque."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    if wire.get("type") != "function":
        return {"type": "opaque", "dialect": DIALECT, "data": wire}
    if (
        type(wire.get("name")) is type(wire.get("description")) is str
        and type(wire.get("parameters")) is dict
        and (len(wire) == 4 or (len(wire) == 5 and type(wire.get("strict")) is bool))
    ):
        return wire  # a plain function is its own canonical form
    tool: dict[str, Any] = {"type": "function", "name": expect(wire.get("name"), TEXT, "name")}
    left = Leftovers()
    for key, value in wire.items():
        if key in _TOOL_MEMBERS:
            if value is None:
                left.null(key)
            elif type(value) is _TOOL_MEMBERS[key]:
                tool[key] = value
            else:
                left.fields[key] = value
        elif key not in {"type", "name"}:
            left.fields[key] = value
    left.attach(tool, DIALECT)
    return tool


def read_tool_choice(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Leftovers) -> None:
    """Read the choice among the tools; one of a shape without a canonical place stays a leftover."""
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
        case {"type": "function", "name": str(name), **others} if not others:
            return {"mode": "named", "name": name}
        case {"type": "custom", "name": str(name), **others} if not others:
            return {"mode": "named", "name": name, "kind": "custom"}
        case {"type": "allowed_tools", "mode": "auto" | "required" as mode, "tools": list(tools), **others} if (
            not others
        ):
            names = [_allowed_name(tool) for tool in tools]
            return None if None in names else {"mode": "subset", "names": names, "required": mode == "required"}
        case _:
            return None


def _allowed_name(tool: Any) -> str | None:
    match tool:
        case {"type": "function", "name": str(name), **others} if not others:
            return name
        case _:
            return None
