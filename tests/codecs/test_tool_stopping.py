"""Tools that take too long, runs that are cancelled, and tools that would end the program."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.errors import ToolError
from interlingua.model import ToolRequestMessage, ToolResultMessage
from interlingua.tools import ExecutionLimits, Tool, ToolExecutor
from support.calls import approved, codes, failure_of, outputs
from support.program import IN_BACKGROUND, ended

WAIT = 10.0
"""Longer than anything here takes: what waits so long has failed."""
SHORT = 0.05


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Return what hanging threads wait for; they are let go when the test ends."""
    gate = threading.Event()
    yield gate
    gate.set()
    for thread in threading.enumerate():
        if thread.name == "interlingua-tool":
            thread.join(WAIT)
            assert not thread.is_alive()


def hanging(gate: threading.Event, **options: Any) -> Tool:
    def hang() -> None:
        """Hang in a thread."""
        assert gate.wait(WAIT)

    return Tool.from_function(hang, **options)


def hanging_task(ended: list[str], *, is_decorated: bool = False, **options: Any) -> Tool:
    async def hang_task() -> None:
        """Hang in a task."""
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("ended")

    @functools.wraps(hang_task)
    def decorated() -> Any:
        return hang_task()

    return Tool.from_function(decorated if is_decorated else hang_task, **options)


def name_tool(**options: Any) -> Tool:
    async def name(word: str) -> str:
        """Say a name."""
        return word

    return Tool.from_function(name, **options)


@pytest.mark.parametrize("is_decorated", [False, True])
def test_an_async_tool_that_times_out_is_cancelled_and_the_next_ones_run(is_decorated: bool) -> None:
    ended: list[str] = []
    executor = ToolExecutor([hanging_task(ended, is_decorated=is_decorated, timeout_seconds=SHORT), name_tool()])
    results = executor.run(approved(("hang_task", {}), ("name", {"word": "a"})))
    assert ended == ["ended"]
    assert codes(results) == ["time_limit", None]
    failure = failure_of(results[:1])
    assert failure.recoverable is False
    assert results[0].data.status == "error"
    assert results[0].data.execution is not None
    assert results[0].data.execution.duration_ms is not None
    assert results[0].data.execution.duration_ms >= SHORT * 900


