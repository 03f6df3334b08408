"""Ollama to canonical: messages. Every function raises `Malformed` with its own path."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import Leftovers
from interlingua.dialects._shared.reading import Malformed
from interlingua.dialects.ollama.decode_call import decode_calls, plain_calls
from interlingua.dialects.ollama.decode_part import decode_images
from interlingua.dialects.ollama.tables import DIALECT, ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping

# Members that are one text, a role at a time: wire name -> canonical name.
_TEXTS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "assistant": {"content": "content", "thinking": "reasoning"},
    "tool": {"content": "content", "tool_name": "name", "tool_call_id": "call_id"},
})  # fmt: skip
_SPOKEN_TEXTS: Final[Mapping[str, str]] = MappingProxyType({"content": "content"})
_SPOKEN: Final = ROLES - {"assistant"}

# Members that say what a message says, and what is expected there; all else can be read without any other.
_SAID: Final[Mapping[str, str]] = MappingProxyType({"content": "expected text", "images": "expected a list"})

_ORDER: Final = ("role", "reasoning", "content", "tool_calls", "call_id", "name")


def decode_messages(wire: Any) -> list[dict[str, Any]]:
    """Return the chat messages of the wire messages of a request."""
    if type(wire) is not list:
        raise Malformed("/messages", "expected a list")
    messages: list[dict[str, Any]] = []
    try:
        for one in wire:
            messages.append(plain_message(one) or decode_message(one))  # noqa: PERF401  # how far it came is read when one is malformed
    except Malformed as malformed:
        raise malformed.under("messages", len(messages)) from None
    return messages


def plain_message(wire: Any) -> dict[str, Any] | None:
    """Return the chat message of a wire message of one of the shapes that nearly all have, or None for any other.

    They are texts, results of tools, and plain calls; a conversation of agents has few others.
    """
    if type(wire) is not dict:
        return None
    role, content, members = wire.get("role"), wire.get("content"), len(wire)
    if type(role) is not str or type(content) is not str:
        return None
    if members == 2:
        return wire if role in _SPOKEN or (content and role == "assistant") else None  # its own canonical form
    if role == "tool":
        return _plain_result(wire, content)
    if role == "assistant" and members == 3:
        calls = plain_calls(wire.get("tool_calls"))
        if calls and content:
            return {"role": "assistant", "content": content, "tool_calls": calls}
        return {"role": "assistant", "tool_calls": calls} if calls else None
    return None


def _plain_result(wire: dict[str, Any], content: str) -> dict[str, Any] | None:
    """Return the message of a result that names its call, its tool or both, or None for any other."""
    members, identifier, name = len(wire), wire.get("tool_call_id"), wire.get("tool_name")
    if members == 4 and type(identifier) is str and type(name) is str:
        return {"role": "tool", "content": content, "call_id": identifier, "name": name}
    if members == 3 and type(identifier) is str:
        return {"role": "tool", "content": content, "call_id": identifier}
    if members == 3 and type(name) is str:
        return {"role": "tool", "content": content, "name": name}
    return None


def decode_message(wire: Any) -> dict[str, Any]:
    """Return the chat message of a wire message of a request. An unknown role makes an opaque message."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role = wire.get("role")
    if type(role) is not str:
        raise Malformed("/role", "expected text")
    if role not in ROLES:
        return {"role": "opaque", "dialect": DIALECT, "data": wire}
    return _decode_members(wire, role, Leftovers(), answer=False)


def decode_answer(wire: Any) -> dict[str, Any]:
    """Return the chat message of a response: an assistant's, also where the role is not said."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role = wire.get("role")
    if role == "assistant" and len(wire) == 2 and type(wire.get("content")) is str and wire["content"]:
        return wire
    left = Leftovers()
    if type(role) is not str:
        if role is None and "role" in wire:
            left.null("role")
        else:
            left.absent("role")
        if role is not None:
            left.fields["role"] = role
        role = "assistant"
    if role not in ROLES:
        return {"role": "opaque", "dialect": DIALECT, "data": wire}
    return _decode_members(wire, role, left, answer=True)


def _keep_other(key: str, value: Any, left: Leftovers) -> None:
    """Note a member that is null; keep one of another type, unless it is what the message says."""
    if value is None:
        if key == "content":
            left.spelling["content"] = "null"
        else:
            left.null(key)
        return
    if key in _SAID:
        raise Malformed(f"/{key}", _SAID[key])
    left.fields[key] = value


def _decode_members(wire: dict[str, Any], role: str, left: Leftovers, *, answer: bool) -> dict[str, Any]:
    message: dict[str, Any] = {"role": role}
    texts = _TEXTS.get(role, _SPOKEN_TEXTS)
    for key, value in wire.items():
        if key in texts or key == "images" or (key == "tool_calls" and role == "assistant"):
            if type(value) is not (str if key in texts else list):
                _keep_other(key, value, left)
            elif key in texts:
                message[texts[key]] = value
            elif not value:
                left.empty(key)
            elif key == "tool_calls" and type(value) is list:
                decode_calls(message, value, left, answer=answer)
        elif key != "role":
            left.fields[key] = value
    if "content" not in wire:
        left.spelling["content"] = "absent"
    images = wire.get("images")
    if images:
        content = message.get("content")
        said = [{"type": "text", "text": content}] if content else []
        message["content"] = [*said, *decode_images(images)]
    elif role == "assistant" and message.get("content") == "":
        del message["content"]  # the server always writes it; an empty one says nothing
    message = {name: message[name] for name in _ORDER if name in message}
    left.attach(message, DIALECT)
    return message
