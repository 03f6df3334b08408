"""Generate docs/pain.md: known problems of other converters, and the tests that they do not occur here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

AREAS: Final = {
    "DEC": "Decoding",
    "ENC": "Encoding",
    "TOOL": "Tools, ids and schemas",
    "REA": "Reasoning",
    "MM": "Images, audio and files",
    "STR": "Streams",
    "HIS": "History and order",
    "PER": "Storage and migration",
    "VAL": "Validation and errors",
    "SEC": "Security",
}
_TEST: Final = re.compile(rf"^ *def test_({'|'.join(AREAS).lower()})_(\d+)_(\w+)\(", re.MULTILINE)

_HEAD: Final = """# Known problems of other converters

Users of gateways, SDKs and agents have long reported what breaks when conversations are converted, stored and streamed.
This page lists each kind of problem, with the tests that cover it, or the reason why there are none. It is generated
from the names of the tests: `test_dec_1_...` covers DEC-1. An entry with neither fails the tests.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A known problem: its id and title, the tests with its id, and the reason if there can be none."""

    identifier: str
    title: str
    tests: tuple[tuple[str, str], ...]
    reason: str


def entries(root: Path) -> list[Entry]:
    """Return every entry of the table, in order."""
    folder = root / "tests" / "pain"
    reasons = _read(folder / "reasons.json")
    found: dict[str, list[tuple[str, str]]] = {}
    for identifier, *test in _tests(root):
        found.setdefault(identifier, []).append((test[0], test[1]))
    return [
        Entry(identifier, title, tuple(found.get(identifier, ())), reasons.get(identifier, ""))
        for identifier, title in _read(folder / "entries.json").items()
    ]


def unknown(root: Path) -> list[str]:
    """Return the ids that a test or a reason has and the table does not."""
    folder = root / "tests" / "pain"
    named = {identifier for identifier, _, _ in _tests(root)} | set(_read(folder / "reasons.json"))
    return sorted(named - set(_read(folder / "entries.json")))


def pages(root: Path) -> dict[Path, str]:
    """Return the page and its text; nothing if there is no table of entries."""
    if not (root / "tests" / "pain" / "entries.json").is_file():
        return {}
    return {root / "docs" / "pain.md": render(entries(root))}


def render(found: list[Entry]) -> str:
    """Return the text of the page."""
    lines = [_HEAD]
    for area, title in AREAS.items():
        lines += [f"## {title}", ""]
        for entry in found:
            if entry.identifier.partition("-")[0] == area:
                lines += [f"**{entry.identifier}** {entry.title}.", "", *_proofs(entry), ""]
    return "\n".join(lines).rstrip() + "\n"


def _proofs(entry: Entry) -> Iterator[str]:
    """Yield a line for each test, or for the reason."""
    if entry.reason:
        yield f"- {entry.reason}"
    for file, sentence in entry.tests:
        yield f"- {sentence} (`{file}`)"
    if not entry.reason and not entry.tests:
        yield "- Nothing says so yet."


def _tests(root: Path) -> Iterator[tuple[str, str, str]]:
    """Yield id, file and sentence of each test that has an id in its name."""
    for path in sorted((root / "tests").rglob("test_*.py")):
        for match in _TEST.finditer(path.read_text(encoding="utf-8")):
            area, number, name = match.groups()
            yield f"{area.upper()}-{number}", path.relative_to(root).as_posix(), name.replace("_", " ")


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
