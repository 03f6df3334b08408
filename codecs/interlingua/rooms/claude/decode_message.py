"""Decode Claude messages: turns, thinking, tool calls and tool results.

Every function raises `Malformed` with its own path.

A wire message becomes one or more chat messages: one per tool result, one per run of other blocks between results, and
for the assistant one per run of blocks in the order reasoning, content, tool calls.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms.claude.decode_part import decode_cache, decode_content, decode_part
from interlingua.rooms.claude.tables import DIALECT
from interlingua.spi.extra import own_spelling
from interlingua.spi.reading import FLAG, TEXT, InvalidInput, Malformed, Unmapped, expect, read_setting, rest, take

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ChatMessage
    from interlingua.spi.reading import Setting


_MESSAGE_MEMBERS: Final = frozenset({"role", "content"})

_CALL_MEMBERS: Final = frozenset({"type", "id", "name", "input", "cache_control"})

# An object; some gateways send it as JSON text.
_INPUT: Final = (dict, str)

_IS_ERROR: Final[Setting] = ("is_error", FLAG)
_RESULT_MEMBERS: Final = frozenset({"type", "tool_use_id", "content", "is_error", "cache_control"})

# The members of a thinking block that are kept, besides its text.
_THINKING: Final[Mapping[str, Setting]] = MappingProxyType({
    name: (name, TEXT) for name in ("type", "signature", "data")
})  # fmt: skip

_REASONING_RANK, _CONTENT_RANK, _CALL_RANK = range(3)


def decode_message(wire: Any, messages: list[ChatMessage], last_role: str | None) -> str | None:
    """Append the chat messages of a wire message; return the role with which the next message would be merged."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role: Any = wire.get("role")
    content = wire.get("content")
    if role == "user":
        made = _decode_user(content)
    elif role == "assistant":
        made = decode_answer(content)
    elif role == "system":  # a message that only sets the effort has no content
        said = {"content": decode_content(wire["content"], "system")} if "content" in wire else {}
        leads = last_role is None or (last_role == role and own_spelling(messages[-1], DIALECT).get("turn") == "new")
        spelling = {"system": "inline", **({"turn": "new"} if leads else {})}
        made = [{"role": "system", **said, "extra": {DIALECT: {"spelling": spelling}}}]
    elif type(role) is str:
        messages.append({"role": "opaque", "dialect": DIALECT, "data": wire})
        return None
    else:
        raise Malformed("/role", "expected text")
    if len(wire) != 2 or role == last_role or role == "system":  # noqa: PLR1714  # a set each time costs more
        _note_message(wire, made[0], new_turn=role == last_role and role != "system")
    messages.extend(made)  # type: ignore[arg-type]  # made by the functions below
    return role  # type: ignore[no-any-return]  # one of the three


def _note_message(wire: dict[str, Any], first: dict[str, Any], *, new_turn: bool) -> None:
    """Keep the wire message's other members, and a turn boundary, in `extra` of the first chat message made of it."""
    fields = rest(wire, _MESSAGE_MEMBERS)
    if not fields and not new_turn:
        return
    bag = first.setdefault("extra", {}).setdefault(DIALECT, {})
    if fields:
        bag["message" if first["role"] == "tool" else "fields"] = fields
    if new_turn:
        bag.setdefault("spelling", {})["turn"] = "new"


def _decode_user(content: Any) -> list[dict[str, Any]]:
    """Decode the content of a user message."""
    if type(content) is str:
        return [{"role": "user", "content": content}]
    made: list[dict[str, Any]] = []
    parts: list[dict[str, Any]] | None = None
    blocks: list[Any] = content if type(content) is list else expect(content, (list,), "content")
    for index, block in enumerate(blocks):
        try:
            if type(block) is dict and block.get("type") == "tool_result":
                parts = None
                made.append(_decode_result(block))
            elif parts is None:
                parts = [decode_part(block, "user")]
                made.append({"role": "user", "content": parts})
            else:
                parts.append(decode_part(block, "user"))
        except Malformed as malformed:
            raise malformed.under("content", index) from None
    return made or [{"role": "user", "content": []}]


