"""The page of requirements: each has one row, with its tests or a reason, and what is missing is told."""

from __future__ import annotations

from pathlib import Path

import pytest

import requirements

KNOWN = {"FR-1": "A is B", "FR-2": "C | D", "FR-3": "E"}
TESTS = {"FR-1": ["tests/a.py::b", "tests/c.py::d"]}
REASONS = {"FR-2": "decided otherwise"}


def test_a_requirement_has_one_row_with_its_text_and_all_its_tests() -> None:
    page = requirements.render(KNOWN, TESTS, REASONS).splitlines()
    assert "| FR-1 | A is B | `tests/a.py::b`<br>`tests/c.py::d` |" in page
    assert "| FR-2 | C \\| D | *decided otherwise* |" in page
    assert "| FR-3 | E | **open** |" in page
    assert "1 of 3 requirements have tests." in page


def test_a_requirement_without_test_and_reason_is_an_error() -> None:
    assert requirements.faults(KNOWN, TESTS, REASONS) == ["FR-3: no test and no reason"]


@pytest.mark.parametrize(
    ("tests", "reasons", "fault"),
    [
        ({"FR-9": ["t"]}, {}, "FR-9: a test names it, and it is no requirement"),
        ({}, {"FR-9": "why"}, "FR-9: a reason names it, and it is no requirement"),
        ({"FR-2": ["t"]}, {"FR-2": "why"}, "FR-2: it has tests and needs no reason"),
    ],
)
def test_unknown_and_duplicate_requirements_are_errors(
    tests: dict[str, list[str]], reasons: dict[str, str], fault: str
) -> None:
    assert fault in requirements.faults(KNOWN, tests, reasons)


def test_the_list_equals_that_of_the_source_documents() -> None:
    beside = Path(requirements.ROOT).parent / "shared" / "spec" / "requirements.tsv"
    assert len(requirements.listed()) == 450
    if beside.is_file():
        assert beside.read_bytes() == requirements.LIST.read_bytes()


def test_a_reason_names_a_listed_requirement() -> None:
    assert set(requirements.reasoned()) <= set(requirements.listed())
