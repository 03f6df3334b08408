"""Canonical to Gemini: the messages that most conversations are made of, in one walk without anything in between.

Texts, calls and results make up nearly all of a long conversation, and are nearly all of what it costs to encode it.
The walk ends before a message of any other shape: `Turns.take` is the longer way for all shapes, and gives the same
for the usual ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.arguments import arguments_object
from interlingua.dialects.gemini.encode_call import is_accepted
from interlingua.dialects.gemini.tables import DIALECT, MODEL, NO_SIGNATURE, USER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.dialects.gemini.encode_turn import Turns
    from interlingua.loss import LossLog

Parts = list[dict[str, Any]]

NAMELESS: Final = "a result names its function"

# Where the signature of the first call belongs, which is mostly the only one.
_FIRST: Final = "/tool_calls/0"

_SIGNATURES: Final = f"extra/{DIALECT}/thought_signatures"


def usual_instruction(message: Any) -> dict[str, Any] | None:
    """Return the content of an instruction that is a text of the system, or None."""
    text = message.get("content")
    if type(text) is not str or not text or len(message) != 2 or message["role"] != "system":
        return None
    return {"parts": [{"text": text}]}


def walk(turns: Turns, messages: Sequence[Any], first: int) -> int:
    """Write usual messages from the given one on; return the index of the first that is not, or of the end."""
    contents, role, parts, signed = turns.contents, turns.role, turns.parts, turns.signed
    home = turns.to.home
    result_of = _result_at_home if home else _result_abroad
    for index in range(first, len(messages)):
        message = messages[index]
        speaker = message["role"]
        part: dict[str, Any] | None = None
        if speaker == "assistant" and role != MODEL:
            answer = _answer_at_home(message) if home else _answer_abroad(message, index, turns)
            if answer is None:
                break
            contents.append({"role": MODEL, "parts": answer})
            role, parts, signed = MODEL, answer, not home and "tool_calls" in message
            continue
        if speaker == "tool":
            part = result_of(message, index, turns)
        elif speaker == "user":
            text = message.get("content")
            part = {"text": text} if len(message) == 2 and type(text) is str and (text or home) else None
        if part is None:
            break
        if role == USER:
            parts.append(part)
        else:
            role, parts, signed = USER, [part], False
            contents.append({"role": USER, "parts": parts})
    else:
        index = len(messages)
    turns.role, turns.parts, turns.signed = role, parts, signed
    return index


def _result_at_home(message: Any, _index: int, _turns: Turns) -> dict[str, Any] | None:
    """Return the part of a result of text that names its call and its function; None for others."""
    content = message.get("content")
    if len(message) != 4 or type(content) is not str or "call_id" not in message or "name" not in message:
        return None
    result = {"id": message["call_id"], "name": message["name"], "response": {"output": content}}
    return {"functionResponse": result}


def _result_abroad(message: Any, index: int, turns: Turns) -> dict[str, Any] | None:
    """Return the part of a result of text that names its call, by which its function is known; None for others."""
    identifier, content = message.get("call_id"), message.get("content")
    if len(message) != 3 or type(content) is not str or identifier not in turns.called:
        return None
    turns.to.log.filled_in_message(index, "name", NAMELESS)
    result = {"id": identifier, "name": turns.called[identifier], "response": {"output": content}}
    return {"functionResponse": result}


def sign(part: dict[str, Any], index: int, log: LossLog) -> None:
    """Sign the first call of a content that another provider's model made: Gemini 3 demands a signature there."""
    part["thoughtSignature"] = NO_SIGNATURE
    log.filled_in_message(index, _SIGNATURES, "the first call of a turn is signed")


def _answer_at_home(message: Any) -> Parts | None:
    """Return the parts of an answer that is a text, calls or both, signed as they came; None for others."""
    parts: Parts = []
    if "content" in message:
        text = message["content"]
        if type(text) is not str or not text:
            return None
        parts.append({"text": text})
    known = 1 + len(parts)
    if "tool_calls" in message:
        known += 1
        for call in message["tool_calls"]:
            arguments = call["arguments"]
            if isinstance(arguments, str):
                return None
            if len(call) == 3 and "id" in call:
                parts.append({"functionCall": {"id": call["id"], "name": call["name"], "args": arguments}})
            elif len(call) == 2:
                parts.append({"functionCall": {"name": call["name"], "args": arguments}})
            else:
                return None
    if len(message) != known and not (len(message) == known + 1 and _is_signed(parts, message)):
        return None
    return parts or None


def _is_signed(parts: Parts, message: Any) -> bool:
    """Sign the calls of an answer; tell whether no more is noted on it, and that in the order of the calls."""
    extra = message.get("extra")
    bag = extra.get(DIALECT) if extra is not None and len(extra) == 1 else None
    if bag is None or len(bag) != 1 or "thought_signatures" not in bag:
        return False
    at = first = 1 if "content" in message else 0
    for signature in bag["thought_signatures"]:
        place = signature["at"]
        while at < len(parts) and place != (f"/tool_calls/{at - first}" if at > first else _FIRST):
            at += 1
        if at == len(parts):
            return False
        parts[at]["thoughtSignature"] = signature["signature"]
        at += 1
    return True


def _answer_abroad(message: Any, index: int, turns: Turns) -> Parts | None:
    """Return the parts of an answer that is a text, calls with ids or both; None for others.

    Note who was called, and sign the first call, since the answer begins a content.
    """
    parts: Parts = []
    if "content" in message:
        text = message["content"]
        if type(text) is not str or not text:
            return None
        parts.append({"text": text})
    if "tool_calls" not in message:
        return parts if len(message) == 2 and parts else None
    first, called = len(parts), turns.called
    if len(message) != 2 + first or not message["tool_calls"]:
        return None
    for call in message["tool_calls"]:
        if len(call) != 3 or "id" not in call:
            return None
        identifier, name, arguments = call["id"], call["name"], call["arguments"]
        if not is_accepted(name):
            return None
        if isinstance(arguments, str):
            arguments, faithful = arguments_object(arguments)
            if not faithful:
                return None
        called[identifier] = name
        parts.append({"functionCall": {"id": identifier, "name": name, "args": arguments}})
    sign(parts[first], index, turns.to.log)
    return parts
