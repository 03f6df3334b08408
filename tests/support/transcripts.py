"""Messages of transcripts, short to write, and a transcript whose ids and times are the same in every run."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import interlingua as il

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)


def clock() -> Callable[[], datetime]:
    """Return a clock that advances by a second with each call."""
    seconds = count()
    return lambda: BEGIN + timedelta(seconds=next(seconds))


def names(prefix: str = "id") -> Callable[[], str]:
    """Return a function that makes new ids."""
    numbers = count(1)
    return lambda: f"{prefix}{next(numbers)}"


def transcript(messages: Iterable[Any] = (), **members: Any) -> Any:
    """Return a transcript with counted ids and times: of any type, since a test knows the type of each message."""
    return il.Transcript(messages, **{"id": "t", "new_id": names(), "now": clock(), **members})


def said(role: str, content: Any = "x", **members: Any) -> il.TextMessage:
    """Return a message of a role."""
    return il.TextMessage(data=il.TextData(role=il.MessageRole(role), content=content), **members)


def user(content: Any = "x", **members: Any) -> il.TextMessage:
    """Return a text of the user."""
    return said("user", content, **members)


def call(identifier: str | None, name: str = "look_up", **arguments: Any) -> il.ToolCall:
    """Return a call."""
    return il.ToolCall(id=identifier, name=name, arguments=arguments)


def request(*calls: il.ToolCall, status: Any = "pending", **members: Any) -> il.ToolRequestMessage:
    """Return a request for calls, all with one approval."""
    requested = tuple(il.RequestedCall(call=one, approval=il.Approval(status=status)) for one in calls)
    return il.ToolRequestMessage(data=il.ToolRequestData(calls=requested), **members)


def result(call_id: str | None, output: Any = "done", **data: Any) -> il.ToolResultMessage:
    """Return the result of a call."""
    return il.ToolResultMessage(data=il.ToolResultData(call_id=call_id, status="success", output=output, **data))


def mode(new: str, old: str = "plan") -> il.SystemControlMessage:
    """Return a change of mode."""
    control = il.ModeChangeControl(old_mode=old, new_mode=new)
    return il.SystemControlMessage(data=il.SystemControlData(control=control))


def texts(messages: Iterable[Any]) -> list[Any]:
    """Return the content of messages: of a text its content, else the type."""
    return [message.data.content if message.type == "text" else message.type for message in messages]
