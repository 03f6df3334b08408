"""Which result answers which call, along one branch.

A result names its call by id; an id that is used again means the newer call. A result without an id answers the first
open call of its tool, else the first open call; calls of the last turn come before older ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.migrate.pairing import OpenCalls, Place, is_in_turn
from interlingua.model import ToolRequestMessage, ToolResultMessage, UnknownMessage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model import AnyMessage, Message
    from interlingua.transcript.branch_tree import BranchTree

__all__ = ["Answers", "Place"]


class Answers:
    """The calls of a branch and their results. It reads on where it stopped, so all reading together is linear."""

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
            self._calls.end_turn()  # an unknown one says nothing
        self._read = position + 1

    @property
    def results(self) -> Mapping[Place, int]:
        """The position of the result of each answered call; a call is its message's position and its own place there.

        Not to be changed.
        """
        return self._results

    def is_open(self, call_id: str) -> bool:
        """Tell whether a call of that id waits for its result."""
        return self._calls.find(call_id, None) is not None

    def find(self, name: str | None) -> Place | None:
        """Return the open call that a result without an id would answer."""
        return self._calls.find(None, name)


def _role(message: Message) -> str | None:
    """Return who speaks, where the message says it."""
    return getattr(message.data, "role", None)
