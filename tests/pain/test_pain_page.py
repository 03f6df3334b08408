"""Every kind of trouble that users told of (docs/pain.md) has a test that names it, or a reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docs_pain

ROOT = Path(__file__).parents[2]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a small tree: two entries, a test of the first, a reason for the second."""
    folder = tmp_path / "tests" / "pain"
    folder.mkdir(parents=True)
    (folder / "entries.json").write_text(json.dumps({"DEC-1": "It hurts", "STR-2": "It burns"}), encoding="utf-8")
    (folder / "reasons.json").write_text(json.dumps({"STR-2": "Nothing burns."}), encoding="utf-8")
    (folder / "test_it.py").write_text("def test_dec_1_it_heals(a: int) -> None: ...\n", encoding="utf-8")
    return tmp_path


def test_every_entry_has_a_test_or_a_reason() -> None:
    entries = docs_pain.entries(ROOT)
    assert [entry.identifier for entry in entries if not entry.tests and not entry.reason] == []


def test_no_test_and_no_reason_names_a_missing_entry() -> None:
    assert docs_pain.unknown(ROOT) == []


def test_the_entries_of_an_area_are_numbered_without_gaps() -> None:
    numbers: dict[str, list[int]] = {}
    for entry in docs_pain.entries(ROOT):
        area, _, number = entry.identifier.partition("-")
        numbers.setdefault(area, []).append(int(number))
    assert {area: len(of) for area, of in numbers.items()} == {
        "DEC": 20,
        "ENC": 26,
        "TOOL": 16,
        "REA": 15,
        "MM": 10,
        "STR": 15,
        "HIS": 9,
        "PER": 13,
        "VAL": 8,
        "SEC": 7,
    }
    assert all(of == list(range(1, len(of) + 1)) for of in numbers.values())


def test_the_page_has_a_sentence_for_each_test_and_each_reason(copy: Path) -> None:
    ((path, text),) = docs_pain.pages(copy).items()
    assert path == copy / "docs" / "pain.md"
    assert "**DEC-1** It hurts.\n\n- it heals (`tests/pain/test_it.py`)\n" in text
    assert "**STR-2** It burns.\n\n- Nothing burns.\n" in text


def test_an_entry_without_test_or_reason_and_a_test_without_an_entry_are_detected(copy: Path) -> None:
    (copy / "tests" / "pain" / "test_it.py").write_text("def test_mm_9_it_stays() -> None: ...\n", encoding="utf-8")
    assert [entry.identifier for entry in docs_pain.entries(copy) if not entry.tests and not entry.reason] == ["DEC-1"]
    assert docs_pain.unknown(copy) == ["MM-9"]
    assert "**DEC-1** It hurts.\n\n- Nothing says so yet.\n" in docs_pain.pages(copy)[copy / "docs" / "pain.md"]


def test_a_tree_without_entries_has_no_page(tmp_path: Path) -> None:
    assert docs_pain.pages(tmp_path) == {}
