"""Errors in the source, with the file, the violated rule, and what to do.

All problems of one stage are told together: one run, one list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
Item = TypeVar("Item")
First = TypeVar("First")
Second = TypeVar("Second")


@dataclass
class SchemaProblem(Exception):  # noqa: N818 - a fact about a file, raised and reported
    """A source file, setting or tool violates a rule."""

    file: str
    rule: str
    detail: str
    place: str = ""

    def __str__(self) -> str:
        """Return one line with the place, the rule, and what to do."""
        has_place = self.place in {"", f"/{self.rule}"} or self.detail.startswith(self.place)
        place = "" if has_place else f"#{self.place}"
        return f"{self.file}{place}: {self.rule}: {self.detail}"

    @property
    def every(self) -> tuple[SchemaProblem, ...]:
        """All problems that were found together: only this one, unless it is `SchemaProblems`."""
        return (self,)


class SchemaProblems(SchemaProblem):
    """Several problems found together. Its fields are those of the first."""

    def __init__(self, problems: Sequence[SchemaProblem]) -> None:
        first = problems[0]
        super().__init__(first.file, first.rule, first.detail, first.place)
        self._every = tuple(problems)

    def __str__(self) -> str:
        """Return one line for each problem."""
        return "\n".join(map(str, self._every))

    @property
    def every(self) -> tuple[SchemaProblem, ...]:
        """All problems that were found together."""
        return self._every


def refuse(problems: Iterable[SchemaProblem]) -> None:
    """Raise the problems, if there are any.

    Raises:
        SchemaProblem: there is one, or several, which it then stands for.
    """
    found = _distinct(problems)
    if len(found) == 1:
        raise found[0]
    if found:
        raise SchemaProblems(found)


def _distinct(problems: Iterable[SchemaProblem]) -> list[SchemaProblem]:
    return list({str(problem): problem for problem in problems}.values())


def collect_results(function: Callable[[Item], T], items: Iterable[Item]) -> list[T]:
    """Return the results of a function for every item.

    Raises:
        SchemaProblem: it refuses one or several; all problems are reported.
    """
    made: list[T] = []
    problems: list[SchemaProblem] = []
    for item in items:
        try:
            made.append(function(item))
        except SchemaProblem as problem:
            problems += problem.every
    refuse(problems)
    return made


def collect_both(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """Return the results of two readers; the second one runs even if the first one raises.

    Raises:
        SchemaProblem: one or both refuse; the problems of both are reported.
    """
    try:
        made = first()
    except SchemaProblem as problem:
        found = problem.every
    else:
        return made, second()
    try:
        second()
    except SchemaProblem as problem:
        found += problem.every
    raise SchemaProblems(_distinct(found))
