"""Chat Completions to canonical: messages. Every function raises `Malformed` with its own path."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._chat_completions.accents import DETAILS, REASONING_MEMBERS
from interlingua.dialects._chat_completions.decode_call import decode_calls, decode_function_call, plain_calls
from interlingua.dialects._chat_completions.decode_part import (
    decode_cache_control,
    decode_citations,
    decode_part,
    decode_spoken_answer,
)
from interlingua.dialects._chat_completions.decode_reasoning import decode_details, decode_reasoning, without_thinking
from interlingua.dialects._chat_completions.tables import ROLES
from interlingua.dialects._shared.extra import Leftovers, read_text
from interlingua.dialects._shared.reading import TEXT, Malformed, expect

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.dialects._chat_completions.vendor import Vendor


_ABSENT: Final = object()

_PLAIN_MEMBERS: Final = frozenset({"role", "content"})
_PLAIN_ROLES: Final = ("user", "system", "developer")  # no set: a role may be no text at all


def decode_messages(wires: list[Any], vendor: Vendor) -> list[dict[str, Any]]:
    """Return the chat messages of wire messages. The plain ones, which most are, are made in the loop itself."""
    messages: list[dict[str, Any]] = []
    index = 0
    try:
        for index, wire in enumerate(wires):  # noqa: B007  # the index is read when a message is malformed
            if type(wire) is dict:
                role = wire.get("role")
                if role == "assistant":
                    plain = _plain_answer(wire)
                    if plain is not None:
                        messages.append(plain)
                        continue
                elif role == "tool":
                    call_id, content = wire.get("tool_call_id"), wire.get("content")
                    if len(wire) == 3 and type(call_id) is type(content) is str:
                        messages.append({"role": "tool", "call_id": call_id, "content": content})
                        continue
                elif len(wire) == 2 and role in _PLAIN_ROLES and type(wire.get("content")) is str:
                    messages.append(wire)  # a plain message is its own canonical form
                    continue
            messages.append(decode_message(wire, vendor))
    except Malformed as malformed:
        raise malformed.under("messages", index) from None
    return messages


def decode_message(wire: Any, vendor: Vendor) -> dict[str, Any]:
    """Return the chat message of any wire message. An unknown role makes an opaque message."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role = wire.get("role")
    if role == "assistant":
        return decode_assistant(wire, vendor)
    if type(role) is not str:
        raise Malformed("/role", "expected text")
    if role not in ROLES:
        return {"role": "opaque", "dialect": vendor.dialect, "data": wire}
    return _decode_spoken(wire, role, vendor)


def _decode_spoken(wire: dict[str, Any], role: str, vendor: Vendor) -> dict[str, Any]:
    """Decode a message of any role but assistant."""
    result = role in {"tool", "function"}
    message: dict[str, Any] = {"role": "tool" if result else role}
    left = Leftovers()
    if role == "function":
        left.spelling["role"] = "function"
    for key, value in wire.items():
        if key == "content":
            if value is None:
                left.spelling["content"] = "null"
            else:
                message["content"] = decode_content(value, role, vendor, left)
        elif key == "name" or (result and key == "tool_call_id"):
            if key == "name" or value is None:
                read_text(message, key, wire, key, left)
            else:  # which call a result answers is part of what it says
                message["call_id"] = expect(value, TEXT, key)
        elif result and key == "cache_control":
            decode_cache_control(message, value, left)
        elif key != "role":
            left.fields[key] = value
    left.attach(message, vendor.dialect)
    return message


def decode_assistant(wire: dict[str, Any], vendor: Vendor) -> dict[str, Any]:
    """Decode an assistant message of a request or a response."""
    plain = _plain_answer(wire) or _bare_answer(wire, vendor)
    if plain is not None:
        return plain
    answer = _Answer(wire, vendor, {"role": "assistant"}, Leftovers())
    for key, value in wire.items():
        if key in _ANSWER_READERS:
            if value is None:
                if key != "content":
                    answer.left.null(key)
            else:
                try:
                    _ANSWER_READERS[key](answer, key, value)
                except Malformed as malformed:
                    if key == "content":
                        raise
                    answer.left.keep(key, value, malformed)
        elif key != "role":
            answer.left.fields[key] = value
    message = answer.message
    if "content" not in wire:
        answer.left.spelling["content"] = "absent"
    if answer.details is not None:
        decode_details(message, answer.details, answer.left)
    if answer.citations or answer.audio:
        _decode_companions(answer)
    answer.left.attach(message, vendor.dialect)
    return _ordered(message) if "reasoning" in message or "refusal" in message or "tool_calls" in message else message


def _plain_answer(wire: dict[str, Any]) -> dict[str, Any] | None:
    """Return an assistant message of text, of plain calls, or of both, or None for any other."""
    if type(wire.get("role")) is not str:  # an answer may leave it out
        return None
    content = wire.get("content", _ABSENT)
    if len(wire) == 2:
        return wire if type(content) is str else None
    if len(wire) != 3 or not wire.get("tool_calls"):
        return None
    if content is None:
        calls = plain_calls(wire["tool_calls"])
        return None if calls is None else {"role": "assistant", "tool_calls": calls}
    if type(content) is not str:
        return None
    calls = plain_calls(wire["tool_calls"])
    return None if calls is None else {"role": "assistant", "content": content, "tool_calls": calls}


