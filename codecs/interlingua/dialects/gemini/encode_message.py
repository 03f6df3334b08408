"""Canonical to Gemini: the parts of a message.

Source: reference/wire/gemini.md sections 1.1 and 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import own_bag, report_foreign
from interlingua.dialects.gemini.encode_call import encode_call, encode_result
from interlingua.dialects.gemini.encode_part import UNMARKED, Marks, encode_part, encode_parts, encode_text
from interlingua.dialects.gemini.tables import DIALECT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import AssistantChatMessage, ToolCall, ToolChatMessage


_NOTHING: Final[Mapping[str, Any]] = {}

Signatures = dict[str, tuple[int, str]]
"""The signatures of a message that have not been written yet: by place, their index and themselves."""


def signatures_of(bag: Mapping[str, Any]) -> Signatures:
    """Return the signatures of a message; of two for one place the second has none."""
    signatures: Signatures = {}
    for k, one in enumerate(bag.get("thought_signatures", ())):
        place = one["at"] if one["at"] not in signatures else f"#{k}"
        signatures[place] = (k, one["signature"])
    return signatures


def _taken(signatures: Signatures, *places: str) -> str | None:
    """Take the signature of the first of the places that has one."""
    for place in places:
        if place in signatures:
            return signatures.pop(place)[1]
    return None


def encode_answer(message: AssistantChatMessage, index: int, to: Target) -> list[dict[str, Any]]:
    """Return the parts of an assistant message: thoughts, content, calls."""
    content = message.get("content")
    calls = message.get("tool_calls")
    if len(message) == 2:
        if isinstance(content, str) and (content or to.home):
            return [{"text": content}]
        if calls is not None:
            return _encode_calls([], calls, index, to)
    elif len(message) == 3 and calls is not None and isinstance(content, str) and (content or to.home):
        return _encode_calls([{"text": content}], calls, index, to)
    path = to.message(index)
    bag = own_bag(message, DIALECT)
    signatures = signatures_of(bag)
    parts: list[dict[str, Any]] = []
    if "reasoning" in message:
        if to.home or to.answer or bag:
            parts.extend(_encode_content(message["reasoning"], "reasoning", path, _NOTHING, signatures, to))
        else:
            to.log.lost("reasoning", f"{path}/reasoning", "thoughts that Gemini did not think are of no use to it")
    if content is not None:
        parts.extend(_encode_content(content, "content", path, bag.get("spelling", _NOTHING), signatures, to))
    if "refusal" in message:
        to.log.lost("refusal", f"{path}/refusal", "a refusal has no text here")
    for at, call in enumerate(calls or ()):
        signed = signatures.pop(f"/tool_calls/{at}", None) if signatures else None
        parts.append(encode_call(call, index, at, to, None if signed is None else signed[1]))
    _finish_message(message, signatures, path, to)
    return parts


def _encode_calls(parts: list[dict[str, Any]], calls: list[ToolCall], index: int, to: Target) -> list[dict[str, Any]]:
    """Return the parts, with those of calls without a signature behind them."""
    for at, call in enumerate(calls):
        parts.append(encode_call(call, index, at, to, None))
    return parts


def encode_said(message: Any, index: int, to: Target) -> list[dict[str, Any]]:
    """Return the parts of a message of the user or of an instruction."""
    if len(message) == 2 and message.get("content") and type(message["content"]) is str:
        return [{"text": message["content"]}]
    path = to.message(index)
    bag = own_bag(message, DIALECT)
    signatures = signatures_of(bag)
    spelling = bag.get("spelling", _NOTHING)
    role = "user" if message["role"] == "user" else "system"
    parts: list[dict[str, Any]] = []
    if "content" in message:
        parts = _encode_content(message["content"], "content", path, spelling, signatures, to, role=role)
    _finish_message(message, signatures, path, to)
    return parts


def encode_answered(message: ToolChatMessage, index: int, name: str | None, to: Target) -> list[dict[str, Any]]:
    """Return the part of the result of a call; `name` is that of the function that was called."""
    signatures = signatures_of(own_bag(message, DIALECT))
    parts = [encode_result(message, index, name, to, _taken(signatures, ""))]
    _report_unplaced(signatures, to.message(index), to)
    return parts


def _encode_content(
    content: Any,
    member: str,
    path: str,
    spelling: Mapping[str, Any],
    signatures: Signatures,
    to: Target,
    *,
    role: str = "assistant",
) -> list[dict[str, Any]]:
    """Return the parts of thoughts or of what is said, each with its signature."""
    thought = member == "reasoning"
    if isinstance(content, str):
        if content and not (thought or spelling or f"/{member}" in signatures or f"/{member}/0" in signatures):
            return [{"text": content}]
        marks = Marks(thought, _taken(signatures, f"/{member}", f"/{member}/0")) if signatures or thought else UNMARKED
        if not content and not to.home and marks.signature is None:
            to.log.changed("empty_text", f"{path}/{member}", "an empty text is refused")
            return []
        return [encode_text(content, spelling, marks)]
    if not content and not to.home:
        to.log.changed("empty_text", f"{path}/{member}", "an empty list is refused")
    if not signatures and not thought:
        return encode_parts(content, f"{path}/{member}", role, to)
    parts: list[dict[str, Any]] = []
    for at, part in enumerate(content):
        places = (f"/{member}/{at}", f"/{member}") if len(content) == 1 else (f"/{member}/{at}",)
        # What is verbatim has its signature inside.
        marks = UNMARKED if part["type"] == "opaque" else Marks(thought, _taken(signatures, *places))
        parts.extend(encode_part(part, f"{path}/{member}/{at}", role, to, marks))
    return parts


def _finish_message(message: Any, signatures: Signatures, path: str, to: Target) -> None:
    """Report the name, our own id, what other dialects said, and signatures whose place is gone."""
    if "name" in message:
        to.log.lost("member", f"{path}/name", "messages have no names")
    if "id" in message:
        to.log.changed("local_id", f"{path}/id", "the wire has no place for the id of a message")
    if "extra" in message:
        report_foreign(message, DIALECT, path, to.log)
        _report_unplaced(signatures, path, to)


def _report_unplaced(signatures: Signatures, path: str, to: Target) -> None:
    for index, _ in signatures.values():
        where = f"{path}/extra/{DIALECT}/thought_signatures/{index}"
        to.log.lost("provider_state", where, "what it belongs to is gone")
