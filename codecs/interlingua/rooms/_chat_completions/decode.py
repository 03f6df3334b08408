"""Chat Completions to canonical: requests.

Source: docs/wire/openai_chat.md, section 1. Every function is pure and shares unchanged sub-objects.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from interlingua.rooms._chat_completions.decode_message import decode_messages
from interlingua.rooms._chat_completions.decode_part import decode_cache_control
from interlingua.rooms._chat_completions.server_tools import (
    FILTER,
    OPTIONS,
    read_domain_filter,
    read_search,
    read_server_tool,
)
from interlingua.rooms._chat_completions.tables import (
    ANY_TOOL,
    BARE_FUNCTION,
    BARE_SCHEMA,
    FLAT_CHOICES,
    INPUT_SCHEMA,
    NO_SCHEMA_OBJECT,
    NO_SCHEMA_TYPE,
    NO_WORD,
    RESPONSE_FORMATS,
    STREAM_OPTIONS,
    WORD_ANY,
)
from interlingua.spi.reading import (
    FLAG,
    OBJECT,
    TEXT,
    Malformed,
    Unmapped,
    expect,
    expect_integer,
    read_setting,
    read_tools,
    rest,
    take,
    texts,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._chat_completions.vendor import Object, Reader, Vendor
    from interlingua.spi.reading import Setting

_CACHE_OPTIONS: Final[Mapping[str, Setting]] = MappingProxyType({"mode": ("mode", TEXT), "ttl": ("ttl", TEXT)})
_AROUND_SCHEMA: Final = "json_schema"
_SCHEMA_FORMATS: Final = ("json_schema", "json_object")
_SCHEMA_MEMBERS: Final[Mapping[str, Setting]] = MappingProxyType({
    "name": ("name", TEXT),
    "description": ("description", TEXT),
    "schema": ("schema", OBJECT),
    "strict": ("strict", FLAG),
})  # fmt: skip
_FUNCTION_MEMBERS: Final[Mapping[str, type]] = MappingProxyType({
    "name": str, "description": str, "parameters": dict, "strict": bool
})  # fmt: skip
_CUSTOM_MEMBERS: Final[Mapping[str, type]] = MappingProxyType({"name": str, "description": str})
_BESIDE_FUNCTION: Final = frozenset({"type", "function"})
_BESIDE_CUSTOM: Final = frozenset({"type", "custom"})
_FLAT: Final = ("function", "custom")  # a tuple, since the compared value may be unhashable
_BESIDE_FLAT: Final = frozenset({"type", "cache_control"})


def decode_request(body: Object, vendor: Vendor) -> Object:
    """Return the canonical request of a body of `POST /v1/chat/completions`. Raises `Malformed`."""
    request: Object = {"dialect": vendor.dialect}
    left = Unmapped()
    settings = vendor.settings
    readers = {**_READERS, **vendor.readers} if vendor.readers else _READERS
    for key, value in body.items():
        if key in settings:
            read_setting(request, key, value, settings[key], left)
        elif key == "messages":
            request["messages"] = decode_messages(expect(value, (list,), key), vendor)
        elif value is None and key in readers:
            left.null(key)
        elif key in readers:
            try:
                readers[key](request, value, body, vendor, left)
            except Malformed as malformed:
                left.keep(key, value, malformed)
        else:
            left.fields[key] = value
    if "messages" not in request:
        raise Malformed("/messages", "expected a list")
    left.attach(request, vendor.dialect)
    return request


def _read_max_tokens(request: Object, value: Any, body: Object, _vendor: Vendor, left: Unmapped) -> None:
    if body.get("max_completion_tokens") is not None:
        left.fields["max_tokens"] = value
    else:
        request["max_tokens"] = expect_integer(value, "max_tokens")
        left.spelling["max_tokens"] = "max_tokens"


def _read_user(request: Object, value: Any, body: Object, vendor: Vendor, left: Unmapped) -> None:
    request["user"] = expect(value, TEXT, "user")
    if vendor.end_user != "user" and type(body.get("safety_identifier")) is not str:
        left.spelling["user"] = "user"


def _read_safety_identifier(request: Object, value: Any, body: Object, vendor: Vendor, left: Unmapped) -> None:
    """Read the newer name of `user`; if both are given, they are two settings."""
    if type(body.get("user")) is str:
        request["safety_identifier"] = expect(value, TEXT, "safety_identifier")
        return
    request["user"] = expect(value, TEXT, "safety_identifier")
    if vendor.end_user != "safety_identifier":
        left.spelling["user"] = "safety_identifier"


def _read_stream_options(request: Object, value: Any, _body: Object, _vendor: Vendor, left: Unmapped) -> None:
    taken, others = take(expect(value, OBJECT, "stream_options"), STREAM_OPTIONS)
    request |= taken
    if others or not taken:
        left.fields["stream_options"] = others


def _read_modalities(request: Object, value: Any, _body: Object, _vendor: Vendor, _left: Unmapped) -> None:
    request["modalities"] = texts(value, "modalities")


def _read_stop(request: Object, value: Any, _body: Object, _vendor: Vendor, left: Unmapped) -> None:
    if type(value) is str:
        request["stop"] = [value]
        left.spelling["stop"] = "string"
    else:
        request["stop"] = texts(value, "stop")


def _read_effort(request: Object, value: Any, _body: Object, _vendor: Vendor, _left: Unmapped) -> None:
    request.setdefault("reasoning", {})["effort"] = expect(value, TEXT, "reasoning_effort")


def _read_response_format(request: Object, value: Any, _body: Object, _vendor: Vendor, left: Unmapped) -> None:
    match value:
        case {"type": str(kind), "schema": dict()} if kind in _SCHEMA_FORMATS and _AROUND_SCHEMA not in value:
            left.absent(NO_SCHEMA_OBJECT)
            said = {name: value[name] for name in value if name != "type"}
            left.keep_nested("response_format", _read_schema(request, said))
        case {"type": str(kind), "json_schema": dict(schema), **others} if (
            kind in _SCHEMA_FORMATS and _is_schema_itself(schema)
        ):
            left.absent(BARE_SCHEMA)
            request["response_format"] = {"type": "json_schema", "schema": schema}
            left.keep_nested("response_format", others)
        case {"type": str(kind), "json_schema": dict(schema), **others} if kind in _SCHEMA_FORMATS and (
            type(schema.get("schema")) is dict or (kind == "json_schema" and "schema" not in schema)
        ):
            inner = _read_schema(request, schema)
            if inner:
                left.keep_nested("response_format", {_AROUND_SCHEMA: inner})
            left.keep_nested("response_format", others)
        case {"type": str(kind), **others} if kind in RESPONSE_FORMATS and kind != "json_schema":
            request["response_format"] = {"type": kind}
            left.keep_nested("response_format", others)
            return
        case _:
            left.fields["response_format"] = value
            return
    if value["type"] != "json_schema":
        left.absent(NO_SCHEMA_TYPE)


def _is_schema_itself(schema: Object) -> bool:
    """Tell whether what is called `json_schema` is the schema itself, without an object around it (Cohere)."""
    named = schema.keys() & {"schema", "name"}
    return not named and ("properties" in schema or type(schema.get("type")) is str)


def _read_schema(request: Object, said: Object) -> Object:
    """Read a schema with its name; return the other members."""
    wanted, inner = take(said, _SCHEMA_MEMBERS)
    request["response_format"] = {"type": "json_schema", **wanted}
    return inner


def _read_cache_options(request: Object, value: Any, _body: Object, _vendor: Vendor, left: Unmapped) -> None:
    request["cache"], others = take(expect(value, OBJECT, "prompt_cache_options"), _CACHE_OPTIONS)
    left.keep_nested("prompt_cache_options", others)


def _read_cache_control(request: Object, value: Any, body: Object, _vendor: Vendor, left: Unmapped) -> None:
    """Read Claude's cache mark of the whole request, which gateways pass on; beside OpenAI's it stays a leftover."""
    if body.get("prompt_cache_options") is None:
        decode_cache_control(request, value, left)
    else:
        left.fields["cache_control"] = value


def _read_tools(request: Object, value: Any, _body: Object, vendor: Vendor, left: Unmapped) -> None:
    read_tools(request, value, left, lambda tool: _decode_tool(tool, vendor))


def _read_functions(request: Object, value: Any, body: Object, vendor: Vendor, left: Unmapped) -> None:
    """Read the deprecated `functions`; beside `tools`, or malformed, they stay a leftover."""
    known = type(value) is list and all(type(one) is dict and type(one.get("name")) is str for one in value)
    if not value or not known or body.get("tools"):
        left.fields["functions"] = value
        return
    for function in value:
        inner = Unmapped()
        tool = _decode_function(function, inner)
        inner.spelling["tool"] = "functions"
        inner.fields = inner.fields.pop("function", {})
        inner.attach(tool, vendor.dialect)
        request.setdefault("tools", []).append(tool)


def _decode_tool(wire: Any, vendor: Vendor) -> Object:
    """Decode one tool; all except functions, custom tools and server tools are opaque."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    function, kind = wire.get("function"), wire.get("type")
    if vendor.custom and _is_custom(wire):
        return _decode_custom(wire["custom"], rest(wire, _BESIDE_CUSTOM), vendor, Unmapped())
    if type(function) is not dict and _is_flat(wire):
        return _decode_flat(wire, vendor)
    if (kind is not None and kind != "function") or type(function) is not dict:
        return read_server_tool(wire, vendor) or {"type": "opaque", "dialect": vendor.dialect, "data": wire}
    left = Unmapped()
    if kind is None:
        left.untyped(wire)
    beside = rest(wire, _BESIDE_FUNCTION)
    # LiteLLM and Envoy AI Gateway also accept the cache mark inside.
    if type(function.get("cache_control")) is dict and "cache_control" not in beside:
        beside["cache_control"] = function["cache_control"]
        function = rest(function, frozenset({"cache_control"}))
        left.absent("cache_control")
    tool = _decode_function(function, left)
    return _finished(tool, beside, vendor, left)