def test_the_timeout_of_the_executor_applies_to_tools_without_their_own() -> None:
    ended: list[str] = []
    limits = ExecutionLimits(timeout_seconds=SHORT)
    assert codes(ToolExecutor([hanging_task(ended)], limits=limits).run(approved(("hang_task", {})))) == ["time_limit"]

    async def patient() -> str:
        """Take a little longer than the executor allows."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 3 * SHORT)
        return "done"

    executor = ToolExecutor([Tool.from_function(patient, timeout_seconds=math.inf)], limits=limits)
    assert outputs(executor.run(approved(("patient", {})))) == ["done"]


def test_a_thread_that_times_out_is_abandoned_and_delays_neither_the_run_nor_other_calls(
    gate: threading.Event,
) -> None:
    tools = [hanging(gate, timeout_seconds=SHORT, is_concurrency_safe=True), name_tool(is_concurrency_safe=True)]
    executor = ToolExecutor(tools)
    calls = [("hang", {}), ("name", {"word": "a"})]
    assert codes(executor.run(approved(*calls))) == ["time_limit", None]
    assert codes(executor.run(approved(("name", {"word": "a"})))) == [None]
    assert not gate.is_set()


def test_a_coroutine_returned_too_late_by_a_thread_is_never_started(gate: threading.Event) -> None:
    begun: list[str] = []

    async def begin() -> None:
        begun.append("begun")

    def hang() -> Any:
        """Hang in a thread."""
        assert gate.wait(WAIT)
        return begin()

    async def main() -> list[str | None]:
        executor = ToolExecutor([Tool.from_function(hang, timeout_seconds=SHORT), name_tool()])
        late = codes(await executor.run_async(approved(("hang", {}))))
        gate.set()
        return late + codes(await executor.run_async(approved(("name", {"word": "a"}))))

    assert asyncio.run(main()) == ["time_limit", None]
    assert begun == []


def test_no_unsafe_call_runs_beside_an_abandoned_thread_until_it_ends(gate: threading.Event) -> None:
    limits = ExecutionLimits(grace_seconds=SHORT)
    executor = ToolExecutor([hanging(gate, timeout_seconds=SHORT), name_tool(is_concurrency_safe=True)], limits=limits)
    message = approved(("hang", {}), ("name", {"word": "a"}), ("name", {"word": "b"}))
    results = executor.run(message)
    assert codes(results) == ["time_limit", "busy", "busy"]
    assert failure_of(results[1:2]).recoverable is True
    assert results[1].data.execution is None
    assert codes(executor.run(approved(("hang", {})))) == ["busy"]
    (left,) = (one for one in threading.enumerate() if one.name == "interlingua-tool")
    gate.set()
    left.join(WAIT)
    assert codes(executor.run(message)) == [None, None, None]


def test_an_unsafe_call_does_not_run_beside_an_abandoned_safe_thread(gate: threading.Event) -> None:
    limits = ExecutionLimits(grace_seconds=SHORT)
    tools = [hanging(gate, timeout_seconds=SHORT, is_concurrency_safe=True), name_tool()]
    results = ToolExecutor(tools, limits=limits).run(approved(("hang", {}), ("name", {"word": "a"})))
    assert codes(results) == ["time_limit", "busy"]


def test_a_thread_that_ends_within_the_grace_period_does_not_block_the_next_call() -> None:
    # The first call ends after its limit, and within the grace that the executor gives before it refuses the second.
    gate = threading.Event()
    executor = ToolExecutor([hanging(gate, timeout_seconds=SHORT), name_tool()])

    async def main() -> tuple[ToolResultMessage, ...]:
        asyncio.get_running_loop().call_later(4 * SHORT, gate.set)
        return await executor.run_async(approved(("hang", {}), ("name", {"word": "a"})))

    assert codes(asyncio.run(main())) == ["time_limit", None]


def test_a_task_that_ignores_cancellation_is_abandoned_after_the_grace_period() -> None:
    async def main() -> None:
        release = asyncio.Event()

        async def stubborn() -> None:
            """Do not stop."""
            while not release.is_set():
                with contextlib.suppress(asyncio.CancelledError):
                    await release.wait()

        limits = ExecutionLimits(grace_seconds=SHORT, timeout_seconds=SHORT)
        executor = ToolExecutor([Tool.from_function(stubborn), name_tool()], limits=limits)
        calls = [("stubborn", {}), ("name", {"word": "a"})]
        assert codes(await executor.run_async(approved(*calls))) == ["time_limit", "busy"]
        release.set()
        assert codes(await executor.run_async(approved(*calls))) == [None, None]

    asyncio.run(main())


RUNS: Final[Mapping[str, Callable[[ToolExecutor, ToolRequestMessage], Sequence[ToolResultMessage]]]] = MappingProxyType(
    {
        "run": lambda executor, message: executor.run(message),
        "run_async": lambda executor, message: asyncio.run(executor.run_async(message)),
        "run_tools": lambda executor, message: il.run_tools(il.Transcript([message]), executor),
    }
)


@pytest.mark.parametrize("way", RUNS)
def test_a_task_that_ignores_cancellation_delays_neither_the_run_nor_the_loop(way: str) -> None:
    ended: list[str] = []

    async def stubborn() -> None:
        """Do not stop."""
        try:
            for _ in range(3):
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait_for(asyncio.Event().wait(), WAIT)
        except TimeoutError:
            ended.append("ended by itself")

    limits = ExecutionLimits(grace_seconds=SHORT, timeout_seconds=SHORT)
    tools = [Tool.from_function(stubborn, is_concurrency_safe=True), name_tool(is_concurrency_safe=True)]
    results = RUNS[way](ToolExecutor(tools, limits=limits), approved(("stubborn", {}), ("name", {"word": "a"})))
    assert sorted(map(str, codes(results))) == ["None", "time_limit"]
    assert ended == []


def test_background_work_of_a_tool_does_not_delay_the_run() -> None:
    gate, ended, begun = threading.Event(), list[str](), list[asyncio.Task[None]]()

    async def stubborn() -> None:
        for _ in range(3):
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait_for(asyncio.Event().wait(), WAIT)

    def hang() -> None:
        gate.wait(WAIT)
        ended.append("ended by itself")

    async def begin() -> None:
        """Begin what does not stop."""
        begun.append(asyncio.create_task(stubborn()))
        await asyncio.to_thread(hang)

    limits = ExecutionLimits(grace_seconds=SHORT, timeout_seconds=SHORT)
    try:
        results = ToolExecutor([Tool.from_function(begin)], limits=limits).run(approved(("begin", {})))
        assert codes(results) == ["time_limit"]
        assert ended == []
        assert not begun[0].done()
    finally:
        gate.set()


def test_a_tool_that_cancels_itself_is_the_only_failure() -> None:
    async def give_up() -> None:
        """Give up."""
        raise asyncio.CancelledError

    def give_up_in_thread() -> None:
        """Give up."""
        raise asyncio.CancelledError

    executor = ToolExecutor([Tool.from_function(give_up), Tool.from_function(give_up_in_thread), name_tool()])
    results = executor.run(approved(("give_up", {}), ("give_up_in_thread", {}), ("name", {"word": "a"})))
    assert codes(results) == ["cancelled", "cancelled", None]


def test_a_tool_that_raises_stop_iteration_or_timeout_error_is_an_ordinary_failure() -> None:
    def stop() -> None:
        """Stop an iteration."""
        raise StopIteration

    async def late() -> None:
        """Be late."""
        raise TimeoutError

    executor = ToolExecutor([Tool.from_function(stop), Tool.from_function(late)])
    assert codes(executor.run(approved(("stop", {}), ("late", {})))) == ["exception", "exception"]


def test_cancelling_a_run_cancels_its_tools_and_every_started_call_gets_a_result(gate: threading.Event) -> None:
    ended: list[str] = []
    told: list[ToolResultMessage] = []
    begun: list[ToolRequestMessage] = []
    meeting = threading.Barrier(2)

    def hang() -> None:
        """Hang in a thread."""
        meeting.wait(WAIT)
        assert gate.wait(WAIT)

    tools = [Tool.from_function(hang, is_concurrency_safe=True), hanging_task(ended, is_concurrency_safe=True)]
    tools.append(name_tool(is_concurrency_safe=True))
    executor = ToolExecutor(tools, limits=ExecutionLimits(concurrent_calls=2))
    message = approved(("hang", {}), ("hang_task", {}), ("name", {"word": "a"}), ("hang_task", {}))

    async def main() -> None:
        run = asyncio.create_task(executor.run_async(message, on_start=begun.append, on_result=told.append))
        await asyncio.to_thread(meeting.wait, WAIT)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert run.cancelled()

    asyncio.run(main())
    assert ended == ["ended"]
    results = sorted(told, key=lambda one: str(one.data.call_id))
    assert codes(results) == ["cancelled", "cancelled", "not_begun", "not_begun"]
    assert [failure_of([one]).recoverable for one in results] == [False, False, True, True]
    assert [one.data.execution is None for one in results] == [False, False, True, True]
    # Whoever goes on from what was stored runs none of them again.
    answered = {str(one.data.call_id) for one in told}
    assert executor.run(begun[-1], answered=answered) == ()


def test_calls_after_a_cancelled_one_are_unchanged_and_run_when_the_run_is_resumed() -> None:
    ended: list[str] = []
    stored: list[ToolRequestMessage] = []
    told: list[ToolResultMessage] = []
    executor = ToolExecutor([hanging_task(ended), name_tool()])
    message = approved(("name", {"word": "a"}), ("hang_task", {}), ("name", {"word": "b"}))

    async def main() -> None:
        def store(marked: ToolRequestMessage) -> None:
            stored.append(marked)
            if len(stored) == 2:
                asyncio.get_running_loop().call_soon(run.cancel)

        run = asyncio.create_task(executor.run_async(message, on_start=store, on_result=told.append))
        await run

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    assert codes(told) == [None, "cancelled"]
    answered = {str(one.data.call_id) for one in told}
    assert outputs(executor.run(stored[-1], answered=answered)) == ["b"]


def test_a_second_cancellation_does_not_lose_the_results() -> None:
    told: list[ToolResultMessage] = []

    async def main() -> None:
        stopping, release = asyncio.Event(), asyncio.Event()

        async def slow_to_stop() -> None:
            """Take a while to stop."""
            try:
                await asyncio.Event().wait()
            finally:
                stopping.set()
                await release.wait()

        started = asyncio.Event()
        executor = ToolExecutor([Tool.from_function(slow_to_stop)], limits=ExecutionLimits(grace_seconds=WAIT))
        run = asyncio.create_task(
            executor.run_async(approved(("slow_to_stop", {})), on_start=lambda _: started.set(), on_result=told.append)
        )
        await started.wait()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        run.cancel()
        await stopping.wait()
        run.cancel()
        await asyncio.sleep(0)
        release.set()
        with pytest.raises(asyncio.CancelledError):
            await run

    asyncio.run(main())
    assert codes(told) == ["cancelled"]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_tool_that_raises_system_exit_ends_the_program_after_results_are_reported(
    kind: type[BaseException], is_async: bool
) -> None:
    ended: list[str] = []
    told: list[ToolResultMessage] = []

    def leave() -> None:
        """End the program."""
        raise kind

    async def leave_task() -> None:
        """End the program."""
        await asyncio.sleep(0)
        raise kind

    leaving = Tool.from_function(leave_task if is_async else leave, name="leave", is_concurrency_safe=True)
    executor = ToolExecutor([leaving, hanging_task(ended, is_concurrency_safe=True)])
    with pytest.raises(kind):
        executor.run(approved(("leave", {}), ("hang_task", {})), on_result=told.append)
    assert ended == ["ended"]
    assert sorted(str(one) for one in codes(told)) == ["cancelled", "interrupted"]


def test_a_result_that_cannot_be_stored_stops_the_run_with_the_error() -> None:
    ended: list[str] = []
    told: list[str | None] = []

    def store(result: ToolResultMessage) -> None:
        told.append(result.data.name)
        if result.data.name == "name":
            raise OSError("no space left")

    tools = [name_tool(is_concurrency_safe=True), hanging_task(ended, is_concurrency_safe=True)]
    with pytest.raises(OSError, match="no space left"):
        ToolExecutor(tools).run(approved(("name", {"word": "a"}), ("hang_task", {})), on_result=store)
    assert (ended, told) == (["ended"], ["name", "hang_task"])


def test_several_concurrent_failures_each_have_a_result() -> None:
    barrier = threading.Barrier(8)

    def fail(number: int) -> None:
        """Fail."""
        barrier.wait(WAIT)
        raise ToolError(str(number), recoverable=bool(number % 2))

    executor = ToolExecutor([Tool.from_function(fail, is_concurrency_safe=True)])
    results = executor.run(approved(*(("fail", {"number": number}) for number in range(8))))
    assert [failure_of([one]).message for one in results] == [str(number) for number in range(8)]
    assert [failure_of([one]).recoverable for one in results] == [False, True] * 4


PROGRAM = """
import threading
from interlingua.model import ToolCall
from interlingua.tools import DecideBy, Tool, ToolExecutor, apply_policy, request

