"""Canonical to Gemini: tools and how they may be called.

Source: reference/wire/gemini.md section 1.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._shared.extra import lay, own_bag, report_foreign
from interlingua.dialects.gemini.encode_call import function_name, is_accepted
from interlingua.dialects.gemini.openapi import to_openapi
from interlingua.dialects.gemini.snake import DECLARATION, TOOL, respelt
from interlingua.dialects.gemini.tables import CALLING_WORDS, DIALECT, VALIDATED
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import Tool, ToolChoice, ToolDefinition


_NOTHING: Final[Mapping[str, Any]] = {}

_DECLARATIONS: Final = "functionDeclarations"
_SCHEMA: Final = "parametersJsonSchema"


def write_tools(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the tools: functions that stand together share one Tool object."""
    usual = _usual_declarations(value, request, to)
    groups = [{_DECLARATIONS: usual}] if usual else _encode_groups(value, to, keeps=validates(request))
    if groups or not value:
        alone = own_bag(request, DIALECT).get("spelling", _NOTHING).get("tools") == "object" and len(groups) == 1
        out["tools"] = groups[0] if alone else groups


def _encode_groups(tools: list[Tool], to: Target, *, keeps: bool) -> list[Any]:
    groups: list[Any] = []
    declarations: list[dict[str, Any]] | None = None
    for index, tool in enumerate(tools):
        if tool["type"] == "opaque":
            if tool["dialect"] == DIALECT:
                groups.append(tool["data"])
                declarations = None
            else:
                lost_members(to.log, tool, f"/tools/{index}", "tool", "only its own dialect understands it")
            continue
        if tool["type"] != "function":
            assert_never(tool)
        bag = own_bag(tool, DIALECT) if "extra" in tool else _NOTHING
        spelling = bag.get("spelling", _NOTHING)
        declaration = _encode_declaration(tool, index, bag, to)
        _report_strict(tool, index, to, keeps=keeps)
        if declarations is None or "group" in spelling or "group" in bag:
            declarations = []
            groups.append(_group(declarations, bag, spelling))
        declarations.append(declaration)
    return groups


def _usual_declarations(tools: list[Any], request: Any, to: Target) -> list[dict[str, Any]] | None:
    """Return the declarations of functions of which each has a description and parameters, and all or none is strict.

    Most lists of tools are such, and cost little this way; for others it is None.
    """
    strict = bool(tools) and "strict" in tools[0]
    if strict and request.get("tool_choice", _NOTHING).get("mode", "auto") != "auto":
        return None
    declarations: list[dict[str, Any]] = []
    home, members = to.home, 5 if strict else 4
    for tool in tools:
        if len(tool) != members or tool["type"] != "function" or (strict and tool.get("strict") is not True):
            return None
        name = tool["name"]
        if "description" not in tool or "parameters" not in tool or not (home or is_accepted(name)):
            return None
        declarations.append({"name": name, "description": tool["description"], _SCHEMA: tool["parameters"]})
    return declarations


def _group(declarations: list[dict[str, Any]], bag: Mapping[str, Any], spelling: Mapping[str, Any]) -> dict[str, Any]:
    """Return a Tool object around declarations that are still to come."""
    group: dict[str, Any] = {_DECLARATIONS: declarations, **bag.get("group", _NOTHING)}
    for name in spelling.get("null", ()):
        if name in TOOL.snake:
            group.setdefault(name, None)
    return respelt(group, spelling["snake"], TOOL) if "snake" in spelling else group


def _encode_declaration(tool: ToolDefinition, index: int, bag: Mapping[str, Any], to: Target) -> dict[str, Any]:
    path = f"/tools/{index}"
    declaration: dict[str, Any] = {"name": tool["name"]}
    if not (to.home or is_accepted(tool["name"])):
        declaration["name"] = function_name(tool["name"], f"{path}/name", to)
    if "description" in tool:
        declaration["description"] = tool["description"]
    spelling = bag.get("spelling", _NOTHING)
    if "parameters" in tool:
        form = spelling.get("parameters")
        if form is None:
            declaration[_SCHEMA] = tool["parameters"]
        else:
            declaration["parameters"] = to_openapi(tool["parameters"]) if form == "openapi" else tool["parameters"]
    if "cache" in tool:
        to.log.lost("cache", f"{path}/cache", "no mark on a tool")
    if "extra" in tool:
        report_foreign(tool, DIALECT, path, to.log)
        lay(declaration, bag.get("fields", _NOTHING))
        for name in spelling.get("null", ()):
            if name not in TOOL.snake:
                declaration.setdefault(name, None)
        if "snake" in spelling:
            return respelt(declaration, spelling["snake"], DECLARATION)
    return declaration


def validates(request: Any) -> bool:
    """Tell whether the calls keep to the schemas of their tools: all are strict, and the model may choose."""
    choice = request.get("tool_choice")
    if choice is not None and choice["mode"] != "auto":
        return False
    found = False
    for tool in request.get("tools", ()):
        if tool["type"] == "function":
            if tool.get("strict") is not True:
                return False
            found = True
    return found


def _report_strict(tool: ToolDefinition, index: int, to: Target, *, keeps: bool) -> None:
    if "strict" not in tool or keeps:
        return
    path = f"/tools/{index}/strict"
    if tool["strict"]:
        to.log.lost("tool", path, "only all tools together are strict, where the model may choose")
    else:
        to.log.changed("tool", path, "this is the default")


def write_tool_choice(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write which functions may or must be called."""
    choice: ToolChoice = value
    calling: dict[str, Any]
    if choice["mode"] == "auto" or choice["mode"] == "none" or choice["mode"] == "required":
        calling = {"mode": VALIDATED if validates(request) else CALLING_WORDS[choice["mode"]]}
    elif choice["mode"] == "named":
        name = function_name(choice["name"], "/tool_choice/name", to)
        calling = {"mode": "ANY", "allowedFunctionNames": [name]}
        if choice.get("kind") == "custom":
            to.log.lost("setting", "/tool_choice/kind", "every function takes an object")
    elif choice["mode"] == "subset":
        names = [function_name(name, f"/tool_choice/names/{at}", to) for at, name in enumerate(choice["names"])]
        required = choice.get("required", False)
        calling = {"mode": "ANY" if required else VALIDATED, "allowedFunctionNames": names}
        if not names and not to.home:
            calling = {"mode": "ANY" if required else "AUTO"}
            to.log.changed("setting", "/tool_choice", "a choice among no functions is one among all")
        elif required and len(names) == 1 and not to.home:
            to.log.changed("setting", "/tool_choice", "one function that must be called is a named one")
    else:
        assert_never(choice)
    if own_bag(request, DIALECT).get("spelling", _NOTHING).get("tool_choice") == "lower":
        calling["mode"] = calling["mode"].lower()
    out["toolConfig"] = {"functionCallingConfig": calling}


def write_validation(out: dict[str, Any], request: Any, to: Target) -> None:
    """Write that calls keep to their schemas, where there is no choice that does."""
    if validates(request):
        out["toolConfig"] = {"functionCallingConfig": {"mode": VALIDATED}}
        to.log.filled("/tool_choice", "strict tools stand in a choice")


def write_parallel(_out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    """Report the switch for calls in parallel, which the dialect does not have."""
    if value:
        to.log.changed("setting", "/parallel_tool_calls", "calls in parallel are the default")
    else:
        to.log.lost("setting", "/parallel_tool_calls", "calls in parallel cannot be switched off")
