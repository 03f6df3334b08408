"""Stores the events that the current code decodes from streams, as permanent vectors (`tests/vectors/stored`).

    python tools/freeze.py claude streams.jsonl    a new file of stored streams of one dialect
    python tools/freeze.py --abroad                the current translations of all stored streams

A line of the input is `{"id", "about", "frames"}`, with `"abroad": true` if translations should be stored. Stored
events are never regenerated: the first form refuses to overwrite, and uses the next free number. The translations of a
stream may change on purpose.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]

sys.path.insert(0, str(ROOT / "tests"))

from interlingua.registry import dialects  # noqa: E402  # found through the line above
from support import stored_streams as stored  # noqa: E402


def write(path: Path, vectors: list[dict[str, Any]], mode: str) -> None:
    """Write vectors, one per line. Mode `x` refuses to overwrite."""
    with path.open(mode, encoding="utf-8") as file:
        file.writelines(stored.text(vector) + "\n" for vector in vectors)


def freeze(dialect: str, source: Path) -> Path:
    """Store new streams of a dialect, and seal the file."""
    number = 1 + len(list(stored.STREAMS.glob(f"{dialect}_[0-9]*.jsonl")))
    path = stored.STREAMS / f"{dialect}_{number}.jsonl"
    write(path, [stored.vector(dialect, stream) for stream in stored.lines(source)], "x")
    seal(path)
    return path


def seal(path: Path) -> None:
    """Record the digest of a new file. Existing seals are not changed."""
    seals: dict[str, str] = json.loads(stored.SEALS.read_text(encoding="utf-8")) if stored.SEALS.exists() else {}
    name = str(path.relative_to(stored.FOLDER))
    if name in seals:
        raise FileExistsError(name)
    seals[name] = stored.digest(path)
    stored.SEALS.write_text(json.dumps(seals, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def freeze_abroad(path: Path) -> None:
    """Write the translations of the streams in a file to other dialects."""
    dialect = stored.dialect_of(path)
    found = [{"id": one["id"], "to": stored.abroad(dialect, one["events"])} for one in stored.translated(path)]
    write(stored.ABROAD / path.name, found, "w")


def main() -> int:
    """Store streams, or their translations."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("dialect", nargs="?", choices=dialects())
    parser.add_argument("streams", nargs="?", type=Path)
    parser.add_argument("--abroad", action="store_true", help="write what stored streams are in other dialects, anew")
    options = parser.parse_args()
    if options.abroad:
        for path in sorted(stored.STREAMS.glob("*.jsonl")):
            freeze_abroad(path)
        return 0
    if options.streams is None:
        parser.error("a dialect and a file of streams are wanted")
    print(freeze(options.dialect, options.streams))
    return 0


if __name__ == "__main__":
    sys.exit(main())
