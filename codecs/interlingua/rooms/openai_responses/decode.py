"""Decode Responses requests to the canonical form: settings, tools and tool choice.

Source: docs/wire/openai_responses.md, section 1. Every function is pure and shares unchanged sub-objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms.openai_responses.decode_message import decode_items
from interlingua.rooms.openai_responses.server_tools import decode_server_tool, decode_server_tool_choice
from interlingua.rooms.openai_responses.tables import (
    DIALECT,
    DISPLAY_WORDS,
    DISPLAYS,
    HELD_BY_SERVER,
    INCLUDE_LOGPROBS,
    RESPONSE_FORMATS,
    SETTINGS,
)
from interlingua.spi.reading import (
    OBJECT,
    TEXT,
    Malformed,
    Unmapped,
    body_decoder,
    expect,
    read_mark,
    read_setting,
    rest,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ChatRequest


_FORMAT_MEMBERS: Final = {"name": str, "description": str, "schema": dict, "strict": bool}
_TOOL_MEMBERS: Final = {"description": str, "parameters": dict, "strict": bool}
_DESCRIPTION: Final = ("description", TEXT)
# Canonical display values that the wire spells otherwise.
_DISPLAY_NAMES: Final = DISPLAY_WORDS.keys() - DISPLAYS.keys()
# Members that make up the conversation: a value of another type is an error.
_DEMANDED: Final = frozenset({"input", "instructions"})
# Items that bring further tools, which may be called from then on.
_BRING_TOOLS: Final = frozenset({"additional_tools", "tool_search_output"})


@body_decoder(DIALECT)
def decode_request(body: Any) -> ChatRequest:
    """Return the canonical request for a body of `POST /v1/responses`. Raises `DecodeError`."""
    request: dict[str, Any] = {"dialect": DIALECT, "messages": []}
    left = Unmapped()
    for key, value in body.items():
        if key in SETTINGS:
            read_setting(request, key, value, SETTINGS[key], left)
        elif key not in _READERS and key not in HELD_BY_SERVER:
            left.fields[key] = value
        elif value is None:
            left.null(key)
        elif key in HELD_BY_SERVER:
            left.typed.setdefault("server_state", {})[key] = value
        else:
            try:
                _READERS[key](request, value, body, left)
            except Malformed as malformed:
                if key in _DEMANDED:
                    raise
                left.keep(key, value, malformed)
    if "input" not in body:
        left.spelling["input"] = "absent"
    left.attach(request, DIALECT)
    return cast("ChatRequest", request)


def _read_instructions(request: dict[str, Any], value: Any, _body: dict[str, Any], _left: Unmapped) -> None:
    message = {"role": "system", "content": expect(value, TEXT, "instructions")}
    request["messages"].insert(0, {**message, "extra": {DIALECT: {"spelling": {"system": "instructions"}}}})


def _read_input(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Unmapped) -> None:
    if type(value) is str:
        request["messages"].append({"role": "user", "content": value})
        left.spelling["input"] = "string"
        return
    if type(value) is not list:
        raise Malformed("/input", "expected text or a list")
    try:
        decode_items(value, request["messages"])
    except Malformed as malformed:
        raise malformed.under("input") from None


def _read_user(request: dict[str, Any], value: Any, body: dict[str, Any], left: Unmapped) -> None:
    """Read the older name of `safety_identifier`; where both are present they are two settings."""
    request["user"] = expect(value, TEXT, "user")
    if type(body.get("safety_identifier")) is not str:
        left.spelling["user"] = "user"


def _read_safety_identifier(request: dict[str, Any], value: Any, body: dict[str, Any], _left: Unmapped) -> None:
    name = "safety_identifier" if type(body.get("user")) is str else "user"
    request[name] = expect(value, TEXT, "safety_identifier")


def _read_stream_options(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Unmapped) -> None:
    others = {**expect(value, OBJECT, "stream_options")}
    if type(others.get("include_obfuscation")) is bool:
        request["stream_obfuscation"] = others.pop("include_obfuscation")
    if others or not value:
        left.fields["stream_options"] = others


def _read_reasoning(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Unmapped) -> None:
    settings: dict[str, Any] = {}
    others: dict[str, Any] = {}
    # `generate_summary` is the older name of `summary`.
    older = expect(value, OBJECT, "reasoning").get("summary") is None
    for key, content in value.items():
        if type(content) is not str:
            others[key] = content
        elif key == "effort":
            settings["effort"] = content
        elif key == "summary" and content not in _DISPLAY_NAMES:
            settings["display"] = DISPLAYS.get(content, content)
        elif key == "generate_summary" and older and content in DISPLAYS:
            settings["display"] = DISPLAYS[content]
            left.spelling["display"] = "generate_summary"
        else:
            others[key] = content
    if settings:
        request["reasoning"] = settings
    if others or not settings:
        left.fields["reasoning"] = others


def _read_text(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Unmapped) -> None:
    others: dict[str, Any] = {**expect(value, OBJECT, "text")}
    if type(others.get("verbosity")) is str:
        request["verbosity"] = others.pop("verbosity")
    wanted = others.get("format")
    if type(wanted) is dict and type(wanted.get("type")) is str and wanted["type"] in RESPONSE_FORMATS:
        del others["format"]
        inner = _read_response_format(request, wanted)
        if inner:
            others["format"] = inner
    if others or not value:
        left.fields["text"] = others


def _read_response_format(request: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Read the response format; return its other members."""
    response_format = request["response_format"] = {"type": wanted["type"]}
    others: dict[str, Any] = {}
    for key, value in wanted.items():
        if key in _FORMAT_MEMBERS and type(value) is _FORMAT_MEMBERS[key] and wanted["type"] == "json_schema":
            response_format[key] = value
        elif key != "type":
            others[key] = value
    return others


