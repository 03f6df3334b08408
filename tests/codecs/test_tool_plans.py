"""Random plans of tools that are safe or not, that work, fail, hang or come out late, against a simple model."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

import interlingua as il
from interlingua.errors import ToolError
from interlingua.model import Approval, Execution, RequestedCall, ToolCall, ToolRequestMessage, ToolResultMessage
from interlingua.tools import Tool, ToolExecutor, request
from support.calls import codes

Way: TypeAlias = Literal["works", "fails", "refuses", "hangs", "unknown", "misfits"]
State: TypeAlias = Literal["approved", "pending", "denied", "begun", "answered"]
CODES = {"works": None, "fails": "exception", "refuses": "tool", "hangs": "time_limit"}
NOT_RUN = {"unknown": "unknown_tool", "misfits": "arguments"}
SHORT = 0.001


@dataclass(frozen=True)
class Step:
    """One call of a plan."""

    way: Way
    state: State
    is_safe: bool
    is_async: bool

    @property
    def tool(self) -> str:
        """The name of the tool."""
        if self.way == "unknown":
            return "nobody"
        # Only a task can be stopped: a thread that hangs would be left behind, which another test is about.
        kind = "task" if self.is_async or self.way == "hangs" else "thread"
        return f"{'safe' if self.is_safe else 'unsafe'}_{kind}{'_hanging' if self.way == 'hangs' else ''}"

    @property
    def runs(self) -> bool:
        """Whether the call is run."""
        return self.state == "approved" and self.way not in NOT_RUN


STEPS = st.builds(
    Step,
    st.sampled_from(["works", "works", "works", "fails", "refuses", "hangs", "unknown", "misfits"]),
    st.sampled_from(["approved", "approved", "approved", "approved", "pending", "denied", "begun", "answered"]),
    st.booleans(),
    st.booleans(),
)


class World:
    """What the tools see of each other: who is at work, and who has been."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.at_work: dict[int, bool] = {}
        self.ran: list[int] = []
        self.beside: list[tuple[bool, tuple[bool, ...]]] = []

    def enter(self, at: int, *, is_safe: bool) -> None:
        with self.lock:
            self.beside.append((is_safe, tuple(self.at_work.values())))
            self.at_work[at] = is_safe
            self.ran.append(at)

    def leave(self, at: int) -> None:
        with self.lock:
            del self.at_work[at]

    def tools(self) -> list[Tool]:
        return [made for is_safe in (True, False) for made in self._tools("safe" if is_safe else "unsafe", is_safe)]

    def _tools(self, name: str, is_safe: bool) -> list[Tool]:
        def thread(at: int, way: str) -> int:
            """Work in a thread."""
            self.enter(at, is_safe=is_safe)
            try:
                return outcome(at, way)
            finally:
                self.leave(at)

        async def task(at: int, way: str) -> int:
            """Work in a task."""
            self.enter(at, is_safe=is_safe)
            try:
                await (asyncio.Event().wait() if way == "hangs" else asyncio.sleep(0))
                return outcome(at, way)
            finally:
                self.leave(at)

        return [
            Tool.from_function(thread, name=f"{name}_thread", is_concurrency_safe=is_safe),
            Tool.from_function(task, name=f"{name}_task", is_concurrency_safe=is_safe),
            Tool.from_function(task, name=f"{name}_task_hanging", is_concurrency_safe=is_safe, timeout_seconds=SHORT),
        ]


def outcome(at: int, way: str) -> int:
    if way == "fails":
        raise ValueError(way)
    if way == "refuses":
        raise ToolError(way)
    return at


def planned(plan: list[Step]) -> ToolRequestMessage:
    calls = []
    for at, step in enumerate(plan):
        arguments = {"at": "no number"} if step.way == "misfits" else {"at": at, "way": step.way}
        status = step.state if step.state in {"pending", "denied"} else "approved"
        calls.append(
            RequestedCall(
                call=ToolCall(id=f"c{at}", name=step.tool, arguments=arguments),
                approval=Approval.model_validate({"status": status}),
                execution=Execution(started_at="2026-01-01T00:00:00Z") if step.state == "begun" else None,
            )
        )
    return request([]).replace(data={"calls": calls})


def expected(step: Step) -> str | None:
    if step.state in {"denied", "begun"}:
        return {"denied": "denied", "begun": "interrupted"}[step.state]
    return NOT_RUN.get(step.way, CODES.get(step.way))


@settings(max_examples=50)
@given(st.lists(STEPS, max_size=9))
def test_any_execution_plan_matches_a_simple_model(plan: list[Step]) -> None:
    world = World()
    stored: list[ToolRequestMessage] = []
    told: list[ToolResultMessage] = []
    answered = {f"c{at}" for at, step in enumerate(plan) if step.state == "answered"}
    executor = ToolExecutor(world.tools())
    message = planned(plan)
    results = executor.run(message, answered=answered, on_start=stored.append, on_result=told.append)

    # One result a call but for those that are answered or wait, in order, each told once.
    telling = [at for at, step in enumerate(plan) if step.state not in {"pending", "answered"}]
    assert [one.data.call_id for one in results] == [f"c{at}" for at in telling]
    assert codes(results) == [expected(plan[at]) for at in telling]
    assert sorted(told, key=lambda one: str(one.data.call_id)) == sorted(results, key=lambda one: str(one.data.call_id))
    assert all(one.data.status == ("success" if one.data.error is None else "error") for one in results)
    assert [one.data.output for one in results if one.data.error is None] == [
        at for at in telling if expected(plan[at]) is None
    ]

    # What runs is what may, each once; groups in order, and nothing unsafe beside anything.
    running = [at for at, step in enumerate(plan) if step.runs]
    assert sorted(world.ran) == running
    ran = iter(world.ran)
    for is_safe, neighbours in groupby(running, key=lambda at: plan[at].is_safe):
        members = list(neighbours)
        order = [next(ran) for _ in members]
        assert sorted(order) == members
        assert is_safe or order == members
    assert not any(others and not (is_safe and all(others)) for is_safe, others in world.beside)
    assert world.at_work == {}

    # What is marked is what ran, and going on from what was stored runs nothing again.
    last = stored[-1] if stored else message
    begun = [at for at, one in enumerate(last.data.calls) if one.execution is not None]
    assert begun == sorted(running + [at for at, step in enumerate(plan) if step.state == "begun"])
    answered |= {str(one.data.call_id) for one in told}
    assert executor.run(last, answered=answered) == ()
    assert sorted(world.ran) == running
    assert il.load_message(il.dump_message_json(last)) == (last,)
