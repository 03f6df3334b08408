"""The session that breaks code: what an edit edits, and that a test that notices nothing is found out."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

import mutants
import requirements
from mutation.edits import ROOT, Edit, EditError, edited, read_edits, replaced

EDITS = read_edits()
SOURCE = '''
LIMIT = 5

class Judge:
    def grade(self, points):
        """Say how it went."""
        if points > 5:  # the limit
            return "good"
        return "bad"

def other(points, *, limit=None, most):
    return {**points} or points > 5
'''


def edit(find: str, replace: str, function: str = "Judge.grade", file: str = "grading.py") -> Edit:
    return Edit("FR-1", file, function, find, replace)


def grade(source: str, points: int) -> str:
    space: dict[str, type] = {}
    exec(source, space)  # noqa: S102  # the very purpose: to run edited code
    return str(space["Judge"]().grade(points))


@pytest.mark.parametrize(
    ("find", "replace", "expected"),
    [
        ("points > 5", "points > 7", ["bad", "bad", "good"]),
        ("points>5", "not points > 5", ["good", "bad", "bad"]),
        ("if points > 5:\n    return 'good'", "", ["bad", "bad", "bad"]),
        ("return 'bad'", "return 'good'", ["good", "good", "good"]),
        ("'good'", "'fine'", ["bad", "fine", "fine"]),
        ("points", "points - 2", ["bad", "bad", "good"]),
    ],
)
def test_an_edit_is_located_by_function_and_code_regardless_of_formatting(
    find: str, replace: str, expected: list[str]
) -> None:
    text = ast.unparse(edited(edit(find, replace), SOURCE))
    assert [grade(text, points) for points in (1, 6, 8)] == expected


def test_statements_are_located_beside_lists_without_node_positions() -> None:
    assert "LIMIT = 6" in ast.unparse(edited(edit("LIMIT = 5", "LIMIT = 6", function=""), SOURCE))


@pytest.mark.parametrize(
    "wrong",
    [
        edit("points > 6", "points"),  # is not there
        edit("points > 5", "points", function=""),  # is there twice
        edit("points > 5", "points", function="Judge.mark"),  # no such function
        edit("points > 5", "return 1"),  # no expression
        edit("points >", "points"),  # no Python
        edit("", "points"),  # nothing
    ],
)
def test_an_edit_that_does_not_apply_exactly_once_is_an_error(wrong: Edit) -> None:
    with pytest.raises(EditError):
        edited(wrong, SOURCE)


def test_a_text_edit_that_does_not_apply_exactly_once_is_an_error() -> None:
    assert replaced(edit("b", "c"), "a b a") == "a c a"
    for find in ("a", "d"):
        with pytest.raises(EditError):
            replaced(edit(find, "c"), "a b a")


def test_duplicate_and_malformed_edits_are_errors(tmp_path: Path) -> None:
    table = '["FR-1"]\nfile = "a.py"\nfunction = ""\nfind = "1"\nreplace = "2"\n'
    tmp_path.joinpath("a.toml").write_text(table, encoding="utf-8")
    assert list(read_edits(tmp_path)) == ["FR-1"]
    tmp_path.joinpath("b.toml").write_text(table, encoding="utf-8")
    with pytest.raises(EditError):
        read_edits(tmp_path)
    tmp_path.joinpath("b.toml").write_text('["FR-2"]\nfile = "a.py"\n', encoding="utf-8")
    with pytest.raises(EditError):
        read_edits(tmp_path)


@cache
def unedited(text: str) -> str:
    return ast.dump(ast.parse(text))


@pytest.mark.parametrize("name", sorted(EDITS))
def test_the_committed_edits_apply(name: str) -> None:
    committed = EDITS[name]
    text = (ROOT / committed.file).read_text(encoding="utf-8")
    if committed.file.endswith(".py"):
        assert ast.dump(edited(committed, text)) != unedited(text)
    else:
        assert replaced(committed, text) != text


@pytest.mark.parametrize(("claim", "red"), [("grade(1) == 'bad'", True), ("True", False)])
def test_a_test_that_does_not_detect_the_edit_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claim: str, red: bool
) -> None:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    package, test = tmp_path / "grading.py", tmp_path / "test_grading.py"
    package.write_text(SOURCE, encoding="utf-8")
    test.write_text(
        f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nfrom grading import Judge\n\n"
        f"def test_it():\n    grade = Judge().grade\n    assert {claim}\n",
        encoding="utf-8",
    )
    verdict = mutants.judged(edit("'bad'", "'worse'"), [str(test)])
    assert verdict.red is red, verdict.told


def test_a_mark_without_an_edit_and_an_edit_without_a_mark_are_errors() -> None:
    assert mutants.faults({"FR-1": edit("1", "2")}, {"FR-1": ["t"]}) == []
    assert len(mutants.faults({"FR-1": edit("1", "2")}, {"FR-2": ["t"]})) == len(["FR-1", "FR-2"])
    assert set(requirements.reasoned()) & set(read_edits()) == set()


def test_code_after_an_edit_keeps_its_line_numbers() -> None:
    before, after = (
        [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Return)]
        for tree in (ast.parse(SOURCE), edited(edit("points > 5", "points > 7"), SOURCE))
    )
    assert before == after
