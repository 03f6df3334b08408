"""Gemini to canonical: calls of functions and their results. Every function raises `Malformed` with its own path.

Source: reference/wire/gemini.md sections 1.2 and 4.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import Any, Final

from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.reading import OBJECT, TEXT, Malformed, expect
from interlingua.dialects.gemini.decode_part import data_of, decode_data, opaque
from interlingua.dialects.gemini.json_text import written
from interlingua.dialects.gemini.snake import CALL, PART, RESULT, camel
from interlingua.dialects.gemini.tables import DATA, DIALECT

_CALL_MEMBERS: Final = frozenset({"id", "name", "args"})

_RESULT_MEMBERS: Final = frozenset({"id", "name", "response", "parts"})

# What of a part with a call or a result is read elsewhere.
_READ: Final = frozenset({"thought", "thoughtSignature", *DATA})

_MEDIA: Final = frozenset({"inlineData", "fileData"})


def plain_call(wire: Any) -> dict[str, Any] | None:
    """Decode what `functionCall` holds where it is a name, arguments and perhaps an id, and nothing else."""
    if type(wire) is not dict or len(wire) > 3:
        return None
    name, arguments = wire.get("name"), wire.get("args")
    if type(name) is not str or type(arguments) is not dict:
        return None
    if len(wire) == 2:
        return {"name": name, "arguments": arguments}
    identifier = wire.get("id")
    return {"id": identifier, "name": name, "arguments": arguments} if type(identifier) is str else None


def plain_result(wire: Any) -> dict[str, Any] | None:
    """Decode what `functionResponse` holds where it is a name, a text and perhaps an id, and nothing else."""
    if type(wire) is not dict or len(wire) > 3:
        return None
    name, response = wire.get("name"), wire.get("response")
    if type(name) is not str or type(response) is not dict or len(response) != 1:
        return None
    text = response.get("output")
    if type(text) is not str:
        return None
    if len(wire) == 2:
        return {"role": "tool", "content": text, "name": name}
    identifier = wire.get("id")
    if type(identifier) is not str:
        return None
    return {"role": "tool", "call_id": identifier, "content": text, "name": name}


def decode_call(part: dict[str, Any], left: Leftovers) -> dict[str, Any]:
    """Decode a part with a call, with names in camelCase; `left` holds what its modifiers left over."""
    wire = camel(expect(part["functionCall"], OBJECT, "functionCall"), CALL, left)
    call: dict[str, Any] = {}
    others = rest(wire, _CALL_MEMBERS)
    try:
        _decode_text(call, "id", wire, "id", left, others)
        call["name"] = expect(wire.get("name"), TEXT, "name")
        arguments = wire.get("args")
        if arguments is None:
            left.spelling["args"] = "null" if "args" in wire else "absent"
            call["arguments"] = {}
        else:
            call["arguments"] = expect(arguments, OBJECT, "args")
    except Malformed as malformed:
        raise malformed.under("functionCall") from None
    left.nest("functionCall", others)
    left.fields |= rest(part, _READ)
    left.attach(call, DIALECT)
    return call


def decode_result(part: dict[str, Any], left: Leftovers) -> dict[str, Any]:
    """Decode a part with a result as a tool message."""
    wire = camel(expect(part["functionResponse"], OBJECT, "functionResponse"), RESULT, left)
    message: dict[str, Any] = {"role": "tool"}
    others = rest(wire, _RESULT_MEMBERS)
    try:
        _decode_text(message, "call_id", wire, "id", left, others)
        _decode_content(message, wire, left, others)
        _decode_text(message, "name", wire, "name", left, others)
    except Malformed as malformed:
        raise malformed.under("functionResponse") from None
    left.nest("functionResponse", others)
    left.fields |= rest(part, _READ)
    left.attach(message, DIALECT)
    return message


def _decode_text(
    value: dict[str, Any], name: str, wire: dict[str, Any], key: str, left: Leftovers, others: dict[str, Any]
) -> None:
    """Decode a member that is text; any other stays one of the others."""
    text = wire.get(key)
    if type(text) is str:
        value[name] = text
    elif text is not None:
        others[key] = text
    elif key in wire:
        left.null(key)


def _decode_content(message: dict[str, Any], wire: dict[str, Any], left: Leftovers, others: dict[str, Any]) -> None:
    response = wire.get("response")
    if response is None:
        left.spelling["response"] = "null" if "response" in wire else "absent"
    elif expect(response, OBJECT, "response"):
        _decode_response(message, response, left)
    media = wire.get("parts")
    if media is None:
        if "parts" in wire:
            left.null("parts")
    elif type(media) is not list:
        others["parts"] = media
    elif not media:
        left.empty("parts")
    else:
        said = message.get("content")
        # An error beside pictures must have a text; where that is empty, nobody said it.
        is_silent = said is None or (said == "" and message.get("is_error") is True)
        text = [] if is_silent else [{"type": "text", "text": said}]
        message["content"] = [*text, *[_decode_media(one, at) for at, one in enumerate(media)]]


def _decode_response(message: dict[str, Any], response: dict[str, Any], left: Leftovers) -> None:
    """Decode `{output: ...}` and `{error: ...}`; any other object is the output as a whole."""
    key = next(iter(response))
    value: Any = response
    if len(response) == 1 and key in {"output", "error"}:
        value = response[key]
        if key == "error":
            message["is_error"] = True
        if type(value) is str:
            message["content"] = value
            return
        left.spelling["response"] = "json"
    else:
        left.spelling["response"] = "object"
    text = written(value)
    if text is None:
        raise Malformed("/response", "expected what JSON text can hold")
    message["content"] = text


def _decode_media(wire: Any, at: int) -> dict[str, Any]:
    """Decode a picture or another file of a result."""
    if type(wire) is not dict:
        raise Malformed(f"/parts/{at}", "expected an object")
    left = Leftovers()
    part = camel(wire, PART, left)
    data = data_of(part, left)
    if data is None or data not in _MEDIA:
        return opaque(wire)
    try:
        media = decode_data(part, data, left)
    except Malformed as malformed:
        raise malformed.under("parts", at) from None
    left.fields |= {name: part[name] for name in ("thought", "thoughtSignature") if name in part}
    left.attach(media, DIALECT)
    return media
