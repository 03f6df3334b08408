"""Rows, media and files that are not what was written: reported, left as they are, and never the end of a session."""

from __future__ import annotations

import base64
import os
import threading
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.model import ToolResultMessage
from interlingua.sessions import SessionStore, SkippedRow
from interlingua_types import CURRENT
from support.sessions import contents, id_of, sql, text

PICTURE: Final = base64.b64encode(bytes(range(256)) * 8).decode()


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with SessionStore(tmp_path / "sessions.db") as opened:
        opened.create("s")
        opened.append("s", [text(f"m{number}") for number in range(4)])
        yield opened


def damage(store: SessionStore, number: int, document: Any) -> None:
    sql(store.path, "UPDATE messages SET document = ? WHERE number = ?", document, number)


def picture(**members: Any) -> Any:
    part = {"type": "image", "data": PICTURE, "format": "image/png"}
    data = {"role": "user", "content": [{"type": "text", "text": "look"}, part]}
    (message,) = il.load_message({"schema_version": CURRENT, "type": "text", "data": data, **members})
    return message


BAD: Final[list[Any]] = [
    b'{"schema_version":3,"type":"te',
    b"\x00\x00\x00\x00",
    b"\xff\xfe",
    b"",
    b"null",
    b"[]",
    b'{"schema_version":3,"type":"text","data":{"role":"robot"}}',
    b'{"schema_version":3,"type":"text","data":{"role":"user","content":NaN}}',
    b'{"secret-role":"x"}',
    b"[" * 100_000,
    5,
    2.5,
]


@pytest.mark.requirement("NORM-3.2.3")
@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_per_5_an_unreadable_row_is_reported_and_the_others_load(store: SessionStore, bad: Any) -> None:
    damage(store, 2, bad)
    loaded = store.load("s")
    assert contents(loaded.transcript) == ["m0", "m2", "m3"]
    ((row),) = loaded.skipped
    assert (row.branch, row.position, row.orphans) == ("main", 1, ())
    assert "secret" not in repr(loaded.skipped)
    assert [problem.position for problem in store.check()] == [1]
    found: list[SkippedRow] = []
    assert contents(store.iterate("s", on_skipped=found.append)) == ["m0", "m2", "m3"]
    assert [one.position for one in found] == [1]
    with pytest.raises(il.SessionDamagedError) as caught:
        list(store.iterate("s"))
    assert caught.value.position == 1


def test_an_unreadable_row_is_never_rewritten_and_the_session_can_be_continued(store: SessionStore) -> None:
    damage(store, 2, b"torn")
    loaded = store.load("s").transcript
    loaded.append(text("m4"))
    loaded.fork("all")
    loaded.fork("early", after=id_of(loaded[0]))
    loaded.fork("later", after=id_of(loaded[1]))
    loaded.replace(id_of(loaded[1]), text("changed"))
    store.save(loaded)
    assert sql(store.path, "SELECT document FROM messages WHERE number = 2") == [(b"torn",)]
    assert contents(store.load("s").transcript) == ["m0", "changed", "m3", "m4"]
    assert store.info("s").branches == {"main": 5, "all": 5, "early": 1, "later": 3}
    assert store.load("s").transcript.messages == loaded.messages
    assert len(store.load("s").skipped) == 1


def test_an_unreadable_row_at_the_end_is_not_overwritten(store: SessionStore) -> None:
    damage(store, 4, b"torn")
    loaded = store.load("s").transcript
    loaded.append(text("m4"))
    loaded.fork("all")
    store.save(loaded)
    again = store.load("s")
    assert contents(again.transcript) == ["m0", "m1", "m2", "m4"]
    assert [row.position for row in again.skipped] == [3]
    assert store.info("s").branches == {"main": 5, "all": 5}


