"""The accumulators of the official clients, fed with frames; clients of a real server are in `support.clients`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from anthropic.lib.streaming._messages import accumulate_event
from anthropic.types import Message, RawMessageStreamEvent
from pydantic import TypeAdapter

if TYPE_CHECKING:
    from collections.abc import Iterable

_EVENTS: Final[TypeAdapter[Any]] = TypeAdapter(RawMessageStreamEvent)


def claude_message(frames: Iterable[Any]) -> Message:
    """Return what the official accumulator of Claude makes of frames."""
    snapshot: Any = None
    buffers: Any = {}
    for frame in frames:
        snapshot = accumulate_event(event=_EVENTS.validate_python(frame), current_snapshot=snapshot, json_bufs=buffers)
    assert snapshot is not None
    return Message.model_validate(snapshot.model_dump())
