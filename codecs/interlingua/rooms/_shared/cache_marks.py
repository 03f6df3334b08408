"""Which cache marks to drop from a request that has too many: the first, since each later mark covers them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def first_marks(written: Sequence[Any], marks: Sequence[tuple[Any, str]], many: int) -> list[tuple[int, str]]:
    """Return the positions of the first marks in a body, and the canonical paths that they came from.

    Args:
        written: The marks in the order in which the server reads them.
        marks: Each requested mark with its path, nearly in that order. A mark that is not among them stays.
        many: How many marks to return.
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
