"""Finds the message whose call each result answers, in linear time."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.context.facts import CallFacts, Facts

__all__ = ["calling_messages"]


def calling_messages(facts: Sequence[Facts]) -> dict[int, int]:
    """Return for each result the index of the message with its call; results without a call are left out.

    A result belongs to the nearest call before it that has its id and no result yet, else to the nearest with its id,
    else to the first call with that id after it. One without an id belongs to a call of the last turn before it, by the
    name of its tool, then by order.
    """
    open_calls: dict[str, list[int]] = {}
    nearest: dict[str, int] = {}
    first: dict[str, int] = {}
    turn = _Turn()
    found: dict[int, int] = {}
    for index, one in enumerate(facts):
        if one.speaker == "assistant":
            turn.take(index, one.calls)
            for call in one.calls:
                for identifier in call.ids:
                    open_calls.setdefault(identifier, []).append(index)
                    nearest[identifier] = index
                    first.setdefault(identifier, index)
        elif one.speaker == "result":
            if one.call_id is None:
                calling_index = turn.answer(one.tool)
            else:
                waiting = open_calls.get(one.call_id)
                calling_index = waiting.pop() if waiting else nearest.get(one.call_id)
            if calling_index is not None:
                found[index] = calling_index
    for index, one in enumerate(facts):
        if one.speaker == "result" and index not in found and one.call_id in first:
            found[index] = first[one.call_id]
    return found


class _Turn:
    """The calls of the last assistant turn, for results without a call id."""

    def __init__(self) -> None:
        self._calls: deque[int] = deque()
        self._by_name: dict[str | None, deque[int]] = {}
        self._last: int | None = None
        self._is_answered = False

    def take(self, index: int, calls: Sequence[CallFacts]) -> None:
        """Add the next assistant message; after a result it begins another turn."""
        if self._is_answered:
            self._calls.clear()
            self._by_name.clear()
            self._last, self._is_answered = None, False
        for call in calls:
            self._calls.append(index)
            self._by_name.setdefault(call.name, deque()).append(index)
            self._last = index

    def answer(self, name: str | None) -> int | None:
        """Return the message whose call a result answers, or None."""
        self._is_answered = True
        named = self._by_name.get(name)
        if named:
            return named.popleft()
        return self._calls.popleft() if self._calls else self._last
