"""The places of text, reasoning and usage in a chunk, including repeats.

Places of reasoning have their names in `vendor_extensions.py`. A note on spelling holds for the answer until the next.
Source: docs/wire/openai_chat.md, sections 3 and 9.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.reasoning_details import CARRIER
from interlingua.rooms._chat_completions.tables import USAGE
from interlingua.rooms._chat_completions.vendor_extensions import (
    BLOCKS,
    DETAIL_TEXTS,
    DETAILS,
    OPAQUE_STATE,
    REASONING_MEMBERS,
    UNSPELLED,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STRING, LIST = "string", "list"
SUMMARIES: Final = "reasoning_summaries"  # a detail with a summary instead of a text
# The text again, beside the delta (Together), or as a message with this piece, or with all pieces so far.
TEXT_AGAIN, MESSAGE, WHOLE_MESSAGE = "text", "message", "whole_message"
# Text member of a detail -> name of the place.
DETAIL_PLACES: Final[Mapping[str, str]] = MappingProxyType(dict(zip(DETAIL_TEXTS, (DETAILS, SUMMARIES), strict=True)))
# Members of a delta that events cover.
SAID: Final = frozenset({
    "content", "refusal", "tool_calls", "function_call", "audio", "images", "annotations", CARRIER, BLOCKS, DETAILS,
    OPAQUE_STATE, *REASONING_MEMBERS,
})  # fmt: skip
# Other places of usage than the usual one.
USAGE_PLACES: Final = frozenset({"/choices/usage", "/x_groq/usage"})
REASONING: Final = frozenset({DETAILS, *REASONING_MEMBERS})


def content_member(choice: Mapping[str, Any]) -> str:
    """Return the content member of a choice: a server that does not stream has a whole message."""
    return "message" if "message" in choice and "delta" not in choice else "delta"


def usage_of(chunk: Mapping[str, Any]) -> Any:
    """Return the usage of a chunk: beside its choices, in the first choice (Moonshot), or in `x_groq` (Groq)."""
    usage = chunk.get("usage")
    if type(usage) is dict:
        return usage
    choices: Any = chunk.get("choices")
    first: Any = choices[0] if type(choices) is list and choices else None
    if "x_groq" not in chunk and (type(first) is not dict or "usage" not in first):
        return usage  # nearly always
    for holder in (first, chunk.get("x_groq")):
        if type(holder) is dict and "usage" in holder:
            held = holder["usage"]
            if type(held) is dict and not USAGE.keys().isdisjoint(held):
                return held
    return usage


def detail_text(details: Any) -> tuple[str, str] | None:
    """Return member name and text of a single detail, or None for other details."""
    if type(details) is not list or len(details) != 1 or type(details[0]) is not dict:
        return None
    for name in DETAIL_TEXTS:
        text = details[0].get(name)
        if type(text) is str and text:
            return name, text
    return None


def reasoning_in(delta: dict[str, Any], *, details: bool) -> tuple[str, str, tuple[str, ...]]:
    """Return the reasoning of a delta, its place, and the places that repeat it; an empty text if there is none.

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
    """Return the places of a choice that repeat the text of its delta; `earlier` are the texts before it."""
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
