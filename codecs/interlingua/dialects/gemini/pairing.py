"""Which call a result answers: by its id, else by the name of its function, else by order among those still open."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.model_shapes import ToolCall, ToolChatMessage


class Pairing:
    """The calls of a conversation, as far as it has been read. Every call is looked at a fixed number of times."""

    def __init__(self) -> None:
        # The names of all functions that were called with an id.
        self._names: dict[str, str] = {}
        # The calls that may still be answered, by their number: in order, and by name. A number that was answered
        # otherwise is dropped when its turn comes.
        self._count = 0
        self._called: dict[int, str] = {}
        self._order: deque[int] = deque()
        self._by_name: dict[str, deque[int]] = {}
        self._by_id: dict[str, int] = {}

    def ask(self, calls: Sequence[ToolCall]) -> None:
        """Take the calls of an answer."""
        for call in calls:
            name = call["name"]
            if "id" in call:
                self._names[call["id"]] = name
                self._by_id[call["id"]] = self._count
            self._called[self._count] = name
            self._order.append(self._count)
            self._by_name.setdefault(name, deque()).append(self._count)
            self._count += 1

    def close(self) -> None:
        """Take something else than an answer or a result: no call is open any more."""
        if self._called:
            self._called.clear()
            self._order.clear()
            self._by_name.clear()
            self._by_id.clear()

    def answer(self, message: ToolChatMessage) -> str | None:
        """Return the name of the function that a result answers, or None where no call is known."""
        identifier = message.get("call_id", message.get("id"))
        if identifier is not None:
            self._called.pop(self._by_id.pop(identifier, -1), None)
            return self._names.get(identifier)
        for waiting in (self._by_name.get(message.get("name", "")), self._order):
            while waiting:
                asked = self._called.pop(waiting.popleft(), None)
                if asked is not None:
                    return asked
        return None
