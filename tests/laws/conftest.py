"""What the laws need beside the corpus: the inventory of the wire formats."""

from __future__ import annotations

import pytest

from support import corpus, inventory

NOTICE = "No inventory: the laws that read reference/wire/INVENTORY.json are left out."


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need the inventory where the corpus is there without it, and say so."""
    if corpus.root() is None or inventory.place() is not None:
        return
    left_out = [item for item in items if getattr(getattr(item, "module", None), "READS_INVENTORY", False)]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)
        config.get_terminal_writer().line(NOTICE)
