"""Runs generator-based logic for both blocking and async callers: the generator yields the jobs it waits for.

A job is a function without arguments. Its result or exception is sent back at the `yield`. A job may be an `async`
function, or return any awaitable.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Generator
from functools import partial
from typing import Any, TypeAlias, TypeVar

from interlingua.errors import RunningLoopError
from interlingua.tools.blocking import refuse_running_loop

__all__ = ["Job", "Steps", "run_steps", "run_steps_async"]

T = TypeVar("T")
Job: TypeAlias = Callable[[], Any]
Steps: TypeAlias = Generator[Job, Any, T]


def run_steps(steps: Steps[T], awaitable: str) -> T:
    """Run the jobs one after the other in this thread, and return the result of the steps.

    `awaitable` is the name of the async form, for the error.

    Raises:
        RunningLoopError: a job is async, and an event loop is running in this thread.
    """
    advance: Callable[[], Job] = partial(next, steps)
    while True:
        try:
            job = advance()
        except StopIteration as stop:
            result: T = stop.value
            return result
        try:
            value = job()
            if inspect.isawaitable(value):
                value = _wait(value, awaitable)
        except RunningLoopError:
            steps.close()
            raise
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  # the steps decide which ones to handle
            advance = partial(steps.throw, error)
        else:
            advance = partial(steps.send, value)


async def run_steps_async(steps: Steps[T]) -> T:
    """Run the jobs one after the other, each started in its own thread, and return the result of the steps."""
    advance: Callable[[], Job] = partial(next, steps)
    try:
        while True:
            try:
                job = advance()
            except StopIteration as stop:
                result: T = stop.value
                return result
            value, failure = await asyncio.to_thread(_result_of, job)
            try:
                if inspect.isawaitable(value):
                    value = await value
            except asyncio.CancelledError as error:
                if _is_cancelled():
                    raise
                failure = error  # a job that cancelled itself counts as failed
            except Exception as error:  # noqa: BLE001  # as above
                failure = error
            advance = partial(steps.send, value) if failure is None else partial(steps.throw, failure)
    finally:
        steps.close()


def _result_of(job: Job) -> tuple[Any, BaseException | None]:
    """Return a job's result or exception, because a future cannot hold a `StopIteration`."""
    try:
        return job(), None
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  # as above
        return None, error


def _is_cancelled() -> bool:
    """Tell whether the running task is being cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _wait(value: Awaitable[Any], awaitable: str) -> Any:
    """Return the result of an awaitable, in a new event loop.

    Raises:
        RunningLoopError: this thread has one already.
    """
    try:
        refuse_running_loop(awaitable)
    except RunningLoopError:
        if inspect.iscoroutine(value):
            value.close()
        raise
    return asyncio.run(_awaited(value))


async def _awaited(value: Awaitable[Any]) -> Any:
    return await value
