"""Canonical to Responses: reasoning items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import lay, lay_own, lay_spelled, own_bag
from interlingua.dialects.openai_responses.tables import DIALECT, REASONING_TEXT, SUMMARY_TEXT, THOUGHT_TYPES
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import AssistantChatMessage


_NOTHING: Final[Mapping[str, Any]] = {}
_TEXT_MEMBERS: Final = frozenset({"type", "text", "extra"})


def encode_reasoning(
    message: AssistantChatMessage, bag: Mapping[str, Any], index: int, to: Target
) -> dict[str, Any] | None:
    """Return the reasoning item of a message, or None.

    Reasoning that this dialect did not give goes only into answers, where nobody checks it, as a summary.
    """
    path = f"{to.message(index)}/reasoning"
    reasoning: Any = message.get("reasoning", [])
    kept = bag.get("reasoning")
    if kept is None:
        if not to.home and not to.answer:
            to.log.lost("reasoning", path, "reasoning without the id of its item is refused")
            return None
        kept = _NOTHING
    spelling = kept.get("spelling", _NOTHING)
    parts = [{"type": "text", "text": reasoning}] if type(reasoning) is str else reasoning
    end = len(parts) - min(max(kept.get("content", 0), 0), len(parts))
    out: dict[str, Any] = {"type": "reasoning"}
    for name in ("id", "encrypted_content", "status"):
        if name in kept:
            out[name] = kept[name]
    if not to.home and not kept:
        out["id"] = f"rs_{index}"
        to.log.filled(f"{to.message(index)}/extra/{DIALECT}/reasoning/id", "a reasoning item has an id")
    summary = _encode_thoughts(parts, 0, end, SUMMARY_TEXT, path, to)
    if summary or ("summary" not in spelling.get("absent", ()) and "summary" not in spelling.get("null", ())):
        out["summary"] = summary
    if "content" in kept:
        out["content"] = _encode_thoughts(parts, end, len(parts), REASONING_TEXT, path, to)
    lay(out, kept.get("fields", _NOTHING))
    lay_spelled(out, spelling)
    return out


def _encode_thoughts(parts: list[Any], first: int, end: int, habit: str, path: str, to: Target) -> list[dict[str, Any]]:
    thoughts: list[dict[str, Any]] = []
    for at in range(first, end):
        part = parts[at]
        if part["type"] == "text":
            kind = own_bag(part, DIALECT).get("spelling", _NOTHING).get("type")
            thought = {"type": kind if kind in THOUGHT_TYPES else habit, "text": part["text"]}
            others = [name for name in part if name not in _TEXT_MEMBERS]
            lost_members(to.log, others, f"{path}/{at}", "reasoning", "a thought is plain text")
            lay_own(thought, part, DIALECT, f"{path}/{at}", to.log)
            thoughts.append(thought)
        elif part["type"] == "opaque" and part["dialect"] == DIALECT:
            thoughts.append(part["data"])
        else:
            lost_members(to.log, part, f"{path}/{at}", "reasoning", "a thought is plain text")
    return thoughts
