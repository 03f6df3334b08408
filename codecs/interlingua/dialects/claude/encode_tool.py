"""Canonical to Claude: tools and the choice among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._shared.extra import lay, lay_spelled, own_bag, report_foreign
from interlingua.dialects._shared.names import acceptable_64, safe_name
from interlingua.dialects._shared.schemas import count_optional, is_circular
from interlingua.dialects._shared.strict import can_be_closed, close, is_strict
from interlingua.dialects.claude.encode_part import encode_cache
from interlingua.dialects.claude.tables import (
    DIALECT,
    MOST_OPTIONAL,
    MOST_STRICT_TOOLS,
    NAME_LIMIT,
    TOOL_CHOICE_WORDS,
)
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import Tool, ToolChoice


_NOTHING: Final[Mapping[str, Any]] = {}


def write_tools(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the tools; where only some are allowed, only those, since Claude has no such choice."""
    choice = request.get("tool_choice")
    allowed = frozenset(choice["names"]) if choice is not None and choice["mode"] == "subset" else None
    home = to.home
    tools: list[Any] = []
    strict: list[tuple[int, dict[str, Any]]] = []
    for index, tool in enumerate(value):
        if allowed is not None and tool["type"] == "function" and tool["name"] not in allowed:
            lost_members(to.log, tool, f"/tools/{index}", "tool", "only allowed tools are offered")
            continue
        encoded = _plain_tool(tool, home=home)
        if encoded is None:
            encoded = encode_tool(tool, index, to)
            if encoded is None:
                continue
        tools.append(encoded)
        if not home and tool.get("strict") and tool["type"] == "function":
            strict.append((index, encoded))
    if strict:
        _close_schemas(strict, to)
    if tools or not value:
        out["tools"] = tools


def _close_schemas(strict: list[tuple[int, dict[str, Any]]], to: Target) -> None:
    """Close the schemas of strict tools; those that Claude would not enforce are strict no more."""
    optional = closed = 0
    for index, wire in strict:
        schema = wire["input_schema"]
        if closed < MOST_STRICT_TOOLS and is_strict(schema):
            closed += 1
            continue
        count = MOST_OPTIONAL + 1
        if closed < MOST_STRICT_TOOLS and can_be_closed(schema) and not is_circular(schema):
            count = optional + count_optional(schema)
        if count <= MOST_OPTIONAL:
            wire["input_schema"] = close(schema, f"/tools/{index}/parameters", to.log, "tool")
            optional, closed = count, closed + 1
        else:
            del wire["strict"]
            to.log.lost("tool", f"/tools/{index}/strict", "its schema is none that is enforced")


def _plain_tool(tool: Any, *, home: bool) -> dict[str, Any] | None:
    """Return the wire form of a function of name, description and schema, perhaps strict; None for any other tool."""
    schema, strict = tool.get("parameters"), tool.get("strict")
    if (
        schema is None
        or len(tool) != (4 if strict is None else 5)
        or "description" not in tool
        or tool["type"] != "function"
    ):
        return None
    name = tool["name"]
    if not (home or (schema.get("type") == "object" and acceptable_64(name))):
        return None
    if strict is None:
        return {"name": name, "description": tool["description"], "input_schema": schema}
    return {"name": name, "description": tool["description"], "input_schema": schema, "strict": strict}


def encode_tool(tool: Tool, index: int, to: Target) -> dict[str, Any] | None:
    """Return the wire form of a tool, or None where it has no place."""
    if tool["type"] == "function":
        path = f"/tools/{index}"
        bag = own_bag(tool, DIALECT)
        spelling = bag.get("spelling", _NOTHING)
        out: dict[str, Any] = {"type": "custom"} if "type" in spelling else {}
        out["name"] = tool["name"] if to.home else safe_name(tool["name"], NAME_LIMIT, f"{path}/name", to.log)
        if "description" in tool:
            out["description"] = tool["description"]
        if "parameters" in tool:
            out["input_schema"] = tool["parameters"]
        if "strict" in tool:
            out["strict"] = tool["strict"]
        if not to.home:
            _complete_schema(out, path, to)
        if "cache" in tool:
            out["cache_control"] = encode_cache(tool["cache"], f"{path}/cache", to)
        if "extra" in tool:
            lay(out, bag.get("fields", _NOTHING))
            lay_spelled(out, spelling)
            report_foreign(tool, DIALECT, path, to.log)
        return out
    if tool["type"] == "opaque":
        if tool["dialect"] == DIALECT:
            return tool["data"]  # type: ignore[no-any-return]  # verbatim
        lost_members(to.log, tool, f"/tools/{index}", "tool", "only its own dialect understands it")
        return None
    assert_never(tool)


def _complete_schema(out: dict[str, Any], path: str, to: Target) -> None:
    """Claude demands an object schema of every tool."""
    schema = out.get("input_schema")
    if schema is None:
        closing = {"additionalProperties": False} if out.get("strict") else {}
        out["input_schema"] = {"type": "object", "properties": {}, **closing}
        to.log.filled(f"{path}/parameters", "a tool has a schema")
    elif schema.get("type") != "object":
        out["input_schema"] = {**schema, "type": "object"}
        to.log.changed("tool", f"{path}/parameters", "the arguments are an object")


def write_tool_choice(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write which tools may or must be called, and whether several at once."""
    choice: ToolChoice = value
    if choice["mode"] == "auto" or choice["mode"] == "none" or choice["mode"] == "required":
        wire: dict[str, Any] = {"type": TOOL_CHOICE_WORDS[choice["mode"]]}
    elif choice["mode"] == "named":
        name = choice["name"] if to.home else safe_name(choice["name"], NAME_LIMIT, "/tool_choice/name", to.log)
        wire = {"type": "tool", "name": name}
        if choice.get("kind") == "custom":
            to.log.lost("setting", "/tool_choice/kind", "every tool takes an object")
    elif choice["mode"] == "subset":
        wire = {"type": "any" if choice.get("required") else "auto"}
        if to.home:
            to.log.changed("setting", "/tool_choice", "only allowed tools are offered instead")
    else:
        assert_never(choice)
    parallel = request.get("parallel_tool_calls")
    if parallel is not None and (wire["type"] != "none" or to.home):
        wire["disable_parallel_tool_use"] = not parallel
    out["tool_choice"] = wire


def write_parallel(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the parallel switch where no choice does; it needs one to stand in."""
    mode = request["tool_choice"]["mode"] if "tool_choice" in request else None
    if mode is None and not to.home and not request.get("tools"):
        to.log.lost("setting", "/parallel_tool_calls", "there are no tools to call")
    elif mode is None and not value:
        out["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
        to.log.filled("/tool_choice", "the switch stands in a tool choice")
    elif mode is None:
        to.log.changed("setting", "/parallel_tool_calls", "calls in parallel are the default")
    elif mode == "none" and not to.home:
        to.log.lost("setting", "/parallel_tool_calls", "no tool may be called")


def settle_choice(out: dict[str, Any], request: Any, to: Target) -> None:
    """Drop a choice among no tools, which Claude refuses; tell what becomes of one among some of them."""
    if "tool_choice" in out and not out.get("tools"):
        del out["tool_choice"]
        lost_members(
            to.log, request.get("tool_choice", ()), "/tool_choice", "setting", "there are no tools to choose from"
        )
        if "parallel_tool_calls" in request:
            to.log.lost("setting", "/parallel_tool_calls", "there are no tools to call")
    elif request.get("tool_choice", {}).get("mode") == "subset":
        to.log.changed("setting", "/tool_choice", "only allowed tools are offered instead")
