"""JSONL files: strict and forgiving reading, exact places of what is bad, import with an account, atomic export."""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.model import UnknownMessage
from interlingua.sessions import BadLine, Coverage, Record, SessionStore, read_jsonl, records, tail_jsonl
from interlingua_types import CURRENT
from support.program import environment
from support.sessions import contents, text

ONE: Final = b'{"role":"user","content":"one"}'
TWO: Final = '{"role":"user","content":"two \u2028 lines \u0085 of \u2029 one"}'.encode()
BAD: Final = b'{"role":"user","conte'
TORN: Final = b'{"role":"assistant","content":"to'


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with SessionStore(tmp_path / "sessions.db") as opened:
        yield opened


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """Return a file with a byte order mark, CRLF, a bad line, a run of NUL bytes, U+2028 and a torn last line."""
    path = tmp_path / "damaged.jsonl"
    lines = [ONE + b"\r\n", BAD + b"\n", b"\n", TWO + b"\n", b"\x00" * 4096 + ONE + b"\n", b"\xff\xfe\n", TORN]
    path.write_bytes(b"\xef\xbb\xbf" + b"".join(lines))
    return path


def test_per_5_every_valid_record_is_read_and_bad_ones_have_exact_byte_offsets(damaged: Path) -> None:
    content = damaged.read_bytes()
    found = list(records(damaged))
    good = [one for one in found if isinstance(one, Record)]
    bad = [one for one in found if isinstance(one, BadLine)]
    assert [one.document for one in good] == [json.loads(line) for line in (ONE, TWO, ONE)]
    assert [one.line for one in good] == [1, 4, 5]
    assert [content[one.start : one.end] for one in good] == [ONE, TWO, ONE]
    assert [content[one.start : one.end] for one in bad] == [BAD, b"\x00" * 4096, b"\xff\xfe", TORN]
    assert [one.line for one in bad] == [2, 5, 6, 7]
    assert "conte" not in repr(bad)


def test_per_5_strict_reading_reports_the_line_and_its_byte_offsets(damaged: Path) -> None:
    reading = read_jsonl(damaged)
    assert next(reading) == json.loads(ONE)
    with pytest.raises(il.JsonLinesError) as caught:
        next(reading)
    error = caught.value
    assert (error.line, damaged.read_bytes()[error.start : error.end]) == (2, BAD)
    assert "conte" not in str(error)


def test_per_5_a_damaged_file_is_imported_as_far_as_possible_and_never_rewritten(
    store: SessionStore, damaged: Path
) -> None:
    before = hashlib.sha256(damaged.read_bytes()).digest()
    with pytest.raises(il.JsonLinesError) as caught:
        store.import_jsonl(damaged)
    assert caught.value.line == 2
    assert store.sessions() == []
    imported = store.import_jsonl(damaged, recover=True)
    assert contents(store.load(imported.session_id).transcript) == ["one", json.loads(TWO)["content"], "one"]
    assert [bad.line for bad in imported.bad] == [2, 5, 6, 7]
    assert imported.coverage == {"user": Coverage(3, 3, 0, 0), "?": Coverage(4, 0, 0, 4)}
    assert hashlib.sha256(damaged.read_bytes()).digest() == before


