"""The site has a place for every page and an entry for every public name, and can read the docstrings."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

import docs_api
import docs_site
import interlingua as il
import interlingua_types.current as schema

DOCS: Final = Path(__file__).parents[2] / "docs"
ENTRY: Final = re.compile(r"^\.\. (?:autoclass|autofunction|py:data):: (\S+)$", re.MULTILINE)


def placed() -> list[str]:
    """Return every page that the table of contents names, once for each place."""
    return [page for parts in docs_site.NAV.values() for pages in parts.values() for page in pages]


def entries() -> Counter[str]:
    """Return how often each name has an entry."""
    return Counter(name for text in docs_api.pages().values() for name in ENTRY.findall(text))


def test_every_page_is_in_exactly_one_section() -> None:
    written = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    made = {f"{docs_api.FOLDER}/{name.removesuffix('.rst')}" for name in docs_api.pages()}
    assert Counter(placed()) == Counter((written | made) - {"index"})


def test_a_section_has_the_pages_of_its_table_of_contents() -> None:
    text = docs_site.contents("start/index")
    assert "```{toctree}\n:hidden:\n:caption: First steps\n\n/start/install\n" in text
    assert docs_site.contents("start/install") == ""


def test_every_public_name_has_one_entry() -> None:
    found = entries()
    assert [name for name, count in found.items() if count > 1] == []
    silent: list[str] = []
    for name in {*il.__all__, *schema.__all__}:
        value = getattr(il, name)
        if inspect.ismodule(value) and not callable(value):
            inner = {f"interlingua.{name}.{one}": getattr(value, one) for one in value.__all__}
            facade = [getattr(il, one) for one in il.__all__]
            silent += [path for path, one in inner.items() if path not in found and one not in facade]
        elif f"interlingua.{name}" not in found:
            silent.append(name)
    assert silent == []


@pytest.mark.parametrize(
    ("docstring", "mended"),
    [
        (["Return a `Loss`, not `None`."], ["Return a :py:obj:`Loss <interlingua.Loss>`, not ``None``."]),
        (["As `il.detect()` does."], ["As :py:obj:`il.detect() <interlingua.detect>` does."]),
        (["What *ends* in a_ or b|c."], [r"What \*ends\* in a\_ or b\|c."]),
        (["It says (docs/errors.md) more."], ["It says (:doc:`/errors`) more."]),
        (
            ["Two members:", "`a`: the first,", "    which goes on.", "`b`: the second."],
            ["Two members:", "", "- ``a``: the first,", "  which goes on.", "- ``b``: the second."],
        ),
        (["```python", "a = `b`", "```"], ["", ".. code-block:: python", "", "   a = `b`", ""]),
        ([">>> f(*a)", "3"], [">>> f(*a)", "3"]),
    ],
)
def test_a_docstring_is_converted_for_sphinx(docstring: list[str], mended: list[str]) -> None:
    lines = list(docstring)
    docs_api.mend_docstring(None, "function", "name", None, None, lines)
    assert lines == mended
