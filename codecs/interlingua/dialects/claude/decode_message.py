"""Claude to canonical: turns, thinking, tool calls and results. Every function raises `Malformed` with its own path.

A wire message becomes one or more chat messages: each tool result one, what stands between results one, and an
assistant's blocks one for each run in the order reasoning, content, tool calls.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.reading import OBJECT, TEXT, Malformed, expect
from interlingua.dialects.claude.decode_part import decode_cache, decode_content, decode_part
from interlingua.dialects.claude.tables import DIALECT
from interlingua.dialects.claude.wire import BrokenInput

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatMessage


_MESSAGE_MEMBERS: Final = frozenset({"role", "content"})

_CALL_MEMBERS: Final = frozenset({"type", "id", "name", "input", "cache_control"})

_RESULT_MEMBERS: Final = frozenset({"type", "tool_use_id", "content", "is_error", "cache_control"})

_REASONING_RANK, _CONTENT_RANK, _CALL_RANK = range(3)


def decode_message(wire: Any, messages: list[ChatMessage], last_role: str | None) -> str | None:
    """Append the chat messages of a wire message; return the wire role that the next one may run on from."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role: Any = wire.get("role")
    content = wire.get("content")
    if role == "user":
        if type(content) is str and len(wire) == 2 and last_role != "user":
            messages.append(wire)  # type: ignore[arg-type]  # a plain message is its own canonical form
            return "user"
        made = _decode_user(content)
    elif role == "assistant":
        made = decode_answer(content)
    elif role == "system":
        made = [_decode_system(wire)]
    elif type(role) is str:
        messages.append({"role": "opaque", "dialect": DIALECT, "data": wire})
        return None
    else:
        raise Malformed("/role", "expected text")
    if len(wire) != 2 or role == last_role or role == "system":  # noqa: PLR1714  # a set each time costs more
        _note_message(wire, made[0], role, new_turn=role == last_role and role != "system")
    messages.extend(made)  # type: ignore[arg-type]  # made by the functions below
    return role  # type: ignore[no-any-return]  # one of the three


def _note_message(wire: dict[str, Any], first: dict[str, Any], role: str, *, new_turn: bool) -> None:
    """Keep what the wire message holds beside role and content with the first message made of it."""
    fields = rest(wire, _MESSAGE_MEMBERS)
    if not fields and not new_turn and role != "system":
        return
    bag = first.setdefault("extra", {}).setdefault(DIALECT, {})
    if fields:
        bag["message" if first["role"] == "tool" else "fields"] = fields
    if new_turn:
        bag.setdefault("spelling", {})["turn"] = "new"
    if role == "system":
        bag.setdefault("spelling", {})["system"] = "inline"


def _decode_system(wire: dict[str, Any]) -> dict[str, Any]:
    """Decode instructions; a message that only sets the effort has no content."""
    if "content" not in wire:
        return {"role": "system"}
    return {"role": "system", "content": decode_content(wire["content"], "system")}


def _decode_user(content: Any) -> list[dict[str, Any]]:
    """Decode what a user says; results of text alone are decoded in the loop itself: nearly all are."""
    if type(content) is str:
        return [{"role": "user", "content": content}]
    made: list[dict[str, Any]] = []
    parts: list[dict[str, Any]] | None = None
    blocks: list[Any] = content if type(content) is list else expect(content, (list,), "content")
    for index, block in enumerate(blocks):
        kind = block.get("type") if type(block) is dict else None
        if kind == "tool_result":
            parts = None
            identifier, text = block.get("tool_use_id"), block.get("content")
            if len(block) == 3 and type(identifier) is str and type(text) is str:
                made.append({"role": "tool", "call_id": identifier, "content": text})
                continue
        try:
            if kind == "tool_result":
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
    """Decode what an assistant says."""
    if type(content) is str:
        return [{"role": "assistant", "content": content}]
    blocks: list[Any] = content if type(content) is list else expect(content, (list,), "content")
    plain = _plain_answer(blocks)
    return _decode_blocks(blocks) if plain is None else [plain]


