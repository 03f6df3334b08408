"""Where losses go: a table on standard error, a JSON file on demand."""

import json
from pathlib import Path

import pytest

import interlingua as il
from support.program import AT_HOME, TO_CLAUDE, body, run

REQUEST = json.loads(body(seed=1, store=True))


def expected() -> list[dict[str, object]]:
    losses = il.translate_request(REQUEST, "openai_chat", "claude").losses
    return [
        {
            "file": "<stdin>",
            "body": 1,
            "concern": one.concern,
            "severity": one.severity,
            "code": one.code,
            "path": one.path,
            "detail": one.detail,
        }
        for one in losses
    ]


def test_the_loss_table_is_plain_and_stable_without_a_terminal() -> None:
    done = run(*TO_CLAUDE, "-", stdin=json.dumps(REQUEST).encode(), FORCE_COLOR="1", COLUMNS="20")
    header, *rows = [line.split("\t") for line in done.err.splitlines()]
    assert header == ["file", "body", "concern", "severity", "code", "path", "detail"]
    assert sorted(rows) == sorted([str(one[name]) for name in header] for one in expected())


CONTENT, TUNING = "content", "tuning"
SOUND = {"type": "input_audio", "input_audio": {"data": "", "format": "mp3"}}
SOUNDS = {"role": "user", "content": [{"type": "text", "text": "Hello"}, *[SOUND] * 30]}


def test_many_losses_are_summarised_by_kind_with_the_most_severe_first(tmp_path: Path) -> None:
    request = json.dumps({"model": "m", "messages": [SOUNDS], "seed": 1}).encode()
    path = tmp_path / "losses.json"
    done = run(*TO_CLAUDE, "--losses", path, "-", stdin=request)
    kinds = il.translate_request(json.loads(request), "openai_chat", "claude").report().rows
    assert [row[1:4] for row in done.rows] == [[kind.severity, kind.code, kind.path] for kind in kinds]
    assert kinds[0].concern == CONTENT
    assert any(row[3] == "/messages/*/content/*" and row[4].startswith("30 times: ") for row in done.rows)
    assert len(json.loads(path.read_text(encoding="utf-8"))) > len(done.rows)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--strict"], 1),
        (["--strict", "true"], 1),
        (["--strict=all"], 1),
        (["--strict", "content,contract"], 0),
        (["--strict", "tuning"], 1),
        (["--strict", "none"], 0),
        (["--strict", "some"], 2),
    ],
)
def test_strict_accepts_the_concerns_that_must_not_be_lost(words: list[str], code: int, tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_bytes(body(seed=1))
    losses = il.translate_request(json.loads(body(seed=1)), "openai_chat", "claude").losses
    assert {one.concern for one in losses if one.severity == "lost"} == {TUNING}
    assert run(*TO_CLAUDE, *words, path).code == code


def test_quiet_hides_the_table_but_not_failures() -> None:
    done = run(*TO_CLAUDE, "--quiet", "-", stdin=body(seed=1) + b"{}")
    assert (done.code, done.err.splitlines(), len(done.bodies)) == (3, done.findings, 1)


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_the_loss_file_has_every_loss_as_json(quiet: list[str], tmp_path: Path) -> None:
    path = tmp_path / "losses.json"
    done = run(*TO_CLAUDE, *quiet, "--losses", path, "-", stdin=json.dumps(REQUEST).encode())
    assert done.code == 0
    assert json.loads(path.read_text(encoding="utf-8")) == expected()


def test_the_loss_file_identifies_bodies_by_line(tmp_path: Path) -> None:
    path = tmp_path / "losses.json"
    run(*TO_CLAUDE, "--losses", path, "-", stdin=body() + b"\n{}\n" + body(max_tokens=1) + body())
    assert [one["body"] for one in json.loads(path.read_text(encoding="utf-8"))] == [1, 5]


def test_the_loss_file_is_an_empty_array_without_losses(tmp_path: Path) -> None:
    path = tmp_path / "losses.json"
    run(*AT_HOME, "--losses", path, "-", stdin=body())
    assert json.loads(path.read_text(encoding="utf-8")) == []


def test_the_loss_file_includes_losses_of_bodies_refused_by_strict(tmp_path: Path) -> None:
    path = tmp_path / "losses.json"
    done = run(*TO_CLAUDE, "--strict", "--losses", path, "-", stdin=json.dumps(REQUEST).encode())
    assert (done.code, done.out) == (1, b"")
    told = json.loads(path.read_text(encoding="utf-8"))
    assert sorted(told, key=str) == sorted(expected(), key=str)


def test_the_loss_file_cannot_be_the_input_file(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_bytes(body())
    done = run(*TO_CLAUDE, "--losses", path, path)
    assert (done.code, done.out, len(done.findings)) == (2, b"", 1)
    assert path.read_bytes() == body()


def test_a_loss_file_that_cannot_be_written_is_one_error_line(tmp_path: Path) -> None:
    done = run(*TO_CLAUDE, "--losses", tmp_path, "-", stdin=body())
    assert (done.code, done.out, len(done.findings)) == (2, b"", 1)


def test_a_missing_input_leaves_the_loss_file_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "losses.json"
    path.write_text("kept", encoding="utf-8")
    assert run(*TO_CLAUDE, "--losses", path, tmp_path / "missing").code == 2
    assert path.read_text(encoding="utf-8") == "kept"
