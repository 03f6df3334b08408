"""`ToolExecutor`: runs the approved calls of a tool request, and returns a result message for each call.

Adjacent calls that are safe run concurrently, others alone and in order. No call runs twice: the caller stores a start
mark before a group of calls runs, and a call that is already marked is answered as interrupted. Source: TYPE-4.2, 4.3,
5.1, 5.2.
"""

from __future__ import annotations

import asyncio
import time
import warnings
from itertools import groupby
from typing import TYPE_CHECKING

from interlingua.argument_checks import check_function, check_kind_of, check_several, string_tuple
from interlingua.call_ids import call_id_of
from interlingua.clock import utc_now
from interlingua.errors import ToolSetupError
from interlingua.tools.blocking import refuse_running_loop, run_in_own_loop
from interlingua.tools.call import Prepared, prepare
from interlingua.tools.identity import check_call_ids
from interlingua.tools.limits import ExecutionLimits
from interlingua.tools.outcome import Failed, exception_text, failed, result_message
from interlingua.tools.run import Run, Services
from interlingua.tools.running import AbandonedFunctions
from interlingua.tools.tool import Tool
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from datetime import datetime

    from interlingua.model import RequestedCall, ToolRequestMessage, ToolResultMessage

__all__ = ["ToolExecutor"]


def _check_tool(tool: object) -> None:
    """Raise `InvalidArgumentError` for a value that is not a tool."""
    if not isinstance(tool, Tool):
        made = "; make one from a function with il.tools.Tool.from_function" if callable(tool) else ""
        raise InvalidArgumentError(f"expected a Tool, not {type(tool).__name__}{made}")


