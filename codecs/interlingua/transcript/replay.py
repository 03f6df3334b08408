"""Computes the changes that turn an empty transcript into a given one."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from interlingua.transcript.change import Change

if TYPE_CHECKING:
    from interlingua.transcript.branch_tree import BranchTree, Lineage


def replayed(tree: BranchTree, active: str) -> list[Change]:
    """Return the changes that turn an empty transcript into this one, with messages in chronological order.

    A branch is forked as soon as its source is long enough, but not before earlier branches.
    """
    lineages = {lineage.name: lineage for lineage in tree.lineages()}
    owners = {place: lineage for lineage in lineages.values() for place in lineage.own}
    first, *others = lineages
    made = {first}
    waiting = deque(others)
    changes: list[Change] = []

    def make(lineage: Lineage) -> None:
        if lineage.name not in made and lineage.source is not None:
            make(lineages[lineage.source])
            made.add(lineage.name)
            changes.append(Change("fork", lineage.name, lineage.shared, source=lineage.source))

    for place, message in enumerate(tree.entries):
        while waiting and tree.begins_before(waiting[0], lineages[waiting[0]].shared, place):
            make(lineages[waiting.popleft()])
        owner = owners[place]
        make(owner)
        changes.append(Change("append", owner.name, tree.position(owner.name, place) or 0, message))
    for name in waiting:
        make(lineages[name])
    if active != first:
        changes.append(Change("switch", active, 0, source=first))
    return changes
