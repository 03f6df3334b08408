"""The pages of the project, the code in them, and that code as modules for type checkers and linters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "docs" / "examples"
FENCE: Final = re.compile(r"^```(?P<language>\S*)[^\n]*\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Snippet:
    """A code block of a page: its language, its code and the line where the code begins."""

    language: str
    code: str
    line: int


def snippets(text: str) -> list[Snippet]:
    """Return the fenced blocks of a page, in order."""
    return [
        Snippet(match["language"], match["code"], text.count("\n", 0, match.start("code")) + 1)
        for match in FENCE.finditer(text)
    ]


def pages() -> list[Path]:
    """Return the pages of the project."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def module_of(text: str) -> str:
    """Return the Python of a page as one module with the line numbers of the page; "" for none."""
    module = ""
    for snippet in snippets(text):
        if snippet.language == "python":
            module += "\n" * (snippet.line - 1 - module.count("\n")) + snippet.code
    return module


def write_modules(folder: Path) -> list[Path]:
    """Write the Python of each page into a folder, as a module named after the page, and return the modules."""
    written: list[Path] = []
    for page in pages():
        if module := module_of(page.read_text(encoding="utf-8")):
            name = "_".join(page.relative_to(ROOT).with_suffix("").parts).lower().replace("-", "_")
            written.append(folder / f"page_{name}.py")
            written[-1].write_text(module, encoding="utf-8")
    return written
