"""Break the code under a seeded sample of requirement marks: `nox -s mutants`; `-- --sample N --seed N` for others.

For each mark of the sample: the lines that its tests run are found, then places among them are broken one after
another, those first that few other tests of the sample run. A mark holds when its tests fail for one of them; the
session fails when they stay green for all that were tried, for then the tests notice nothing.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Final, NamedTuple

import requirements
from mutation.operators import places

ROOT: Final = Path(__file__).resolve().parents[1]
HOOK: Final = ROOT / "tools" / "mutation" / "hook"
WATCHED: Final = (ROOT / "codecs" / "interlingua", ROOT / "generated" / "interlingua_types", ROOT / "tools")
SECONDS: Final = 300
FAILED: Final = 1
NO_TESTS: Final = 5


class Place(NamedTuple):
    """A place that can be broken: the file, the line, and its number in the file."""

    path: str
    line: int
    number: int


class Verdict(NamedTuple):
    """What became of a mark: how many places were tried, and the one that its tests noticed."""

    requirement: str
    tried: int
    noticed: Place | None


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a run whose Python loads the hook."""
    path = os.pathsep.join([str(HOOK), str(ROOT / "tools"), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **more}


def run(tests: Sequence[str], **more: str) -> int:
    """Run tests in a Python of their own and return pytest's exit code; what never ends has failed."""
    command = [sys.executable, "-m", "pytest", "-qq", "-x", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += ["-p", "mutation.some_cases", "-W", "ignore::pytest.PytestAssertRewriteWarning", *tests]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment(**more), capture_output=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return FAILED
    return done.returncode


def lines_of(tests: Sequence[str]) -> frozenset[tuple[str, int]]:
    """Return the lines that tests run.

    Raises:
        SystemExit: the tests fail as the code is.
    """
    with tempfile.TemporaryDirectory() as folder:
        code = run(tests, INTERLINGUA_LINES=folder, INTERLINGUA_WATCHED=os.pathsep.join(map(str, WATCHED)))
        if code not in (0, NO_TESTS):
            sys.exit(f"the tests fail before anything is broken: {' '.join(tests)}")
        rows = [row for path in Path(folder).iterdir() for row in path.read_text(encoding="utf-8").splitlines()]
    return frozenset((path, int(line)) for path, _, line in (row.rpartition("|") for row in rows))


@cache
def places_of(path: str) -> tuple[Place, ...]:
    """Return every place of a file that can be broken."""
    return tuple(Place(path, line, number) for line, number in places(Path(path).read_text(encoding="utf-8")))


def candidates(lines: frozenset[tuple[str, int]], commonness: Mapping[tuple[str, int], int], seed: str) -> list[Place]:
    """Return the places on lines, the rarest lines first, equally rare ones in a seeded order."""
    paths = sorted({path for path, _ in lines})
    found = [place for path in paths for place in places_of(path) if (path, place.line) in lines]
    random.Random(seed).shuffle(found)  # noqa: S311  # a sample, no secret
    return sorted(found, key=lambda place: commonness[place.path, place.line])


def judged(requirement: str, tests: Sequence[str], order: Sequence[Place], most: int) -> Verdict:
    """Break one place after the other until the tests notice."""
    for tried, place in enumerate(order[:most], start=1):
        if run(tests, INTERLINGUA_MUTANT=f"{place.path}|{place.number}") not in (0, NO_TESTS):
            return Verdict(requirement, tried, place)
    return Verdict(requirement, min(most, len(order)), None)


def main(arguments: list[str]) -> int:
    """Judge a sample of the marks; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=24, help="how many requirements are looked at")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=8, help="how many places are broken for one requirement")
    parser.add_argument("--only", nargs="*", default=(), help="these requirements instead of a sample")
    options = parser.parse_args(arguments)
    proved = requirements.collect()
    chance = random.Random(options.seed)  # noqa: S311  # a sample, no secret
    names = list(options.only) or chance.sample(sorted(proved), min(options.sample, len(proved)))
    tests = [proved[name] for name in names]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        lines = list(pool.map(lines_of, tests))
        commonness = Counter(line for found in lines for line in found)
        orders = [
            candidates(found, commonness, f"{options.seed} {name}") for name, found in zip(names, lines, strict=True)
        ]
        verdicts = list(pool.map(judged, names, tests, orders, repeat(options.most)))
    for verdict in verdicts:
        told = f"noticed at {shown(verdict.noticed)}" if verdict.noticed else "STAYS GREEN"
        print(f"{verdict.requirement:<60} {told} ({verdict.tried} tried)")
    green = sum(verdict.noticed is None for verdict in verdicts)
    print(f"{len(verdicts) - green} of {len(verdicts)} marks hold (seed {options.seed})")
    return int(green > 0)


def shown(place: Place) -> str:
    """Return a place as people read it."""
    return f"{Path(place.path).relative_to(ROOT)}:{place.line}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
