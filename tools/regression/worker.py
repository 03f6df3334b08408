"""Runs one part of the cases with the library in `PYTHONPATH`; a separate program, started for both checkouts.

It reads a job from standard input and writes one JSON line per case: the digests by operation, or, if the job names
operations to explain, their results, or, if the job is to store, the decoded values.
"""

# JSON of any shape: narrowing leaves the member types unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

import interlingua
from regression.inputs import CANONICAL, Case, Selection, cases
from regression.library import dialects
from regression.outcomes import Ways, decoded, digest, dumped, outcomes

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import BinaryIO

    Named = dict[str, list[str]]


def main() -> int:
    """Do the job; return the exit code."""
    job: dict[str, Any] = orjson.loads(sys.stdin.buffer.read())
    if not Path(interlingua.__file__).is_relative_to(Path(job["top"])):
        sys.exit("the library is not that of the checkout")
    known = dialects()
    ways = Ways(tuple(one for one in known if not job["targets"] or one in job["targets"]), job["rules"])
    selection = Selection.of(job["selection"])
    gc.disable()  # bodies have no reference cycles; errors have a few
    with Path(job["out"]).open("wb") as out:
        for number, case in enumerate(cases(selection, job["part"], job["parts"], job["only"])):
            if job["store"]:
                _store(out, case, known)
            elif case.source == CANONICAL or case.source in known:
                _write(out, case, ways, job["only"])
            if number % 1000 == 999:
                gc.collect()
    return 0


def _write(out: BinaryIO, case: Case, ways: Ways, only: Named | None) -> None:
    """Write the line of a case."""
    made: dict[str, Any]
    if only is None:
        made = {door: digest(outcome) for door, outcome in outcomes(case, ways)}
    else:
        made = {door: outcome for door, outcome in outcomes(case, ways) if door in only[case.key]}
    out.write(dumped([case.key, made], ordered=True) + b"\n")


def _store(out: BinaryIO, case: Case, known: Collection[str]) -> None:
    """Write the line of a case that can be decoded."""
    value = decoded(case) if case.source in known else None
    if value is not None:
        out.write(dumped({"key": case.key, "body": value}, ordered=True) + b"\n")


if __name__ == "__main__":
    sys.exit(main())
