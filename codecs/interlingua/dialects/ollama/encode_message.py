"""Canonical to Ollama: messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._shared.extra import lay_own, own_bag, put_back
from interlingua.dialects.ollama.encode_call import encode_call, plain_calls
from interlingua.dialects.ollama.encode_part import write_content
from interlingua.dialects.ollama.tables import DIALECT
from interlingua.loss import beyond, lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import AssistantChatMessage, ChatMessage, ToolChatMessage


_NOTHING: Final[Mapping[str, Any]] = {}

_PLAIN_ROLES: Final = frozenset({"system", "user", "assistant"})
_PLAIN_TEXT: Final = frozenset({"type", "text"})


def plain_message(message: Any) -> dict[str, Any] | None:
    """Return the wire message of a message of one of the shapes that nearly all of a request have, else None.

    They are texts, results of tools, and plain calls, at home and abroad alike: nothing of them is left behind.
    """
    role, members, content = message["role"], len(message), message.get("content")
    if role == "tool":
        if type(content) is str and "call_id" in message:
            identifier = message["call_id"]
            if members == 3:
                return {"role": "tool", "content": content, "tool_call_id": identifier}
            if members == 4 and "name" in message:
                return {"role": "tool", "content": content, "tool_name": message["name"], "tool_call_id": identifier}
        return None
    if members == 2 and content and type(content) is str:
        return message if role in _PLAIN_ROLES else None  # its own wire form
    return _plain_answer(message, content) if role == "assistant" else None


def _plain_answer(message: Any, content: Any) -> dict[str, Any] | None:
    """Return the wire message of an answer of plain calls, with text before them or without, else None."""
    calls, members = message.get("tool_calls"), len(message)
    if not calls or not (members == 2 or (members == 3 and content and type(content) is str)):
        return None
    encoded = plain_calls(calls)
    return None if encoded is None else {"role": "assistant", "content": content or "", "tool_calls": encoded}


def encode_message(message: ChatMessage, index: int, to: Target, *, first_call: int = 0) -> dict[str, Any] | None:
    """Return the wire message of a chat message, or None for one that has no place here.

    `first_call` is the number of its first call in the turn.
    """
    if message["role"] == "system" or message["role"] == "user" or message["role"] == "developer":
        role = message["role"]
        if role == "developer" and not to.home:
            to.log.changed("role", f"{to.message(index)}/role", "the dialect has one kind of instruction")
            role = "system"
        elif len(message) == 2 and type(message.get("content")) is str:
            return message  # type: ignore[return-value]  # the wire form of a plain message is its canonical form
        out: dict[str, Any] = {"role": role}
        write_content(out, message, index, to)
        if "name" in message:
            to.log.lost("member", f"{to.message(index)}/name", "messages have no names")
        _finish(out, message, index, to)
        return out
    if message["role"] == "assistant":
        return encode_assistant(message, index, first_call, to)
    if message["role"] == "tool":
        return _encode_result(message, index, to)
    if message["role"] == "opaque":
        data: Any = message["data"]
        if message["dialect"] == DIALECT and isinstance(data, dict):
            if len(message) > 3:  # more than role, dialect and data
                _finish({}, message, index, to)
            return message["data"]  # type: ignore[no-any-return]  # verbatim
        lost_members(to.log, message, to.message(index), "message", "only its own dialect understands it")
        return None
    assert_never(message)


def encode_assistant(message: AssistantChatMessage, index: int, first_call: int, to: Target) -> dict[str, Any]:
    """Return the wire message of an assistant's message; `first_call` is the number of its first call in the turn."""
    content = message.get("content")
    if len(message) == 2 and content and type(content) is str:
        return message  # type: ignore[return-value]  # the wire form of a plain message is its canonical form
    out: dict[str, Any] = {"role": "assistant"}
    write_content(out, message, index, to)
    if "reasoning" in message:
        _write_thinking(out, message["reasoning"], f"{to.message(index)}/reasoning", to)
    calls = message.get("tool_calls")
    if calls:
        out["tool_calls"] = [
            encode_call(call, to.call(index, at), first_call + at, to) for at, call in enumerate(calls)
        ]
    elif calls is not None and to.home:
        out["tool_calls"] = []
    placed = own_bag(message, DIALECT).get("opaque_calls")
    if placed:
        out["tool_calls"] = put_back(out.get("tool_calls", ()), placed)
    if "refusal" in message:
        to.log.lost("refusal", f"{to.message(index)}/refusal", "a refusal has no place here")
    if "name" in message:
        to.log.lost("member", f"{to.message(index)}/name", "messages have no names")
    _finish(out, message, index, to)
    return out


def _write_thinking(out: dict[str, Any], reasoning: Any, path: str, to: Target) -> None:
    """Write the reasoning as the one text that it is here; nobody signs it, so anybody's is taken."""
    if type(reasoning) is str:
        if reasoning or to.home:
            out["thinking"] = reasoning
        else:
            to.log.changed("empty_text", path, "empty thinking says nothing")
        return
    texts: list[str] = []
    for at, part in enumerate(reasoning):
        known = _PLAIN_TEXT if part["type"] == "text" else frozenset[str]()
        lost_members(to.log, beyond(part, known), f"{path}/{at}", "reasoning", "thinking is plain text")
        if known and part["text"]:
            texts.append(part["text"])
        elif known:
            to.log.changed("empty_text", f"{path}/{at}/text", "empty thinking says nothing")
    if texts:
        out["thinking"] = "\n\n".join(texts)
        if len(texts) > 1:
            to.log.changed("reasoning", path, "thinking is one text")


def _encode_result(message: ToolChatMessage, index: int, to: Target) -> dict[str, Any]:
    out: dict[str, Any] = {"role": "tool"}
    write_content(out, message, index, to)
    if "name" in message:
        out["tool_name"] = message["name"]
    if "call_id" in message:
        out["tool_call_id"] = message["call_id"]
    elif "id" in message:
        out["tool_call_id"] = message["id"]
        to.log.filled(f"{to.message(index)}/call_id", "the id of the message takes its place")
    if "is_error" in message:
        to.log.lost("member", f"{to.message(index)}/is_error", "no place for whether a tool failed")
    if "cache" in message:
        to.log.lost("cache", f"{to.message(index)}/cache", "no place for the mark")
    _finish(out, message, index, to)
    return out


def _finish(out: dict[str, Any], message: Any, index: int, to: Target) -> None:
    """Lay what the dialect said beyond the canonical value, and report our own id and what other dialects said."""
    if "extra" in message:
        lay_own(out, message, DIALECT, to.message(index), to.log)
        spelling = own_bag(message, DIALECT).get("spelling", _NOTHING)
        if "role" in spelling.get("absent", ()):
            fields = own_bag(message, DIALECT).get("fields", _NOTHING)
            if "role" in fields:  # no text
                out["role"] = fields["role"]
            else:
                del out["role"]
        elif "role" in spelling.get("null", ()):
            out["role"] = None
    if "id" in message and (message["role"] != "tool" or "call_id" in message):
        to.log.changed("local_id", f"{to.message(index)}/id", "the wire has no place for the id of a message")
