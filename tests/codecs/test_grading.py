"""`python -m interlingua.vectors` against real proxies on this machine: right ones, and such as make mistakes."""

from __future__ import annotations

import json
import socket
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.vectors import KINDS, grade, summary
from interlingua.vectors.__main__ import main
from interlingua.vectors.addresses import SERVED
from interlingua.vectors.upstream import upstream
from support.proxy import proxy

RING: Final = [(one, SERVED[(at + 1) % len(SERVED)]) for at, one in enumerate(SERVED)]


@pytest.mark.parametrize(
    ("client", "provider"), [*RING, *((one, "claude") for one in SERVED if one != "openai_responses")]
)
def test_a_proxy_made_of_exchanges_passes_every_vector(client: str, provider: str) -> None:
    with upstream(provider) as behind, proxy(client, provider, behind.port) as url:
        found = list(grade(url, client, behind))
    wrong = {one.vector.given.id: one.judgement for one in found if one.judgement.verdict in {"different", "failed"}}
    assert wrong == {}
    assert {one.kind for one in summary(found)} == set(KINDS)
    assert sum(one.judgement.verdict == "equal" for one in found) > 40
    assert len(found) > 50


def swapped(data: bytes) -> bytes:
    return data.replace(b"degrees", b"dollars")


def test_a_proxy_that_changes_a_text_fails(capsys: pytest.CaptureFixture[str]) -> None:
    with upstream("claude") as behind, proxy("openai_chat", "claude", behind.port, swapped) as url:
        found = list(grade(url, "openai_chat", behind))
    wrong = {one.vector.given.id for one in found if one.judgement.verdict == "different"}
    assert {"answer_text", "answer_usage"} <= wrong
    assert "answer_call" not in wrong
    assert capsys.readouterr().out == ""


def test_a_proxy_that_answers_in_html_fails() -> None:
    with upstream("claude") as behind, proxy("openai_chat", "claude", behind.port, lambda _: b"<html>") as url:
        found = list(grade(url, "openai_chat", behind))
    verdicts = {one.judgement.verdict for one in found if one.vector.given.kind in {"response", "stream"}}
    assert verdicts == {"failed"}
    assert {one.judgement.verdict for one in found if one.vector.given.kind == "request"} == {"equal"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def graded(arguments: list[str], spoil: Any = None) -> int:
    port = free_port()
    where = ["--speak", "openai_chat", "--backend", "gemini", "--listen", f"127.0.0.1:{port}", *arguments]
    with proxy("openai_chat", "gemini", port, *([spoil] if spoil else [])) as url:
        return main([url, *where])


def test_the_program_prints_a_table_and_exits_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert graded([]) == 0
    *rows, last = capsys.readouterr().out.splitlines()
    assert rows[0].split() == ["kind", "equal", "equivalent", "different", "failed"]
    assert [row.split()[0] for row in rows[1:]] == list(KINDS)
    good, of, many, *_ = last.split()
    assert (good, of) == (many, "of")


def test_the_program_names_differing_paths_and_no_content(capsys: pytest.CaptureFixture[str]) -> None:
    assert graded([], swapped) == 1
    out = capsys.readouterr().out
    assert "different: gemini -> openai_chat, response answer_text: /messages/0/content" in out
    assert "dollars" not in out
    assert graded(["--json"], swapped) == 1
    found = json.loads(capsys.readouterr().out)
    assert {"id", "kind", "source", "target", "verdict", "places"} == found[0].keys()
    assert any(one["verdict"] == "different" for one in found)


def test_the_program_reports_unsupported_options(capsys: pytest.CaptureFixture[str]) -> None:
    listen = ["--listen", "127.0.0.1:0"]
    assert main([f"http://127.0.0.1:{free_port()}", "--speak", "claude", "--backend", "ollama", *listen]) == 2
    assert capsys.readouterr().err.startswith("error: ")
    with pytest.raises(SystemExit):
        main(["http://127.0.0.1:1", "--speak", "bedrock_converse", "--backend", "ollama"])
    for address in ("localhost", "localhost:http", "localhost:65536"):
        with pytest.raises(SystemExit):
            main(["http://127.0.0.1:1", "--speak", "claude", "--backend", "ollama", "--listen", address])
        assert "expected HOST:PORT" in capsys.readouterr().err
    with upstream("bedrock_converse") as behind, pytest.raises(il.UnsupportedError):
        list(grade("http://127.0.0.1:1", "claude", behind))
