"""The page about judging says what the rules say of themselves."""

import docs_judging
import interlingua as il
from interlingua.violation import VIOLATION_CODES


def test_the_page_is_up_to_date() -> None:
    assert docs_judging.PAGE.read_text(encoding="utf-8") == docs_judging.page()


def test_the_page_has_every_code_and_every_dialect() -> None:
    page = docs_judging.page()
    assert {code for code in VIOLATION_CODES if f"| `{code}` |" not in page} == set()
    assert {dialect for dialect in il.dialects() if f"## {dialect}" not in page} == set()
