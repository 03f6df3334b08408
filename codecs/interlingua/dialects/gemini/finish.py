"""Why a model of Gemini stopped: what both directions must see alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from interlingua.dialects.gemini.tables import FINISH_NUMBERS, FINISH_REASONS, STOP

if TYPE_CHECKING:
    from collections.abc import Mapping


def reason_of(word: str | int, messages: Any) -> str:
    """Return the canonical reason of a word or its number; the natural end with open calls is for the calls."""
    name = word if isinstance(word, str) else FINISH_NUMBERS.get(word, "")
    if name == STOP and messages and messages[-1].get("tool_calls"):
        return "tool_calls"
    return FINISH_REASONS.get(name, "other")


def blocked(holder: Mapping[str, Any]) -> bool:
    """Tell whether the prompt was refused: then there are no candidates."""
    feedback = holder.get("promptFeedback")
    return isinstance(feedback, dict) and bool(cast("dict[str, Any]", feedback).get("blockReason"))
