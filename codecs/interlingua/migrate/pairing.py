"""Pairs tool results with calls in stored conversations.

A result names its call by id. One without an id answers the first open call of its tool, else the first open call;
calls of the last turn come before older ones, which most likely were never answered.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.json_types import is_object
from interlingua_types import CURRENT
from interlingua_types.unions import UNIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua_types.current.tags import MessageTag


Place: TypeAlias = tuple[int, int]
"""A call: the index of its message, and its own index there."""


def _stands_in_turn(kind: MessageTag) -> bool:
    """Tell whether a message type belongs to a turn whatever its role; a new type must be decided here."""
    match kind:
        case "opaque" | "reasoning" | "system_control" | "tool_request" | "tool_result":
            return True
        case "compaction" | "file_reference" | "image" | "mcp_resource" | "text":
            return False


_KINDS: Final = cast("Iterable[MessageTag]", UNIONS[CURRENT]["message"].variants)
_IN_TURN: Final = frozenset(filter(_stands_in_turn, _KINDS))


class OpenCalls:
    """The calls without a result, in order. Those of the last turn come first."""

    __slots__ = ("_all", "_by_id", "_is_answering", "_open", "_turn")

    def __init__(self) -> None:
        self._open: Final[set[Place]] = set()
        self._by_id: Final[dict[str, Place]] = {}
        self._all: Final = _Queues()
        self._turn = _Queues()
        self._is_answering = False

    def add(self, place: Place, call: dict[str, Any]) -> None:
        """Add a call. A repeated id refers to the new call from now on. After a result a new turn begins."""
        if self._is_answering:
            self.end_turn()
        self._open.add(place)
        self._all.add(place, call["name"])
        self._turn.add(place, call["name"])
        for member in ("id", "call_id"):
            identifier = call.get(member)
            if identifier is not None:
                self._by_id[identifier] = place

    def end_turn(self) -> None:
        """End the turn: later calls belong to another one."""
        self._turn = _Queues()
        self._is_answering = False

    def answer(self, call_id: str | None, name: str | None) -> Place | None:
        """Return the call that a result answers and close it, or None."""
        place = self.find(call_id, name)
        self._is_answering = True
        if place is not None:
            self._open.remove(place)
        return place

    def find(self, call_id: str | None, name: str | None) -> Place | None:
        """Return the open call that a result would answer, or None."""
        if call_id is not None:
            place = self._by_id.get(call_id)
            return place if place in self._open else None
        queues = (self._turn, self._all)
        named = (each.by_name.get(name or "") for each in queues)
        for queue in (*named, *(each.in_order for each in queues)):
            place = self._first_open(queue)
            if place is not None:
                return place
        return None

    def _first_open(self, places: deque[Place] | None) -> Place | None:
        """Return the first open call of a queue; answered ones are removed, so the total time is linear."""
        while places:
            if places[0] in self._open:
                return places[0]
            places.popleft()
        return None


class _Queues:
    """Calls in order, all of them and by tool."""

    __slots__ = ("by_name", "in_order")

    def __init__(self) -> None:
        self.by_name: Final[dict[str, deque[Place]]] = {}
        self.in_order: Final[deque[Place]] = deque()

    def add(self, place: Place, name: str) -> None:
        self.in_order.append(place)
        self.by_name.setdefault(name, deque()).append(place)


def is_in_turn(kind: str, role: str | None) -> bool:
    """Tell whether a transcript message belongs to a turn of calls and results, by its type and role."""
    return kind in _IN_TURN or role == "assistant"


def answered_calls(messages: list[dict[str, Any]], version: int = CURRENT) -> set[Place]:
    """Return the calls that have a result among the transcript messages of a version."""
    calls = OpenCalls()
    answered: set[Place] = set()
    for index, message in enumerate(messages):
        kind = message.get("type") if message.get("schema_version") == version else None  # unknown ones are ignored
        if kind == "tool_request":
            for order, requested in enumerate(message["data"]["calls"]):
                calls.add((index, order), requested["call"])
        elif kind == "tool_result":
            place = calls.answer(message["data"].get("call_id"), message["data"].get("name"))
            if place is not None:
                answered.add(place)
        elif kind is not None and not is_in_turn(kind, _role_of(message)):
            calls.end_turn()
    return answered


def _role_of(message: dict[str, Any]) -> str | None:
    """Return the role of a message, of which an unknown type may have none, nor an object as its data."""
    data = message.get("data")
    return data.get("role") if is_object(data) else None