def _read_include(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Unmapped) -> None:
    """Read `include`: one of its values is the setting `logprobs`, the others exist only here."""
    others = expect(value, (list,), "include")
    if value.count(INCLUDE_LOGPROBS) == 1:
        request["logprobs"] = True
        at = value.index(INCLUDE_LOGPROBS)
        others = [*value[:at], *value[at + 1 :]]
        if at < len(others):
            left.spelling["include"] = at
    if others or not value:
        left.fields["include"] = others


def _read_cache_options(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Unmapped) -> None:
    expect(value, OBJECT, "prompt_cache_options")
    request["cache"] = {name: value[name] for name in ("mode", "ttl") if type(value.get(name)) is str}
    left.keep_nested("prompt_cache_options", rest(value, frozenset(request["cache"])))


def _read_cache_control(request: dict[str, Any], value: Any, body: dict[str, Any], left: Unmapped) -> None:
    """Read Claude's cache mark of the whole request (OpenRouter); beside `prompt_cache_options` it is kept."""
    if body.get("prompt_cache_options") is not None:
        left.fields["cache_control"] = value
    elif read_mark(request, "cache_control", value, ("type", "ephemeral"), left):
        left.absent("prompt_cache_options")


def _read_tools(request: dict[str, Any], value: Any, _body: dict[str, Any], left: Unmapped) -> None:
    if not expect(value, (list,), "tools"):
        left.empty("tools")
        return
    tools = request["tools"] = []
    try:
        for tool in value:
            tools.append(_decode_tool(tool))  # noqa: PERF401  # how far it came is read when one is malformed
    except Malformed as malformed:
        raise malformed.under("tools", len(tools)) from None


