"""Repairs call ids: calls and results both get one where the dialect links them by id, and no two calls share one.

A missing id is taken from the result, else made from the position of the call; a repeated one gets a number. Nothing is
random, so that equal requests are repaired equally.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from interlingua.chat.repair_pairs import Unit, identifier_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from interlingua.chat.repair_draft import Draft, Plain
    from interlingua.chat.repair_pairs import Pairs, Slot

__all__ = ["tie"]

_SUFFIX_LENGTH: Final = 10


def tie(draft: Draft, pairs: Pairs) -> None:
    """Give calls and results the ids that the dialect requires, and those that distinguish the calls of a unit."""
    ties = _CallIds(draft)
    for unit in _turns(draft, pairs):
        named = {_is_named(draft, slot) for slot in unit.slots}
        naming = {_is_naming(draft, slot) for slot in unit.slots}
        ties.tie(unit, is_mixed=len(named) > 1 or len(naming) > 1 or _is_repeated(draft, unit))


def _turns(draft: Draft, pairs: Pairs) -> Iterator[Unit]:
    """Yield the units; abroad the encoder takes those for one between which no message is left after the repair."""
    turn: Unit | None = None
    for unit in pairs.units.values():
        if turn is None or not _runs_on(draft, pairs, turn, unit):
            if turn is not None:
                yield turn
            turn = Unit(unit.end, [*unit.slots])
        else:
            turn.slots += unit.slots
            turn.end = unit.end
    if turn is not None:
        yield turn


def _runs_on(draft: Draft, pairs: Pairs, unit: Unit, following: Unit) -> bool:
    """Tell whether a repair leaves nothing between two units: if results may stand anywhere, only their own do."""
    if draft.home or draft.demands.results != "anywhere":
        return False
    if any(slot.demanded if slot.result is None else slot.result < unit.end for slot in unit.slots):
        return False  # a result is put there
    return all(
        entry.role == "assistant"
        or not draft.is_visible(entry)
        or number in pairs.orphans
        or number in pairs.duplicates
        or (number in pairs.answers and pairs.answers[number].entry > number)
        for number, entry in enumerate(draft.entries[unit.end + 1 : following.slots[0].entry], unit.end + 1)
    )


def _is_repeated(draft: Draft, unit: Unit) -> bool:
    """Tell whether calls of a unit share an id, so that the encoder cannot match a result without an id."""
    if draft.demands.distinct_ids != "nowhere":
        return False
    identifiers = [slot.identifier for slot in unit.slots if slot.identifier is not None]
    is_mixed = len(identifiers) < len(unit.slots)
    return (draft.demands.tied_by_id or is_mixed) and len(set(identifiers)) < len(identifiers)


def _is_named(draft: Draft, slot: Slot) -> bool:
    """Tell whether a call or its result has an id."""
    if slot.identifier is not None:
        return True
    return slot.result is not None and identifier_of(draft.entries[slot.result].message) is not None


def _is_naming(draft: Draft, slot: Slot) -> bool:
    """Tell whether the result of a call refers to it by id, or will after the repair."""
    if slot.result is None:
        return slot.identifier is not None
    return identifier_of(draft.entries[slot.result].message) is not None


class _CallIds:
    """The call ids of a conversation, repaired from start to end."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._taken: set[str] = set()
        self._counted: dict[str, int] = {}
        self._calls: dict[int, list[Plain]] = {}  # the calls of messages that have been copied

    def tie(self, unit: Unit, *, is_mixed: bool) -> None:
        """Repair the ids of a unit's calls and results; `is_mixed`: only some of the calls have ids."""
        of_unit: set[str] = set()
        # Abroad the encoder finds calls by id, even if the target has no ids.
        is_tied = self._draft.demands.tied_by_id or (is_mixed and not self._draft.home)
        for slot in unit.slots:
            given = slot.identifier
            if given is None:
                self._name(slot, is_tied=is_tied, is_mixed=is_mixed)
            if slot.identifier is None:
                continue
            others = self._others(of_unit)
            if slot.identifier in others and slot.at is not None:
                self._rename(slot, is_reported=given is not None)
            self._taken.add(slot.identifier)
            of_unit.add(slot.identifier)
            if is_tied:
                self._follow(slot, is_renamed=given is not None and slot.identifier != given, is_mixed=is_mixed)

    def _others(self, of_unit: AbstractSet[str]) -> AbstractSet[str]:
        """Return the ids that a call must not have because earlier calls have them."""
        match self._draft.demands.distinct_ids:
            case "nowhere":
                return frozenset()
            case "turn":
                return of_unit
            case "conversation":
                return self._taken
            case _:
                assert_never(self._draft.demands.distinct_ids)

    def _name(self, slot: Slot, *, is_tied: bool, is_mixed: bool) -> None:
        """Give a call without an id its result's, or if needed one from its position.

        Abroad the encoder makes ids from positions itself, if no call of the unit has one.
        """
        draft = self._draft
        named = None if slot.result is None else identifier_of(draft.entries[slot.result].message)
        # The encoder matches by position what no call has, so that an id that an earlier call got is needed here, too.
        is_tied = is_tied or named in self._taken
        if not slot.demanded or (not is_tied and not (is_mixed and slot.result is None)):
            return
        if named is None and not is_mixed and not draft.home:
            return
        entry = draft.entries[slot.entry]
        # Different from the encoder's ids, since inserted messages shift positions.
        self._set(slot, f"call_at_{entry.index}_{slot.at}" if named is None else named)
        draft.log.note("missing_id", "inserted", f"{entry.path}/tool_calls/{slot.at}/id", "every call needs an id")

    def _rename(self, slot: Slot, *, is_reported: bool) -> None:
        """Give a call a new id if an earlier call has the same."""
        limit = self._draft.demands.ids
        longest = None if limit is None or limit.length is None else limit.length - _SUFFIX_LENGTH
        identifier = (slot.identifier or "")[:longest]
        count = self._counted.get(identifier, 1) + 1
        while f"{identifier}_{count}" in self._taken:
            count += 1
        self._counted[identifier] = count
        self._set(slot, f"{identifier}_{count}")
        if is_reported:
            path = f"{self._draft.entries[slot.entry].path}/tool_calls/{slot.at}/id"
            self._draft.log.note("duplicate_id", "renamed", path, "an earlier call has the same id")

    def _set(self, slot: Slot, identifier: str) -> None:
        slot.identifier = identifier
        if slot.at is None:
            return
        calls = self._calls.get(slot.entry)
        if calls is None:
            entry = self._draft.entries[slot.entry]
            calls = self._calls[slot.entry] = list(entry.message["tool_calls"])
            self._draft.entries[slot.entry] = entry.with_message({**entry.message, "tool_calls": calls})
        calls[slot.at] = {**calls[slot.at], "id": identifier}

    def _follow(self, slot: Slot, *, is_renamed: bool, is_mixed: bool) -> None:
        """Update a result to the id that its call has now."""
        if slot.result is None:
            return
        draft = self._draft
        entry = draft.entries[slot.result]
        named = identifier_of(entry.message)
        if named == slot.identifier or (named is None and not (draft.home or is_mixed)):
            return
        draft.entries[slot.result] = entry.with_message({**entry.message, "call_id": slot.identifier})
        if is_renamed and "call_id" in entry.message:
            draft.log.note("duplicate_id", "renamed", f"{entry.path}/call_id", "its call was renamed")
        else:
            draft.log.note(
                "missing_id", "inserted", f"{entry.path}/call_id", "every tool result needs the id of its call"
            )
