"""Responses to canonical: responses.

Source: reference/wire/openai_responses.md section 2. What repeats the request is kept under one member, `response`.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.reading import OBJECT, Malformed, expect, is_integer, top_object
from interlingua.dialects.openai_responses.decode_message import decode_items
from interlingua.dialects.openai_responses.finish import completed_reason, output_text
from interlingua.dialects.openai_responses.tables import (
    DIALECT,
    ECHO,
    INCOMPLETE_REASONS,
    STATUSES,
    USAGE,
    USAGE_DETAILS,
)

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatResponse


_RESPONSE_MEMBERS: Final = {"id": ("id", str), "model": ("model", str), "created_at": ("created", int)}
_RESPONSE_HABITS: Final = ("object", "status", "error", "incomplete_details")
_READ_BELOW: Final = frozenset({"output", "output_text", "status", "incomplete_details"})


def decode_response(body: Any) -> ChatResponse:
    """Return the canonical response of a `response`. Raises `DecodeError`."""
    try:
        return cast("ChatResponse", _decode_response(top_object(body)))
    except Malformed as malformed:
        raise malformed.error(DIALECT) from None


def _decode_response(body: dict[str, Any]) -> dict[str, Any]:
    response: dict[str, Any] = {"dialect": DIALECT, "messages": []}
    left = Leftovers()
    _decode_members(response, body, left)
    output = body.get("output")
    if type(output) is not list:
        raise Malformed("/output", "expected a list")
    try:
        decode_items(output, response["messages"])
    except Malformed as malformed:
        raise malformed.under("output") from None
    decode_status(response, body, completed_reason(response["messages"]), left)
    if "output_text" in body:
        _decode_output_text(response, body["output_text"], left)
    for name in _RESPONSE_HABITS:
        if name not in body:
            left.absent(name)
    left.attach(response, DIALECT)
    return response


def _decode_members(response: dict[str, Any], body: dict[str, Any], left: Leftovers) -> None:
    """Decode all but what is said and why it ended."""
    for key, value in body.items():
        if key in _RESPONSE_MEMBERS and type(value) is _RESPONSE_MEMBERS[key][1]:
            response[_RESPONSE_MEMBERS[key][0]] = value
        elif key == "created_at" and type(value) is float and value.is_integer():
            response["created"] = int(value)
            left.spelling["created"] = "float"
        elif key == "usage" and type(value) is dict:
            response["usage"] = decode_usage(value)
        elif (key == "object" and value == "response") or (key == "error" and value is None) or key in _READ_BELOW:
            pass
        elif value is None and (key in _RESPONSE_MEMBERS or key == "usage"):
            left.null(key)
        elif key in ECHO:
            left.typed.setdefault("response", {})[key] = value
        else:
            left.fields[key] = value


def decode_status(response: dict[str, Any], body: dict[str, Any], said: str, left: Leftovers) -> None:
    """Decode why the answer ended; one that has not ended has no reason, and its status stays a leftover.

    `said` is what a completed answer says by its output.
    """
    status, details = body.get("status"), body.get("incomplete_details")
    reason: str | None = None
    raw: str | None = None
    if status == "incomplete":
        word = details.get("reason") if type(details) is dict else None
        if type(word) is str and word != status and word not in STATUSES:
            reason = INCOMPLETE_REASONS.get(word, "other")
            raw = None if word in INCOMPLETE_REASONS else word
            left.nest("incomplete_details", rest(expect(details, OBJECT), frozenset({"reason"})))
            details = None
        else:
            reason, raw = "other", status
    elif status == "completed" or status is None:
        reason = said
        if status is None and "status" in body:
            left.null("status")
    elif type(status) is str and status in STATUSES:
        reason = STATUSES[status]
        raw = None if reason == "error" else status
    else:
        left.fields["status"] = status
    if details is not None:
        left.fields["incomplete_details"] = details
    if reason is not None:
        response["finish_reason"] = reason
    if raw is not None:
        response["finish_reason_raw"] = raw


def _decode_output_text(response: dict[str, Any], value: Any, left: Leftovers) -> None:
    """Note the joined text that some vendors add; one that says anything else is a leftover."""
    if type(value) is str and value == output_text(response["messages"]):
        left.spelling["output_text"] = "joined"
    else:
        left.fields["output_text"] = value


def decode_usage(wire: Any) -> dict[str, Any]:
    """Decode `usage`; input and output are inclusive on both sides."""
    usage: dict[str, Any] = {}
    left = Leftovers()
    expect(wire, OBJECT)
    for key, value in wire.items():
        if key in USAGE and is_integer(value):
            usage[USAGE[key]] = value
        elif key in USAGE_DETAILS and type(value) is dict:
            nested = {}
            for name, count in value.items():
                if name in USAGE_DETAILS[key] and type(count) is int:
                    usage[USAGE_DETAILS[key][name]] = count
                elif count is None and name in USAGE_DETAILS[key]:
                    left.null(f"{key}.{name}")
                else:
                    nested[name] = count
            if nested or not value:
                left.fields[key] = nested
        elif value is None and (key in USAGE or key in USAGE_DETAILS):
            left.null(key)
        else:
            left.fields[key] = value
    left.attach(usage, DIALECT)
    return usage
