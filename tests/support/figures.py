"""Statistics of a run of the laws: how many bodies of each corpus folder came back unchanged.

A test records its statistics with `record_property`, which works across the processes of pytest-xdist; the summary
prints them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pytest

FIGURES = "figures"


def lines(stats: Mapping[str, Iterable[Any]]) -> Iterator[str]:
    """Yield a table of the statistics that the tests of a run recorded, and nothing if there are none."""
    rows = sorted(_rows([report for outcome in ("passed", "failed") for report in stats.get(outcome, ())]))
    if not rows:
        return
    yield f"{'dialect':18}{'folder':26}{'kind':10}{'identical':>10}{'of':>6}"
    for dialect, folder, kind, read, total in rows:
        share = "" if read == total else f"  {read / total:.1%}"
        yield f"{dialect:18}{folder:26}{kind:10}{read:>10}{total:>6}{share}"
    yield f"{'all':54}{sum(row[3] for row in rows):>10}{sum(row[4] for row in rows):>6}"


def _rows(reports: Sequence[pytest.TestReport]) -> Iterator[tuple[str, str, str, int, int]]:
    for report in reports:
        for name, value in getattr(report, "user_properties", ()):
            if name == FIGURES and isinstance(value, list) and value[4]:
                dialect, folder, kind, read, total = value
                yield str(dialect), str(folder), str(kind), int(read), int(total)
