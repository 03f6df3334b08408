"""Divides a conversation into turns and steps: the units that can be left out without breaking the rest.

A turn is a user message and all that follows until the next user message. A step is one assistant answer with the
results of its calls. Steps can be left out of a turn, but nothing smaller. If a user message directly follows tool
results, providers take both together as a continuation of the turn before (HIS-2): later calls may depend on earlier
signed reasoning, which then stays with them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interlingua.context.pairs import calling_messages

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from interlingua.context.facts import Facts

__all__ = ["Layout", "Step", "Turn", "divide_into_turns"]


@dataclass(slots=True)
class Step:
    """Messages that can only be kept together, by index.

    `leader` is the turn and step whose signed reasoning this step depends on, which must stay with it.
    """

    members: list[int] = field(default_factory=list[int])
    has_reasoning: bool = False
    leader: tuple[int, int] | None = None


@dataclass(slots=True)
class Turn:
    """The user's messages (`opening`, empty if the conversation begins without one) and the steps after them.

    `follows_results`: the user's message directly follows tool results. `follows_summary`: a summary that is sent as a
    user message stands before the conversation, so that it need not begin with another one.
    """

    opening: list[int] = field(default_factory=list[int])
    steps: list[Step] = field(default_factory=list[Step])
    follows_results: bool = False
    follows_summary: bool = False

    @property
    def members(self) -> list[int]:
        """The messages of the turn, by index."""
        return [*self.opening, *(index for step in self.steps for index in step.members)]

    @property
    def is_asked(self) -> bool:
        """Whether a user message stands before the answers of the turn."""
        return bool(self.opening) or self.follows_summary


@dataclass(slots=True)
class Layout:
    """A conversation in turns. Each message is in exactly one turn or list, by index.

    `prompts` always stay, including a compaction that replaces everything before it, and so do `silent` messages, which
    no model sees. `stale` are resources of which there is a newer one, `orphans` results without a call. `turn_at` has,
    for each message, the number of the turn that it is in or before.
    """

    turns: list[Turn]
    prompts: list[int]
    silent: list[int]
    resources: list[int]
    stale: list[int]
    orphans: list[int]
    turn_at: list[int]


def divide_into_turns(
    facts: Sequence[Facts],
    stale: Collection[int] = (),
    summaries: Collection[int] = (),
    *,
    keeps_orphans: bool = False,
) -> Layout:
    """Return the turns of a conversation, in linear time; `stale` are the indexes of stale resources.

    `summaries` are the indexes before which a summary is sent as a user message. With `keeps_orphans`, results may
    answer calls that only the provider's server knows and waits for: they always stay.
    """
    calling_indexes = calling_messages(facts)
    whole = _unsplittable(calling_indexes, len(facts))
    layout = Layout([], [], [], [], [], [], [])
    before: Facts | None = None
    for index, one in enumerate(facts):
        if one.speaker == "prompt" or (one.is_compaction and not layout.turns):
            layout.prompts.append(index)
        elif one.speaker == "silent":
            layout.silent.append(index)
        elif one.speaker == "resource":
            (layout.stale if index in stale else layout.resources).append(index)
        elif one.speaker == "result" and index not in calling_indexes:
            (layout.prompts if keeps_orphans else layout.orphans).append(index)
        else:
            _place(layout.turns, index, one, before, is_cuttable=not (whole[index] or one.joins))
            before = one
        layout.turn_at.append(max(0, len(layout.turns) - 1))
    if layout.turns and summaries:
        layout.turns[0].follows_summary = min(summaries) <= min(layout.turns[0].members)
    _set_leaders(layout.turns)
    return layout


def _place(turns: list[Turn], index: int, one: Facts, before: Facts | None, *, is_cuttable: bool) -> None:
    """Add a message to the last turn, or begin a new one."""
    is_user_message = (
        is_cuttable and one.speaker == "user" and not (before and before.speaker == "user" and before.is_attached)
    )
    if is_user_message or not turns:
        continues_user_message = bool(turns) and turns[-1].follows_results and not turns[-1].steps
        turns.append(Turn(follows_results=continues_user_message or _ends_step(before)))
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


def _unsplittable(calling_indexes: dict[int, int], length: int) -> list[bool]:
    """Return for each index whether a split before it would separate a call from its result."""
    changes = [0] * (length + 1)
    for result, calling_index in calling_indexes.items():
        low, high = min(result, calling_index), max(result, calling_index)
        changes[low + 1] += 1
        changes[high + 1] -= 1
    open_pairs = 0
    found: list[bool] = []
    for change in changes[:length]:
        open_pairs += change
        found.append(open_pairs > 0)
    return found


def _set_leaders(turns: Sequence[Turn]) -> None:
    """Set the leader of each step without reasoning: the nearest earlier one with some, in its turn or a continued one.

    A turn without a user message has no leaders, since the selection begins with the user.
    """
    leader: tuple[int, int] | None = None
    for number, turn in enumerate(turns):
        if not turn.follows_results or (leader is not None and not turns[leader[0]].is_asked):
            leader = None
        for at, step in enumerate(turn.steps):
            if step.has_reasoning:
                leader = (number, at)
            else:
                step.leader = leader
