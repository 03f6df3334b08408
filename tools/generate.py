"""Compiles generated/ and the generated pages of docs/ from schema/; `--watch` repeats this at each change.

It compiles everything below schema/ except the vectors; functions for migrations are in codecs/interlingua/migrate.
`--watch` needs the package watchfiles, and runs until it is interrupted. `--format` first formats the schema files.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePath
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
STEPS: Final = (("schema/compiler", "generate"), ("tools/pages.py",), ("tools/facade.py",))
WATCHED: Final = ("schema", "codecs/interlingua/migrate")
_NOT_COMPILED: Final = "schema/vectors"
_SUFFIXES: Final = frozenset({".json", ".py"})
# How long the first scan of the folders takes, in milliseconds; later changes are seen.
_FIRST_LOOK: Final = 200

# The reported changes: for each file the kind of change and the path.
Changes = Iterable[tuple[object, str]]


def concerned(root: Path, changes: Changes) -> list[str]:
    """Return the changed files that something is compiled from, by their path from the root."""
    names = {PurePath(path).relative_to(root) for _, path in changes}
    return sorted(
        name.as_posix()
        for name in names
        if name.suffix in _SUFFIXES and not name.is_relative_to(_NOT_COMPILED) and "__pycache__" not in name.parts
    )


def built(root: Path, steps: Sequence[Sequence[str]] = STEPS) -> bool:
    """Run each step until one fails, which prints the reason; tell whether none did."""
    return all(_finished(root, step) for step in steps)


def watch(root: Path, reports: Iterable[Changes], build: Callable[[], bool]) -> None:
    """Build at the first report, which may be empty, and at each later one with relevant changes."""
    for number, changes in enumerate(reports):
        names = concerned(root, changes)
        if number and not names:
            continue
        for name in names:
            _say(f"changed: {name}")
        _say("Built; watching." if build() else "Not built; watching: it is tried again at the next change.")


def _finished(root: Path, step: Sequence[str]) -> bool:
    """Run a step to its end even if interrupted, so that no file is half written."""
    process = subprocess.Popen([sys.executable, *step], cwd=root, start_new_session=True)
    try:
        return process.wait() == 0
    except KeyboardInterrupt:
        process.wait()
        raise


def _reports(root: Path) -> Iterable[Changes]:
    import watchfiles  # noqa: PLC0415  # who does not watch does not need it

    folders = [root / name for name in WATCHED]
    return watchfiles.watch(*folders, yield_on_timeout=True, rust_timeout=_FIRST_LOOK)


def _say(line: str) -> None:
    print(line, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build once, or at each change; return 1 if the build fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--watch", action="store_true", help="build at each change, until it is interrupted")
    parser.add_argument("--format", action="store_true", help="first rewrite schema files in canonical form")
    options = parser.parse_args(arguments)
    compiler, *others = STEPS
    steps = [(*compiler, *(["--format"] if options.format else [])), *others]
    if not options.watch:
        return 0 if built(ROOT, steps) else 1
    try:
        watch(ROOT, _reports(ROOT), lambda: built(ROOT, steps))
    except KeyboardInterrupt:
        _say("Ended.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
