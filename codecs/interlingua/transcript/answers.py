"""Pairs tool results with calls along one branch.

A result names its call by id; an id that is used again means the newer call. A result without an id answers the first
open call of its tool, else the first open call; calls of the last turn come before older ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.migrate.pairing import OpenCalls, Place, is_in_turn
from interlingua.model import ToolRequestMessage, ToolResultMessage, UnknownMessage
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.model import AnyMessage, Message
    from interlingua.transcript.branch_tree import BranchTree

__all__ = ["Answers", "Place", "ResultPlaces", "is_paired_alike"]


class Answers:
    """The calls of a branch and their results. Reading is incremental, so that its total time is linear."""

    __slots__ = ("_calls", "_read", "_results")

    def __init__(self) -> None:
        self._calls: Final = OpenCalls()
        self._results: Final[dict[Place, int]] = {}
        self._read = 0

    def read(self, tree: BranchTree, branch: str) -> None:
        """Read the messages of the branch that have been added since."""
        for position in range(self._read, tree.length(branch)):
            self.take(position, tree.at(branch, position))

    def take(self, position: int, message: AnyMessage) -> None:
        """Read the message at a position, which comes next."""
        if isinstance(message, ToolRequestMessage):
            for order, requested in enumerate(message.data.calls):
                call = requested.call
                self._calls.add((position, order), {"name": call.name, "id": call.id, "call_id": call.call_id})
        elif isinstance(message, ToolResultMessage):
            place = self._calls.answer(message.data.call_id, message.data.name)
            if place is not None:
                self._results[place] = position
        elif not isinstance(message, UnknownMessage) and not is_in_turn(message.type, _role(message)):
            self._calls.end_turn()  # unknown messages are ignored
        self._read = position + 1

    @property
    def results(self) -> Mapping[Place, int]:
        """The position of the result of each answered call, given by its message's position and its index there."""
        return self._results

    def is_open(self, call_id: str) -> bool:
        """Tell whether a call with that id has no result yet."""
        return self._calls.find(call_id, None) is not None

    def find(self, name: str | None) -> Place | None:
        """Return the open call that a result without an id would answer."""
        return self._calls.find(None, name)


class ResultPlaces:
    """The indexes of the results of each call among the entries of a transcript. Reading is incremental."""

    __slots__ = ("_places", "_read")

    def __init__(self) -> None:
        self._places: Final[dict[str, list[int]]] = {}
        self._read = 0

    def of(self, call_id: str, entries: Sequence[AnyMessage]) -> Sequence[int]:
        """Return the indexes of the results of a call, in order."""
        check_text(call_id, "call_id", may_be_empty=True)
        for place in range(self._read, len(entries)):
            message = entries[place]
            if isinstance(message, ToolResultMessage) and message.data.call_id is not None:
                self._places.setdefault(message.data.call_id, []).append(place)
        self._read = len(entries)
        return self._places.get(call_id, ())


def is_paired_alike(one: AnyMessage, other: AnyMessage) -> bool:
    """Tell whether two messages are interchangeable for the pairing of results with calls."""
    return _pairing_facts(one) == _pairing_facts(other)


def _pairing_facts(message: AnyMessage) -> tuple[Any, ...]:
    """Return everything in a message that matters for the pairing."""
    if isinstance(message, ToolRequestMessage):
        calls = (requested.call for requested in message.data.calls)
        return message.type, *((call.name, call.id, call.call_id) for call in calls)
    if isinstance(message, ToolResultMessage):
        return message.type, message.data.call_id, message.data.name
    return (None,) if isinstance(message, UnknownMessage) else ("", is_in_turn(message.type, _role(message)))


def _role(message: Message) -> str | None:
    """Return the role of a message, if it has one."""
    return getattr(message.data, "role", None)
