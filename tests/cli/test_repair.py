"""`interlingua repair`: what comes out, and what is told."""

import json
from pathlib import Path

import pytest

import interlingua as il
from support.program import run

CALL = {"id": "a", "type": "function", "function": {"name": "look_up", "arguments": '{"secret": "s3cr3t"}'}}
WHOLE = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}
BROKEN = {
    "model": "m",
    "messages": [
        {"role": "user", "content": "s3cr3t"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "user", "content": "And?"},
    ],
}
REPAIR = ("repair", "--dialect", "openai_chat")


def lines(*bodies: object) -> bytes:
    return b"".join(json.dumps(body).encode() + b"\n" for body in bodies)


def test_a_valid_body_is_written_unchanged_and_nothing_is_reported() -> None:
    done = run(*REPAIR, "-", stdin=lines(WHOLE))
    assert (done.code, done.bodies, done.err) == (0, [WHOLE], "")


def test_a_broken_body_is_repaired_and_the_repairs_are_reported_without_content() -> None:
    done = run(*REPAIR, "-", stdin=lines(WHOLE, BROKEN))
    assert done.code == 0
    assert done.bodies[0] == WHOLE
    assert il.check_request(done.bodies[1], "openai_chat") == []
    assert done.rows[0][:4] == ["2", "inserted", "unanswered_call", "/messages/1/tool_calls/0"]
    assert "s3cr3t" not in done.err


def test_the_output_equals_that_of_the_library_function() -> None:
    done = run(*REPAIR, "--quiet", "-", stdin=lines(BROKEN))
    repaired = il.repair_request(il.decode_request(BROKEN, "openai_chat"), "openai_chat")
    assert done.bodies == [il.encode_request(repaired.request, "openai_chat").body]
    assert done.err == ""


def test_the_repairs_are_written_to_a_file_too(tmp_path: Path) -> None:
    file = tmp_path / "repairs.json"
    run(*REPAIR, "--quiet", "--repairs", file, "-", stdin=lines(BROKEN))
    first = json.loads(file.read_text(encoding="utf-8"))[0]
    assert (first["body"], first["code"], first["severity"]) == (1, "unanswered_call", "inserted")


def test_a_repaired_body_needs_no_second_repair() -> None:
    once = run(*REPAIR, "--quiet", "-", stdin=lines(BROKEN))
    twice = run(*REPAIR, "-", stdin=once.out)
    assert (twice.out, twice.err) == (once.out, "")


@pytest.mark.parametrize("text", [b"[]\n", b'{"messages": 5}\n', b"no JSON\n", b""])
def test_input_that_is_not_a_body_is_reported_and_sets_the_exit_code(text: bytes) -> None:
    done = run(*REPAIR, "-", stdin=text)
    assert (done.code, done.out, len(done.findings)) == (3, b"", 1)


def test_other_lines_are_processed_if_one_is_not_a_body() -> None:
    done = run(*REPAIR, "-", stdin=lines(WHOLE, 5, WHOLE))
    assert (done.code, done.bodies) == (3, [WHOLE, WHOLE])


def test_an_unknown_dialect_is_a_usage_error() -> None:
    assert run("repair", "--dialect", "latin", "-", stdin=lines(WHOLE)).code == 2
