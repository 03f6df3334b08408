"""The generated table of changes, made ready to run: what each type gained, renamed and changed in one step.

A member that is added or renamed is all said in its row, and `members` carries it out for every type alike. Where a
change is more than one member in and one member out, the row names a function of this package. A row `restructure`
names the two that do all there is to do; the rows beside it say what they do, for people.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.migrate import between_1_2, downgrade_3_2, extras, parts, upgrade_2_3
from interlingua_types.migrations import CHANGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from interlingua.loss import LossLog
    from interlingua.migrate.downgrade_scope import Scope
    from interlingua.migrate.origin import Origin

_MODULES: Final[Mapping[tuple[int, int], tuple[ModuleType, ...]]] = MappingProxyType(
    {(1, 2): (between_1_2,), (2, 3): (upgrade_2_3, downgrade_3_2, parts, extras)}
)


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
    downgrades: list[Callable[[dict[str, Any], Scope], None]] = field(
        default_factory=list["Callable[[dict[str, Any], Scope], None]"]
    )
    """What else is done to a value on the way down, in this order."""

    taken: frozenset[str] = frozenset()
    """The names that mean something now, and meant nothing before."""


@dataclass(slots=True)
class StepPlan:
    """What happened between two neighbouring versions."""

    types: dict[str, TypePlan] = field(default_factory=dict[str, TypePlan])
    """The types that changed, by name."""
    variants: dict[str, Callable[[dict[str, Any], Scope], None]] = field(
        default_factory=dict[str, "Callable[[dict[str, Any], Scope], None]"]
    )
    """What makes an older variant of a message whose tag is new, by tag."""
    split: Callable[[dict[str, Any]], list[dict[str, Any]]] | None = None
    """What makes the newer messages of one older message, where the whole message was restructured."""
    fold: Callable[[list[dict[str, Any]], list[str], LossLog], list[tuple[dict[str, Any], Origin]]] | None = None
    """What makes the older messages of newer ones, where the whole message was restructured."""


@cache
def step_plan(older: int, newer: int) -> StepPlan:
    """Return the plan of a step, read from the generated table."""
    plan = StepPlan()
    functions = {name: value for module in _MODULES[older, newer] for name, value in vars(module).items()}
    for change in CHANGES[older, newer]:
        name, _, member = change.where.partition(".")
        upgrade: Any = None if change.upgrade is None else functions[change.upgrade]
        downgrade: Any = None if change.downgrade is None else functions[change.downgrade]
        if change.op == "restructure":
            plan.split, plan.fold = upgrade, downgrade
        if change.op == "add_variant":
            if name == "Message" and downgrade is not None:
                plan.variants[member] = downgrade
            continue
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
    for of_type in plan.types.values():
        of_type.taken = frozenset(of_type.added) | frozenset(of_type.renamed.values())
    return plan
