"""The worked agent of the documentation, with real parts: it is killed twice, and goes on each time where it was."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image, ImageDraw, ImageFont

import interlingua as il
from support.provider import Provider, provider

EXAMPLES: Final = Path(__file__).parents[2] / "docs" / "examples"
PATIENCE: Final = 60.0


def chat_answer(message: dict[str, Any], reason: str) -> dict[str, Any]:
    """Return an answer of Chat Completions."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def claude_answer(block: dict[str, Any], reason: str) -> dict[str, Any]:
    """Return an answer of Claude."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    members = {"model": "m", "content": [block], "stop_reason": reason, "stop_sequence": None, "usage": usage}
    return {"id": "msg_1", "type": "message", "role": "assistant", **members}


def chat_call(identifier: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a call as Chat Completions says it."""
    return {"id": identifier, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a workspace with a plan and a picture of a sign."""
    tmp_path.joinpath("plan.md").write_text("Read the sign and write\n", encoding="utf-8")
    picture = Image.new("RGB", (420, 120), "white")
    ImageDraw.Draw(picture).text((20, 20), "STOP HERE", fill="black", font=ImageFont.load_default(64))
    picture.save(tmp_path / "sign.png")
    return tmp_path


def start(folder: Path, here: Provider) -> subprocess.Popen[str]:
    """Start the agent."""
    command = [sys.executable, str(EXAMPLES / "agent_loop.py"), str(folder), "--provider", here.url]
    command += ["--mcp", str(EXAMPLES / "mcp_server.py")]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


def run_until_it_waits(folder: Path, here: Provider, answer: str = "") -> str:
    """Run the agent until the provider has a request that it does not answer, kill it there; return what it printed."""
    here.hold()
    with start(folder, here) as process:
        assert process.stdin is not None
        process.stdin.write(answer)
        process.stdin.flush()
        arrived = here.is_waiting.wait(PATIENCE)
        process.send_signal(signal.SIGKILL)
        printed, errors = process.communicate(timeout=PATIENCE)
    assert arrived, errors
    here.is_waiting.clear()
    return printed


def test_the_example_agent_resumes_after_being_killed_and_runs_no_tool_twice(folder: Path) -> None:
    with provider() as here:
        here.answer(chat_answer({"content": None, "tool_calls": [
            chat_call("call_a", "count_words", {"path": "plan.md"}),
            chat_call("call_b", "write_note", {"text": "too early"}),
        ]}, "tool_calls"))  # fmt: skip
        run_until_it_waits(folder, here, "n\n")
        here.answer(chat_answer({"content": "Five words, and STOP HERE."}, "stop"))
        note = {"type": "tool_use", "id": "toolu_1", "name": "write_note", "input": {"text": "five"}}
        here.answer(claude_answer(note, "tool_use"))
        run_until_it_waits(folder, here, "y\n")
        here.answer(claude_answer({"type": "text", "text": "Written."}, "end_turn"))
        with start(folder, here) as process:
            printed, errors = process.communicate(timeout=PATIENCE)
            assert (process.returncode, errors) == (0, "")
    assert printed == "Written.\n"
    assert folder.joinpath("notes.txt").read_text(encoding="utf-8") == "five\n"

    dialects = ["openai_chat"] * 3 + ["claude"] * 3
    assert len(here.asked) == len(dialects)
    for body, dialect in zip(here.asked, dialects, strict=True):
        assert il.check_request(body, dialect) == []
    # What was killed while it waited asks again, word for word.
    assert here.asked[1] == here.asked[2]
    assert here.asked[4] == here.asked[5]

    first, last = json.dumps(here.asked[0]), json.dumps(here.asked[-1])
    for said in ("Read the sign and write", "STOP HERE", "Answer in one short sentence.", "Plan only"):
        assert said in first
    assert "Plan only" not in last
    assert "Carry the plan out" in last
    results = {message["tool_call_id"]: message["content"] for message in here.asked[2]["messages"][-2:]}
    assert results["call_a"] == "5"
    assert "written" not in results["call_b"]

    with il.SessionStore(folder / "sessions.db", create=False) as store:
        assert store.check() == []
        kept = store.load("demo")
    assert kept.skipped == ()
    assert [control.data.control.kind for control in kept.transcript.controls] == ["mode_change", "mode_change"]
    requests = [message for message in kept.transcript if isinstance(message, il.ToolRequestMessage)]
    calls = [call for message in requests for call in message.data.calls]
    decided = [(one.call.name, one.approval.status, one.approval.decided_by) for one in calls]
    assert decided == [
        ("count_words", "approved", "policy"),
        ("write_note", "denied", "person"),
        ("write_note", "approved", "person"),
    ]
