"""Gemini to canonical: contents. Every function raises `Malformed` with its own path.

A content becomes one or more chat messages: each result of a call one, what stands between results one, and a model's
parts one for each run in the order thoughts, content, calls.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.reading import TEXT, Malformed, expect
from interlingua.dialects.gemini.decode_call import (
    decode_call,
    decode_result,
    plain_call,
    plain_result,
)
from interlingua.dialects.gemini.decode_part import data_of, decode_data, decode_modifiers, opaque
from interlingua.dialects.gemini.snake import PART, camel
from interlingua.dialects.gemini.tables import DIALECT, MODEL, SPEAKERS, SYSTEM_ROLES, USER

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatMessage


_CONTENT_MEMBERS: Final = frozenset({"role", "parts"})

_PARTS: Final = frozenset({"parts"})

# The role of the content that a message stands in by habit.
HABITS: Final = {"user": USER, "tool": USER, "assistant": MODEL}

_REASONING, _CONTENT, _CALL = "reasoning", "content", "tool_calls"
# In which order they stand in one message.
_RANKS: Final = {_REASONING: 0, _CONTENT: 1, _CALL: 2}

_SIGNED: Final = frozenset({str, type(None)})

# Parts with one of these can be a thought.
_THINKABLE: Final = frozenset({"text", "inlineData", "fileData"})


def decode_message(wire: Any, messages: list[ChatMessage], last_role: str | None) -> str | None:
    """Append the chat messages of a content; return the role that the next content may run on from."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role = wire.get("role")
    if role is None:
        speaker = USER
    elif expect(role, TEXT, "role") in SPEAKERS:
        speaker = role
    else:
        messages.append({"role": "opaque", "dialect": DIALECT, "data": wire})
        return None
    made = _decode_parts(wire, speaker)
    if role is None:
        _spelling(made[0])["role"] = "null" if "role" in wire else "absent"
    _note_content(wire, made[0])
    if speaker == last_role:
        _spelling(made[0])["turn"] = "new"
    messages.extend(made)  # type: ignore[arg-type]  # made by the functions below
    return speaker


def decode_answer(wire: Any) -> list[dict[str, Any]]:
    """Return the chat messages of the content of a candidate, which is the model's whatever its role says (MAP-5.2)."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role = wire.get("role")
    known = type(role) is str and role in SPEAKERS
    made = _decode_parts(wire, MODEL)
    if role != MODEL:
        if known:
            _spelling(made[0])["role"] = role
        else:
            _spelling(made[0])["role"] = "null" if role is None and "role" in wire else "absent"
    _note_content(wire, made[0], _CONTENT_MEMBERS if role is None or known else _PARTS)
    return made


def decode_instruction(wire: Any) -> dict[str, Any]:
    """Decode `systemInstruction`, whose role means nothing."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    role = wire.get("role")
    made = _decode_parts(wire, "system")
    if type(role) is str and role in SYSTEM_ROLES:
        _spelling(made[0])["role"] = role
        wire = {key: value for key, value in wire.items() if key != "role"}
    elif role is None and "role" in wire:
        _spelling(made[0])["role"] = "null"
    _note_content(wire, made[0], _PARTS if role is not None else _CONTENT_MEMBERS)
    return made[0]


def _bag(message: dict[str, Any]) -> dict[str, Any]:
    bag: dict[str, Any] = message.setdefault("extra", {}).setdefault(DIALECT, {})
    return bag


def _spelling(message: dict[str, Any]) -> dict[str, Any]:
    spelling: dict[str, Any] = _bag(message).setdefault("spelling", {})
    return spelling


def _note_content(wire: dict[str, Any], first: dict[str, Any], known: frozenset[str] = _CONTENT_MEMBERS) -> None:
    """Keep what the content holds beside role and parts with the first message made of it."""
    others = rest(wire, known)
    if others:
        _bag(first)["content"] = others
    parts = wire.get("parts")
    if parts is None:
        _spelling(first)["parts"] = "null" if "parts" in wire else "absent"
    elif type(parts) is dict:
        _spelling(first)["parts"] = "object"


@dataclass(slots=True)
class Made:
    """The messages made of one content, and the signatures of each: member, index, signature."""

    messages: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    signatures: list[list[tuple[str, int, str]]] = field(default_factory=list[list[tuple[str, int, str]]])
    rank: int = 0

    def result(self, message: dict[str, Any], signature: str | None) -> None:
        """Take a result, which is a message of its own."""
        self.messages.append(message)
        self.signatures.append([("", 0, signature)] if signature is not None else [])

    def add(self, role: str, member: str, value: dict[str, Any], signature: str | None) -> None:
        """Take what goes into a member of a message; a step back in rank starts the next one."""
        rank = _RANKS[member]
        if not self.messages or self.messages[-1]["role"] != role or rank < self.rank:
            self.messages.append({"role": role})
            self.signatures.append([])
        self.rank = rank
        values = self.messages[-1].setdefault(member, [])
        if signature is not None:
            self.signatures[-1].append((member, len(values), signature))
        values.append(value)


