"""Canonical to Chat Completions: the messages of a conversation.

At home they go out as they came; abroad the consecutive assistant messages of one turn become one message, or the
results that follow would be refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.dialects._chat_completions.accents import REASONING_MEMBERS
from interlingua.dialects._chat_completions.encode_message import encode_message
from interlingua.dialects._chat_completions.tables import ID_LIMIT
from interlingua.dialects._shared.extra import without_notes
from interlingua.dialects._shared.names import acceptable_40, made_acceptable
from interlingua.dialects._shared.pairing import Answered
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import ChatMessage


def encode_messages(messages: list[ChatMessage], vendor: Vendor, to: Target) -> list[dict[str, Any]]:
    if to.home:
        encoded = [encode_message(message, index, vendor, to) for index, message in enumerate(messages)]
        return [message for message in encoded if message is not None]
    if not to.answer:
        messages = without_notes(messages, vendor.dialect)
    out: list[dict[str, Any]] = []
    turn: list[tuple[int, dict[str, Any]]] = []
    answered = Answered(messages)
    for index, said in enumerate(messages):
        if to.answer and said["role"] != "assistant":
            lost_members(to.log, said, to.message(index), "message", "an answer is the assistant's")
            continue
        message = encode_message(said, index, vendor, to)
        if message is None:
            continue
        if message["role"] == "assistant":
            turn.append((index, message))
            continue
        if turn:
            out.append(_joined_turn(turn, messages, to))
            turn = []
        if message["role"] == "tool" and "tool_call_id" not in message:
            asked = answered.by(index)
            identifier = f"call_{index}" if asked is None else asked.id
            refused = vendor.limited and not acceptable_40(identifier)
            message["tool_call_id"] = made_acceptable(identifier, ID_LIMIT) if refused else identifier
            to.log.filled(f"{to.message(index)}/call_id", "a result names its call")
        out.append(message)
    if turn:
        out.append(_joined_turn(turn, messages, to))
    return out


def _joined_turn(turn: list[tuple[int, dict[str, Any]]], messages: list[ChatMessage], to: Target) -> dict[str, Any]:
    """Return the assistant messages of one turn as one. It says something: null stands beside calls alone."""
    joined = turn[0][1] if len(turn) == 1 else _joined(turn, to)
    if to.answer or joined.get("content") is not None or "tool_calls" in joined or "audio" in joined:
        return joined
    first = turn[0][0]
    if "content" not in messages[first]:
        to.log.filled(f"{to.message(first)}/content", "a message must say something")
    return {**joined, "content": ""}


def _joined(turn: list[tuple[int, dict[str, Any]]], to: Target) -> dict[str, Any]:
    """Return assistant messages joined: texts with a blank line between, all calls behind."""
    joined: dict[str, Any] = {}
    for _, message in turn:
        for name, value in message.items():
            joined.setdefault(name, value)
    for name in ("content", "refusal", *REASONING_MEMBERS):
        said = [(index, message[name]) for index, message in turn if message.get(name) is not None]
        if said:
            joined[name] = _joined_texts(said, name, to)
    calls = [message["tool_calls"] for _, message in turn if message.get("tool_calls")]
    if calls:
        joined["tool_calls"] = [call for some in calls for call in some]
    for name, member in (("name", "name"), ("audio", "content")):
        for index, message in turn:
            if name in message and message[name] != joined[name]:
                to.log.lost("member", f"{to.message(index)}/{member}", "messages of one turn are joined")
    return joined


def _joined_texts(said: list[tuple[int, Any]], name: str, to: Target) -> Any:
    """Join contents; text stays text as long as nothing hangs on its parts."""
    if len(said) == 1:
        return said[0][1]
    texts: list[str] = []
    parts: list[Any] | None = None
    for index, content in said:
        text = None if parts is not None else _plain(content)
        if text is not None:
            if text:
                texts.append(text)
            continue
        if parts is None:
            parts = [{"type": "text", "text": "\n\n".join(texts)}] if texts else []
        parts.extend(_parts(content))
        if index != said[0][0]:
            to.log.changed("content", f"{to.message(index)}/{name}", "messages of one turn are joined")
    return "\n\n".join(texts) if parts is None else parts


def _plain(content: Any) -> str | None:
    """Return content as text where it is plain, else None."""
    if type(content) is str:
        return content
    if all(part.keys() == {"type", "text"} for part in content):
        return "".join(part["text"] for part in content)
    return None


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if type(content) is str else content
