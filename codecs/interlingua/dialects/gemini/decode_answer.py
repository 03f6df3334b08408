"""Gemini to canonical: responses.

Source: reference/wire/gemini.md section 2.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.dialects._shared.extra import Leftovers
from interlingua.dialects._shared.moment import UTC, read_moment
from interlingua.dialects._shared.reading import Malformed, top_object
from interlingua.dialects.gemini.decode_message import decode_answer
from interlingua.dialects.gemini.decode_usage import decode_usage
from interlingua.dialects.gemini.finish import blocked, reason_of
from interlingua.dialects.gemini.snake import CANDIDATE, RESPONSE, camel
from interlingua.dialects.gemini.tables import (
    DIALECT,
    FINISH_WORDS,
)

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatResponse


_TEXTS: Final = {"responseId": "id", "modelVersion": "model"}

# A reason is a word, or the number of one in older libraries.
_REASONS: Final = (str, int)

_KNOWN: Final = frozenset({"responseId", "modelVersion", "usageMetadata", "createTime", "promptFeedback"})


def decode_response(body: Any) -> ChatResponse:
    """Return the canonical response of an answer of `generateContent`. Raises `DecodeError`."""
    try:
        return cast("ChatResponse", _decode_response(top_object(body)))
    except Malformed as malformed:
        raise malformed.error(DIALECT) from None


def _decode_response(body: dict[str, Any]) -> dict[str, Any]:
    left = Leftovers()
    body = camel(body, RESPONSE, left)
    if "candidates" not in body and _KNOWN.isdisjoint(body):
        raise Malformed("/candidates", "expected a list")
    response: dict[str, Any] = {"dialect": DIALECT, "messages": []}
    _read_candidates(response, body.get("candidates"), body, left)
    for key, value in body.items():
        if key in _TEXTS and type(value) is str:
            response[_TEXTS[key]] = value
        elif value is None and key in _KNOWN:
            left.null(key)
        elif key == "usageMetadata" and type(value) is dict:
            response["usage"] = decode_usage(value)
        elif key == "createTime":
            read_time(response, value, left)
        elif key != "candidates":
            left.fields[key] = value
    left.attach(response, DIALECT)
    return response


def read_time(response: dict[str, Any], value: Any, left: Leftovers) -> None:
    """Read the moment as whole seconds; its decimals stay in `extra`."""
    moment = read_moment(value) if type(value) is str else None
    if moment is None or not moment[1].endswith(UTC):
        left.fields["createTime"] = value
        return
    response["created"], beyond = moment
    if beyond != UTC:
        left.typed["create_time"] = beyond.removesuffix(UTC)


def _read_candidates(response: dict[str, Any], candidates: Any, body: dict[str, Any], left: Leftovers) -> None:
    if not candidates:
        if candidates not in (None, []):
            raise Malformed("/candidates", "expected a list")
        left.spelling["candidates"] = "empty" if candidates == [] else "null" if "candidates" in body else "absent"
        if blocked(body):
            response["finish_reason"] = "content_filter"
        return
    if type(candidates) is not list:
        raise Malformed("/candidates", "expected a list")
    index = 0
    try:
        for index, candidate in enumerate(candidates):
            if index == 0:
                _decode_candidate(response, candidate, 0, left)
                continue
            answer: dict[str, Any] = {"messages": []}
            inner = Leftovers()
            _decode_candidate(answer, candidate, index, inner)
            inner.attach(answer, DIALECT)
            response.setdefault("alternatives", []).append(answer)
    except Malformed as malformed:
        raise malformed.under("candidates", index) from None


def _decode_candidate(answer: dict[str, Any], wire: Any, position: int, left: Leftovers) -> None:
    """Decode one candidate into a response or an alternative."""
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    candidate = camel(wire, CANDIDATE, left)
    others: dict[str, Any] = {}
    reason: str | int | None = None
    for key, value in candidate.items():
        if value is None and key in {"content", "finishReason", "index"}:
            left.null(f"candidate.{key}")
        elif key == "content" and type(value) is dict:
            try:
                answer["messages"] = decode_answer(value)
            except Malformed as malformed:
                raise malformed.under("content") from None
        elif key == "finishReason" and type(value) in _REASONS:
            reason = value
        elif key != "index" or value != position or type(value) is not int:
            others[key] = value
    if reason is not None:
        _decode_finish_reason(answer, reason)
    if "index" not in candidate:
        left.absent("index")
    if others:
        left.typed["candidate"] = others


def _decode_finish_reason(answer: dict[str, Any], word: str | int) -> None:
    reason = reason_of(word, answer["messages"])
    answer["finish_reason"] = reason
    if FINISH_WORDS[reason][0] != word:
        answer["finish_reason_raw"] = word
