"""One piece of logic for blocking and for async callers: a generator that yields the jobs it waits for.

A job is a function without arguments. What it returns, or raises, comes back at the `yield`. A job may be an `async`
function, or return anything else that can be awaited.
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
    """Do the jobs one after the other in this thread, and return what the steps return.

    `awaitable` is the name of the async form, for the error.

    Raises:
        RunningLoopError: a job is async, and an event loop runs in this thread.
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
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  # the steps decide which ones they know
            advance = partial(steps.throw, error)
        else:
            advance = partial(steps.send, value)


async def run_steps_async(steps: Steps[T]) -> T:
    """Do the jobs one after the other, each begun in a thread of its own, and return what the steps return."""
    advance: Callable[[], Job] = partial(next, steps)
    try:
        while True:
            try:
                job = advance()
            except StopIteration as stop:
                result: T = stop.value
                return result
            value, failure = await asyncio.to_thread(_ending, job)
            try:
                if inspect.isawaitable(value):
                    value = await value
            except asyncio.CancelledError as error:
                if _is_cancelled():
                    raise
                failure = error  # a job that cancelled itself has only failed
            except Exception as error:  # noqa: BLE001  # as above
                failure = error
            advance = partial(steps.send, value) if failure is None else partial(steps.throw, failure)
    finally:
        steps.close()


def _ending(job: Job) -> tuple[Any, BaseException | None]:
    """Return what a job returns, or raises: a future that is to hold a `StopIteration` would never be done."""
    try:
        return job(), None
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  # as above
        return None, error


def _is_cancelled() -> bool:
    """Tell whether somebody wants the running task to stop."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _wait(value: Awaitable[Any], awaitable: str) -> Any:
    """Return what an awaitable gives, by an event loop made for it.

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
