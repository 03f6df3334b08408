"""Determines the positions of a branch's rows, and what is missing.

A store numbers the messages of a branch from 0 without gaps, and every message is on a branch. Where a file violates
this, a message is missing: that is reported, and the rows that are there are read, whatever their positions.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from interlingua.sessions.queries import branches_of, places_of, unplaced_rows

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from interlingua.sessions.queries import Place

__all__ = ["UNPLACED", "BranchLayout", "MissingRows", "branch_layout", "layouts_of", "lost_rows"]

NEGATIVE: Final = "its position is negative"
UNPLACED: Final = "a message is on no branch"


@dataclass(frozen=True, slots=True)
class MissingRows:
    """A gap in a branch: its position, the reason, and how many rows of the branch come before it."""

    position: int
    reason: str
    before: int


@dataclass(frozen=True, slots=True)
class BranchLayout:
    """The rows of a branch in order, the position of each, and the gaps."""

    name: str
    number: int
    positions: Sequence[int]
    rows: Sequence[int]
    missing_rows: Sequence[MissingRows] = ()

    @property
    def length(self) -> int:
        """The position of the next message."""
        return self.positions[-1] + 1 if self.positions else 0

    def before(self, row: int) -> int:
        """Return how many rows of the branch were written before a row: row numbers increase."""
        return bisect_left(self.rows, row)

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield for each gap the rows on both sides of it, with 0 for none before it."""
        for gap in self.missing_rows:
            if gap.position >= 0:
                yield self.rows[gap.before - 1] if gap.before else 0, self.rows[gap.before]


def branch_layout(name: str, number: int, places: Sequence[Place], start: int | None = 0) -> BranchLayout:
    """Return the layout of a branch, or of a part of it that should begin at position `start` (None: at any).

    Rows at negative positions are left out.
    """
    first = next((index for index, (position, _) in enumerate(places) if position >= 0), len(places))
    rows = [row for _, row in places[first:]]
    missing_rows = [MissingRows(position, NEGATIVE, bisect_left(rows, row)) for position, row in places[:first]]
    expected = start
    for index, (position, _) in enumerate(places[first:]):
        if expected is not None and position > expected:
            missing_rows.append(MissingRows(expected, _missing_text(position - expected), index))
        expected = position + 1
    return BranchLayout(name, number, [position for position, _ in places[first:]], rows, missing_rows)


def layouts_of(connection: sqlite3.Connection, session: int) -> list[BranchLayout]:
    """Return the layouts of the branches of a session, in order of creation."""
    return [
        branch_layout(name, number, places_of(connection, number)) for name, number in branches_of(connection, session)
    ]


def lost_rows(connection: sqlite3.Connection, session: int, layouts: Iterable[BranchLayout] | None = None) -> list[int]:
    """Return the rows of a session that are on no branch and do not fall into a gap of one."""
    unplaced = unplaced_rows(connection, session)
    if not unplaced:
        return []
    # Each gap lies between two rows. A row belongs to a gap if a gap that begins before it ends after it.
    spans = sorted(span for layout in layouts or layouts_of(connection, session) for span in layout.spans())
    begins = [begin for begin, _ in spans]
    ends = list(accumulate((end for _, end in spans), max, initial=0))
    return [row for row in unplaced if ends[bisect_left(begins, row)] <= row]


def _missing_text(count: int) -> str:
    return "the place is missing" if count == 1 else f"{count} places are missing"
