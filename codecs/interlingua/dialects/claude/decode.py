"""Claude to canonical: requests and responses.

Source: reference/wire/claude.md sections 1 and 2. Every function is pure and shares unchanged sub-objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.reading import (
    OBJECT,
    TEXT,
    Malformed,
    expect,
    expect_integer,
    top_object,
)
from interlingua.dialects.claude.decode_message import decode_answer, decode_cache, decode_content, decode_message
from interlingua.dialects.claude.tables import (
    DIALECT,
    FINISH_REASONS,
    FINISH_WORDS,
    OUTPUT_DETAILS,
    SETTINGS,
    STOP_SEQUENCE,
    THINKING_TOKENS,
    TOOL_CHOICES,
    USAGE,
)

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatMessage, ChatRequest, ChatResponse

_TOOL_MEMBERS: Final = frozenset({"type", "name", "description", "input_schema", "strict", "cache_control"})
_THINKING_MEMBERS: Final = (("type", "mode", str), ("budget_tokens", "budget_tokens", int), ("display", "display", str))
_RESPONSE_HABITS: Final = ("type", "role", "stop_reason", "stop_sequence")


def decode_request(body: Any) -> ChatRequest:
    """Return the canonical request of a body of `POST /v1/messages`. Raises `DecodeError`."""
    try:
        return _decode_request(top_object(body))  # type: ignore[return-value]  # made member by member
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
            name, kinds = SETTINGS[key]
            if value is None:
                left.null(key)
            elif type(value) in kinds:
                request[name] = value
            else:
                request[name] = expect_integer(value, key) if kinds == (int,) else expect(value, kinds, key)
        elif key == "messages":
            request["messages"] = messages
            _read_messages(messages, value)
        elif value is None and (key in _READERS or key in {"system", "cache_control"}):
            left.null(key)
        elif key in _READERS:
            _READERS[key](request, value, left)
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
    messages.append({"role": "system", "content": content})  # type: ignore[typeddict-item]  # made by decode_content


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
    stops = expect(value, (list,), "stop_sequences")
    request["stop"] = [expect(one, TEXT, "stop_sequences", at) for at, one in enumerate(stops)]


def _read_metadata(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    metadata = expect(value, OBJECT, "metadata")
    if type(metadata.get("user_id")) is str:
        request["user"] = metadata["user_id"]
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
        case {"type": "json_schema", "schema": dict(schema), **others} if "response_format" not in request and not others:
            request["response_format"] = {"type": "json_schema", "schema": schema}
            left.spelling["response_format"] = "output_format"
        case _:
            left.fields["output_format"] = value


def _read_tool_choice(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    choice = expect(value, OBJECT, "tool_choice")
    kind = choice.get("type")
    known = {"type"}
    if kind == "tool" and type(choice.get("name")) is str:
        request["tool_choice"] = {"mode": "named", "name": choice["name"]}
        known.add("name")
    elif type(kind) is str and kind in TOOL_CHOICES:
        request["tool_choice"] = {"mode": TOOL_CHOICES[kind]}
    else:
        left.fields["tool_choice"] = choice
        return
    if type(choice.get("disable_parallel_tool_use")) is bool:
        request["parallel_tool_calls"] = not choice["disable_parallel_tool_use"]
        known.add("disable_parallel_tool_use")
    left.nest("tool_choice", rest(choice, frozenset(known)))


def _read_tools(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    if type(value) is not list:
        raise Malformed("/tools", "expected a list")
    if not value:
        left.empty("tools")
        return
    tools = request["tools"] = []
    index = 0
    try:
        for index, tool in enumerate(value):  # noqa: B007  # the index is read when a tool is malformed
            tools.append(decode_tool(tool))
    except Malformed as malformed:
        raise malformed.under("tools", index) from None


def decode_tool(wire: Any) -> dict[str, Any]:
    """Decode one tool; all but the application's own are opaque."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    kind = wire.get("type")
    if kind not in {"custom", None}:
        return {"type": "opaque", "dialect": DIALECT, "data": wire}
    tool: dict[str, Any] = {"type": "function", "name": expect(wire.get("name"), TEXT, "name")}
    left = Leftovers()
    if kind == "custom":
        left.spelling["type"] = "custom"
    for key, value in wire.items():
        if key == "description" and type(value) is str:
            tool["description"] = value
        elif key == "input_schema" and type(value) is dict:
            tool["parameters"] = value
        elif key == "strict" and type(value) is bool:
            tool["strict"] = value
        elif value is None and key in _TOOL_MEMBERS:
            if key != "cache_control":
                left.null(key)
        elif key not in _TOOL_MEMBERS or key in {"description", "input_schema", "strict"}:
            left.fields[key] = value
    decode_cache(tool, wire, left)
    left.attach(tool, DIALECT)
    return tool


