"""Generates the lower half of the dialect pages, from the tables of the rooms and the results of the laws.

Everything above the mark of a page is written by hand and kept; everything below is generated.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final, cast

MARK: Final = "<!-- What follows is made by `nox -s generate` from the tables and the laws. Do not edit it. -->"
_FAMILY: Final = "interlingua.rooms._chat_completions"
_KINDS: Final = ("request", "response")
_SEVERITIES: Final = {
    "lost": "Not there any more.",
    "changed": "Respelt, joined or renamed.",
    "filled": "Demanded here and not said there.",
}


def pages(root: Path) -> dict[Path, str]:
    """Return the page of every room and its text; nothing if the root has no rooms."""
    losses, inventory = (root / "tests" / "laws" / name for name in ("expected_losses.json", "inventory.json"))
    rooms = root / "codecs" / "interlingua" / "rooms"
    if not (losses.is_file() and inventory.is_file() and rooms.is_dir()):
        return {}
    names = sorted(path.parent.name for path in rooms.glob("[a-z]*/__init__.py"))
    lost, variants = json.loads(losses.read_bytes()), json.loads(inventory.read_bytes())
    found: dict[Path, str] = {}
    for name in names:
        path = root / "docs" / "dialects" / f"{name}.md"
        introduction = path.read_text(encoding="utf-8").partition(MARK)[0].rstrip() if path.is_file() else f"# {name}"
        made = _made(name, Tables(root, name), lost, variants.get(name, {}))
        found[path] = "\n".join([introduction, "", MARK, "", *made]).rstrip("\n") + "\n"
    return found


class Tables:
    """The tables of a room; those of its family if it has none of its own."""

    def __init__(self, root: Path, name: str) -> None:
        for folder in ("codecs", "generated"):
            if str(root / folder) not in sys.path:
                sys.path.insert(0, str(root / folder))
        own = importlib.import_module(f"interlingua.rooms.{name}.tables")
        self.accents: ModuleType | None = None
        self._modules: list[object] = [own]
        has_accents = hasattr(own, "VENDOR")
        if has_accents or importlib.util.find_spec(f"interlingua.rooms.{name}.vendor") is not None:
            self._modules.append(importlib.import_module(f"{_FAMILY}.tables"))
        if has_accents:
            self.accents = importlib.import_module(f"{_FAMILY}.vendor_extensions")

    def __call__(self, name: str) -> Any:
        """Return a table by its name; an empty one if there is none."""
        empty: dict[str, Any] = {}
        return next((getattr(module, name) for module in self._modules if hasattr(module, name)), empty)


def _made(name: str, tables: Tables, lost: Mapping[str, Sequence[str]], variants: Mapping[str, Any]) -> Iterator[str]:
    yield "## Settings and words"
    yield ""
    yield from _settings(tables)
    yield from _finish(tables)
    yield from _usage(tables)
    yield from _fills(tables)
    if tables.accents is not None:
        yield from _accents(tables.accents)
    yield "## What is lost coming here"
    yield ""
    yield "Every kind of loss that the recorded conversations of the other dialects have on the way here."
    yield ""
    yield from _losses(lost, name, coming=True)
    yield "## What is lost going elsewhere"
    yield ""
    yield "Every kind of loss that the recorded conversations of this dialect have on the way to the others."
    yield ""
    yield from _losses(lost, name, coming=False)
    yield from _variants(variants)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a table followed by an empty line, or nothing if there are no rows."""
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    if lines:
        yield f"| {' | '.join(head)} |"
        yield "|" + " --- |" * len(head)
        yield from lines
        yield ""


def _code(value: object) -> str:
    return f"`{value}`" if value != "" else "an empty text"


def _settings(tables: Tables) -> Iterator[str]:
    rows = [(_code(name), _code(wire)) for wire, (name, _) in tables("SETTINGS").items()]
    rows += [(_code(name), _code(f"options.{wire}")) for wire, (name, _) in tables("OPTIONS").items()]
    yield from _table(("canonical setting", "here"), sorted(rows))


