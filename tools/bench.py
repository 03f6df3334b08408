"""Measures the library against its limit, parsing and serialising with orjson, and against other libraries.

All runs happen in one process on the same bodies, with interleaved rounds: times vary between machines and over
time, but ratios hardly do. `docs/benchmark.md` explains each row.
"""

from __future__ import annotations

import argparse
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Final

from benchmark import cases, peers, table
from interlingua import translation

ROUNDS: Final = 51


def main(arguments: list[str] | None = None) -> None:
    """Measure all groups, or the given ones, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("groups", nargs="*", help=f"what to measure, of: {', '.join(cases.GROUPS)} (default: all)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how many rounds the median is taken of")
    parser.add_argument("--quick", action="store_true", help="short conversations, streams and transcripts")
    parser.add_argument("--json", action="store_true", help="print JSON, not a table")
    options = parser.parse_args(arguments)
    unknown = set(options.groups) - cases.GROUPS.keys()
    if unknown:
        parser.error(f"no such group: {', '.join(sorted(unknown))}")
    compiled = is_compiled()
    short = cases.Effort(options.rounds, (40, 80), (20, 40), 40, 4_000, compiled)
    effort = short if options.quick else cases.Effort(options.rounds, compiled=compiled)
    rows: list[table.Row] = []
    with peers.running() as ready:
        for name in options.groups or cases.GROUPS:
            rows.extend(cases.GROUPS[name](effort, ready))
    print(table.as_json(rows, compiled=compiled) if options.json else table.as_text(rows, compiled=compiled))


def is_compiled() -> bool:
    """Tell whether the measured library has compiled modules."""
    return str(translation.__file__).endswith(tuple(EXTENSION_SUFFIXES))


if __name__ == "__main__":
    main()
