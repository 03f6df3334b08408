"""Generates docs/requirements.md: which tests prove which numbered requirement, from the marks collected by pytest.

`tests/requirements.tsv` lists the requirements; `tests/requirement_reasons.json` says for a few why no test can prove
them (only where a decision of the design says so). By default the page is checked; a requirement with neither a test
nor a reason is an error; so is a mark of an unknown requirement, and a requirement without an edit of `nox -s mutants`.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import difflib
import io
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import pytest

from mutation.edits import read_edits

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "requirements.md"
LIST: Final = ROOT / "tests" / "requirements.tsv"
REASONS: Final = ROOT / "tests" / "requirement_reasons.json"
HEAD: Final = """# Requirements

<!-- Made by `nox -s requirements -- --write` from the marks of the tests. Do not edit. -->

Which tests prove which numbered requirement. A test says so itself: `@pytest.mark.requirement("TYPE-2.1.1")`.

"""


class Collector:
    """A pytest plugin that collects the requirement marks of all tests."""

    def __init__(self) -> None:
        """Create an empty collector."""
        self.tests: defaultdict[str, set[str]] = defaultdict(set)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Collect the marks before any test is deselected; the cases of one test count once."""
        for item in items:
            name = item.nodeid.partition("[")[0]
            for mark in item.iter_markers("requirement"):
                for identifier in mark.args:
                    self.tests[str(identifier)].add(name)


def collect() -> dict[str, list[str]]:
    """Return the tests of each requirement, in order.

    Raises:
        SystemExit: the tests cannot be collected.
    """
    collector = Collector()
    with contextlib.redirect_stdout(io.StringIO()) as told:
        code = pytest.main(
            ["--collect-only", "-qq", "--no-header", "-p", "no:cacheprovider", str(ROOT / "tests")], [collector]
        )
    if code != pytest.ExitCode.OK:
        sys.exit(f"{told.getvalue()}\npytest could not collect the tests (exit code {int(code)})")
    return {name: sorted(found) for name, found in collector.tests.items()}


def listed(path: Path = LIST) -> dict[str, str]:
    """Return the requirements in the order of their documents: the text of each, by its id."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["id"]: row["requirement"] for row in rows}


def reasoned(path: Path = REASONS) -> dict[str, str]:
    """Return the reasons for requirements without a test, by their ids."""
    reasons: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return reasons


def faults(known: Iterable[str], tests: Mapping[str, Iterable[str]], reasons: Mapping[str, str]) -> list[str]:
    """Return the errors, one per line; none if every requirement has either tests or a reason."""
    known = list(known)
    return [
        *(f"{name}: a test names it, and it is no requirement" for name in sorted(set(tests) - set(known))),
        *(f"{name}: a reason names it, and it is no requirement" for name in sorted(set(reasons) - set(known))),
        *(f"{name}: it has tests and needs no reason" for name in known if name in tests and name in reasons),
        *(f"{name}: no test and no reason" for name in known if name not in tests and name not in reasons),
    ]


def render(known: Mapping[str, str], tests: Mapping[str, Iterable[str]], reasons: Mapping[str, str]) -> str:
    """Return the page."""
    rows = [
        f"| {name} | {_cell(demand)} | {_proof(tests.get(name, ()), reasons.get(name))} |"
        for name, demand in known.items()
    ]
    proved = sum(1 for name in known if name in tests)
    count = f"{proved} of {len(known)} requirements are proved by tests."
    return (
        HEAD + "\n".join([count, "", "| requirement | what it demands | tests |", "| --- | --- | --- |", *rows]) + "\n"
    )


def _proof(tests: Iterable[str], reason: str | None) -> str:
    """Return the last cell of a row."""
    return "<br>".join(f"`{test}`" for test in tests) or (f"*{_cell(reason)}*" if reason else "**open**")


def _cell(text: str) -> str:
    """Return text for a table cell."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("{", "&#123;")


def main(arguments: list[str]) -> int:
    """Write or check the page; return the exit code."""
    parser = argparse.ArgumentParser(description="Which tests prove which numbered requirement.")
    parser.add_argument("--write", action="store_true", help="write the page; the default is to check it")
    options = parser.parse_args(arguments)
    known, tests, reasons = listed(), collect(), reasoned()
    found = faults(known, tests, reasons)
    found += [f"{name}: no edit of tests/mutants breaks it" for name in sorted(tests.keys() - read_edits().keys())]
    print(*found, f"{sum(1 for name in known if name in tests)} of {len(known)} requirements are proved", sep="\n")
    text = render(known, tests, reasons)
    if options.write:
        PAGE.write_text(text, encoding="utf-8", newline="\n")
    present = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    name = PAGE.relative_to(ROOT).as_posix()
    print(
        *difflib.unified_diff(present.splitlines(), text.splitlines(), name, f"{name} (made anew)", lineterm=""),
        sep="\n",
    )
    return 0 if present == text and not found else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
