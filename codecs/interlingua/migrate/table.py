"""The generated table of changes, made ready to run: what each type gained, renamed and changed in one step.

A change that is said by its row alone is carried out for every type alike: `members` does it where the older version is
open, `conversion` where it is closed. Where a change is more, the row names a function of this package. A row
`restructure` names the two that do all there is to do; the rows beside it say what they do, for people.
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
    """A change that a function carries out on at least one way, and the members that it is about.

    Upwards the function gets a fresh copy of the value and changes it; downwards it also gets something with a `log`
    for losses, whose `at` says where a member came from.
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
    """What happened to one type between two versions."""

    added: list[str] = field(default_factory=list[str])
    """The members that it gained."""
    defaults: dict[str, Any] = field(default_factory=dict[str, Any])
    """What gained members are in an upgraded document, where they are not absent."""
    renamed: dict[str, str] = field(default_factory=dict[str, str])
    """The members that have a new name, old to new."""
    upgrades: list[Callable[[dict[str, Any]], None]] = field(default_factory=list["Callable[[dict[str, Any]], None]"])
    """What else is done to a value on the way up, in this order."""
    downgrades: list[Callable[[dict[str, Any], Any], None]] = field(
        default_factory=list["Callable[[dict[str, Any], Any], None]"]
    )
    """What else is done to a value on the way down, in this order."""

    taken: frozenset[str] = frozenset()
    """The names that mean something now, and meant nothing before."""
    handled: list[Handled] = field(default_factory=list["Handled"])
    """The changes of members that a function carries out, in this order."""

    def joined(self, other: TypePlan) -> TypePlan:
        """Return this plan and another one as one."""
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
    """What happened between two neighbouring versions."""

    types: dict[str, TypePlan] = field(default_factory=dict[str, TypePlan])
    """The types that changed, by name."""
    renamed_variants: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """The variants that have a new tag: union and old tag to new tag."""
    older_variants: dict[tuple[str, str], Callable[[dict[str, Any], Any], None]] = field(
        default_factory=dict[tuple[str, str], "Callable[[dict[str, Any], Any], None]"]
    )
    """What makes a variant that the older version knows of one that it does not, by union and tag."""
    newer_variants: dict[tuple[str, str], Callable[[dict[str, Any]], None]] = field(
        default_factory=dict[tuple[str, str], "Callable[[dict[str, Any]], None]"]
    )
    """What makes a variant that the newer version knows of one that is gone, by union and tag."""
    renamed_types: dict[str, str] = field(default_factory=dict[str, str])
    """The classes that have a new name, old to new."""
    split: Callable[[dict[str, Any]], list[dict[str, Any]]] | None = None
    """What makes the newer messages of one older message, where the whole message was restructured."""
    fold: Callable[[list[dict[str, Any]], list[str], LossLog], list[tuple[dict[str, Any], Origin]]] | None = None
    """What makes the older messages of newer ones, where the whole message was restructured."""


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
    """Note what happened to a variant of a union."""
    upgrade, downgrade = _function(change.upgrade), _function(change.downgrade)
    if change.op == "rename_variant" and change.to is not None:
        plan.renamed_variants[union, tag] = change.to
    elif change.op == "add_variant" and downgrade is not None:
        plan.older_variants[union, tag] = downgrade
    elif change.op == "remove_variant" and upgrade is not None:
        plan.newer_variants[union, tag] = upgrade


def _members(change: Change, member: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the members that a change is about: those of the older version, and those of the newer one."""
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
