"""What an event of a stream notes for its own dialect: members under `extra.<dialect>`, and how it was spelled.

Source: docs/design.md, section 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.spi.extra import NOTHING, own_extra

if TYPE_CHECKING:
    from collections.abc import Mapping

Event: TypeAlias = "dict[str, Any]"

MORE, SILENT = "more", "silent"
# What a call notes for its frame alone.
_OF_FRAMES: Final = frozenset({"frame", "moment"})


def noted(event: Event, dialect: str, member: str, value: Any) -> Event:
    """Put a member under `extra.<dialect>` of an event that has just been made, and return it."""
    event.setdefault("extra", {}).setdefault(dialect, {})[member] = value
    return event


def spelled(event: Event, dialect: str, name: str, word: Any) -> Event:
    """Put a note on spelling on an event that has just been made, and return it."""
    event.setdefault("extra", {}).setdefault(dialect, {}).setdefault("spelling", {})[name] = word
    return event


def said_first(events: list[Event]) -> Event:
    """Return the event of the text that a frame says; of a frame without one, its last event."""
    return next((event for event in events if event["type"] == "content"), events[-1])


def spelling(event: Mapping[str, Any], dialect: str) -> Mapping[str, Any]:
    """Return the notes on spelling of an event."""
    if "extra" not in event:
        return NOTHING
    notes: Mapping[str, Any] = own_extra(event, dialect).get("spelling", NOTHING)
    return notes


def call_of(event: Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return the call that a `tool_call_start` begins, without what the event holds for its frame or for others."""
    call = {name: event[name] for name in ("id", "name", "kind", "arguments") if name in event}
    extra_of = {name: value for name, value in own_extra(event, dialect).items() if name not in _OF_FRAMES}
    return {**call, "extra": {dialect: extra_of}} if extra_of else call


def with_more(events: list[Event], dialect: str) -> list[Event]:
    """Say of events that came in one frame that they did: all but the last carry `frame: more`."""
    for event in events[:-1]:
        spelled(event, dialect, "frame", MORE)
    return events
