"""Decode Responses items to messages. Every function raises `Malformed` with its own path.

A message item becomes a chat message. Consecutive items of the assistant become one message as long as it holds at most
one reasoning item and one message item, in this order, and then calls. An item without a canonical variant becomes an
opaque message. The texts of a reasoning item stand in `reasoning`: those of its summary, then those of its content. Its
other members stay under `extra.openai_responses.reasoning`, where `content` is the number of content texts.
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms.openai_responses.decode_part import decode_content, decode_refusals
from interlingua.rooms.openai_responses.finish_reasons import is_run_by_server
from interlingua.rooms.openai_responses.tables import (
    CALLS,
    CODE_INTERPRETER_CALL,
    CUSTOM_CALL,
    CUSTOM_RESULT,
    DIALECT,
    FUNCTION_RESULT,
    IMAGE_GENERATION_CALL,
    REASONING_TEXT,
    RESULTS,
    ROLES,
    STATE_MEMBERS,
    SUMMARY_TEXT,
    THOUGHT_TYPES,
)
from interlingua.spi.reading import OBJECT, TEXT, Malformed, Unmapped, decode_list, expect, read_text, rest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet


_REASONING_RANK, _MESSAGE_RANK, _CALL_RANK, _CLOSED = range(4)
_RANKS: Final[Mapping[str, int]] = MappingProxyType({
    "message": _MESSAGE_RANK, "reasoning": _REASONING_RANK, **dict.fromkeys(CALLS, _CALL_RANK)
})  # fmt: skip
# Members of calls, results and reasoning items that only the provider understands.
_CALL_STATE: Final = frozenset({"id", "status", "namespace"})
_REASONING_STATE: Final = frozenset({"id", "encrypted_content", "status"})
# Items of code that the provider ran, and of images that it generated.
_RUNS: Final = (CODE_INTERPRETER_CALL, IMAGE_GENERATION_CALL)
_TEXT_MEMBERS: Final = frozenset({"type", "text"})
# Members of a message item that are read before its others, and those that an answer's has by habit.
_SAID_ABOVE: Final = frozenset({"type", "role"})
_ANSWER_HABITS: Final = ("content", "role")


def decode_items(wire: list[Any], messages: list[dict[str, Any]], *, answer: bool = False) -> None:
    """Append the chat messages of items; a step back in rank starts the assistant's next message.

    `answer`: a message without a role is the assistant's.
    """
    rank = _CLOSED
    custom: set[str] = set()
    index = 0
    try:
        for index, item in enumerate(wire):  # noqa: B007  # the index is read when an item is malformed
            rank = _decode_item(item, messages, rank, custom, answer=answer)
    except Malformed as malformed:
        raise malformed.under(index) from None


def _decode_item(item: Any, messages: list[dict[str, Any]], before: int, custom: set[str], *, answer: bool) -> int:
    """Append the message of an item, or add the item to the last message; return its rank."""
    if type(item) is not dict:
        raise Malformed("", "expected an object")
    kind = item.get("type")
    rank = _RANKS.get(kind, _CLOSED) if type(kind) is str else _MESSAGE_RANK
    if kind is not None and type(kind) is not str:
        raise Malformed("/type", "expected text")
    if kind in _RUNS and _append_server_run(item, messages, before):
        return _MESSAGE_RANK
    is_hosted = is_run_by_server(item)
    if is_hosted or rank == _CLOSED:
        opaque = {"role": "opaque", "dialect": DIALECT, "data": item}
        messages.append(decode_result(item, custom) if kind in RESULTS and not is_hosted else opaque)
        return _CLOSED
    if rank == _MESSAGE_RANK and item.get("role") != "assistant" and not (answer and _is_roleless(item)):
        messages.append(_decode_input_message(item))
        return _CLOSED
    if rank < before or rank == before != _CALL_RANK:
        messages.append({"role": "assistant"})
    _extend_answer(messages[-1], item, rank, custom)
    return rank


def _append_server_run(item: dict[str, Any], messages: list[dict[str, Any]], before: int) -> bool:
    """Append code runs and generated images, after their reasoning; return False if the item has another shape."""
    from interlingua.rooms.openai_responses.server_calls import decode_run  # noqa: PLC0415  # few answers have such items

    run = decode_run(item)
    if run is None:
        return False
    if before != _REASONING_RANK:
        messages.append({"role": "assistant"})
    messages[-1]["content"] = run
    if "extra" in messages[-1]:
        messages[-1]["extra"] = messages[-1].pop("extra")
    return True


def _extend_answer(message: dict[str, Any], item: dict[str, Any], rank: int, custom: set[str]) -> None:
    """Add an item to the assistant's message; `extra` stays its last member."""
    if rank == _CALL_RANK:
        message.setdefault("tool_calls", []).append(decode_call(item, custom))
    elif rank == _MESSAGE_RANK:
        _decode_message_item(message, item, "assistant")
    else:
        _decode_reasoning(message, item)
    if "extra" in message:
        message["extra"] = message.pop("extra")


