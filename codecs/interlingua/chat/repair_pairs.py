"""Pairs tool results with tool calls: by id, by tool name, or by order.

A result answers the nearest earlier call with its id and no result yet, else the first such call after it, since some
histories are out of order. A result without an id answers a call of the turn before it, by name, then by order. Takes
linear time.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from interlingua.chat.repair_draft import object_of, spelling_of, string_of

if TYPE_CHECKING:
    from interlingua.chat.repair_draft import Draft, Entry

__all__ = ["Pairs", "Slot", "Unit", "identifier_of", "pair"]


@dataclass(slots=True)
class Slot:
    """A call and its result.

    `entry` is the index of its message's entry, `at` its index among the calls, or None for an opaque call. `demanded`
    says whether it must have a result. `result` is the index of the result's entry, or None.
    """

    entry: int
    at: int | None
    identifier: str | None
    name: str
    demanded: bool = True
    result: int | None = None


@dataclass(slots=True)
class Unit:
    """An assistant turn, or a single message of it, whose calls are answered together. `end` is its last entry."""

    end: int
    slots: list[Slot] = field(default_factory=list[Slot])


@dataclass(slots=True)
class Pairs:
    """The calls of a conversation by unit, and what each result answers.

    `units` are keyed by their last entry. `answers` maps each result's entry to the call's slot; `duplicates` and
    `orphans` are results without one. Results in none of these are not judged.
    """

    units: dict[int, Unit]
    answers: dict[int, Slot]
    duplicates: set[int]
    orphans: set[int]


def identifier_of(message: dict[str, Any]) -> str | None:
    """Return the id of the call that a result names."""
    return cast("str | None", message.get("call_id", message.get("id")))


def pair(draft: Draft) -> Pairs:
    """Pair the results of a conversation with its calls."""
    return _Pairing(draft).paired()


class _Pairing:
    """One pass over a conversation."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._units: list[Unit] = []
        self._answers: dict[int, Slot] = {}
        self._duplicates: set[int] = set()
        self._orphans: set[int] = set()
        # For each id: the open calls by unit, the nearest unit last; and all calls.
        self._open: dict[str, list[tuple[Unit, deque[Slot]]]] = {}
        self._all: dict[str, deque[Slot]] = {}
        self._last_results: dict[str, int] = {}  # id -> its last result
        self._last = _LastUnit()

    def paired(self) -> Pairs:
        """Return the pairs."""
        unresolved: list[int] = []
        running = False
        for number, entry in enumerate(self._draft.entries):
            if entry.role == "assistant":
                if not running or self._begins_unit(entry):
                    self._units.append(Unit(number))
                    self._last = _LastUnit()
                self._add_calls(number, entry)
                running = True
            elif entry.role == "tool":
                running = False
                if not self._answer(number, entry.message):
                    unresolved.append(number)
            elif self._draft.is_visible(entry):
                running = False
                if entry.role == "opaque":
                    self._add_opaque_call(number, entry.message["data"])
        for number in unresolved:
            self._resolve(number, self._draft.entries[number].message)
        self._allow_missing_result()
        units = {unit.end: unit for unit in self._units if unit.slots}
        return Pairs(units, self._answers, self._duplicates, self._orphans)

    def _begins_unit(self, entry: Entry) -> bool:
        """Tell whether an assistant message that follows another one starts a new unit."""
        demands = self._draft.demands
        if demands.one_wire_message:
            return spelling_of(entry.message, self._draft.dialect).get("turn") == "new"
        return demands.results == "after_message" and self._draft.home

    def _add_calls(self, number: int, entry: Entry) -> None:
        unit = self._units[-1]
        unit.end = number
        older = spelling_of(entry.message, self._draft.dialect).get("call") == "function_call"
        for at, call in enumerate(entry.message.get("tool_calls", ())):
            later = self._draft.bag(call).get("fields", {}).get("async") is True
            self._take(Slot(number, at, call.get("id"), call["name"], demanded=not (older or later)), unit)
        for placed in self._draft.bag(entry.message).get("opaque_calls", ()):
            identifier = object_of(placed["data"]).get("id")
            if isinstance(identifier, str):
                self._take(Slot(number, None, identifier, ""), unit)

    def _take(self, slot: Slot, unit: Unit) -> None:
        self._last.take(slot)
        self._register(slot, unit)

    def _register(self, slot: Slot, unit: Unit) -> None:
        unit.slots.append(slot)
        if slot.identifier is not None:
            waiting = self._open.setdefault(slot.identifier, [])
            if not waiting or waiting[-1][0] is not unit:
                waiting.append((unit, deque()))
            waiting[-1][1].append(slot)
            self._all.setdefault(slot.identifier, deque()).append(slot)

    def _add_opaque_call(self, number: int, data: dict[str, Any]) -> None:
        """Add an opaque call, which may but need not have a result."""
        identifier = data.get("call_id")
        if isinstance(identifier, str) and not string_of(data, "type").endswith("_output"):
            self._units.append(Unit(number))
            self._register(Slot(number, None, identifier, "", demanded=False), self._units[-1])

    def _answer(self, number: int, message: dict[str, Any]) -> bool:
        """Pair a result with an earlier call; tell whether there is one."""
        identifier = identifier_of(message)
        if identifier is not None:
            self._last_results[identifier] = number
        if identifier is None:
            name = message.get("name")
            slot = (name and (self._last.without_id(name) or self._last.by_name(name))) or self._last.by_order()
        else:
            slot = self._nearest(identifier)
            if slot is None and identifier not in self._all:
                slot = self._last.without_id(message.get("name"))
        if slot is None and self._draft.demands.several_results and identifier in self._all:
            return True  # it is left alone
        return self._assign(slot, number)

    def _allow_missing_result(self) -> None:
        """Allow a call without its own result if a later result with its id may answer several calls."""
        if not self._draft.demands.several_results:
            return
        for slot in (one for unit in self._units for one in unit.slots):
            if slot.identifier is not None and self._last_results.get(slot.identifier, -1) > slot.entry:
                slot.demanded = False

    def _assign(self, slot: Slot | None, number: int) -> bool:
        if slot is None:
            return False
        slot.result = number
        self._answers[number] = slot
        return True

    def _nearest(self, identifier: str) -> Slot | None:
        waiting = self._open.get(identifier, [])
        while waiting:
            slot = _first_open(waiting[-1][1])
            if slot is not None:
                return slot
            waiting.pop()
        return None

    def _resolve(self, number: int, message: dict[str, Any]) -> None:
        """Pair a result with a later call, or classify it as a duplicate or an orphan."""
        identifier = identifier_of(message)
        if identifier is not None and self._assign(_first_open(self._all.get(identifier)), number):
            return
        if spelling_of(message, self._draft.dialect).get("role") == "function":
            return  # the deprecated form, which has no link to its call
        if identifier in self._all:
            self._duplicates.add(number)
        elif not self._draft.has_server_history:
            self._orphans.add(number)


