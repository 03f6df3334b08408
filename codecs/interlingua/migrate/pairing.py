"""Which calls of a conversation have been answered, and which of them a result answers.

A result names its call by id. One without an id answers the first open call of its name, else the first open call.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final, TypeAlias

from interlingua_types import CURRENT

Place: TypeAlias = tuple[int, int]
"""A call: the index of its message, and its own index there."""


class OpenCalls:
    """The calls that wait for a result, in order."""

    __slots__ = ("_by_id", "_by_name", "_in_order", "_open")

    def __init__(self) -> None:
        self._open: Final[set[Place]] = set()
        self._by_id: Final[dict[str, Place]] = {}
        self._by_name: Final[dict[str, deque[Place]]] = {}
        self._in_order: Final[deque[Place]] = deque()

    def add(self, place: Place, call: dict[str, Any]) -> None:
        """Note a call. An id that was used before means the new call from now on."""
        self._open.add(place)
        self._in_order.append(place)
        self._by_name.setdefault(call["name"], deque()).append(place)
        for member in ("id", "call_id"):
            identifier = call.get(member)
            if identifier is not None:
                self._by_id[identifier] = place

    def answer(self, call_id: str | None, name: str | None) -> Place | None:
        """Return the call that a result answers, which is no longer open then, or None."""
        if call_id is not None:
            place = self._by_id.get(call_id)
            place = place if place in self._open else None
        else:
            place = self._first_open(self._by_name.get(name or "")) or self._first_open(self._in_order)
        if place is not None:
            self._open.remove(place)
        return place

    def _first_open(self, places: deque[Place] | None) -> Place | None:
        """Return the first open call of a queue; answered ones leave it for good, so the cost stays linear."""
        while places:
            if places[0] in self._open:
                return places[0]
            places.popleft()
        return None


def answered_calls(messages: list[dict[str, Any]]) -> set[Place]:
    """Return the calls that have a result among the transcript messages."""
    calls = OpenCalls()
    answered: set[Place] = set()
    for index, message in enumerate(messages):
        kind = message.get("type") if message.get("schema_version") == CURRENT else None  # unknown ones say nothing
        if kind == "tool_request":
            for order, requested in enumerate(message["data"]["calls"]):
                calls.add((index, order), requested["call"])
        elif kind == "tool_result":
            place = calls.answer(message["data"].get("call_id"), message["data"].get("name"))
            if place is not None:
                answered.add(place)
    return answered
