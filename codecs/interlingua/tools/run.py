"""One run of one tool request: its start marks, its results so far, and what stopped it."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interlingua.clock import timestamp_text
from interlingua.model import Execution
from interlingua.tools.approval import with_calls
from interlingua.tools.outcome import failed, failure_of_exception, result_message
from interlingua.tools.output import Output, output_of
from interlingua.tools.running import awaited, start_task, start_thread

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from interlingua.model import ToolRequestMessage, ToolResultMessage
    from interlingua.tools.call import Prepared
    from interlingua.tools.limits import ExecutionLimits
    from interlingua.tools.outcome import FailureCode, Outcome
    from interlingua.tools.running import Ending, Running

__all__ = ["Run", "Services"]


@dataclass(frozen=True, slots=True)
class Services:
    """The settings that an executor passes to each of its runs."""

    limits: ExecutionLimits
    describe: Callable[[Exception], str]
    now: Callable[[], datetime]
    clock: Callable[[], float]


class Run:
    """One run of one request."""

    def __init__(
        self,
        message: ToolRequestMessage,
        services: Services,
        on_start: Callable[[ToolRequestMessage], None] | None,
        on_result: Callable[[ToolResultMessage], None] | None,
    ) -> None:
        self._message = message
        self._services = services
        self._on_start = on_start
        self._on_result = on_result
        self._results: dict[int, ToolResultMessage] = {}
        self._slots = asyncio.Semaphore(services.limits.concurrent_calls)
        self._halt: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()

    def results(self) -> tuple[ToolResultMessage, ...]:
        """Return the results so far, in the order of the calls."""
        return tuple(self._results[position] for position in sorted(self._results))

    def record(self, position: int, result: ToolResultMessage) -> None:
        """Store a result, and report it."""
        self._results[position] = result
        if self._on_result is not None:
            self._on_result(result)

    async def run_group(self, group: list[tuple[int, Prepared]]) -> list[tuple[Running, bool]]:
        """Run calls together, and return the functions that were abandoned at work, and whether each is safe.

        What stops the run is raised by `check`.
        """
        self._mark([position for position, _ in group])
        left: list[tuple[Running, bool]] = []
        attempts = [asyncio.create_task(self._attempt(position, prepared, left)) for position, prepared in group]
        while waiting := [attempt for attempt in attempts if not attempt.done()]:
            try:
                await asyncio.wait(waiting)
            except asyncio.CancelledError as error:
                # The attempts stop their tools and report results within the grace period.
                self._stop(error)
        return left

    def check(self) -> None:
        """Raise what has stopped the run, if anything has.

        Raises:
            BaseException: a cancellation, an exception of a callback, or one with which a tool ends the program.
        """
        if self._halt.done():
            raise self._halt.result()

    def _stop(self, error: BaseException) -> None:
        if not self._halt.done():
            self._halt.set_result(error)

    def _mark(self, positions: list[int]) -> None:
        """Report that calls are about to start."""
        if self._on_start is None:
            return
        mark = Execution(started_at=timestamp_text(self._services.now))
        calls = list(self._message.data.calls)
        for position in positions:
            calls[position] = calls[position].model_copy(update={"execution": mark})
        self._message = with_calls(self._message, tuple(calls))
        self._on_start(self._message)

    async def _attempt(self, position: int, prepared: Prepared, left: list[tuple[Running, bool]]) -> None:
        """Run one call and store its result. Raises nothing: what must end the run is recorded to stop it."""
        try:
            async with self._slots:
                outcome, execution = await self._outcome(prepared, left)
            self.record(position, result_message(prepared.call, outcome, execution))
        except BaseException as error:  # noqa: BLE001  # re-raised by `check` when the others have ended
            self._stop(error)

    async def _outcome(self, prepared: Prepared, left: list[tuple[Running, bool]]) -> tuple[Outcome, Execution | None]:
        if self._halt.done():
            return failed("not_begun"), None
        services = self._services
        started_at, before = timestamp_text(services.now), services.clock()
        running = self._started(prepared)
        outcome = await self._awaited(running, prepared, left)
        duration = max(0.0, services.clock() - before) * 1000
        return outcome, Execution(
            started_at=started_at, finished_at=timestamp_text(services.now), duration_ms=round(duration, 3)
        )

    def _started(self, prepared: Prepared) -> Running:
        limit = self._services.limits.output_bytes
        if prepared.tool.is_async:

            async def work() -> Output:
                value = prepared.invoke()
                return output_of(await awaited(value), limit)

            return start_task(work)
        return start_thread(prepared.invoke, lambda value: output_of(value, limit))

    async def _awaited(self, running: Running, prepared: Prepared, left: list[tuple[Running, bool]]) -> Outcome:
        """Wait for a function until it ends, its time is up, or something stops the run."""
        limits = self._services.limits
        seconds = prepared.tool.timeout_seconds or limits.timeout_seconds
        seconds = None if seconds == math.inf else seconds
        watched: set[asyncio.Future[Any]] = {running.done, self._halt}
        await asyncio.wait(watched, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if running.done.done():
            return self._of(running.ending())
        code: FailureCode = "cancelled" if self._halt.done() else "time_limit"
        running.stop()
        if running.can_stop:
            await asyncio.wait({running.done}, timeout=limits.grace_seconds)
        if running.is_at_work:
            running.leave()
            left.append((running, prepared.tool.is_concurrency_safe))
        return failed(code)

    def _of(self, ending: Ending) -> Outcome:
        if ending.error is None:
            output: Output = ending.value
            return output
        if not isinstance(ending.error, (Exception, asyncio.CancelledError)):
            self._stop(ending.error)  # KeyboardInterrupt, SystemExit
        return failure_of_exception(ending.error, self._services.describe)
