"""Lists how every variant that the official SDKs declare is decoded: mapped, opaque, or in `extra`.

    python tools/inventory.py            prints a table of all variants
    python tools/inventory.py --write    writes it to tests/laws/inventory.json, with which the laws compare

The inventory is beside the corpus, outside the repository; without it the program reports this and exits with 2.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
COMMITTED: Final = ROOT / "tests" / "laws" / "inventory.json"

sys.path.insert(0, str(ROOT / "tests"))

from support import inventory, inventory_streams  # noqa: E402  # found through the line above
from support.corpus import CorpusNotFoundError  # noqa: E402
from support.rooms import ROWS  # noqa: E402


def table(dialect: str) -> dict[str, dict[str, object]]:
    """Return the result for each variant of a dialect, and which of its members only `extra` holds."""
    found: dict[str, dict[str, object]] = {}
    for variant in inventory.variants(dialect):
        fate = inventory.fate(variant)
        aside = [] if fate == "unknown" else inventory.only_in_extra(variant)
        found[variant.label] = {"as": fate, "extra": aside}
    for streamed in inventory_streams.variants(dialect):
        fate = inventory_streams.fate(streamed)
        aside = [] if fate == "unknown" else inventory_streams.only_in_extra(streamed)
        found[streamed.label] = {"as": fate, "extra": aside}
    return found


def counted(found: Mapping[str, Mapping[str, object]]) -> dict[str, Counter[str]]:
    """Return how many variants of each category are mapped, opaque, only in `extra`, or unknown."""
    counts: dict[str, Counter[str]] = {}
    for label, variant in found.items():
        counts.setdefault(label.partition("/")[0], Counter())[str(variant["as"])] += 1
    return counts


def main() -> int:
    """Print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="write the table that the laws compare with")
    options = parser.parse_args()
    try:
        found = {dialect: table(dialect) for dialect in ROWS}
    except CorpusNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    if options.write:
        COMMITTED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for dialect, variants in found.items():
        for label, variant in variants.items():
            aside = variant["extra"]
            print(f"{dialect:12} {variant['as']!s:8} {label}{f'  (extra: {aside})' if aside else ''}")
        for category, counts in counted(variants).items():
            print(f"{dialect:12} {category:28} {dict(counts)}")
        print(dialect, dict(sum(counted(variants).values(), Counter[str]())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
