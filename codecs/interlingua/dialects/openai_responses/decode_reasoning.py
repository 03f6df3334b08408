"""Responses to canonical: reasoning items. Every function raises `Malformed` with its own path.

The texts of a reasoning item stand in `reasoning`: those of its summary, then those of its content. All else stays
under `extra.openai_responses.reasoning`, where `content` says how many of the texts are content.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import Any, Final

from interlingua.dialects._shared.extra import Leftovers, read_text, rest
from interlingua.dialects._shared.reading import TEXT, Malformed, expect
from interlingua.dialects.openai_responses.tables import DIALECT, REASONING_TEXT, SUMMARY_TEXT, THOUGHT_TYPES

_STATE: Final = frozenset({"id", "encrypted_content", "status"})
_TEXT_MEMBERS: Final = frozenset({"type", "text"})


def decode_reasoning(message: dict[str, Any], item: dict[str, Any]) -> None:
    """Decode a reasoning item into an assistant's message that has just been begun."""
    left = Leftovers()
    parts = _decode_texts(item, left)
    for key, value in item.items():
        if key in _STATE:
            read_text(left.typed, key, item, key, left)
        elif key not in {"type", "summary", "content"}:
            left.fields[key] = value
    bag = left.typed
    bag |= {name: kept for name, kept in (("fields", left.fields), ("spelling", left.spelling)) if kept}
    if parts:
        plain = len(parts) == 1 and parts[0].keys() == _TEXT_MEMBERS
        message["reasoning"] = parts[0]["text"] if plain else parts
    if bag or not parts:
        message["extra"] = {DIALECT: {"reasoning": bag}}


def _decode_texts(item: dict[str, Any], left: Leftovers) -> list[dict[str, Any]]:
    """Return the texts of the summary and of the content."""
    parts: list[dict[str, Any]] = []
    for key, habit in (("summary", SUMMARY_TEXT), ("content", REASONING_TEXT)):
        value = item.get(key)
        if type(value) is list:
            thoughts = _decode_thoughts(value, key, habit)
            parts.extend(thoughts)
            if key == "content":
                left.typed["content"] = len(thoughts)
        elif value is not None:
            left.fields[key] = value
            if key == "summary":
                left.absent(key)
        elif key in item:
            left.null(key)
        elif key == "summary":
            left.absent(key)
    return parts


def _decode_thoughts(value: list[Any], member: str, habit: str) -> list[dict[str, Any]]:
    thoughts = []
    for at, wire in enumerate(value):
        try:
            thoughts.append(_decode_thought(wire, habit))
        except Malformed as malformed:
            raise malformed.under(member, at) from None
    return thoughts


def _decode_thought(wire: Any, habit: str) -> dict[str, Any]:
    """Decode one text of a reasoning item. An unknown type makes an opaque part."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    kind = wire.get("type")
    if type(kind) is not str or kind not in THOUGHT_TYPES:
        return {"type": "opaque", "dialect": DIALECT, "data": wire}
    part: dict[str, Any] = {"type": "text", "text": expect(wire.get("text"), TEXT, "text")}
    left = Leftovers()
    if kind != habit:
        left.spelling["type"] = kind
    left.fields = rest(wire, _TEXT_MEMBERS)
    left.attach(part, DIALECT)
    return part
