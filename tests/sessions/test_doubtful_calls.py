"""A call whose result may be in a row that cannot be read never runs: nobody can say that it has not run already."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua import tools
from interlingua.sessions import SessionStore
from interlingua_types import CURRENT
from support.sessions import contents, id_of, sql, text

TORN: Final = '{"role": "tool", "tool_call_id": "a", "cont'
ASKED: Final[dict[str, Any]] = {"role": "user", "content": "Pay."}
ANSWERED: Final[dict[str, Any]] = {"role": "tool", "tool_call_id": "a", "content": "paid"}


def calling(*identifiers: str) -> dict[str, Any]:
    """Return a message of version 1 that calls the tool."""
    return {
        "role": "assistant",
        "tool_calls": [{"id": one, "name": "pay", "arguments": {}} for one in identifiers],
    }


def requesting(identifier: str, status: str = "approved") -> dict[str, Any]:
    """Return a request of version 3 that nobody has marked as begun."""
    call = {"call": {"id": identifier, "name": "pay", "arguments": {}}, "approval": {"status": status}}
    return {"schema_version": CURRENT, "type": "tool_request", "data": {"calls": [call]}}


class Till:
    """A tool that counts how often it ran, and everything that could make it run."""

    def __init__(self) -> None:
        self.runs: list[str] = []

        def pay() -> str:
            """Pay."""
            self.runs.append("paid")
            return "paid"

        self._executor = tools.ToolExecutor([tools.Tool(tools.define(pay), pay)])

    def run(self, transcript: il.Transcript, **options: Any) -> list[tuple[str | None, str | None]]:
        """Approve all that may be approved, run all that may run, and return the results: the call and its status."""
        policy = tools.AllowTools(frozenset({"pay"}))
        results = il.run_tools(transcript, self._executor, policy=policy, **options)
        return [(one.data.call_id, one.data.status) for one in results]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with SessionStore(tmp_path / "sessions.db") as opened:
        yield opened


def stored(store: SessionStore, rows: list[dict[str, Any] | str]) -> str:
    """Make a session whose rows are what earlier releases, and a damaged disk, left."""
    session = store.create()
    store.append(session, [text(str(number)) for number in range(len(rows))])
    numbers = [number for (number,) in sql(store.path, "SELECT number FROM messages ORDER BY number")][-len(rows) :]
    for number, row in zip(numbers, rows, strict=True):
        version = row.get("schema_version", 1) if isinstance(row, dict) else 1
        document = json.dumps(row) if isinstance(row, dict) else row
        sql(
            store.path,
            "UPDATE messages SET id = NULL, schema_version = ?, document = ? WHERE number = ?",
            *(version, document, number),
        )
    return session


@pytest.mark.parametrize(
    "request_row",
    [calling("a"), requesting("a"), requesting("a", "pending")],
    ids=["of version 1", "approved", "pending"],
)
def test_a_call_whose_result_is_in_an_unreadable_row_is_answered_as_interrupted_and_never_runs(
    store: SessionStore, request_row: dict[str, Any]
) -> None:
    session = stored(store, [ASKED, request_row, TORN])
    till = Till()
    loaded = store.load(session)
    assert loaded.doubtful == (id_of(loaded.transcript[1]),)
    assert not loaded.transcript.is_dirty
    with pytest.raises(il.ApprovalError):
        loaded.transcript.update(
            loaded.doubtful[0],
            lambda message: tools.approve(message, "a", decided_by="ann"),  # type: ignore[arg-type]
        )
    assert till.run(loaded.transcript, save=store.save) == [("a", "error")]
    again = store.load(session)
    assert (len(again.skipped), again.doubtful) == (1, ())
    assert till.run(again.transcript, save=store.save) == []
    assert till.runs == []
    assert (TORN,) in sql(store.path, "SELECT document FROM messages")


def test_only_unanswered_calls_before_an_unreadable_row_are_doubtful(store: SessionStore) -> None:
    session = stored(store, [ASKED, calling("a", "b"), ANSWERED, TORN, calling("c")])
    loaded = store.load(session)
    assert [one.position for one in loaded.skipped] == [3]
    till = Till()
    assert till.run(loaded.transcript, save=store.save) == [("b", "error"), ("c", "success")]
    assert till.runs == ["paid"]


def test_a_denied_call_stays_denied_and_a_started_one_keeps_its_time(store: SessionStore) -> None:
    begun = requesting("b")
    begun["data"]["calls"][0]["execution"] = {"started_at": "2026-01-01T00:00:00Z"}
    loaded = store.load(stored(store, [ASKED, requesting("a", "denied"), begun, TORN]))
    assert loaded.doubtful == ()
    assert [il.dump_message(message)["data"] for message in loaded.transcript.messages[1:]] == [
        requesting("a", "denied")["data"],
        begun["data"],
    ]


def test_an_unreadable_row_does_not_affect_calls_of_other_branches(store: SessionStore) -> None:
    session = stored(store, [ASKED, ASKED])
    store.fork(session, "other")
    store.append(session, il.load_message(requesting("a"))[0], branch="other")
    store.append(session, [text("torn")])
    sql(store.path, "UPDATE messages SET document = ? WHERE number = 4", TORN)
    loaded = store.load(session, branch="other")
    assert (len(loaded.skipped), loaded.doubtful) == (1, ())
    assert Till().run(loaded.transcript) == [("a", "success")]


def test_a_doubtful_call_is_doubtful_on_every_branch_that_has_it(store: SessionStore) -> None:
    session = stored(store, [ASKED, requesting("a")])
    store.fork(session, "other")
    store.append(session, text("torn"), branch="other")
    sql(store.path, "UPDATE messages SET document = ? WHERE number = 3", TORN)
    till = Till()
    loaded = store.load(session)
    assert (loaded.transcript.branch, len(loaded.doubtful)) == ("main", 1)
    assert till.run(loaded.transcript) == [("a", "error")]
    assert till.runs == []


def test_a_message_of_a_newer_version_may_be_the_result_of_a_call(store: SessionStore) -> None:
    newer = {"schema_version": CURRENT + 1, "type": "tool_result", "data": {"of": "a"}}
    till = Till()
    loaded = store.load(stored(store, [ASKED, requesting("a"), newer]))
    assert (len(loaded.skipped), len(loaded.doubtful)) == (0, 1)
    assert till.run(loaded.transcript) == [("a", "error")]
    assert till.runs == []


def test_replacing_a_message_of_old_rows_beside_an_unreadable_one_keeps_the_call_doubtful(store: SessionStore) -> None:
    session = stored(store, [ASKED, calling("a"), TORN])
    transcript = store.load(session).transcript
    transcript.replace(id_of(transcript[0]), text("changed"))
    store.save(transcript)
    till = Till()
    loaded = store.load(session)
    assert (contents(loaded.transcript.messages[:1]), len(loaded.doubtful)) == (["changed"], 1)
    assert till.run(loaded.transcript) == [("a", "error")]
    assert till.runs == []


def test_pages_of_old_rows_have_the_same_doubtful_calls(store: SessionStore) -> None:
    session = stored(store, [ASKED, calling("a"), TORN])
    expected = store.load(session).transcript.messages
    assert tuple(store.iterate(session, on_skipped=lambda _row: None)) == expected
    assert store.load_tail(session, 3).messages == expected


@pytest.mark.parametrize("torn", [TORN.encode(), b"\x00" * 40, b'{"schema_version": 3, "type": "tool_result"}'])
def test_an_import_with_a_skipped_line_stores_earlier_calls_as_started(
    store: SessionStore, tmp_path: Path, torn: bytes
) -> None:
    path = tmp_path / "history.jsonl"
    lines = [json.dumps(one).encode() for one in (ASKED, calling("a", "b"), ANSWERED, calling("c"))]
    path.write_bytes(b"\n".join([*lines[:3], torn, lines[3]]))
    imported = store.import_jsonl(path, recover=True)
    assert len(imported.bad) == 1
    transcript = store.load(imported.session_id).transcript
    assert imported.doubtful == (id_of(transcript[1]),)
    till = Till()
    assert till.run(transcript, save=store.save) == [("b", "error"), ("c", "success")]
    assert till.runs == ["paid"]


def test_loading_a_list_marks_calls_before_a_skipped_document() -> None:
    loaded = il.load_messages([ASKED, {**calling("a", "b"), "content": "I pay."}, ANSWERED, TORN, calling("c")])
    assert [one.index for one in loaded.skipped] == [3]
    assert loaded.doubtful == (2,)
    request = loaded.messages[2]
    assert isinstance(request, il.ToolRequestMessage)
    assert [one.execution for one in request.data.calls] == [None, il.Execution()]
    till = Till()
    assert till.run(il.Transcript(loaded.messages)) == [("b", "error"), ("c", "success")]


def test_no_call_is_doubtful_if_everything_was_read() -> None:
    assert il.load_messages([ASKED, calling("a"), {"type": "hologram"}]).doubtful == ()
