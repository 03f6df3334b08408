"""The pages about wire formats: one for each dialect, all in the same sections, so that comments can cite them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

import interlingua as il

WIRE: Final = Path(__file__).parents[2] / "docs" / "wire"
INDEX: Final = (WIRE / "index.md").read_text(encoding="utf-8")
SECTIONS: Final = [
    ("1. Requests", "1.1 Messages", "1.2 Content parts", "1.3 Tools and calls", "1.4 Tool choice", "1.5 Settings"),
    ("2. Answers",),
    ("3. Streams",),
    ("4. Schemas and strictness",),
    ("5. Errors",),
    ("6. Names, ids and limits",),
    ("7. Media",),
    ("8. Order and other rules",),
    ("9. Versions, servers and models",),
]


def headings(page: str) -> list[str]:
    """Return the numbered headings of a page, in their order."""
    return re.findall(r"^#{2,3} (\d.*)$", page, re.MULTILINE)


def test_every_dialect_has_a_page_listed_in_the_index() -> None:
    """A dialect without a page, or a page without a dialect, is noticed."""
    pages = sorted(page.stem for page in WIRE.glob("*.md") if page.stem != "index")
    assert pages == sorted(il.dialects())
    assert sorted(re.findall(r"^\| `(\w+)` \| \[", INDEX, re.MULTILINE)) == pages


@pytest.mark.parametrize("dialect", il.dialects())
def test_pages_have_the_same_sections(dialect: str) -> None:
    """Section 3 of one page is about what section 3 of all pages is about."""
    page = (WIRE / f"{dialect}.md").read_text(encoding="utf-8")
    assert headings(page) == [heading for section in SECTIONS for heading in section]


def test_the_index_lists_the_sections() -> None:
    """The table of sections says what the pages have."""
    named = re.findall(r"^\| (\d) ([^|]+) \|", INDEX, re.MULTILINE)
    assert [f"{number}. {title}" for number, title in named] == [section[0] for section in SECTIONS]
