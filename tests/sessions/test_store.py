"""The session store: creating, appending, saving, loading, branches, lists, deleting."""

from __future__ import annotations

import json
import stat
import threading
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import interlingua as il
from interlingua import Transcript
from interlingua.model import TextMessage, ToolRequestMessage
from interlingua.sessions import SessionStore
from interlingua_types import CURRENT
from support.bundles import documents
from support.sessions import contents, id_of, sql, text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions.db"


@pytest.fixture
def store(path: Path) -> Any:
    with SessionStore(path) as opened:
        yield opened


def request(status: str, **members: Any) -> ToolRequestMessage:
    call = {"id": "c1", "name": "pay", "arguments": {"amount": 5}}
    (message,) = il.load_message(
        {
            "schema_version": CURRENT,
            "type": "tool_request",
            "data": {"calls": [{"call": call, "approval": {"status": status}}]},
            **members,
        }
    )
    assert isinstance(message, ToolRequestMessage)
    return message


def test_appended_messages_are_loaded_by_another_store_object(path: Path) -> None:
    with SessionStore(path) as store:
        session = store.create(metadata={"title": "Rome"})
        first = store.append(session, text("hello"))
        second = store.append(session, [text("how"), text("are")])
    with SessionStore(path) as store:
        transcript = store.load(session).transcript
    assert (first.branch, first.position, second.position) == ("main", 0, 1)
    assert transcript.messages == first.messages + second.messages
    assert (transcript.id, transcript.branch, transcript.metadata) == (session, "main", {"title": "Rome"})
    assert not transcript.is_dirty


def test_ids_and_timestamps_come_from_the_given_functions(path: Path) -> None:
    numbers = count(1)
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    with SessionStore(path, new_id=lambda: f"id-{next(numbers)}", now=lambda: moment) as store:
        session = store.create()
        (message,) = store.append(session, text("hello")).messages
        assert isinstance(message, TextMessage)
        assert (session, message.id, message.created_at) == ("id-1", "id-2", "2026-01-02T00:00:00Z")
        info = store.info(session)
    assert (info.created_at, info.updated_at) == ("2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z")


def test_a_transcript_is_saved_with_its_branches_and_can_be_continued_after_loading(store: SessionStore) -> None:
    transcript = Transcript([text("one"), text("two")], metadata={"a": [1]})
    transcript.fork("other", after=id_of(transcript[0]))
    transcript.switch("other")
    transcript.append(text("three"))
    saved = store.save(transcript)
    assert (saved.session_id, saved.changes, transcript.is_dirty) == (transcript.id, 6, False)
    for _ in range(2):
        loaded = store.load(transcript.id).transcript
        assert loaded.branch == "other"
        assert loaded.branches == ("main", "other")
        assert loaded.messages == transcript.messages
        assert loaded.messages_of("main") == transcript.messages_of("main")
        assert loaded.metadata == {"a": [1]}
        transcript = loaded
        transcript.append(text("more"))
        transcript.switch("main" if transcript.branch == "other" else "other")
        transcript.switch("other")
        store.save(transcript)


def test_saving_without_changes_writes_nothing(store: SessionStore) -> None:
    transcript = Transcript([text("one")])
    store.save(transcript)
    before = store.info(transcript.id)
    assert store.save(transcript).changes == 0
    assert store.info(transcript.id) == before


def test_an_empty_transcript_can_be_saved(store: SessionStore) -> None:
    transcript = Transcript()
    store.save(transcript)
    transcript.append(text("one"))
    store.save(transcript)
    assert contents(store.load(transcript.id).transcript) == ["one"]


def test_a_transcript_of_one_store_is_written_completely_into_another(path: Path, tmp_path: Path) -> None:
    with SessionStore(path) as one, SessionStore(tmp_path / "other.db") as other:
        transcript = Transcript([text("one"), text("two")])
        transcript.fork("b", after=id_of(transcript[0]))
        transcript.switch("b")
        one.save(transcript)
        loaded = one.load(transcript.id).transcript
        loaded.append(text("three"))
        other.save(loaded)
        copy = other.load(transcript.id).transcript
        assert copy.messages == loaded.messages
        assert copy.messages_of("main") == loaded.messages_of("main")
        assert (copy.branch, copy.branches) == ("b", ("main", "b"))
        assert not loaded.is_dirty


