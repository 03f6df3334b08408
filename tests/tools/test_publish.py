"""What `nox -s publish` builds: distributions that are whole, bundles at their addresses, an npm package that fits."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import interlingua
import publish
from interlingua_types import VERSIONS


def test_the_program_starts_with_only_python_installed() -> None:
    command = [sys.executable, "-S", str(Path(publish.__file__)), "--help"]
    subprocess.run(command, check=True, capture_output=True, env={"PATH": os.environ["PATH"]})


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the wheel and the sdist, built once."""
    return publish.build_distributions(tmp_path_factory.mktemp("dist"))


def test_the_wheel_has_the_two_packages_and_nothing_else(built: list[Path]) -> None:
    wheel = zipfile.ZipFile(built[0])
    tops = {name.partition("/")[0] for name in wheel.namelist() if ".dist-info/" not in name}
    assert tops == {"interlingua", "interlingua_types"}
    data = {f"interlingua_types/v{number}/schema.json" for number in VERSIONS}
    assert data | {"interlingua/py.typed", "interlingua_types/py.typed"} <= set(wheel.namelist())


def test_the_sdist_can_be_compiled_and_tested(built: list[Path]) -> None:
    with tarfile.open(built[1]) as sdist:
        tops = {name.split("/")[1] for name in sdist.getnames()}
    assert tops >= {
        "schema",
        "generated",
        "codecs",
        "tests",
        "tools",
        "docs",
        "noxfile.py",
        "pyproject.toml",
        "LICENSE",
    }


def test_a_bundle_is_at_the_path_of_its_url(tmp_path: Path) -> None:
    written = publish.write_bundles(tmp_path)
    names = {path.relative_to(tmp_path).as_posix() for path in written}
    assert {f"schema/v{number}/{name}.json" for number in VERSIONS for name in ("schema", "message")} <= names
    assert {f"schema/v3/{name}.json" for name in ("chat_request", "chat_response", "event", "api_error")} <= names
    for path in written:
        address = json.loads(path.read_text(encoding="utf-8"))["$id"]
        assert path == tmp_path / urlsplit(address).path.lstrip("/")


def test_every_entry_point_of_the_npm_package_exists(tmp_path: Path) -> None:
    written = {path.relative_to(tmp_path / "npm").as_posix() for path in publish.write_npm_package(tmp_path)}
    manifest = json.loads((tmp_path / "npm" / "package.json").read_text(encoding="utf-8"))
    entries = [entry for entry in manifest["exports"].values() if isinstance(entry, dict)]
    targets = {target.removeprefix("./") for entry in entries for target in entry.values()}
    assert targets <= written
    assert {f"schema/v{number}.json" for number in VERSIONS} <= written
    assert len(entries) == len(VERSIONS) + 1


def test_a_new_build_removes_an_older_one(tmp_path: Path) -> None:
    stale = tmp_path / "npm" / "v0.d.ts"
    stale.parent.mkdir()
    stale.write_text("export {};\n", encoding="utf-8")
    publish.write_npm_package(tmp_path)
    assert not stale.exists()


@pytest.mark.parametrize(
    ("write", "manifest", "source"),
    [
        (publish.write_crate, "crate/Cargo.toml", "crate/src/v{}.rs"),
        (publish.write_go_module, "go/go.mod", "go/v{}/types.go"),
        (
            publish.write_maven_project,
            "maven/pom.xml",
            "maven/src/main/java/example/interlingua/types/v{}/Message.java",
        ),
    ],
)
def test_a_language_package_has_every_version_and_names_its_own(
    tmp_path: Path, write: Callable[[Path], list[Path]], manifest: str, source: str
) -> None:
    written = {path.relative_to(tmp_path).as_posix() for path in write(tmp_path)}
    folder = manifest.partition("/")[0]
    assert {source.format(number) for number in VERSIONS} <= written
    assert {f"{folder}/schema/v{number}.json" for number in VERSIONS} <= written
    assert {f"{folder}/LICENSE", f"{folder}/README.md"} <= written
    text = (tmp_path / manifest).read_text(encoding="utf-8")
    assert "@" not in text
    assert manifest.endswith("go.mod") or f"{interlingua.__version__}" in text


def packed(out: Path) -> dict[str, bytes]:
    """Return what all parts but the distributions write, by path."""
    for part in ("bundles", "npm", "crate", "go", "maven", "vectors", "archives", "manifest"):
        publish.PARTS[part](out)
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def test_two_builds_are_identical(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    first = packed(tmp_path / "first")
    os.utime(next((tmp_path / "first").rglob("*.md")), (0, 0))
    assert packed(tmp_path / "second") == first
    assert packed(tmp_path / "first") == first
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    later = packed(tmp_path / "later")
    changed = {name for name in first if first[name] != later[name]}
    assert {"SHA256SUMS", "sbom.cdx.json", f"interlingua-types-{interlingua.__version__}.crate"} <= changed
    assert not any(name.startswith(("schema/", "npm/", "crate/")) for name in changed)


def test_jar_contents_have_fixed_file_modes(tmp_path: Path) -> None:
    modes: list[dict[str, int]] = []
    for umask in (0o022, 0o077):
        out = tmp_path / f"{umask:o}"
        command = [sys.executable, publish.__file__, "--only", "maven", "--out", str(out)]
        subprocess.run(command, check=True, capture_output=True, umask=umask)
        modes.append({path.relative_to(out).as_posix(): path.stat().st_mode for path in out.rglob("*")})
    assert modes[0] == modes[1]
    assert "maven/pom.xml" in modes[0]


def test_wheel_and_sdist_are_reproducible(built: list[Path], tmp_path: Path) -> None:
    again = publish.build_distributions(tmp_path)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in built]


def test_the_archives_have_the_contents_of_the_folders(tmp_path: Path) -> None:
    files = packed(tmp_path)
    version = interlingua.__version__
    for name, top, folder in (("tgz", "package", "npm"), ("crate", f"interlingua-types-{version}", "crate")):
        with tarfile.open(tmp_path / f"interlingua-types-{version}.{name}") as archive:
            found = {one.name.removeprefix(f"{top}/") for one in archive}
        assert found == {path.removeprefix(f"{folder}/") for path in files if path.startswith(f"{folder}/")}
    module = zipfile.ZipFile(next(tmp_path.rglob("@v/*.zip"))).namelist()
    assert all(name.startswith(f"interlingua.example/types@v{version}/") for name in module)
    vectors = zipfile.ZipFile(tmp_path / f"interlingua-vectors-{version}.zip").namelist()
    assert f"interlingua-vectors-{version}/translation/claude/openai_chat.jsonl" in vectors


def test_the_checksums_and_the_bill_of_materials_cover_everything(tmp_path: Path) -> None:
    files = packed(tmp_path)
    sums = dict(line.split("  ")[::-1] for line in files["SHA256SUMS"].decode().splitlines())
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name != "SHA256SUMS"}
    bill = json.loads(files["sbom.cdx.json"])
    names = {one["purl"].partition("@")[0] for one in bill["components"]}
    assert {"pkg:pypi/interlingua", "pkg:pypi/orjson", "pkg:cargo/serde", "pkg:npm/interlingua-types"} <= names
    assert "pkg:maven/com.fasterxml.jackson.core/jackson-databind" in names
    known = {one["bom-ref"] for one in bill["components"]}
    assert {reference for one in bill["dependencies"] for reference in one["dependsOn"]} <= known
