"""The attack on damaged store files finds nothing, and would find something."""

from __future__ import annotations

import logging
import sqlite3

import pytest

from attacks import damage
from interlingua.sessions.checked_rows import StoreConnection
from interlingua.sessions.store import SessionStore


def test_per_5_each_function_on_a_damaged_store_gives_a_result_or_a_documented_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.CRITICAL):
        assert damage.attack(1, 240) == []


def test_the_attack_detects_sqlite3_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StoreConnection, "execute", sqlite3.Connection.execute)
    assert any("UnicodeDecodeError is not documented" in line for line in damage.attack(1, 60))


def test_the_attack_detects_a_function_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"

    def count(store: SessionStore) -> object:
        with store._file.reading() as connection:  # noqa: SLF001  # a door that nobody made
            return connection.execute(endless).fetchall()

    monkeypatch.setattr(SessionStore, "info", lambda store, _session: count(store))
    assert any("info: it takes more than" in line for line in damage.attack(1, 3))


def test_the_attack_detects_an_error_with_file_content(monkeypatch: pytest.MonkeyPatch) -> None:
    def show(_store: SessionStore) -> object:
        raise ValueError(damage.WORD)

    monkeypatch.setattr(SessionStore, "check", show)
    found = damage.attack(3, 6)
    assert any("check: ValueError is not documented" in line for line in found)
    assert any("check: ValueError shows content" in line for line in found)
    assert not any(damage.WORD in line for line in found)