def _finish(tables: Tables) -> Iterator[str]:
    reasons = tables("FINISH_REASONS") or tables("INCOMPLETE_REASONS")
    words = tables("FINISH_WORDS") or tables("INCOMPLETE_WORDS")
    yield from _table(
        ("word for the end of an answer", "canonical"), ((_code(a), _code(b)) for a, b in reasons.items())
    )
    rows: list[tuple[str, str]] = []
    for reason, said in words.items():
        pair = cast("tuple[str, bool]", said if type(said) is tuple else (said, True))
        rows.append((_code(reason), _code(pair[0]) + ("" if pair[1] else ", a `changed` loss")))
    yield from _table(("canonical reason", "written as"), rows)


def _usage(tables: Tables) -> Iterator[str]:
    usage = tables("USAGE")
    rows = [(_code(wire), _code(name)) for wire, name in usage.items() if isinstance(name, str)]
    details = tables("USAGE_DETAILS")
    for outer, inner in cast("dict[str, str | Mapping[str, str]]", dict(details)).items():
        if isinstance(inner, str):
            rows.append((_code(outer), _code(inner)))
        else:
            rows += [(_code(f"{outer}.{wire}"), _code(name)) for wire, name in inner.items()]
    yield from _table(("count", "canonical, in `usage`"), rows)


def _fills(tables: Tables) -> Iterator[str]:
    rows = [(_code(name), _code(json.dumps(value))) for name, value in tables("FILLS").items()]
    yield from _table(("demanded here", "filled with, where nobody says it"), rows)


def _accents(accents: ModuleType) -> Iterator[str]:
    yield "Vendors speak this dialect with accents. All are read, and what was read goes back as it came."
    yield ""
    shapes = {
        "text": "a member of the message, with text",
        "details": "a member of the message, a list of details",
        "part": "a part that leads the content",
        "parts": "a part that leads the content, with a list of texts",
    }
    places = [
        (
            _code(accent.name) if accent.shape in {"text", "details"} else "`thinking`",
            shapes[accent.shape],
            ", ".join(accent.vendors),
        )
        for accent in accents.REASONING.values()
    ]
    yield from _table(("reasoning", "where it stands", "who speaks so"), places)
    rows = [(_code(word), _code(reason)) for word, reason in accents.FINISH_REASONS.items()]
    yield from _table(("other word for the end of an answer", "canonical"), rows)


def _losses(lost: Mapping[str, Sequence[str]], name: str, *, coming: bool) -> Iterator[str]:
    for kind in _KINDS:
        found: dict[tuple[str, str, str], list[str]] = {}
        others: list[str] = []
        for key, losses in lost.items():
            pair, _, of = key.rpartition(", ")
            source, _, target = pair.partition(" -> ")
            if of != kind or name != (target if coming else source):
                continue
            other = source if coming else target
            others.append(other)
            for loss in losses:
                severity, code, path = loss.split(" ", 2)
                found.setdefault((severity, path, code), []).append(other)
        for severity, meaning in _SEVERITIES.items():
            rows = [
                (_code(path), code, _dialects(from_, others))
                for (which, path, code), from_ in sorted(found.items())
                if which == severity
            ]
            if rows:
                yield f"**In a {kind}, {severity}.** {meaning}"
                yield ""
                yield from _table(("place", "code", "from" if coming else "to"), rows)


def _dialects(some: Sequence[str], all_: Sequence[str]) -> str:
    return "all" if len(some) == len(all_) else ", ".join(some)


def _variants(variants: Mapping[str, Any]) -> Iterator[str]:
    yield "## Variants"
    yield ""
    yield (
        "What becomes of every variant that the official SDK or the server declares: it has a canonical place, is "
        "carried verbatim as an opaque part, tool or message, or stands in `extra`."
    )
    yield ""
    counts: dict[str, Counter[str]] = {}
    for label, variant in variants.items():
        counts.setdefault(label.partition("/")[0], Counter())[variant["as"]] += 1
    fates = ("mapped", "opaque", "extra", "unknown")
    yield from _table(
        ("variants", *fates), ((category, *(str(count[fate]) for fate in fates)) for category, count in counts.items())
    )
    for fate in ("opaque", "extra"):
        named = [_code(label) for label, variant in variants.items() if variant["as"] == fate]
        if named:
            yield f"{'Opaque' if fate == 'opaque' else 'In `extra` alone'}: {', '.join(named)}."
            yield ""
