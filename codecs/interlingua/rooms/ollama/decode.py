"""Ollama to canonical: requests.

Source: docs/wire/ollama.md, section 1. Every function is pure and shares unchanged sub-objects.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms.ollama.decode_message import decode_messages
from interlingua.rooms.ollama.tables import DIALECT, OPTIONS, SETTINGS, THINKING
from interlingua.spi.reading import (
    NUMBER,
    OBJECT,
    TEXT,
    Malformed,
    Unmapped,
    body_decoder,
    expect,
    read_setting,
    read_tools,
    rest,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ChatRequest


@body_decoder(DIALECT)
def decode_request(body: Any) -> ChatRequest:
    """Return the canonical request of a body of `POST /api/chat`. Raises `DecodeError`."""
    request: dict[str, Any] = {"dialect": DIALECT}
    left = Unmapped()
    for key, value in body.items():
        if value is None and (key in SETTINGS or key in _READERS or key == "messages"):
            left.null(key)
        elif key in SETTINGS:
            read_setting(request, key, value, SETTINGS[key], left)
        elif key == "messages":
            request["messages"] = decode_messages(value)
        elif key in _READERS:
            try:
                _READERS[key](request, value, left)
            except Malformed as malformed:
                left.keep(key, value, malformed)
        else:
            left.fields[key] = value
    if "messages" not in body:
        raise Malformed("/messages", "expected a list")
    request.setdefault("messages", [])  # null, as the official client writes it to load a model
    if "stream" not in request and "stream" not in left.fields:
        request["stream"] = True  # the default of the server
        if "stream" not in body:
            left.absent("stream")
    left.attach(request, DIALECT)
    return cast("ChatRequest", request)


def _read_options(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    """Read the sampling settings; options without a canonical setting stay leftovers."""
    options = expect(value, OBJECT, "options")
    if not options:
        left.spelling["options"] = "empty"
    others: dict[str, Any] = {}
    for key, option in options.items():
        if option is None and (key in OPTIONS or key == "stop"):
            left.null(f"options.{key}")
        elif key == "stop" and type(option) is str:
            request["stop"] = [option]
            left.spelling["stop"] = "string"
        elif key == "stop" and type(option) is list and all(type(one) is str for one in option):
            request["stop"] = option
        elif key in OPTIONS and type(option) in NUMBER:
            _read_option(request, key, option, others)
        else:
            others[key] = option
    left.keep_nested("options", others)


def _read_option(request: dict[str, Any], key: str, option: Any, others: dict[str, Any]) -> None:
    """Read one option. No limit (-1), the whole context (-2) and fractional counts stay leftovers."""
    name, kinds = OPTIONS[key]
    fraction = kinds == (int,) and type(option) is float and not option.is_integer()
    if fraction or (key == "num_predict" and option < 1):
        others[key] = option
    else:
        request[name] = option


def _read_format(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    if type(value) is dict:
        request["response_format"] = {"type": "json_schema", "schema": value}
    elif value == "json":
        request["response_format"] = {"type": "json_object"}
    elif value == "":
        left.spelling["format"] = "empty"
    else:
        left.fields["format"] = value


def _read_think(request: dict[str, Any], value: Any, _left: Unmapped) -> None:
    if type(value) is bool:
        request["reasoning"] = {"mode": THINKING[value]}
    else:
        request["reasoning"] = {"effort": expect(value, (str, bool), "think")}


_TOOL_MEMBERS: Final = frozenset({"type", "function"})
_FUNCTION_MEMBERS: Final[Mapping[str, type]] = MappingProxyType({"name": str, "description": str, "parameters": dict})


def _read_tools(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    read_tools(request, value, left, _decode_tool)


def _decode_tool(wire: Any) -> dict[str, Any]:
    """Decode one tool; all except functions are opaque."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    function = wire.get("function")
    kind = wire.get("type")
    if (kind is not None and kind != "function") or type(function) is not dict:
        return {"type": "opaque", "dialect": DIALECT, "data": wire}
    left = Unmapped()
    if kind is None:
        left.untyped(wire)
    tool: dict[str, Any] = {"type": "function", "name": expect(function.get("name"), TEXT, "function", "name")}
    nested: dict[str, Any] = {}
    for key, value in function.items():
        kind = _FUNCTION_MEMBERS.get(key)
        if value is None and kind is not None:
            left.null(f"function.{key}")
        elif kind is type(value):
            tool[key] = value
        else:
            nested[key] = value
    left.keep_nested("function", nested)
    left.fields |= rest(wire, _TOOL_MEMBERS)
    left.attach(tool, DIALECT)
    return tool


_READERS: Final = {"options": _read_options, "format": _read_format, "think": _read_think, "tools": _read_tools}
