"""Responses to canonical: calls and results. Every function raises `Malformed` with its own path."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import Leftovers, read_text
from interlingua.dialects._shared.reading import TEXT, Malformed, expect
from interlingua.dialects.openai_responses.decode_part import decode_content
from interlingua.dialects.openai_responses.tables import (
    CALLS,
    CUSTOM_CALL,
    CUSTOM_RESULT,
    DIALECT,
    FUNCTION_CALL,
    FUNCTION_RESULT,
)

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


_CALL_STATE: Final = frozenset({"id", "status", "namespace"})


def decode_call(item: dict[str, Any], custom: set[str]) -> dict[str, Any]:
    """Decode a call: its `call_id` is the canonical id. That of a custom tool is noted in `custom`."""
    kind: str = item["type"]
    identifier, name = item.get("call_id"), item.get("name")
    if len(item) == 4 and kind == FUNCTION_CALL:
        arguments = item.get("arguments")
        if type(identifier) is str and type(name) is str and type(arguments) is str:
            return {"id": identifier, "name": name, "arguments": arguments}
    said = CALLS[kind]
    left = Leftovers()
    call: dict[str, Any] = {}
    read_text(call, "id", item, "call_id", left)
    call["name"] = expect(name, TEXT, "name")
    call["arguments"] = _arguments(item, said, left)
    if kind == CUSTOM_CALL:
        call["kind"] = "custom"
        if "id" in call:
            custom.add(call["id"])
    for key, value in item.items():
        if key in _CALL_STATE:
            read_text(left.typed, key, item, key, left)
        elif key not in {"type", "call_id", "name", said}:
            left.fields[key] = value
    left.attach(call, DIALECT)
    return call


def _arguments(item: dict[str, Any], said: str, left: Leftovers) -> str | dict[str, Any]:
    """Return argument text; an object as some vendors send it; or empty text where nothing was said."""
    value = item.get(said)
    if type(value) is str:
        return value
    if type(value) is dict:
        left.spelling["arguments"] = "object"
        return value
    if value is not None:
        raise Malformed(f"/{said}", "expected text")
    left.spelling["arguments"] = "null" if said in item else "absent"
    return ""


def decode_result(item: dict[str, Any], custom: AbstractSet[str]) -> dict[str, Any]:
    """Decode the result of a call; `custom` holds the ids of the calls of custom tools so far."""
    kind = item["type"]
    identifier = item.get("call_id")
    message: dict[str, Any] = {"role": "tool"}
    left = Leftovers()
    if kind != (CUSTOM_RESULT if type(identifier) is str and identifier in custom else FUNCTION_RESULT):
        left.spelling["type"] = kind
    for key, value in item.items():
        if key == "type":
            continue
        if value is None and key in {"call_id", "output", "name", *_CALL_STATE}:
            left.null(key)
        elif key == "call_id":
            message[key] = expect(value, TEXT, key)
        elif key == "name" and type(value) is str:
            message[key] = value
        elif key == "output":
            message["content"] = decode_content(value, "tool", "output", whole=False)
        elif key in _CALL_STATE:
            read_text(left.typed, key, item, key, left)
        else:
            left.fields[key] = value
    left.attach(message, DIALECT)
    return message
