"""Join an answer that a server has split over two choices of a stream, with its calls in the second one.

`split_answers` does the same for whole answers. Only abroad: at home both choices are restored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlingua.events import RANKS
from interlingua.rooms._shared.stream_notes import noted

if TYPE_CHECKING:
    from interlingua.rooms._shared.stream_writer import Event


class SplitAnswer:
    """Holds the finish of a first choice that ends for calls and has none, and another choice with only calls."""

    def __init__(self, dialect: str, *, is_whole: bool) -> None:
        self._dialect = dialect
        self._is_whole = is_whole  # whether the first choice is an answer of its own
        self._finish: Event | None = None
        self._joined: int | None = None
        self._held: dict[int, list[Event]] = {}
        self._own: set[int] = set()  # choices that are answers of their own

    @property
    def waiting(self) -> list[Event]:
        """The held events of a choice."""
        return next(iter(self._held.values()), [])

    def first(self, events: list[Event], *, called: bool) -> list[Event]:
        """Return the events of the first choice that are certain, and those that were held for them."""
        finish = next((event for event in events if event["type"] == "finish"), None)
        if called or (finish is not None and finish["reason"] != "tool_calls"):
            return [*events, *self.rest()]
        if finish is None or self._is_whole:
            return events
        self._finish = finish
        return [*(event for event in events if event is not finish), *self._join()]

    def other(self, which: int, events: list[Event]) -> list[Event]:
        """Return the events of another choice that are certain: one with more than calls is another answer."""
        if which == self._joined:
            return self._moved(events)
        if any(map(_has_content, events)):
            self._own.add(which)
        if self._is_whole or which in self._own:
            return [*self._held.pop(which, ()), *events]
        self._held.setdefault(which, []).extend(events)
        return self._join()

    def rest(self) -> list[Event]:
        """Return the held events: the first choice is an answer of its own."""
        held = [event for events in self._held.values() for event in events]
        finish = [] if self._finish is None else [self._finish]
        self._finish, self._held, self._is_whole = None, {}, True
        return [*finish, *held]

    def _join(self) -> list[Event]:
        calling = [which for which, events in self._held.items() if any(map(_is_call, events))]
        if self._finish is None or len(calling) != 1:
            return []
        self._joined = calling[0]
        events = self._held.pop(self._joined)
        noted(next(filter(_is_call, events)), self._dialect, "choice", {"index": self._joined})
        return self._moved(events)

    def _moved(self, events: list[Event]) -> list[Event]:
        """Return events of another choice as those of the first one."""
        for event in events:
            event.pop("alternative", None)
            if event["type"] == "finish":
                self._finish = None
        return events


def _is_call(event: Event) -> bool:
    return bool(event["type"] == "tool_call_start")


def _has_content(event: Event) -> bool:
    """Tell whether an event has content that is no call."""
    return event["type"] in RANKS and not _is_call(event) and event.get("text") != ""
