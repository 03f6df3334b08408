"""Canonical to Ollama: the messages of a conversation.

At home they go out as they came. Abroad the consecutive assistant messages of one turn become one message, and a result
tells the name of the tool that it answers, as the templates of the models ask for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.dialects._shared.extra import without_notes
from interlingua.dialects._shared.pairing import Answered
from interlingua.dialects.ollama.encode_message import encode_assistant, encode_message, plain_message
from interlingua.dialects.ollama.tables import DIALECT
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import ChatMessage, ToolChatMessage


def encode_messages(messages: list[ChatMessage], to: Target) -> list[dict[str, Any]]:
    """Return the wire messages of a conversation, or of an answer."""
    if to.home:
        return _at_home(messages, to)
    return _answer(messages, to) if to.answer else _conversation(messages, to)


def _at_home(messages: list[ChatMessage], to: Target) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    answer = to.answer
    for index, message in enumerate(messages):
        encoded = None if answer else plain_message(message)
        if encoded is None:
            encoded = encode_message(message, index, to)
        if encoded is not None:
            out.append(encoded)
    return out


def _answer(messages: list[ChatMessage], to: Target) -> list[dict[str, Any]]:
    """Return the one message of an answer from elsewhere."""
    turn: list[tuple[int, dict[str, Any]]] = []
    calls = 0
    for index, message in enumerate(messages):
        if message["role"] != "assistant":
            lost_members(to.log, message, to.message(index), "message", "an answer is the assistant's")
            continue
        encoded = encode_assistant(message, index, calls, to)
        turn.append((index, encoded))
        calls += len(encoded.get("tool_calls") or ())
    return [_joined(turn, to)] if turn else []


def _conversation(messages: list[ChatMessage], to: Target) -> list[dict[str, Any]]:
    """Return the messages of a request from elsewhere."""
    out: list[dict[str, Any]] = []
    turn: list[tuple[int, dict[str, Any]]] = []
    calls = 0
    called: dict[str, str] = {}
    messages = without_notes(messages, DIALECT)
    answered = Answered(messages)
    for index, message in enumerate(messages):
        encoded = plain_message(message)
        if encoded is None:
            encoded = encode_message(message, index, to, first_call=calls)
            if encoded is None:
                continue
        if message["role"] == "assistant":
            asked = message.get("tool_calls")
            if asked:
                for at, call in enumerate(asked):
                    called[call["id"] if "id" in call else f"call_{index}_{at}"] = call["name"]  # noqa: SIM401  # most have one
            if "tool_calls" in encoded:
                calls += len(encoded["tool_calls"] or ())
            turn.append((index, encoded))
            continue
        if turn:
            out.append(turn[0][1] if len(turn) == 1 else _joined(turn, to))
            turn.clear()
            calls = 0
        if message["role"] == "tool" and "tool_name" not in encoded:
            name = called.get(message["call_id"]) if "call_id" in message else _name(message, index, called, answered)
            if name is not None:
                encoded["tool_name"] = name
                to.log.filled_in_message(index, "name", "a result names its tool")
        out.append(encoded)
    if turn:
        out.append(_joined(turn, to))
    return out


def _name(message: ToolChatMessage, index: int, called: Mapping[str, str], answered: Answered) -> str | None:
    """Return the name of the tool that a result without the id of a call answers, by its own id or by its place."""
    if "id" in message:
        return called.get(message["id"])
    asked = answered.by(index)
    return None if asked is None else asked.name


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
        lists = [message[name] for _, message in turn if message.get(name)]
        if len(lists) > 1:
            joined[name] = [one for some in lists for one in some]
    return joined
