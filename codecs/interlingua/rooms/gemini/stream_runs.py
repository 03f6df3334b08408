"""Calls that Google runs itself, as of the tools of MCP servers: their results stand in the same stream.

A client that got such a call would run it again. So, for other dialects, a call is held back until the next content:
its result, with which it is left out as in a whole answer, or anything else, before which it is sent. A finish reason
does not end the wait, since Google may send one with the call, before the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms.gemini.decode_part import opaque_part

if TYPE_CHECKING:
    from interlingua.rooms._shared.stream_writer import Event

_SAYING: Final = frozenset({"content", "reasoning", "refusal", "part"})
_RESULTS: Final = ("functionResponse", "function_response")


class WaitingCalls:
    """The calls of one answer that wait, and what came between them: each with its part, and all its events."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: list[tuple[Any, list[Event]]] = []

    def __bool__(self) -> bool:
        return any(_call_of(events) is not None for _, events in self._waiting)

    def take(self, part: Any, events: list[Event]) -> list[Event]:
        """Take the events of the next part; return those that may be told now."""
        if is_whole_call(events):
            self._waiting.append((part, events))
            return []
        if not self._waiting:
            return events
        result = next((part[name] for name in _RESULTS if name in part), None) if type(part) is dict else None
        if type(result) is dict:
            self._waiting.append((None, events))
            return self._run(result)
        if _SAYING.isdisjoint([event["type"] for event in events]):
            self._waiting.append((part, events))
            return []
        return [*self.told(), *events]

    def told(self) -> list[Event]:
        """Return all events that wait, which wait no longer."""
        waiting, self._waiting = self._waiting, []
        return [event for _, events in waiting for event in events]

    def _run(self, result: dict[str, Any]) -> list[Event]:
        """Return what is told where a result comes: of the call that it answers only that Gemini has it."""
        for at, (part, events) in enumerate(self._waiting):
            call = _call_of(events)
            if call is not None and _is_answered(call, result):
                before, block = events[: events.index(call)], call["block"]
                told: Event = {"type": "part", "block": block, "part": opaque_part(part)}
                self._waiting[at] = (None, [*before, told, {"type": "block_end", "block": block}])
                is_waiting = any(_call_of(others) is not None for _, others in self._waiting)
                return [] if is_waiting else self.told()
        return self.told()


def is_whole_call(events: list[Event]) -> bool:
    """Tell whether the events of a part are those of a whole call."""
    return bool(events) and events[-1]["type"] == "block_end" and _call_of(events) is not None


def _call_of(events: list[Event]) -> Event | None:
    """Return the event that begins a call."""
    return next((event for event in events if event["type"] == "tool_call_start"), None)


def _is_answered(call: Event, result: dict[str, Any]) -> bool:
    """Tell whether a result is that of a call: by its id where both have one, else by the name of the function."""
    if "id" in call and type(result.get("id")) is str:
        return bool(call["id"] == result["id"])
    return bool(call.get("name") == result.get("name"))