@pytest.mark.parametrize("seed", range(3))
def test_per_5_all_complete_lines_of_a_truncated_file_are_read(tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    lines = [json.dumps({"role": "user", "content": choose.choice(["a", "ä\u2028", "\\", '"'])}) for _ in range(20)]
    content = "".join(line + choose.choice(["\n", "\r\n"]) for line in lines).encode()
    path = tmp_path / "cut.jsonl"
    for length in range(0, len(content), 7):
        path.write_bytes(content[:length])
        found = list(records(path))
        good = [one.document for one in found if isinstance(one, Record)]
        assert good == [json.loads(line) for line in lines[: len(good)]]
        assert len(good) >= content[:length].count(b"\n")
        assert len(found) - len(good) <= 1


def test_a_line_that_is_too_long_is_skipped_without_reading_it_into_memory() -> None:
    file = io.BytesIO(ONE + b"\n" + b'"' + b"x" * 300_000 + b'"\n' + TWO + b"\n" + b"1" * 200)
    found = list(records(file, longest=200))
    assert [type(one) for one in found] == [Record, BadLine, Record, Record]
    assert isinstance(found[1], BadLine)
    assert (found[1].start, found[1].end, found[1].line) == (len(ONE) + 1, len(ONE) + 1 + 300_003, 2)
    assert isinstance(found[2], Record)
    assert (found[2].line, found[2].document) == (3, json.loads(TWO))


@pytest.mark.parametrize("depth", [1000, 100_000])
def test_a_deeply_nested_line_is_one_bad_line(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_bytes(b"[" * depth + b"]" * depth + b"\n" + ONE + b"\n")
    found = list(records(path))
    assert isinstance(found[-1], Record)
    assert len(found) == 2


def test_numbers_and_lone_surrogates_are_read_exactly() -> None:
    found = list(read_jsonl(io.BytesIO(b'{"n":123456789012345678901234567890,"h":"\\ud83d"}\n')))
    assert found == [{"n": 123456789012345678901234567890, "h": "\ud83d"}]
    ((bad),) = records(io.BytesIO(b'{"n":NaN,"h":"\\ud83d"}\n'))
    assert isinstance(bad, BadLine)


@pytest.mark.parametrize("size", [10, 70_000])
def test_perf_4_the_tail_of_a_file_is_read_from_its_end(tmp_path: Path, size: int) -> None:
    path = tmp_path / "long.jsonl"
    lines = [json.dumps({"role": "user", "content": f"{number} " + "x" * size}).encode() for number in range(40)]
    content = b"\n".join([*lines[:35], BAD, *lines[35:]])
    path.write_bytes(content)
    for count in (0, 1, 3, 5, 6, 39, 40, 41):
        found = tail_jsonl(path, count)
        good = [one for one in found if isinstance(one, Record)]
        assert [one.document for one in good] == [json.loads(line) for line in lines][40 - min(count, 40) :]
        assert all(content[one.start : one.end] in lines for one in good)
        assert [content[one.start : one.end] for one in found if isinstance(one, BadLine)] == [BAD] * (count > 5)
    path.write_bytes(b"")
    assert tail_jsonl(path, 5) == ()


TAIL: Final = """
from pathlib import Path
from interlingua.sessions import SessionStore, tail_jsonl, records
def peak():
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1])
store = SessionStore(sys.argv[1])
store.load_tail("warm", 1)
Path("/proc/self/clear_refs").write_text("5")  # the peak is what it is now
before = peak()
assert len(store.load_tail("s", 50).messages) == 50
assert len(tail_jsonl(sys.argv[2], 50)) == 50
after_tail = peak()
assert sum(1 for _ in store.iterate("s")) == sum(1 for _ in records(sys.argv[2])) == 800
print(after_tail - before, peak() - before)
"""


def test_perf_4_tail_and_iteration_do_not_depend_on_the_length_of_the_history(
    store: SessionStore, tmp_path: Path
) -> None:
    words = "all of these words are part of one message " * 600
    for session, count in (("warm", 1), ("s", 800)):
        store.create(session)
        store.append(session, [text(f"{number} {words}") for number in range(count)])
    path = tmp_path / "long.jsonl"
    store.export_jsonl("s", path)
    assert path.stat().st_size > 20_000_000
    program = "import sys\n" + TAIL
    done = subprocess.run(
        [sys.executable, "-c", program, str(store.path), str(path)],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    tail, whole = (int(word) / 1024 for word in done.stdout.split())
    assert tail < 13  # megabytes, where all of it is more than twenty
    assert whole < 16


GIGABYTE: Final = """
import resource, sys
from pathlib import Path
from interlingua.sessions import Record, tail_jsonl
path = Path(sys.argv[1])
with path.open("wb") as file:
    file.truncate(1 << 30)
    file.seek(0, 2)
    file.writelines(b'\\n{"number":%d}' % number for number in range(60))
tail_jsonl(path, 1)
pages = int(Path("/proc/self/statm").read_text().split()[0])
limit = pages * resource.getpagesize() + 100_000_000
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
found = tail_jsonl(path, 50)
assert [one.document["number"] for one in found] == list(range(10, 60))
"""


def test_perf_4_the_last_fifty_records_of_a_gigabyte_need_less_than_100_megabytes(tmp_path: Path) -> None:
    command = [sys.executable, "-c", GIGABYTE, str(tmp_path / "long.jsonl")]
    subprocess.run(command, check=True, env=environment())


def test_per_12_import_statistics_cover_every_record(store: SessionStore, tmp_path: Path) -> None:
    path = tmp_path / "foreign.jsonl"
    documents: list[Any] = [
        {"type": "summary", "summary": "A session of another program", "leafUuid": "x"},
        {"type": "user", "message": {"role": "user", "content": "hi"}, "uuid": "1"},
        {"type": "assistant", "message": {"content": [{"type": "thinking"}]}, "uuid": "2"},
        {"type": "user", "message": {"role": "user", "content": "more"}, "uuid": "3"},
        {"role": "user", "content": "of version 1"},
        {"role": "developer", "content": "of version 2"},
        {"schema_version": CURRENT, "type": "text", "data": {"role": "user", "content": "of version 3"}},
        {"schema_version": CURRENT + 1, "type": "text", "data": {}},
        {"schema_version": CURRENT, "type": "opaque", "data": {"dialect": "claude", "data": {"type": "x"}}},
        {"type": "Not A Word", "secret": 1},
    ]
    path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    imported = store.import_jsonl(path)
    assert imported.coverage == {
        "summary": Coverage(1, 0, 1, 0),
        "user": Coverage(3, 1, 2, 0),
        "assistant": Coverage(1, 0, 1, 0),
        "developer": Coverage(1, 1, 0, 0),
        "text": Coverage(2, 1, 1, 0),
        "opaque": Coverage(1, 0, 1, 0),
        "?": Coverage(1, 0, 1, 0),
    }
    assert sum(one.seen for one in imported.coverage.values()) == len(documents)
    transcript = store.load(imported.session_id).transcript
    kept = [message.document for message in transcript if isinstance(message, UnknownMessage)]
    assert kept == [documents[index] for index in (0, 1, 2, 3, 7, 9)]


def test_per_12_an_unimportable_record_is_an_error_or_counted_as_dropped(store: SessionStore, tmp_path: Path) -> None:
    path = tmp_path / "foreign.jsonl"
    path.write_text('{"role":"user","content":"hi"}\n{"type":"text","text":"no data"}\n[1]\n5\n{}\n', encoding="utf-8")
    with pytest.raises(il.JsonLinesError) as caught:
        store.import_jsonl(path)
    assert caught.value.line == 2
    imported = store.import_jsonl(path, recover=True)
    assert imported.coverage == {
        "user": Coverage(1, 1, 0, 0),
        "text": Coverage(1, 0, 0, 1),
        "?": Coverage(3, 0, 0, 3),
    }
    assert [bad.line for bad in imported.bad] == [2, 3, 4, 5]
    assert contents(store.load(imported.session_id).transcript) == ["hi"]


CALLING = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
}
CHAT = [{"role": "user", "content": "hi"}, CALLING, {"role": "tool", "tool_call_id": "c1", "content": "31"}]


@pytest.mark.parametrize("dialect", [None, "openai_chat"])
def test_an_import_reads_rows_of_a_dialect_and_matches_their_results(
    store: SessionStore, tmp_path: Path, dialect: str | None
) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in CHAT), encoding="utf-8")
    imported = store.import_jsonl(path, dialect=dialect)
    assert (imported.bad, imported.coverage["assistant"]) == ((), Coverage(1, 1, 0, 0))
    transcript = store.load(imported.session_id).transcript
    assert transcript.answers() == {(1, 0): 2}
    request = il.ChatRequest(dialect="openai_chat", model="m", messages=tuple(il.to_chat(transcript)))
    assert il.encode_request(request, "openai_chat").body["messages"] == CHAT


