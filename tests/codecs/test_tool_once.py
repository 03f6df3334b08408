"""A call that was executed is never executed again: not after a crash, and not after a migration."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from interlingua.model import ToolRequestMessage, ToolResultMessage
from interlingua.tools import DecideBy, Tool, ToolExecutor, apply_policy, pending_calls
from support.calls import approved, codes

WAIT = 60.0

PROGRAM = """
import os, signal, sys
from pathlib import Path
import interlingua as il
from interlingua.tools import Tool, ToolExecutor

store, effects = Path(sys.argv[1]), Path(sys.argv[2])

def pay(number: int) -> str:
    "Pay; the second time, the process dies before it can say so."
    with effects.open("a") as file:
        file.write(f"{number}\\n")
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return "paid"

(message,) = il.load_message(store.read_bytes())
results = store.with_suffix(".results")
with results.open("ab") as file:
    def keep(result):
        file.write(il.dump_message_json(result) + b"\\n")
        file.flush()
    ToolExecutor([Tool.from_function(pay)]).run(
        message, on_start=lambda marked: store.write_bytes(il.dump_message_json(marked)), on_result=keep
    )
"""


def pay_tool(paid: list[int]) -> Tool:
    def pay(number: int) -> str:
        """Pay."""
        paid.append(number)
        return "paid"

    return Tool.from_function(pay)


def request_in(messages: Any) -> ToolRequestMessage:
    (found,) = (one for one in messages if isinstance(one, ToolRequestMessage))
    return found


def test_a_call_interrupted_by_a_killed_process_is_reported_and_the_others_continue(tmp_path: Path) -> None:
    store, effects = tmp_path / "request.json", tmp_path / "effects"
    store.write_bytes(il.dump_message_json(approved(*(("pay", {"number": number}) for number in range(1, 5)))))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.run([sys.executable, "-c", PROGRAM, store, effects], env=environment, timeout=WAIT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert effects.read_text(encoding="utf-8") == "1\n2\n"

    lines = store.with_suffix(".results").read_bytes().splitlines()
    told = [one for line in lines for one in il.load_message(line) if isinstance(one, ToolResultMessage)]
    assert codes(told) == [None]
    paid: list[int] = []
    message = request_in(il.load_message(store.read_bytes()))
    results = ToolExecutor([pay_tool(paid)]).run(message, answered={str(one.data.call_id) for one in told})
    assert codes(results) == ["interrupted", None, None]
    assert paid == [3, 4]


@pytest.mark.parametrize("version", [1, 2])
def test_an_answered_call_is_still_answered_after_a_migration_and_does_not_run_again(version: int) -> None:
    paid: list[int] = []
    executor = ToolExecutor([pay_tool(paid)])
    message = approved(("pay", {"number": 1}))
    stored: list[ToolRequestMessage] = []
    results = executor.run(message, on_start=stored.append)
    documents = [il.dump_message(stored[-1]), *(il.dump_message(one) for one in results)]
    older = il.downgrade(documents, to=version)
    again = il.load_messages(older.documents, version=version).messages
    answered = {str(one.data.call_id) for one in again if isinstance(one, ToolResultMessage)}
    request = request_in(again)
    assert request.data.calls[0].approval.status == "approved"
    assert executor.run(request, answered=answered) == ()
    assert pending_calls(request, answered=answered) == ()
    assert paid == [1]


@pytest.mark.parametrize("version", [1, 2])
def test_the_started_mark_is_lost_in_a_downgrade_and_the_call_must_be_decided_again(
    version: int,
) -> None:
    paid: list[int] = []
    executor = ToolExecutor([pay_tool(paid)])
    stored: list[ToolRequestMessage] = []
    executor.run(approved(("pay", {"number": 1})), on_start=stored.append)
    older = il.downgrade([il.dump_message(stored[-1])], to=version)
    assert "/0/data/calls/0/execution" in {loss.path for loss in older.losses if loss.severity == "lost"}
    request = request_in(il.load_messages(older.documents, version=version).messages)
    assert executor.run(request) == ()
    assert paid == [1]
    assert len(pending_calls(request)) == 1


def test_no_policy_decides_a_started_call_again() -> None:
    stored: list[ToolRequestMessage] = []
    ToolExecutor([pay_tool([])]).run(approved(("pay", {"number": 1})), on_start=stored.append)
    assert apply_policy(stored[-1], DecideBy(lambda _: True)) is stored[-1]
