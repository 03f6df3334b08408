"""Attacks the library as a whole: `nox -s attack -- --seed 7`; any finding fails the session.

There are three parts: processes that write one store and are killed, mutated bodies and streams, and damaged store
files. `--part kills --count 100` runs one part, or less of it. The same seed repeats the same attack.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from attacks import bodies, damage, kills  # found through the path above

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PARTS: Final[Mapping[str, tuple[Callable[[int, int], list[str]], int, str]]] = MappingProxyType(
    {
        "kills": (kills.attack, 1_000, "kills of writers"),
        "bodies": (bodies.attack, 100_000, "mutated bodies and streams"),
        "damage": (damage.attack, 3_000, "damaged store files"),
    }
)


def main(arguments: list[str]) -> int:
    """Run the parts; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", choices=PARTS, action="append", help="one part alone")
    parser.add_argument("--count", type=int, help="how often, instead of the whole number")
    options = parser.parse_args(arguments)
    findings = 0
    for name in options.part or PARTS:
        attack, whole, what = PARTS[name]
        count = options.count or whole
        begun = time.monotonic()
        found = attack(options.seed, count)
        print(
            *found,
            f"{count:,} {what}: {len(found)} findings (seed {options.seed}, {time.monotonic() - begun:.0f} s)",
            sep="\n",
            flush=True,
        )
        findings += len(found)
    return int(findings > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