def test_an_import_reports_a_line_that_its_dialect_refuses_and_an_unknown_dialect(
    store: SessionStore, tmp_path: Path
) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in CHAT), encoding="utf-8")
    with pytest.raises(il.JsonLinesError) as caught:
        store.import_jsonl(path, dialect="claude")
    assert (caught.value.line, caught.value.reason) == (2, "claude: at /content: expected a list")
    with pytest.raises(il.UnknownDialectError):
        store.import_jsonl(tmp_path / "none.jsonl", dialect="klingon")
    imported = store.import_jsonl(path, dialect="claude", recover=True)
    assert [bad.line for bad in imported.bad] == [2]
    assert store.import_jsonl(path, dialect="openai_chat", version=None).bad == ()


def test_an_import_is_atomic_and_refuses_an_existing_id(store: SessionStore, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(ONE + b"\n")
    assert store.import_jsonl(path, session_id="s", branch="b", metadata={"a": 1}).session_id == "s"
    assert (store.info("s").branches, store.info("s").metadata) == ({"b": 1}, {"a": 1})
    with pytest.raises(il.SessionExistsError):
        store.import_jsonl(path, session_id="s")
    with pytest.raises(il.UnknownVersionError):
        store.import_jsonl(path, version=9)
    with pytest.raises(FileNotFoundError):
        store.import_jsonl(tmp_path / "none.jsonl")
    assert len(store.sessions()) == 1


def test_import_and_export_accept_open_files(store: SessionStore) -> None:
    imported = store.import_jsonl(io.BytesIO(ONE + b"\n" + TWO), version=1)
    assert imported.messages == 2
    out = io.BytesIO()
    assert store.export_jsonl(imported.session_id, out).documents == 2
    again = store.import_jsonl(io.BytesIO(out.getvalue()))
    assert store.load(again.session_id).transcript.messages == store.load(imported.session_id).transcript.messages


def test_an_exported_file_has_one_message_per_line_for_any_line_splitter(store: SessionStore, tmp_path: Path) -> None:
    session = store.create()
    odd = "a\nb\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\ud83d"
    store.append(session, [text(odd), text(odd[:-1]), text("two", metadata={odd: [odd]})])
    path = tmp_path / "out.jsonl"
    store.export_jsonl(session, path)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3
    again = store.import_jsonl(path)
    assert store.load(again.session_id).transcript.messages == store.load(session).transcript.messages


@pytest.mark.requirement("NORM-3.1.1", "NORM-3.1.2", "NORM-3.1.3", "NORM-3.1.4", "NORM-3.2.2")
def test_the_flat_export_of_a_session_has_text_contents(store: SessionStore, tmp_path: Path) -> None:
    documents = [
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "f", "arguments": '{"x":1}'}]},
        {"role": "tool", "call_id": "c1", "content": [{"type": "text", "text": "d"}]},
        {"role": "user", "content": {"no": "text"}},
    ]
    path = tmp_path / "old.jsonl"
    path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    session = store.import_jsonl(path).session_id
    flat = tmp_path / "flat.jsonl"
    exported = store.export_jsonl(session, flat, version=1)
    written = [json.loads(line) for line in flat.read_bytes().splitlines()]
    assert all(isinstance(document["content"], str) for document in written)
    assert written[1]["tool_calls"] == [{"id": "c1", "name": "f", "arguments": {"x": 1}}]
    assert written[2] == {"role": "tool", "tool_call_id": "c1", "content": "d"}
    assert exported.documents == 4
    assert store.import_jsonl(flat).coverage["assistant"] == Coverage(1, 1, 0, 0)


def test_a_failed_export_leaves_the_old_file_and_no_temporary_file(
    store: SessionStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = store.create()
    store.append(session, [text("x" * 100) for _ in range(3)])
    folder = tmp_path / "out"
    folder.mkdir()
    path = folder / "out.jsonl"
    path.write_bytes(b"old")
    with pytest.raises(il.SessionNotFoundError):
        store.export_jsonl("none", path)

    def full(_descriptor: int) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        store.export_jsonl(session, path)
    assert [(file.name, file.read_bytes()) for file in folder.iterdir()] == [("out.jsonl", b"old")]


def test_a_session_with_a_damaged_row_is_not_exported_as_complete(store: SessionStore, tmp_path: Path) -> None:
    from support.sessions import sql  # noqa: PLC0415

    session = store.create()
    store.append(session, [text("a"), text("b")])
    sql(store.path, "UPDATE messages SET document = '' WHERE number = 2")
    with pytest.raises(il.SessionDamagedError):
        store.export_jsonl(session, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
