"""Generates docs/losses.md: the number of losses of everyday bodies, for each ordered pair of dialects and by concern.

Run `python tools/docs_losses.py`, with the corpus beside the checkout or in INTERLINGUA_CORPUS. The figures are medians
over recorded bodies, so run it by hand after changing what is reported; `nox -s generate` does not. The charts are
drawn by `nox -s generate` (tools/docs_pictures.py).
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from interlingua.concerns import CONCERNS  # noqa: E402
from support import corpus  # noqa: E402  # the folder of the tests has just been added
from support.rooms import ROWS, decode, encode  # noqa: E402

if TYPE_CHECKING:
    from support.rooms import Kind

_SIZE: Final = 200
_HEAD: Final = """# How much is lost

The losses of a translation are in `losses`, and `report()` groups them. This page shows how many there are for everyday
bodies: the median number of losses over recorded bodies, by concern:

**content** / **contract** / **tuning** / **state** / **bookkeeping**

- **Content** is what was said: texts, calls, results, media, reasoning, refusals, citations.
- **Contract** is what the caller demanded: tools, choices, formats, stop sequences, limits, storage.
- **Tuning** is how the model samples and reasons.
- **State** is what only its provider understands: signatures, ids, cache marks.
- **Bookkeeping** is the rest: ids of responses, times, fingerprints, tiers.

`strict=True` raises for what is lost of the first three. Values that are only written in another form, and members that
the target requires, are counted too. Rows are sources, columns are targets. `tools/docs_losses.py` measures up to
{size} recorded bodies of each dialect; `tests/laws/test_few_losses.py` fails if the figures of the first six exceed 3
losses besides bookkeeping, or 4 of bookkeeping.
"""
# Drawn by tools/docs_pictures.py from the table below it.
_PICTURE: Final = (
    "[![Matrix of the first six dialects: for each pair five squares, one a concern, green where the median of the "
    "{kind} loses nothing; the table below has the figures](_static/losses_{kind}.svg)](_static/losses_{kind}.svg)"
)


def medians(source: str, target: str, kind: Kind) -> str:
    """Return the median number of losses of each concern, as a table cell."""
    counts: list[list[int]] = []
    for line in corpus.few(ROWS[source].folder, kind, _SIZE):
        if line["id"] not in ROWS[source].unreadable:
            losses = encode(target, kind, decode(source, kind, line["body"]))[1]
            counts.append([sum(one.concern == concern for one in losses) for concern in CONCERNS])
    return " / ".join(f"{statistics.median(column):g}" for column in zip(*counts, strict=True))


def table(kind: Kind) -> str:
    """Return the table of all pairs."""
    lines = [f"| from | {' | '.join(f'`{target}`' for target in ROWS)} |", "| --- " * (len(ROWS) + 1) + "|"]
    for source in ROWS:
        cells = ["-" if source == target else medians(source, target, kind) for target in ROWS]
        lines.append(f"| `{source}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Write the page."""
    parts = [_HEAD.format(size=_SIZE)]
    for title, kind in (("Requests", "request"), ("Answers", "response")):
        parts += [f"## {title}", "", _PICTURE.format(kind=title.lower()), "", table(cast("Kind", kind)), ""]
    (ROOT / "docs" / "losses.md").write_text("\n".join(parts), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
