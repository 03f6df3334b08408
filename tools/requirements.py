"""Write docs/requirements.md: which tests prove which numbered requirement, from the marks that pytest collects.

`--check` fails where the page is out of date. Where the list of requirements lies beside the checkout, a mark that
names no requirement is an error, and the requirements that no test names are counted (`--uncovered` lists them).
"""

from __future__ import annotations

import argparse
import csv
import difflib
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "requirements.md"
LIST: Final = ROOT.parent / "shared" / "spec" / "requirements.tsv"
HEAD: Final = """# Requirements

<!-- Made by `nox -s docs -- --write` from the marks of the tests. Do not edit. -->

Which tests prove which numbered requirement. A test says so itself: `@pytest.mark.requirement("TYPE-2.1.1")`.

"""


class Collector:
    """A pytest plugin that notes the requirement marks of every collected test."""

    def __init__(self) -> None:
        """Begin with nothing noted."""
        self.tests: defaultdict[str, set[str]] = defaultdict(set)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note the marks before any test is left out; the cases of one test count once."""
        for item in items:
            name = item.nodeid.partition("[")[0]
            for mark in item.iter_markers("requirement"):
                for identifier in mark.args:
                    self.tests[str(identifier)].add(name)


def collect() -> dict[str, list[str]]:
    """Return the tests of each requirement, both in order.

    Raises:
        SystemExit: the tests cannot be collected.
    """
    collector = Collector()
    code = pytest.main(
        ["--collect-only", "-qq", "--no-header", "-p", "no:cacheprovider", str(ROOT / "tests")], [collector]
    )
    if code != pytest.ExitCode.OK:
        sys.exit(f"pytest could not collect the tests (exit code {int(code)})")
    return {name: sorted(collector.tests[name]) for name in sorted(collector.tests, key=in_order)}


def in_order(identifier: str) -> list[tuple[int, str]]:
    """Return the sort key of an identifier: its numbers count as numbers, so that 10 comes after 9."""
    pieces = re.split(r"(\d+)", identifier)
    return [(int(piece), "") if piece.isdigit() else (-1, piece) for piece in pieces]


def render(tests: Mapping[str, Iterable[str]]) -> str:
    """Return the page."""
    rows = [f"| {name} | {'<br>'.join(f'`{test}`' for test in found)} |" for name, found in tests.items()]
    return (
        HEAD
        + "\n".join([f"{len(rows)} requirements are proved.", "", "| requirement | tests |", "| --- | --- |", *rows])
        + "\n"
    )


def listed() -> list[str]:
    """Return the identifiers of the list of requirements; none where there is no list."""
    if not LIST.is_file():
        return []
    with LIST.open(encoding="utf-8", newline="") as file:
        return [row["id"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def main(arguments: list[str]) -> int:
    """Write or check the page; return the exit code."""
    parser = argparse.ArgumentParser(description="Which tests prove which numbered requirement.")
    parser.add_argument("--write", action="store_true", help="write the page; the default is to check it")
    parser.add_argument("--uncovered", action="store_true", help="list the requirements that no test names")
    options = parser.parse_args(arguments)
    tests = collect()
    if known := listed():
        if strangers := sorted(set(tests) - set(known)):
            print("marks that name no requirement:", *strangers, sep="\n  ")
            return 1
        missing = [name for name in known if name not in tests]
        print(f"{len(known) - len(missing)} of {len(known)} listed requirements are proved")
        if options.uncovered:
            print(*missing, sep="\n")
    text = render(tests)
    if options.write:
        PAGE.write_text(text, encoding="utf-8", newline="\n")
    present = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    name = PAGE.relative_to(ROOT).as_posix()
    print(
        *difflib.unified_diff(present.splitlines(), text.splitlines(), name, f"{name} (made anew)", lineterm=""),
        sep="\n",
    )
    return 0 if present == text else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
