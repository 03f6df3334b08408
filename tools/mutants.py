"""Makes one committed edit for every requirement mark, and checks that its tests fail: `nox -s mutants`.

The edits are in `tests/mutants/*.toml`, by requirement. For each, the tests marked with the requirement run against the
code with this one edit; they must fail. Tests that still pass prove nothing, and an edit that no longer applies is out
of date: both fail the session. `-- --only FR-1 FR-2` makes a few edits, `-- --missing` lists the marks without one.
"""

from __future__ import annotations

import argparse
import ast
import marshal
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import pytest

import requirements
from mutation.edits import ROOT, Edit, EditError, edited, read_edits, replaced

TOOLS: Final = Path(__file__).parent
HOOK: Final = TOOLS / "mutation" / "hook"
CORPUS: Final = "INTERLINGUA_CORPUS"
NEAR: Final = ROOT.parent / "shared" / "corpus"
# Not copied with the checkout: history, environments, caches, and build output.
LEFT_OUT: Final = (".git", ".nox", "*venv", "*_cache", "__pycache__", "node_modules", "dist", "site")
SECONDS: Final = 180
LONG: Final = 3600
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Verdict(NamedTuple):
    """The result of an edit: whether its tests failed, and a description."""

    name: str
    red: bool
    told: str


def run(
    tests: Sequence[str],
    *options: str,
    top: Path = ROOT,
    seconds: int = SECONDS,
    variables: Mapping[str, str] = NOTHING,
) -> int:
    """Run the tests in a separate Python process, and return pytest's exit code; a timeout counts as a failure."""
    command = [sys.executable, "-m", "pytest", "-qq", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += ["-W", "ignore::pytest.PytestAssertRewriteWarning", *options, *tests]
    given = os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join(map(str, [HOOK, TOOLS, top / "generated", top / "codecs", given]))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **variables}
    try:
        done = subprocess.run(
            command,
            cwd=top,
            env=environment,
            capture_output=True,
            check=False,
            timeout=seconds,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return pytest.ExitCode.TESTS_FAILED
    return done.returncode


def run_broken(tests: Sequence[str], path: Path, tree: ast.Module) -> int:
    """Run tests with another syntax tree for a module, and return pytest's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        code = Path(folder, "code")
        code.write_bytes(marshal.dumps(compile(tree, str(path), "exec", dont_inherit=True)))
        return run(tests, "-x", variables={"INTERLINGUA_MUTANT": str(path), "INTERLINGUA_MUTANT_CODE": str(code)})


def run_edited(edit: Edit, tests: Sequence[str], folder: Path) -> int:
    """Run tests with one edit made, and return pytest's exit code.

    A module is loaded in its edited form. Any other file is edited in a copy of the checkout, since tests may read it
    in any way.

    Raises:
        EditError: the edit does not apply.
    """
    text = (ROOT / edit.file).read_text(encoding="utf-8")
    if edit.file.endswith(".py"):
        return run_broken(tests, ROOT / edit.file, edited(edit, text))
    changed = replaced(edit, text)
    top = folder / "copy"
    shutil.copytree(ROOT, top, ignore=shutil.ignore_patterns(*LEFT_OUT))
    (top / edit.file).write_text(changed, encoding="utf-8", newline="\n")
    found = NOTHING if CORPUS in os.environ or not NEAR.is_dir() else {CORPUS: str(NEAR)}
    return run(tests, "-x", top=top, variables=found)


def judged(edit: Edit, tests: Sequence[str]) -> Verdict:
    """Make one edit, run the tests marked with its requirement, and return the result."""
    if edit.test and edit.test not in tests:
        return Verdict(edit.name, False, f"{edit.test} is not marked with it")
    try:
        with tempfile.TemporaryDirectory() as folder:
            code = run_edited(edit, [edit.test] if edit.test else tests, Path(folder))
    except (EditError, OSError) as error:
        return Verdict(edit.name, False, f"DOES NOT APPLY: {error}")
    match code:
        case pytest.ExitCode.TESTS_FAILED:
            return Verdict(edit.name, True, "red")
        case pytest.ExitCode.OK:
            return Verdict(edit.name, False, f"STAYS GREEN with `{edit.replace}` in {edit.file}::{edit.function}")
        case _:
            return Verdict(edit.name, False, f"the tests could not be run with the edit (pytest's exit code {code})")


def faults(edits: Mapping[str, Edit], marks: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the errors in the table itself, one per line: marks without an edit, and edits without a mark."""
    return [
        *(f"{name}: no edit breaks it" for name in sorted(set(marks) - set(edits))),
        *(f"{name}: an edit names it, and no test is marked with it" for name in sorted(set(edits) - set(marks))),
    ]


def main(arguments: list[str]) -> int:
    """Make the edits; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=(), help="the edits of these requirements alone")
    parser.add_argument("--missing", action="store_true", help="list the marks that have no edit, and stop")
    options = parser.parse_args(arguments)
    edits, marks = read_edits(), requirements.collect()
    wrong = faults(edits, marks)
    if options.missing:
        print(*wrong, f"{len(edits)} of {len(marks)} marks have an edit", sep="\n")
        return int(bool(wrong))
    chosen = {name: edits[name] for name in (options.only or edits) if name in marks}
    whole = sorted({test for edit in chosen.values() for test in ([edit.test] if edit.test else marks[edit.name])})
    if not options.only and run(whole, seconds=LONG) != pytest.ExitCode.OK:
        sys.exit("the tests fail before anything is broken")
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        verdicts: list[Verdict] = []
        for verdict in pool.map(judged, chosen.values(), [marks[name] for name in chosen]):
            verdicts.append(verdict)
            print(f"{verdict.name:<24} {verdict.told}", flush=True)
    green = sum(not verdict.red for verdict in verdicts)
    if not options.only:
        print(*wrong, sep="\n")
        green += len(wrong)
    print(f"{sum(verdict.red for verdict in verdicts)} of {len(verdicts)} marks turn red under their edit")
    return int(green > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
