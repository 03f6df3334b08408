"""Canonical to Ollama: tools. There is no choice among them but to leave some out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._shared.extra import lay_own, own_bag
from interlingua.dialects.ollama.encode_schema import heard_schema
from interlingua.dialects.ollama.tables import DIALECT
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import Tool, ToolChoice, ToolDefinition


_NOTHING: Final[Mapping[str, Any]] = {}

_NO_PLACE: Final = "no place in a tool"


def write_tools(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the tools that may be called: none or only some of them, where that was the choice."""
    allowed = _allowed(request.get("tool_choice"))
    tools: list[dict[str, Any]] = []
    for index, tool in enumerate(value):
        if allowed is not None and (tool["type"] != "function" or tool["name"] not in allowed):
            lost_members(to.log, tool, f"/tools/{index}", "tool", "only tools that may be called are offered")
            continue
        encoded = encode_tool(tool, index, to)
        if encoded is not None:
            tools.append(encoded)
    if tools or not value:
        out["tools"] = tools


def _allowed(choice: ToolChoice | None) -> frozenset[str] | None:
    """Return the names of the tools that may be called, or None for all."""
    if choice is None:
        return None
    if choice["mode"] == "none":
        return frozenset()
    return frozenset(choice["names"]) if choice["mode"] == "subset" else None


def encode_tool(tool: Tool, index: int, to: Target) -> dict[str, Any] | None:
    """Return the wire form of a tool, or None where it has no place."""
    if tool["type"] == "function":
        return _encode_function(tool, f"/tools/{index}", to)
    if tool["type"] == "opaque":
        if tool["dialect"] == DIALECT:
            return tool["data"]  # type: ignore[no-any-return]  # verbatim
        lost_members(to.log, tool, f"/tools/{index}", "tool", "only its own dialect understands it")
        return None
    assert_never(tool)


def _encode_function(tool: ToolDefinition, path: str, to: Target) -> dict[str, Any]:
    function: dict[str, Any] = {"name": tool["name"]}
    if "description" in tool:
        function["description"] = tool["description"]
    if "parameters" in tool:
        parameters = tool["parameters"]
        function["parameters"] = parameters if to.home else heard_schema(parameters, f"{path}/parameters", to)
    elif not to.home:
        function["parameters"] = {"type": "object", "properties": {}}
        to.log.filled(f"{path}/parameters", "a tool has a schema")
    if "strict" in tool:
        to.log.lost("tool", f"{path}/strict", _NO_PLACE)
    if "cache" in tool:
        to.log.lost("tool", f"{path}/cache", _NO_PLACE)
    if "extra" not in tool:
        return {"type": "function", "function": function}
    spelling = own_bag(tool, DIALECT).get("spelling", _NOTHING)
    for name in spelling.get("null", ()):
        outer, dot, inner = name.partition(".")
        if dot and outer == "function":
            function.setdefault(inner, None)
    out: dict[str, Any] = {}
    if "type" not in spelling:
        out["type"] = None if "type" in spelling.get("null", ()) else "function"
    out["function"] = function
    lay_own(out, tool, DIALECT, path, to.log)
    return out


def write_tool_choice(_out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    """Report the choice: tools that may not be called are left out, and nothing makes the model call one."""
    choice: ToolChoice = value
    if choice["mode"] == "auto":
        to.log.changed("setting", "/tool_choice/mode", "the model decides unless it has no tools")
    elif choice["mode"] == "none" or choice["mode"] == "subset":
        lost_members(to.log, choice, "/tool_choice", "setting", "only tools that may be called are offered instead")
    elif choice["mode"] == "required" or choice["mode"] == "named":
        lost_members(to.log, choice, "/tool_choice", "setting", "nothing makes the model call a tool")
    else:
        assert_never(choice)
