"""Whatever comes in: one clear line without content, the documented code, and never a traceback."""

import json
import os
from pathlib import Path

import pytest

from interlingua.strict_json import MAX_BYTES, MAX_DEPTH
from support.program import AT_HOME, TO_CLAUDE, Ran, body, run

CONTENT = "tell nobody"


def nested(depth: int) -> bytes:
    return body(CONTENT).rstrip()[:-1] + b',"x":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}\n"


def assert_refused(done: Ran) -> None:
    assert (done.code, done.out) == (3, b"")
    assert done.err.splitlines() == done.findings
    assert len(done.findings) == 1
    assert CONTENT not in done.err


HOSTILE = {
    "an empty file": b"",
    "nothing but blanks": b" \n\t\r\n",
    "a body that is none": body(CONTENT).replace(b'"user"', b"5"),
    "no messages": json.dumps({"model": CONTENT}).encode(),
    "no object": json.dumps(CONTENT).encode(),
    "a number": b"5",
    "null": b"null",
    "truncated": body(CONTENT)[:-5],
    "truncated, over several lines": json.dumps(json.loads(body(CONTENT)), indent=1).encode()[:-8],
    "two values on a line": body(CONTENT).strip() * 2,
    "no JSON": CONTENT.encode(),
    "NaN": body(CONTENT).replace(b'"m"', b"NaN"),
    "infinity": body(CONTENT).replace(b'"m"', b"-Infinity"),
    "a number beyond all": body(CONTENT).replace(b'"m"', b"1e999"),
    "an integer beyond all": body(CONTENT).replace(b'"m"', b"9" * 5000),
    "half a surrogate pair, escaped": body(CONTENT).replace(b"nobody", b"nobody\\ud800"),
    "half a surrogate pair, as bytes": body(CONTENT).replace(b"nobody", b"nobody\xed\xa0\x80"),
    "bytes that are no UTF-8": body(CONTENT).replace(b"nobody", b"nobody\xff"),
    "a control character": body(CONTENT).replace(b"nobody", b"nobody\x00"),
    "a byte order mark within": b"\n[\xef\xbb\xbf" + body(CONTENT),
    "UTF-16": body(CONTENT).decode().encode("utf-16"),
    "1,000 deep": nested(1000),
    "100,000 deep": nested(100_000),
    "1,000 deep and no object": b"[" * 1000 + b"]" * 1000,
    "100,000 deep and never closed": b'{"a":' * 100_000,
    "one level too deep": nested(MAX_DEPTH + 1),
    "a string of 50 MB": body(CONTENT * (50_000_000 // len(CONTENT))),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_input_is_refused_with_one_line(content: bytes) -> None:
    assert_refused(run(*TO_CLAUDE, "-", stdin=content))


@pytest.mark.parametrize("command", ["validate", "upgrade", "downgrade"])
@pytest.mark.parametrize("name", ["an empty file", "NaN", "UTF-16", "1,000 deep", "truncated"])
def test_every_command_refuses_hostile_input_in_the_same_way(command: str, name: str) -> None:
    assert_refused(run(command, "-", stdin=HOSTILE[name]))


@pytest.mark.parametrize("command", ["upgrade", "downgrade"])
@pytest.mark.parametrize("document", [b"5", b"null", b'"tell nobody"', b'{"role":"tell nobody"}', b"{}"])
def test_input_that_is_not_a_message_is_refused_with_one_line(command: str, document: bytes) -> None:
    assert_refused(run(command, "-", stdin=document))


@pytest.mark.parametrize("dialect", ["openai_chat", "claude"])
def test_the_deepest_accepted_nesting_is_written_completely(dialect: str) -> None:
    content = nested(MAX_DEPTH)
    done = run("translate", "--from", dialect, "--to", dialect, "-", stdin=content)
    assert (done.code, done.bodies) == (0, [json.loads(content)])


def test_the_byte_limit_can_be_raised() -> None:
    content = body("x" * (MAX_BYTES + 1))
    done = run(*AT_HOME, "--max-bytes", "50000000", "-", stdin=content)
    assert (done.code, done.bodies) == (0, [json.loads(content)])


@pytest.mark.parametrize("number", [2**63, 2**64, -(2**63) - 1, 10**30, -(10**308)])
def test_integers_of_any_size_are_written_unchanged(number: int) -> None:
    content = body(seed=number, max_tokens=1)
    done = run(*AT_HOME, "-", stdin=content)
    assert (done.code, done.bodies) == (0, [json.loads(content)])
    assert type(done.bodies[0]["seed"]) is int


def test_long_digit_strings_in_texts_and_fractions_are_unchanged() -> None:
    content = body("1234567890123456789012345", temperature=0.12345678901234567890123)
    assert run(*AT_HOME, "-", stdin=content).bodies == [json.loads(content)]


def test_of_duplicate_member_names_the_last_one_counts() -> None:
    content = body().replace(b'"model"', b'"model": "first", "model"')
    assert run(*AT_HOME, "-", stdin=content).bodies == [json.loads(body())]


def test_output_is_utf_8_in_any_locale() -> None:
    content = body("žluťoučký 🐎 \u2028 \u0000 é")
    done = run(*AT_HOME, "-", stdin=content, LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.code, done.bodies) == (0, [json.loads(content)])
    assert "🐎".encode() in done.out


def test_a_member_name_in_a_path_cannot_send_control_codes_or_break_a_line() -> None:
    done = run(*TO_CLAUDE, "-", stdin=body(**{"\x1b[31m\n[red]\t\u202e": 1}))
    assert "\x1b" not in done.err
    assert "\u202e" not in done.err
    assert {len(row) for row in done.rows} == {5}
    assert "/extra/openai_chat/fields/\\x1b[31m\\n[red]\\t\\u202e" in {row[3] for row in done.rows}


def test_a_missing_file_is_one_error_line(tmp_path: Path) -> None:
    done = run(*TO_CLAUDE, tmp_path / "not\nthere")
    assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)


def test_a_folder_is_one_error_line(tmp_path: Path) -> None:
    done = run(*TO_CLAUDE, tmp_path)
    assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)


def test_a_file_that_becomes_unreadable_is_one_error_line() -> None:
    # Reading one's own memory from address 0 is refused, even for the administrator.
    path = Path("/proc/self/mem")
    if os.name == "posix" and path.exists():
        done = run(*TO_CLAUDE, path)
        assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)


def test_of_several_failures_the_highest_exit_code_is_returned() -> None:
    done = run(*TO_CLAUDE, "--strict", "-", stdin=b"{}\n" + body(seed=1))
    assert (done.code, done.out) == (3, b"")
