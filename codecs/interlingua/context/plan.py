"""Plans which messages to keep under a limit, in order of importance."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import accumulate
from typing import TYPE_CHECKING, Final, Literal, get_args

from interlingua.errors import ContextBudgetError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from interlingua.context.facts import Facts
    from interlingua.context.turns import Layout, Turn

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
    """A resource's last use, and the tokens of its summary, or None without one."""

    used_at: datetime
    short: int | None


@dataclass(frozen=True, slots=True)
class Weights:
    """The tokens of each message and of the request without messages, and the times of the messages, if known."""

    base: int
    messages: Sequence[int]
    made_at: Sequence[datetime | None]
    resources: dict[int, Resource]


@dataclass(slots=True)
class Plan:
    """The plan: `kept` messages by index, `short` resources among them, and `left` with the reasons for the others."""

    room: int
    kept: set[int] = field(default_factory=set[int])
    short: set[int] = field(default_factory=set[int])
    left: dict[int, OmissionReason] = field(default_factory=dict[int, OmissionReason])


@dataclass(frozen=True, slots=True)
class SelectionOptions:
    """The caller's options: how many of the newest turns to keep, which messages, and the limit for a resource."""

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
    """Return the plan for a budget.

    First comes what must stay: instructions, and of the newest turns the user's messages and the last step. Then, from
    the newest turn to the oldest: the user's messages with the last step, the resources that were used then, and the
    other steps, newest first. The first turn or step that does not fit ends the history; a resource that does not fit
    is skipped. So, resources apart, a larger budget never keeps less.

    Raises:
        ContextBudgetError: what must stay does not fit; never with `may_overflow`.
    """
    return _PlanBuilder(facts, layout, weights, budget, options).filled(may_overflow=may_overflow)


class _PlanBuilder:
    """One run of `fill`."""

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
        self._first = 1 if len(turns) > 1 and not turns[0].is_asked else 0

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
            self._keep(layout.turns[0].members)
        for number, turn in enumerate(layout.turns):
            reason: OmissionReason = "headless" if number < self._first else "limit"
            plan.left.update((index, reason) for index in turn.members if index not in plan.kept)
        plan.left.update((index, "stale_resource") for index in layout.stale)
        return plan

    def _require(self) -> None:
        """Keep what must stay, whether or not it fits."""
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
        """Return a turn's user messages, and its last step with its leader."""
        turn = self._layout.turns[number]
        return [*turn.opening, *(self._step(number, len(turn.steps) - 1) if turn.steps else ())]

    def _others(self, number: int) -> Iterator[list[int]]:
        """Yield the other steps of a turn, the newest first."""
        for at in range(len(self._layout.turns[number].steps) - 1, -1, -1):
            yield self._step(number, at)

    def _step(self, number: int, at: int) -> list[int]:
        """Return a step, and its leader with the user's messages before it."""
        turns = self._layout.turns
        step = turns[number].steps[at]
        if step.leader is None:
            return step.members
        place, led = step.leader
        opening = turns[place].opening if place != number else ()
        return [*opening, *turns[place].steps[led].members, *step.members]

    def _keep(self, members: Sequence[int]) -> bool:
        """Keep messages if they fit, and tell whether they do; those already kept cost nothing."""
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
        """Keep a resource if it fits, or its summary if only that does."""
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
        """Tell whether an answer before the first user message is the greeting that begins the conversation."""
        facts = [self._facts[index] for index in turn.members]
        return all(one.speaker == "assistant" and not one.calls and not one.has_reasoning for one in facts)


def timestamp_of(text: str | None) -> datetime | None:
    """Parse a stored timestamp, in UTC without a time zone; None if it is invalid."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _ranked(layout: Layout, weights: Weights) -> dict[int, list[int]]:
    """Return the resources by the turn in which they were last used, the most recently used first.

    -1 is the time before the first turn. If the time of a turn is unknown, a resource belongs to the turn it is in. No
    resource ranks below one that was used earlier.
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