class ToolExecutor:
    """Runs the calls of tool requests. One executor may serve any number of runs.

    A call that must run alone does so within one run, and relative to functions that earlier runs could not stop.
    `describe` formats, for the model, an exception that is not a `ToolError`; by default as its type and message. `now`
    gives stored times, `clock` measures durations in seconds.

    Raises:
        ToolSetupError: two tools have the same name.
        InvalidArgumentError: a value is not a `Tool`.

    Example:
        >>> def weather(city: str) -> str:
        ...     "Return the weather of a city."
        ...     return f"31 degrees in {city}"
        >>> executor = il.tools.ToolExecutor([il.tools.Tool.from_function(weather)])
        >>> call = il.ToolCall.create("weather", {"city": "Rome"}, "call_1")
        >>> request = il.messages.tool_request(call, status="approved")
        >>> [result.data.output for result in executor.run(request)]
        ['31 degrees in Rome']
    """

    def __init__(
        self,
        tools: Iterable[Tool],
        *,
        limits: ExecutionLimits | None = None,
        describe: Callable[[Exception], str] = exception_text,
        now: Callable[[], datetime] = utc_now,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if limits is not None:
            check_kind_of(limits, ExecutionLimits)
        for function, what in ((describe, "describe"), (now, "now"), (clock, "clock")):
            check_function(function, what)
        self._tools: dict[str, Tool] = {}
        for tool in check_several(tools, "tools"):
            _check_tool(tool)
            if tool.name in self._tools:
                raise ToolSetupError("two tools have the same name")
            self._tools[tool.name] = tool
        self._services = Services(limits or ExecutionLimits(), describe, now, clock)
        self._abandoned = AbandonedFunctions()

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools, in the order given."""
        return tuple(self._tools.values())

    @property
    def limits(self) -> ExecutionLimits:
        """The limits for tools."""
        return self._services.limits

    async def run_async(
        self,
        message: ToolRequestMessage,
        *,
        answered: Collection[str] = (),
        on_start: Callable[[ToolRequestMessage], None] | None = None,
        on_result: Callable[[ToolResultMessage], None] | None = None,
    ) -> tuple[ToolResultMessage, ...]:
        """Run the approved calls of a request and return their results, in the order of the calls.

        Calls whose id is in `answered` are skipped, and so are those that await a decision. A denied call, one that was
        already started and one that cannot run get an error as result. `on_start` receives the request with a start
        mark on each call that is about to run, before it runs: store it. `on_result` receives each result as soon as it
        is available: store it.

        An exception of either stops the run, as a cancellation does: tools are cancelled, their results passed to
        `on_result`, and then it is raised.

        Raises:
            ToolRequestError: a call has no id, or the same id as another.
            InvalidArgumentError: `answered` is a string instead of a collection of ids.
            asyncio.CancelledError: the run was cancelled.
        """
        check_call_ids(message)
        answered = frozenset(string_tuple(answered, "answered"))
        for callback, what in ((on_start, "on_start"), (on_result, "on_result")):
            if callback is not None:
                check_function(callback, what)
        run = Run(message, self._services, on_start, on_result)
        runnable: list[tuple[int, Prepared]] = []
        for position, requested in enumerate(message.data.calls):
            found = self._prepared(requested, answered)
            if isinstance(found, Failed):
                run.record(position, result_message(requested.call, found, requested.execution))
            elif found is not None:
                runnable.append((position, found))
        for group in _groups(runnable):
            await self._run_group(run, group)
        return run.results()

    def run(
        self,
        message: ToolRequestMessage,
        *,
        answered: Collection[str] = (),
        on_start: Callable[[ToolRequestMessage], None] | None = None,
        on_result: Callable[[ToolResultMessage], None] | None = None,
    ) -> tuple[ToolResultMessage, ...]:
        """Do what `run_async` does in a new event loop, and wait for it; async tools run, too.

        Raises:
            RunningLoopError: an event loop is running here, which the call would block: use `run_async`.
            ToolRequestError: a call has no id, or the same id as another.
            InvalidArgumentError: `answered` is a string instead of a collection of ids.
        """
        refuse_running_loop("executor.run_async")
        running = self.run_async(message, answered=answered, on_start=on_start, on_result=on_result)
        return run_in_own_loop(running, self.limits.grace_seconds)

    def run_sync(
        self,
        message: ToolRequestMessage,
        *,
        answered: Collection[str] = (),
        on_start: Callable[[ToolRequestMessage], None] | None = None,
        on_result: Callable[[ToolResultMessage], None] | None = None,
    ) -> tuple[ToolResultMessage, ...]:
        """Call `run`. Deprecated: the former name, to be removed in release 1.0.

        Raises:
            RunningLoopError, ToolRequestError, InvalidArgumentError: as for `run`.
        """
        warnings.warn("run_sync is now run", DeprecationWarning, stacklevel=2)
        return self.run(message, answered=answered, on_start=on_start, on_result=on_result)

    def _prepared(self, requested: RequestedCall, answered: Collection[str]) -> Prepared | Failed | None:
        """Return a call that is ready to run, a failure, or None to skip the call."""
        if call_id_of(requested.call) in answered:
            return None
        if requested.execution is not None:
            return failed("interrupted")
        match requested.approval.status:
            case "pending":
                return None
            case "denied":
                return failed("denied")
            case "approved":
                return prepare(requested.call, self._tools.get(requested.call.name), self._services.describe)

    async def _run_group(self, run: Run, group: list[tuple[int, Prepared]]) -> None:
        """Run calls together, unless a function is still at work beside which they must not run."""
        if await self._has_room(is_safe=group[0][1].tool.is_concurrency_safe):
            self._abandoned.add(await run.run_group(group))
            run.check()
            return
        for position, prepared in group:
            run.record(position, result_message(prepared.call, failed("busy")))

    async def _has_room(self, *, is_safe: bool) -> bool:
        """Tell whether calls may run now: an unsafe tool must not run at the same time as any other."""
        conflicting_functions = self._abandoned.conflicting(is_safe=is_safe)
        here = asyncio.get_running_loop()
        awaited = [running.done for running in conflicting_functions if running.done.get_loop() is here]
        if awaited:
            await asyncio.wait(awaited, timeout=self._services.limits.grace_seconds)
        return not any(running.is_at_work for running in conflicting_functions)


def _groups(runnable: list[tuple[int, Prepared]]) -> list[list[tuple[int, Prepared]]]:
    """Group adjacent safe calls together, and each other call alone."""
    groups: list[list[tuple[int, Prepared]]] = []
    for is_safe, neighbours in groupby(runnable, key=lambda pair: pair[1].tool.is_concurrency_safe):
        members = list(neighbours)
        groups += [members] if is_safe else [[member] for member in members]
    return groups
