"""Messages that a file should have and does not have: `load` and `check` tell each, and nothing is walked in vain."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua import tools
from interlingua.model import ToolRequestMessage
from interlingua.sessions import SessionStore, SkippedRow
from interlingua_types import CURRENT
from support.sessions import contents, id_of, sql, text

FAR: Final = 10**12
LAST: Final = 2**63 - 1


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with SessionStore(tmp_path / "sessions.db") as opened:
        opened.create("s", metadata={"title": "t"})
        opened.append("s", [text(f"m{number}", id=f"i{number}") for number in range(5)])
        yield opened


LOSSES: Final[dict[str, tuple[str, int | None, str]]] = {
    "DELETE FROM places WHERE position = 2": ("m0 m1 m3 m4", 2, "the place is missing"),
    "DELETE FROM places WHERE position IN (1, 2)": ("m0 m3 m4", 1, "2 places are missing"),
    "DELETE FROM places WHERE position = 4": ("m0 m1 m2 m3", None, "a message is on no branch"),
    "UPDATE places SET position = -1 WHERE position = 4": ("m0 m1 m2 m3", -1, "its position is negative"),
    "UPDATE places SET position = -9223372036854775808 WHERE position = 4": (
        "m0 m1 m2 m3",
        -LAST - 1,
        "its position is negative",
    ),
    "UPDATE places SET position = 1000000000000 WHERE position = 4": (
        "m0 m1 m2 m3 m4",
        4,
        f"{FAR - 4} places are missing",
    ),
    "UPDATE places SET position = 9223372036854775807 WHERE position = 4": (
        "m0 m1 m2 m3 m4",
        4,
        f"{LAST - 4} places are missing",
    ),
    "UPDATE sessions SET metadata = '[1]'": ("m0 m1 m2 m3 m4", None, "the metadata is not an object"),
    "UPDATE sessions SET metadata = '{torn'": ("m0 m1 m2 m3 m4", None, "the metadata is not an object"),
    "UPDATE sessions SET metadata = x'ff'": ("m0 m1 m2 m3 m4", None, "the metadata is not an object"),
}
"""What is done to the file: what is read all the same, and the position and the reason of what is told."""


@pytest.mark.requirement("NORM-3.2.3")
@pytest.mark.parametrize("statement", LOSSES)
def test_lost_messages_are_reported_by_load_and_check(store: SessionStore, statement: str) -> None:
    read, position, reason = LOSSES[statement]
    sql(store.path, statement)
    loaded = store.load("s")
    assert contents(loaded.transcript) == read.split()
    assert loaded.skipped == (SkippedRow("main", position, reason),)
    assert [(problem.session_id, problem.position, problem.reason) for problem in store.check()] == [
        ("s", position, reason)
    ]


@pytest.mark.parametrize("statement", [statement for statement in LOSSES if "metadata" not in statement])
def test_a_lost_message_is_reported_by_iterate_and_stops_an_export(
    store: SessionStore, tmp_path: Path, statement: str
) -> None:
    read, position, reason = LOSSES[statement]
    sql(store.path, statement)
    told: list[SkippedRow] = []
    assert contents(store.iterate("s", on_skipped=told.append)) == read.split()
    assert told == [SkippedRow("main", position, reason)]
    with pytest.raises(il.SessionDamagedError) as caught:
        store.export_jsonl("s", tmp_path / "out.jsonl")
    assert (caught.value.session_id, caught.value.branch, caught.value.position) == ("s", "main", position)
    assert not (tmp_path / "out.jsonl").exists()


def test_a_gap_is_reported_once_for_each_run_of_missing_positions(store: SessionStore) -> None:
    store.append("s", [text(f"m{number}") for number in range(5, 100)])
    sql(store.path, "DELETE FROM places WHERE position % 10 = 3 OR position % 10 = 4")
    expected = [(position, "2 places are missing") for position in range(3, 100, 10)]
    assert [(row.position, row.reason) for row in store.load("s").skipped] == expected
    assert [(row.position, row.reason) for row in store.check()] == expected
    told: list[SkippedRow] = []
    assert len(list(store.iterate("s", on_skipped=told.append))) == 80
    assert [(row.position, row.reason) for row in told] == expected


def test_a_missing_active_branch_is_an_error_unless_recovering(store: SessionStore) -> None:
    store.fork("s", "other", after="i1")
    sql(store.path, "UPDATE sessions SET branch = 'gone'")
    reason = "the active branch is missing"
    assert [(problem.session_id, problem.reason) for problem in store.check()] == [("s", reason)]
    for action in (
        lambda: store.load("s"),
        lambda: store.load_tail("s", 1),
        lambda: list(store.iterate("s")),
        lambda: store.append("s", text("x")),
    ):
        with pytest.raises(il.SessionDamagedError) as caught:
            action()
        assert (caught.value.session_id, caught.value.branch, caught.value.position) == ("s", None, None)
    recovered = store.load("s", recover=True)
    assert recovered.transcript.branch == "main"
    assert recovered.skipped == (SkippedRow("main", None, reason),)
    named = store.load("s", branch="other")
    assert contents(named.transcript) == ["m0", "m1"]
    assert named.skipped == (SkippedRow("other", None, reason),)
    store.switch("s", "main")
    assert store.load("s").skipped == ()
    assert store.check() == []


def test_a_branch_without_its_beginning_is_an_error(store: SessionStore) -> None:
    for statement in (
        "UPDATE places SET position = -3 WHERE position = 0",
        "DELETE FROM places WHERE position = -3",
        "DELETE FROM places",
    ):
        sql(store.path, statement)
        with pytest.raises(il.SessionDamagedError) as caught:
            store.load("s")
        assert caught.value.position == 0
        recovered = store.load("s", recover=True)
        assert recovered.skipped
        assert len(recovered.transcript) == (0 if statement == "DELETE FROM places" else 4)


def request(name: str) -> ToolRequestMessage:
    (message,) = il.load_message(
        {
            "schema_version": CURRENT,
            "type": "tool_request",
            "id": f"request {name}",
            "data": {
                "calls": [{"call": {"id": name, "name": "f", "arguments": {}}, "approval": {"status": "approved"}}]
            },
        }
    )
    assert isinstance(message, ToolRequestMessage)
    return message


def result(name: str) -> Any:
    (message,) = il.load_message(
        {
            "schema_version": CURRENT,
            "type": "tool_result",
            "id": f"result {name}",
            "data": {"call_id": name, "output": 1},
        }
    )
    return message


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM places WHERE position = 6",
        "UPDATE places SET position = -1 WHERE position = 6",
        "UPDATE places SET position = position + 1000000000000 WHERE position > 6",
        "DELETE FROM places WHERE position >= 6",
    ],
)
def test_a_call_whose_result_may_be_missing_does_not_run_again(store: SessionStore, statement: str) -> None:
    store.append("s", [request("a"), result("a"), text("between"), request("b")])
    sql(store.path, statement)
    loaded = store.load("s")
    is_lost = "position + " not in statement
    assert loaded.doubtful == (("request a",) if is_lost else ())
    runs: list[str] = []

    def f() -> str:
        """Run."""
        runs.append("f")
        return "done"

    executor = tools.ToolExecutor([tools.Tool(tools.define(f), f)])
    il.run_tools(loaded.transcript, executor, policy=tools.AllowTools(frozenset({"f"})))
    assert runs == (["f"] if "request b" in [id_of(message) for message in loaded.transcript] else [])


@pytest.mark.parametrize("position", [FAR, LAST])
def test_a_row_at_a_distant_position_costs_nothing_and_later_appends_are_kept_or_refused(
    store: SessionStore, position: int
) -> None:
    sql(store.path, "UPDATE places SET position = ? WHERE position = 4", position)
    assert len(store.check()) == 1
    page = store.load_tail("s", 2)
    assert (page.position, contents(page.messages)) == (3, ["m3", "m4"])
    assert [row.position for row in page.skipped] == [4]
    transcript = store.load("s").transcript
    transcript.append(text("saved"))
    if position == LAST:
        for action in (lambda: store.append("s", text("appended")), lambda: store.save(transcript)):
            with pytest.raises(il.SessionStoreFormatError):
                action()
        assert contents(store.load("s").transcript) == ["m0", "m1", "m2", "m3", "m4"]
    else:
        store.save(transcript)
        assert store.append("s", text("appended")).position == FAR + 2
        assert contents(store.load("s").transcript) == ["m0", "m1", "m2", "m3", "m4", "saved", "appended"]


def test_rewriting_old_rows_keeps_gaps(store: SessionStore) -> None:
    old = '{"role":"assistant","content":"x","tool_calls":[{"id":"c","name":"f","arguments":{}}]}'
    sql(store.path, "UPDATE messages SET schema_version = 1, document = ? WHERE number = 2", old)
    store.append("s", text("m5"))
    sql(store.path, "DELETE FROM places WHERE position = 3")
    sql(store.path, "UPDATE places SET position = -1 WHERE position = 5")
    loaded = store.load("s")
    assert [row.position for row in loaded.skipped] == [-1, 3]
    transcript = loaded.transcript
    count = len(transcript)
    transcript.replace(id_of(transcript[0]), text("changed"))
    store.save(transcript)
    again = store.load("s")
    assert again.transcript.messages == transcript.messages
    assert len(again.transcript) == count
    assert [(row.position, row.reason) for row in again.skipped] == [
        (None, "a message is on no branch"),
        (4, "the place is missing"),
    ]


def test_a_table_of_another_shape_is_a_typed_error(store: SessionStore) -> None:
    path = store.path
    store.close()
    sql(path, "DROP TABLE places")
    with SessionStore(path) as again:
        for action in (lambda: again.load("s"), again.sessions, lambda: again.append("s", text("x"))):
            with pytest.raises(il.SessionStoreFormatError):
                action()
        assert [problem.session_id for problem in again.check()] == ["s"]


def test_a_branch_with_a_damaged_name_is_saved_under_that_name(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    with SessionStore(path) as store:
        store.create("s")
        store.append("s", [text("m0", id="i0"), text("m1")])
    sql(path, "UPDATE branches SET name = char(0)")
    sql(path, "UPDATE sessions SET branch = char(0)")
    with SessionStore(path) as store:
        transcript = store.load("s", recover=True).transcript
        transcript.append(text("m2"))
        store.save(transcript)
        assert contents(store.load("s", recover=True).transcript.messages) == ["m0", "m1", "m2"]
        transcript.fork("\x00\x00")
        with pytest.raises(il.InvalidArgumentError):
            store.save(transcript)
