"""Decode Responses responses to the canonical form.

Source: docs/wire/openai_responses.md, section 2. Members that repeat the request are kept under one member, `response`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms.openai_responses.decode_message import decode_items
from interlingua.rooms.openai_responses.finish_reasons import implied_reason, output_text, reason_of
from interlingua.rooms.openai_responses.tables import DIALECT, ECHO, INCOMPLETE_REASONS, STATUSES, USAGE, USAGE_DETAILS
from interlingua.spi.reading import OBJECT, Malformed, Unmapped, answer_list, body_decoder, expect, read_usage, rest

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatResponse

_RESPONSE_MEMBERS: Final = {"id": ("id", str), "model": ("model", str), "created_at": ("created", int)}
_RESPONSE_HABITS: Final = ("object", "status", "error", "incomplete_details")
_READ_BELOW: Final = frozenset({"output", "output_text", "status", "incomplete_details"})


@body_decoder(DIALECT)
def decode_response(body: Any) -> ChatResponse:
    """Return the canonical response for a `response` object. Raises `DecodeError`."""
    response: dict[str, Any] = {"dialect": DIALECT, "messages": []}
    left = Unmapped()
    _decode_members(response, body, left)
    output = answer_list(body, "output", ("object", "response"), left)
    try:
        decode_items(output, response["messages"], answer=True)
    except Malformed as malformed:
        raise malformed.under("output") from None
    decode_status(response, body, implied_reason(response["messages"]), left)
    if "output_text" in body:  # all texts joined, which some vendors add
        if type(body["output_text"]) is str and body["output_text"] == output_text(response["messages"]):
            left.spelling["output_text"] = "joined"
        else:
            left.fields["output_text"] = body["output_text"]
    left.absent_habits(_RESPONSE_HABITS, body)
    left.attach(response, DIALECT)
    return cast("ChatResponse", response)


def _decode_members(response: dict[str, Any], body: dict[str, Any], left: Unmapped) -> None:
    """Decode all members but the output and the finish reason."""
    for key, value in body.items():
        if key in ECHO:
            left.typed.setdefault("response", {})[key] = value
        elif key in _READ_BELOW or (key == "object" and value == "response") or (key == "error" and value is None):
            continue
        elif key in _RESPONSE_MEMBERS and type(value) is _RESPONSE_MEMBERS[key][1]:
            response[_RESPONSE_MEMBERS[key][0]] = value
        elif key == "created_at" and type(value) is float and value.is_integer():
            response["created"] = int(value)
            left.spelling["created"] = "float"
        elif key == "usage" and type(value) is dict:
            response["usage"] = decode_usage(value)
        elif value is None and (key in _RESPONSE_MEMBERS or key == "usage"):
            left.null(key)
        else:
            left.fields[key] = value


def decode_status(response: dict[str, Any], body: dict[str, Any], said: str, left: Unmapped) -> None:
    """Decode the finish reason; an unfinished response has none, and its status is kept in `fields`.

    `said` is the reason that the output of a completed response implies.
    """
    status, details = body.get("status"), body.get("incomplete_details")
    reason: str | None = None
    raw: str | None = None
    word = details.get("reason") if type(details) is dict else None
    is_reason = status is None or status == "incomplete"
    if is_reason and type(word) is str and word != "incomplete" and word not in STATUSES:
        reason = reason_of(word)
        raw = None if word in INCOMPLETE_REASONS else word
        left.keep_nested("incomplete_details", rest(expect(details, OBJECT), frozenset({"reason"})))
        details = None
    elif status == "incomplete":
        reason, raw = "other" if type(word) is str and word in STATUSES else reason_of(status), status
    elif status == "completed" or status is None:
        reason = said
    elif type(status) is str and status in STATUSES:
        reason = STATUSES[status]
    else:
        left.fields["status"] = status
    if status is None and "status" in body:
        left.null("status")
    if details is not None:
        left.fields["incomplete_details"] = details
    if reason is not None:
        response["finish_reason"] = reason
    if raw is not None:
        response["finish_reason_raw"] = raw


def decode_usage(wire: Any) -> dict[str, Any]:
    """Decode `usage`; input and output counts are inclusive in both forms."""
    left = Unmapped()
    usage = read_usage(expect(wire, OBJECT), USAGE, USAGE_DETAILS, left)
    left.attach(usage, DIALECT)
    return usage
