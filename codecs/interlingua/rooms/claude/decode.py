"""Decode Claude requests to the canonical form.

Source: docs/wire/claude.md, section 1. Every function is pure and shares unchanged sub-objects.
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms.claude.decode_message import decode_message
from interlingua.rooms.claude.decode_part import decode_cache, decode_content
from interlingua.rooms.claude.server_tools import decode_server_tool
from interlingua.rooms.claude.tables import DIALECT, SERVICE_TIERS, SETTINGS, THINKING, TOOL_CHOICES, TOOL_MEMBERS
from interlingua.spi.extra import NOTHING
from interlingua.spi.reading import (
    OBJECT,
    TEXT,
    Malformed,
    Unmapped,
    body_decoder,
    expect,
    read_setting,
    read_tools,
    take,
    texts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.model_shapes import ChatMessage, ChatRequest, SystemChatMessage
    from interlingua.spi.reading import Setting

_METADATA: Final[Mapping[str, Setting]] = MappingProxyType({"user_id": ("user", TEXT)})


@body_decoder(DIALECT)
def decode_request(body: Any) -> ChatRequest:
    """Return the canonical request for a body of `POST /v1/messages`. Raises `DecodeError`."""
    request: dict[str, Any] = {"dialect": DIALECT}
    left = Unmapped()
    messages: list[ChatMessage] = []
    system = body.get("system")
    if system is not None:
        _read_system(messages, system)
    for key, value in body.items():
        if key in SETTINGS:
            read_setting(request, key, value, SETTINGS[key], left)
        elif key == "messages":
            request["messages"] = messages
            _read_messages(messages, value)
        elif value is None and (key in _READERS or key in {"system", "cache_control"}):
            left.null(key)
        elif key in _READERS:
            try:
                _READERS[key](request, value, left)
            except Malformed as malformed:
                left.keep(key, value, malformed)
        elif key == "cache_control":
            decode_cache(request, body, left)
        elif key != "system":
            left.fields[key] = value
    if "messages" not in request:
        raise Malformed("/messages", "expected a list")
    left.attach(request, DIALECT)
    return cast("ChatRequest", request)


def _read_system(messages: list[ChatMessage], system: Any) -> None:
    try:
        content = decode_content(system, "system")
    except Malformed as malformed:
        malformed.path = malformed.path.removeprefix("/content")
        raise malformed.under("system") from None
    instruction: SystemChatMessage = {"role": "system", "content": cast("Any", content)}
    messages.append(instruction)


def _read_messages(messages: list[ChatMessage], wire: Any) -> None:
    expect(wire, (list,), "messages")
    last_role: str | None = None
    index = 0
    try:
        for index, message in enumerate(wire):  # noqa: B007  # the index is read when a message is malformed
            last_role = decode_message(message, messages, last_role)
    except Malformed as malformed:
        raise malformed.under("messages", index) from None


def _read_stop(request: dict[str, Any], value: Any, _left: Unmapped) -> None:
    request["stop"] = texts(value, "stop_sequences")


def _read_service_tier(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    if type(value) is str and value in SERVICE_TIERS:
        request["service_tier"] = SERVICE_TIERS[value]
    else:
        left.fields["service_tier"] = value


def _read_metadata(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    taken, others = take(expect(value, OBJECT, "metadata"), _METADATA)
    request |= taken
    if others or not taken:
        left.fields["metadata"] = others


def _read_thinking(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    settings, others = take(expect(value, OBJECT, "thinking"), THINKING)
    if settings:
        request["reasoning"] = {**request.get("reasoning", NOTHING), **settings}
    if others or not settings:
        left.fields["thinking"] = others


def _read_output_config(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    others = {**expect(value, OBJECT, "output_config")}
    if type(others.get("effort")) is str:
        request["reasoning"] = {**request.get("reasoning", NOTHING), "effort": others.pop("effort")}
    match others.get("format"):
        case {"type": "json_schema", "schema": dict(schema), **inner} if "response_format" not in request:
            request["response_format"] = {"type": "json_schema", "schema": schema}
            del others["format"]
            if inner:
                others = {"format": inner, **others}
        case _:
            pass
    if others or not value:
        left.fields["output_config"] = others


def _read_output_format(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    """Read the older name of `output_config.format`; where both are present, the later one is kept in `fields`."""
    match value:
        case {"type": "json_schema", "schema": dict(schema), **others} if (
            "response_format" not in request and not others
        ):
            request["response_format"] = {"type": "json_schema", "schema": schema}
            left.spelling["response_format"] = "output_format"
        case _:
            left.fields["output_format"] = value


_TOOL_LABELS: Final = frozenset({"type", "name", "cache_control"})


def _read_tool_choice(request: dict[str, Any], value: Any, left: Unmapped) -> None:
    """Read `tool_choice`, which also holds `disable_parallel_tool_use`."""
    others = {**expect(value, OBJECT, "tool_choice")}
    kind = others.pop("type", None)
    if kind == "tool" and type(others.get("name")) is str:
        request["tool_choice"] = {"mode": "named", "name": others.pop("name")}
    elif type(kind) is str and kind in TOOL_CHOICES:
        request["tool_choice"] = {"mode": TOOL_CHOICES[kind]}
    else:
        left.fields["tool_choice"] = value
        return
    if type(others.get("disable_parallel_tool_use")) is bool:
        request["parallel_tool_calls"] = not others.pop("disable_parallel_tool_use")
    left.keep_nested("tool_choice", others)


def _decode_tool(wire: Any) -> dict[str, Any]:
    """Decode one tool; a provider tool without a canonical variant becomes opaque."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    kind = wire.get("type")
    if kind is not None and kind != "custom":
        return decode_server_tool(wire) or {"type": "opaque", "dialect": DIALECT, "data": wire}
    tool: dict[str, Any] = {"type": "function", "name": expect(wire.get("name"), TEXT, "name")}
    left = Unmapped()
    if kind == "custom":
        left.spelling["type"] = "custom"
    for key, value in wire.items():
        setting = TOOL_MEMBERS.get(key)
        if setting is not None and type(value) in setting[1]:
            tool[setting[0]] = value
        elif setting is not None:
            read_setting(tool, key, value, setting, left)
        elif key not in _TOOL_LABELS:
            left.fields[key] = value
        elif value is None and key == "type":
            left.null(key)
    decode_cache(tool, wire, left)
    left.attach(tool, DIALECT)
    return tool


_READERS: Final[Mapping[str, Callable[[dict[str, Any], Any, Unmapped], None]]] = {
    "stop_sequences": _read_stop,
    "metadata": _read_metadata,
    "service_tier": _read_service_tier,
    "thinking": _read_thinking,
    "output_config": _read_output_config,
    "output_format": _read_output_format,
    "tool_choice": _read_tool_choice,
    "tools": partial(read_tools, decode=_decode_tool),
}