def _plain_answer(blocks: list[Any]) -> dict[str, Any] | None:
    """Decode plain texts and the plain calls behind them, as nearly all answers are; None for any other, or nothing."""
    parts: list[Any] = []
    calls: list[Any] = []
    for block in blocks:
        if type(block) is not dict:
            return None
        if len(block) == 4 and block.get("type") == "tool_use":
            identifier, name, arguments = block.get("id"), block.get("name"), block.get("input")
            if type(identifier) is not str or type(name) is not str or type(arguments) is not dict:
                return None
            calls.append({"id": identifier, "name": name, "arguments": arguments})
        elif len(block) == 2 and not calls and block.get("type") == "text" and type(block.get("text")) is str:
            parts.append(block)
        else:
            return None
    if not calls:
        return {"role": "assistant", "content": parts} if parts else None
    if not parts:
        return {"role": "assistant", "tool_calls": calls}
    return {"role": "assistant", "content": parts, "tool_calls": calls}


def _decode_blocks(blocks: list[Any]) -> list[dict[str, Any]]:
    """Decode the blocks of an assistant; a step back in rank starts the next message."""
    made: list[dict[str, Any]] = []
    rank = _CALL_RANK + 1
    for index, block in enumerate(blocks):
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
        if "extra" in message:  # holds thinking blocks; members stand in their order
            extra = message.pop("extra")
            message["extra"] = extra
            _close_reasoning(message)
    return made or [{"role": "assistant", "content": []}]


def _decode_thinking(message: dict[str, Any], block: dict[str, Any]) -> None:
    """Put the text into `reasoning` and the rest into `extra.claude.thinking_blocks`."""
    kept: dict[str, Any] = {"type": block["type"]}
    fields = {}
    for key, value in block.items():
        if key == "type" or (key == "thinking" and block["type"] == "thinking"):
            continue
        if key in {"signature", "data"} and type(value) is str:
            kept[key] = value
        else:
            fields[key] = value
    if fields:
        kept["fields"] = fields
    if block["type"] == "thinking":
        text = expect(block.get("thinking"), TEXT, "thinking")
        message.setdefault("reasoning", []).append({"type": "text", "text": text})
    message.setdefault("extra", {}).setdefault(DIALECT, {}).setdefault("thinking_blocks", []).append(kept)


def _close_reasoning(message: dict[str, Any]) -> None:
    """Write the reasoning of one thinking block as text."""
    reasoning = message.get("reasoning")
    if reasoning is not None and len(reasoning) == 1:
        message["reasoning"] = reasoning[0]["text"]


def _decode_call(block: dict[str, Any]) -> dict[str, Any]:
    identifier, name, arguments = block.get("id"), block.get("name"), block.get("input")
    if len(block) == 4 and type(identifier) is type(name) is str and type(arguments) is dict:
        return {"id": identifier, "name": name, "arguments": arguments}
    call: dict[str, Any] = {
        "id": expect(identifier, TEXT, "id"),
        "name": expect(name, TEXT, "name"),
        "arguments": str(arguments) if type(arguments) is BrokenInput else expect(arguments, OBJECT, "input"),
    }
    if len(block) > 4:  # more than type, id, name and input
        left = Leftovers()
        left.fields = rest(block, _CALL_MEMBERS)
        decode_cache(call, block, left)
        left.attach(call, DIALECT)
    return call


def _decode_result(block: dict[str, Any]) -> dict[str, Any]:
    content = block.get("content")
    message: dict[str, Any] = {"role": "tool", "call_id": expect(block.get("tool_use_id"), TEXT, "tool_use_id")}
    left = Leftovers()
    if content is not None:
        message["content"] = decode_content(content, "tool")
    elif "content" in block:
        left.null("content")
    if "is_error" in block:
        if block["is_error"] is None:
            left.null("is_error")
        elif type(block["is_error"]) is bool:
            message["is_error"] = block["is_error"]
        else:
            left.fields["is_error"] = block["is_error"]
    left.fields |= rest(block, _RESULT_MEMBERS)
    decode_cache(message, block, left)
    left.attach(message, DIALECT)
    return message
