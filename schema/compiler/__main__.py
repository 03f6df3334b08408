"""The schema compiler: `python schema/compiler [generate|check|compat|seal|open|move]`. No network, no git."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import comparison
import compat
import output
import packages
import seals
import sources
from problems import SchemaProblem
from tables import Change

ROOT = Path(__file__).resolve().parents[2]
_STEPS: Final = {
    "seal": "seal a version: it never changes again",
    "open": "copy the newest version, which is sealed, under the next number, and generate",
    "move": "make a version the one that the codecs speak and write, and generate",
}


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Return 0 on success, 1 if there are differences or errors."""
    parser = argparse.ArgumentParser(prog="schema/compiler", description=__doc__, allow_abbrev=False)
    parser.add_argument("--root", type=Path, default=ROOT, help="the project's folder (default: this one)")
    commands = parser.add_subparsers(dest="command")
    generate = commands.add_parser("generate", help="write generated/ (the default)", allow_abbrev=False)
    generate.add_argument("--format", action="store_true", help="first rewrite schema files in canonical form")
    generate.add_argument("--check", action="store_true", help="the same as the command check")
    for name in ("check", "fresh"):
        commands.add_parser(name, help="compare generated/ with the source; print a diff and return 1 if it differs")
    diff = commands.add_parser("compat", help="verify the seals, then compare every version with all sealed before it")
    diff.add_argument("--all", action="store_true", help="tell additions, too, which break nothing")
    for name, meaning in _STEPS.items():
        step = commands.add_parser(name, help=meaning, allow_abbrev=False)
        step.add_argument(
            "version", nargs="?", help="the version's folder, for example v3 (default: the newest, or next)"
        )
    chosen = parser.parse_args(["generate"] if not (arguments or sys.argv[1:]) else arguments)
    try:
        if chosen.command in {"check", "fresh"} or getattr(chosen, "check", False):
            return _check(chosen.root)
        if chosen.command == "compat":
            return _compat(chosen.root, show_all=chosen.all)
        if chosen.command == "seal":
            return _seal(chosen.root, chosen.version)
        if chosen.command in {"open", "move"}:
            return _step(chosen.root, chosen.command, chosen.version)
        return _generate(chosen.root, rewrite=getattr(chosen, "format", False))
    except SchemaProblem as problem:
        print("\n".join(f"error: {one}" for one in problem.every), file=sys.stderr)
        return 1


def _generate(root: Path, *, rewrite: bool) -> int:
    """Write generated/; with `rewrite`, format the source files first."""
    seals.refuse_changes(root)
    done = sources.rewrite(root) if rewrite else []
    done += output.write(root, packages.generated_files(root))
    print("\n".join(done) or "nothing to do")
    return 0


def _check(root: Path) -> int:
    """Print how generated/ differs from what the source makes."""
    seals.refuse_changes(root)
    lines = output.differences(root, packages.generated_files(root))
    sys.stdout.writelines(lines)
    if lines:
        print(f"generated/ is not what schema/ makes; run `{packages.COMMAND}`", file=sys.stderr)
    return 1 if lines else 0


def _compat(root: Path, *, show_all: bool = False) -> int:
    """Verify the seals, then report every difference to a sealed version; fail on an undeclared breaking change."""
    sealed = seals.verify(root)
    versions, bundles, changes = packages.read_source(root)
    failures = 0
    for version in versions:
        for earlier in versions[: version.number - 1]:
            if earlier.key in sealed:
                between = [change for number in range(earlier.number, version.number) for change in changes[number + 1]]
                step = f"{earlier.key} -> {version.key}"
                failures += _report(step, bundles[earlier.number], bundles[version.number], between, show_all=show_all)
    return 1 if failures else 0


def _report(step: str, old: sources.Document, new: sources.Document, between: list[Change], *, show_all: bool) -> int:
    """Print the differences of two versions, and return the number of undeclared breaking changes."""
    found = comparison.differences(old, new)
    missing = compat.undeclared(old, found, between)
    for difference in found:
        if difference not in missing and (difference.is_breaking or show_all):
            print(f"{step}: {'declared break' if difference.is_breaking else 'additive'}: {difference}")
    print(
        f"{step}: {sum(not difference.is_breaking for difference in found)} additions, {len(missing)} undeclared breaks"
    )
    for difference in missing:
        detail = "declare it in the changes.json of a version in between, or take it back"
        print(f"error: {step}: {difference}; {detail}", file=sys.stderr)
    return len(missing)


def _seal(root: Path, key: str | None) -> int:
    """Seal a version that compiles and, if it is the newest, has no undeclared breaking changes."""
    newest = packages.read_versions(root)[-1].key
    key = key or newest
    if key == newest and (failed := _compat(root)):
        return failed
    print("\n".join(seals.seal(root, key)))
    return 0


def _step(root: Path, command: str, key: str | None) -> int:
    """Open the next version, or move the codecs to one, and generate; nothing is written if the source has errors."""
    seals.refuse_changes(root)
    packages.read_source(root)
    print("\n".join(seals.open_next(root, key) if command == "open" else seals.move(root, key)))
    return _generate(root, rewrite=False)


if __name__ == "__main__":
    sys.exit(main())
