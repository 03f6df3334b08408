"""Checks and fills in the ids of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from interlingua.argument_checks import check_kind_of
from interlingua.call_ids import call_id_of
from interlingua.errors import ToolRequestError
from interlingua.model import ToolRequestMessage

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["check_call_ids", "fill_call_ids"]


def check_call_ids(message: ToolRequestMessage) -> None:
    """Check that every call of a request has a unique id.

    Raises:
        ToolRequestError: a call has no id, or that of an earlier call.
        TypeError: it is not a tool request.
    """
    check_kind_of(message, ToolRequestMessage)
    seen: set[str] = set()
    for position, requested in enumerate(message.data.calls):
        call_id = call_id_of(requested.call)
        if call_id is None:
            raise ToolRequestError("missing_id", position)
        if call_id in seen:
            raise ToolRequestError("duplicate_id", position)
        seen.add(call_id)


def fill_call_ids(
    message: ToolRequestMessage, *, new_id: Callable[[], str] = lambda: str(uuid4())
) -> ToolRequestMessage:
    """Return the request with an id for each call that has none, since some providers send none (Gemini, Ollama).

    If nothing changes, the same message is returned.

    Args:
        message: The tool request.
        new_id: Makes a new id.

    Raises:
        TypeError: it is not a tool request.

    Example:
        >>> request = il.messages.tool_request(il.ToolCall.create("weather", {"city": "Rome"}))
        >>> il.tools.fill_call_ids(request, new_id=lambda: "call_1").data.calls[0].call.id
        'call_1'
    """
    check_kind_of(message, ToolRequestMessage)
    calls = tuple(
        requested.replace(call=requested.call.replace(id=new_id())) if call_id_of(requested.call) is None else requested
        for requested in message.data.calls
    )
    return message if calls == message.data.calls else message.replace(data=message.data.replace(calls=calls))