def _finished(tool: Object, beside: Object, vendor: Vendor, left: Unmapped) -> Object:
    """Add the cache mark to a tool; other members beside it stay leftovers."""
    for key, value in beside.items():
        if key == "cache_control":
            decode_cache_control(tool, value, left)
        else:
            left.fields[key] = value
    left.attach(tool, vendor.dialect)
    return tool


def _is_flat(wire: Object) -> bool:
    """Tell whether a tool has its name beside its type, as in Responses and Claude; some clients send it in this form.

    Source: docs/wire/openai_chat.md, section 1.3.
    """
    if type(wire.get("name")) is not str or "function" in wire or "custom" in wire:
        return False
    kind = wire.get("type")
    return kind in _FLAT or (kind is None and type(wire.get(INPUT_SCHEMA)) is dict)


def _decode_flat(wire: Object, vendor: Vendor) -> Object:
    """Decode a tool whose members stand beside its type; the missing object around them is noted as absent."""
    left = Unmapped()
    kind = wire.get("type")
    beside = {key: wire[key] for key in ("cache_control",) if key in wire}
    inner = rest(wire, _BESIDE_FLAT)
    if kind == "custom":
        if not vendor.custom or INPUT_SCHEMA in wire:
            return {"type": "opaque", "dialect": vendor.dialect, "data": wire}
        left.absent("custom")
        return _decode_custom(inner, beside, vendor, left)
    left.absent("function")
    if kind is None:
        left.untyped(wire)
    if "parameters" not in inner and type(inner.get(INPUT_SCHEMA)) is dict:
        left.absent("parameters")
        inner = {"parameters" if key == INPUT_SCHEMA else key: value for key, value in inner.items()}
    tool = _decode_function(inner, left)
    left.fields = left.fields.pop("function", {})
    return _finished(tool, beside, vendor, left)