_READERS: Final = {
    "stop_sequences": _read_stop,
    "metadata": _read_metadata,
    "thinking": _read_thinking,
    "output_config": _read_output_config,
    "output_format": _read_output_format,
    "tool_choice": _read_tool_choice,
    "tools": _read_tools,
}


def decode_response(body: Any) -> ChatResponse:
    """Return the canonical response of a message of the model. Raises `DecodeError`."""
    try:
        return _decode_response(top_object(body))  # type: ignore[return-value]  # made member by member
    except Malformed as malformed:
        raise malformed.error(DIALECT) from None


def _decode_response(body: dict[str, Any]) -> dict[str, Any]:
    response: dict[str, Any] = {"dialect": DIALECT}
    left = Leftovers()
    for key, value in body.items():
        if key in {"id", "model", "stop_sequence"} and type(value) is str:
            response[key] = value
        elif key == "content":
            response["messages"] = decode_answer(value) if value else []
            if value != [] and type(value) is not list:
                raise Malformed("/content", "expected a list")
        elif key == "stop_reason":
            _decode_stop_reason(response, value, body)
        elif key == "usage" and value is not None:
            try:
                response["usage"] = decode_usage(value)
            except Malformed as malformed:
                raise malformed.under("usage") from None
        elif (key == "type" and value == "message") or (key == "role" and value == "assistant"):
            pass
        elif value is None and key in {"id", "model", "usage"}:
            left.null(key)
        elif key != "stop_sequence" or value is not None:
            left.fields[key] = value
    if "messages" not in response:
        raise Malformed("/content", "expected a list")
    for name in _RESPONSE_HABITS:
        if name not in body:
            left.absent(name)
    left.attach(response, DIALECT)
    return response


def _decode_stop_reason(response: dict[str, Any], word: Any, body: dict[str, Any]) -> None:
    if word is None:
        return
    expect(word, TEXT, "stop_reason")
    reason = FINISH_REASONS.get(word, "other")
    response["finish_reason"] = reason
    stopped = reason == "stop" and type(body.get("stop_sequence")) is str
    if word != (STOP_SEQUENCE if stopped else FINISH_WORDS[reason][0]):
        response["finish_reason_raw"] = word


def decode_usage(wire: Any) -> dict[str, Any]:
    """Decode `usage`. Claude's `input_tokens` leaves cached tokens out; the canonical ones are inclusive."""
    usage: dict[str, Any] = {}
    left = Leftovers()
    expect(wire, OBJECT)
    for key, value in wire.items():
        if key in USAGE and value is not None:
            usage[USAGE[key]] = expect_integer(value, key)
        elif key == "input_tokens" and value is not None:
            usage["input_tokens"] = expect_integer(value, key)
        elif key == OUTPUT_DETAILS and type(value) is dict:
            known = set()
            if type(value.get(THINKING_TOKENS)) is int:
                usage["reasoning_tokens"] = value[THINKING_TOKENS]
                known.add(THINKING_TOKENS)
            others = rest(value, frozenset(known))
            if others or not known:
                left.fields[key] = others
        elif value is None and (key in USAGE or key in {"input_tokens", OUTPUT_DETAILS}):
            left.null(key)
        else:
            left.fields[key] = value
    if "input_tokens" in usage:
        usage["input_tokens"] += usage.get("cache_read_tokens", 0) + usage.get("cache_write_tokens", 0)
    left.attach(usage, DIALECT)
    return usage
