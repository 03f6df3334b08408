"""Answers of Claude, at its own API or on Bedrock, that a stop sequence ended within a call.

Claude closes the JSON of such a call: its arguments look whole and are not. Clients of other dialects run a call unless
the answer has reached its limit, so this is what the answer says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

STOP_SEQUENCE: Final = "stop_sequence"
CLIPPED: Final = "length"


def finish_reason_of(word: str, reasons: Mapping[str, str], *, in_call: bool) -> str:
    """Return the finish reason for a wire word; `in_call` says whether the last thing in the answer is a call."""
    return CLIPPED if in_call and word == STOP_SEQUENCE else reasons.get(word, "other")


def is_word_for(word: str, reason: str, reasons: Mapping[str, str]) -> bool:
    """Tell whether a wire word is read as the finish reason."""
    return reasons.get(word, "other") == reason or (word == STOP_SEQUENCE and reason == CLIPPED)