def test_a_transcript_can_be_saved_through_any_store_object_of_the_file(path: Path) -> None:
    transcript = Transcript([request("pending", id="m1")])
    for status in ("approved", "denied", "pending"):
        with SessionStore(path) as store:
            store.save(transcript)
        transcript.replace("m1", request(status))
    with SessionStore(path) as store:
        store.save(transcript)
        assert store.load(transcript.id).transcript.messages == transcript.messages


@pytest.mark.requirement("TYPE-4.4.4")
def test_an_approval_replaces_its_message_on_every_branch(store: SessionStore) -> None:
    transcript = Transcript([text("pay"), request("pending", id="m1")])
    transcript.fork("other")
    store.save(transcript)
    loaded = store.load(transcript.id).transcript
    loaded.replace("m1", request("approved"))
    was_dirty = loaded.is_dirty
    store.save(loaded)
    assert (was_dirty, loaded.is_dirty) == (True, False)
    again = store.load(transcript.id, branch="other").transcript
    for branch in ("main", "other"):
        message = again.messages_of(branch)[1]
        assert isinstance(message, ToolRequestMessage)
        assert [one.approval.status for one in message.data.calls] == ["approved"]
    assert len(sql(store.path, "SELECT 1 FROM messages")) == 2


def test_the_requested_branch_is_active_without_unsaved_changes(store: SessionStore) -> None:
    transcript = Transcript([text("one")])
    transcript.fork("other")
    store.save(transcript)
    loaded = store.load(transcript.id, branch="other").transcript
    assert (loaded.branch, loaded.is_dirty) == ("other", False)
    loaded.append(text("two"))
    store.save(loaded)
    assert store.info(transcript.id).branches == {"main": 1, "other": 2}
    with pytest.raises(il.SessionNotFoundError):
        store.load(transcript.id, branch="none")


def test_branches_are_created_and_switched_without_loading_messages(store: SessionStore) -> None:
    session = store.create()
    store.append(session, [text("one", id="a"), text("two", id="b")])
    store.fork(session, "short", after="a")
    store.fork(session, "whole")
    store.switch(session, "short")
    store.append(session, text("three"))
    store.append(session, text("four"), branch="whole")
    assert store.branches(session) == ("main", "short", "whole")
    transcript = store.load(session).transcript
    assert contents(transcript) == ["one", "three"]
    assert contents(transcript.messages_of("whole")) == ["one", "two", "four"]
    with pytest.raises(il.SessionExistsError):
        store.fork(session, "short")
    with pytest.raises(il.SessionNotFoundError):
        store.fork(session, "new", after="z")
    with pytest.raises(il.SessionNotFoundError):
        store.switch(session, "none")


def test_sessions_are_listed_last_written_first_with_their_lengths(path: Path) -> None:
    moments = count(1)
    with SessionStore(path, now=lambda: datetime(2026, 1, next(moments), tzinfo=UTC)) as store:
        for name in "abc":
            store.create(name, metadata={"name": name})
        store.append("b", [text("one"), text("two")])
        found = store.sessions()
        assert [info.id for info in found] == ["b", "c", "a"]
        assert (found[0].branches, found[0].metadata) == ({"main": 2}, {"name": "b"})
        store.set_metadata("b", {"name": "new"})
        assert store.info("b").metadata == {"name": "new"}


def test_missing_sessions_and_duplicate_ids_are_errors(store: SessionStore) -> None:
    store.create("s")
    with pytest.raises(il.SessionExistsError):
        store.create("s")
    for action in (
        lambda: store.load("t"),
        lambda: store.append("t", text("one")),
        lambda: store.delete("t"),
        lambda: store.fork("t", "b"),
        lambda: store.info("t"),
        lambda: store.load_tail("t", 5),
        lambda: list(store.iterate("t")),
        lambda: store.append("s", text("one"), branch="none"),
    ):
        with pytest.raises(il.SessionNotFoundError):
            action()


@pytest.mark.parametrize("name", ["", "a\x00b", "\ud83d", 5, None])
def test_an_invalid_name_is_refused(store: SessionStore, name: Any) -> None:
    store.create("s")
    with pytest.raises(ValueError, match="name of a session"):
        store.fork("s", name)
    if name is not None:
        with pytest.raises(ValueError, match="name of a session"):
            store.create(name)


