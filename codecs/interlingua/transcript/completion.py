"""Completes a message that is added to a transcript: its id, its timestamp, and the ids of its calls."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from interlingua.call_ids import call_id_of
from interlingua.chat.admission import check_json
from interlingua.clock import timestamp_text
from interlingua.errors import EncodeError
from interlingua.model import TextMessage, ToolRequestMessage, UnknownMessage
from interlingua.transcript.branch_tree import named
from interlingua.transcript.dump import dump_message
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from interlingua.model import AnyMessage, RequestedCall

LEVELS: Final = 200
"""How deep a value may be nested, so that it can be read when it has been stored."""


def as_stored(message: AnyMessage, old: AnyMessage | None = None) -> AnyMessage:
    """Return a message as a store gives it back: dates, tuples and the like in free-form JSON become JSON.

    `old` is the message in its place: of a request with many calls, of which one is marked, only that one is checked.

    Raises:
        InvalidArgumentError: a value cannot be written as JSON. The message has its path and type.
    """
    if isinstance(message, UnknownMessage) or _is_plain_text(message):
        return message
    refused: InvalidArgumentError
    try:
        check_json(message, LEVELS, checked=old.data.calls if isinstance(old, ToolRequestMessage) else ())
    except InvalidArgumentError as error:
        refused = error
    else:
        return message
    try:
        stored = type(message).model_validate(dump_message(message))
        check_json(stored, LEVELS)
    except (EncodeError, InvalidArgumentError, ValidationError):
        pass
    else:
        return stored
    raise refused


def _is_plain_text(message: AnyMessage) -> bool:
    """Tell, cheaply, whether a message has no place for free-form JSON; most have none."""
    return (
        isinstance(message, TextMessage)
        and isinstance(message.data.content, str)
        and message.metadata is None
        and message.extra is None
        and message.answer is None
    )


def completed(
    message: AnyMessage,
    new_id: Callable[[], str],
    now: Callable[[], datetime],
    is_open: Callable[[str], bool] = lambda _call_id: False,
) -> AnyMessage:
    """Return a message with an id, a timestamp, and an id for each of its calls.

    A call gets a new id if it has none, or if an earlier call of the message or, by `is_open`, an open earlier call has
    the same one, since approvals and results could not be told apart. An unknown message is never rewritten.

    Raises:
        TranscriptError: the new id is empty.
        ClockError: the clock returns a datetime without a time zone.
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
    """Return a message with an id; an unknown message as it is.

    Raises:
        TranscriptError: the new id is empty.
    """
    if isinstance(message, UnknownMessage) or message.id is not None:
        return message
    return message.model_copy(update={"id": named(new_id())})


def _identified(
    calls: tuple[RequestedCall, ...], new_id: Callable[[], str], is_open: Callable[[str], bool]
) -> tuple[RequestedCall, ...] | None:
    """Return the calls with unique ids, or None if they already have them."""
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
