"""Parses the description and the parameters of a docstring in Google, NumPy or Sphinx style.

Only what tools need is parsed: a description, and a text for each parameter. Anything else is ignored; parsing never
fails.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Section headings; any of them ends the description.
_PARAMETERS: Final = frozenset({
    "args", "arguments", "params", "parameters", "keyword args", "keyword arguments", "other parameters"
})  # fmt: skip
_SECTIONS: Final = _PARAMETERS | {
    "attributes", "example", "examples", "note", "notes", "raises", "references", "return", "returns", "see also",
    "todo", "warning", "warnings", "warns", "yield", "yields",
}  # fmt: skip
_FIELDS: Final = frozenset({"param", "parameter", "arg", "argument", "key", "keyword"})
# `:param int name: text`; a role such as :class:`Path` has no space behind its colon.
_field: Final = re.compile(r":(\w+)((?:\s+[^:\s]+)*)\s*:(?:\s+(.*)|$)").fullmatch
# `name (type, optional): text`; the type may hold brackets.
_entry: Final = re.compile(r"\*{0,2}(\w+)\s*(?:\(.*?\))?\s*:(?:\s+(.*)|$)").fullmatch
# `name, other : type`
_names: Final = re.compile(r"(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?").fullmatch
_underline: Final = re.compile(r"-{3,}\s*").fullmatch


@dataclass(frozen=True, slots=True)
class Docstring:
    """The texts of a docstring: `description` is the text before the first section, or ""."""

    description: str
    parameters: Mapping[str, str]


def read_docstring(text: str | None) -> Docstring:
    """Parse a docstring; the first style that occurs is used."""
    lines = inspect.cleandoc(text or "").splitlines()
    described = len(lines)
    parameters: dict[str, list[str]] = {}
    for at, line in enumerate(lines):
        heading = line.strip().removesuffix(":").lower()
        if at + 1 < len(lines) and line.strip() and not line.startswith(" ") and _underline(lines[at + 1]):
            found = _numpy_entries(lines, at + 2) if heading in _PARAMETERS else iter(())
        elif line.rstrip().endswith(":") and not line.startswith(" ") and heading in _SECTIONS:
            found = _google_entries(lines, at + 1) if heading in _PARAMETERS else iter(())
        elif (field := _field(line)) is not None:
            found = _sphinx_entry(field, lines, at + 1)
        else:
            continue
        described = min(described, at)
        for name, words in found:
            parameters.setdefault(name, words)
    joined = {name: " ".join(" ".join(words).split()) for name, words in parameters.items()}
    return Docstring("\n".join(lines[:described]).strip(), {name: words for name, words in joined.items() if words})


def _block(lines: Sequence[str], start: int) -> Iterator[tuple[int, str]]:
    """Yield the lines of an indented block with their indentation; empty lines do not end it."""
    for line in lines[start:]:
        depth = len(line) - len(line.lstrip())
        if line.strip() and not depth:
            return
        if line.strip():
            yield depth, line.strip()


def _google_entries(lines: Sequence[str], start: int) -> Iterator[tuple[str, list[str]]]:
    base: int | None = None
    words: list[str] | None = None
    for depth, line in _block(lines, start):
        base = depth if base is None else base
        entry = _entry(line) if depth <= base else None
        if entry is not None:
            words = [entry[2] or ""]
            yield entry[1], words
        elif words is not None:
            words.append(line)


def _numpy_entries(lines: Sequence[str], start: int) -> Iterator[tuple[str, list[str]]]:
    shared: list[str] = []
    for at in range(start, len(lines)):
        line = lines[at]
        if at + 1 < len(lines) and line.strip() and _underline(lines[at + 1]):
            return
        if line.startswith(" "):
            shared.append(line.strip())
        elif (entry := _names(line)) is not None:
            shared = []
            for name in entry[1].split(","):
                yield name.strip().lstrip("*"), shared


def _sphinx_entry(field: re.Match[str], lines: Sequence[str], start: int) -> Iterator[tuple[str, list[str]]]:
    kind, words_of_field, first = field[1], field[2].split(), field[3]
    if kind not in _FIELDS or not words_of_field:
        return
    words = [first or ""]
    for line in lines[start:]:
        if not line.strip() or _field(line) is not None:
            break
        words.append(line.strip())
    yield words_of_field[-1].lstrip("*"), words
