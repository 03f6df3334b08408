"""Ids between calls and results: both have one where the dialect ties them by it, and no two calls the same.

An id that is put in comes from the result, else from the place of the call; a repeated one gets the number of its
repetition. Nothing is random, so that the same request always becomes the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from interlingua.chat.repair_pairs import identifier_of

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from interlingua.chat.repair_draft import Draft, Plain
    from interlingua.chat.repair_pairs import Pairs, Slot, Unit

__all__ = ["tie"]

_SUFFIX_LENGTH: Final = 10


def tie(draft: Draft, pairs: Pairs) -> None:
    """Give calls and results the ids that the dialect demands, and those that tell calls of a unit from each other."""
    ties = _CallIds(draft)
    for unit in pairs.units.values():
        named = {_is_named(draft, slot) for slot in unit.slots}
        naming = {_is_naming(draft, slot) for slot in unit.slots}
        ties.tie(unit, is_mixed=len(named) > 1 or len(naming) > 1 or _is_repeated(draft, unit))


def _is_repeated(draft: Draft, unit: Unit) -> bool:
    """Tell whether calls of a unit keep one id, so that the encoder cannot tell which a result without id means."""
    demands = draft.demands
    if not demands.tied_by_id or demands.distinct_ids != "nowhere":
        return False
    told = [slot.identifier for slot in unit.slots if slot.identifier is not None]
    return len(set(told)) < len(told)


def _is_named(draft: Draft, slot: Slot) -> bool:
    """Tell whether a call has an id, or its result knows one."""
    if slot.identifier is not None:
        return True
    return slot.result is not None and identifier_of(draft.entries[slot.result].message) is not None


def _is_naming(draft: Draft, slot: Slot) -> bool:
    """Tell whether the result of a call names it by id, or will where one is put in."""
    if slot.result is None:
        return slot.identifier is not None
    return identifier_of(draft.entries[slot.result].message) is not None


class _CallIds:
    """The ids of a conversation, from its beginning to its end."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._taken: set[str] = set()
        self._counted: dict[str, int] = {}
        self._calls: dict[int, list[Plain]] = {}  # those of a message that has been copied

    def tie(self, unit: Unit, *, is_mixed: bool) -> None:
        """Look at every call of a unit and its result once; `is_mixed` tells that only some of them have ids."""
        of_unit: set[str] = set()
        # Abroad the encoder finds calls by their ids, whatever the target reads.
        is_tied = self._draft.demands.tied_by_id or (is_mixed and not self._draft.home)
        for slot in unit.slots:
            given = slot.identifier
            if given is None:
                self._name(slot, is_tied=is_tied, is_mixed=is_mixed)
            if slot.identifier is None:
                continue
            others = self._others(of_unit)
            if slot.identifier in others and slot.at is not None:
                self._rename(slot, is_told=given is not None)
            self._taken.add(slot.identifier)
            of_unit.add(slot.identifier)
            if is_tied:
                self._follow(slot, is_renamed=given is not None and slot.identifier != given, is_mixed=is_mixed)

    def _others(self, of_unit: AbstractSet[str]) -> AbstractSet[str]:
        """Return the ids that a call may not have, since an earlier one has them."""
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
        """Give a call without an id that of its result, else one from its place where nothing else tells it apart.

        Abroad the encoder gives call and result one from the place, where no call of the unit has one.
        """
        draft = self._draft
        named = None if slot.result is None else identifier_of(draft.entries[slot.result].message)
        if not slot.demanded or (not is_tied and not (is_mixed and slot.result is None)):
            return
        if named is None and not is_mixed and not draft.home:
            return
        entry = draft.entries[slot.entry]
        # Unlike those that the encoder makes from places: what is put in before a message moves it.
        self._set(slot, f"call_at_{entry.index}_{slot.at}" if named is None else named)
        draft.log.note("missing_id", "inserted", f"{entry.path}/tool_calls/{slot.at}/id", "every call needs an id")

    def _rename(self, slot: Slot, *, is_told: bool) -> None:
        """Give a call another id than the earlier one that has the same."""
        limit = self._draft.demands.ids
        longest = None if limit is None or limit.length is None else limit.length - _SUFFIX_LENGTH
        identifier = (slot.identifier or "")[:longest]
        count = self._counted.get(identifier, 1) + 1
        while f"{identifier}_{count}" in self._taken:
            count += 1
        self._counted[identifier] = count
        self._set(slot, f"{identifier}_{count}")
        if is_told:
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
        """Let a result name its call by the id that the call has now."""
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
