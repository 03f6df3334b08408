"""The turns of a conversation and their steps: what may be left out without breaking what stays.

A turn is what the user says and all that follows until the user speaks again. A step is one answer of the assistant
with the results of its calls. Steps can be left out from within a turn; nothing smaller ever is. Where the user speaks
right behind results, providers hear both at once and take the turn before to go on (HIS-2): calls that follow may go on
from signed thoughts before, which then stay with them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interlingua.context.pairs import askers

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from interlingua.context.facts import Facts

__all__ = ["Layout", "Step", "Turn", "lay_out"]


@dataclass(slots=True)
class Step:
    """Messages that only go together, by index.

    `leader` is the turn and the step in it whose signed thoughts it goes on from; it must stay with it.
    """

    members: list[int] = field(default_factory=list[int])
    has_reasoning: bool = False
    leader: tuple[int, int] | None = None


@dataclass(slots=True)
class Turn:
    """What the user said (`opening`, which is empty where a conversation begins without it) and the steps after it.

    `goes_on` tells that the user spoke right behind results.
    """

    opening: list[int] = field(default_factory=list[int])
    steps: list[Step] = field(default_factory=list[Step])
    goes_on: bool = False


@dataclass(slots=True)
class Layout:
    """A conversation in turns. Each message of it is in one place: a turn or one of the lists, all by index.

    `prompts` always stay, and so does a compaction that stands for all before it, and what is `silent`, which no model
    is told. `stale` are resources of which a newer one is there, `orphans` results that nobody asked for. `turn_at`
    tells for each message the number of the turn that it stands in or before.
    """

    turns: list[Turn]
    prompts: list[int]
    silent: list[int]
    resources: list[int]
    stale: list[int]
    orphans: list[int]
    turn_at: list[int]


def lay_out(facts: Sequence[Facts], stale: Collection[int] = (), *, keeps_orphans: bool = False) -> Layout:
    """Return the turns of a conversation, in time linear in its length; `stale` are the places of stale resources.

    With `keeps_orphans`, results may answer calls that only the provider's server knows, which waits for them: they
    stay like instructions.
    """
    asked_by = askers(facts)
    whole = _unsplittable(asked_by, len(facts))
    layout = Layout([], [], [], [], [], [], [])
    before: Facts | None = None
    for index, one in enumerate(facts):
        if one.speaker == "prompt" or (one.is_compaction and not layout.turns):
            layout.prompts.append(index)
        elif one.speaker == "silent":
            layout.silent.append(index)
        elif one.speaker == "resource":
            (layout.stale if index in stale else layout.resources).append(index)
        elif one.speaker == "result" and index not in asked_by:
            (layout.prompts if keeps_orphans else layout.orphans).append(index)
        else:
            _place(layout.turns, index, one, before, is_cuttable=not (whole[index] or one.joins))
            before = one
        layout.turn_at.append(max(0, len(layout.turns) - 1))
    _lead(layout.turns)
    return layout


def _place(turns: list[Turn], index: int, one: Facts, before: Facts | None, *, is_cuttable: bool) -> None:
    """Put a message into the last turn, or begin one with it."""
    speaks = is_cuttable and one.speaker == "user" and not (before and before.speaker == "user" and before.is_attached)
    if speaks or not turns:
        still_speaks = bool(turns) and turns[-1].goes_on and not turns[-1].steps
        turns.append(Turn(goes_on=still_speaks or _ends_step(before)))
    turn = turns[-1]
    if one.speaker == "user" and not turn.steps:
        turn.opening.append(index)
        return
    begins = not turn.steps or (is_cuttable and one.speaker == "assistant" and _ends_step(before))
    if begins:
        turn.steps.append(Step())
    step = turn.steps[-1]
    step.members.append(index)
    step.has_reasoning = step.has_reasoning or one.has_reasoning


def _ends_step(before: Facts | None) -> bool:
    return before is not None and before.speaker == "result"


def _unsplittable(asked_by: dict[int, int], length: int) -> list[bool]:
    """Return for each index whether a call and its result stand on both sides of the place before it."""
    changes = [0] * (length + 1)
    for result, asker in asked_by.items():
        low, high = min(result, asker), max(result, asker)
        changes[low + 1] += 1
        changes[high + 1] -= 1
    open_pairs = 0
    found: list[bool] = []
    for change in changes[:length]:
        open_pairs += change
        found.append(open_pairs > 0)
    return found


def _lead(turns: Sequence[Turn]) -> None:
    """Note for each step without thoughts the nearest one before it that has some, in its turn or one that it goes on.

    Nobody leads from a turn that the user did not open: what stays begins with the user.
    """
    leader: tuple[int, int] | None = None
    for number, turn in enumerate(turns):
        if not turn.goes_on or (leader is not None and not turns[leader[0]].opening):
            leader = None
        for at, step in enumerate(turn.steps):
            if step.has_reasoning:
                leader = (number, at)
            else:
                step.leader = leader
