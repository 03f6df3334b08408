"""Which messages of a transcript were summarised: the summary of a compaction stands for them when a model is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from interlingua.call_ids import call_id_of
from interlingua.model import (
    CompactionMessage,
    SystemControlMessage,
    TextMessage,
    ToolRequestMessage,
    ToolResultMessage,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.model import AnyMessage, ChatMessage, CompactionData

INSTRUCTIONS: Final = frozenset({"system", "developer"})


@dataclass(frozen=True, slots=True)
class Compacted:
    """What the compactions of a list of messages make of it, by the places of messages.

    `hidden` are the messages that were summarised, and are not told. `places` has, for each compaction that is told,
    the place of the message before which it is told.
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
    for the instructions at the beginning. A call and its results, of which only some were summarised, are
    told all the same: no provider takes the one without the others.
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
    told = {index: place for index, place in places.items() if index not in hidden}
    return Compacted(frozenset(hidden - _torn(messages, hidden)), told)


def _torn(messages: Sequence[Any], hidden: set[int]) -> set[int]:
    """Return the places of calls and their results of which some are hidden and some are not, and what they join."""
    asked: dict[str | None, int] = {}
    answers: dict[int, set[int]] = {}
    for index, message in enumerate(messages):
        if isinstance(message, ToolRequestMessage):
            asked |= {call_id_of(requested.call): index for requested in message.data.calls}
        elif isinstance(message, ToolResultMessage) and message.data.call_id in asked:
            answers.setdefault(asked[message.data.call_id], set()).add(index)
    found: set[int] = set()
    for request, results in answers.items():
        pair = {request, *results}
        if not pair.isdisjoint(hidden) and not pair <= hidden:
            found |= results | _joined(messages, request)
    return found


def _joined(messages: Sequence[Any], index: int) -> set[int]:
    """Return the places of the messages that are folded into one with a message, such as thoughts before a call."""
    first, end = index, index + 1
    while first > 0 and messages[first].joins:
        first -= 1
    while end < len(messages) and messages[end].joins:
        end += 1
    return set(range(first, end))


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
        is_prompt = isinstance(message, TextMessage) and message.data.role in INSTRUCTIONS
        if not is_prompt and not isinstance(message, SystemControlMessage):
            return index
    return len(messages)
