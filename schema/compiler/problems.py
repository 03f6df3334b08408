"""What can be wrong with the source, told with the file, the rule that it breaks, and what to do.

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
    """A source file, setting or tool is not as it must be."""

    file: str
    rule: str
    detail: str
    place: str = ""

    def __str__(self) -> str:
        """Return one line: where, which rule, what to do."""
        is_said = self.place in {"", f"/{self.rule}"} or self.detail.startswith(self.place)
        place = "" if is_said else f"#{self.place}"
        return f"{self.file}{place}: {self.rule}: {self.detail}"

    @property
    def every(self) -> tuple[SchemaProblem, ...]:
        """All problems that were found together: this one, unless it stands for several."""
        return (self,)


class SchemaProblems(SchemaProblem):
    """Several problems, found together. Read as one problem it is the first of them."""

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
    """Return if there is no problem.

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


def collected(function: Callable[[Item], T], items: Iterable[Item]) -> list[T]:
    """Return what a function makes of every item.

    Raises:
        SchemaProblem: it refuses one, or several: all of them are told.
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


def both(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """Return what two readers return: the second one runs, too, where the first one refuses.

    Raises:
        SchemaProblem: one refuses, or both: the problems of both are told.
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
