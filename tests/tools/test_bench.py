"""The benchmark runs, and its table has every row. What it measures is no business of a test: machines differ."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest

import bench
from benchmark import cases, peers, right, table
from benchmark.table import Row

WITHOUT_CORPUS = cases.GROUPS.keys() - {"recorded"}


def measured(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    monkeypatch.setenv("INTERLINGUA_CORPUS", str(Path(__file__).parent / "no_corpus_here"))
    monkeypatch.delenv("INTERLINGUA_PEERS", raising=False)
    bench.main(["--rounds", "1", "--quick", *arguments])
    return capsys.readouterr().out


def test_every_group_has_rows_and_every_row_a_figure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[dict[str, Any]] = json.loads(measured(capsys, monkeypatch, "--json"))
    assert {row["group"] for row in rows} == WITHOUT_CORPUS
    assert all(math.isfinite(row["value"]) and row["value"] > 0 for row in rows)
    shown = {(row["group"], row["case"]) for row in rows}
    across = {("requests", f"openai_chat -> {target}") for target in ("claude", "gemini", "openai_responses")}
    home = {("requests", f"within {dialect}") for dialect in ("openai_chat", "claude", "gemini", "ollama", "vllm")}
    made = {("models", f"{verb} a ToolCall") for verb in ("make", "write", "read")}
    assert across | home | made <= shown
    assert {row["size"] for row in rows if row["group"] == "sizes"} == {"40 messages", "80 messages"}
    assert len({row["size"] for row in rows if row["group"] == "streams"}) == 2


def test_a_group_can_be_measured_separately_and_is_shown_as_a_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    head, group, *rows = measured(capsys, monkeypatch, "stored").splitlines()
    assert head.split()[:4] == ["case", "size", "plain", "Python"]  # the sources are run, no compiled wheel
    assert group == "STORED"
    assert [row.split("  ")[1] for row in rows] == [
        "load, each message from bytes",
        "dump, each message to bytes",
        "load version 1",
    ]


ADAPTER = """
def convert_openai_to_anthropic(request):
    print("what a peer prints is no answer")
    return {"model": "m", "max_tokens": 1, "messages": request["messages"]}

def stream_anthropic_to_openai(events):
    raise ValueError
"""


def test_a_peer_runs_in_a_separate_process_and_counts_only_with_correct_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, adapter in (("litellm", ADAPTER), ("anyllm", "raise ImportError")):
        python = tmp_path / f"venv-{name}" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.symlink_to(sys.executable)
        (tmp_path / f"bench_{name}.py").write_text(adapter)
    monkeypatch.setenv("INTERLINGUA_PEERS", str(tmp_path))
    monkeypatch.setenv("INTERLINGUA_PEER_ADAPTERS", str(tmp_path))
    body = b'{"model": "m", "messages": [{"role": "user", "content": "x"}]}'
    operation = cases.REQUEST_OPERATIONS["claude"]
    with peers.running() as running:
        assert {peer.name for peer in running} == {"litellm", "anyllm"}
        right_ones, note = peers.converting(running, operation, body, lambda output: output["messages"] != [])
        assert ([peer.name for peer in right_ones], note) == (["litellm"], "")
        assert 0 < right_ones[0].run(3) < math.inf
        wrong = peers.converting(running, operation, body, lambda output: output["messages"] == [])
        assert wrong == ([], "not right: litellm")
        assert peers.converting(running, cases.STREAM_OPERATION, b"[]", lambda _: True) == ([], "")


def test_an_unknown_group_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bench.main(["nothing"])
    assert "no such group: nothing" in capsys.readouterr().err


def test_a_row_passes_within_its_limit_and_against_its_peer() -> None:
    assert Row("g", "c", "", 4.0, must=4.5).holds is True
    assert Row("g", "c", "", 5.0, must=4.5).holds is False
    assert Row("g", "c", "", 5.0).holds is None
    assert Row("g", "c", "", 4.0, must=4.5, peer="p", beside_peer=2.9).holds is False
    assert Row("g", "c", "", 99.0, peer="p", beside_peer=3.0).holds is True


def test_the_table_shows_the_figure_of_the_peer_or_why_there_is_none() -> None:
    shown = table.as_text([
        Row("g", "one", "", 4.0, must=4.5, peer="fast", beside_peer=3.5),
        Row("g", "two", "", 4.0, note="not right: slow"),
    ], compiled=True)  # fmt: skip
    assert shown.splitlines()[0].split()[2] == "compiled"
    assert "fast" in shown.splitlines()[2]
    assert "not right: slow" in shown.splitlines()[3]


def test_a_peer_that_modifies_its_argument_is_not_correct() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    ours = {"model": "m", "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": [call]}]}
    renamed = json.loads(json.dumps(ours).replace("call_1", "call_2").replace('{\\"a\\": 1}', '{\\"a\\":1}'))
    changed = json.loads(json.dumps(ours).replace('{\\"a\\": 1}', '{\\"a\\": 2}'))
    assert right.says_the_same_request(renamed, ours, "openai_chat")
    assert not right.says_the_same_request(changed, ours, "openai_chat")
    assert not right.says_the_same_request({"messages": 1}, ours, "openai_chat")
