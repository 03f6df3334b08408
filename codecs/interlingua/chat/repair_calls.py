"""Repairs the pairing of tool calls and results: each call has one result, in the place the dialect requires.

Source: docs/pain.md, HIS-1, HIS-2, HIS-3, HIS-5. A result without a call is dropped: as a user message it would give a
tool's words the user's authority, and a made-up call would be invented content. A call without a result gets one that
says so (`UNANSWERED`), marked as an error, as every provider recommends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.chat.repair_call_ids import tie
from interlingua.chat.repair_draft import Draft, Entry, without_spelling
from interlingua.chat.repair_pairs import Slot, Unit, identifier_of, pair

if TYPE_CHECKING:
    from interlingua.chat.repair_draft import Plain
    from interlingua.chat.repair_pairs import Pairs

__all__ = ["UNANSWERED", "repair_results"]

UNANSWERED: Final = "No result: the call was not answered."
"""The text of the result that is inserted for an unanswered call."""


def repair_results(draft: Draft) -> None:
    """Drop orphaned and duplicate results, move results to their places, and answer unanswered calls."""
    if draft.demands.results == "unpaired":
        return
    pairs = pair(draft)
    if not pairs.units and not pairs.orphans:
        return
    tie(draft, pairs)
    _name_results(draft, pairs)
    for number in sorted(pairs.orphans | pairs.duplicates):
        _note_dropped(draft, number, is_duplicate=number in pairs.duplicates)
    draft.entries = _Order(draft, pairs).entries()


def _note_dropped(draft: Draft, number: int, *, is_duplicate: bool) -> None:
    path = draft.entries[number].path
    if is_duplicate:
        draft.log.note("duplicate_result", "dropped", path, "its call already has a result")
    else:
        draft.log.note("orphan_result", "dropped", path, "its call is not in the conversation")


def _name_results(draft: Draft, pairs: Pairs) -> None:
    """Give results the name of their tool, if the dialect requires it; abroad the encoder does this."""
    if not draft.home or draft.demands.named_results != "demanded":
        return
    for number, slot in pairs.answers.items():
        entry = draft.entries[number]
        if slot.name and not entry.message.get("name"):
            draft.entries[number] = entry.with_message({**entry.message, "name": slot.name})
            draft.log.note(
                "missing_name", "inserted", f"{entry.path}/name", "every tool result needs the name of its tool"
            )


class _Order:
    """Puts the entries in the order that the dialect requires."""

    def __init__(self, draft: Draft, pairs: Pairs) -> None:
        self._draft = draft
        self._pairs = pairs
        self._made: list[Entry] = []
        self._done: set[int] = pairs.orphans | pairs.duplicates

    def entries(self) -> list[Entry]:
        """Return all entries, with results dropped or moved."""
        entries = self._draft.entries
        for number, entry in enumerate(entries):
            if number in self._done:
                continue
            slot = self._pairs.answers.get(number)
            if slot is not None and slot.entry > number:
                continue  # it comes after its call
            self._made.append(entry)
            unit = self._pairs.units.get(number)
            if unit is not None:
                self._answer(unit)
        return self._made

    def _answer(self, unit: Unit) -> None:
        """Append the results of a unit, existing and inserted ones."""
        following = self._directly_following(unit)
        results = sorted(slot.result for slot in unit.slots if slot.result is not None)
        if self._draft.demands.results == "anywhere":
            separated = self._matched_by_position(unit)
            results = [number for number in results if number < unit.end or number in following or number in separated]
        first = min(following) if following else min(results, default=-1)
        for number in range(unit.end + 1, max(following, default=unit.end) + 1):
            if number not in self._done:  # a result, or a message that is not encoded
                self._take(number, is_first=number == first)
        for number in results:
            if number not in following:
                path = self._draft.entries[number].path
                self._draft.log.note("misplaced_result", "moved", path, "a tool result must follow its call")
                self._take(number, is_first=number == first)
        for slot in unit.slots:
            if slot.result is None and slot.demanded:
                self._made.append(self._inserted_result(slot))

    def _take(self, number: int, *, is_first: bool) -> None:
        entry = self._draft.entries[number]
        self._done.add(number)
        self._made.append(entry if is_first or entry.role != "tool" else self._joined(entry))

    def _matched_by_position(self, unit: Unit) -> set[int | None]:
        """Return the results matched by position alone; abroad the encoder expects them directly after the calls."""
        if self._draft.home:
            return set()
        entries = self._draft.entries
        return {
            slot.result
            for slot in unit.slots
            if slot.result is not None
            and (slot.identifier is None or identifier_of(entries[slot.result].message) is None)
        }

    def _directly_following(self, unit: Unit) -> set[int]:
        """Return the results that directly follow a unit, with no other message between."""
        entries = self._draft.entries
        found: set[int] = set()
        own = {slot.result for slot in unit.slots}
        for number in range(unit.end + 1, len(entries)):
            if number in own:
                found.add(number)
            elif number not in self._done and self._draft.is_visible(entries[number]):
                break
        return found

    def _joined(self, entry: Entry) -> Entry:
        """Return a result such that it joins the wire message of the results before it."""
        draft = self._draft
        if not draft.demands.one_wire_message:
            return entry
        message = without_spelling(entry.message, draft.dialect, "turn")
        if message is entry.message:
            return entry
        draft.log.note("split_results", "merged", entry.path, "the tool results of a turn must stand together")
        return entry.with_message(message)

    def _inserted_result(self, slot: Slot) -> Entry:
        """Return the result to insert for an unanswered call."""
        calling_entry = self._draft.entries[slot.entry]
        where = calling_entry.path if slot.at is None else f"{calling_entry.path}/tool_calls/{slot.at}"
        self._draft.log.note(
            "unanswered_call", "inserted", where, "a result was added that says that the call was not answered"
        )
        message: Plain = {"role": "tool"}
        if slot.identifier is not None:
            message["call_id"] = slot.identifier
        message["content"] = UNANSWERED
        message["is_error"] = True
        if slot.name and (slot.identifier is None or self._draft.demands.named_results != "unwelcome"):
            message["name"] = slot.name
        return Entry(message, -1)
