"""Chat Completions to canonical: requests and responses.

Source: reference/wire/openai_chat.md sections 1 and 2. Every function is pure and shares unchanged sub-objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._chat_completions.decode_message import decode_assistant, decode_message, decode_usage
from interlingua.dialects._chat_completions.tables import FINISH_REASONS, FINISH_WORDS, RESPONSE_FORMATS, SETTINGS
from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.reading import TEXT, Malformed, expect, expect_integer, top_object

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.tables import Vendor

_TOOL_MEMBERS: Final = frozenset({"type", "function", "cache_control"})
_FUNCTION_MEMBERS: Final = frozenset({"name", "description", "parameters"})
_CHOICE_WORDS: Final = frozenset({"auto", "none", "required"})
_RESPONSE_TEXTS: Final = frozenset({"id", "model"})


def decode_request(body: Any, vendor: Vendor) -> dict[str, Any]:
    """Return the canonical request of a body of `POST /v1/chat/completions`. Raises `DecodeError`."""
    try:
        return _decode_request(top_object(body), vendor)
    except Malformed as malformed:
        raise malformed.error(vendor.dialect) from None


def _decode_request(body: dict[str, Any], vendor: Vendor) -> dict[str, Any]:
    request: dict[str, Any] = {"dialect": vendor.dialect}
    left = Leftovers()
    for key, value in body.items():
        if key in SETTINGS:
            name, kinds = SETTINGS[key]
            if value is None:
                left.null(key)
            elif type(value) in kinds:
                request[name] = value
            elif kinds == (int,):
                request[name] = expect_integer(value, key)
            elif key == "logprobs":  # the older completions form, a count
                left.fields[key] = value
            else:
                expect(value, kinds, key)
        elif key == "messages":
            request["messages"] = _decode_messages(value, vendor)
        elif value is None and key in _READERS:
            left.null(key)
        elif key in _READERS:
            _READERS[key](request, value, body, vendor, left)
        else:
            left.fields[key] = value
    if "messages" not in request:
        raise Malformed("/messages", "expected a list")
    left.attach(request, vendor.dialect)
    return request


def _decode_messages(wire: Any, vendor: Vendor) -> list[dict[str, Any]]:
    if type(wire) is not list:
        raise Malformed("/messages", "expected a list")
    messages = []
    index = 0
    try:
        for index, message in enumerate(wire):  # noqa: B007  # the index is read when a message is malformed
            messages.append(decode_message(message, vendor))
    except Malformed as malformed:
        raise malformed.under("messages", index) from None
    return messages


def _read_max_tokens(
    request: dict[str, Any], value: Any, body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    if body.get("max_completion_tokens") is not None:
        left.fields["max_tokens"] = value
    else:
        request["max_tokens"] = expect_integer(value, "max_tokens")
        left.spelling["max_tokens"] = "max_tokens"


def _read_user(request: dict[str, Any], value: Any, body: dict[str, Any], _vendor: Vendor, left: Leftovers) -> None:
    if body.get("safety_identifier") is not None:
        left.fields["user"] = value
    else:
        request["user"] = expect(value, TEXT, "user")
        left.spelling["user"] = "user"


def _read_safety_identifier(
    request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, _left: Leftovers
) -> None:
    request["user"] = expect(value, TEXT, "safety_identifier")


def _read_stop(request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, left: Leftovers) -> None:
    if type(value) is str:
        request["stop"] = [value]
        left.spelling["stop"] = "string"
    else:
        request["stop"] = [expect(one, TEXT, "stop", at) for at, one in enumerate(expect(value, (list,), "stop"))]


def _read_effort(
    request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, _left: Leftovers
) -> None:
    request["reasoning"] = {"effort": expect(value, TEXT, "reasoning_effort")}


def _read_tools(request: dict[str, Any], value: Any, _body: dict[str, Any], vendor: Vendor, left: Leftovers) -> None:
    if type(value) is not list:
        raise Malformed("/tools", "expected a list")
    if not value:
        left.empty("tools")
        return
    tools = request.setdefault("tools", [])
    index = 0
    try:
        for index, tool in enumerate(value):  # noqa: B007  # the index is read when a tool is malformed
            tools.append(decode_tool(tool, vendor))
    except Malformed as malformed:
        raise malformed.under("tools", index) from None


def _read_functions(
    request: dict[str, Any], value: Any, body: dict[str, Any], vendor: Vendor, left: Leftovers
) -> None:
    """Read the older `functions`; beside `tools`, or malformed, they stay a leftover."""
    known = type(value) is list and all(type(one) is dict and type(one.get("name")) is str for one in value)
    if not value or not known or body.get("tools"):
        left.fields["functions"] = value
        return
    for function in value:
        inner = Leftovers()
        tool = _decode_function(function, inner)
        inner.spelling["tool"] = "functions"
        inner.fields = inner.fields.pop("function", {})
        inner.attach(tool, vendor.dialect)
        request.setdefault("tools", []).append(tool)


def decode_tool(wire: Any, vendor: Vendor) -> dict[str, Any]:
    """Decode one tool; all but functions are opaque."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    function = wire.get("function")
    kind = wire.get("type")
    if kind not in {"function", None} or type(function) is not dict:
        return {"type": "opaque", "dialect": vendor.dialect, "data": wire}
    if len(wire) == 2 and len(function) == 3 and kind is not None:
        name, description, parameters = function.get("name"), function.get("description"), function.get("parameters")
        if type(name) is str and type(description) is str and type(parameters) is dict:
            return {"type": "function", "name": name, "description": description, "parameters": parameters}
    left = Leftovers()
    if kind is None:
        if "type" in wire:
            left.null("type")
        else:
            left.spelling["type"] = "absent"
    tool = _decode_function(function, left)
    mark = wire.get("cache_control")
    if type(mark) is dict and mark.keys() <= {"type", "ttl"} and mark.get("type") == "ephemeral":
        tool["cache"] = {"ttl": mark["ttl"]} if type(mark.get("ttl")) is str else {}
        left.spelling["cache"] = "cache_control"
    elif "cache_control" in wire:
        left.fields["cache_control"] = mark
    if len(wire) > 2:  # more than `type` and `function`
        left.fields |= rest(wire, _TOOL_MEMBERS)
    left.attach(tool, vendor.dialect)
    return tool


