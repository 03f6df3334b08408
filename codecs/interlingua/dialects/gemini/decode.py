"""Gemini to canonical: requests.

Source: reference/wire/gemini.md section 1. Every function is pure and shares unchanged sub-objects. The model is in the
address, so that most bodies do not say it.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.dialects._shared.extra import Leftovers
from interlingua.dialects._shared.reading import OBJECT, TEXT, Malformed, expect, top_object
from interlingua.dialects.gemini.decode_config import read_config
from interlingua.dialects.gemini.decode_message import decode_instruction
from interlingua.dialects.gemini.decode_tool import read_tool_config, read_tools
from interlingua.dialects.gemini.decode_usual import decode_contents, usual_instruction
from interlingua.dialects.gemini.snake import REQUEST, camel
from interlingua.dialects.gemini.tables import DIALECT

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatMessage, ChatRequest


def decode_request(body: Any) -> ChatRequest:
    """Return the canonical request of a body of `generateContent`. Raises `DecodeError`."""
    try:
        return cast("ChatRequest", _decode_request(top_object(body)))
    except Malformed as malformed:
        raise malformed.error(DIALECT) from None


def _decode_request(body: dict[str, Any]) -> dict[str, Any]:
    left = Leftovers()
    body = camel(body, REQUEST, left)
    messages: list[ChatMessage] = []
    request: dict[str, Any] = {"dialect": DIALECT, "messages": messages}
    instruction = body.get("systemInstruction")
    if instruction is not None:
        messages.append(_read_instruction(instruction))
    _read_contents(messages, body.get("contents"), left)
    for key, value in body.items():
        if value is None and key in _KNOWN:
            left.null(key)
        elif key not in _READ:
            left.fields[key] = value
    for key, reader in _READERS.items():
        value = body.get(key)
        if value is not None:
            try:
                reader(request, value, left)
            except Malformed as malformed:
                left.keep(key, value, malformed)
    left.attach(request, DIALECT)
    return request


def _read_instruction(wire: Any) -> ChatMessage:
    try:
        return cast("ChatMessage", usual_instruction(wire) or decode_instruction(wire))
    except Malformed as malformed:
        raise malformed.under("systemInstruction") from None


def _read_contents(messages: list[ChatMessage], wire: Any, left: Leftovers) -> None:
    if type(wire) is dict:
        left.spelling["contents"] = "object"
        wire = [wire]
    elif type(wire) is not list:
        raise Malformed("/contents", "expected a list")
    decode_contents(wire, messages)


def _read_model(request: dict[str, Any], value: Any, left: Leftovers) -> None:
    """Read the model, which only the older libraries put into the body."""
    request["model"] = expect(value, TEXT, "model")
    left.spelling["model"] = "body"


def _read_labels(request: dict[str, Any], value: Any, _left: Leftovers) -> None:
    request["metadata"] = expect(value, OBJECT, "labels")


# The order matters: how tools may be called tells something about the tools.
_READERS: Final = {
    "model": _read_model,
    "tools": read_tools,
    "toolConfig": read_tool_config,
    "generationConfig": read_config,
    "labels": _read_labels,
}

_READ: Final = frozenset({"systemInstruction", "contents", *_READERS})

# Members that say nothing where they are null; those that are not read are kept as they are.
_KNOWN: Final = _READ | {"safetySettings", "cachedContent"}
