"""Generates the benchmark chart from its JSON: `nox -s bench -- --pure --json > docs/benchmark.json`, then this.

The file may have the rows of two runs, of plain Python and of the compiled wheel: each row says which, and a case then
has two bars.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from docs_pictures import FOLDER, picture, text

MEASURED: Final = Path("docs") / "benchmark.json"
PICTURE: Final = FOLDER / "benchmark.svg"
GROUPS: Final = ("requests", "responses", "streams")
_FILLS: Final = {True: "#8fb8de", False: "#f0b37e"}
_FORMS: Final = {True: "compiled", False: "plain Python"}
_LEFT, _WIDTH, _ROW, _TOP = 470, 360, 22, 60


def pages(root: Path) -> dict[Path, str]:
    """Return the path and the text of the chart, if there are measurements."""
    measured = root / MEASURED
    if not measured.is_file():
        return {}
    return {root / PICTURE: chart(json.loads(measured.read_text(encoding="utf-8")))}


def charted(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the rows of the chart, in order: those of a case, compiled or not, are adjacent."""
    chosen = [row for row in rows if row["group"] in GROUPS and row["unit"] == "x limit"]
    cases = list(dict.fromkeys((row["group"], row["case"], row["size"]) for row in chosen))
    return sorted(chosen, key=lambda row: (cases.index((row["group"], row["case"], row["size"])), not row["compiled"]))


def chart(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the chart for rows of the benchmark's JSON: a bar for each, proportional to its multiple of the limit."""
    shown = charted(rows)
    heads = len({row["group"] for row in shown})
    return picture(
        _LEFT + _WIDTH + 70,
        _TOP + _ROW * (len(shown) + heads) + 10,
        "What translation costs, in times the limit",
        "A bar for each case of the benchmark: how many times as long it takes as reading and writing the same JSON.",
        _bars(shown),
    )


def _bars(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    longest = max(row["value"] for row in rows)
    x = 10
    for form in sorted({row["compiled"] for row in rows}, reverse=True):
        yield f'<rect x="{x}" y="14" width="14" height="14" fill="{_FILLS[form]}"/>'
        yield text(x + 20, 26, _FORMS[form])
        x += 130
    yield text(x, 26, "times as long as reading and writing the same JSON; less is better")
    y, group = _TOP, ""
    for row in rows:
        if row["group"] != group:
            group = row["group"]
            yield text(10, y + 14, group, bold=True)
            y += _ROW
        length = max(1, round(row["value"] / longest * _WIDTH))
        yield text(10, y + 14, f"{row['case']}, {row['size']}")
        yield f'<rect x="{_LEFT}" y="{y + 2}" width="{length}" height="{_ROW - 6}" fill="{_FILLS[row["compiled"]]}"/>'
        yield text(_LEFT + length + 6, y + 14, f"{row['value']:.1f}")
        y += _ROW