def _bare_answer(wire: dict[str, Any], vendor: Vendor) -> dict[str, Any] | None:
    """Return an assistant message of text, plain calls, or both, beside which every known member is null or empty.

    Clients send their answers back so: with `refusal` and `audio` as null, and no annotations; or without `content`.
    """
    content, calls = wire.get("content"), None
    if wire.get("role") != "assistant" or (content is not None and type(content) is not str):
        return None
    left = Leftovers()
    for key, value in wire.items():
        if key in _PLAIN_MEMBERS:
            continue
        if value is None and key in _ANSWER_READERS:
            left.null(key)
        elif key == "tool_calls" and value:
            calls = plain_calls(value)
            if calls is None:
                return None
        elif key == "annotations" and value == []:
            left.empty(key)
        else:
            return None
    message: dict[str, Any] = {"role": "assistant"}
    if content is not None:
        message["content"] = content
    elif "content" not in wire:
        left.spelling["content"] = "absent"
    if calls is not None:
        message["tool_calls"] = calls
    left.attach(message, vendor.dialect)
    return message


@dataclass(slots=True)
class _Answer:
    """An assistant message that is being decoded."""

    wire: dict[str, Any]
    vendor: Vendor
    message: dict[str, Any]
    left: Leftovers
    audio: dict[str, Any] | None = None
    citations: list[dict[str, Any]] | None = None
    details: Any = None


def _read_content(answer: _Answer, _key: str, value: Any) -> None:
    answer.message["content"] = decode_content(value, "assistant", answer.vendor, answer.left, answer.message)


def _read_calls(answer: _Answer, key: str, value: Any) -> None:
    if expect(value, (list,), key):
        decode_calls(answer.message, value, answer.vendor, answer.left)
    else:
        answer.left.empty(key)


def _read_refusal(answer: _Answer, key: str, value: Any) -> None:
    if "refusal" in answer.message:
        answer.left.fields[key] = value
    else:
        answer.message["refusal"] = expect(value, TEXT, key)


def _read_reasoning(answer: _Answer, key: str, value: Any) -> None:
    decode_reasoning(answer.message, key, value, answer.vendor, answer.left)


def _read_details(answer: _Answer, key: str, value: Any) -> None:
    if answer.vendor.details:
        answer.details = value
    else:
        answer.left.fields[key] = value


def _read_name(answer: _Answer, key: str, value: Any) -> None:
    answer.message["name"] = expect(value, TEXT, key)


def _read_annotations(answer: _Answer, key: str, value: Any) -> None:
    answer.citations = decode_citations(value, answer.vendor)
    if answer.citations is None:
        answer.left.fields[key] = value
    elif not answer.citations:
        answer.left.empty(key)


def _read_audio(answer: _Answer, key: str, value: Any) -> None:
    answer.audio = decode_spoken_answer(value, answer.vendor)
    if answer.audio is None:
        answer.left.fields[key] = value


def _read_function_call(answer: _Answer, _key: str, value: Any) -> None:
    decode_function_call(answer.message, value, answer.wire, answer.vendor, answer.left)


_ANSWER_READERS: Final[Mapping[str, Callable[[_Answer, str, Any], None]]] = MappingProxyType({
    "content": _read_content,
    "tool_calls": _read_calls,
    "refusal": _read_refusal,
    "name": _read_name,
    "annotations": _read_annotations,
    "audio": _read_audio,
    "function_call": _read_function_call,
    **dict.fromkeys(REASONING_MEMBERS, _read_reasoning),
    DETAILS: _read_details,
})  # fmt: skip


def _ordered(message: dict[str, Any]) -> dict[str, Any]:
    """Return an assistant message in the order reasoning, content, refusal, tool_calls."""
    names = ("role", "reasoning", "content", "refusal", "tool_calls", "name", "extra")
    return {name: message[name] for name in names if name in message}


def _decode_companions(answer: _Answer) -> None:
    """Put citations on the text, and the spoken answer behind it, in the content."""
    message, left = answer.message, answer.left
    content: Any = message.get("content")
    if type(content) is str:
        left.spelling["content"] = "string"
        content = [{"type": "text", "text": content}]
    elif content is None:
        content = []
    else:
        content = list(content)
        if not content:
            left.spelling["content"] = "list"
    if answer.citations:
        if len(content) == 1 and content[0]["type"] == "text" and left.spelling.get("content") == "string":
            content[0]["citations"] = answer.citations
        else:
            left.fields["annotations"] = answer.wire["annotations"]
    if answer.audio is not None:
        content.append(answer.audio)
    if content or "content" in message:
        message["content"] = content


def decode_content(
    content: Any, role: str, vendor: Vendor, left: Leftovers, message: dict[str, Any] | None = None
) -> str | list[dict[str, Any]]:
    """Decode text or a list of parts; refusals of an assistant go to its `refusal`."""
    if type(content) is str:
        return content
    if type(content) is dict:
        left.spelling["content"] = "object"
        return [{"type": "opaque", "dialect": vendor.dialect, "data": content}]
    if type(content) is not list:
        raise Malformed("/content", "expected text, a list or null")
    if message is not None and content and type(content[-1]) is dict and content[-1].get("type") == "refusal":
        refusal = content[-1]
        if len(refusal) == 2 and type(refusal.get("refusal")) is str:
            message["refusal"] = refusal["refusal"]
            left.spelling["refusal"] = "part"
            content = content[:-1]
    if message is not None and content:
        content = without_thinking(content, message, left)
    parts: list[dict[str, Any]] = []
    try:
        for part in content:
            parts.append(decode_part(part, role, vendor))  # noqa: PERF401  # how far it came is read when one is malformed
    except Malformed as malformed:
        raise malformed.under("content", len(parts)) from None
    return parts
