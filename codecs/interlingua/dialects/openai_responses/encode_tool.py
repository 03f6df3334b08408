"""Canonical to Responses: tools and the choice among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._shared.extra import lay_own, own_bag
from interlingua.dialects._shared.names import acceptable_128, safe_name
from interlingua.dialects._shared.strict import enforce, is_strict
from interlingua.dialects.openai_responses.tables import DIALECT, NAME_LIMIT
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import Tool, ToolChoice


_PLAIN_MEMBERS: Final = frozenset({"type", "name", "description", "parameters", "strict"})


def write_tools(out: dict[str, Any], value: Any, _bag: Mapping[str, Any], to: Target) -> None:
    """Write the tools that have a place."""
    encoded = [wire for index, tool in enumerate(value) if (wire := encode_tool(tool, index, to)) is not None]
    if encoded or not value:
        out["tools"] = encoded


def encode_tool(tool: Tool, index: int, to: Target) -> dict[str, Any] | None:
    """Return the wire form of a tool, or None where it has no place."""
    if tool["type"] == "function":
        return _encode_function(tool, index, to)
    if tool["type"] == "opaque":
        if tool["dialect"] == DIALECT:
            return tool["data"]  # type: ignore[no-any-return]  # verbatim
        lost_members(to.log, tool, f"/tools/{index}", "tool", "only its own dialect understands it")
        return None
    assert_never(tool)


def _encode_function(tool: Any, index: int, to: Target) -> dict[str, Any]:
    plain = "extra" not in tool and "cache" not in tool
    if plain and (to.home or _is_accepted(tool)):
        return tool  # type: ignore[no-any-return]  # the wire form of a plain function is its canonical form
    path = f"/tools/{index}"
    if plain:
        out = dict(tool)
    else:
        out = {name: value for name, value in tool.items() if name in _PLAIN_MEMBERS}
        if "cache" in tool:
            to.log.lost("cache", f"{path}/cache", "tools have no cache mark")
        lay_own(out, tool, DIALECT, path, to.log)
    if not to.home and tool.get("strict"):
        enforce(out, "parameters", path, to.log, "tool")
        out.setdefault("strict", None)  # strictness is tried, and the schema taken as it is
    if not to.home and (plain or not own_bag(tool, DIALECT)):
        if not acceptable_128(tool["name"]):
            out["name"] = safe_name(tool["name"], NAME_LIMIT, f"{path}/name", to.log)
        out.setdefault("parameters", None)
        if "strict" not in out:
            # Left out, it would mean that strictness is tried; elsewhere it means that nobody is strict.
            out["strict"] = False
            to.log.filled(f"{path}/strict", "a tool says whether it is strict")
    return out


def _is_accepted(tool: Any) -> bool:
    """Tell whether a plain function is accepted as it is: it says whether it is strict, and is all that this asks."""
    strict, parameters = tool.get("strict"), tool.get("parameters")
    if strict is None or parameters is None or not acceptable_128(tool["name"]):
        return False
    return not strict or is_strict(parameters)


def write_tool_choice(out: dict[str, Any], value: Any, _bag: Mapping[str, Any], to: Target) -> None:
    """Write which tools may or must be called."""
    choice: ToolChoice = value
    if choice["mode"] == "auto" or choice["mode"] == "none" or choice["mode"] == "required":
        out["tool_choice"] = choice["mode"]
    elif choice["mode"] == "named":
        name = choice["name"] if to.home else safe_name(choice["name"], NAME_LIMIT, "/tool_choice/name", to.log)
        out["tool_choice"] = {"type": choice.get("kind", "function"), "name": name}
    elif choice["mode"] == "subset":
        names = [
            name if to.home else safe_name(name, NAME_LIMIT, f"/tool_choice/names/{at}", to.log)
            for at, name in enumerate(choice["names"])
        ]
        mode = "required" if choice.get("required") else "auto"
        tools = [{"type": "function", "name": name} for name in names]
        out["tool_choice"] = {"type": "allowed_tools", "mode": mode, "tools": tools}
    else:
        assert_never(choice)
