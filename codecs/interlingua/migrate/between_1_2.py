"""Handwritten changes between versions 1 and 2, for what is more than a renamed, added or removed member.

`schema/v2/changes.json` names each of them. For an upgrade a function modifies a fresh copy of the value; for a
downgrade it also gets the `Scope`, which knows the value's origin and collects losses.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

import orjson

from interlingua.json_types import is_list
from interlingua.tool_arguments import arguments_object

if TYPE_CHECKING:
    from interlingua.migrate.downgrade_scope import Scope

Json: TypeAlias = dict[str, Any]


def write_arguments(call: Json) -> None:
    """Write the arguments of a call as compact JSON text.

    Raises:
        ValueError: they are not JSON, or nested too deeply.
    """
    call["arguments"] = json_text(call["arguments"])


def read_arguments(call: Json, scope: Scope) -> None:
    """Read the arguments of a call as an object. Empty text means none; other text is kept inside an object."""
    call["arguments"], is_faithful = arguments_object(call["arguments"])
    if not is_faithful:
        scope.log.changed("arguments", scope.at("arguments"), "the text is not a JSON object, or has a member twice")


def fill_call_id(call: Json, scope: Scope) -> None:
    """Give a call the id that version 1 requires: its own, its second one, or one from its position."""
    place = (scope.index, scope.order or 0)
    scope.conversation.calls.add(place, call)
    if not call.get("id"):
        second = call.pop("call_id", None)
        call["id"] = second or f"call_{place[0]}_{place[1]}"
        if second:
            scope.log.changed("name", scope.at("call_id"), "it became the id")
        else:
            scope.log.filled(scope.at("id"), "version 1 requires an id")
    scope.conversation.ids[place] = call["id"]


def name_the_call(message: Json, scope: Scope) -> None:
    """Make a result name its call, as version 1 requires: the call it states, its own id, or the open call."""
    named, own = message.get("call_id"), message.get("id")
    place = scope.conversation.calls.answer(own if named is None else named, message.get("name"))
    if named is None and own:
        message["call_id"] = message.pop("id")
    elif not named:
        fallback = f"call_{scope.index}"
        message["call_id"] = fallback if place is None else scope.conversation.ids[place]
        scope.log.filled(scope.at("call_id"), "version 1 requires the id of the call")


def join_texts(message: Json, scope: Scope) -> None:
    """Write content as text: text parts are joined, other parts are lost. Null is left out, as 000 requires."""
    content = message.get("content", "")
    if content is None:
        del message["content"]
    if not is_list(content):
        return
    texts: list[str] = []
    for index, part in enumerate(content):
        if part["type"] != "text":
            scope.log.lost("part", scope.origin.item("content", index), "version 1 has only text")
            continue
        texts.append(part["text"])
        if len(part) > len(("type", "text")):
            scope.log.lost("migration", scope.origin.item("content", index), "version 1 has a place only for its text")
    message["content"] = "".join(texts)


def join_spoken_texts(message: Json, scope: Scope) -> None:
    """Write assistant content as text, or null if it only calls tools, as 004 prints it."""
    join_texts(message, scope)
    if message.get("tool_calls") is not None:
        message.setdefault("content", None)


def speak_as_system(message: Json, scope: Scope) -> None:
    """Change the role developer to system."""
    message["role"] = "system"
    for place in scope.every("role"):
        scope.log.changed("role", place, "version 1 has no developer role")


def json_text(value: Any) -> str:
    """Return a JSON value as compact text.

    Raises:
        ValueError: it is not JSON, or nested too deeply.
    """
    try:
        text = orjson.dumps(value)
        if b"null" not in text:  # orjson writes NaN as null
            return text.decode()
    except TypeError:
        pass  # integers beyond 64 bits, lone surrogates, and nesting beyond the limit of orjson
    try:
        spelled = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return spelled if _is_unicode(spelled) else json.dumps(value, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        pass
    # Raised outside the handler: the cause would name the value.
    raise ValueError("not a JSON value, or nested too deeply")


def _is_unicode(text: str) -> bool:
    """Tell whether text has no lone surrogates, and so can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
