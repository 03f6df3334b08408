"""The session that breaks code: what it breaks, and that a test that notices nothing is found out."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mutants
from mutation.operators import broken, places

SOURCE = '''
def grade(points):
    """Say how it went."""
    if points > 5 and points != 7:
        return "good"
    return "bad"
'''


def grades(source: ast.Module) -> list[str]:
    """Return what the function in a module says of some points."""
    space: dict[str, object] = {}
    exec(compile(source, "grade.py", "exec"), space)  # noqa: S102  # the very purpose: to run broken code
    grade = space["grade"]
    assert callable(grade)
    return [grade(points) for points in (1, 6, 7)]


def test_every_place_is_in_a_function_and_breaking_it_changes_what_the_function_says() -> None:
    whole = grades(ast.parse(SOURCE))
    found = list(places(SOURCE))
    assert {line for line, _ in found} == {4, 5, 6}
    assert all(grades(broken(SOURCE, number)) != whole for _, number in found)


def test_a_place_that_is_not_there_is_an_error() -> None:
    with pytest.raises(IndexError):
        broken(SOURCE, 99)


@pytest.mark.parametrize(("claim", "notices"), [('== "bad"', True), ("or True", False)])
def test_a_test_that_notices_nothing_stays_green(tmp_path: Path, claim: str, notices: bool) -> None:
    module, test = tmp_path / "grading.py", tmp_path / "test_grading.py"
    module.write_text(SOURCE, encoding="utf-8")
    test.write_text(f"from grading import grade\n\ndef test_it():\n    assert grade(1) {claim}\n", encoding="utf-8")
    order = [mutants.Place(str(module), line, number) for line, number in places(SOURCE)]
    verdict = mutants.judged("FR-1", [str(test)], order, most=len(order))
    assert (verdict.noticed is not None) is notices


def test_rare_lines_come_first() -> None:
    path = str(mutants.ROOT / "tools" / "mutants.py")
    lines = frozenset((path, line) for line, _ in places(Path(path).read_text(encoding="utf-8")))
    rare = min(lines)
    order = mutants.candidates(lines, {line: 1 if line == rare else 9 for line in lines}, "seed")
    assert (order[0].path, order[0].line) == rare
