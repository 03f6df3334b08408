"""The rules of the house that no tool checks: what lies where, and that the suite tests what it says it tests."""

import os
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

import interlingua
import interlingua_types

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HANDWRITTEN = sorted(path for folder in ("codecs", "schema", "tools") for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize(
    ("folder", "held"), [("generated", {"interlingua_types", "typescript"}), ("codecs", {"interlingua"})]
)
def test_a_folder_on_the_import_path_holds_one_package_and_nothing_importable(folder: str, held: set[str]) -> None:
    # In an editable install both folders are on sys.path: a stray json.py there would shadow the standard library.
    found = {path.name for path in (ROOT / folder).iterdir() if path.name not in {"README.md", "__pycache__"}}
    assert found == held


def test_codecs_is_no_package() -> None:
    # A codecs/__init__.py would be taken for the standard library's module by type checkers.
    assert not (ROOT / "codecs" / "__init__.py").exists()


def test_no_module_takes_the_name_of_one_of_the_standard_library() -> None:
    names = {path.stem for path in (ROOT / "codecs").rglob("*.py")}
    assert names & set(sys.stdlib_module_names) <= {"__init__"}


def test_runtime_dependencies_are_the_four_that_the_design_allows() -> None:
    declared = {Requirement(line).name for line in PROJECT["dependencies"]}
    assert declared == {"pydantic", "jsonschema", "referencing", "orjson"}


def test_versions_agree() -> None:
    assert interlingua.__version__ == PROJECT["version"]


@pytest.mark.parametrize("path", HANDWRITTEN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_handwritten_module_can_be_read_in_one_sitting(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines < 400


@pytest.mark.parametrize(("package", "folder"), [(interlingua, "codecs"), (interlingua_types, "generated")])
def test_the_suite_tests_the_checkout_or_the_wheel_as_its_session_says(package: ModuleType, folder: str) -> None:
    from_checkout = ROOT / folder in Path(str(package.__file__)).parents
    assert from_checkout == (os.environ.get("INTERLINGUA_SUITE") != "wheel")
