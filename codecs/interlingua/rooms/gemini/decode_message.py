"""Decode Gemini contents to messages. Every function raises `Malformed` with its own path.

A content becomes one or more chat messages: one per tool result, one per run of other parts between results, and for
the model one per run of parts in the order thoughts, content, calls.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.rooms.gemini.decode_part import CALLS, CONTENT, REASONING, decode_part
from interlingua.rooms.gemini.tables import DIALECT, MODEL, ROLES_READ, SYSTEM_ROLES, TOOL, USER
from interlingua.spi.reading import OBJECT, TEXT, Malformed, Unmapped, decode_list, expect, rest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ChatMessage

_CONTENT_MEMBERS: Final = frozenset({"role", "parts"})
_PARTS: Final = frozenset({"parts"})

# The content role that a message is written with by habit.
_HABITS: Final[Mapping[str, str]] = MappingProxyType({"user": USER, "tool": USER, "assistant": MODEL})
_ROLE_OF_INSTRUCTION: Final[Mapping[str, str]] = MappingProxyType({MODEL: "assistant", "system": "system"})

# The order of the members within one message.
_RANKS: Final[Mapping[str, int]] = MappingProxyType({REASONING: 0, CONTENT: 1, CALLS: 2})

# The signatures of the message being built: (member, index, signature).
_Signatures: TypeAlias = list[tuple[str, int, str]]


def decode_contents(wire: Any, messages: list[ChatMessage], left: Unmapped) -> None:
    """Append the messages of `contents`."""
    if type(wire) is dict:
        left.spelling["contents"] = "object"
        wire = [wire]
    last: str | None = None
    for speaker, made in decode_list(expect(wire, (list,), "contents"), "contents", _decode_content):
        if speaker is not None and speaker == last:
            _spelling(made[0])["turn"] = "new"
        last = speaker
        messages.extend(made)


def _decode_content(content: Any) -> tuple[str | None, list[dict[str, Any]]]:
    """Return the role with which the next content would be merged, and the chat messages of a content."""
    if type(content) is not dict:
        raise Malformed("", "expected an object")
    wire: dict[str, Any] = content
    role = wire.get("role")
    speaker = USER if role is None else expect(role, TEXT, "role")
    if speaker == TOOL:  # `spelling.role` has no such value: it is kept with the members of the content
        made = _decode_parts(wire, USER)
        _spelling(made[0])["role"] = "absent"
        _note_content(wire, made[0], _PARTS)
        return USER, made
    if speaker not in ROLES_READ:
        return None, [{"role": "opaque", "dialect": DIALECT, "data": wire}]
    made = _decode_parts(wire, speaker)
    if role is None:
        _spelling(made[0])["role"] = "null" if "role" in wire else "absent"
    if role is None or len(wire) != 2 or type(wire.get("parts")) is not list:
        _note_content(wire, made[0], _CONTENT_MEMBERS)
    return speaker, made


def decode_answer(wire: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the chat messages of a candidate's content: always the model's, whatever its role says (MAP-5.2)."""
    role = wire.get("role")
    known = type(role) is str and role in ROLES_READ
    try:
        made = _decode_parts(wire, MODEL)
    except Malformed as malformed:
        raise malformed.under("content") from None
    if role != MODEL:
        _spelling(made[0])["role"] = role if known else "null" if role is None and "role" in wire else "absent"
    _note_content(wire, made[0], _CONTENT_MEMBERS if role is None or known else _PARTS)
    return made


def decode_instruction(wire: Any) -> ChatMessage:
    """Decode `systemInstruction`, whose role means nothing."""
    try:
        message = _decode_parts(expect(wire, OBJECT), "system")[0]
    except Malformed as malformed:
        raise malformed.under("systemInstruction") from None
    role = wire.get("role")
    known = type(role) is str and role in SYSTEM_ROLES
    if known or (role is None and "role" in wire):
        _spelling(message)["role"] = role if known else "null"
    _note_content(wire, message, _CONTENT_MEMBERS if role is None or known else _PARTS)
    return cast("ChatMessage", message)


def _extra(message: dict[str, Any]) -> dict[str, Any]:
    bag: dict[str, Any] = message.setdefault("extra", {}).setdefault(DIALECT, {})
    return bag


def _spelling(message: dict[str, Any]) -> dict[str, Any]:
    spelling: dict[str, Any] = _extra(message).setdefault("spelling", {})
    return spelling


def _note_content(wire: dict[str, Any], first: dict[str, Any], known: frozenset[str]) -> None:
    """Keep the content's other members, and how `parts` was written, with the first message made of it."""
    others = rest(wire, known)
    if others:
        _extra(first)["content"] = others
    parts = wire.get("parts")
    if parts is None:
        _spelling(first)["parts"] = "null" if "parts" in wire else "absent"
    elif type(parts) is dict:
        _spelling(first)["parts"] = "object"


def _decode_parts(wire: dict[str, Any], speaker: str) -> list[dict[str, Any]]:
    """Return the messages made of a content's parts, at least one."""
    parts = wire.get("parts")
    natural = _ROLE_OF_INSTRUCTION.get(speaker, "user")
    made: list[dict[str, Any]] = []
    if parts is not None:
        made = _decode_list([parts] if type(parts) is dict else expect(parts, (list,), "parts"), natural)
    if not made:
        made = [{"role": natural} if parts is None else {"role": natural, CONTENT: []}]
    if speaker != "system":
        for message in made:
            if _HABITS[message["role"]] != speaker:
                _spelling(message)["role"] = speaker
    return made


def _decode_list(parts: list[Any], natural: str) -> list[dict[str, Any]]:
    """Return the messages made of parts; a step back in rank starts the next message."""
    made: list[dict[str, Any]] = []
    message: dict[str, Any] = {"role": ""}
    signatures: _Signatures = []
    last = at = 0
    try:
        for at, part in enumerate(parts):  # noqa: B007  # the index is read when a part is malformed
            role, member, value, signature = decode_part(part, natural)
            rank = _RANKS[member] if member else 0
            if not member or message["role"] != role or rank < last:
                if made:
                    _complete_message(message, signatures)
                message, signatures = {"role": role} if member else value, []  # a tool result is a message of its own
                made.append(message)
            if member:
                last = rank
                if member in message:
                    message[member].append(value)
                else:
                    message[member] = [value]
            if signature is not None:
                signatures.append((member, len(message[member]) - 1 if member else 0, signature))
    except Malformed as malformed:
        raise malformed.under("parts", at) from None
    _complete_message(message, signatures)
    return made


def _complete_message(message: dict[str, Any], signatures: _Signatures) -> None:
    """Write a single plain text as a string, and add the signatures."""
    alone: list[str] = []
    for member in (REASONING, CONTENT) if REASONING in message else (CONTENT,):
        parts = message.get(member)
        if type(parts) is list and len(parts) == 1 and _is_only_text(parts[0], member):
            alone.append(member)
            if "extra" in parts[0]:
                message["extra"] = parts[0]["extra"]
            message[member] = parts[0]["text"]
    if signatures:
        _extra(message)["thought_signatures"] = [
            {"at": "" if not member else f"/{member}" if member in alone else f"/{member}/{index}", "signature": signed}
            for member, index, signed in signatures
        ]


def _is_only_text(part: dict[str, Any], member: str) -> bool:
    """Return whether a part is plain text, with no more than notes on its spelling.

    In content these notes move to the message; a thought may have none.
    """
    if part["type"] != "text":
        return False
    return len(part) == 2 or (member == CONTENT and part["extra"][DIALECT].keys() == {"spelling"})