def _decode_custom(inner: Object, beside: Object, vendor: Vendor, left: Unmapped) -> Object:
    """Decode a custom tool; a format other than text or grammar stays a leftover."""
    tool: Object = {"type": "custom"}
    nested = _read_members(tool, inner, _CUSTOM_MEMBERS, left)
    if "format" in nested and _read_format(tool, nested["format"], left):
        del nested["format"]
    if "custom" in left.spelling.get("absent", ()):
        left.fields |= nested
    else:
        left.keep_nested("custom", nested)
    return _finished(tool, beside, vendor, left)


def _read_format(tool: Object, value: Any, left: Unmapped) -> bool:
    """Read the format of a custom tool's input; return whether it has a known shape."""
    match value:
        case {"type": "text", **others} if not others:
            left.spelling["format"] = "text"
        case {
            "type": "grammar",
            "grammar": {"syntax": str(syntax), "definition": str(definition), **inner},
            **outer,
        } if not inner and not outer:
            tool["grammar"] = {"syntax": syntax, "definition": definition}
        case {"type": "grammar", "syntax": str(syntax), "definition": str(definition), **others} if not others:
            tool["grammar"] = {"syntax": syntax, "definition": definition}
            left.absent("grammar")
        case _:
            return False
    return True


def _decode_function(function: Object, left: Unmapped) -> Object:
    tool: Object = {"type": "function", "name": expect(function.get("name"), TEXT, "function", "name")}
    left.keep_nested("function", _read_members(tool, function, _FUNCTION_MEMBERS, left))
    return tool


def _read_members(tool: Object, wire: Object, kinds: Mapping[str, type], left: Unmapped) -> Object:
    """Read the known members that have the right type; return the others."""
    others: Object = {}
    for key, value in wire.items():
        kind = kinds.get(key)
        if kind is type(value):
            tool[key] = value
        elif value is None and kind is not None:
            left.null(key)
        else:
            others[key] = value
    return others


