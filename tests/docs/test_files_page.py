"""docs/files.md says what the table of codes says."""

from __future__ import annotations

from pathlib import Path

from interlingua.resolve import FILE_CODES

PAGE = Path(__file__).parents[2] / "docs" / "files.md"


def test_the_page_lists_every_code_with_its_meaning() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = {
        f"| `{code}` | {refusal.reason} | {'yes' if refusal.retryable else 'no'} |"
        for code, refusal in FILE_CODES.items()
    }
    assert {row for row in rows if row not in page} == set()
    assert page.count("\n| `") == len(rows)
