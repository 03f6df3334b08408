"""Turns the generated table of changes into plans: what each type gained, renamed and changed in one step.

A change that its row describes completely is applied in the same way for every type: by `members` if the older version
is open, by `conversion` if it is closed. For any other change the row names a function of this package. A `restructure`
row names the two functions that do the whole step; the rows beside it are documentation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from interlingua_types.migrations import CHANGES, FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlingua.loss import LossLog
    from interlingua.migrate.origin import Origin
    from interlingua_types.migrations import Change


@dataclass(frozen=True, slots=True)
class Handled:
    """A change that a function applies in at least one direction, and the members that it affects.

    For an upgrade the function modifies a fresh copy of the value; for a downgrade it also gets a scope with a `log`
    for losses and `at` for source paths.
    """

    op: str
    old: tuple[str, ...]
    """The members that the older version has."""
    new: tuple[str, ...]
    """The members that the newer version has."""
    upgrade: Callable[[dict[str, Any]], None] | None
    downgrade: Callable[[dict[str, Any], Any], None] | None


@dataclass(slots=True)
class TypePlan:
    """The changes of one type between two versions."""

    added: list[str] = field(default_factory=list[str])
    """The members that it gained."""
    defaults: dict[str, Any] = field(default_factory=dict[str, Any])
    """The default values of gained members in an upgraded document."""
    renamed: dict[str, str] = field(default_factory=dict[str, str])
    """The members that have a new name, old to new."""
    upgrades: list[Callable[[dict[str, Any]], None]] = field(default_factory=list["Callable[[dict[str, Any]], None]"])
    """Further functions for the upgrade of a value, in order."""
    downgrades: list[Callable[[dict[str, Any], Any], None]] = field(
        default_factory=list["Callable[[dict[str, Any], Any], None]"]
    )
    """Further functions for the downgrade of a value, in order."""

    taken: frozenset[str] = frozenset()
    """The member names that have a meaning only in the newer version."""
    handled: list[Handled] = field(default_factory=list["Handled"])
    """The changes of members that a function applies, in order."""

    def joined(self, other: TypePlan) -> TypePlan:
        """Return this plan joined with another one."""
        return TypePlan(
            self.added + other.added,
            self.defaults | other.defaults,
            self.renamed | other.renamed,
            self.upgrades + other.upgrades,
            self.downgrades + other.downgrades,
            self.taken | other.taken,
            self.handled + other.handled,
        )


@dataclass(slots=True)
class StepPlan:
    """The changes between two adjacent versions."""

    types: dict[str, TypePlan] = field(default_factory=dict[str, TypePlan])
    """The types that changed, by name."""
    renamed_variants: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """The variants that have a new tag: union and old tag to new tag."""
    older_variants: dict[tuple[str, str], Callable[[dict[str, Any], Any], None]] = field(
        default_factory=dict[tuple[str, str], "Callable[[dict[str, Any], Any], None]"]
    )
    """Functions that turn a variant unknown to the older version into one that it knows, by union and tag."""
    newer_variants: dict[tuple[str, str], Callable[[dict[str, Any]], None]] = field(
        default_factory=dict[tuple[str, str], "Callable[[dict[str, Any]], None]"]
    )
    """Functions that turn a removed variant into one that the newer version knows, by union and tag."""
    renamed_types: dict[str, str] = field(default_factory=dict[str, str])
    """The classes that have a new name, old to new."""
    split: Callable[[dict[str, Any]], list[dict[str, Any]]] | None = None
    """The function that splits an older message into newer ones, if messages were restructured."""
    fold: Callable[[list[dict[str, Any]], list[str], LossLog], list[tuple[dict[str, Any], Origin]]] | None = None
    """The function that folds newer messages into older ones, if messages were restructured."""


@cache
def step_plan(older: int, newer: int) -> StepPlan:
    """Return the plan of a step, read from the generated table."""
    plan = StepPlan()
    for change in CHANGES[older, newer]:
        name, _, member = change.where.partition(".")
        upgrade, downgrade = _function(change.upgrade), _function(change.downgrade)
        if change.op == "restructure":
            plan.split, plan.fold = upgrade, downgrade
        elif change.op.endswith("_variant"):
            _plan_variant(plan, change, name, member)
            continue
        elif change.op == "rename_type" and change.to is not None:
            plan.renamed_types[name] = change.to
        of_type = plan.types.setdefault(name, TypePlan())
        if change.op == "add_member":
            of_type.added.append(member)
            if change.value is not None:
                of_type.defaults[member] = change.value
        if change.op == "rename_member" and change.to is not None:
            of_type.renamed[member] = change.to
        if upgrade is not None:
            of_type.upgrades.append(upgrade)
        if downgrade is not None:
            of_type.downgrades.append(downgrade)
        if upgrade is not None or downgrade is not None:
            of_type.handled.append(Handled(change.op, *_members(change, member), upgrade, downgrade))
    for of_type in plan.types.values():
        of_type.taken = frozenset(of_type.added) | frozenset(of_type.renamed.values())
    return plan


def _plan_variant(plan: StepPlan, change: Change, union: str, tag: str) -> None:
    """Add a change of a variant of a union to the plan."""
    upgrade, downgrade = _function(change.upgrade), _function(change.downgrade)
    if change.op == "rename_variant" and change.to is not None:
        plan.renamed_variants[union, tag] = change.to
    elif change.op == "add_variant" and downgrade is not None:
        plan.older_variants[union, tag] = downgrade
    elif change.op == "remove_variant" and upgrade is not None:
        plan.newer_variants[union, tag] = upgrade


def _members(change: Change, member: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the members that a change affects: those of the older version, and those of the newer one."""
    one = (member,) if member else ()
    if change.op == "split_member":
        return one, change.members
    if change.op == "join_members":
        return change.members, one
    if change.op == "rename_member" and change.to is not None:
        return one, (change.to,)
    return () if change.op == "add_member" else one, () if change.op == "remove_member" else one


def _function(name: str | None) -> Any:
    """Return the function that a row names."""
    if name is None:
        return None
    return getattr(import_module(f"interlingua.migrate.{FUNCTIONS[name]}"), name)
