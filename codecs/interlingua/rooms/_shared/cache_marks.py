"""Which cache marks of a request are too many: each of the last covers all that stands before it, so the first go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def first_marks(written: Sequence[Any], marks: Sequence[tuple[Any, str]], many: int) -> list[tuple[int, str]]:
    """Return the places of the first marks in a body, and the paths of what asked for them.

    Args:
        written: The marks in the order in which the server reads them.
        marks: Each mark with its path, nearly in that order. One that is not among them was not asked for, and stays.
        many: How many of them are asked for.
    """
    found: list[tuple[int, str]] = []
    at = 0
    for place, mark in enumerate(written):
        if len(found) >= many:
            break
        steps = (step for step in range(len(marks)) if marks[(at + step) % len(marks)][0] is mark)
        step = next(steps, None)
        if step is not None:
            at = (at + step) % len(marks)
            found.append((place, marks[at][1]))
    return found
