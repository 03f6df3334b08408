"""Gemini to canonical: tools and how they may be called. Every function raises `Malformed` with its own path.

Source: reference/wire/gemini.md section 1.3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import Any, Final

from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.reading import OBJECT, TEXT, Malformed, expect
from interlingua.dialects.gemini.openapi import to_json_schema
from interlingua.dialects.gemini.snake import CALLING, DECLARATION, TOOL, TOOL_CONFIG, camel
from interlingua.dialects.gemini.tables import CALLING_MODES, DIALECT, VALIDATED

_DECLARATIONS: Final = "functionDeclarations"

_DECLARATION_MEMBERS: Final = frozenset({"name", "description", "parameters", "parametersJsonSchema"})

_CONFIG_MEMBERS: Final = frozenset({"functionCallingConfig"})

# What of `functionCallingConfig` a choice says.
_NONE: Final = frozenset[str]()
_MODE: Final = frozenset({"mode"})
_MODE_AND_NAMES: Final = frozenset({"mode", "allowedFunctionNames"})


def read_tools(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    """Read the tools: every Tool object with function declarations as many functions, any other as an opaque one."""
    if type(value) is dict:
        left.spelling["tools"] = "object"
        value = [value]
    if not expect(value, (list,), "tools"):
        left.empty("tools")
        return
    tools: list[dict[str, Any]] = request.setdefault("tools", [])
    grouped = False
    index = 0
    try:
        for index, wire in enumerate(value):  # noqa: B007  # the index is read when a tool is malformed
            group = _decode_group(wire, grouped=grouped)
            tools.extend(group or [{"type": "opaque", "dialect": DIALECT, "data": wire}])
            grouped = bool(group)
    except Malformed as malformed:
        raise malformed.under("tools", index) from None


def _decode_group(wire: Any, *, grouped: bool) -> list[dict[str, Any]]:
    """Decode a Tool object with function declarations; return nothing for any other, which is opaque.

    What stands beside the declarations is kept with the first of them. `grouped` tells whether another Tool object with
    declarations stands right before this one.
    """
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    if len(wire) == 1 and not grouped:
        usual = _decode_usual(wire.get(_DECLARATIONS))
        if usual:
            return usual
    first = Leftovers()
    group = camel(wire, TOOL, first)
    declarations = group.get(_DECLARATIONS)
    if type(declarations) is not list:
        return []
    tools: list[dict[str, Any]] = []
    for at, declaration in enumerate(declarations):
        left = Leftovers() if tools else first
        try:
            tool = _decode_declaration(declaration, left)
        except Malformed as malformed:
            raise malformed.under(_DECLARATIONS, at) from None
        if not tools:
            _keep_siblings(group, left)
            if grouped:
                left.spelling["group"] = "new"
        left.attach(tool, DIALECT)
        tools.append(tool)
    return tools


def _decode_usual(declarations: Any) -> list[dict[str, Any]] | None:
    """Decode declarations that are a name, a description and a JSON Schema, as most are; return None for others."""
    if type(declarations) is not list:
        return None
    tools: list[dict[str, Any]] = []
    try:
        for wire in declarations:
            if type(wire) is not dict or len(wire) != 3:
                return None
            name, description, schema = wire["name"], wire["description"], wire["parametersJsonSchema"]
            if type(name) is not str or type(description) is not str or type(schema) is not dict:
                return None
            tools.append({"type": "function", "name": name, "description": description, "parameters": schema})
    except KeyError:
        return None
    return tools


def _keep_siblings(group: dict[str, Any], left: Leftovers) -> None:
    siblings: dict[str, Any] = {}
    for name, value in group.items():
        if value is None and name in TOOL.snake:
            left.null(name)
        elif name != _DECLARATIONS:
            siblings[name] = value
    if siblings:
        left.typed["group"] = siblings


def _decode_declaration(wire: Any, left: Leftovers) -> dict[str, Any]:
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    wire = camel(wire, DECLARATION, left)
    tool: dict[str, Any] = {"type": "function", "name": expect(wire.get("name"), TEXT, "name")}
    if type(wire.get("description")) is str:
        tool["description"] = wire["description"]
    elif wire.get("description") is not None:
        left.fields["description"] = wire["description"]
    schema = wire.get("parametersJsonSchema")
    if type(schema) is dict:
        tool["parameters"] = schema
    elif schema is not None:
        left.fields["parametersJsonSchema"] = schema  # true and false are schemas, too
    if type(wire.get("parameters")) is dict:
        _decode_parameters(tool, wire["parameters"], left)
    elif wire.get("parameters") is not None:
        left.fields["parameters"] = wire["parameters"]
    for name, value in wire.items():
        if value is None and name in _DECLARATION_MEMBERS:
            left.null(name)
    left.fields |= rest(wire, _DECLARATION_MEMBERS)
    return tool


def _decode_parameters(tool: dict[str, Any], schema: dict[str, Any], left: Leftovers) -> None:
    """Decode `parameters`; beside a JSON Schema, which rules it out, it stays a leftover."""
    if "parameters" in tool or "parametersJsonSchema" in left.fields:
        left.fields["parameters"] = schema
        return
    converted = to_json_schema(schema)
    left.spelling["parameters"] = "as_is" if converted is None else "openapi"
    tool["parameters"] = schema if converted is None else converted


def read_tool_config(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    """Read how tools may be called; the tools must have been read before."""
    if type(value) is dict and len(value) == 1 and _is_mode_alone(request, value.get("functionCallingConfig"), left):
        return
    config = camel(expect(value, OBJECT, "toolConfig"), TOOL_CONFIG, left)
    others = rest(config, _CONFIG_MEMBERS)
    calling = config.get("functionCallingConfig")
    if type(calling) is dict:
        calling = camel(calling, CALLING, left)
        known = _decode_calling(request, calling, left)
        inner = rest(calling, known)
        if inner or not known:
            others = {"functionCallingConfig": inner, **others}
    elif "functionCallingConfig" in config:
        others["functionCallingConfig"] = calling
    if others or not config:
        left.fields["toolConfig"] = others


def _is_mode_alone(request: dict[str, Any], calling: Any, left: Leftovers) -> bool:
    """Decode the one member that most have; tell whether it is the only one, and has a canonical place."""
    return type(calling) is dict and len(calling) == 1 and bool(_decode_calling(request, calling, left))


def _decode_calling(request: dict[str, Any], calling: dict[str, Any], left: Leftovers) -> frozenset[str]:
    """Decode which functions may or must be called; return the names of the members that are thereby said."""
    word, names = calling.get("mode"), calling.get("allowedFunctionNames")
    if type(word) is not str:
        return _NONE
    mode = word.upper()
    if mode != word:
        if mode.lower() != word:
            return _NONE
        left.spelling["tool_choice"] = "lower"
    named = type(names) is list and bool(names) and all(type(name) is str for name in names)
    if named and mode in {"ANY", VALIDATED}:
        if mode == "ANY" and len(names) == 1:  # type: ignore[arg-type]  # a list, as just seen
            request["tool_choice"] = {"mode": "named", "name": names[0]}  # type: ignore[index]  # a list
        else:
            request["tool_choice"] = {"mode": "subset", "names": names, "required": mode == "ANY"}
        return _MODE_AND_NAMES
    if mode in CALLING_MODES:
        request["tool_choice"] = {"mode": CALLING_MODES[mode]}
        return _MODE
    if mode == VALIDATED and "allowedFunctionNames" not in calling and _all_become_strict(request):
        request["tool_choice"] = {"mode": "auto"}
        return _MODE
    left.spelling.pop("tool_choice", None)
    return _NONE


def _all_become_strict(request: dict[str, Any]) -> bool:
    """Make all functions strict, as VALIDATED does; tell whether there are any."""
    functions = [tool for tool in request.get("tools", ()) if tool["type"] == "function"]
    for tool in functions:
        tool["strict"] = True
    return bool(functions)