def hang() -> None:
    "Hang for ever."
    print("at work", flush=True)
    threading.Event().wait()

message = apply_policy(request([ToolCall(id="a", name="hang", arguments={})]), DecideBy(lambda call: True))
executor = ToolExecutor([Tool.from_function(hang, timeout_seconds=%s)])
def tell(result):
    print(result.data.error.code, flush=True)
executor.run(message, on_result=tell)
"""


@contextlib.contextmanager
def started_program(
    seconds: str, before: tuple[str, ...] = (), program: str = PROGRAM
) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", program % seconds]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with ended(command, before=before, env=environment, **pipes) as process:
        yield process


def test_a_thread_that_never_ends_does_not_keep_the_program_running() -> None:
    with started_program("0.05") as program:
        said, complaint = program.communicate(timeout=6 * WAIT)
    assert (said, complaint, program.returncode) == ("at work\ntime_limit\n", "", 0)


@pytest.mark.parametrize("before", [(), IN_BACKGROUND], ids=["here", "in the background of a script"])
def test_a_keyboard_interrupt_stops_a_run_after_results_are_reported(before: tuple[str, ...]) -> None:
    with started_program("None", before) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "at work\n"
        program.send_signal(signal.SIGINT)
        said, complaint = program.communicate(timeout=6 * WAIT)
    assert said == "cancelled\n"
    assert "KeyboardInterrupt" in complaint


ASLEEP = """
import signal
import sys

def interrupt():
    while sys._current_frames()[threading.main_thread().ident].f_code.co_name != "select":
        pass
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)
"""


def test_an_interrupt_that_another_thread_receives_wakes_the_run() -> None:
    # The main thread sleeps in its event loop meanwhile: nothing but the wake-up of that loop tells it.
    program = ASLEEP + PROGRAM.replace('print("at work", flush=True)', "interrupt()")
    with started_program("None", program=program) as process:
        said, complaint = process.communicate(timeout=6 * WAIT)
    assert said == "cancelled\n"
    assert "KeyboardInterrupt" in complaint
