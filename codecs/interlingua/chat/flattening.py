"""Chat messages as plain objects whose content is text, for services that take nothing else.

Source: 000. What is no text is written as text and never left out: an array of parts is its JSON text.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_jsonable_python

from interlingua.migrate.between_1_2 import json_text
from interlingua.strict_json import RefusedError, parse
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from interlingua.model import ChatMessage

__all__ = ["Flattened", "flatten", "flatten_contents"]

Given: TypeAlias = "ChatMessage | Mapping[str, Any] | str | bytes"

_LOGGER: Final = logging.getLogger("interlingua.chat")
_NO_MESSAGE: Final = "neither a chat message nor an object"
_NO_CONTENT: Final = "its content cannot be written as text"
_ENTRY: Final = "an entry of a transcript; il.to_chat makes chat messages of it"


@dataclass(frozen=True, slots=True)
class Flattened:
    """Messages with text as content, and why others were skipped, by their places from 0."""

    messages: list[dict[str, Any]]
    skipped: dict[int, str] = field(default_factory=dict[int, str])


class _BadMessageError(Exception):
    """A message that cannot be written; the text says why and has no content."""


def flatten_contents(messages: Iterable[Given]) -> list[dict[str, Any]]:
    """Return messages as plain objects whose content is text: `flatten`, with a warning for each skipped message.

    Raises:
        InvalidArgumentError: the first message is no message, or says nothing.
    """
    flattened = flatten(messages)
    for place, reason in flattened.skipped.items():
        _LOGGER.warning("left out message %d: %s", place, reason)
    return flattened.messages


def flatten(messages: Iterable[Given]) -> Flattened:
    """Return messages as plain objects whose content is text, and what could not be written.

    A message is a model, an object, or its JSON as text or bytes, as it was stored. Content that is an object or an
    array becomes JSON text, other values the text of their JSON. Null, and content that is absent, becomes "", but of a
    tool message it is left out. Models are written with the words of version 1: a result names its call by
    `tool_call_id`. All other members stay as they are. Nothing that was given is changed.

    The first message is never skipped, and null or absent content is no "" there unless calls stand beside it: a
    conversation without its beginning is another one.

    Raises:
        InvalidArgumentError: the first message is no message, or says nothing.
    """
    if isinstance(messages, (str, bytes, Mapping, BaseModel)) or not isinstance(messages, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may not be typed
        raise InvalidArgumentError("a list of messages is wanted")
    flattened = Flattened([])
    for place, message in enumerate(messages):
        reason = ""
        try:
            flattened.messages.append(_flat(message, is_first=place == 0))
        except _BadMessageError as error:
            reason = str(error)
        # Outside the handler: the cause would hold the message.
        if reason and place == 0:
            raise InvalidArgumentError(f"the first message: {reason}")
        if reason:
            flattened.skipped[place] = reason
    return flattened


def _flat(message: Given, *, is_first: bool) -> dict[str, Any]:
    """Return one message.

    Raises:
        _BadMessageError: it is none.
    """
    flat = _members(message)
    role = flat.get("role")
    if not isinstance(role, str) or not role or role == "opaque":
        raise _BadMessageError(_ENTRY if "type" in flat and "data" in flat else "it has no role of a chat")
    if role == "tool" and flat.get("call_id") is not None and "tool_call_id" not in flat:
        flat = {("tool_call_id" if name == "call_id" else name): value for name, value in flat.items()}
    if isinstance(flat.get("tool_calls"), (list, tuple)):
        flat["tool_calls"] = [_plain(call) if isinstance(call, BaseModel) else call for call in flat["tool_calls"]]
    content = flat.pop("content", None)
    if content is not None:
        text = _text(content)
    elif role == "tool":
        return flat
    elif is_first and not flat.get("tool_calls"):
        raise _BadMessageError("it says nothing")
    else:
        text = ""
    # Behind the role, where people look for it.
    return {"role": flat.pop("role"), "content": text, **flat}


def _members(message: Given) -> dict[str, Any]:
    """Return the members of a message, as an object of its own.

    Raises:
        _BadMessageError: it has none.
    """
    found: Any = message
    if isinstance(message, (str, bytes)):
        found = _parsed(message)
    elif isinstance(message, BaseModel):
        found = _plain(message)
    if not isinstance(found, Mapping):
        raise _BadMessageError(_NO_MESSAGE)
    return dict(cast("Mapping[str, Any]", found))


def _parsed(text: str | bytes) -> Any:
    try:
        return parse(text.encode() if isinstance(text, str) else text)
    except (RefusedError, UnicodeEncodeError):
        pass
    raise _BadMessageError("it is not JSON")


def _plain(value: Any) -> Any:
    """Return a value of Python as JSON: models, dates and the like have one form there."""
    try:
        return to_jsonable_python(value, by_alias=True)
    except (PydanticSerializationError, ValueError, RecursionError):
        pass
    raise _BadMessageError(_NO_CONTENT)


def _text(content: Any) -> str:
    """Return content as text.

    Raises:
        _BadMessageError: it has none: it is no JSON.
    """
    if isinstance(content, str):
        return content
    plain = _plain(content)
    if isinstance(plain, str):
        return plain
    try:
        return json_text(plain)
    except ValueError:
        pass
    raise _BadMessageError(_NO_CONTENT)