def test_an_unreadable_first_row_is_an_error(store: SessionStore) -> None:
    damage(store, 1, b"torn")
    with pytest.raises(il.SessionDamagedError) as caught:
        store.load("s")
    assert (caught.value.session_id, caught.value.branch, caught.value.position) == ("s", "main", 0)
    recovered = store.load("s", recover=True)
    assert contents(recovered.transcript) == ["m1", "m2", "m3"]
    assert [row.position for row in recovered.skipped] == [0]


def test_orphaned_results_are_listed(store: SessionStore) -> None:
    call = {"id": "c1", "name": "f", "arguments": {}}
    request = {"calls": [{"call": call, "approval": {"status": "approved"}}]}
    store.append("s", il.load_message({"schema_version": CURRENT, "type": "tool_request", "data": request}))
    store.append("s", text("between"))
    store.append("s", il.load_message({"schema_version": CURRENT, "type": "tool_result", "data": {"call_id": "c1"}}))
    damage(store, 5, '{"schema_version":3,"type":"tool_request","data":{"calls":[{"call":{"id":"c1"}}]}}')
    ((row),) = store.load("s").skipped
    assert (row.position, row.orphans) == (4, (6,))


def test_a_row_on_several_branches_is_reported_once_for_the_active_branch(store: SessionStore) -> None:
    store.fork("s", "other")
    damage(store, 3, b"torn")
    ((row),) = store.load("s", branch="other").skipped
    assert (row.branch, row.position) == ("other", 2)


def test_a_damaged_page_affects_only_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "pages.db"
    with SessionStore(path) as store:
        store.create("s")
        # Each long text fills pages of its own.
        store.append("s", [text(f"{number}:" + "long text. " * 2000) for number in range(20)])
    sql(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    content = path.read_bytes()
    at = content.index(b"7:long text")
    start = at - at % 4096
    path.write_bytes(content[:start] + b"\xff" * 4096 + content[start + 4096 :])
    with SessionStore(path) as store:
        loaded = store.load("s")
        good = [content.split(":")[0] for content in contents(loaded.transcript)]
        assert len(loaded.skipped) >= 1
        assert len(good) + len(loaded.skipped) == 20
        assert len(good) >= 16
        assert {"0", "19"} <= set(good)
        assert store.check() != []


def test_per_7_a_damaged_blob_affects_its_message_and_is_repaired_when_stored_again(
    store: SessionStore,
) -> None:
    store.append("s", picture())
    sql(store.path, "UPDATE blobs SET data = zeroblob(length(data))")
    loaded = store.load("s")
    assert contents(loaded.transcript) == ["m0", "m1", "m2", "m3"]
    assert [(row.position, row.reason) for row in loaded.skipped] == [(4, "its media are damaged")]
    store.append("s", picture())
    again = store.load("s")
    assert again.skipped == ()
    assert again.transcript[4].data == again.transcript[5].data == picture().data  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM media",
        "DELETE FROM blobs",
        'UPDATE media SET place = \'["data","gone"]\'',
        "UPDATE media SET place = '[]'",
        "UPDATE media SET place = 'x'",
        "UPDATE blobs SET digest = x'00'",
        "UPDATE blobs SET data = 5",
        "UPDATE media SET encoding = 'text'",
        "UPDATE messages SET media = 2 WHERE media = 1",
    ],
)
def test_a_lost_or_misplaced_medium_never_becomes_an_empty_or_different_one(
    store: SessionStore, statement: str
) -> None:
    store.append("s", picture())
    sql(store.path, statement)
    assert [row.position for row in store.load("s").skipped] == [4]


def test_a_missing_row_and_a_missing_position_are_reported(store: SessionStore) -> None:
    sql(store.path, "DELETE FROM messages WHERE number = 2")
    loaded = store.load("s")
    assert contents(loaded.transcript) == ["m0", "m2", "m3"]
    assert [(row.position, row.reason) for row in loaded.skipped] == [(1, "the row is missing")]
    sql(store.path, "DELETE FROM places WHERE position = 2")
    loaded = store.load("s")
    assert contents(loaded.transcript) == ["m0", "m3"]
    loaded.transcript.append(text("m4"))
    store.save(loaded.transcript)
    assert contents(store.load("s").transcript) == ["m0", "m3", "m4"]
    sql(store.path, "UPDATE places SET message = 1 WHERE position = 4")
    with pytest.raises(il.SessionStoreFormatError):
        store.load("s")