def _decode_parts(wire: dict[str, Any], speaker: str) -> list[dict[str, Any]]:
    parts = wire.get("parts")
    natural = "assistant" if speaker == MODEL else "system" if speaker == "system" else "user"
    if parts is None:
        return [_of_speaker({"role": natural}, speaker)]
    if type(parts) is dict:
        parts = [parts]
    elif type(parts) is not list:
        raise Malformed("/parts", "expected a list")
    made = Made()
    index = 0
    try:
        for index, part in enumerate(parts):  # noqa: B007  # the index is read when a part is malformed
            decode_part(part, natural, made)
    except Malformed as malformed:
        raise malformed.under("parts", index) from None
    if not made.messages:
        return [_of_speaker({"role": natural, "content": []}, speaker)]
    for message, signatures in zip(made.messages, made.signatures, strict=True):
        if message["role"] != "tool" or signatures:
            _close(message, signatures)
        _of_speaker(message, speaker)
    return made.messages


def _of_speaker(message: dict[str, Any], speaker: str) -> dict[str, Any]:
    """Note the role of the content, where it is not the usual one of the message."""
    if speaker != "system" and HABITS[message["role"]] != speaker:
        _spelling(message)["role"] = speaker
    return message


def decode_part(wire: Any, natural: str, made: Made) -> None:
    """Decode one part. A part without a canonical place makes an opaque part."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    if _decode_plain(wire, natural, made):
        return
    left = Leftovers()
    part = camel(wire, PART, left)
    data = data_of(part, left)
    if data is not None and data in _THINKABLE:
        thought, signature = decode_modifiers(part, left)
        value = decode_data(part, data, left)
        thinking = thought and natural == "assistant"
        if thought and not thinking:
            left.fields["thought"] = True
        left.attach(value, DIALECT)
        made.add(natural, _REASONING if thinking else _CONTENT, value, signature)
    elif natural != "system" and data in {"functionCall", "functionResponse"}:
        thought, signature = decode_modifiers(part, left)
        if thought:
            left.fields["thought"] = True
        if data == "functionCall":
            made.add("assistant", _CALL, decode_call(part, left), signature)
        else:
            made.result(decode_result(part, left), signature)
    else:
        made.add(natural, _CONTENT, opaque(wire), None)


def _decode_plain(wire: dict[str, Any], natural: str, made: Made) -> bool:
    """Decode a part of the most common shapes: a text, a call or a result, alone or with a signature."""
    signature = wire.get("thoughtSignature")
    if len(wire) != (1 if signature is None else 2) or type(signature) not in _SIGNED:
        return False
    if type(wire.get("text")) is str:
        made.add(natural, _CONTENT, {"type": "text", "text": wire["text"]}, signature)
    elif natural == "system":
        return False
    elif (call := plain_call(wire.get("functionCall"))) is not None:
        made.add("assistant", _CALL, call, signature)
    elif (message := plain_result(wire.get("functionResponse"))) is not None:
        made.result(message, signature)
    else:
        return False
    return True


def _close(message: dict[str, Any], signatures: list[tuple[str, int, str]]) -> None:
    """Write the only text of a message as a string, and its signatures."""
    alone: list[str] = []
    for member in (_REASONING, _CONTENT):
        parts = message.get(member)
        if type(parts) is list and len(parts) == 1 and _is_only_text(parts[0], member):
            alone.append(member)
            if "extra" in parts[0]:
                message["extra"] = parts[0]["extra"]
            message[member] = parts[0]["text"]
    if signatures:
        _bag(message)["thought_signatures"] = [
            {"at": _place(member, index, alone=member in alone), "signature": signature}
            for member, index, signature in signatures
        ]


def _place(member: str, index: int, *, alone: bool) -> str:
    """Return the JSON Pointer, inside the message, of what a signature belongs to."""
    if not member:
        return ""
    return f"/{member}" if alone else f"/{member}/{index}"


def _is_only_text(part: dict[str, Any], member: str) -> bool:
    """Tell whether a part is a text with nothing but notes on its spelling.

    Those of the content go to the message; thoughts must have none.
    """
    if part["type"] != "text":
        return False
    return len(part) == 2 or (member == _CONTENT and part["extra"][DIALECT].keys() == {"spelling"})
