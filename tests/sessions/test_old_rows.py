"""Rows of every version, as stores of earlier releases have them: they load for ever."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.model import ToolRequestMessage, UnknownMessage
from interlingua.sessions import SessionStore
from interlingua_types import CURRENT
from support.sessions import contents, sql, text
from support.versions import as_current

VECTORS: Final = Path(__file__).parents[1] / "vectors" / "sessions"
# What this release is going to be asked for ever: never change these files, add new ones.
GOLDEN: Final = sorted(VECTORS.glob("store_*.sql"))
HISTORIES: Final = sorted(VECTORS.glob("history_*.jsonl"))

CALL: Final[dict[str, Any]] = {"id": "c1", "name": "f", "arguments": {}}
V1: Final[list[dict[str, Any]]] = [
    {"role": "user", "content": "go"},
    {"role": "assistant", "content": "wait", "tool_calls": [CALL, {**CALL, "id": "c2"}]},
    {"role": "tool", "tool_call_id": "c1", "content": "done"},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions.db"


def stored(path: Path, documents: list[Any], version: int = 1) -> str:
    """Make a store whose rows are what an earlier release wrote."""
    with SessionStore(path) as store:
        session = store.create("s")
        store.append(session, [text(str(number)) for number in range(len(documents))])
    for number, document in enumerate(documents, 1):
        said = document.get("schema_version", version)
        row = (said, json.dumps(document), number)
        sql(path, "UPDATE messages SET id = NULL, schema_version = ?, document = ? WHERE number = ?", *row)
    return session


def kinds(messages: Any) -> list[str]:
    return [message.type for message in messages]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.stem)
def test_per_1_stores_of_every_format_load_and_are_saved_again_equal(golden: Path, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(golden.read_text(encoding="utf-8"))
    expected = {
        session: as_current(document)
        for session, document in json.loads(golden.with_suffix(".json").read_text(encoding="utf-8")).items()
    }
    with SessionStore(path) as store:
        assert {info.id for info in store.sessions()} == set(expected)
        for session, document in expected.items():
            loaded = store.load(session)
            assert loaded.skipped == ()
            assert loaded.transcript.to_document() == document
            loaded.transcript.append(text("and on"))
            loaded.transcript.fork("beside")
            store.save(loaded.transcript)
            again = store.load(session)
            assert again.transcript.to_document() == loaded.transcript.to_document()
        assert store.check() == []


@pytest.mark.requirement("NORM-3.2.1")
@pytest.mark.parametrize("history", HISTORIES, ids=lambda history: history.stem)
def test_per_1_histories_of_every_version_load_and_are_saved_again_equal(history: Path, path: Path) -> None:
    expected = as_current(json.loads(history.with_suffix(".json").read_text(encoding="utf-8")))
    with SessionStore(path) as store:
        imported = store.import_jsonl(history)
        transcript = store.load(imported.session_id).transcript
        found = [il.dump_message(message) for message in transcript]
        assert [_without_ids(document) for document in found] == expected
        assert all(of_type.dropped == 0 for of_type in imported.coverage.values())
        again = path.with_name("again.jsonl")
        store.export_jsonl(imported.session_id, again)
        assert store.load(store.import_jsonl(again).session_id).transcript.messages == transcript.messages


def _without_ids(document: dict[str, Any]) -> dict[str, Any]:
    """Leave out the id of the message: the store gives one where there was none."""
    return {name: member for name, member in document.items() if name != "id"}


def test_there_are_stored_files_of_every_version() -> None:
    assert [golden.stem for golden in GOLDEN] == ["store_1"]
    assert [history.stem for history in HISTORIES] == ["history_v1", "history_v2", "history_v3"]


def test_one_old_row_becomes_several_messages_with_approved_answered_calls(path: Path) -> None:
    session = stored(path, V1)
    with SessionStore(path) as store:
        transcript = store.load(session).transcript
        assert kinds(transcript) == ["text", "text", "tool_request", "tool_result"]
        request = transcript[2]
        assert isinstance(request, ToolRequestMessage)
        assert [one.approval.status for one in request.data.calls] == ["approved", "pending"]
        assert tuple(store.iterate(session)) == transcript.messages
        assert store.load_tail(session, 2).messages == transcript.messages[1:]


def test_loading_and_appending_do_not_change_old_rows(path: Path) -> None:
    session = stored(path, V1)
    query = "SELECT number, schema_version, document FROM messages WHERE number <= 3"
    before = sql(path, query)
    with SessionStore(path) as store:
        transcript = store.load(session).transcript
        transcript.append(text("new"))
        store.save(transcript)
        transcript.append(text("newer"))
        store.save(transcript)
        store.append(session, text("newest"))
        assert contents(store.load(session).transcript.messages[-3:]) == ["new", "newer", "newest"]
    assert sql(path, query) == before


def test_replacing_a_message_of_an_old_row_rewrites_the_old_rows(path: Path) -> None:
    documents = [{**V1[1], "content": [{"type": "text", "text": "x" * 2000}]}, V1[0], {**V1[2], "tool_call_id": "c2"}]
    (first, *others) = documents
    first["tool_calls"] = [{**call, "arguments": "{}"} for call in first["tool_calls"]]
    others[1] = {"role": "tool", "call_id": "c2", "content": "done"}
    (unknown,) = il.load_message({"schema_version": 9, "type": "hologram", "id": "kept"})
    session = stored(path, [first, *others, il.dump_message(unknown)], version=2)
    with SessionStore(path) as store:
        store.append(session, text("A" * 2000))
        transcript = store.load(session).transcript
        transcript.fork("middle")
        transcript.append(text("end"))
        store.save(transcript)
        before = transcript.messages
        loaded = store.load(session).transcript
        assert loaded.messages == before
        loaded.append(text("last", id="m"))
        store.save(loaded)
        loaded.replace("m", text("changed"))
        store.save(loaded)
        again = store.load(session).transcript
        assert again.messages == loaded.messages
        assert again.messages_of("middle") == loaded.messages_of("middle")
        assert store.check() == []
    versions = {version for (version,) in sql(path, "SELECT schema_version FROM messages")}
    assert versions == {CURRENT, 9}


def test_a_fork_within_an_old_row_shares_the_messages_before_it(path: Path) -> None:
    session = stored(path, V1)
    with SessionStore(path) as store:
        imported = store.load(session).transcript
        named = [message.model_copy(update={"id": f"m{at}"}) for at, message in enumerate(imported)]
        path.with_name("named.jsonl").write_bytes(b"\n".join(map(il.dump_message_json, named)))
        transcript = store.load(store.import_jsonl(path.with_name("named.jsonl")).session_id).transcript
        transcript.fork("early", after="m1")
        store.save(transcript)
        again = store.load(transcript.id).transcript
        assert kinds(again.messages_of("early")) == ["text", "text"]
        assert again.messages == transcript.messages


def test_a_transcript_loaded_before_old_rows_were_rewritten_has_a_conflict(path: Path) -> None:
    session = stored(path, V1)
    with SessionStore(path) as store:
        one, two = (store.load(session).transcript for _ in range(2))
        one.fork("b")
        store.save(one)
        two.append(text("mine"))
        with pytest.raises(il.SessionConflictError):
            store.save(two)
        one.append(text("on"))
        store.save(one)
        assert store.load(session).transcript.messages == one.messages


def test_a_transcript_that_was_not_loaded_is_not_saved_beside_old_rows(path: Path) -> None:
    session = stored(path, V1)
    with SessionStore(path) as store:
        with pytest.raises(il.SessionConflictError):
            store.save(il.Transcript([text("x")], id=session))
        assert len(store.load(session).transcript) == 4


@pytest.mark.parametrize(
    "document",
    [
        {
            "schema_version": CURRENT + 1,
            "type": "text",
            "data": {"role": "user", "content": [{"hologram": None}]},
            "b": 1,
            "a": 2,
        },
        {"type": "hologram", "role": "user", "content": "not of version 1"},
        {"schema_version": 2**80, "type": "text"},
        {"schema_version": CURRENT, "type": "removed", "data": None},
    ],
)
def test_per_3_a_message_of_a_newer_version_or_type_is_saved_unchanged(path: Path, document: dict[str, Any]) -> None:
    (unknown,) = il.load_messages([document]).messages if "schema_version" in document else (_kept(document),)
    with SessionStore(path) as store:
        transcript = il.Transcript([text("one"), unknown])
        store.save(transcript)
        loaded = store.load(transcript.id).transcript
        loaded.append(text("two"))
        loaded.fork("other")
        store.save(loaded)
        (again,) = (message for message in store.load(transcript.id).transcript if isinstance(message, UnknownMessage))
        store.export_jsonl(transcript.id, path.with_name("out.jsonl"))
    assert json.dumps(again.document) == json.dumps(document)
    assert json.dumps(document, separators=(",", ":")) in path.with_name("out.jsonl").read_text(encoding="utf-8")


def _kept(document: dict[str, Any]) -> UnknownMessage:
    return UnknownMessage.model_validate(document)


def test_per_3_a_store_of_a_newer_format_is_refused_before_writing(path: Path) -> None:
    with SessionStore(path) as store:
        store.create("s")
    sql(path, "PRAGMA user_version=2")
    sql(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    before = path.read_bytes()
    with pytest.raises(il.SessionStoreVersionError) as caught:
        SessionStore(path)
    assert (caught.value.found, caught.value.known) == (2, 1)
    assert path.read_bytes() == before


def test_sec_6_class_names_in_a_stored_row_are_only_text(path: Path) -> None:
    hostile = {
        "py/object": "os.system",
        "__reduce__": ["os.system", "touch pwned"],
        "lc": 1,
        "type": "constructor",
        "id": ["subprocess", "Popen"],
        "kwargs": {"args": "touch pwned"},
        "__class__": "subprocess.Popen",
    }
    (message,) = il.load_message({"schema_version": CURRENT, "type": "tool_result", "data": {"output": hostile}})
    with SessionStore(path) as store:
        session = store.create()
        store.append(session, [message, UnknownMessage.model_validate(hostile)])
        loaded = store.load(session).transcript
    assert loaded[0].data.output == hostile  # type: ignore[union-attr]  # it is a result
    assert isinstance(loaded[1], UnknownMessage)
    assert loaded[1].document == hostile
    assert not Path("pwned").exists()
