"""Applies compactions: determines which messages are summarised, and where the summary takes their place."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from interlingua.call_ids import call_id_of
from interlingua.model import (
    CompactionMessage,
    SystemControlMessage,
    TextMessage,
    ToolRequestMessage,
    ToolResultMessage,
    UnknownMessage,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.model import AnyMessage, ChatMessage, CompactionData

INSTRUCTIONS: Final = frozenset({"system", "developer"})


@dataclass(frozen=True, slots=True)
class Compacted:
    """The effect of the compactions in a list of messages, by index.

    `hidden` are the summarised messages, which are left out. `places` has, for each effective compaction, the index of
    the message before which its summary goes, `ranges` the indexes that it summarises.
    """

    hidden: frozenset[int]
    places: Mapping[int, int]
    ranges: Mapping[int, range]

    def order(self, length: int) -> list[int]:
        """Return the indexes of the messages that remain, in their new order."""
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
    """Return the effect of the compactions in messages.

    A compaction summarises the messages from `first_id` to `last_id`, including earlier compactions. If the last one is
    missing, the summarised messages were before the given ones: the summary comes first, after the instructions at the
    beginning. A call and its results are all kept if only some of them were summarised, since providers refuse one
    without the others.
    """
    at = [index for index, message in enumerate(messages) if isinstance(message, CompactionMessage)]
    if not at:
        return Compacted(frozenset(), {}, {})
    beginning = _after_instructions(messages)
    known = {_id_of(message): index for index, message in enumerate(messages)}
    ranges = {index: range(*_range(_data(messages[index]), known, index, beginning)) for index in at}
    hidden: set[int] = set()
    end = 0
    for summarised in sorted(ranges.values(), key=attrgetter("start")):  # a part of several ranges is added once
        hidden.update(range(max(end, summarised.start), summarised.stop))
        end = max(end, summarised.stop)
    shown = {index: summarised for index, summarised in ranges.items() if index not in hidden}
    places = {index: summarised.start for index, summarised in shown.items()}
    return Compacted(frozenset(hidden - _partly_hidden(messages, hidden)), places, shown)


def _partly_hidden(messages: Sequence[Any], hidden: set[int]) -> set[int]:
    """Return the indexes of calls and results that are only partly hidden, and of the messages they are joined with."""
    calling_indexes: dict[str | None, int] = {}
    answers: dict[int, set[int]] = {}
    for index, message in enumerate(messages):
        if isinstance(message, ToolRequestMessage):
            calling_indexes |= {call_id_of(requested.call): index for requested in message.data.calls}
        elif isinstance(message, ToolResultMessage) and message.data.call_id in calling_indexes:
            answers.setdefault(calling_indexes[message.data.call_id], set()).add(index)
    found: set[int] = set()
    for request, results in answers.items():
        pair = {request, *results}
        if not pair.isdisjoint(hidden) and not pair <= hidden:
            found |= results
            if request not in found:  # else what it is joined with has been added, too
                found |= _joined(messages, request)
    return found


def _joined(messages: Sequence[Any], index: int) -> set[int]:
    """Return the indexes of the messages that are folded into one with a message, such as reasoning before a call."""
    first, end = index, index + 1
    while first > 0 and messages[first].joins:
        first -= 1
    while end < len(messages) and messages[end].joins:
        end += 1
    return set(range(first, end))


def _data(message: Any) -> CompactionData:
    data: CompactionData = message.data
    return data


def _id_of(message: AnyMessage | ChatMessage) -> str | None:
    """Return the id of a message, which one of an unknown type has only in its document."""
    identifier = message.document.get("id") if isinstance(message, UnknownMessage) else getattr(message, "id", None)
    return identifier if isinstance(identifier, str) else None


def _range(data: CompactionData, known: Mapping[str | None, int], index: int, beginning: int) -> tuple[int, int]:
    """Return the range of indexes that a compaction summarises: from the first to before the second."""
    first = beginning if data.first_id is None else min(known.get(data.first_id, beginning), index)
    if data.last_id is None:
        return min(first, index), index
    last = known.get(data.last_id)
    if last is None:
        return min(beginning, index), min(beginning, index)
    return (first, last + 1) if first <= last < index else (index, index)


def _after_instructions(messages: Sequence[Any]) -> int:
    """Return the index after the instructions at the beginning, and messages among them that no model sees."""
    for index, message in enumerate(messages):
        is_prompt = isinstance(message, TextMessage) and message.data.role in INSTRUCTIONS
        if not is_prompt and not isinstance(message, SystemControlMessage):
            return index
    return len(messages)
