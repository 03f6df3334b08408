"""What earlier releases stored loads for ever (tests/vectors/stored): stores, exports, transcripts, histories."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.sessions import SessionStore
from support.canonical import difference
from support.sessions import text
from support.stored_streams import FOLDER
from support.versions import as_current

if TYPE_CHECKING:
    from pathlib import Path

STORES: Final = sorted(FOLDER.glob("store_*.db"))
EXPORTS: Final = sorted((FOLDER / "exports").glob("*.jsonl"))
HISTORIES: Final = sorted(FOLDER.glob("histories_*.jsonl"))
EXPECTED: Final[dict[str, dict[str, Any]]] = {
    store.stem: {
        session: {**one, "document": as_current(one["document"])}
        for session, one in json.loads(store.with_suffix(".json").read_text(encoding="utf-8")).items()
    }
    for store in STORES
}
SESSIONS: Final = [
    pytest.param(store, session, id=f"{store.stem}-{session}") for store in STORES for session in EXPECTED[store.stem]
]


def opened(store: Path, folder: Path) -> SessionStore:
    """Open a copy of a store: opening may write."""
    return SessionStore(shutil.copy(store, folder / "sessions.db"))


def test_the_stored_fixtures_are_present() -> None:
    kinds = {message["type"] for message in EXPECTED["store_1"]["kinds"]["document"]["messages"]}
    assert len(kinds) == 9
    assert len(EXPECTED["store_1"]) == 12
    assert {f"{session}_1" for session in EXPECTED["store_1"]} == {path.stem for path in EXPORTS}
    assert [path.stem for path in HISTORIES] == ["histories_1"]


@pytest.mark.parametrize("store", STORES, ids=lambda path: path.stem)
def test_a_stored_file_has_its_sessions_and_no_problems(store: Path, tmp_path: Path) -> None:
    with opened(store, tmp_path) as sessions:
        assert sessions.check() == []
        found = {info.id: {"metadata": info.metadata, "branches": dict(info.branches)} for info in sessions.sessions()}
    expected = {
        session: {"metadata": one["metadata"], "branches": one["branches"]}
        for session, one in EXPECTED[store.stem].items()
    }
    assert difference(expected, found) == ""


@pytest.mark.parametrize(("store", "session"), SESSIONS)
def test_a_stored_session_loads_and_is_saved_unchanged(store: Path, session: str, tmp_path: Path) -> None:
    expected = EXPECTED[store.stem][session]["document"]
    with opened(store, tmp_path) as sessions:
        loaded = sessions.load(session)
        assert loaded.skipped == ()
        assert difference(expected, loaded.transcript.to_document()) == ""
        loaded.transcript.append(text("and on"))
        sessions.save(loaded.transcript)
        assert sessions.load(session).transcript.to_document() == loaded.transcript.to_document()


@pytest.mark.parametrize(("store", "session"), SESSIONS)
def test_a_stored_transcript_document_loads_and_is_written_unchanged(store: Path, session: str) -> None:
    document = EXPECTED[store.stem][session]["document"]
    found = il.Transcript.from_document(document).to_document()
    for one, other in zip(document["messages"], found["messages"], strict=True):
        if "created_at" not in one and "created_at" in other:  # rows of old versions have none: it is given on loading
            del other["created_at"]
    assert difference(document, found) == ""


@pytest.mark.parametrize("export", EXPORTS, ids=lambda path: path.stem)
def test_a_stored_export_is_imported_and_exported_unchanged(export: Path, tmp_path: Path) -> None:
    with SessionStore(tmp_path / "sessions.db") as sessions:
        session = sessions.import_jsonl(export).session_id
        sessions.export_jsonl(session, tmp_path / "again.jsonl")
    was, is_now = (path.read_text(encoding="utf-8").splitlines() for path in (export, tmp_path / "again.jsonl"))
    assert len(was) > 0
    assert difference(as_current([json.loads(line) for line in was]), [json.loads(line) for line in is_now]) == ""


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_stored_histories_load_and_are_written_unchanged(path: Path) -> None:
    histories = path.read_text(encoding="utf-8").splitlines()
    wanted = [
        json.dumps(as_current(json.loads(history)), separators=(",", ":"), ensure_ascii=False) for history in histories
    ]
    assert [il.ConversationHistory.from_json(history).to_json() for history in histories] == wanted
