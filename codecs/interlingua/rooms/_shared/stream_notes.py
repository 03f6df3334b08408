"""Read and write the `extra.<dialect>` of stream events: members and notes on spelling.

Source: docs/design.md, section 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.spi.extra import NOTHING, own_extra

if TYPE_CHECKING:
    from collections.abc import Mapping

Event: TypeAlias = "dict[str, Any]"

MORE, SILENT = "more", "silent"
# Members that concern only the frame of a call.
_OF_FRAMES: Final = frozenset({"frame", "moment"})


def noted(event: Event, dialect: str, member: str, value: Any) -> Event:
    """Set a member of `extra.<dialect>` on a newly made event, and return the event."""
    event.setdefault("extra", {}).setdefault(dialect, {})[member] = value
    return event


def spelled(event: Event, dialect: str, name: str, word: Any) -> Event:
    """Set a note on spelling on a newly made event, and return the event."""
    event.setdefault("extra", {}).setdefault(dialect, {}).setdefault("spelling", {})[name] = word
    return event


def first_content_event(events: list[Event]) -> Event:
    """Return the first content event of a frame, or its last event if there is none."""
    return next((event for event in events if event["type"] == "content"), events[-1])


def spelling(event: Mapping[str, Any], dialect: str) -> Mapping[str, Any]:
    """Return the notes on spelling of an event, empty if there are none."""
    if "extra" not in event:
        return NOTHING
    notes: Mapping[str, Any] = own_extra(event, dialect).get("spelling", NOTHING)
    return notes


def call_of(event: Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return the call of a `tool_call_start`, without members that concern its frame or other dialects."""
    call = {name: event[name] for name in ("id", "name", "kind", "arguments") if name in event}
    extra_of = {name: value for name, value in own_extra(event, dialect).items() if name not in _OF_FRAMES}
    return {**call, "extra": {dialect: extra_of}} if extra_of else call


def with_more(events: list[Event], dialect: str) -> list[Event]:
    """Mark events as coming from one frame: all but the last get the spelling `frame: more`."""
    for event in events[:-1]:
        spelled(event, dialect, "frame", MORE)
    return events
