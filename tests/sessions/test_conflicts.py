"""Two writers of one session: the second one is told, and nothing of its changes is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from interlingua import Transcript
from interlingua.sessions import SessionStore
from support.sessions import contents, sql, text

Change = Callable[[Transcript], object]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with SessionStore(tmp_path / "sessions.db") as opened:
        yield opened


@pytest.fixture
def session(store: SessionStore) -> str:
    """Return a session of two branches that share a message."""
    transcript = Transcript([text("one", id="m1"), text("two", id="m2")], id="s")
    transcript.fork("other", after="m1")
    store.save(transcript)
    return transcript.id


def append(transcript: Transcript) -> object:
    return transcript.append(text("more"))


def replace_first(transcript: Transcript) -> object:
    return transcript.replace("m1", text(f"new {id(transcript)}"))


def fork(transcript: Transcript) -> None:
    transcript.fork("fresh")


def switch(transcript: Transcript) -> object:
    return transcript.switch("other")


def content(store: SessionStore) -> list[tuple[Any, ...]]:
    tables = ("sessions", "branches", "messages", "places")
    return [row for table in tables for row in sql(store.path, f"SELECT * FROM {table} ORDER BY 1, 2")]  # noqa: S608


@pytest.mark.parametrize(
    ("first", "second"),
    [(append, append), (switch, switch), (replace_first, replace_first), (fork, fork)],
    ids=["appends", "switches", "replacements", "forks"],
)
def test_per_6_the_second_of_two_writers_gets_an_error_and_writes_nothing(
    store: SessionStore, session: str, first: Change, second: Change
) -> None:
    one, two = (store.load(session).transcript for _ in range(2))
    first(one)
    # What conflicts is the last change: those before it must go as well.
    two.replace("m2", text("mine"))
    second(two)
    store.save(one)
    before = content(store)
    with pytest.raises(il.SessionConflictError) as caught:
        store.save(two)
    assert content(store) == before
    assert caught.value.session_id == session
    assert two.is_dirty


def test_per_6_after_a_conflict_the_session_can_be_loaded_and_saved_again(store: SessionStore, session: str) -> None:
    one, two = (store.load(session).transcript for _ in range(2))
    append(one)
    append(two)
    store.save(one)
    with pytest.raises(il.SessionConflictError):
        store.save(two)
    three = store.load(session).transcript
    append(three)
    store.save(three)
    assert contents(store.load(session).transcript) == ["one", "two", "more", "more"]


@pytest.mark.parametrize("first", [append, replace_first, fork], ids=["append", "replacement", "fork"])
def test_writers_of_different_parts_do_not_conflict(store: SessionStore, session: str, first: Change) -> None:
    one = store.load(session).transcript
    two = store.load(session, branch="other").transcript
    first(one)
    two.append(text("elsewhere"))
    two.replace("m2", text("changed"))
    store.save(one)
    store.save(two)
    loaded = store.load(session).transcript
    assert contents(loaded.messages_of("other"))[-1] == "elsewhere"
    assert contents(loaded)[1] == "changed"


def test_an_append_through_the_store_conflicts_like_another_writer(store: SessionStore, session: str) -> None:
    transcript = store.load(session).transcript
    transcript.append(text("mine"))
    store.append(session, text("theirs"))
    with pytest.raises(il.SessionConflictError):
        store.save(transcript)
    assert contents(store.load(session).transcript) == ["one", "two", "theirs"]


def test_a_message_replaced_by_another_writer_is_not_overwritten(store: SessionStore, session: str) -> None:
    one = store.load(session).transcript
    one.replace("m1", text("first"))
    store.save(one)
    one.replace("m1", text("first again"))
    store.save(one)
    two = store.load(session).transcript
    two.replace("m1", text("second"))
    store.save(two)
    one.replace("m1", text("third"))
    with pytest.raises(il.SessionConflictError):
        store.save(one)
    assert contents(store.load(session).transcript) == ["second", "two"]


def test_a_new_transcript_does_not_overwrite_a_session_with_its_id(store: SessionStore, session: str) -> None:
    for stranger in (Transcript([text("x")], id=session), Transcript([text("x")], id=session, branch="strange")):
        with pytest.raises(il.SessionConflictError):
            store.save(stranger)
    assert contents(store.load(session).transcript) == ["one", "two"]


def test_a_transcript_created_for_an_empty_session_is_saved_into_it(store: SessionStore) -> None:
    session = store.create()
    store.save(Transcript([text("one")], id=session))
    assert contents(store.load(session).transcript) == ["one"]


def test_a_conflict_does_not_affect_the_other_transcript(store: SessionStore, session: str) -> None:
    one, two = (store.load(session).transcript for _ in range(2))
    for number in range(3):
        append(one)
        store.save(one)
        two.append(text(f"lost {number}"))
        with pytest.raises(il.SessionConflictError):
            store.save(two)
    assert contents(store.load(session).transcript) == ["one", "two", "more", "more", "more"]