def _decode_input_message(item: dict[str, Any]) -> dict[str, Any]:
    """Decode a message item that is not the assistant's; an item with an id, but no type and role, is opaque."""
    role = item.get("role")
    if role is None and item.get("type") is None and type(item.get("id")) is str:
        return {"role": "opaque", "dialect": DIALECT, "data": item}
    message: dict[str, Any] = {"role": expect(role, TEXT, "role")}
    if role not in ROLES:
        return {"role": "opaque", "dialect": DIALECT, "data": item}
    _decode_message_item(message, item, message["role"])
    return message


def _is_roleless(item: Mapping[str, Any]) -> bool:
    """Tell whether an item of an answer is a message without a role: some servers leave it out."""
    return item.get("role") is None and item.get("type") == "message"


def _decode_message_item(message: dict[str, Any], item: dict[str, Any], role: str) -> None:
    """Decode a message item into a message that has already been started."""
    content = item.get("content")
    if type(content) is str and len(item) == 2:
        message["content"] = content
        return
    left = Unmapped()
    if "extra" in message:  # of the reasoning before it
        left.typed = message["extra"][DIALECT]
    whole = type(item.get("id")) is str
    for key, value in item.items():
        if key == "content" and value is not None:
            _decode_content_parts(message, value, role, whole=whole)
        elif key in STATE_MEMBERS:
            read_text(left.typed, key, item, key, left)
        elif key == "content" or (key in _SAID_ABOVE and value is None):
            left.null(key)
        elif key not in _SAID_ABOVE:
            left.fields[key] = value
    if role == "assistant":
        left.absent_habits(_ANSWER_HABITS, item)
    # By habit an item with an id has a type.
    if whole and "type" not in item:
        left.spelling["type"] = "absent"
    elif not whole and item.get("type") is not None:
        left.spelling["type"] = "message"
    left.attach(message, DIALECT)


def _decode_content_parts(message: dict[str, Any], content: Any, role: str, *, whole: bool) -> None:
    """Decode content; an assistant's refusals, which come last, go to `refusal`."""
    said, refusal = content, None
    if role == "assistant" and type(content) is list:
        said, refusal = decode_refusals(content)
    if said or refusal is None:
        message["content"] = decode_content(said, role, "content", whole=whole and role == "assistant")
    if refusal is not None:
        message["refusal"] = refusal


def decode_call(item: dict[str, Any], custom: set[str]) -> dict[str, Any]:
    """Decode a tool call, whose `call_id` is the canonical id. That of a custom tool is added to `custom`."""
    kind: str = item["type"]
    said = CALLS[kind]
    identifier, name, arguments = item.get("call_id"), item.get("name"), item.get(said)
    call: dict[str, Any] = {"id": identifier} if type(identifier) is str else {}
    if type(name) is str and type(arguments) is str:
        call["name"], call["arguments"] = name, arguments
    if len(call) == 3 and len(item) == 4:
        return _note_custom_call(call, kind, custom)
    left = Unmapped()
    read_text(call, "id", item, "call_id", left)
    call["name"] = expect(name, TEXT, "name")
    call["arguments"] = _arguments(item, said, left)
    _note_custom_call(call, kind, custom)
    for key, value in item.items():
        if key in _CALL_STATE:
            read_text(left.typed, key, item, key, left)
        elif key not in {"type", "call_id", "name", said}:
            left.fields[key] = value
    left.attach(call, DIALECT)
    return call


