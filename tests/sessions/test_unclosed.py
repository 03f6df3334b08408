"""A store that nobody closed: its connections are closed when it goes, and nobody is warned of them."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any

import interlingua as il

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_store_that_nobody_closed_leaves_no_open_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ignored: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)  # Python 3.13 warns of a connection that is collected
    store = il.SessionStore(tmp_path / "store.db")
    store.create()
    circle: list[Any] = [store]
    circle.append(circle)  # so that the garbage collector finds the store and its connections at the same time
    del store, circle
    gc.collect()
    assert ignored == []
    with il.SessionStore(tmp_path / "store.db") as again:
        assert len(list(again.sessions())) == 1
