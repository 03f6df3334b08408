"""Too many tokens: how providers say so, and the numbers that they tell.

Clients act on these words: they shorten the conversation, or ask for fewer tokens. Numbers are read and never made up.
Source: docs/provider_errors.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from interlingua.rooms._shared.error_words import TEXT_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Overflow", "overflow_of"]

_CODES: Final = frozenset(
    {"context_length_exceeded", "exceed_context_size_error", "too_many_prompt_tokens", "too_many_tokens"}
)
_NUMBER: Final = r"\d[\d,]{0,17}"


def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern in which `<name>` stands for a number, and two spaces for anything between."""
    named = re.sub(r"<(\w+)>", lambda name: f"(?P<{name[1]}>{_NUMBER})", text).replace("  ", r"[^\n]{0,200}?")
    return re.compile(named, re.IGNORECASE)


_MAXIMUM: Final = "maximum context length is <limit> tokens"
_BESIDE: Final = r"<used> (?:in the messages|of text input)(?:, <more> (?:in the functions|of tool input))?"
_TOTAL: Final = r"requested (?:about )?[\d,]+ tokens"
_SUM: Final = (
    r"requested a total of [\d,]+ tokens: <used> tokens from the input messages and <requested> tokens for the"
)
_UNCOUNTED: Final = (
    "prompt is too long",
    "prompt too long; exceeded",
    "prompt is longer than the context length",
    "exceeds the context window",
    "context window exceeds limit",
    "maximum context length is exceeded",
    r"input token count (?:\([^)]{0,40}\) )?exceeds the maximum number of tokens",
    "exceeds the available context size",
    "input is too long",
    "input tokens exceeded",
    "reduce the length of the messages",
    "range of input length should be",
    "longer than the model's context length",
)
# About the tokens of the answer, alone or beside those of the input.
_OUTPUT: Final = (
    _pattern(r"input length and `?max_tokens`? exceed context limit: <used> \+ <requested> > <limit>"),
    _pattern("max_tokens: <requested> > <limit>, which is the maximum allowed number of output tokens"),
    _pattern(rf"is too large: <requested>\. This model's {_MAXIMUM} and your request has <used> input tokens"),
    _pattern(r"max_(?:completion_|output_)?tokens is too large: <requested>\. This model supports at most <limit>"),
)
# About the input; what most providers say comes first.
_INPUT: Final = (
    _pattern("prompt is too long: <used> tokens > <limit> maximum"),
    _pattern(rf"{_MAXIMUM}  {_TOTAL} \({_BESIDE}, <requested> in the (?:completion|output)\)"),
    _pattern(f"{_MAXIMUM}  {_SUM} completion"),
    _pattern(f"{_MAXIMUM}  your messages resulted in <used> tokens"),
    _pattern(f"{_MAXIMUM}  requested <requested> output tokens and your prompt contains at least <used> input tokens"),
    _pattern(f"{_MAXIMUM}  your request has <used> input tokens"),
    _pattern(r"input token count \(<used>\) exceeds the maximum number of tokens allowed \(<limit>\)"),
    _pattern(r"request \(<used> tokens\) exceeds the available context size \(<limit> tokens\)"),
    _pattern(r"input \(<used> tokens\) is longer than the model's context length \(<limit> tokens\)"),
    _pattern("maximum prompt length is <limit> but the request contains <used>"),
    _pattern("prompt contains <used> tokens  too large for model with <limit>"),
    _pattern(r"exceeded model token limit: <limit> \(requested: <used>\)"),
    _pattern("prompt token count of <used> exceeds the limit of <limit>"),
    _pattern("size limit exceeded by <over> tokens  limit for this model is <limit>"),
    _pattern("prompt too long; exceeded (?:max )?context length by <over> tokens"),
    _pattern(_MAXIMUM),
    _pattern("|".join(_UNCOUNTED)),
)
_OTHER: Final = re.compile(r"encoder prompt", re.IGNORECASE)  # about media


@dataclass(frozen=True, slots=True)
class Overflow:
    """Too many tokens.

    `used` by the input, `limit` of the model, `requested` for the answer, `over` the limit; None where nobody said.
    """

    category: Literal["context_overflow", "output_overflow"]
    used: int | None = None
    limit: int | None = None
    requested: int | None = None
    over: int | None = None


def overflow_of(text: str, words: Iterable[str] = (), members: Mapping[str, Any] | None = None) -> Overflow | None:
    """Return what an error says of too many tokens, or None where it is about something else.

    `members` are those of the error object: llama.cpp tells its numbers there.
    """
    text = text[:TEXT_LIMIT]
    if _OTHER.search(text):
        return None
    numbers = _told_apart(members or {})
    for patterns, is_output in ((_OUTPUT, True), (_INPUT, False)):
        for pattern in patterns:
            if found := pattern.search(text):
                return _judged(_numbers(found) | numbers, is_output=is_output)
    is_known = any(word.lower() in _CODES for word in words)
    return _judged(numbers, is_output=False) if is_known else None


def _told_apart(members: Mapping[str, Any]) -> dict[str, int]:
    names = {"used": "n_prompt_tokens", "limit": "n_ctx"}
    return {ours: members[theirs] for ours, theirs in names.items() if type(members.get(theirs)) is int}


def _numbers(found: re.Match[str]) -> dict[str, int]:
    return {name: int(value.replace(",", "")) for name, value in found.groupdict().items() if value is not None}


def _judged(numbers: dict[str, int], *, is_output: bool) -> Overflow:
    """Return the finding: numbers decide which of the two it is, the words where they do not."""
    used, limit, requested, over = (numbers.get(name) for name in ("used", "limit", "requested", "over"))
    if used is not None:
        used += numbers.get("more", 0)
    elif limit is not None and over is not None:
        used = limit + over
    if limit is not None and used is not None and used >= limit:
        is_output = False
    elif limit is not None and requested is not None and requested + (used or 0) > limit:
        is_output = True
    return Overflow("output_overflow" if is_output else "context_overflow", used, limit, requested, over)
