"""`interlingua validate`, `upgrade` and `downgrade`: stored messages, checked and brought to another version."""

import json
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from interlingua.validation import validate
from interlingua_types import CURRENT
from support.program import run

OLD: list[dict[str, Any]] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Weather?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "name": "weather", "arguments": {"city": "Lisbon"}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "sunny"},
]
NEW = il.upgrade(OLD).documents
ARRAY = json.dumps(OLD).encode()
PRETTY = json.dumps(OLD, indent=2).encode()


CALLING: dict[str, Any] = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Lisbon"}'}}],
}
CHAT = [*OLD[:2], CALLING, OLD[3]]


def lines(documents: list[Any]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in documents)


@pytest.mark.parametrize("content", [ARRAY, PRETTY, lines(OLD)], ids=["array", "pretty array", "lines"])
def test_upgrade_reads_a_conversation_in_any_format(content: bytes) -> None:
    done = run("upgrade", "--to", str(CURRENT), "-", stdin=content)
    assert (done.code, done.err, done.bodies) == (0, "", NEW)


def test_upgrade_reads_a_single_document() -> None:
    assert run("upgrade", "-", stdin=json.dumps(OLD[0], indent=1).encode()).bodies == NEW[:1]


def test_upgrade_uses_the_version_of_the_option() -> None:
    looked = run("upgrade", "-", stdin=lines([{"role": "user", "content": "hi", "name": "Ada"}]))
    told = run("upgrade", "--version", "2", "-", stdin=lines([{"role": "user", "content": "hi", "name": "Ada"}]))
    assert looked.bodies == il.upgrade([{"role": "user", "content": "hi", "name": "Ada"}]).documents
    assert told.bodies == il.upgrade([{"role": "user", "content": "hi", "name": "Ada"}], version=2).documents


@pytest.mark.parametrize("options", [(), ("--dialect", "openai_chat")])
def test_rows_of_a_dialect_are_upgraded_and_downgraded_like_any_other(options: tuple[str, ...]) -> None:
    up = run("upgrade", *options, "-", stdin=lines(CHAT))
    assert (up.code, up.err) == (0, "")
    assert [il.load_message(body)[0] for body in up.bodies] == list(il.load_messages(CHAT).messages)
    down = run("downgrade", *options, "-", stdin=lines(CHAT))
    assert (down.code, down.err, down.bodies) == (0, "", OLD)


