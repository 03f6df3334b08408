"""The rules of the house that no tool checks: what lies where, and that the suite tests what it says it tests."""

import ast
import importlib
import os
import sys
import tomllib
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

import interlingua
import interlingua_types
from compiled_wheel import chosen
from toolchain import PINS

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, GROUPS = SETTINGS["project"], SETTINGS["dependency-groups"]
ROOMS = sorted(path.parent for path in (ROOT / "codecs" / "interlingua" / "dialects").glob("*/__init__.py"))
# Streams predict what would be written, so they may know both directions.
FORBIDDEN = {
    "decode": {"encode", "stream", "rules"},
    "encode": {"decode", "stream", "rules"},
    "rules": {"decode", "encode", "stream"},
    "tables": {"decode", "encode", "rules", "stream"},
    "wire": {"decode", "encode", "rules", "stream", "tables"},
}
SUITE = os.environ.get("INTERLINGUA_SUITE", "checkout")
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


def test_the_compiler_and_its_environment_pin_the_same_versions() -> None:
    pinned = {requirement.name: str(requirement.specifier) for requirement in map(Requirement, GROUPS["codegen"])}
    assert {name: pinned[name] for name in PINS} == {name: f"=={version}" for name, version in PINS.items()}


def test_versions_agree() -> None:
    assert interlingua.__version__ == PROJECT["version"]


@pytest.mark.parametrize("path", HANDWRITTEN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_handwritten_module_can_be_read_in_one_sitting(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines < 400


@pytest.mark.parametrize(("package", "folder"), [(interlingua, "codecs"), (interlingua_types, "generated")])
def test_the_suite_tests_the_checkout_or_the_wheel_as_its_session_says(package: ModuleType, folder: str) -> None:
    from_checkout = ROOT / folder in Path(str(package.__file__)).parents
    assert from_checkout == (SUITE == "checkout")


def test_what_is_to_be_compiled_is_compiled_where_the_session_says_so_and_only_there() -> None:
    hook = SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    found = {pattern: {*(ROOT / hook["source"]).glob(pattern)} for pattern in (*hook["modules"], *hook["except"])}
    assert [pattern for pattern, paths in found.items() if not paths] == []
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts[1:]) for path in chosen(ROOT, hook)}
    rooms = {room.name for room in ROOMS if (room / "encode.py").exists()}
    assert {f"interlingua.dialects.{room}.encode" for room in rooms} <= named
    files = {str(importlib.import_module(name).__file__) for name in named}
    assert {file.endswith(tuple(EXTENSION_SUFFIXES)) for file in files} == {SUITE == "compiled"}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_in_a_room_decoding_and_encoding_never_meet_and_tables_and_wire_stand_below_them(room: Path) -> None:
    # import-linter has no pattern for part of a name, and rooms split their files as they need.
    meetings = {
        f"{path.stem} -> {imported}"
        for path in room.glob("*.py")
        for imported in imports_within(room, path)
        if imported.partition("_")[0] in FORBIDDEN.get(path.stem.partition("_")[0], set())
    }
    assert meetings == set()


def imports_within(room: Path, path: Path) -> set[str]:
    """Return the modules of the same room that a file imports."""
    prefix = f"interlingua.dialects.{room.name}."
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    modules = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    return {module.removeprefix(prefix) for module in modules if module.startswith(prefix)}


def test_a_meeting_is_noticed(tmp_path: Path) -> None:
    room = tmp_path / "some_room"
    room.mkdir()
    path = room / "decode_part.py"
    path.write_text("from interlingua.dialects.some_room.encode import encode_request\n", encoding="utf-8")
    assert imports_within(room, path) == {"encode"}
