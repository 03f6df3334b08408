"""What stays and what goes, under a limit: one order of importance, filled up from its top."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import accumulate
from typing import TYPE_CHECKING, Final, Literal, get_args

from interlingua.errors import ContextBudgetError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from interlingua.context.atoms import Layout, Turn
    from interlingua.context.facts import Facts

__all__ = [
    "OMISSION_REASONS",
    "OmissionReason",
    "Plan",
    "Resource",
    "SelectionOptions",
    "Weights",
    "fill",
    "timestamp_of",
]

OmissionReason = Literal[
    "limit",  # the budget or the window was full
    "headless",  # an answer to nothing, before the first message of the user
    "orphan_result",  # a result whose call is not there
    "resource_limit",  # a resource that is too large by itself
    "stale_resource",  # a resource of which a newer one is there
]
"""Why a message was left out.

Example:
    >>> from typing import get_args
    >>> set(get_args(il.context.OmissionReason)) == il.context.OMISSION_REASONS
    True
"""
OMISSION_REASONS: Final[frozenset[str]] = frozenset(get_args(OmissionReason))
"""All reasons of an `Omission`.

Example:
    >>> sorted(il.context.OMISSION_REASONS)
    ['headless', 'limit', 'orphan_result', 'resource_limit', 'stale_resource']