@pytest.mark.parametrize("name", ["ü/ö", "'; DROP TABLE sessions; --", "\uffff", "a" * 10_000])
def test_any_other_name_is_accepted(store: SessionStore, name: str) -> None:
    store.create(name, branch=name)
    store.append(name, text("one"), branch=name)
    assert contents(store.load(name).transcript) == ["one"]


def test_deleted_content_is_removed_from_the_file(store: SessionStore, path: Path) -> None:
    store.create("kept")
    store.append("kept", text("stays"))
    store.create("s", metadata={"note": "metadata-secret"})
    store.append("s", text("text-secret " * 1000))
    store.fork("s", "b")
    store.delete("s")
    assert [info.id for info in store.sessions()] == ["kept"]
    for table in ("messages", "places", "branches", "sessions"):
        assert len(sql(path, f"SELECT 1 FROM {table}")) == 1  # noqa: S608  # the names stand here
    for file in path.parent.iterdir():
        assert b"secret" not in file.read_bytes()
    with pytest.raises(il.SessionNotFoundError):
        store.load("s")
    store.create("s")
    assert contents(store.load("s").transcript) == []


def test_a_transcript_whose_session_was_deleted_is_not_saved_partly(store: SessionStore) -> None:
    transcript = Transcript([text("one")])
    store.save(transcript)
    store.delete(transcript.id)
    transcript.append(text("two"))
    with pytest.raises(il.SessionNotFoundError):
        store.save(transcript)
    assert store.sessions() == []
    store.create(transcript.id)
    with pytest.raises(il.SessionConflictError):
        store.save(transcript)
    assert contents(store.load(transcript.id).transcript) == []


def test_a_message_with_an_existing_id_is_not_appended_again(store: SessionStore) -> None:
    session = store.create()
    (stored,) = store.append(session, text("one")).messages
    for again in ([stored], [text("new"), stored], [text("a", id="x"), text("b", id="x")]):
        with pytest.raises(il.SessionConflictError):
            store.append(session, again)
    assert len(store.load(session).transcript) == 1


@pytest.mark.parametrize("wrong", [{"role": "user", "content": "hi"}, "hi", None, 5, ["hi"]])
def test_per_8_a_value_that_is_not_a_message_is_refused_and_never_stored(store: SessionStore, wrong: Any) -> None:
    session = store.create()
    for given_ in ([wrong], [text("good"), wrong], wrong):
        with pytest.raises(TypeError):
            store.append(session, given_)
    assert len(store.load(session).transcript) == 0


def test_per_8_loading_returns_a_session_or_raises_an_error(store: SessionStore) -> None:
    session = store.create()
    store.append(session, text("one"))
    sql(store.path, "UPDATE messages SET document = '[]'")
    with pytest.raises(il.SessionDamagedError):
        store.load(session)
    with pytest.raises(il.SessionDamagedError):
        list(store.iterate(session))


@pytest.mark.requirement("NORM-3.1.1")
def test_every_stored_message_is_a_json_object_with_its_schema_version(store: SessionStore) -> None:
    session = store.create()
    store.append(session, [text("one"), request("pending")])
    store.append(session, il.load_message({"schema_version": CURRENT + 1, "type": "hologram"}))
    rows = sql(store.path, "SELECT schema_version, document FROM messages ORDER BY number")
    assert [version for version, _ in rows] == [CURRENT, CURRENT, CURRENT + 1]
    assert [json.loads(document)["schema_version"] for _, document in rows] == [CURRENT, CURRENT, CURRENT + 1]


DOCUMENTS = documents(3).of("AnyMessage")


@given(DOCUMENTS)
@settings(max_examples=60)
def test_per_9_every_message_round_trips(store: SessionStore, document: dict[str, Any]) -> None:
    messages = il.load_message(document)
    session = store.create()
    stored = store.append(session, messages).messages
    loaded = store.load(session).transcript.messages
    assert loaded == stored
    assert il.dump_message(loaded[0]) == il.dump_message(stored[0])
    given_ = il.dump_message(messages[0])
    added = set(il.dump_message(loaded[0])) - set(given_)
    assert added <= {"id", "created_at"}


