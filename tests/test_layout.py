"""The rules of the house that no tool checks: what lies where, and that the suite tests what it says it tests."""

import ast
import importlib
import os
import sys
import tomllib
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
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
ROOMS = sorted(path.parent for path in (ROOT / "codecs" / "interlingua" / "rooms").glob("*/__init__.py"))
# Streams predict what would be written, so they may know both directions.
FORBIDDEN = {
    "decode": {"encode", "stream", "rules"},
    "encode": {"decode", "stream", "rules"},
    "rules": {"decode", "encode", "stream"},
    "tables": {"decode", "encode", "rules", "stream"},
    "wire": {"decode", "encode", "rules", "stream", "tables"},
}
# So may a room whose bodies are predicted, too (docs/design.md, section 3).
PREDICTED = {"bedrock_converse": {"decode -> encode", "decode -> encode_answer"}}
SUITE = os.environ.get("INTERLINGUA_SUITE", "checkout")
HANDWRITTEN = sorted(path for folder in ("codecs", "schema", "tools") for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize(
    ("folder", "held"),
    [("generated", {"interlingua_types", "typescript", "rust", "go", "java"}), ("codecs", {"interlingua"})],
)
def test_a_folder_on_the_import_path_has_one_package_and_nothing_else_importable(folder: str, held: set[str]) -> None:
    # In an editable install both folders are on sys.path: a stray json.py there would shadow the standard library.
    found = {path.name for path in (ROOT / folder).iterdir() if path.name not in {"README.md", "__pycache__"}}
    assert found == held


def test_codecs_is_not_a_package() -> None:
    # An `__init__.py` in codecs would be taken for the standard library's module by type checkers.
    assert not (ROOT / "codecs" / "__init__.py").exists()


def test_no_module_has_the_name_of_a_standard_library_module() -> None:
    names = {path.stem for path in (ROOT / "codecs").rglob("*.py")}
    assert names & set(sys.stdlib_module_names) <= {"__init__"}


def test_the_runtime_dependencies_are_the_four_allowed_ones() -> None:
    declared = {Requirement(line).name for line in PROJECT["dependencies"]}
    assert declared == {"pydantic", "jsonschema", "referencing", "orjson"}


def test_the_compiler_and_its_environment_pin_the_same_versions() -> None:
    pinned = {requirement.name: str(requirement.specifier) for requirement in map(Requirement, GROUPS["codegen"])}
    assert {name: pinned[name] for name in PINS} == {name: f"=={version}" for name, version in PINS.items()}


def test_versions_agree() -> None:
    assert interlingua.__version__ == PROJECT["version"]


@pytest.mark.parametrize("path", HANDWRITTEN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_handwritten_modules_have_a_limited_length(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines < 600


@pytest.mark.parametrize(("package", "folder"), [(interlingua, "codecs"), (interlingua_types, "generated")])
def test_the_suite_tests_the_checkout_or_the_wheel_as_configured(package: ModuleType, folder: str) -> None:
    from_checkout = ROOT / folder in Path(str(package.__file__)).parents
    assert from_checkout == (SUITE == "checkout")


def test_modules_are_compiled_only_in_the_session_for_it() -> None:
    hook = SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    found = {pattern: {*(ROOT / hook["source"]).glob(pattern)} for pattern in (*hook["modules"], *hook["except"])}
    assert [pattern for pattern, paths in found.items() if not paths] == []
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts[1:]) for path in chosen(ROOT, hook)}
    rooms = {room.name for room in ROOMS if (room / "encode.py").exists()}
    assert {f"interlingua.rooms.{room}.encode" for room in rooms} <= named
    files = {str(importlib.import_module(name).__file__) for name in named}
    assert {file.endswith(tuple(EXTENSION_SUFFIXES)) for file in files} == {SUITE == "compiled"}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_in_a_room_decoding_and_encoding_do_not_import_each_other(room: Path) -> None:
    # import-linter has no pattern for part of a name, and rooms split their files as they need.
    meetings = {
        f"{path.stem} -> {imported}"
        for path in room.glob("*.py")
        for imported in imports_within(room, path)
        if imported.partition("_")[0] in FORBIDDEN.get(path.stem.partition("_")[0], set())
    }
    assert meetings == PREDICTED.get(room.name, set())


def imports_within(room: Path, path: Path) -> set[str]:
    """Return the modules of the same room that a file imports."""
    prefix = f"interlingua.rooms.{room.name}."
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    found = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    modules = {node.module or "" for node in found}
    named = {alias.name for node in found if node.module == prefix[:-1] for alias in node.names}
    return named | {module.removeprefix(prefix) for module in modules if module.startswith(prefix)}


def test_an_import_between_decoding_and_encoding_is_detected(tmp_path: Path) -> None:
    room = tmp_path / "some_room"
    room.mkdir()
    path = room / "decode_part.py"
    path.write_text("from interlingua.rooms.some_room.encode import encode_request\n", encoding="utf-8")
    assert imports_within(room, path) == {"encode"}
    path.write_text("from interlingua.rooms.some_room import encode, tables\n", encoding="utf-8")
    assert imports_within(room, path) == {"encode", "tables"}


def imported_modules(path: Path, known: set[str]) -> set[str]:
    """Return the modules that a file imports when it runs, functions included; not what type checkers alone see."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unseen = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node not in unseen:
            module = node.module or ""
            found |= {name if (name := f"{module}.{one.name}") in known else module for one in node.names}
        elif isinstance(node, ast.Import) and node not in unseen:
            found |= {one.name for one in node.names}
    return found & known


def circle_of(imports: Mapping[str, set[str]]) -> list[str]:
    """Return modules that import each other in a circle, or nothing."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_there_are_no_circular_imports() -> None:
    # import-linter looks at packages; inside of one, a circle makes the order of imports matter.
    folder = ROOT / "codecs"
    paths = {
        ".".join(path.with_suffix("").relative_to(folder).parts).removesuffix(".__init__"): path
        for path in (folder / "interlingua").rglob("*.py")
    }
    assert len(paths) > 100
    assert circle_of({name: imported_modules(path, {*paths}) - {name} for name, path in paths.items()}) == []


def test_a_circular_import_is_detected(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("def late() -> None:\n    import two\n", encoding="utf-8")
    (tmp_path / "two.py").write_text("from one import late\n", encoding="utf-8")
    (tmp_path / "three.py").write_text("if TYPE_CHECKING:\n    import two\n", encoding="utf-8")
    names = {"one", "two", "three"}
    imports = {name: imported_modules(tmp_path / f"{name}.py", names) for name in names}
    assert imports["three"] == set()
    assert sorted({*circle_of(imports)}) == ["one", "two"]
