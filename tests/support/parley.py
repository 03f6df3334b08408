"""The dialect of the page about adding a dialect: exactly the code on that page."""

from __future__ import annotations

from typing import Any, Final

from support.pages import ROOT, snippets

PAGE: Final = (ROOT / "docs" / "adding-a-dialect.md").read_text(encoding="utf-8")
SOURCE: Final = next(one.code for one in snippets(PAGE) if one.language == "python")
ENTRY_POINTS: Final = next(one.code for one in snippets(PAGE) if one.language == "toml")


def parley() -> dict[str, Any]:
    """Return the names of a new module with the code of the page."""
    names: dict[str, Any] = {"__name__": "parley"}
    exec(compile(SOURCE, "parley.py", "exec"), names)  # noqa: S102  # the page is ours
    return names
