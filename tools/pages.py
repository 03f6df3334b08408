"""Writes the generated pages of docs/, from the schema and the tables; `--check` fails if one is out of date."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import docs_benchmark
import docs_details
import docs_dialects
import docs_families
import docs_migrations
import docs_pain
import docs_pictures
import docs_schema

ROOT: Final = Path(__file__).resolve().parents[1]


def pages(root: Path = ROOT) -> dict[Path, str]:
    """Return every generated page and its text."""
    found: dict[Path, str] = {}
    changes: dict[int, list[dict[str, Any]]] = {}
    for bundle in sorted((root / "generated" / "interlingua_types").glob("v*/schema.json")):
        key = bundle.parent.name
        found[root / "docs" / "schema" / f"{key}.md"] = docs_schema.render(_read(bundle), key)
        declared = root / "schema" / key / "changes.json"
        if declared.is_file():
            changes[int(key[1:])] = _read(declared)
    found[root / "docs" / "migrations.md"] = docs_migrations.render(changes)
    found |= docs_pictures.pages(root) | docs_benchmark.pages(root) | docs_details.pages(root)
    return found | docs_dialects.pages(root) | docs_families.pages(root) | docs_pain.pages(root)


def out_of_date(wanted: Mapping[Path, str], root: Path = ROOT) -> list[str]:
    """Return a diff for each page that is out of date, and a line for each page that is not generated any more."""
    found: list[str] = []
    for path, text in wanted.items():
        name = path.relative_to(root).as_posix()
        present = path.read_text(encoding="utf-8") if path.is_file() else ""
        if present != text:
            lines = difflib.unified_diff(
                present.splitlines(), text.splitlines(), name, f"{name} (made anew)", "", "", 3, ""
            )
            found.append("\n".join(lines))
    orphans = {page for folder in ("schema", "dialects") for page in (root / "docs" / folder).glob("*.md")} - set(
        wanted
    )
    return found + [f"{path.relative_to(root).as_posix()}: nothing makes this page" for path in sorted(orphans)]


def main(arguments: list[str]) -> int:
    """Write or check; return the exit code."""
    wanted = pages()
    if arguments == ["--check"]:
        problems = out_of_date(wanted)
        print(
            "\n".join([*problems, "Run `nox -s generate`."] if problems else [f"{len(wanted)} pages are up to date."])
        )
        return 1 if problems else 0
    if arguments:
        print(f"usage: {Path(__file__).name} [--check]", file=sys.stderr)
        return 2
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(wanted)} pages written.")
    return 0


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
