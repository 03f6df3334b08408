"""Calls in one piece, for dialects that do not stream arguments (Gemini, Ollama)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Event: TypeAlias = "dict[str, Any]"


class WholeCalls:
    """Gathers the fragments of each call until its block ends; `stray` is told those that belong to no open call."""

    def __init__(self, stray: Callable[[Event], None]) -> None:
        self._stray = stray
        self._open: dict[int, tuple[int, Event, list[str]]] = {}
        self._told: dict[int, int] = {}

    def feed(self, number: int, event: Event) -> tuple[int, Event] | None:
        """Take an event of a call; return its number and whole start event once the call has ended, else None."""
        kind, block = event["type"], event.get("block")
        if kind == "tool_call_start":
            self._open[block] = (number, event, [])  # type: ignore[index]  # the events of calls have a block
        elif kind == "tool_call_delta":
            self._add(number, event)
        elif kind == "block_end" and block in self._open:
            return self._whole(block)
        return None

    def _add(self, number: int, event: Event) -> None:
        block = event["block"]
        if block not in self._open:
            self._stray(event)
            return
        self._open[block][2].append(event["arguments"])
        self._told.setdefault(block, number)

    def told(self, event: Event, number: int) -> int:
        """Return the number of the event that told the arguments of a call, first: its start has the number given."""
        return self._told.get(event["block"], number)

    def close(self) -> list[tuple[int, Event]]:
        """Return the calls that are still open, in the order of their opening: the stream is over."""
        return [self._whole(block) for block in list(self._open)]

    def _whole(self, block: int) -> tuple[int, Event]:
        number, event, pieces = self._open.pop(block)
        if pieces:
            text = "".join(pieces)
            given = event.get("arguments")
            event = {**event, "arguments": given + text if type(given) is str else text}
        elif "arguments" not in event:
            event = {**event, "arguments": ""}
        return number, event
