"""Generates docs/families.md from the tables of model families, below a handwritten introduction."""

from __future__ import annotations

import csv
import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

MARK: Final = "<!-- What follows is made by `nox -s generate` from the tables of the rooms. Do not edit it. -->"
_SAYS: Final = {True: "yes", False: "no"}


def pages(root: Path) -> dict[Path, str]:
    """Return the page of the families and its text; nothing if the root has no rooms."""
    rooms = root / "codecs" / "interlingua" / "rooms"
    names = sorted(path.parent.name for path in rooms.glob("[a-z]*/families.py"))
    if not names:
        return {}
    path = root / "docs" / "families.md"
    introduction = path.read_text(encoding="utf-8").partition(MARK)[0].rstrip() if path.is_file() else "# Families"
    made = [line for name in names for line in _room(name)]
    told = _sources(root / "docs" / "family_sources.tsv")
    return {path: "\n".join([introduction, "", MARK, "", *made, *told]).rstrip("\n") + "\n"}


def sources(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the sources of the rows: the word used in a row, the source itself, and its date."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row["word"], row["what"], row["date"]


def _room(name: str) -> Iterator[str]:
    families = importlib.import_module(f"interlingua.rooms.{name}.families").FAMILIES
    title = importlib.import_module(f"interlingua.rooms.{name}").DESCRIPTOR.title
    yield f"## {title}"
    yield ""
    yield "| family | example | facts | sources |"
    yield "| --- | --- | --- | --- |"
    for family in families:
        note = " (any other name)" if family.newest else ""
        yield f"| {family.name}{note} | `{family.example}` | {_facts(family.facts)} | {family.sources} |"
    yield ""


def _facts(facts: Mapping[str, Any]) -> str:
    said = [f"{name} {_shown(value)}" for name, value in facts.items()]
    return "; ".join(said) or "accepts everything in the dialect"


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        words: tuple[object, ...] = value  # pyright: ignore[reportUnknownVariableType]  # words, of any length
        return " ".join(str(one) for one in words) or "none"
    return _SAYS[value] if isinstance(value, bool) else str(value)


def _sources(path: Path) -> Iterator[str]:
    yield "## Sources"
    yield ""
    yield "| word | what it is | date |"
    yield "| --- | --- | --- |"
    yield from (f"| {' | '.join(row)} |" for row in sources(path))
