"""Which messages of a transcript were summarised: the summary of a compaction stands for them when a model is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from interlingua.model import CompactionMessage, SystemControlMessage, TextMessage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.model import AnyMessage, ChatMessage, CompactionData

_INSTRUCTIONS: Final = frozenset({"system", "developer"})


@dataclass(frozen=True, slots=True)
class Compacted:
    """What the compactions of a list of messages make of it, by the places of messages.

    `hidden` are the messages that were summarised. `places` has, for each compaction that is told, the place of the
    message before which it is told.
    """

    hidden: frozenset[int]
    places: Mapping[int, int]

    def order(self, length: int) -> list[int]:
        """Return the places of the messages that are told, in the order in which they are told."""
        if not self.places:
            return list(range(length))
        before: dict[int, list[int]] = {}
        for index, place in self.places.items():
            before.setdefault(place, []).append(index)
        order: list[int] = []
        for index in range(length):
            order += before.get(index, ())
            if index not in self.hidden and index not in self.places:
                order.append(index)
        return order


def compacted(messages: Sequence[AnyMessage | ChatMessage]) -> Compacted:
    """Return what the compactions make of messages.

    A compaction summarises the messages from `first_id` to `last_id`, an earlier compaction among them. Where the last
    one is not there, those that were summarised stand before the messages given: the summary is told first of all, but
    for the instructions at the beginning.
    """
    at = [index for index, message in enumerate(messages) if isinstance(message, CompactionMessage)]
    if not at:
        return Compacted(frozenset(), {})
    beginning = _after_instructions(messages)
    known: dict[str | None, int] = {getattr(message, "id", None): at for at, message in enumerate(messages)}
    hidden: set[int] = set()
    places: dict[int, int] = {}
    for index in at:
        data: CompactionData = _data(messages[index])
        first, end = _range(data, known, index, beginning)
        hidden.update(range(first, end))
        places[index] = first
    return Compacted(frozenset(hidden), {index: place for index, place in places.items() if index not in hidden})


def _data(message: Any) -> CompactionData:
    data: CompactionData = message.data
    return data


def _range(data: CompactionData, known: Mapping[str | None, int], index: int, beginning: int) -> tuple[int, int]:
    """Return the places of the messages that a compaction summarises: from the first to before the second."""
    first = beginning if data.first_id is None else min(known.get(data.first_id, beginning), index)
    if data.last_id is None:
        return min(first, index), index
    last = known.get(data.last_id)
    if last is None:
        return min(beginning, index), min(beginning, index)
    return (first, last + 1) if first <= last < index else (index, index)


def _after_instructions(messages: Sequence[Any]) -> int:
    """Return the place after the instructions at the beginning, and what no model is told among them."""
    for index, message in enumerate(messages):
        is_prompt = isinstance(message, TextMessage) and message.data.role in _INSTRUCTIONS
        if not is_prompt and not isinstance(message, SystemControlMessage):
            return index
    return len(messages)
