"""Draws the charts of docs/: the data flow, and the losses of each pair by concern, from docs/losses.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

FOLDER: Final = Path("docs") / "_static"
DIALECTS: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm")
CONCERNS: Final = ("content", "contract", "tuning", "state", "bookkeeping")
_NONE, _SOME, _INK, _LINE, _BOX = "#d5ece0", "#ffc27a", "#1b1f24", "#57606a", "#eef3fb"
_ROW: Final = re.compile(r"^\| `(\w+)` \| (.+) \|$", re.MULTILINE)
_SQUARE, _LEFT, _TOP, _ROOM = 27, 150, 84, 148


def pages(root: Path) -> dict[Path, str]:
    """Return the path and the text of each picture."""
    found = {root / FOLDER / "data_flow.svg": data_flow()}
    measured = root / "docs" / "losses.md"
    if measured.is_file():
        for section in measured.read_text(encoding="utf-8").split("\n## ")[1:]:
            kind = section.partition("\n")[0].lower()
            found[root / FOLDER / f"losses_{kind}.svg"] = matrix(kind, figures(section))
    return found


def figures(section: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the figures of a table of docs/losses.md for each pair of the first six dialects, by concern."""
    head: list[str] = re.findall(r"`(\w+)`", next(line for line in section.splitlines() if line.startswith("| from")))
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for source, cells in _ROW.findall(section):
        for target, cell in zip(head, cells.split(" | "), strict=True):
            if source != target and {source, target} <= {*DIALECTS}:
                found[source, target] = tuple(cell.strip().split(" / "))
    return found


def matrix(kind: str, found: Mapping[tuple[str, str], tuple[str, ...]]) -> str:
    """Return the chart for one kind of bodies: a row for each source, a square for each concern."""
    return picture(
        _LEFT + _ROOM * len(DIALECTS) + 10,
        _TOP + 44 * len(DIALECTS) + 10,
        f"Median losses of recorded {kind}, by pair and concern",
        "Rows are sources, columns targets; each cell has five squares. The table of the same page has the figures.",
        _matrix(found),
    )


def _matrix(found: Mapping[tuple[str, str], tuple[str, ...]]) -> Iterator[str]:
    legend = "Squares, left to right: " + ", ".join(CONCERNS) + ". Green: the median body has no loss of it."
    yield text(10, 24, legend)
    yield text(10, 66, "from \\ to", bold=True)
    for at, dialect in enumerate(DIALECTS):
        yield text(_LEFT + _ROOM * at, 66, dialect, bold=True)
        yield text(10, _TOP + 44 * at + 17, dialect, bold=True)
    for row, source in enumerate(DIALECTS):
        for column, target in enumerate(DIALECTS):
            x, y = _LEFT + _ROOM * column, _TOP + 44 * row
            if source == target:
                yield text(x, y + 17, "all comes back")
            for at, figure in enumerate(found.get((source, target), ())):
                yield _square(x + _SQUARE * at, y, figure)


def _square(x: int, y: int, figure: str) -> str:
    fill = _NONE if figure == "0" else _SOME
    side = _SQUARE - 2
    box = f'<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="3" fill="{fill}"/>'
    return box + text(x + side // 2, y + 17, figure, middle=True)


def data_flow() -> str:
    """Return the chart of the data flow, to a provider and back."""
    return picture(
        900,
        250,
        "How data flows",
        "A transcript becomes chat messages, a canonical request and the body of a dialect; the answer of the provider "
        "becomes a canonical response, chat messages, and is added to the transcript.",
        _data_flow(),
    )


def _data_flow() -> Iterator[str]:
    yield (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{_LINE}"/></marker></defs>'
    )
    yield from _box(10, 85, 150, "Transcript", "what happened")
    yield from _box(250, 20, 170, "Chat messages", "what a model is told")
    yield from _box(490, 20, 170, "Canonical request", "one form for all")
    yield from _box(250, 150, 170, "Chat messages", "what a model said")
    yield from _box(490, 150, 170, "Canonical response", "or events, in a stream")
    yield from _box(740, 85, 150, "Provider", "body of its dialect")
    yield from _arrow("M85 85V52H246", 165, 44, "to_chat")
    yield from _arrow("M420 52H486", 453, 44, "")
    yield from _arrow("M660 52H815V81", 735, 44, "encode_request")
    yield from _arrow("M815 149V182H664", 735, 204, "decode_response")
    yield from _arrow("M490 182H424", 453, 204, "")
    yield from _arrow("M250 182H85V153", 165, 204, "from_chat")
    yield text(450, 236, "What a dialect has no place for is a loss; within one dialect nothing is.", middle=True)


def _box(x: int, y: int, width: int, name: str, hint: str) -> Iterator[str]:
    yield f'<rect x="{x}" y="{y}" width="{width}" height="64" rx="8" fill="{_BOX}" stroke="{_LINE}"/>'
    yield text(x + width // 2, y + 28, name, middle=True, bold=True)
    yield text(x + width // 2, y + 48, hint, middle=True)


def _arrow(path: str, x: int, y: int, name: str) -> Iterator[str]:
    yield f'<path d="{path}" fill="none" stroke="{_LINE}" stroke-width="1.5" marker-end="url(#tip)"/>'
    if name:
        yield text(x, y, name, middle=True)


def text(x: int, y: int, said: str, *, middle: bool = False, bold: bool = False) -> str:
    """Return a line of text in a chart."""
    how = (' text-anchor="middle"' if middle else "") + (' font-weight="bold"' if bold else "")
    return f'<text x="{x}" y="{y}"{how}>{escape(said)}</text>'


def picture(width: int, height: int, title: str, description: str, parts: Iterator[str]) -> str:
    """Return a chart; title and description are for screen readers."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    style = f'font-family="sans-serif" font-size="13" fill="{_INK}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {style}>',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(description)}</desc>",
        "<!-- Generated by `nox -s generate` (tools/pages.py). Do not edit. -->",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