def tools_of_item(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the tools that an item brings, by a tool search or as additional tools; empty for any other item."""
    kind, tools = data.get("type"), data.get("tools")
    if type(kind) is not str or kind not in _BRING_TOOLS or type(tools) is not list:
        return []
    try:
        return [_decode_tool(tool) for tool in tools]
    except Malformed:
        return []


def _decode_tool(wire: Any) -> dict[str, Any]:
    """Decode one tool; a provider tool without a canonical variant becomes opaque."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    kind = wire.get("type")
    if kind == "custom" and type(wire.get("name")) is str:
        return _decode_custom(wire)
    if kind == "namespace" and type(wire.get("name")) is str and type(wire.get("tools")) is list:
        return _decode_namespace(wire)
    if kind != "function":
        return decode_server_tool(wire) or {"type": "opaque", "dialect": DIALECT, "data": wire}
    tool: dict[str, Any] = {"type": "function", "name": expect(wire.get("name"), TEXT, "name")}
    for name, kind in _TOOL_MEMBERS.items():
        if type(wire.get(name)) is kind:
            tool[name] = wire[name]
    if len(tool) == len(wire):
        return tool
    left = Unmapped()
    for key, value in wire.items():
        if key in tool:
            continue
        if value is None and key in _TOOL_MEMBERS:
            left.null(key)
        else:
            left.fields[key] = value
    left.attach(tool, DIALECT)
    return tool


def _decode_custom(wire: dict[str, Any]) -> dict[str, Any]:
    """Decode a custom tool; a format that is neither text nor a grammar is kept in `fields`."""
    tool: dict[str, Any] = {"type": "custom", "name": wire["name"]}
    left = Unmapped()
    for key, value in wire.items():
        if key == "description":
            read_setting(tool, key, value, _DESCRIPTION, left)
        elif key not in {"type", "name"} and not (key == "format" and _read_input_format(tool, value, left)):
            left.fields[key] = value
    left.attach(tool, DIALECT)
    return tool


def _read_input_format(tool: dict[str, Any], value: Any, left: Unmapped) -> bool:
    """Read the format of a custom tool; return False if it has an unknown shape."""
    match value:
        case {"type": "text", **others} if not others:
            left.spelling["format"] = "text"
        case {"type": "grammar", "syntax": str(syntax), "definition": str(definition), **others} if not others:
            tool["grammar"] = {"syntax": syntax, "definition": definition}
        case _:
            return False
    return True


def _decode_namespace(wire: dict[str, Any]) -> dict[str, Any]:
    """Decode a namespace of tools; if a member is malformed, the whole namespace is opaque."""
    tool: dict[str, Any] = {"type": "namespace", "name": wire["name"]}
    left = Unmapped()
    for key, value in wire.items():
        if key == "description":
            read_setting(tool, key, value, _DESCRIPTION, left)
        elif key not in {"type", "name", "tools"}:
            left.fields[key] = value
    try:
        tool["tools"] = [_decode_tool(inner) for inner in wire["tools"]]
    except Malformed:
        return {"type": "opaque", "dialect": DIALECT, "data": wire}
    left.attach(tool, DIALECT)
    return tool


def _read_tool_choice(request: dict[str, Any], value: Any, body: dict[str, Any], left: Unmapped) -> None:
    """Read the tool choice; one without a canonical form is kept in `fields`."""
    choice = _decode_tool_choice(value, body, left)
    if choice is None:
        left.fields["tool_choice"] = value
    else:
        request["tool_choice"] = choice


def _decode_tool_choice(value: Any, body: dict[str, Any], left: Unmapped) -> dict[str, Any] | None:
    """Decode a tool choice of exactly a known shape, or return None."""
    match value:
        case "auto" | "none" | "required":
            return {"mode": value}
        case {"type": "function", "name": str(name), **others} if not others:
            return {"mode": "named", "name": name}
        case {"type": "custom", "name": str(name), **others} if not others:
            return {"mode": "named", "name": name, "kind": "custom"}
        case {"type": "function" | "custom", "name": str(), "namespace": str(group), **others} if not others:
            left.fields["tool_choice"] = {"namespace": group}
            alone = {name: said for name, said in value.items() if name != "namespace"}
            return _decode_tool_choice(alone, body, left)
        case {"type": "allowed_tools", "mode": "auto" | "required" as mode, "tools": list(tools), **others} if (
            not others
        ):
            free = _free_text_names(body.get("tools"))
            names = [_allowed_name(tool, free) for tool in tools]
            return None if None in names else {"mode": "subset", "names": names, "required": mode == "required"}
        case {"type": str(word), **others} if not others:
            return decode_server_tool_choice(word, body.get("tools"), left)
        case _:
            return None


def _free_text_names(tools: Any) -> frozenset[str]:
    """Return the names of the custom tools."""
    offered = tools if type(tools) is list else ()
    custom = (tool.get("name") for tool in offered if type(tool) is dict and tool.get("type") == "custom")
    return frozenset(name for name in custom if type(name) is str)


def _allowed_name(tool: Any, free: frozenset[str]) -> str | None:
    """Return the name of an allowed tool, if its type is that of the offered tool; else None."""
    match tool:
        case {"type": "function" | "custom" as kind, "name": str(name), **others} if not others:
            return name if (kind == "custom") is (name in free) else None
        case _:
            return None


_READERS: Final = {
    "instructions": _read_instructions,
    "input": _read_input,
    "user": _read_user,
    "safety_identifier": _read_safety_identifier,
    "stream_options": _read_stream_options,
    "tools": _read_tools,
    "tool_choice": _read_tool_choice,
    "reasoning": _read_reasoning,
    "text": _read_text,
    "include": _read_include,
    "prompt_cache_options": _read_cache_options,
    "cache_control": _read_cache_control,
}
