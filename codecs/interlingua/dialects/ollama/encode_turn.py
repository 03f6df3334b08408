"""Canonical to Ollama: the messages of a conversation.

At home they go out as they came. Abroad the consecutive assistant messages of one turn become one message, and a result
tells the name of the tool that it answers, as the templates of the models ask for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.dialects._shared.pairing import Pairing
from interlingua.dialects.ollama.encode_message import encode_message
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import ChatMessage


def encode_messages(messages: list[ChatMessage], to: Target) -> list[dict[str, Any]]:
    """Return the wire messages of a conversation, or of an answer."""
    if to.home:
        at_home = [encode_message(message, index, to) for index, message in enumerate(messages)]
        return [message for message in at_home if message is not None]
    out: list[dict[str, Any]] = []
    turn: list[tuple[int, dict[str, Any]]] = []
    calls = 0
    pairing = Pairing()
    for index, message in enumerate(messages):
        if to.answer and message["role"] != "assistant":
            lost_members(to.log, message, to.message(index), "message", "an answer is the assistant's")
            continue
        asked = pairing.follow(message, index)
        encoded = encode_message(message, index, to, first_call=calls)
        if encoded is None:
            continue
        if message["role"] == "assistant":
            turn.append((index, encoded))
            calls += len(encoded.get("tool_calls", ()))
            continue
        if turn:
            out.append(_joined(turn, to))
            turn, calls = [], 0
        if asked is not None and "tool_name" not in encoded:
            encoded["tool_name"] = asked.name
            to.log.filled(f"{to.message(index)}/name", "a result names its tool")
        out.append(encoded)
    if turn:
        out.append(_joined(turn, to))
    return out


def _joined(turn: list[tuple[int, dict[str, Any]]], to: Target) -> dict[str, Any]:
    """Return the assistant messages of one turn as one: texts with a blank line between, lists one after the other."""
    if len(turn) == 1:
        return turn[0][1]
    joined: dict[str, Any] = {}
    pictured = False
    for index, message in turn:
        for name, value in message.items():
            joined.setdefault(name, value)
        if pictured and message.get("content"):
            to.log.changed("content", f"{to.message(index)}/content", "pictures stand behind all text")
        pictured = pictured or "images" in message
    for name in ("thinking", "content"):
        texts = [message[name] for _, message in turn if message.get(name)]
        if texts:
            joined[name] = "\n\n".join(texts)
    for name in ("images", "tool_calls"):
        lists = [message[name] for _, message in turn if name in message]
        if len(lists) > 1:
            joined[name] = [one for some in lists for one in some]
    return joined
