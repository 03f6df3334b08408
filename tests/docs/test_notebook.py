"""The notebook of the documentation runs in a real kernel, shows content where asked to, and is stored without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import nbformat
import pytest
from nbclient import NotebookClient

ROOT: Final = Path(__file__).parents[2]
NOTEBOOK: Final = ROOT / "docs" / "examples" / "conversations.ipynb"
SECONDS: Final = 120


@pytest.fixture(scope="module")
def cells() -> list[Any]:
    """Return the cells with code, each with what it showed."""
    library: Any = nbformat  # it says little of its types
    notebook = library.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(ROOT)}}).execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell: Any, form: str) -> str:
    """Return what a cell showed in one form, "" where it showed nothing so."""
    return "".join(output.get("data", {}).get(form, "") for output in cell.outputs)


def test_every_notebook_cell_runs(cells: list[Any]) -> None:
    assert [output for cell in cells for output in cell.outputs if output.output_type in {"error", "stream"}] == []


def test_content_is_shown_only_on_request(cells: list[Any]) -> None:
    said = json.loads((ROOT / "docs" / "examples" / "weather_request.json").read_text(encoding="utf-8"))
    words = said["messages"][0]["content"]
    assert [at for at, cell in enumerate(cells) if words in shown(cell, "text/html")] == [1, 4]
    assert [at for at, cell in enumerate(cells) if words in shown(cell, "text/plain")] == []


def test_losses_are_compared(cells: list[Any]) -> None:
    assert "'openai_chat': 0" in shown(cells[2], "text/plain")
    assert "/seed" in shown(cells[3], "text/html")


def test_the_notebook_is_stored_without_outputs() -> None:
    stored = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert [cell for cell in stored["cells"] if cell.get("outputs") or cell.get("execution_count")] == []
