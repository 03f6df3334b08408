"""Canonical to Chat Completions: the messages of a conversation.

At home they go out as they came; abroad the consecutive assistant messages of one turn become one message, or the
results that follow would be refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.dialects._chat_completions.encode_message import encode_message
from interlingua.dialects._chat_completions.tables import ID_LIMIT
from interlingua.dialects._shared.names import acceptable_40, made_acceptable
from interlingua.dialects._shared.pairing import Pairing

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.tables import Vendor
    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import ChatMessage


def encode_messages(messages: list[ChatMessage], vendor: Vendor, to: Target) -> list[dict[str, Any]]:
    if to.home:
        encoded = [encode_message(message, index, vendor, to) for index, message in enumerate(messages)]
        return [message for message in encoded if message is not None]
    joined: list[dict[str, Any]] = []
    pairing = Pairing()
    for index, said in enumerate(messages):
        asked = pairing.follow(said, index)
        message = encode_message(said, index, vendor, to)
        if message is None:
            continue
        if message["role"] == "tool" and "tool_call_id" not in message:
            identifier = f"call_{index}" if asked is None else asked.id
            message["tool_call_id"] = identifier if acceptable_40(identifier) else made_acceptable(identifier, ID_LIMIT)
            to.log.filled(f"{to.message(index)}/call_id", "a result names its call")
        if joined and message["role"] == "assistant" and joined[-1]["role"] == "assistant":
            joined[-1] = _join_turn(joined[-1], message, index, to)
        else:
            joined.append(message)
    return joined


def _join_turn(first: dict[str, Any], second: dict[str, Any], index: int, to: Target) -> dict[str, Any]:
    """Return two assistant messages of one turn as one: texts with a blank line between, all calls behind."""
    joined = {**second, **first}
    for name in ("content", "refusal"):
        if first.get(name) is not None and second.get(name) is not None:
            joined[name] = _join_texts(first[name], second[name], f"{to.message(index)}/{name}", to)
        elif name in joined:
            joined[name] = first.get(name) if first.get(name) is not None else second.get(name)
    if "tool_calls" in first and "tool_calls" in second:
        joined["tool_calls"] = [*first["tool_calls"], *second["tool_calls"]]
    for name in ("name", "audio"):
        if name in first and name in second and first[name] != second[name]:
            to.log.lost("member", f"{to.message(index)}/{name}", "messages of one turn are joined")
    return joined


def _join_texts(first: Any, second: Any, path: str, to: Target) -> Any:
    """Join two contents; text stays text where nothing hangs on its parts."""
    texts = [_plain(first), _plain(second)]
    if None not in texts:
        return "\n\n".join(text for text in texts if text)
    to.log.changed("content", path, "messages of one turn are joined")
    return [*_parts(first), *_parts(second)]


def _plain(content: Any) -> str | None:
    """Return content as text where it is plain, else None."""
    if type(content) is str:
        return content
    if all(part.keys() == {"type", "text"} for part in content):
        return "".join(part["text"] for part in content)
    return None


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if type(content) is str else content