class _LastUnit:
    """The calls of the last unit, for results without a call id."""

    def __init__(self) -> None:
        self._order: deque[Slot] = deque()
        self._by_name: dict[str, deque[Slot]] = {}
        self._unnamed: deque[Slot] = deque()
        self._unnamed_by_name: dict[str, deque[Slot]] = {}

    def take(self, slot: Slot) -> None:
        """Add a call."""
        self._order.append(slot)
        self._by_name.setdefault(slot.name, deque()).append(slot)
        if slot.identifier is None:
            self._unnamed.append(slot)
            self._unnamed_by_name.setdefault(slot.name, deque()).append(slot)

    def by_name(self, name: str) -> Slot | None:
        """Return the first open call of a tool."""
        return _first_open(self._by_name.get(name))

    def by_order(self) -> Slot | None:
        """Return the first open call, preferring one without an id."""
        return _first_open(self._unnamed) or _first_open(self._order)

    def without_id(self, name: str | None) -> Slot | None:
        """Return the first open call without an id, of the given tool if known."""
        return _first_open(self._unnamed if name is None else self._unnamed_by_name.get(name))


def _first_open(waiting: deque[Slot] | None) -> Slot | None:
    """Return the first open call, removing answered ones."""
    while waiting:
        if waiting[0].result is None:
            return waiting[0]
        waiting.popleft()
    return None
