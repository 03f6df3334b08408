"""Responses to canonical: items. Every function raises `Malformed` with its own path.

A message item becomes a chat message; what an assistant thinks, says and calls in a row of items becomes one message,
as long as it holds at most one reasoning item and one message item, in this order. An item without a canonical place
becomes an opaque message.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import Leftovers, read_text
from interlingua.dialects._shared.reading import Malformed
from interlingua.dialects.openai_responses.decode_call import decode_call, decode_result
from interlingua.dialects.openai_responses.decode_part import decode_content, decode_refusals
from interlingua.dialects.openai_responses.decode_reasoning import decode_reasoning
from interlingua.dialects.openai_responses.tables import (
    CALLS,
    DIALECT,
    FUNCTION_CALL,
    FUNCTION_RESULT,
    RESULTS,
    ROLES,
    STATE_MEMBERS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


_REASONING_RANK, _MESSAGE_RANK, _CALL_RANK, _CLOSED = range(4)
_ODD: Final = object()
_ASKING: Final = ("user", "system", "developer")
_RANKS: Final[Mapping[str, int]] = MappingProxyType({"reasoning": _REASONING_RANK, **dict.fromkeys(CALLS, _CALL_RANK)})


def decode_items(wire: list[Any], messages: list[dict[str, Any]]) -> None:
    """Append the chat messages of items; a step back in rank starts the assistant's next message.

    Results, calls that go on a message, and plain texts come first: an agent's conversation has few others.
    """
    rank = _CLOSED
    custom: set[str] = set()
    index = 0
    try:
        for index, item in enumerate(wire):  # noqa: B007  # the index is read when an item is malformed
            kind = item.get("type") if type(item) is dict else _ODD
            if kind == FUNCTION_RESULT:
                identifier, output = item.get("call_id"), item.get("output")
                if len(item) == 3 and type(identifier) is str and type(output) is str and not custom:
                    messages.append({"role": "tool", "call_id": identifier, "content": output})
                else:
                    messages.append(decode_result(item, custom))
                rank = _CLOSED
            elif kind == FUNCTION_CALL and rank == _CALL_RANK:
                messages[-1]["tool_calls"].append(decode_call(item, custom))
            elif kind == FUNCTION_CALL and rank == _MESSAGE_RANK and "extra" not in messages[-1]:
                messages[-1]["tool_calls"] = [decode_call(item, custom)]
                rank = _CALL_RANK
            elif kind is None and len(item) == 2 and rank != _REASONING_RANK and type(item.get("content")) is str:
                rank = _decode_text(item, messages, rank, custom)
            else:
                rank = _decode_item(item, messages, rank, custom)
    except Malformed as malformed:
        raise malformed.under(index) from None


def _decode_text(item: dict[str, Any], messages: list[dict[str, Any]], rank: int, custom: set[str]) -> int:
    """Append the message of an item of a text and a role, and return its rank."""
    role = item.get("role")
    if role == "assistant":
        messages.append({"role": "assistant", "content": item["content"]})
        return _MESSAGE_RANK
    if role in _ASKING:
        messages.append(item)  # a plain message is its own canonical form
        return _CLOSED
    return _decode_item(item, messages, rank, custom)


def _decode_item(item: Any, messages: list[dict[str, Any]], rank: int, custom: set[str]) -> int:
    """Append, or add to the last message, what an item of any kind says, and return its rank."""
    own = _rank(item)
    if own == _CLOSED:
        messages.append(_decode_other(item, custom))
    elif own == rank == _CALL_RANK:
        messages[-1]["tool_calls"].append(decode_call(item, custom))
    else:
        if own <= rank:
            messages.append({"role": "assistant"})
        _extend_answer(messages[-1], item, own, custom)
    return own


def _rank(item: Any) -> int:
    """Return the place that an item has in an assistant's message, or `_CLOSED` for what has none."""
    if type(item) is not dict:
        raise Malformed("", "expected an object")
    kind = item.get("type", "message")
    if kind == "message" or kind is None:
        return _MESSAGE_RANK if item.get("role") == "assistant" else _CLOSED
    if type(kind) is str:
        return _RANKS.get(kind, _CLOSED)
    raise Malformed("/type", "expected text")


def _extend_answer(message: dict[str, Any], item: dict[str, Any], rank: int, custom: set[str]) -> None:
    """Add an item to the assistant's message; `extra` stays its last member."""
    if rank == _CALL_RANK:
        extra = message.pop("extra", None)
        message["tool_calls"] = [decode_call(item, custom)]
        if extra is not None:
            message["extra"] = extra
    elif rank == _MESSAGE_RANK:
        thought = message.pop("extra", None)
        _decode_spoken(message, item, "assistant")
        if thought is not None:
            message.setdefault("extra", {DIALECT: {}})[DIALECT].update(thought[DIALECT])
    else:
        decode_reasoning(message, item)


def _decode_other(item: dict[str, Any], custom: set[str]) -> dict[str, Any]:
    """Decode an item that is not part of an assistant's message."""
    kind = item.get("type")
    if kind in RESULTS:
        return decode_result(item, custom)
    role = item.get("role")
    if len(item) == 2 and kind is None and role in _ASKING and type(item.get("content")) is str:
        return item  # a plain message is its own canonical form
    if kind not in {None, "message"} or (role is None and kind is None and type(item.get("id")) is str):
        return {"role": "opaque", "dialect": DIALECT, "data": item}
    if type(role) is not str:
        raise Malformed("/role", "expected text")
    if role not in ROLES:
        return {"role": "opaque", "dialect": DIALECT, "data": item}
    message: dict[str, Any] = {"role": role}
    _decode_spoken(message, item, role)
    return message


def _decode_spoken(message: dict[str, Any], item: dict[str, Any], role: str) -> None:
    """Decode a message item of any role into a message that has been begun."""
    content = item.get("content")
    if len(item) == 2 and type(content) is str:
        message["content"] = content
        return
    left = Leftovers()
    whole = type(item.get("id")) is str
    for key, value in item.items():
        if key == "content":
            if value is None:
                left.null(key)
            else:
                _decode_said(message, value, role, whole=whole)
        elif key in STATE_MEMBERS:
            read_text(left.typed, key, item, key, left)
        elif key not in {"type", "role"}:
            left.fields[key] = value
    if "content" not in item and role == "assistant":
        left.absent("content")
    _note_type(item, left, whole=whole)
    left.attach(message, DIALECT)


def _decode_said(message: dict[str, Any], content: Any, role: str, *, whole: bool) -> None:
    """Decode what a message says; the refusals of an assistant, which come last, go to its `refusal`."""
    if role == "assistant" and type(content) is list:
        said, refusal = decode_refusals(content)
        if said or refusal is None:
            message["content"] = decode_content(said, role, "content", whole=whole)
        if refusal is not None:
            message["refusal"] = refusal
    else:
        message["content"] = decode_content(content, role, "content", whole=whole and role == "assistant")


def _note_type(item: dict[str, Any], left: Leftovers, *, whole: bool) -> None:
    """Note how the type was written: the habit is to say it where the item has an id."""
    if "type" not in item:
        if whole:
            left.spelling["type"] = "absent"
    elif item["type"] is None:
        left.null("type")
    elif not whole:
        left.spelling["type"] = "message"