def _decode_function(function: dict[str, Any], left: Leftovers) -> dict[str, Any]:
    tool: dict[str, Any] = {"type": "function", "name": expect(function.get("name"), TEXT, "function", "name")}
    nested: dict[str, Any] = {}
    for key, value in function.items():
        if key == "name":
            pass
        elif (
            (key == "parameters" and type(value) is dict)
            or (key == "description" and type(value) is str)
            or (key == "strict" and type(value) is bool)
        ):
            tool[key] = value
        elif value is None and (key == "strict" or key in _FUNCTION_MEMBERS):
            left.null(key)
        else:
            nested[key] = value
    left.nest("function", nested)
    return tool


def _read_tool_choice(
    request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    choice = _decode_tool_choice(value)
    if choice is None:
        left.fields["tool_choice"] = value
    else:
        request["tool_choice"] = choice


def _decode_tool_choice(value: Any) -> dict[str, Any] | None:
    """Decode a tool choice of exactly a known shape, or return None."""
    match value:
        case "auto" | "none" | "required":
            return {"mode": value}
        case {"type": "function", "function": {"name": str(name), **inner}, **outer} if not inner and not outer:
            return {"mode": "named", "name": name}
        case {"type": "custom", "custom": {"name": str(name), **inner}, **outer} if not inner and not outer:
            return {"mode": "named", "name": name, "kind": "custom"}
        case {
            "type": "allowed_tools",
            "allowed_tools": {"mode": "auto" | "required" as mode, "tools": list(tools), **inner},
            **outer,
        } if not inner and not outer:
            names = [_allowed_name(tool) for tool in tools]
            return None if None in names else {"mode": "subset", "names": names, "required": mode == "required"}
        case _:
            return None


def _allowed_name(tool: Any) -> str | None:
    match tool:
        case {"type": "function", "function": {"name": str(name), **inner}, **outer} if not inner and not outer:
            return name
        case _:
            return None


def _read_function_call(
    request: dict[str, Any], value: Any, body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    """Read the older `function_call`; beside `tool_choice` it stays a leftover."""
    if body.get("tool_choice") is None:
        match value:
            case "auto" | "none":
                request["tool_choice"] = {"mode": value}
                left.spelling["tool_choice"] = "function_call"
                return
            case {"name": str(name), **others} if not others:
                request["tool_choice"] = {"mode": "named", "name": name}
                left.spelling["tool_choice"] = "function_call"
                return
    left.fields["function_call"] = value


def _read_response_format(
    request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    if type(value) is not dict or value.get("type") not in RESPONSE_FORMATS:
        left.fields["response_format"] = value
        return
    wanted = {"type": value["type"]}
    nested = value.get("json_schema")
    known = {"type"}
    if value["type"] == "json_schema":
        if type(nested) is not dict or type(nested.get("schema", {})) is not dict:
            left.fields["response_format"] = value
            return
        inner = {}
        for key, content in nested.items():
            if (key in {"name", "description"} and type(content) is str) or key == "schema" or (
                key == "strict" and type(content) is bool
            ):
                wanted[key] = content
            else:
                inner[key] = content
        known.add("json_schema")
        if inner:
            left.nest("response_format", {"json_schema": inner})
    left.nest("response_format", rest(value, frozenset(known)))
    request["response_format"] = wanted


def _read_cache_options(
    request: dict[str, Any], value: Any, _body: dict[str, Any], _vendor: Vendor, left: Leftovers
) -> None:
    if type(value) is not dict:
        left.fields["prompt_cache_options"] = value
        return
    request["cache"] = {name: value[name] for name in ("mode", "ttl") if type(value.get(name)) is str}
    left.nest("prompt_cache_options", rest(value, frozenset(request["cache"])))


_READERS: Final = {
    "max_tokens": _read_max_tokens,
    "user": _read_user,
    "safety_identifier": _read_safety_identifier,
    "stop": _read_stop,
    "reasoning_effort": _read_effort,
    "tools": _read_tools,
    "functions": _read_functions,
    "tool_choice": _read_tool_choice,
    "function_call": _read_function_call,
    "response_format": _read_response_format,
    "prompt_cache_options": _read_cache_options,
}


def decode_response(body: Any, vendor: Vendor) -> dict[str, Any]:
    """Return the canonical response of a `chat.completion`. Raises `DecodeError`."""
    try:
        return _decode_response(top_object(body), vendor)
    except Malformed as malformed:
        raise malformed.error(vendor.dialect) from None


def _decode_response(body: dict[str, Any], vendor: Vendor) -> dict[str, Any]:
    response: dict[str, Any] = {"dialect": vendor.dialect, "messages": []}
    left = Leftovers()
    for key, value in body.items():
        if key in _RESPONSE_TEXTS and type(value) is str:
            response[key] = value
        elif key == "created" and type(value) is int:
            response["created"] = value
        elif key == "object" and value == "chat.completion":
            pass
        elif key == "choices":
            pass
        elif key == "usage" and value is not None:
            try:
                response["usage"] = decode_usage(value, vendor)
            except Malformed as malformed:
                raise malformed.under("usage") from None
        elif value is None and key in {"usage", "created", *_RESPONSE_TEXTS}:
            left.null(key)
        else:
            left.fields[key] = value
    if "object" not in body:
        left.absent("object")
    choices = body.get("choices")
    if type(choices) is not list:
        raise Malformed("/choices", "expected a list")
    index = 0
    try:
        for index, choice in enumerate(choices):
            if index == 0:
                _decode_choice(response, choice, 0, vendor, left)
            else:
                answer: dict[str, Any] = {"messages": []}
                inner = Leftovers()
                _decode_choice(answer, choice, index, vendor, inner)
                inner.attach(answer, vendor.dialect)
                response.setdefault("alternatives", []).append(answer)
    except Malformed as malformed:
        raise malformed.under("choices", index) from None
    left.attach(response, vendor.dialect)
    return response


def _decode_choice(answer: dict[str, Any], wire: Any, position: int, vendor: Vendor, left: Leftovers) -> None:
    """Decode one choice into a response or an alternative."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    others: dict[str, Any] = {}
    for key, value in wire.items():
        if key == "message":
            try:
                answer["messages"] = [_decode_answer(value, vendor)]
            except Malformed as malformed:
                raise malformed.under("message") from None
        elif key == "finish_reason":
            _decode_finish_reason(answer, value)
        elif key == "logprobs" and value is None:
            left.null("choice.logprobs")
        elif key != "index" or value != position:
            others[key] = value
    if not answer["messages"]:
        raise Malformed("/message", "expected an object")
    for name in ("index", "finish_reason"):
        if name not in wire:
            left.absent(name)
    if others:
        left.typed["choice"] = others


def _decode_answer(wire: Any, vendor: Vendor) -> dict[str, Any]:
    """Decode the message of a choice: an assistant's, also where the role is not said."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role = wire.get("role")
    if role == "assistant":
        return decode_assistant(wire, vendor)
    if role is None:
        message = decode_assistant(wire, vendor)
        extra = message.setdefault("extra", {}).setdefault(vendor.dialect, {})
        note = "null" if "role" in wire else "absent"
        extra.setdefault("spelling", {}).setdefault(note, []).append("role")
        return message
    return decode_message(wire, vendor)


def _decode_finish_reason(answer: dict[str, Any], word: Any) -> None:
    if word is None:
        return
    reason = FINISH_REASONS.get(word, "other") if type(word) is str else "other"
    answer["finish_reason"] = reason
    if FINISH_WORDS[reason][0] != word:
        if type(word) not in {str, int}:
            raise Malformed("/finish_reason", "expected text")
        answer["finish_reason_raw"] = word
