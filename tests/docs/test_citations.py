"""Comments and docstrings cite what a reader can open: files of the repository, and sections that they have."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[2]
ENTRIES: Final = (ROOT / "docs" / "pain.md").read_text(encoding="utf-8")
FOLDERS: Final = ("codecs", "schema", "tools", "tests")
# A path from the top of the repository, or a page in capitals, which stands there.
_PATH: Final = re.compile(
    r"\b(?:codecs|docs|generated|reference|schema|spec|tests|tools)/[\w./<>-]*\w\.\w+|\bspec/\d+|\b[A-Z_]+\.md\b"
)
# Notes that are not part of the repository, by their names.
_ELSEWHERE: Final = re.compile(r"\b(?:DESIGN|SHAPES|MAPPING|PAIN|STYLE) (?:sections?|areas?|[A-Z]+-[\d*])")
_SECTION: Final = re.compile(r"\b(docs/[\w/]+\.md),\s+sections?\s+(\d(?:\.\d)?(?:(?:,|\s+and|\s+to)\s+\d(?:\.\d)?)*)")
_PAIN: Final = re.compile(r"\bdocs/pain\.md,\s+((?:[A-Z]+-\d+(?:, | and | to )?)+)")


def remarks(source: str) -> Iterator[str]:
    """Yield the comments of a module, those that go on together, and its docstrings."""
    comments: list[str] = []
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if comments and token.start[0] != last + 1:
                yield " ".join(comments)
                comments = []
            comments.append(token.string.lstrip("# "))
            last = token.start[0]
    yield " ".join(comments)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


@cache
def is_there(path: str) -> bool:
    """Tell whether the repository has a file; `<dialect>` stands for any."""
    return any(ROOT.glob(re.sub(r"<\w+>", "*", path)))


@cache
def sections_of(page: str) -> frozenset[str]:
    """Return the numbers of the headings of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return frozenset(re.findall(r"^#+ (\d(?:\.\d)?)\.? ", text, re.MULTILINE))


def unknown_citations(text: str) -> list[str]:
    """Return what a text cites and the repository does not have."""
    found = [path for path in _PATH.findall(text) if not is_there(path)]
    found += _ELSEWHERE.findall(text)
    for page, numbers in _SECTION.findall(text):
        if is_there(page):
            found += [
                f"{page}, section {one}" for one in re.findall(r"\d(?:\.\d)?", numbers) if one not in sections_of(page)
            ]
    for names in _PAIN.findall(text):
        found += [f"docs/pain.md, {name}" for name in re.findall(r"[A-Z]+-\d+", names) if f"**{name}**" not in ENTRIES]
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_references_in_comments_and_docstrings_exist(folder: str) -> None:
    """No comment sends its reader to a file that is not there, or to a section that its page does not have."""
    found = [
        (path.relative_to(ROOT).as_posix(), citation)
        for path in sorted((ROOT / folder).rglob("*.py"))
        for text in remarks(path.read_text(encoding="utf-8"))
        for citation in unknown_citations(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "citations"),
    [
        ("Source: reference/wire/claude.md section 3.", ["reference/wire/claude.md"]),
        ("Source: spec/003.", ["spec/003"]),
        ("Source: PAIN.md ENC-1.", ["PAIN.md"]),
        ("See MAPPING.md and README.md.", ["MAPPING.md"]),
        ("As docs/wire/claude.md, sections 3 and 2.3 have it.", ["docs/wire/claude.md, section 2.3"]),
        ("As docs/wire/claude.md, section 1.7 has it.", ["docs/wire/claude.md, section 1.7"]),
        ("As docs/wire/claude.md, section 3; docs/pain.md, HIS-1 and HIS-999.", ["docs/pain.md, HIS-999"]),
        ("As docs/wire/<dialect>.md and docs/<page>.md say.", []),
        ("As docs/nothing.md says.", ["docs/nothing.md"]),
    ],
)
def test_a_missing_reference_is_detected(text: str, citations: list[str]) -> None:
    """The finder itself: it tells files, sections and entries that do not exist, and nothing else."""
    assert unknown_citations(text) == citations
