"""What a message gets when it is added to a transcript: an id, the moment, and ids for its calls."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from interlingua.call_ids import call_id_of
from interlingua.clock import timestamp_text
from interlingua.model import ToolRequestMessage, UnknownMessage
from interlingua.transcript.branch_tree import named

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from interlingua.model import AnyMessage, RequestedCall


def completed(
    message: AnyMessage,
    new_id: Callable[[], str],
    now: Callable[[], datetime],
    is_open: Callable[[str], bool] = lambda _call_id: False,
) -> AnyMessage:
    """Return a message with an id and the moment where it has none, and with an id for each of its calls.

    A call without an id gets one, and so does one whose id an earlier call of the same message has, or an earlier one
    that is still open, as `is_open` says: else nobody could say which of the two was approved, or has run. An unknown
    message is never rewritten.

    Raises:
        TranscriptError: the new id is empty.
        ClockError: the clock does not say of which time zone it is.
    """
    if isinstance(message, UnknownMessage):
        return message
    changes: dict[str, Any] = {}
    if message.id is None:
        changes["id"] = named(new_id())
    if message.created_at is None:
        changes["created_at"] = timestamp_text(now)
    if isinstance(message, ToolRequestMessage):
        calls = _identified(message.data.calls, new_id, is_open)
        if calls is not None:
            changes["data"] = message.data.model_copy(update={"calls": calls})
    return message.model_copy(update=changes) if changes else message


def with_id(message: AnyMessage, new_id: Callable[[], str]) -> AnyMessage:
    """Return a message with an id where it has none; an unknown message as it is.

    Raises:
        TranscriptError: the new id is empty.
    """
    if isinstance(message, UnknownMessage) or message.id is not None:
        return message
    return message.model_copy(update={"id": named(new_id())})


def _identified(
    calls: tuple[RequestedCall, ...], new_id: Callable[[], str], is_open: Callable[[str], bool]
) -> tuple[RequestedCall, ...] | None:
    """Return the calls with an id each, or None where they have one already."""
    taken: set[str] = set()
    found: list[RequestedCall] = []
    for requested in calls:
        call_id = call_id_of(requested.call)
        if call_id is None or call_id in taken or is_open(call_id):
            call_id = named(new_id())
            call = requested.call.model_copy(update={"id": call_id})
            found.append(requested.model_copy(update={"call": call}))
        else:
            found.append(requested)
        taken.add(call_id)
    return None if all(map(operator.is_, found, calls)) else tuple(found)
