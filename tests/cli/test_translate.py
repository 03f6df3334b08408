"""`interlingua translate`: what comes out, and what its options do."""

import json
from pathlib import Path

import pytest

import interlingua as il
from support import corpus
from support.program import AT_HOME, TO_CLAUDE, body, run

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_a_request_becomes_one_compact_line() -> None:
    path = EXAMPLES / "agent_request.json"
    done = run(*TO_CLAUDE, path)
    expected = il.translate_request(json.loads(path.read_text(encoding="utf-8")), "openai_chat", "claude").body
    assert done.code == 0
    assert done.out == json.dumps(expected, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def test_within_a_dialect_a_body_is_unchanged_and_has_no_losses() -> None:
    path = EXAMPLES / "weather_request.json"
    done = run(*AT_HOME, path)
    assert (done.code, done.err) == (0, "")
    assert done.bodies == [json.loads(path.read_text(encoding="utf-8"))]


def test_a_response_is_translated_with_the_kind_option() -> None:
    path = EXAMPLES / "weather_response.json"
    done = run(*TO_CLAUDE, "--kind", "response", path)
    assert done.code == 0
    assert done.bodies[0]["type"] == "message"


def test_the_model_option_replaces_the_model() -> None:
    done = run(*TO_CLAUDE, "--model", "claude-opus-5", "-", stdin=body())
    assert done.bodies[0]["model"] == "claude-opus-5"


@pytest.mark.parametrize(
    ("given", "member", "expected"),
    [
        ("max_tokens=1000", "max_tokens", 1000),
        ('stop=["a","b"]', "stop_sequences", ["a", "b"]),
        ("user=plain text", "metadata", {"user_id": "plain text"}),
        ('user="quoted"', "metadata", {"user_id": "quoted"}),
        ("user=a=b", "metadata", {"user_id": "a=b"}),
    ],
)
def test_the_value_of_a_default_is_json_or_else_text(given: str, member: str, expected: object) -> None:
    done = run(*TO_CLAUDE, "--default", given, "-", stdin=body())
    assert (done.code, done.bodies[0][member]) == (0, expected)


def test_a_default_fills_only_absent_members() -> None:
    done = run(*TO_CLAUDE, "--default", "max_tokens=1000", "-", stdin=body(max_tokens=5) + body())
    assert [one["max_tokens"] for one in done.bodies] == [5, 1000]
    assert done.rows == []


def test_several_defaults_may_be_given() -> None:
    done = run(*TO_CLAUDE, "--default", "max_tokens=7", "--default", "user=me", "-", stdin=body())
    assert (done.bodies[0]["max_tokens"], done.bodies[0]["metadata"]) == (7, {"user_id": "me"})


def test_the_api_version_determines_the_losses() -> None:
    request = body(temperature=0.5, max_tokens=1)
    newest, older = (
        run(*TO_CLAUDE, "-", stdin=request),
        run(*TO_CLAUDE, "--api-version", "2023-06-01", "-", stdin=request),
    )
    assert [row[3] for row in newest.rows] == ["/temperature"]
    assert (older.rows, older.bodies[0]["temperature"]) == ([], 0.5)


def test_strict_leaves_out_bodies_with_losses_and_writes_the_others() -> None:
    done = run(*TO_CLAUDE, "--strict", "-", stdin=body(seed=1) + body("kept"))
    assert done.code == 1
    assert [one["messages"][0]["content"] for one in done.bodies] == ["kept"]
    assert [finding.split(":")[1:3] for finding in done.findings] == [[" <stdin>", "1"]]
    assert [row[:4] for row in done.rows] == [
        ["1", "filled", "required", "/max_tokens"],
        ["1", "lost", "setting", "/seed"],
        ["2", "filled", "required", "/max_tokens"],
    ]


def test_strict_ignores_filled_members() -> None:
    done = run(*TO_CLAUDE, "--strict", "-", stdin=body())
    assert (done.code, len(done.bodies)) == (0, 1)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("translate",),
        ("translate", "-"),
        ("nonsense",),
        (*TO_CLAUDE, "--nonsense", "-"),
        ("translate", "--from", "nonsense", "--to", "claude", "-"),
        ("translate", "--from", "claude", "--to", "nonsense", "-"),
        (*TO_CLAUDE, "--kind", "nonsense", "-"),
        (*TO_CLAUDE, "--kind", "response", "--model", "m", "-"),
        (*TO_CLAUDE, "--kind", "response", "--default", "model=m", "-"),
        (*TO_CLAUDE, "--kind", "response", "--api-version", "2023-06-01", "-"),
        (*TO_CLAUDE, "--api-version", "1999-01-01", "-"),
        (*TO_CLAUDE, "--default", "max_tokens", "-"),
        (*TO_CLAUDE, "--default", "=1", "-"),
        (*TO_CLAUDE, "--default", "max_tokens=many", "-"),
        (*TO_CLAUDE, "--default", "nonsense=1", "-"),
        (*TO_CLAUDE, "--max-bytes", "0", "-"),
        (*TO_CLAUDE, "one", "two"),
    ],
)
def test_a_usage_error_has_its_exit_code_and_writes_nothing_to_standard_output(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, stdin=body())
    assert (done.code, done.out) == (2, b"")
    assert done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", [(), ("translate",), ("validate",), ("upgrade",), ("downgrade",)])
def test_help_documents_the_exit_codes(command: tuple[str, ...]) -> None:
    done = run(*command, "--help")
    assert done.code == 0
    shown = [line.split()[0] for line in done.out.decode().split("Exit codes:")[1].splitlines() if line.strip()]
    assert shown[:4] == ["0", "1", "2", "3"]


def test_the_version_is_shown() -> None:
    assert run("--version").out.decode() == f"interlingua {il.__version__}\n"


@pytest.mark.corpus
def test_every_request_of_the_corpus_is_translated_in_one_run(tmp_path: Path) -> None:
    bodies = [json.dumps(line["body"]) for line in corpus.lines("openai_chat", "request")]
    path = tmp_path / "requests.jsonl"
    path.write_text("\n".join(bodies), encoding="utf-8")
    done = run(*TO_CLAUDE, path)
    assert (done.code, done.findings) == (0, [])
    assert len(done.bodies) == len(bodies)
    assert all("messages" in one for one in done.bodies)


def test_a_misspelt_request_member_is_a_remark_and_changes_nothing() -> None:
    done = run(*AT_HOME, "-", stdin=body(temprature=1))
    assert (done.code, done.bodies[0]["temprature"]) == (0, 1)
    assert done.err.endswith("refuses this member, which it does not know; did you mean 'temperature'?\n")
    assert run(*AT_HOME, "--quiet", "-", stdin=body(temprature=1)).err == ""
