"""Declared changes: a closed vocabulary, places that exist, functions that exist."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

import packages
from problems import SchemaProblem
from support.tree import Tree

CHANGES = "schema/v2/changes.json"
MIGRATIONS = "generated/interlingua_types/migrations.py"


def change(**members: Any) -> dict[str, Any]:
    whole = {
        "change": "AddNotice",
        "description": "A message may be a notice now.",
        "op": "add_variant",
        "where": "Message.notice",
        "upgrade": None,
        "downgrade": None,
    }
    return {key: value for key, value in {**whole, **members}.items() if value != "left out"}


def problem_of(tree: Tree, *changes: dict[str, Any]) -> SchemaProblem:
    tree.write(CHANGES, list(changes))
    with pytest.raises(SchemaProblem) as caught:
        packages.generated_files(tree.root)
    assert caught.value.file == CHANGES
    return caught.value


@pytest.mark.parametrize(
    ("members", "rule"),
    [
        ({"op": "adds_variant"}, "enum"),
        ({"change": "NoticeAdded"}, "pattern"),
        ({"change": "left out"}, "required"),
        ({"description": "Short."}, "minLength"),
        ({"upgrade": "left out"}, "required"),
        ({"were": "Message"}, "additionalProperties"),
        ({"where": "Message"}, "pattern"),
        ({"op": "restructure", "where": "Message"}, "type"),
        ({"op": "rename_member", "where": "UserMessage.note"}, "required"),
        ({"to": "remark"}, "not"),
        ({"op": "remove_member", "where": "UserMessage.note", "value": 1}, "not"),
    ],
)
def test_an_incompletely_declared_change_is_an_error(tree: Tree, members: dict[str, Any], rule: str) -> None:
    problem = problem_of(tree, change(**members))
    assert problem.rule == rule or rule in problem.detail


@pytest.mark.parametrize(
    "members",
    [
        {"where": "Message.later"},
        {"op": "remove_member", "where": "UserMessage.later"},
        {"op": "remove_member", "where": "LaterMessage.note"},
        {"op": "close_object", "where": "TextPart"},
        {"op": "rename_type", "where": "UserMessage", "to": "LaterMessage"},
        {"op": "rename_member", "where": "UserMessage.note", "to": "later"},
    ],
)
def test_a_change_of_a_missing_member_is_an_error(tree: Tree, members: dict[str, Any]) -> None:
    assert problem_of(tree, change(**members)).rule in {"where", "to"}


def test_two_changes_with_the_same_name_are_an_error(tree: Tree) -> None:
    assert problem_of(tree, change(), change()).rule == "change"


def test_a_missing_function_is_an_error_that_names_it(tree: Tree) -> None:
    problem = problem_of(tree, change(upgrade="sing"))
    assert problem.rule == "function"
    assert "sing" in problem.detail


def test_a_function_may_be_in_a_package(tree: Tree) -> None:
    tree.path("codecs/interlingua/migrate.py").unlink()
    tree.write_text(
        "codecs/interlingua/migrate/steps.py", "def nest_data():\n    pass\n\n\ndef flatten_data():\n    pass\n"
    )
    assert "nest_data" in packages.generated_files(tree.root)[MIGRATIONS]


def test_without_migration_code_all_functions_are_missing(tree: Tree) -> None:
    tree.path("codecs/interlingua/migrate.py").unlink()
    with pytest.raises(SchemaProblem) as caught:
        packages.generated_files(tree.root)
    assert caught.value.rule == "function"


def test_a_version_without_its_list_of_changes_is_an_error(tree: Tree) -> None:
    tree.path(CHANGES).unlink()
    with pytest.raises(SchemaProblem) as caught:
        packages.generated_files(tree.root)
    assert (caught.value.file, caught.value.rule) == (CHANGES, "json")


def test_the_table_has_the_declared_changes(tree: Tree) -> None:
    declared = [
        change(),
        change(change="RenameNote", op="add_member", where="NoticeMessage.schema", value={"a": [1, None]}),
        *tree.read(CHANGES),
    ]
    tree.write(CHANGES, declared)
    path = tree.path("migrations.py")
    path.write_text(packages.generated_files(tree.root)[MIGRATIONS], encoding="utf-8")
    spec = importlib.util.spec_from_file_location("fixture_migrations", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rows = module.CHANGES[1, 2]
    assert [{"to": None, "value": None, "members": (), **row} for row in declared] == [row._asdict() for row in rows]
    with pytest.raises(TypeError):
        module.CHANGES[1, 2] = ()
