"""The generated pages are up to date, and the check that says so can be turned red."""

from __future__ import annotations

import itertools
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import docs_pictures
import pages

ROOT = Path(__file__).parents[2]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of what the pages are made from and of the pages."""
    for bundle in (ROOT / "generated" / "interlingua_types").glob("v*/schema.json"):
        target = tmp_path / bundle.relative_to(ROOT)
        target.parent.mkdir(parents=True)
        shutil.copyfile(bundle, target)
    for path, text in pages.pages(tmp_path).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_every_page_is_up_to_date() -> None:
    assert pages.out_of_date(pages.pages()) == []


def test_a_modified_page_is_reported_with_a_diff(copy: Path) -> None:
    page = copy / "docs" / "schema" / "v3.md"
    page.write_text(page.read_text(encoding="utf-8").replace("Interlingua 3", "Interlingua III"), encoding="utf-8")
    (diff,) = pages.out_of_date(pages.pages(copy), copy)
    assert "-# Interlingua III" in diff.splitlines()
    assert "+# Interlingua 3" in diff.splitlines()


def test_an_orphaned_page_is_reported(copy: Path) -> None:
    (copy / "docs" / "schema" / "v9.md").write_text("# Nine\n", encoding="utf-8")
    assert pages.out_of_date(pages.pages(copy), copy) == ["docs/schema/v9.md: nothing makes this page"]


def test_a_missing_page_is_reported(copy: Path) -> None:
    (copy / "docs" / "migrations.md").unlink()
    assert len(pages.out_of_date(pages.pages(copy), copy)) == 1


def test_every_class_has_a_heading_and_every_link_a_target() -> None:
    for path, text in pages.pages().items():
        headings = {line.removeprefix("### ").lower() for line in text.splitlines() if line.startswith("### ")}
        links = {part.partition(")")[0] for part in text.split("](#")[1:]}
        assert links <= headings, path


def test_the_introduction_of_a_dialect_page_is_kept_and_the_rest_generated(copy: Path) -> None:
    for name in ("expected_losses.json", "inventory.json"):
        (copy / "tests" / "laws").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "tests" / "laws" / name, copy / "tests" / "laws" / name)
    room = copy / "codecs" / "interlingua" / "rooms" / "ollama"
    room.mkdir(parents=True)
    (room / "__init__.py").touch()
    page = copy / "docs" / "dialects" / "ollama.md"
    assert pages.pages(copy)[page].startswith("# ollama\n\n<!-- Everything below is generated")
    page.parent.mkdir(parents=True)
    page.write_text("# Ollama\n\nBy hand.\n", encoding="utf-8")
    made = pages.pages(copy)[page]
    assert made.startswith("# Ollama\n\nBy hand.\n\n<!-- Everything below is generated")
    assert "| `max_tokens` | `options.num_predict` |" in made
    assert "| `/tool_choice` | setting |" in made
    page.write_text(made, encoding="utf-8")
    assert pages.pages(copy)[page] == made


def test_the_loss_matrix_has_the_figures_of_the_table_for_every_pair_of_the_six() -> None:
    tables = (ROOT / "docs" / "losses.md").read_text(encoding="utf-8").split("\n## ")[1:]
    for table, kind in zip(tables, ("requests", "answers"), strict=True):
        found = docs_pictures.figures(table)
        assert set(found) == set(itertools.permutations(docs_pictures.DIALECTS, 2))
        assert {len(figures) for figures in found.values()} == {len(docs_pictures.CONCERNS)}
        drawn = ET.parse(ROOT / "docs" / "_static" / f"losses_{kind}.svg")  # noqa: S314  # a file of our own
        squares = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text") if one.get("text-anchor")]
        assert squares == [figure for pair in sorted(found, key=place) for figure in found[pair]]


def place(pair: tuple[str, str]) -> tuple[int, int]:
    """Return the row and the column of a pair in the matrix."""
    source, target = pair
    return docs_pictures.DIALECTS.index(source), docs_pictures.DIALECTS.index(target)


def test_every_figure_has_a_title_a_description_and_a_text_alternative() -> None:
    texts = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    for path, drawn in docs_pictures.pages(ROOT).items():
        assert "<title>" in drawn
        assert "<desc>" in drawn
        assert any(re.search(rf"!\[[^]]{{40,}}\]\([./]*_static/{path.name}\)", text) for text in texts), path.name