def test_sec_6_a_file_with_triggers_or_views_is_refused(store: SessionStore) -> None:
    path = store.path
    store.close()
    for code in (
        "CREATE TRIGGER t AFTER INSERT ON messages BEGIN DELETE FROM sessions; END",
        "CREATE VIEW v AS SELECT load_extension('x')",
    ):
        sql(path, code)
        with pytest.raises(il.SessionStoreFormatError):
            SessionStore(path)
        sql(path, "DROP TRIGGER IF EXISTS t")
        sql(path, "DROP VIEW IF EXISTS v")
    with SessionStore(path) as again:
        assert len(again.load("s").transcript) == 4


def test_damaged_metadata_does_not_hide_the_session(store: SessionStore) -> None:
    for damaged in ("{torn", "[1]", "null", ""):
        sql(store.path, "UPDATE sessions SET metadata = ?", damaged)
        assert [(info.id, info.metadata) for info in store.sessions()] == [("s", {})]
        assert len(store.load("s").transcript) == 4


def test_a_missing_file_is_created_only_if_allowed(tmp_path: Path) -> None:
    for path in (tmp_path / "new.db", tmp_path / "folder" / "new.db"):
        with pytest.raises(il.SessionStoreMissingError):
            SessionStore(path, create=False)
        with pytest.raises(il.SessionStoreMissingError):
            SessionStore(path, read_only=True)
    with pytest.raises(il.SessionStoreMissingError):
        SessionStore(tmp_path / "folder" / "new.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("another", [False, True])
def test_per_6_nothing_is_acknowledged_for_a_file_that_was_moved(
    store: SessionStore, tmp_path: Path, *, another: bool
) -> None:
    store.append("s", text("the connection is open"))
    moved = store.path.rename(tmp_path / "moved.db")
    if another:
        with SessionStore(store.path) as other:
            other.create("s")
    transcript = il.Transcript([text("x")])
    for action in (
        lambda: store.append("s", text("lost")),
        lambda: store.save(transcript),
        lambda: store.load("s"),
        lambda: store.delete("s"),
    ):
        with pytest.raises(il.SessionStoreMissingError):
            action()
    assert transcript.is_dirty
    if another:
        with SessionStore(store.path) as again:
            assert len(again.load("s").transcript) == 0
    else:
        moved.rename(store.path)
        store.append("s", text("back"))
        assert contents(store.load("s").transcript.messages[4:]) == ["the connection is open", "back"]


def test_a_file_that_is_not_a_store_is_refused_and_unchanged(tmp_path: Path) -> None:
    noise = tmp_path / "noise"
    noise.write_bytes(b"not a database at all, but long enough to be one" * 100)
    foreign = tmp_path / "foreign.db"
    sql(foreign, "CREATE TABLE sessions (id TEXT)")
    marked = tmp_path / "marked.db"
    sql(marked, "PRAGMA application_id=7")
    sql(marked, "CREATE TABLE t (a)")
    for path in (noise, foreign, marked):
        before = path.read_bytes()
        with pytest.raises(il.SessionStoreFormatError):
            SessionStore(path)
        assert path.read_bytes() == before
    with pytest.raises(il.SessionStoreError):
        SessionStore(tmp_path)
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(il.SessionStoreFormatError):
        SessionStore(empty, read_only=True)
    with SessionStore(empty) as store:
        assert store.sessions() == []


def test_a_truncated_file_is_a_store_error(store: SessionStore) -> None:
    path = store.path
    store.close()
    content = path.read_bytes()
    for length in (50, 100, 4096, len(content) // 2):
        path.write_bytes(content[:length])
        try:
            with SessionStore(path) as damaged:
                loaded = damaged.load("s", recover=True)
                assert loaded.skipped
        except il.SessionStoreError:
            pass


def test_a_read_only_store_writes_nothing(store: SessionStore) -> None:
    with SessionStore(store.path, read_only=True) as reader:
        transcript = reader.load("s").transcript
        assert len(transcript) == 4
        transcript.append(text("x"))
        for action in (
            lambda: reader.save(transcript),
            lambda: reader.append("s", text("x")),
            lambda: reader.create("t"),
            lambda: reader.delete("s"),
        ):
            with pytest.raises(il.SessionStoreReadOnlyError):
                action()
    assert len(store.load("s").transcript) == 4


def test_a_lock_held_too_long_is_a_typed_error(store: SessionStore) -> None:
    is_held, is_done = threading.Event(), threading.Event()

    def hold() -> None:
        from contextlib import closing  # noqa: PLC0415
        from sqlite3 import connect  # noqa: PLC0415

        with closing(connect(store.path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            is_held.set()
            is_done.wait(60)
            connection.execute("ROLLBACK")

    holder = threading.Thread(target=hold)
    holder.start()
    assert is_held.wait(60)
    try:
        with SessionStore(store.path, timeout=0.05) as second:
            assert len(second.load("s").transcript) == 4
            with pytest.raises(il.SessionStoreBusyError):
                second.append("s", text("x"))
    finally:
        is_done.set()
        holder.join()
    store.append("s", text("x"))
    assert len(store.load("s").transcript) == 5


def test_per_6_a_full_disk_is_a_typed_error_and_nothing_is_partly_written(
    store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    from interlingua.sessions import tables  # noqa: PLC0415

    connect = tables.connect

    def small(*arguments: Any, **options: Any) -> Any:
        connection = connect(*arguments, **options)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages + 3}")
        return connection

    monkeypatch.setattr(tables, "connect", small)
    with SessionStore(store.path) as full:
        transcript = full.load("s").transcript
        transcript.append(text("fits"))
        transcript.append(text("does not fit. " * 10_000))
        for _ in range(2):
            with pytest.raises(il.SessionStoreFullError):
                full.save(transcript)
            assert transcript.is_dirty
            with pytest.raises(il.SessionStoreFullError):
                full.append("s", [text("fits"), picture(), text("does not fit. " * 10_000)])
        full.append("s", text("small"))
    monkeypatch.undo()
    assert contents(store.load("s").transcript) == ["m0", "m1", "m2", "m3", "small"]
    assert sql(store.path, "SELECT count(*) FROM blobs") == [(0,)]
    assert store.check() == []


def test_errors_show_no_content_and_no_path(store: SessionStore) -> None:
    damage(store, 1, '{"schema_version":3,"type":"text","data":{"role":"hunter2","hunter2":1}}')
    with pytest.raises(il.SessionDamagedError) as caught:
        store.load("s")
    error: BaseException | None = caught.value
    while error is not None:
        assert "hunter2" not in str(error)
        assert os.fspath(store.path) not in str(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def test_per_13_characters_that_sqlite_cannot_store_round_trip(store: SessionStore) -> None:
    output = {"nul \x00": "\x00", "half \ud83d": "\udc00 \ud83d\ude00 \ufffe\uffff\u2028 ␛0000", "deep": ["\ud800"] * 3}
    (message,) = il.load_message({"schema_version": CURRENT, "type": "tool_result", "data": {"output": output}})
    store.append("s", [message, text("half \ud83d", metadata={"\udfff": "\x00"})])
    loaded = store.load("s")
    assert loaded.skipped == ()
    result, words = loaded.transcript[4], loaded.transcript[5]
    assert isinstance(result, ToolResultMessage)
    assert result.data.output == output
    assert contents([words]) == ["half \ud83d"]
    assert store.check() == []
    for (document,) in sql(store.path, "SELECT document FROM messages"):
        assert "\x00" not in document
        document.encode("utf-8")
