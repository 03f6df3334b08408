"""Builds the package of one language and runs its tests: formatting, no warnings, every vector of every version.

A missing or outdated toolchain is an error that names it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
# The commands that print a version, each with the oldest supported one.
TOOLCHAINS: Final = {
    "rust": ((("cargo", "--version"), (1, 75)),),
    "go": ((("go", "version"), (1, 24)),),
    "java": ((("mvn", "--version"), (3, 8)),),
    "generators": ((("cargo", "--version"), (1, 82)), (("go", "version"), (1, 25)), (("node", "--version"), (20, 0))),
}
PARTS: Final = {"rust": "crate", "go": "go", "java": "maven", "generators": "bundles"}
# The decoders of each version's documents, as imported by the Go tests.
_READERS: Final = """// Package readers names what reads a document of each version.
package readers

import (
{imports}
)

// ByVersion has the function of each version that reads a document of a type that is named.
var ByVersion = map[string]func(string, []byte) (any, error){{
{rows}
}}
"""


def main(arguments: Sequence[str]) -> int:
    """Check the given language."""
    language = arguments[0]
    problems = [problem for command, oldest in TOOLCHAINS[language] if (problem := missing(command, oldest))]
    if problems:
        print("\n".join(f"error: {problem}" for problem in problems), file=sys.stderr)
        return 2
    folder = ROOT / "tests" / language
    publish = [
        sys.executable,
        str(ROOT / "tools" / "publish.py"),
        "--only",
        PARTS[language],
        "--out",
        str(folder / "dist"),
    ]
    subprocess.run(publish, check=True, stdout=subprocess.DEVNULL)
    for step in {"rust": _rust, "go": _go, "java": _java, "generators": _generators}[language](folder):
        print("$", *step, flush=True)
        environment = {**os.environ, "RUSTDOCFLAGS": "-D warnings", "CARGO_TERM_COLOR": "never"}
        if code := subprocess.run(step, cwd=folder, env=environment, check=False).returncode:
            return code
    return 0


def missing(command: Sequence[str], oldest: tuple[int, ...]) -> str | None:
    """Return the problem with a toolchain, or nothing."""
    wanted = ".".join(map(str, oldest))
    if shutil.which(command[0]) is None:
        return f"{command[0]} is not there; {wanted} or newer is needed"
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)\.(\d+)", re.sub(r"\x1b\[[0-9;]*m", "", told))
    if found is None or tuple(map(int, found.groups())) < oldest:
        return f"{command[0]} is too old: {wanted} or newer is needed; it says: {told.partition(chr(10))[0]}"
    return None


def _rust(folder: Path) -> list[list[str]]:
    manifest = str(folder / "dist" / "crate" / "Cargo.toml")
    return [
        ["cargo", "fmt", "--check", "--manifest-path", manifest],
        ["cargo", "fmt", "--check"],
        [
            "cargo",
            "clippy",
            "--locked",
            "--quiet",
            "--all-targets",
            "--package",
            "interlingua-types",
            "--",
            "-D",
            "warnings",
        ],
        ["cargo", "clippy", "--locked", "--quiet", "--all-targets", "--", "-D", "warnings"],
        ["cargo", "doc", "--locked", "--quiet", "--no-deps", "--package", "interlingua-types"],
        ["cargo", "test", "--locked", "--quiet", "--", "--nocapture"],
        ["cargo", "test", "--locked", "--quiet", "--doc", "--package", "interlingua-types"],
    ]


def _go(folder: Path) -> list[list[str]]:
    versions = sorted(path.name for path in (folder / "dist" / "go").glob("v*") if path.is_dir())
    imports = "\n".join(f'\t{version} "interlingua.example/types/{version}"' for version in versions)
    rows = "\n".join(f'\t"{version}": {version}.UnmarshalNamed,' for version in versions)
    readers = folder / "dist" / "readers" / "readers.go"
    readers.parent.mkdir(exist_ok=True)
    readers.write_text(_READERS.format(imports=imports, rows=rows), encoding="utf-8")
    # gofmt lists the files that it would change, and exits with 0.
    listing = "import subprocess, sys; sys.exit(subprocess.check_output(['gofmt', '-l', '.'], text=True) or 0)"
    return [
        [sys.executable, "-c", listing],
        ["go", "vet", "./..."],
        ["go", "test", "-count=1", "-v", "./..."],
    ]


def _generators(folder: Path) -> list[list[str]]:
    manifest = ["--manifest-path", str(folder / "rust" / "Cargo.toml")]
    quicktype = ["npm", "--prefix", str(folder / "quicktype")]
    return [
        ["cargo", "fmt", "--check", *manifest],
        ["cargo", "test", "--locked", "--quiet", *manifest, "--", "--nocapture"],
        ["go", "-C", str(folder / "go"), "vet", "."],
        ["go", "-C", str(folder / "go"), "test", "-count=1", "-v", "."],
        [*quicktype, "ci", "--no-audit", "--no-fund"],
        [*quicktype, "test"],
    ]


def _java(_folder: Path) -> list[list[str]]:
    return [["mvn", "--batch-mode", "--no-transfer-progress", "--strict-checksums", "--quiet", "verify"]]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
