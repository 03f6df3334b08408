"""Compares the output of the current code with that of another commit: `nox -s differential -- REF`.

Every recorded body and stream, and our own vectors, run through both versions into every dialect; with `--mutants 3`
also three one-member mutants of each. Compared are bodies with the order of their members, losses, canonical values,
events, errors, and the results of the providers' rules.

The exit code is 1 if there is a difference that `--named FILE` does not list (see regression/intended.py), or if an
entry of that file matches nothing, and 2 if nothing could be compared. `--show` prints the values, which may be content
of recordings.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

from regression.checkouts import CommitNotFoundError, checked_out, commit_of
from regression.differences import MISSING, Difference, differences
from regression.inputs import CANONICAL, FOLDERS, KINDS, Selection
from regression.intended import NamedError, read
from regression.running import Digests, Named, Plan, WorkerError, digests, explained, keep, kept, remembered, stored
from regression.summary import FIRST, Found

ROOT: Final = Path(__file__).resolve().parents[1]
NEAR: Final = ROOT.parent / "shared" / "corpus"


class NothingComparedError(Exception):
    """The options select no case."""


def parsed(arguments: list[str]) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ref", help="the commit to compare with")
    parser.add_argument("--kind", choices=KINDS, action="append", help="these alone")
    sources = (*FOLDERS, CANONICAL)
    parser.add_argument("--dialect", choices=sources, action="append", help="from this dialect alone")
    parser.add_argument("--target", choices=tuple(FOLDERS), action="append", help="into this dialect alone")
    parser.add_argument("--mutants", type=int, default=0, metavar="N", help="so many mutants of each input")
    parser.add_argument("--seed", type=int, default=0, help="other mutants")
    parser.add_argument("--sample", type=int, default=1, metavar="K", help="every K-th input alone")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="P")
    parser.add_argument("--without-rules", action="store_true", help="leave check_request and repair_request out")
    parser.add_argument("--corpus", default=os.environ.get("INTERLINGUA_CORPUS", str(NEAR) if NEAR.is_dir() else ""))
    parser.add_argument("--named", type=Path, metavar="FILE", help="the differences that are meant")
    parser.add_argument("--first", type=int, default=FIRST, metavar="N", help="so many keys of each group")
    parser.add_argument("--stored", action="store_true", help="give both what the old code decoded, as if stored")
    parser.add_argument("--show", action="store_true", help="print what differs: content of recordings")
    parser.add_argument("--fresh", action="store_true", help="ask the old code anew, whatever is remembered of it")
    options = parser.parse_args(arguments)
    if min(options.sample, options.processes) < 1 or options.mutants < 0:
        parser.error("--sample and --processes are at least 1, --mutants at least 0")
    if options.corpus and not Path(options.corpus, "dev").is_dir():
        parser.error("the corpus has no folder `dev`")
    return options


def planned(options: argparse.Namespace) -> Plan:
    """Return the plan of the run."""
    selection = Selection(
        corpus=options.corpus,
        kinds=tuple(options.kind or KINDS),
        sources=tuple(options.dialect or ()),
        sample=options.sample,
        mutants=options.mutants,
        seed=options.seed,
    )
    return Plan(selection, tuple(options.target or ()), not options.without_rules, options.processes)


def differing(before: Digests, now: Digests, found: Found) -> Named:
    """Return the operations whose digests differ, by case; count those that no longer exist."""
    named: Named = {}
    for key, doors in before.items():
        later = now.get(key, {})
        if later.keys() == doors.keys() and later == doors:
            continue
        for door in sorted(doors.keys() - later.keys()):
            if not later or not any(later[cause] != doors[cause] for cause in causes(door) if cause in later):
                found.add(Difference(f"{key}/{door}", MISSING, (), None, None))
        if changed := sorted(door for door in doors.keys() & later.keys() if doors[door] != later[door]):
            named[key] = changed
    return named


def causes(door: str) -> tuple[str, ...]:
    """Return the operations that an operation depends on: if they differ, it may be missing for that reason."""
    name, _, dialect = door.partition(":")
    before = {"repair": (f"check:{dialect}", f"to:{dialect}"), "check": (f"to:{dialect}",)}
    return (*before.get(name, ()), "decode")


def explain(plan: Plan, base: Path, named: Named, found: Found) -> None:
    """Get the results of the differing operations from both versions, and count the differences."""
    with tempfile.TemporaryDirectory() as folder:
        sides: list[Iterator[tuple[str, dict[str, Any]]]] = []
        for side, top in (("before", base), ("now", ROOT)):
            Path(folder, side).mkdir()
            sides.append(explained(plan, top, named, Path(folder, side)))
        for (key, before), (_, now) in zip(*sides, strict=True):
            for door in named[key]:
                for difference in differences(f"{key}/{door}", before[door], now[door]):
                    found.add(difference)


def compare(options: argparse.Namespace) -> int:
    """Compare, print the report, and return the exit code."""
    plan, commit = planned(options), commit_of(ROOT, options.ref)
    found = Found(read(options.named) if options.named else (), first=options.first)
    with ExitStack() as stack:
        place: list[Path] = []

        def base() -> Path:
            if not place:
                place.append(stack.enter_context(checked_out(ROOT, commit)))
            return place[0]

        if options.stored:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            plan = stored(plan, base(), Path(folder))
        begun = time.monotonic()
        before, how = digests_of(plan, commit, base, fresh=options.fresh)
        between = time.monotonic()
        now = digests(plan, ROOT)
        print(
            f"{len(before):,} cases, {sum(map(len, before.values())):,} outcomes: "
            f"{commit[:9]} {how} {between - begun:.0f} s, now {time.monotonic() - between:.0f} s",
            flush=True,
        )
        if new := sum(len(doors.keys() - before.get(key, {}).keys()) for key, doors in now.items()):
            print(f"{new:,} outcomes are new: {commit[:9]} has nothing to compare them with")
        if not before:
            raise NothingComparedError("no case is left of that choice")
        named = differing(before, now, found)
        if named:
            explain(plan, base(), named, found)
    print(*found.lines(show=options.show), f"{found.unnamed:,} differences that nobody named", sep="\n")
    return int(found.unnamed > 0 or bool(found.unmatched))


def digests_of(plan: Plan, commit: str, base: Callable[[], Path], *, fresh: bool) -> tuple[Digests, str]:
    """Return the digests of a commit, cached ones if there are any, and a word that says where they are from."""
    path = remembered(plan, commit)
    found = None if fresh else kept(path)
    if found is not None:
        return found, "remembered"
    found = digests(plan, base())
    keep(path, found)
    return found, "asked"


def main(arguments: list[str]) -> int:
    """Compare; return the exit code."""
    options = parsed(arguments)
    signal.signal(signal.SIGTERM, _ended)
    try:
        return compare(options)
    except (CommitNotFoundError, NamedError, NothingComparedError, WorkerError) as error:
        print(error, file=sys.stderr)
        return 2


def _ended(*_: object) -> NoReturn:
    """Exit as after an interruption, so that the worktree is removed."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
