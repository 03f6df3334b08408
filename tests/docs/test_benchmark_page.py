"""The chart of the benchmark and the figures of the README are those of the JSON that was measured."""

from __future__ import annotations

import json
import re
from itertools import groupby
from typing import Any, Final
from xml.etree import ElementTree as ET

import docs_benchmark
from support.tree import ROOT

ROWS: Final[list[dict[str, Any]]] = json.loads((ROOT / docs_benchmark.MEASURED).read_text(encoding="utf-8"))
SAID: Final = re.compile(
    r"as plain Python, a request of an agent takes (\d+) to (\d+) times as long as reading and writing its JSON alone, "
    r"within one dialect (\d+) to (\d+) times; compiled, (\d+) to (\d+) and (\d+) to (\d+) times"
)


def ends(values: list[float]) -> list[int]:
    return [round(min(values)), round(max(values))]


def test_the_readme_has_the_measured_figures() -> None:
    figures: list[int] = []
    for compiled in (False, True):
        cases = {r["case"]: r["value"] for r in ROWS if r["group"] == "requests" and r["compiled"] is compiled}
        figures += ends([value for case, value in cases.items() if " -> " in case])
        figures += ends([value for case, value in cases.items() if case.startswith("within ")])
    said = SAID.search(" ".join((ROOT / "README.md").read_text(encoding="utf-8").split()))
    assert said is not None
    assert list(map(int, said.groups())) == figures


def test_the_chart_has_a_bar_and_a_figure_for_each_case() -> None:
    drawn = ET.parse(ROOT / docs_benchmark.PICTURE)  # noqa: S314  # a file of our own
    texts = [str(one.text) for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    shown = docs_benchmark.charted(ROWS)
    assert {row["group"] for row in shown} == set(docs_benchmark.GROUPS)
    for case, rows in groupby(shown, key=lambda row: f"{row['case']}, {row['size']}"):
        figures = [f"{row['value']:.1f}" for row in rows]
        after = texts.index(case) + 1
        assert [one for one in texts[after : after + 2 * len(figures)] if one != case][: len(figures)] == figures


def test_bar_lengths_match_the_figures_and_a_case_with_two_forms_has_two_bars() -> None:
    row = {"group": "requests", "case": "a -> b", "size": "9 bytes", "unit": "x limit", "compiled": False}
    rows: list[dict[str, Any]] = [{**row, "value": 8.0}, {**row, "value": 4.0, "compiled": True}]
    drawn = ET.fromstring(docs_benchmark.chart(rows))  # noqa: S314  # made here
    bars = [one for one in drawn.iter("{http://www.w3.org/2000/svg}rect") if one.get("height") == "16"]
    widths = [int(one.get("width", "0")) for one in bars]
    assert widths[1] == 2 * widths[0]
    assert len({one.get("fill") for one in bars}) == len(bars)
