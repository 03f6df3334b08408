"""Generates docs/bad_input.md: how the command line reports each class of bad input. Each case is run."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.bad_input import CASES, Answer, answer_of, rows  # noqa: E402  # found through the line above

PAGE: Final = ROOT / "docs" / "bad_input.md"
_HEAD: Final = """# Bad input

How the [command line](cli.md) reports input that it cannot read, class by class. Each message is one line on standard
error: the file, the line where the document begins, what is wrong there, and what to do next. No message contains
content or is a traceback, and the other documents and files are still processed. A library call raises the same as an
error with fields ([errors](errors.md)).

A test runs each of these commands and compares this page with the output (`tests/cli/test_bad_input.py`).

| input | command | exit code | message |
| --- | --- | --- | --- |
"""


def page(answers: Mapping[str, Answer]) -> str:
    """Return the text of the page."""
    return _HEAD + "".join(f"{row}\n" for row in rows(answers))


def answers() -> dict[str, Answer]:
    """Run every case."""
    found: dict[str, Answer] = {}
    for name, case in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            found[name] = answer_of(case, Path(folder))
    return found


if __name__ == "__main__":
    PAGE.write_text(page(answers()), encoding="utf-8")
