"""What `nox -s publish` builds: distributions that are whole, bundles at their addresses, an npm package that fits."""

from __future__ import annotations

import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import interlingua
import publish
from interlingua_types import VERSIONS


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the wheel and the sdist, built once."""
    return publish.build_distributions(tmp_path_factory.mktemp("dist"))


def test_the_wheel_holds_the_two_packages_and_nothing_else(built: list[Path]) -> None:
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


def test_a_bundle_lies_at_the_path_of_its_address(tmp_path: Path) -> None:
    written = publish.write_bundles(tmp_path)
    assert len(written) == len(VERSIONS)
    for path in written:
        address = json.loads(path.read_text(encoding="utf-8"))["$id"]
        assert path == tmp_path / urlsplit(address).path.lstrip("/")


def test_every_entry_point_of_the_npm_package_is_there(tmp_path: Path) -> None:
    written = {path.relative_to(tmp_path / "npm").as_posix() for path in publish.write_npm_package(tmp_path)}
    manifest = json.loads((tmp_path / "npm" / "package.json").read_text(encoding="utf-8"))
    entries = [entry for entry in manifest["exports"].values() if isinstance(entry, dict)]
    targets = {target.removeprefix("./") for entry in entries for target in entry.values()}
    assert targets <= written
    assert {f"schema/v{number}.json" for number in VERSIONS} <= written
    assert len(entries) == len(VERSIONS) + 1


def test_building_anew_leaves_nothing_of_an_older_build(tmp_path: Path) -> None:
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
def test_the_package_of_a_language_holds_every_version_and_names_its_own(
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
