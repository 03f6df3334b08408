"""The attack that kills writers finds nothing, and would find something."""

from __future__ import annotations

from typing import Any

import pytest

from attacks import kills
from interlingua.sessions import SessionStore
from support.sessions import sql

# Python warns of a fork beside threads, from 3.12 on.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


def test_per_6_two_killed_writers_of_one_store_lose_nothing_acknowledged() -> None:
    assert kills.attack(1, 13) == []


def test_the_attack_detects_an_acknowledged_write_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SessionStore, "append", lambda *_arguments, **_options: None)
    found = kills.attack(1, 6)
    assert any("writes were acknowledged, and 0 are there" in line for line in found)
    assert all("append" in line for line in found)


def test_the_attack_detects_a_partial_write(monkeypatch: pytest.MonkeyPatch) -> None:
    save = SessionStore.save

    def save_half(store: SessionStore, transcript: Any) -> object:
        changes = transcript.changes
        if changes[-1].message is not None and changes[-1].message.id.endswith("b"):
            transcript._tree.drop(changes[-1].branch, 1)  # noqa: SLF001  # a store that loses the second message
            del transcript._changes[-1]  # noqa: SLF001
        return save(store, transcript)

    monkeypatch.setattr(SessionStore, "save", save_half)
    assert any("whole and in order" in line for line in kills.attack(1, 6))


def test_the_attack_detects_a_store_damaged_by_its_writers(monkeypatch: pytest.MonkeyPatch) -> None:
    append = SessionStore.append

    def append_and_lose(store: SessionStore, *arguments: Any, **options: Any) -> object:
        appended = append(store, *arguments, **options)
        sql(store.path, "DELETE FROM places WHERE position = 0")
        return appended

    monkeypatch.setattr(SessionStore, "append", append_and_lose)
    assert any("check finds" in line for line in kills.attack(1, 6))


def test_the_attack_detects_a_writer_that_exits_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError("content")

    monkeypatch.setattr(SessionStore, "append", fail)
    found = kills.attack(1, 6)
    assert any("it ended by itself, with code 1 ZeroDivisionError" in line for line in found)
    assert not any("content" in line for line in found)