def test_perf_4_the_last_messages_are_read_without_the_others(store: SessionStore) -> None:
    session = store.create()
    store.append(session, [text(str(number)) for number in range(300)])
    # Whoever reads them would find them damaged.
    sql(store.path, "UPDATE messages SET document = 'torn' WHERE number <= 295")
    page = store.load_tail(session, 5)
    assert (page.position, contents(page.messages), page.skipped) == (295, ["295", "296", "297", "298", "299"], ())
    assert store.load_tail(session, 0).messages == ()
    assert [row.position for row in store.load_tail(session, 6).skipped] == [294]


def test_perf_4_a_tail_longer_than_the_branch_is_the_whole_branch(store: SessionStore) -> None:
    session = store.create()
    store.append(session, [text("one"), text("two")])
    assert contents(store.load_tail(session, 50).messages) == ["one", "two"]


def test_iterate_yields_a_branch_in_order_while_it_grows(store: SessionStore) -> None:
    session = store.create()
    store.append(session, [text(str(number)) for number in range(600)])
    found: list[Any] = []
    for message in store.iterate(session):
        if not found:
            store.append(session, text("600"))
        found.append(message)
    assert contents(found) == [str(number) for number in range(601)]
    assert list(store.iterate(store.create())) == []


def test_a_closed_store_is_a_typed_error(path: Path) -> None:
    store = SessionStore(path)
    store.create("s")
    store.close()
    store.close()
    for action in (lambda: store.load("s"), lambda: store.create("t"), store.sessions):
        with pytest.raises(il.SessionStoreError, match="closed"):
            action()


def test_a_new_file_is_readable_only_by_its_owner(store: SessionStore, path: Path) -> None:
    store.create("s")
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0


def test_an_append_with_a_message_that_is_not_json_stores_nothing(store: SessionStore) -> None:
    session = store.create()
    bad = text("bad \ud83d", metadata={"moment": object()})
    with pytest.raises(il.EncodeError) as caught:
        store.append(session, [text("good"), bad])
    assert caught.value.path == "/metadata/moment"
    with pytest.raises(il.InvalidArgumentError):
        store.save(Transcript([text("good"), bad], id=session))
    with pytest.raises(il.EncodeError) as caught:
        store.create(metadata={"numbers": [float("nan")]})
    assert caught.value.path == "/numbers/0"
    assert len(store.load(session).transcript) == 0
    assert len(store.sessions()) == 1


@pytest.mark.parametrize("levels", [150, *range(194, 203), 450, 5000])
@pytest.mark.parametrize("content", ["", "x" * 2000, "\ud800"], ids=["short", "long", "half a pair"])
def test_acknowledged_messages_can_be_read_however_deeply_nested(
    store: SessionStore, levels: int, content: str
) -> None:
    output: Any = content
    for _ in range(levels):
        output = [output]
    message = il.ToolResultMessage(data=il.ToolResultData(call_id="c", status="success", output=output))
    session = store.create()
    try:
        store.append(session, message)
    except il.EncodeError:
        assert levels > 180
        assert len(store.load(session).transcript) == 0
        return
    assert levels < 200
    loaded = store.load(session)
    assert loaded.skipped == ()
    assert loaded.transcript[0].data == message.data  # type: ignore[union-attr]  # it is the result


def test_metadata_that_would_not_round_trip_is_refused(store: SessionStore) -> None:
    deep: dict[str, Any] = {}
    for _ in range(5000):
        deep = {"a": deep}
    for metadata in (deep, {1: "a"}, {"a": {None: 1}}, {"a": {1: 1, "1": 2}}, {"a": {1, 2}}, {"a": b"x"}):
        with pytest.raises(il.EncodeError):
            store.create(metadata=metadata)  # type: ignore[arg-type]  # that is the point
        with pytest.raises(il.InvalidArgumentError):
            store.save(Transcript([text("x")], metadata=metadata))  # type: ignore[arg-type]
    assert store.sessions() == []


def test_readers_see_only_complete_writes(store: SessionStore) -> None:
    session = store.create()
    is_done = threading.Event()
    torn: list[int] = []

    def read() -> None:
        while not is_done.is_set():
            length = len(store.load(session).transcript)
            if length % 5:
                torn.append(length)

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(40):
        store.append(session, [text("x") for _ in range(5)])
    is_done.set()
    reader.join()
    assert torn == []


def test_a_store_in_memory_is_refused_and_makes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(il.InvalidArgumentError, match="a session store is a file"):
        SessionStore(":memory:")
    assert list(tmp_path.iterdir()) == []
