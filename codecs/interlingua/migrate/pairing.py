"""Which calls of a conversation have been answered, and which of them a result answers.

A result names its call by id. One without an id answers the first open call of its name, else the first open call; the
calls of the last turn before older ones, which most likely were never answered.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua_types import CURRENT
from interlingua_types.unions import UNIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua_types.current.tags import MessageTag


Place: TypeAlias = tuple[int, int]
"""A call: the index of its message, and its own index there."""


def _stands_in_turn(kind: MessageTag) -> bool:
    """Tell whether a message of a type stands within a turn, whoever it is of; a new type is to be decided here."""
    match kind:
        case "opaque" | "reasoning" | "system_control" | "tool_request" | "tool_result":
            return True
        case "compaction" | "file_reference" | "image" | "mcp_resource" | "text":
            return False


_KINDS: Final = cast("Iterable[MessageTag]", UNIONS[CURRENT]["message"].variants)
_IN_TURN: Final = frozenset(filter(_stands_in_turn, _KINDS))


class OpenCalls:
    """The calls that wait for a result, in order. Those of the last turn come first."""

    __slots__ = ("_all", "_by_id", "_is_answering", "_open", "_turn")

    def __init__(self) -> None:
        self._open: Final[set[Place]] = set()
        self._by_id: Final[dict[str, Place]] = {}
        self._all: Final = _Queues()
        self._turn = _Queues()
        self._is_answering = False

    def add(self, place: Place, call: dict[str, Any]) -> None:
        """Note a call. An id that was used before means the new call from now on. After an answer a turn begins."""
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
        """Note that somebody else spoke: what is called from now on is called in another turn."""
        self._turn = _Queues()
        self._is_answering = False

    def answer(self, call_id: str | None, name: str | None) -> Place | None:
        """Return the call that a result answers, which is no longer open then, or None."""
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
        """Return the first open call of a queue; answered ones leave it for good, so the cost stays linear."""
        while places:
            if places[0] in self._open:
                return places[0]
            places.popleft()
        return None


class _Queues:
    """Calls in the order in which they were made, all of them and those of each tool."""

    __slots__ = ("by_name", "in_order")

    def __init__(self) -> None:
        self.by_name: Final[dict[str, deque[Place]]] = {}
        self.in_order: Final[deque[Place]] = deque()

    def add(self, place: Place, name: str) -> None:
        self.in_order.append(place)
        self.by_name.setdefault(name, deque()).append(place)


def is_in_turn(kind: str, role: str | None) -> bool:
    """Tell whether a message of a transcript stands within a turn of calls and results, by its type and its role."""
    return kind in _IN_TURN or role == "assistant"


def answered_calls(messages: list[dict[str, Any]], version: int = CURRENT) -> set[Place]:
    """Return the calls that have a result among the transcript messages of a version."""
    calls = OpenCalls()
    answered: set[Place] = set()
    for index, message in enumerate(messages):
        kind = message.get("type") if message.get("schema_version") == version else None  # unknown ones say nothing
        if kind == "tool_request":
            for order, requested in enumerate(message["data"]["calls"]):
                calls.add((index, order), requested["call"])
        elif kind == "tool_result":
            place = calls.answer(message["data"].get("call_id"), message["data"].get("name"))
            if place is not None:
                answered.add(place)
        elif kind is not None and not is_in_turn(kind, message["data"].get("role")):
            calls.end_turn()
    return answered