"""

_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Resource:
    """What is known of a resource: when it was used last, and what its short form takes, None where there is none."""

    used_at: datetime
    short: int | None


@dataclass(frozen=True, slots=True)
class Weights:
    """What each message takes, what a request takes without them, and when each was made, as far as that is known."""

    base: int
    messages: Sequence[int]
    made_at: Sequence[datetime | None]
    resources: dict[int, Resource]


@dataclass(slots=True)
class Plan:
    """What stays: `kept` by index, `short` the resources among them that are shortened, `left` why others go."""

    room: int
    kept: set[int] = field(default_factory=set[int])
    short: set[int] = field(default_factory=set[int])
    left: dict[int, OmissionReason] = field(default_factory=dict[int, OmissionReason])


@dataclass(frozen=True, slots=True)
class SelectionOptions:
    """What the caller wants: how many of the newest turns stay, which messages do, how large a resource may be."""

    last_turns: int = 1
    always: Collection[int] = ()
    resource_limit: int | None = None


def fill(
    facts: Sequence[Facts],
    layout: Layout,
    weights: Weights,
    budget: int,
    options: SelectionOptions,
    *,
    may_overflow: bool = False,
) -> Plan:
    """Return what stays under a budget.

    First comes what must stay: instructions, and of the newest turns what the user said and the last step. Then, from
    the newest turn to the oldest: what the user said with the last step, the resources that were used then, the other
    steps, newest first. The first turn or step that does not fit ends the history there; a resource that does not fit
    is passed over. So with more room, nothing that stayed without resources is lost.

    Raises:
        ContextBudgetError: what must stay does not fit; never with `may_overflow`.
    """
    return _Filling(facts, layout, weights, budget, options).filled(may_overflow=may_overflow)


class _Filling:
    """One filling up; see `fill`."""

    def __init__(
        self, facts: Sequence[Facts], layout: Layout, weights: Weights, budget: int, options: SelectionOptions
    ) -> None:
        self._facts = facts
        self._layout = layout
        self._weights = weights
        self._budget = budget
        self._wishes = options
        self._plan = Plan(budget - weights.base)
        turns = layout.turns
        self._first = 1 if len(turns) > 1 and not turns[0].opening else 0

    def filled(self, *, may_overflow: bool) -> Plan:
        """Return the plan."""
        plan, layout = self._plan, self._layout
        self._require()
        if plan.room < 0 and not may_overflow:
            raise ContextBudgetError(self._budget - plan.room, self._budget)
        plan.left.update((index, "orphan_result") for index in layout.orphans)
        ranked = _ranked(layout, self._weights)
        is_open = True
        for number in range(len(layout.turns) - 1, self._first - 1, -1):
            is_open = is_open and self._keep(self._core(number))
            for index in ranked.get(number, ()):
                self._consider(index)
            is_open = is_open and all(self._keep(members) for members in self._others(number))
        for index in ranked.get(-1, ()):
            self._consider(index)
        if self._first and is_open and not plan.left and self._is_greeting(layout.turns[0]):
            self._keep(_members(layout.turns[0]))
        for number, turn in enumerate(layout.turns):
            reason: OmissionReason = "headless" if number < self._first else "limit"
            plan.left.update((index, reason) for index in _members(turn) if index not in plan.kept)
        plan.left.update((index, "stale_resource") for index in layout.stale)
        return plan

    def _require(self) -> None:
        """Keep what must stay, whether it fits or not."""
        layout = self._layout
        always = set(self._wishes.always).difference(layout.orphans, layout.stale)
        self._take([*layout.prompts, *layout.silent])
        self._take([index for index in layout.resources if index in always])
        newest = len(layout.turns) - max(0, self._wishes.last_turns)
        for number, turn in enumerate(layout.turns):
            wanted = [at for at, step in enumerate(turn.steps) if not always.isdisjoint(step.members)]
            if wanted or number >= max(newest, self._first) or not always.isdisjoint(turn.opening):
                self._take(self._core(number))
            for at in wanted:
                self._take(self._step(number, at))

    def _core(self, number: int) -> list[int]:
        """Return what the user said in a turn, and the last step with what it goes on from."""
        turn = self._layout.turns[number]
        return [*turn.opening, *(self._step(number, len(turn.steps) - 1) if turn.steps else ())]

    def _others(self, number: int) -> Iterator[list[int]]:
        """Yield the other steps of a turn, the newest first."""
        for at in range(len(self._layout.turns[number].steps) - 1, -1, -1):
            yield self._step(number, at)

    def _step(self, number: int, at: int) -> list[int]:
        """Return a step, and that whose thoughts it goes on from, with what the user said before that."""
        turns = self._layout.turns
        step = turns[number].steps[at]
        if step.leader is None:
            return step.members
        place, led = step.leader
        opening = turns[place].opening if place != number else ()
        return [*opening, *turns[place].steps[led].members, *step.members]

    def _keep(self, members: Sequence[int]) -> bool:
        """Keep messages if they fit, and tell whether they do; those that stay already take nothing."""
        new = [index for index in members if index not in self._plan.kept]
        if sum(self._weights.messages[index] for index in new) > max(self._plan.room, 0):
            return False
        self._take(new)
        return True

    def _take(self, members: Sequence[int]) -> None:
        for index in members:
            if index not in self._plan.kept:
                self._plan.kept.add(index)
                self._plan.room -= self._weights.messages[index]

    def _consider(self, index: int) -> None:
        """Keep a resource if it fits, in its short form if only that does."""
        plan = self._plan
        if index in plan.kept:
            return
        limit = self._wishes.resource_limit
        whole, short = self._weights.messages[index], self._weights.resources[index].short
        is_large = limit is not None and whole > limit
        if not is_large and whole <= plan.room:
            self._take([index])
        elif short is not None and short <= plan.room and short < whole and (limit is None or short <= limit):
            plan.kept.add(index)
            plan.short.add(index)
            plan.room -= short
        else:
            plan.left[index] = "resource_limit" if is_large else "limit"

    def _is_greeting(self, turn: Turn) -> bool:
        """Tell whether an answer before the first message of the user is one that begins a conversation."""
        facts = [self._facts[index] for index in _members(turn)]
        return all(one.speaker == "assistant" and not one.calls and not one.has_reasoning for one in facts)


def timestamp_of(text: str | None) -> datetime | None:
    """Return the moment that a stored text names, in UTC where it does not say; None where it names none."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _ranked(layout: Layout, weights: Weights) -> dict[int, list[int]]:
    """Return the resources by the turn in which they were used last, those used most recently first.

    -1 stands for the time before the first turn. Where nothing tells the time of a turn, a resource belongs where it
    stands. No resource ranks below one that was used earlier.
    """
    made = list(accumulate((moment or _NEVER for moment in weights.made_at), max))
    rank = -1
    found: dict[int, list[int]] = {}
    for index in sorted(layout.resources, key=lambda index: (weights.resources[index].used_at, index)):
        used = bisect_right(made, weights.resources[index].used_at) - 1
        place = max(index, used if used >= 0 and made[used] > _NEVER else index)
        rank = max(rank, layout.turn_at[place] if layout.turns else -1)
        found.setdefault(rank, []).append(index)
    return {turn: list(reversed(members)) for turn, members in found.items()}


def _members(turn: Turn) -> list[int]:
    return [*turn.opening, *(index for step in turn.steps for index in step.members)]