def decode_answer(content: Any) -> list[dict[str, Any]]:
    """Decode the content of an assistant message; a step back in rank starts the next chat message."""
    if type(content) is str:
        return [{"role": "assistant", "content": content}]
    made: list[dict[str, Any]] = []
    rank = _CALL_RANK + 1
    for index, block in enumerate(expect(content, (list,), "content")):
        kind = block.get("type") if type(block) is dict else None
        thought = kind == "thinking" or kind == "redacted_thinking"  # noqa: PLR1714  # it may be no text at all
        own = _REASONING_RANK if thought else _CALL_RANK if kind == "tool_use" else _CONTENT_RANK
        if own < rank:
            made.append({"role": "assistant"})
        rank = own
        message = made[-1]
        try:
            if own == _CONTENT_RANK:
                message.setdefault("content", []).append(decode_part(block, "assistant"))
            elif own == _CALL_RANK:
                message.setdefault("tool_calls", []).append(_decode_call(block))
            else:
                _decode_thinking(message, block)
        except Malformed as malformed:
            raise malformed.under("content", index) from None
    for message in made:
        if "extra" in message:  # move `extra` behind the members that were added after it
            message["extra"] = message.pop("extra")
            if len(message.get("reasoning", ())) == 1:
                message["reasoning"] = message["reasoning"][0]["text"]
    return made or [{"role": "assistant", "content": []}]


def _decode_thinking(message: dict[str, Any], block: dict[str, Any]) -> None:
    """Put the text into `reasoning` and the rest into `extra.claude.thinking_blocks`."""
    kept, fields = take(block, _THINKING)
    if kept["type"] == "thinking":
        text = expect(block.get("thinking"), TEXT, "thinking")
        message.setdefault("reasoning", []).append({"type": "text", "text": text})
        del fields["thinking"]
    if fields:
        kept["fields"] = fields
    message.setdefault("extra", {}).setdefault(DIALECT, {}).setdefault("thinking_blocks", []).append(kept)


def _decode_call(block: dict[str, Any]) -> dict[str, Any]:
    identifier, name, arguments = block.get("id"), block.get("name"), block.get("input")
    call: dict[str, Any] = {
        "id": expect(identifier, TEXT, "id"),
        "name": expect(name, TEXT, "name"),
        "arguments": _arguments(block, arguments),
    }
    if len(block) > 4 or type(arguments) is not dict:  # more than type, id, name and input, or no object
        left = Unmapped()
        if type(arguments) is str:
            left.absent("input")
        elif arguments is None:
            left.null("input")
        left.fields = rest(block, _CALL_MEMBERS)
        decode_cache(call, block, left)
        left.attach(call, DIALECT)
    return call


def _arguments(block: dict[str, Any], wire: Any) -> Any:
    """Return the arguments of a call; clients and gateways in Go write null where there are none."""
    if wire is None and "input" in block:
        return {}
    return str(wire) if type(wire) is InvalidInput else expect(wire, _INPUT, "input")


def _decode_result(block: dict[str, Any]) -> dict[str, Any]:
    content = block.get("content")
    message: dict[str, Any] = {"role": "tool", "call_id": expect(block.get("tool_use_id"), TEXT, "tool_use_id")}
    if content is not None:
        message["content"] = decode_content(content, "tool")
        if len(block) == 3:  # type, id and content
            return message
    left = Unmapped()
    if content is None and "content" in block:
        left.null("content")
    if "is_error" in block:
        read_setting(message, "is_error", block["is_error"], _IS_ERROR, left)
    left.fields |= rest(block, _RESULT_MEMBERS)
    decode_cache(message, block, left)
    left.attach(message, DIALECT)
    return message
