"""Generates the translations of every given value of `schema/vectors/translation` to every other dialect.

    python tools/vectors.py            writes
    python tools/vectors.py --check    fails if a file is out of date

`<dialect>/given.jsonl` is written by hand; so is `expected` of every line with `"source": "hand"`, which is never
regenerated. If a translation differs from such a line, both forms fail: one of the two is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

from interlingua.json_diff import differences
from interlingua.registry import Dialect
from interlingua.vectors.files import GIVEN, Given, lines, pairs, read_given
from interlingua.vectors.making import expected

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "schema" / "vectors" / "translation"
ADVICE: Final = (
    "Run `python tools/vectors.py` and commit what it writes. Where a line of people's differs, mend the translation, "
    "or the line by hand."
)


class Made(NamedTuple):
    """The text of a file, and the errors in its handwritten lines."""

    path: Path
    text: str
    problems: list[str]


def made(source: Dialect, target: Dialect, folder: Path = FOLDER) -> Made:
    """Return the file of an ordered pair of dialects."""
    path = folder / source / f"{target}.jsonl"
    by_hand = {one["id"]: one for one in lines(path) if one["source"] == "hand"} if path.is_file() else {}
    rows: list[str] = []
    problems: list[str] = []
    for given in read_given(source, folder):
        row = _row(given, source, target)
        kept = by_hand.pop(given.id, None)
        if kept is not None:
            places = [one.path for one in differences(kept["expected"], row["expected"])]
            if places:
                problems.append(f"{source}/{target}.jsonl: {given.id} is written otherwise at {', '.join(places)}")
            row |= {"source": "hand", "expected": kept["expected"]}
        rows.append(json.dumps(row, ensure_ascii=False) + "\n")
    problems += [f"{source}/{target}.jsonl: nothing is given for {name}" for name in by_hand]
    return Made(path, "".join(rows), problems)


def _row(given: Given, source: Dialect, target: Dialect) -> dict[str, Any]:
    value, losses = expected(given.kind, given.value, source, target)
    return {"id": given.id, "source": "generated", "expected": value, "losses": losses}


def run(folder: Path = FOLDER, *, check: bool) -> list[str]:
    """Write the files, or only check them; return the errors."""
    problems: list[str] = []
    wanted = {folder / source / f"{target}.jsonl" for source, target in pairs(folder)}
    for source, target in pairs(folder):
        one = made(source, target, folder)
        problems += one.problems
        if not check:
            one.path.write_text(one.text, encoding="utf-8", newline="\n")
        elif not one.path.is_file() or one.path.read_text(encoding="utf-8") != one.text:
            problems.append(f"{source}/{target}.jsonl is out of date")
    stray = {path for path in folder.glob("*/*.jsonl") if path.name != GIVEN} - wanted
    return problems + [f"{path.relative_to(folder).as_posix()}: no such pair" for path in sorted(stray)]


def main(arguments: list[str]) -> int:
    """Write or check; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file is old")
    problems = run(check=parser.parse_args(arguments).check)
    print("\n".join([*problems, ADVICE] if problems else ["The vectors of translation are up to date."]))
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
