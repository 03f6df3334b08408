"""Where a chunk says its text, and where it says it again. The names of reasoning are those of the table of accents.

A note on spelling says a place once; it holds for the answer until another note. Source: docs/wire/openai_chat.md,
sections 3 and 9.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.accents import (
    BLOCKS,
    DETAIL_TEXTS,
    DETAILS,
    OPAQUE_STATE,
    REASONING_MEMBERS,
    UNSPELLED,
)
from interlingua.rooms._chat_completions.details import CARRIER
from interlingua.rooms._chat_completions.tables import USAGE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Reasoning as a part of the content: its text stands in the part, or in a list of texts (Mistral).
PART, PARTS = "part", "parts"
STRING, LIST = "string", "list"
SUMMARIES: Final = "reasoning_summaries"  # an item of the details that holds a summary, not a text
# The text of the chunk once more, beside the delta (Together), or as a message: this piece, or all pieces so far.
TEXT_AGAIN, MESSAGE, WHOLE_MESSAGE = "text", "message", "whole_message"
# What the text of an item of `reasoning_details` is called -> the place that it is.
DETAIL_PLACES: Final[Mapping[str, str]] = MappingProxyType(dict(zip(DETAIL_TEXTS, (DETAILS, SUMMARIES), strict=True)))
# Members of a delta that events say.
SAID: Final = frozenset(
    {
        "content",
        "refusal",
        "tool_calls",
        "function_call",
        "audio",
        "images",
        "annotations",
        CARRIER,
        BLOCKS,
        DETAILS,
        OPAQUE_STATE,
        *REASONING_MEMBERS,
    }
)
# Where a chunk may say what it cost, but for the usual place.
USAGE_PLACES: Final = frozenset({"/choices/usage", "/x_groq/usage"})
REASONING: Final = frozenset({DETAILS, *REASONING_MEMBERS})


def said_in(choice: Mapping[str, Any]) -> str:
    """Return the member in which a choice says something: a server that does not stream says all of it in a message."""
    return "message" if "message" in choice and "delta" not in choice else "delta"


def usage_of(chunk: Mapping[str, Any]) -> Any:
    """Return what a chunk says that it cost: beside its choices, or in the first (Moonshot), or in `x_groq` (Groq)."""
    usage = chunk.get("usage")
    if type(usage) is dict:
        return usage
    choices: Any = chunk.get("choices")
    first: Any = choices[0] if type(choices) is list and choices else None
    for holder in (first, chunk.get("x_groq")):
        if type(holder) is dict and "usage" in holder:
            held = holder["usage"]
            if type(held) is dict and not USAGE.keys().isdisjoint(held):
                return held
    return usage


def detail_text(details: Any) -> tuple[str, str] | None:
    """Return the name and the text of the one item of `reasoning_details`, or None for other details."""
    if type(details) is not list or len(details) != 1 or type(details[0]) is not dict:
        return None
    for name in DETAIL_TEXTS:
        text = details[0].get(name)
        if type(text) is str and text:
            return name, text
    return None


def reasoning_said(delta: dict[str, Any], *, details: bool) -> tuple[str, str, tuple[str, ...]]:
    """Return the reasoning of a delta, the place that says it, and those that repeat it; no text: it says none.

    `details`: whether reasoning may come as a list of details.
    """
    text, place = "", ""
    repeats: list[str] = []
    for name in REASONING_MEMBERS:
        said = delta.get(name)
        if type(said) is str and said:
            if not text:
                text, place = said, name
            elif said == text and name not in UNSPELLED:
                repeats.append(name)
    detail = detail_text(delta.get(DETAILS)) if details and DETAILS in delta else None
    if detail is not None:
        if not text:
            text, place = detail[1], DETAIL_PLACES[detail[0]]
        elif detail[1] == text:
            repeats.append(DETAIL_PLACES[detail[0]])
    return text, place, tuple(repeats)


def content_repeats(choice: dict[str, Any], text: str, earlier: Sequence[str]) -> tuple[str, ...]:
    """Return the places of a choice that repeat the text of its delta; `earlier`: what was said before it."""
    repeats: list[str] = []
    if choice.get("text") == text:
        repeats.append(TEXT_AGAIN)
    message = choice.get("message")
    if type(message) is dict and type(message.get("content")) is str:
        said = message["content"]
        if len(said) >= len(text) and said == "".join(earlier) + text:
            repeats.append(WHOLE_MESSAGE)
        elif said == text:
            repeats.append(MESSAGE)
    return tuple(repeats)
