"""Ollama to canonical: messages, their calls and images. Every function raises `Malformed` with its own path."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.media import split_data_url
from interlingua.rooms._shared.media_sniffing import detected_media_type
from interlingua.rooms.ollama.tables import DIALECT, ROLES
from interlingua.spi.reading import OBJECT, TEXT, Malformed, Unmapped, decode_list, expect, read_calls, read_text, rest

if TYPE_CHECKING:
    from collections.abc import Mapping

# Text members by role: wire name -> canonical name.
_TEXTS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "assistant": {"content": "content", "thinking": "reasoning"},
    "tool": {"content": "content", "tool_name": "name", "tool_call_id": "call_id"},
})  # fmt: skip
_SPOKEN_TEXTS: Final[Mapping[str, str]] = MappingProxyType({"content": "content"})

# Members without which a message cannot be read, and the error for a wrong type.
_SAID: Final[Mapping[str, str]] = MappingProxyType({"content": "expected text", "images": "expected a list"})

_ORDER: Final = ("role", "reasoning", "content", "tool_calls", "call_id", "name")


def decode_messages(wire: Any) -> list[dict[str, Any]]:
    """Return the chat messages of the wire messages of a request."""
    return decode_list(expect(wire, (list,), "messages"), "messages", decode_message)


def decode_message(wire: Any) -> dict[str, Any]:
    """Return the chat message of a wire message of a request. An unknown role makes an opaque message."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role = wire.get("role")
    if type(role) is not str:
        raise Malformed("/role", "expected text")
    if role not in ROLES:
        return {"role": "opaque", "dialect": DIALECT, "data": wire}
    return _decode_members(wire, role, Unmapped(), answer=False)


def decode_answer(wire: Any) -> dict[str, Any]:
    """Return the chat message of a response: the assistant's, even if the role is missing or empty."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role = wire.get("role")
    left = Unmapped()
    if type(role) is not str or not role:
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


def _keep_other(key: str, value: Any, left: Unmapped) -> None:
    """Note a member that is null; keep one of a wrong type as a leftover, unless it is essential."""
    if value is None:
        if key == "content":
            left.spelling["content"] = "null"
        else:
            left.null(key)
        return
    if key in _SAID:
        raise Malformed(f"/{key}", _SAID[key])
    left.fields[key] = value


def _decode_members(wire: dict[str, Any], role: str, left: Unmapped, *, answer: bool) -> dict[str, Any]:
    message: dict[str, Any] = {"role": role}
    texts = _TEXTS.get(role, _SPOKEN_TEXTS)
    for key, value in wire.items():
        if key in texts:
            if type(value) is str:
                message[texts[key]] = value
            else:
                _keep_other(key, value, left)
        elif key == "images" or (key == "tool_calls" and role == "assistant"):
            _read_list(message, key, value, left, "response" if answer else "request")
        elif key != "role":
            left.fields[key] = value
    if "content" not in wire:
        left.spelling["content"] = "absent"
    images = wire.get("images")
    if images:
        message["content"] = _with_images(message.get("content"), images)
    elif role == "assistant" and message.get("content") == "":
        del message["content"]  # the server always writes it, even if empty
    if len(message) > 2:  # two are in order
        message = {name: message[name] for name in _ORDER if name in message}
    left.attach(message, DIALECT)
    return message


def _read_list(message: dict[str, Any], key: str, value: Any, left: Unmapped, place: str) -> None:
    """Read the calls of a message; note a list of images that is empty or invalid."""
    if type(value) is not list:
        _keep_other(key, value, left)
    elif not value:
        left.empty(key)
    elif key == "tool_calls":
        read_calls(message, value, left, decode_call, place)


def _with_images(text: str | None, images: list[Any]) -> list[dict[str, Any]]:
    """Return the parts for a text and the images beside it."""
    said = [{"type": "text", "text": text}] if text else []
    return [*said, *map(_decode_image, images)]


_CALL_MEMBERS: Final = frozenset({"id", "type", "function"})

_FUNCTION_MEMBERS: Final = frozenset({"index", "name", "arguments"})


def decode_call(wire: Any, position: int, place: str) -> dict[str, Any] | None:
    """Decode one tool call, or return None for an unknown type, or a value that is no object.

    By habit, calls have an index in a response and none in a request: `place` says which of the two it is.
    """
    answer = place == "response"
    if type(wire) is not dict:
        return None
    kind = wire.get("type")
    if type(kind) is str and kind != "function":
        return None
    function = expect(wire.get("function"), OBJECT, "function")
    left = Unmapped()
    read_text(left.spelling, "type", wire, "type", left)
    call: dict[str, Any] = {}
    read_text(call, "id", wire, "id", left)
    call["name"] = expect(function.get("name"), TEXT, "function", "name")
    call["arguments"] = _arguments(function, left)
    nested = rest(function, _FUNCTION_MEMBERS)
    if "index" not in function:
        if answer:
            left.absent("index")
    elif type(function["index"]) is not int or function["index"] != position:
        nested["index"] = function["index"]
    elif not answer:
        left.spelling["index"] = "said"
    left.keep_nested("function", nested)
    left.fields |= rest(wire, _CALL_MEMBERS)
    left.attach(call, DIALECT)
    return call


def _arguments(function: dict[str, Any], left: Unmapped) -> dict[str, Any] | str:
    """Return the arguments: an object, a text as some clients send it, or an empty object if absent."""
    arguments = function.get("arguments")
    if type(arguments) is dict:
        return arguments
    if arguments is None:
        left.spelling["arguments"] = "null" if "arguments" in function else "absent"
        return {}
    left.spelling["arguments"] = "text"
    return str(expect(arguments, (dict, str), "function", "arguments"))


def _decode_image(wire: Any) -> dict[str, Any]:
    """Decode an entry of `images`, which is base64.

    A value that is no text becomes an opaque part; URLs and data URLs are extensions of other servers.
    """
    if type(wire) is not str:
        return {"type": "opaque", "dialect": DIALECT, "data": wire}
    split = split_data_url(wire)
    if split is not None:
        said = {"extra": {DIALECT: {"spelling": {"image": "data_url"}}}}
        return {"type": "image", "format": split[0], "data": split[1], **said}
    if wire.startswith(("https://", "http://")):
        return {"type": "image", "url": wire}
    media_type = detected_media_type(wire)
    if media_type is None:
        return {"type": "image", "data": wire}
    kind = "audio" if media_type.startswith("audio/") else "image"
    return {"type": kind, "format": media_type, "data": wire}
