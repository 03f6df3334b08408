"""The table of generators names the versions that the lock files install, so that a session can hold it to them."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "other-languages.md"
GENERATORS: Final = ROOT / "tests" / "generators"


def _named() -> dict[str, str]:
    """Return the generators of the table, each with the beginning of its version."""
    rows = re.findall(r"^\| ([a-z-]+) ([\d.]+)[ ,]", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(rows)


def _packages(path: Path) -> dict[str, str]:
    lock: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    wanted = lock["packages"][""]["devDependencies"]
    return {
        name: lock["packages"][f"node_modules/{name}"]["version"] for name in wanted if not name.startswith("inter")
    }


def _installed() -> dict[str, str]:
    """Return what the lock files of npm, Go and Cargo install."""
    crates = tomllib.loads((GENERATORS / "rust" / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    modules = re.findall(r"/([\w-]+) v([\d.]+)", (GENERATORS / "go" / "go.mod").read_text(encoding="utf-8"))
    found = {crate["name"]: crate["version"] for crate in crates} | dict(modules)
    return (
        found
        | _packages(GENERATORS / "quicktype" / "package-lock.json")
        | _packages(ROOT / "tests" / "typescript" / "package-lock.json")
    )


def test_the_table_lists_the_tested_versions() -> None:
    named, installed = _named(), _installed()
    assert sorted(named) == ["ajv", "go-jsonschema", "json-schema-to-typescript", "quicktype", "typify"]
    assert {name: f"{installed[name]}.".startswith(f"{version}.") for name, version in named.items()} == dict.fromkeys(
        named, True
    )