def test_a_row_that_its_dialect_refuses_is_reported_by_line_and_the_others_are_processed() -> None:
    bad = {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": 5}}]}
    done = run("upgrade", "--dialect", "openai_chat", "-", stdin=lines([*OLD[:2], bad, CHAT[1]]))
    assert (done.code, len(done.bodies)) == (3, 3)
    assert [finding.split(": ")[1:3] for finding in done.findings] == [["<stdin>:3", "openai_chat"]]


def test_results_on_other_lines_are_taken_into_account() -> None:
    (request,) = [one for one in run("upgrade", "-", stdin=lines(OLD)).bodies if one["type"] == "tool_request"]
    assert request["data"]["calls"][0]["approval"] == {"status": "approved"}
    (alone,) = run("upgrade", "-", stdin=lines(OLD[2:3])).bodies
    assert alone["data"]["calls"][0]["approval"] == {"status": "pending"}


def test_a_bad_document_is_reported_with_its_position_and_the_others_are_processed() -> None:
    content = lines([OLD[0]]) + b"{\n" + lines([[OLD[1], {"role": "nobody"}], {"role": 5}, OLD[2], OLD[3]])
    done = run("upgrade", "-", stdin=content)
    assert (done.code, done.bodies) == (3, NEW)
    assert [finding.split(": ")[1] for finding in done.findings] == ["<stdin>:2", "<stdin>:3", "<stdin>:4"]
    assert "/1/role" in done.findings[1]


def test_an_empty_conversation_is_accepted() -> None:
    done = run("upgrade", "-", stdin=b"[]")
    assert (done.code, done.out, done.err) == (0, b"", "")


@pytest.mark.parametrize("version", [1, 2, 3])
def test_downgrade_writes_the_requested_version(version: int) -> None:
    done = run("downgrade", "--to", str(version), "-", stdin=lines(NEW))
    assert (done.code, done.bodies) == (0, il.downgrade(NEW, version).documents)
    assert done.rows == []


def test_downgrade_writes_the_oldest_version_by_default() -> None:
    assert run("downgrade", "-", stdin=lines(NEW)).bodies == OLD


def test_a_downgrade_reports_its_losses_by_line(tmp_path: Path) -> None:
    path = tmp_path / "losses.json"
    marked = [NEW[0], {**NEW[1], "metadata": {"a": 1}}]
    done = run("downgrade", "--losses", path, "-", stdin=lines(marked))
    assert [row[:4] for row in done.rows] == [["2", "lost", "migration", "/metadata"]]
    assert [(one["body"], one["path"]) for one in json.loads(path.read_text("utf-8"))] == [(2, "/metadata")]


def test_downgrade_reports_the_losses_of_a_document_together_with_the_most_severe_first() -> None:
    picture = {"source": {"kind": "url", "url": "https://example.com/a.png"}, "mode": "auto", "status": "pending"}
    story = [
        {**NEW[0], "id": "m1", "created_at": "2026-01-01T00:00:00Z"},
        {"schema_version": CURRENT, "type": "image", "id": "m2", "data": picture},
    ]
    done = run("downgrade", "-", stdin=lines(story))
    rows = [line.split("\t") for line in done.err.splitlines()[1:]]
    assert [row[1] for row in rows] == sorted(row[1] for row in rows)
    weights = ["content", "contract", "tuning", "state", "bookkeeping"]
    for number in ("1", "2"):
        concerns = [weights.index(row[2]) for row in rows if row[1] == number]
        assert len(concerns) > 1
        assert concerns == sorted(concerns)


def test_downgrade_summarises_the_losses_of_a_long_array_by_kind() -> None:
    story = [{**NEW[0], "id": f"m{number}"} for number in range(30)]
    done = run("downgrade", "-", stdin=json.dumps(story).encode())
    (row,) = done.err.splitlines()[1:]
    assert row.split("\t")[1:6] == ["1", "bookkeeping", "lost", "local_id", "/*/id"]
    assert "30" in row.split("\t")[6]


def test_downgrade_reports_losses_by_array_index() -> None:
    marked = [NEW[0], {**NEW[1], "metadata": {"a": 1}}]
    done = run("downgrade", "-", stdin=json.dumps(marked, indent=1).encode())
    assert [row[:4] for row in done.rows] == [["1", "lost", "migration", "/1/metadata"]]


def test_valid_documents_produce_no_output() -> None:
    done = run("validate", "-", stdin=lines(NEW))
    assert (done.code, done.out, done.err) == (0, b"", "")


def test_an_invalid_document_is_a_line_for_each_error() -> None:
    content = lines([NEW[0], {"schema_version": CURRENT, "type": "text", "id": 5, "data": {"role": "nobody"}}])
    done = run("validate", "-", stdin=content)
    expected = validate(json.loads(content.splitlines()[1]))
    assert done.code == 1
    assert done.out.decode().splitlines() == [f"<stdin>:2:{one.path}: {one.rule}: {one.detail}" for one in expected]
    assert len(expected) > 1


def test_an_array_is_validated_document_by_document() -> None:
    done = run("validate", "--version", "1", "-", stdin=json.dumps([*OLD, {"role": "nobody"}]).encode())
    assert (done.code, done.out.decode().startswith("<stdin>:1:/4/role: ")) == (1, True)


def test_the_version_and_the_union_can_be_chosen() -> None:
    request = json.dumps({"messages": []}).encode()
    assert run("validate", "--union", "chat_request", "-", stdin=request).code == 0
    assert run("validate", "--union", "ChatRequest", "-", stdin=request).code == 0
    assert run("validate", "--version", "1", "-", stdin=ARRAY).code == 0
    assert run("validate", "--version", "3", "-", stdin=ARRAY).code == 1


def test_an_error_shows_no_content_and_is_one_line() -> None:
    document = {
        "schema_version": CURRENT,
        "type": "text",
        "data": {"role": "user", "content": "a", "secret\n\x1b[31m": 1},
    }
    done = run("validate", "-", stdin=json.dumps(document).encode())
    assert (done.code, done.out.count(b"\n"), b"\x1b" in done.out) == (1, 1, False)


def test_unreadable_input_has_a_higher_exit_code_than_invalid_documents() -> None:
    done = run("validate", "-", stdin=b"{}\n{\n{}")
    assert (done.code, len(done.findings), len(done.out.splitlines())) == (3, 1, 2)


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate", "--version", "9"),
        ("validate", "--union", "nonsense"),
        ("upgrade", "--to", "2"),
        ("upgrade", "--version", "9"),
        ("upgrade", "--dialect", "klingon"),
        ("downgrade", "--dialect", "klingon"),
        ("downgrade", "--to", "0"),
        ("downgrade", "--to", "nonsense"),
    ],
)
def test_an_unknown_version_or_union_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "-", stdin=ARRAY)
    assert (done.code, done.out) == (2, b"")
