"""Writing and comparing: the same bytes whoever runs it, a diff for every difference, nothing left over."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import Any

import pytest

import output
import packages
from support.tree import ROOT, Tree

PACKAGE = "generated/interlingua_types"
COMPILER = ROOT / "schema" / "compiler"


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_freshly_generated_output_has_no_differences(compiled: Tree) -> None:
    assert output.differences(compiled.root, packages.generated_files(compiled.root)) == []
    assert output.write(compiled.root, packages.generated_files(compiled.root)) == []


def test_the_generated_files_are_exactly_the_expected_ones(compiled: Tree) -> None:
    names = ("__init__.py", "models.py", "schema.json", "shapes.py")
    versions = [f"{PACKAGE}/v{number}/{name}" for number in (1, 2) for name in names]
    modules = (
        "__init__",
        "_base",
        "_checks",
        "_json_schemas",
        "_message_mixins",
        "_mixins",
        "_parameters",
        "_paths",
        "_printing",
        "_scalars",
        "current/__init__",
        "current/shapes",
        "current/tags",
        "migrations",
        "unions",
    )
    common = [f"{PACKAGE}/py.typed", *(f"{PACKAGE}/{name}.py" for name in modules)]
    languages = [f"generated/typescript/{name}.ts" for name in ("index", "v1", "v2")]
    languages += [f"generated/rust/src/{name}.rs" for name in ("lib", "wire", "v1", "v2")]
    languages += [
        f"generated/go/{name}.go" for name in ("versions", "nullable", "internal/wire/wire", "v1/types", "v2/types")
    ]
    made = packages.generated_files(compiled.root)
    java = {name for name in made if name.startswith("generated/java/")}
    assert sorted({*made} - java) == sorted([*versions, *common, *languages])
    assert {Path(name).parent.name for name in java} == {"types", "v1", "v2"}


def test_every_generated_module_names_its_source(compiled: Tree) -> None:
    for name, text in packages.generated_files(compiled.root).items():
        if name.endswith((".py", ".ts", ".rs", ".go", ".java")):
            assert "schema" in text.splitlines()[0], name
            assert "nox -s generate" in text[:600]
    header = ast.get_docstring(ast.parse(packages.generated_files(compiled.root)[f"{PACKAGE}/v2/models.py"])) or ""
    assert "datamodel-code-generator 0.89.0" in header
    assert "v2 sha256:" in header


@pytest.mark.parametrize(("seed", "locale"), [("0", "C"), ("1", "tr_TR.UTF-8"), ("42", "C.UTF-8")])
def test_the_output_does_not_depend_on_hash_seed_and_locale(compiled: Tree, seed: str, locale: str) -> None:
    before = contents(compiled.path("generated"))
    environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "LANG": locale}
    done = compiled.run("check", **environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert contents(compiled.path("generated")) == before


def test_the_output_does_not_depend_on_the_order_of_files(compiled: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    files = packages.generated_files(compiled.root)
    real_rglob, real_glob = Path.rglob, Path.glob

    def reversed_rglob(path: Path, pattern: str, **options: Any) -> list[Path]:
        return [*real_rglob(path, pattern, **options)][::-1]

    def reversed_glob(path: Path, pattern: str, **options: Any) -> list[Path]:
        return [*real_glob(path, pattern, **options)][::-1]

    monkeypatch.setattr(Path, "rglob", reversed_rglob)
    monkeypatch.setattr(Path, "glob", reversed_glob)
    assert packages.generated_files(compiled.root) == files


@pytest.mark.parametrize("name", ["models.py", "schema.json", "shapes.py", "__init__.py"])
def test_any_changed_byte_is_a_difference_with_a_diff(compiled: Tree, name: str) -> None:
    path = compiled.path(f"{PACKAGE}/v2/{name}")
    path.write_text(
        path.read_text(encoding="utf-8").replace("fixture", "fixtures").replace("v2", "v3"), encoding="utf-8"
    )
    lines = output.differences(compiled.root, packages.generated_files(compiled.root))
    assert lines[0] == f"--- {PACKAGE}/v2/{name}\n"
    assert any(line.startswith("-") and not line.startswith("---") for line in lines)
    assert any(line.startswith("+") and not line.startswith("+++") for line in lines)


def test_different_line_ends_are_a_difference(compiled: Tree) -> None:
    path = compiled.path(f"{PACKAGE}/v2/models.py")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert output.differences(compiled.root, packages.generated_files(compiled.root))


def test_check_prints_the_diff_fails_and_writes_nothing(compiled: Tree) -> None:
    compiled.edit("schema/v2/part/text.json", description="Another sentence.")
    before = contents(compiled.root)
    done = compiled.run("check")
    assert done.returncode == 1
    assert '-    """TextPart of the fixture."""' in done.stdout
    assert '+    """Another sentence."""' in done.stdout
    assert "nox -s generate" in done.stderr
    assert contents(compiled.root) == before


def test_a_missing_file_is_reported_and_written(compiled: Tree) -> None:
    compiled.path(f"{PACKAGE}/v1/shapes.py").unlink()
    files = packages.generated_files(compiled.root)
    assert output.differences(compiled.root, files) == [f"missing: {PACKAGE}/v1/shapes.py\n"]
    assert output.write(compiled.root, files) == [f"wrote {PACKAGE}/v1/shapes.py"]


def test_an_orphan_is_reported_and_removed_with_its_empty_folder(compiled: Tree) -> None:
    compiled.write_text(f"{PACKAGE}/v9/models.py", "")
    files = packages.generated_files(compiled.root)
    assert output.differences(compiled.root, files) == [f"orphan: {PACKAGE}/v9/models.py (nothing generates it)\n"]
    assert output.write(compiled.root, files) == [f"removed {PACKAGE}/v9/models.py"]
    assert not compiled.path(f"{PACKAGE}/v9").exists()


def test_python_cache_files_are_not_orphans(compiled: Tree) -> None:
    compiled.write_text(f"{PACKAGE}/__pycache__/models.cpython-311.pyc", "")
    assert output.differences(compiled.root, packages.generated_files(compiled.root)) == []


def test_regenerating_after_removing_everything_gives_the_same_bytes(compiled: Tree) -> None:
    before = contents(compiled.path("generated"))
    for path in compiled.path("generated").rglob("*"):
        if path.is_file():
            path.unlink()
    assert compiled.run("generate").returncode == 0
    assert contents(compiled.path("generated")) == before


def test_the_compiler_uses_no_version_control_and_no_network() -> None:
    # `fresh` and `compat` must work in an archive without commits.
    imported: set[str] = set()
    for path in COMPILER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(str(node.module).partition(".")[0])
    assert not imported & {"git", "http", "httpx", "requests", "socket", "urllib3", "pygit2"}
    assert not any('"git"' in path.read_text(encoding="utf-8") for path in COMPILER.rglob("*.py"))


def test_the_committed_output_equals_the_generated_output() -> None:
    assert output.differences(ROOT, packages.generated_files(ROOT)) == []


def test_a_changed_byte_in_the_committed_output_is_detected(tmp_path: Path) -> None:
    files = packages.generated_files(ROOT)
    output.write(tmp_path, files)
    path = tmp_path / PACKAGE / "v3" / "schema.json"
    path.write_bytes(path.read_bytes() + b" ")
    assert output.differences(tmp_path, files)