def _note_custom_call(call: dict[str, Any], kind: str, custom: set[str]) -> dict[str, Any]:
    """Return a call, marked as custom and with its id noted if its tool is custom."""
    if kind == CUSTOM_CALL:
        call["kind"] = "custom"
        if "id" in call:
            custom.add(call["id"])
    return call


def _arguments(item: dict[str, Any], said: str, left: Unmapped) -> str | dict[str, Any]:
    """Return arguments: text; an object, as some vendors send it; or "" if they are missing."""
    value: str | dict[str, Any] | None = item.get(said)
    if value is None:
        left.spelling["arguments"] = "null" if said in item else "absent"
        return ""
    if type(value) is dict:
        left.spelling["arguments"] = "object"
    elif type(value) is not str:
        raise Malformed(f"/{said}", "expected text")
    return value


def decode_result(item: dict[str, Any], custom: AbstractSet[str]) -> dict[str, Any]:
    """Decode a tool result; `custom` holds the ids of the custom tool calls so far."""
    kind, identifier, output = item["type"], item.get("call_id"), item.get("output")
    is_custom = type(identifier) is str and identifier in custom
    is_usual = kind == (CUSTOM_RESULT if is_custom else FUNCTION_RESULT)
    message: dict[str, Any] = {"role": "tool"}
    if identifier is not None:
        message["call_id"] = identifier if type(identifier) is str else expect(identifier, TEXT, "call_id")
    if type(output) is str:
        message["content"] = output
    elif output is not None:
        message["content"] = decode_content(output, "tool", "output", whole=False)
    if is_usual and len(message) == len(item):
        return message
    left = Unmapped()
    if not is_usual:
        left.spelling["type"] = kind
    for key, value in item.items():
        if key in _CALL_STATE:
            read_text(left.typed, key, item, key, left)
        elif key == "name" and type(value) is str:
            message[key] = value
        elif value is None and key in {"call_id", "output", "name"}:
            left.null(key)
        elif key not in {"type", "call_id", "output"}:
            left.fields[key] = value
    left.attach(message, DIALECT)
    return message


def _decode_reasoning(message: dict[str, Any], item: dict[str, Any]) -> None:
    """Decode a reasoning item into a newly started assistant message."""
    left = Unmapped()
    parts: list[dict[str, Any]] = []
    for key, habit in (("summary", SUMMARY_TEXT), ("content", REASONING_TEXT)):
        value = item.get(key)
        if type(value) is list:
            thoughts = decode_list(value, key, partial(_decode_thought, habit=habit))
            parts.extend(thoughts)
            if key == "content":
                left.typed["content"] = len(thoughts)
        elif value is None and key in item:
            left.null(key)
        else:
            if value is not None:
                left.fields[key] = value
            if key == "summary":
                left.absent(key)
    for key, value in item.items():
        if key in _REASONING_STATE:
            read_text(left.typed, key, item, key, left)
        elif key not in {"type", "summary", "content"}:
            left.fields[key] = value
    bag = {
        **left.typed,
        **{name: kept for name, kept in (("fields", left.fields), ("spelling", left.spelling)) if kept},
    }
    if parts:
        plain = len(parts) == 1 and parts[0].keys() == _TEXT_MEMBERS
        message["reasoning"] = parts[0]["text"] if plain else parts
    if bag or not parts:
        message["extra"] = {DIALECT: {"reasoning": bag}}


def _decode_thought(wire: Any, habit: str) -> dict[str, Any]:
    """Decode one text of a reasoning item; an unknown type becomes an opaque part."""
    kind = expect(wire, OBJECT).get("type")
    if type(kind) is not str or kind not in THOUGHT_TYPES:
        return {"type": "opaque", "dialect": DIALECT, "data": wire}
    part: dict[str, Any] = {"type": "text", "text": expect(wire.get("text"), TEXT, "text")}
    left = Unmapped()
    if kind != habit:
        left.spelling["type"] = kind
    left.fields = rest(wire, _TEXT_MEMBERS)
    left.attach(part, DIALECT)
    return part
