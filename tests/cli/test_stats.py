"""`interlingua stats`: what is in a pile of logs, counted."""

import json
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from support.program import run

TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
REQUEST: dict[str, Any] = {
    "model": "gpt-5.6",
    "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": None, "tool_calls": [CALL]}],
    "tools": [TOOL],
    "seed": 7,
}
ANSWER: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-opus-5",
    "content": [{"type": "text", "text": "Hello"}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 1_200, "output_tokens": 34},
}
FRAMES: list[dict[str, Any]] = [
    {"model": "llama", "message": {"role": "assistant", "content": "Hel"}, "done": False},
    {"model": "llama", "message": {"role": "assistant", "content": "lo"}, "done": True, "done_reason": "stop",
     "prompt_eval_count": 5, "eval_count": 6},
]  # fmt: skip


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    """Return a folder of logs of every kind."""
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in (REQUEST, ANSWER, REQUEST)))
    (tmp_path / "b.ndjson").write_text("".join(f"{json.dumps(one)}\n" for one in FRAMES))
    (tmp_path / "c.json").write_text(json.dumps(il.dump_message(il.messages.user("Hi"))))
    return tmp_path


def test_logged_bodies_are_counted(pile: Path) -> None:
    done = run("stats", "--json", pile)
    assert done.code == 0
    (counted,) = done.bodies
    assert counted["files"] == 3
    assert counted["unreadable"] == 0
    assert counted["kinds"] == {"request": 2, "response": 1, "stream": 1, "message": 1}
    assert counted["dialects"] == {"openai_chat": 2, "claude": 1, "ollama": 1}
    assert counted["models"] == {"gpt-5.6": 2, "claude-opus-5": 1, "llama": 1}
    assert counted["tools"] == {"look": {"offered": 2, "called": 2}}
    assert counted["tokens"] == {"answers": 2, "input": 1_205, "output": 40}
    assert "losses" not in counted


def test_requests_that_providers_would_refuse_are_counted_by_violation(pile: Path) -> None:
    (counted,) = run("stats", "--json", pile).bodies
    expected = [(one.code, one.path) for one in il.check_request(REQUEST, "openai_chat")]
    assert counted["refused"] == 2
    assert [(one["dialect"], one["code"], one["count"]) for one in counted["violations"]] == [
        ("openai_chat", code, 2) for code, _ in expected
    ]
    assert expected


def test_losses_towards_a_target_are_those_of_the_translations(pile: Path) -> None:
    (counted,) = run("stats", "--json", "--to", "gemini", pile).bodies
    losses = [
        *il.translate_request(REQUEST, "openai_chat", "gemini").losses * 2,
        *il.translate_response(ANSWER, "claude", "gemini").losses,
    ]
    stream = il.translate_stream(FRAMES, "ollama", "gemini")
    assert list(stream)
    assert counted["losses"]["to"] == "gemini"
    assert counted["losses"]["bodies"] == 4
    assert sum(kind["count"] for kind in counted["losses"]["kinds"]) == len([*losses, *stream.losses])


def test_the_text_output_is_in_plain_words(pile: Path) -> None:
    done = run("stats", "--to", "claude", pile)
    lines = done.out.decode().splitlines()
    assert lines[0] == "files       3, with 5 documents"
    assert "tokens      1,205 in, 40 out, in 2 answers with usage" in lines
    assert "violations  2 of 2 requests would be refused" in lines
    assert any(line.startswith("losses      ") and line.endswith("would lose something in claude") for line in lines)


def test_unreadable_input_is_reported_and_the_rest_is_counted(pile: Path) -> None:
    (pile / "d.jsonl").write_text('{"model": \n')
    done = run("stats", "--json", pile)
    assert done.code == 3
    assert [one["kinds"]["request"] for one in done.bodies] == [2]
    assert done.bodies[0]["unreadable"] == 1
    assert "d.jsonl" in done.err


def test_the_number_of_counted_names_is_limited(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text("".join(f"{json.dumps({**REQUEST, 'model': f'm{number}'})}\n" for number in range(1_100)))
    (counted,) = run("stats", "--json", path).bodies
    assert len(counted["models"]) == 1_001
    assert counted["models"]["(others)"] == 100
