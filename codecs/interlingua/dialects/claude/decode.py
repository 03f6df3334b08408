"""Claude to canonical: requests.

Source: reference/wire/claude.md section 1. Every function is pure and shares unchanged sub-objects.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.dialects._shared.extra import Leftovers, read_setting, rest
from interlingua.dialects._shared.reading import (
    OBJECT,
    Malformed,
    expect,
    texts,
    top_object,
)
from interlingua.dialects.claude.decode_message import decode_message
from interlingua.dialects.claude.decode_part import decode_cache, decode_content
from interlingua.dialects.claude.decode_tool import read_tool_choice, read_tools
from interlingua.dialects.claude.tables import (
    DIALECT,
    SETTINGS,
)

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatMessage, ChatRequest, SystemChatMessage


_THINKING_MEMBERS: Final = (("type", "mode", str), ("budget_tokens", "budget_tokens", int), ("display", "display", str))


def decode_request(body: Any) -> ChatRequest:
    """Return the canonical request of a body of `POST /v1/messages`. Raises `DecodeError`."""
    try:
        return cast("ChatRequest", _decode_request(top_object(body)))
    except Malformed as malformed:
        raise malformed.error(DIALECT) from None


def _decode_request(body: dict[str, Any]) -> dict[str, Any]:
    request: dict[str, Any] = {"dialect": DIALECT}
    left = Leftovers()
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
    return request


def _read_system(messages: list[ChatMessage], system: Any) -> None:
    try:
        content = decode_content(system, "system")
    except Malformed as malformed:
        malformed.path = malformed.path.removeprefix("/content")
        raise malformed.under("system") from None
    instruction: SystemChatMessage = {"role": "system", "content": cast("Any", content)}
    messages.append(instruction)


def _read_messages(messages: list[ChatMessage], wire: Any) -> None:
    if type(wire) is not list:
        raise Malformed("/messages", "expected a list")
    last_role: str | None = None
    index = 0
    try:
        for index, message in enumerate(wire):  # noqa: B007  # the index is read when a message is malformed
            last_role = decode_message(message, messages, last_role)
    except Malformed as malformed:
        raise malformed.under("messages", index) from None


def _read_stop(request: dict[str, Any], value: Any, _left: Leftovers) -> None:
    request["stop"] = texts(value, "stop_sequences")


def _read_metadata(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    metadata = expect(value, OBJECT, "metadata")
    if type(metadata.get("user_id")) is str:
        request["user"] = metadata["user_id"]
        if len(metadata) > 1:
            left.nest("metadata", rest(metadata, frozenset({"user_id"})))
    else:
        left.fields["metadata"] = metadata


def _read_thinking(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    thinking = expect(value, OBJECT, "thinking")
    settings = request.setdefault("reasoning", {})
    known = set()
    for wire, name, kind in _THINKING_MEMBERS:
        if type(thinking.get(wire)) is kind:
            settings[name] = thinking[wire]
            known.add(wire)
    others = rest(thinking, frozenset(known))
    if others or not known:
        left.fields["thinking"] = others
    if not settings:
        del request["reasoning"]


def _read_output_config(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    config = expect(value, OBJECT, "output_config")
    known = set()
    others: dict[str, Any] = {}
    if type(config.get("effort")) is str:
        request.setdefault("reasoning", {})["effort"] = config["effort"]
        known.add("effort")
    wanted = config.get("format")
    if type(wanted) is dict and wanted.get("type") == "json_schema" and type(wanted.get("schema")) is dict:
        request["response_format"] = {"type": "json_schema", "schema": wanted["schema"]}
        known.add("format")
        inner = rest(wanted, frozenset({"type", "schema"}))
        if inner:
            others["format"] = inner
    others |= rest(config, frozenset(known))
    if others or not known:
        left.fields["output_config"] = others


def _read_output_format(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    """Read the older name of `output_config.format`; beside it, it stays a leftover."""
    match value:
        case {"type": "json_schema", "schema": dict(schema), **others} if (
            "response_format" not in request and not others
        ):
            request["response_format"] = {"type": "json_schema", "schema": schema}
            left.spelling["response_format"] = "output_format"
        case _:
            left.fields["output_format"] = value


_READERS: Final = {
    "stop_sequences": _read_stop,
    "metadata": _read_metadata,
    "thinking": _read_thinking,
    "output_config": _read_output_config,
    "output_format": _read_output_format,
    "tool_choice": read_tool_choice,
    "tools": read_tools,
}
