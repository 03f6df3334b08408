"""Tables of bodies that break one rule each, and the checks for every row of such a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from interlingua.violation import Violation


@dataclass(frozen=True)
class Row:
    """Two bodies that differ in one thing: `broken` breaks the rule at `path`, `mended` breaks none.

    Both are given as the members in which they differ from a valid body; a member that is None is omitted.
    """

    rule: str
    broken: Mapping[str, Any]
    code: str
    path: str
    mended: Mapping[str, Any]
    api_version: str | None = None

    def __str__(self) -> str:
        return f"{self.rule}-{self.path}"


def edited(good: Mapping[str, Any], members: Mapping[str, Any]) -> dict[str, Any]:
    """Return a body with other members; a member that is None is omitted."""
    return {name: value for name, value in {**good, **members}.items() if value is not None}


def faults(
    row: Row,
    good: Mapping[str, Any],
    check: Callable[[Any, str | None], list[Violation]],
    rules: Iterable[Callable[[dict[str, Any]], Iterable[Violation]]],
) -> list[str]:
    """Return what is wrong with a row: the broken body breaks another rule, another number of rules, or none."""
    broken, mended = edited(good, row.broken), edited(good, row.mended)
    wrong = []
    found = [(one.code, one.path) for one in check(broken, row.api_version)]
    if found != [(row.code, row.path)]:
        wrong.append(f"the broken body: {found}")
    names = [rule.__name__ for rule in rules if list(rule(broken))]
    if names != [row.rule]:
        wrong.append(f"the rules that it breaks: {names}")
    wrong += [f"the mended body: {one.code} {one.path}" for one in check(mended, row.api_version)]
    return wrong


def untried(rows: Sequence[Row], rules: Iterable[Callable[[dict[str, Any]], Any]]) -> set[str]:
    """Return the names of the rules that no row breaks."""
    return {rule.__name__ for rule in rules} - {row.rule for row in rows}
