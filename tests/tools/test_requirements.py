"""The page of requirements: numbers count as numbers, and each requirement has one row."""

from __future__ import annotations

import requirements


def test_identifiers_are_ordered_as_people_count() -> None:
    found = sorted(["FR-10", "FR-9", "NORM-1.10.1", "NORM-1.2.1", "FR"], key=requirements.in_order)
    assert found == ["FR", "FR-9", "FR-10", "NORM-1.2.1", "NORM-1.10.1"]


def test_a_requirement_has_one_row_with_all_its_tests() -> None:
    page = requirements.render({"FR-1": ["tests/a.py::b", "tests/c.py::d"], "FR-2": ["tests/a.py::b"]})
    assert "| FR-1 | `tests/a.py::b`<br>`tests/c.py::d` |" in page.splitlines()
    assert "2 requirements are proved." in page.splitlines()
