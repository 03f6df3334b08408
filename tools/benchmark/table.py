"""The rows of the benchmark, and their output."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Literal

Unit = Literal["x limit", "ms", "us", "x loading"]


@dataclass(frozen=True, slots=True)
class Row:
    """One case: its cost, in its unit, its maximum, and the fastest correct peer.

    `beside_peer` is how many times as fast as that peer the library is; it must be 3. `note` has remarks on peers.
    """

    group: str
    case: str
    size: str
    value: float
    unit: Unit = "x limit"
    must: float | None = None
    peer: str = ""
    beside_peer: float | None = None
    note: str = ""

    @property
    def holds(self) -> bool | None:
        """Tell whether the row is within its maximum, or None if it has none."""
        if self.must is None and self.beside_peer is None:
            return None
        slow = self.must is not None and self.value > self.must
        return not slow and (self.beside_peer is None or self.beside_peer >= LEAST_BESIDE_PEER)


LEAST_BESIDE_PEER = 3.0


def as_json(rows: list[Row], *, compiled: bool) -> str:
    """Return the rows as a list of JSON objects; each says whether the library was compiled."""
    return json.dumps([{**dataclasses.asdict(row), "holds": row.holds, "compiled": compiled} for row in rows], indent=2)


def as_text(rows: list[Row], *, compiled: bool) -> str:
    """Return the rows as a table, whose head says whether the library was compiled."""
    ours = "compiled" if compiled else "plain Python"
    head = ("case", "size", ours, "", "must", "", "fastest peer", "faster by")
    lines: list[tuple[str, ...]] = [head]
    group = ""
    for row in rows:
        if row.group != group:
            group = row.group
            lines.append((group.upper(), *[""] * 7))
        verdict = {True: "yes", False: "NO", None: ""}[row.holds]
        beside = "" if row.beside_peer is None else f"{row.beside_peer:.1f}"
        must = "" if row.must is None else f"{row.must:.4g}"
        peer = row.peer or row.note
        lines.append((f"  {row.case}", row.size, f"{row.value:.2f}", row.unit, must, verdict, peer, beside))
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    right = {2, 4, 7}
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