def _read_function_call(request: Object, value: Any, body: Object, _vendor: Vendor, left: Unmapped) -> None:
    """Read the deprecated `function_call`; beside `tool_choice` it stays a leftover."""
    match value:
        case "auto" | "none":
            choice = {"mode": value}
        case {"name": str(name), **others} if not others:
            choice = {"mode": "named", "name": name}
        case _:
            choice = {}
    if choice and body.get("tool_choice") is None:
        request["tool_choice"] = choice
        left.spelling["tool_choice"] = "function_call"
    else:
        left.fields["function_call"] = value


_MODES: Final = frozenset({"auto", "none", "required"})


def _read_tool_choice(request: Object, value: Any, body: Object, vendor: Vendor, left: Unmapped) -> None:
    """Read the tool choice; an unknown form stays a leftover."""
    choice = _decode_choice(value, body, vendor) or _decode_other_form(value, left)
    if choice is None:
        left.fields["tool_choice"] = value
    else:
        request["tool_choice"] = choice


def _decode_choice(value: Any, body: Object, vendor: Vendor) -> Object | None:
    """Decode a choice in one of OpenAI's forms, or return None."""
    match value:
        case "auto" | "none" | "required":
            return {"mode": value}
        case {
            "type": "allowed_tools",
            "allowed_tools": {"mode": "auto" | "required" as mode, "tools": list(tools), **inner},
            **outer,
        } if not inner and not outer:
            free = _free_text_names(body.get("tools")) if vendor.custom else frozenset[str]()
            named = [_named(tool) for tool in tools]
            # Each must have the type of the offered tool with that name.
            if any(one is None or (one[0] == "custom") is not (one[1] in free) for one in named):
                return None
            return {"mode": "subset", "names": [one[1] for one in named if one], "required": mode == "required"}
        case _:
            choice = _named(value)
            return None if choice is None else _named_choice(*choice)


def _named(value: Any) -> tuple[str, str] | None:
    """Return type and name of a choice that names one tool in OpenAI's form, without other members; else None."""
    match value:
        case {"type": "function" | "custom" as kind, **outer} if outer.keys() == {kind}:
            inner: Any = outer[kind]
            is_name = type(inner) is dict and inner.keys() == {"name"} and type(inner["name"]) is str
            return (kind, inner["name"]) if is_name else None
        case _:
            return None


def _named_choice(kind: str, name: str) -> Object:
    return {"mode": "named", "name": name} | ({"kind": kind} if kind == "custom" else {})


def _decode_other_form(value: Any, left: Unmapped) -> Object | None:
    """Decode a choice in the form of other servers, or of other dialects' clients at a gateway."""
    match value:
        case {"type": str(word), **others} if not others and (word in _MODES or word == ANY_TOOL):
            left.absent(NO_WORD)
            return _decode_other_form(word, left) or {"mode": word}
        case str(word) if word == ANY_TOOL:
            left.absent(WORD_ANY)
            return {"mode": "required"}
        case {"function": {"name": str(name), **inner}, **outer} if not inner and not outer:
            left.absent(BARE_FUNCTION)
            return _named_choice("function", name)
        case {"type": "function" | "tool" | "custom" as kind, "name": str(name), **others} if not others:
            left.absent(next(note for note, flat in FLAT_CHOICES.items() if flat == kind))
            return _named_choice(kind, name)
        case _:
            return None


def _free_text_names(tools: Any) -> frozenset[str]:
    """Return the names of the custom tools."""
    offered = tools if type(tools) is list else ()
    return frozenset(tool["custom"]["name"] for tool in offered if _is_custom(tool))


def _is_custom(tool: Any) -> TypeGuard[Object]:
    """Tell whether a tool is a custom tool with a name."""
    inner = tool.get("custom") if type(tool) is dict and tool.get("type") == "custom" else None
    return type(inner) is dict and type(inner.get("name")) is str


_READERS: Final[Mapping[str, Reader]] = MappingProxyType({
    "max_tokens": _read_max_tokens,
    "user": _read_user,
    "safety_identifier": _read_safety_identifier,
    "stop": _read_stop,
    "stream_options": _read_stream_options,
    "modalities": _read_modalities,
    "reasoning_effort": _read_effort,
    "tools": _read_tools,
    "functions": _read_functions,
    "tool_choice": _read_tool_choice,
    "function_call": _read_function_call,
    "response_format": _read_response_format,
    "prompt_cache_options": _read_cache_options,
    "cache_control": _read_cache_control,
    OPTIONS: read_search,
    FILTER: read_domain_filter,
})  # fmt: skip
