"""Decode Gemini responses and their usage to the canonical form.

Source: docs/wire/gemini.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.timestamps import UTC, parse_timestamp
from interlingua.rooms.gemini.decode_message import decode_answer
from interlingua.rooms.gemini.grounding import METADATA, read_grounding
from interlingua.rooms.gemini.mapping import (
    as_integer,
    ends_with_calls,
    is_prompt_blocked,
    read_counts,
    reason_of,
    write_counts,
)
from interlingua.rooms.gemini.snake_case import CANDIDATE, RESPONSE, with_camel_case
from interlingua.rooms.gemini.snake_case import USAGE as USAGE_NAMES
from interlingua.rooms.gemini.tables import DIALECT, FINISH_WORDS, TOOL_USE, USAGE, USAGE_DETAILS
from interlingua.spi.reading import OBJECT, Malformed, Unmapped, body_decoder, expect, is_integer

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatResponse

TEXTS: Final = {"responseId": "id", "modelVersion": "model"}

# A finish reason is a word, or in older libraries its enum number.
REASONS: Final = (str, int)

_KNOWN: Final = frozenset({*TEXTS, "usageMetadata", "createTime", "promptFeedback"})


@body_decoder(DIALECT)
def decode_response(body: Any) -> ChatResponse:
    """Return the canonical response for a body of `generateContent`. Raises `DecodeError`."""
    left = Unmapped()
    body = with_camel_case(body, RESPONSE, left)
    if "candidates" not in body and _KNOWN.isdisjoint(body):
        raise Malformed("/candidates", "expected a list")
    response: dict[str, Any] = {"dialect": DIALECT, "messages": []}
    _read_candidates(response, body, left)
    for key, value in body.items():
        if key in TEXTS and type(value) is str:
            response[TEXTS[key]] = value
        elif value is None and key in _KNOWN:
            left.null(key)
        elif key == "usageMetadata" and type(value) is dict:
            response["usage"] = decode_usage(value)
        elif key == "createTime":
            read_time(response, value, left)
        elif key != "candidates":
            left.fields[key] = value
    left.attach(response, DIALECT)
    return cast("ChatResponse", response)


def read_time(response: dict[str, Any], value: Any, left: Unmapped) -> None:
    """Read `createTime` as whole seconds; its decimals stay in `extra`."""
    moment = parse_timestamp(value) if type(value) is str else None
    if moment is None or not moment[1].endswith(UTC):
        left.fields["createTime"] = value
        return
    response["created"], beyond = moment
    if beyond != UTC:
        left.typed["create_time"] = beyond.removesuffix(UTC)


def _read_candidates(response: dict[str, Any], body: dict[str, Any], left: Unmapped) -> None:
    """Read the first candidate into the response, and every other one as an alternative."""
    candidates = body.get("candidates")
    if type(candidates) is not list and candidates is not None:
        raise Malformed("/candidates", "expected a list")
    if not candidates:
        left.spelling["candidates"] = "empty" if candidates == [] else "null" if "candidates" in body else "absent"
        if is_prompt_blocked(body):
            response["finish_reason"] = "content_filter"
        return
    answer = response
    index = 0
    try:
        for index, candidate in enumerate(candidates):
            inner = left
            if index:
                answer, inner = {"messages": []}, Unmapped()
                response.setdefault("alternatives", []).append(answer)
            _decode_candidate(answer, expect(candidate, OBJECT), index, inner)
            if index:
                inner.attach(answer, DIALECT)
    except Malformed as malformed:
        raise malformed.under("candidates", index) from None


def _decode_candidate(answer: dict[str, Any], wire: dict[str, Any], position: int, left: Unmapped) -> None:
    """Decode one candidate into a response or an alternative."""
    candidate = with_camel_case(wire, CANDIDATE, left)
    others: dict[str, Any] = {}
    reason: str | int | None = None
    for key, value in candidate.items():
        if value is None and key in {"content", "finishReason", "index"}:
            left.null(f"candidate.{key}")
        elif key == "content" and type(value) is dict:
            answer["messages"] = decode_answer(value)
        elif key == "finishReason" and isinstance(value, REASONS) and type(value) is not bool:
            reason = value
        elif key != "index" or value != position or type(value) is not int:
            others[key] = value
    if reason is not None:
        answer |= decode_reason(
            reason, "finish_reason", "finish_reason_raw", called=ends_with_calls(answer["messages"])
        )
    if "index" not in candidate:
        left.absent("index")
    if METADATA in others:
        content = candidate.get("content")
        read_grounding(answer["messages"], others, content.get("parts") if type(content) is dict else None)
    if others:
        left.typed["candidate"] = others


def decode_reason(word: str | int, name: str, raw: str, *, called: bool) -> dict[str, Any]:
    """Return the finish reason, and its wire word if another one would be written for it."""
    reason = reason_of(word, called=called)
    return {name: reason} if FINISH_WORDS[reason][0] == word else {name: reason, raw: word}


def decode_usage(value: dict[str, Any]) -> dict[str, Any]:
    """Decode `usageMetadata`: thoughts count as output, and what server tools read as input."""
    left = Unmapped()
    wire = with_camel_case(value, USAGE_NAMES, left)
    usage: dict[str, Any] = {}
    for key, count in wire.items():
        if key in USAGE and is_integer(count):
            usage[USAGE[key]] = count if type(count) is int else as_integer(count, key, left)
        elif key in USAGE_DETAILS and (counts := read_counts(count, USAGE_DETAILS[key])) is not None:
            usage |= counts
            if len(counts) > 1 and count != write_counts(counts, USAGE_DETAILS[key]):
                left.spelling.setdefault("reversed", []).append(key)
        elif count is None and (key in USAGE or key in USAGE_DETAILS):
            left.null(key)
        else:
            left.fields[key] = count
    if "input_tokens" in usage and type(wire.get(TOOL_USE)) is int:
        usage["input_tokens"] += wire[TOOL_USE]
    if "reasoning_tokens" in usage:
        if usage.get("output_tokens", 0) < 0:  # the sum could not be split again
            left.fields["candidatesTokenCount"] = wire["candidatesTokenCount"]
            del usage["output_tokens"]
        if "output_tokens" not in usage:
            left.absent("candidatesTokenCount")
        usage["output_tokens"] = usage.get("output_tokens", 0) + usage["reasoning_tokens"]
    left.attach(usage, DIALECT)
    return usage
