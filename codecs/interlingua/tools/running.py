"""Runs a function: an async one in a task of the event loop, any other in its own thread.

A coroutine that a function returns in its thread, as a decorated async function does, continues in a task of the loop,
and so does an async generator.

The threads are daemons without a pool: one that never ends blocks neither other threads nor the end of the program. The
ending of a function is a value, so that exceptions of tools do not reach the event loop.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable

__all__ = ["AbandonedFunctions", "Ending", "Running", "awaited", "start_task", "start_thread"]


@dataclass(frozen=True, slots=True)
class Ending:
    """The return value or exception of a function."""

    value: Any = None
    error: BaseException | None = None


class Running(Protocol):
    """A running function."""

    @property
    def done(self) -> asyncio.Future[Ending]:
        """The future to wait for."""
        ...

    @property
    def can_stop(self) -> bool:
        """Whether `stop` has an effect."""
        ...

    @property
    def is_at_work(self) -> bool:
        """Whether the function is still running."""
        ...

    def ending(self) -> Ending:
        """Return how it ended; `done` must be done."""
        ...

    def stop(self) -> None:
        """Ask it to stop."""
        ...

    def leave(self) -> None:
        """Abandon it, so that not even the end of the event loop waits for it."""
        ...


async def awaited(value: Any) -> Any:
    """Return the awaited result of a tool's function: for an async generator, the list of its items."""
    found = await value if inspect.isawaitable(value) else value
    return [one async for one in found] if inspect.isasyncgen(found) else found


def _close_unstarted(value: Any) -> None:
    """Close a coroutine that will not be awaited; an unstarted async generator needs no closing."""
    if inspect.iscoroutine(value):
        value.close()


class _Task:
    """An async function in a task."""

    can_stop = True

    def __init__(self, function: Callable[[], Awaitable[Any]]) -> None:
        self.done: asyncio.Task[Ending] = asyncio.create_task(self._work(function))

    @staticmethod
    async def _work(function: Callable[[], Awaitable[Any]]) -> Ending:
        try:
            return Ending(await function())
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001  # interpreted by the waiting code
            return Ending(error=error)

    @property
    def is_at_work(self) -> bool:
        return not self.done.done() and not self.done.get_loop().is_closed()

    def ending(self) -> Ending:
        return Ending(error=asyncio.CancelledError()) if self.done.cancelled() else self.done.result()

    def stop(self) -> None:
        self.done.cancel()

    def leave(self) -> None:
        # `asyncio.run` cancels remaining tasks and waits for them without a limit; this one has already refused to
        # stop.
        asyncio._unregister_task(self.done)  # noqa: SLF001  # documented, for custom task implementations


class _Thread:
    """A function in a thread, which cannot be stopped; only a coroutine that it returns can be."""

    def __init__(self, function: Callable[[], Any], read: Callable[[Any], Any]) -> None:
        self._loop = asyncio.get_running_loop()
        self._read = read
        self._task: _Task | None = None
        self._is_stopped = False
        self.done: asyncio.Future[Ending] = self._loop.create_future()
        self._context = contextvars.copy_context()
        self._thread = threading.Thread(target=self._work, args=(function,), name="interlingua-tool", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:  # the system allows no more threads
            self._set_ending(Ending(error=error))

    def _work(self, function: Callable[[], Any]) -> None:
        try:
            value = self._context.run(function)
            if inspect.iscoroutine(value) or inspect.isasyncgen(value):
                self._call_in_loop(self._start_awaitable, value, otherwise=lambda: _close_unstarted(value))
                return
            ending = Ending(self._context.run(self._read, value))
        except BaseException as error:  # noqa: BLE001  # interpreted by the waiting code
            ending = Ending(error=error)
        self._call_in_loop(self._set_ending, ending)

    def _call_in_loop(
        self, callback: Callable[[Any], None], argument: Any, otherwise: Callable[[], None] = lambda: None
    ) -> None:
        """Call a function in the loop; if the loop is closed, nothing waits any more."""
        try:
            self._loop.call_soon_threadsafe(callback, argument)
        except RuntimeError:
            otherwise()

    def _start_awaitable(self, value: Coroutine[Any, Any, Any] | AsyncGenerator[Any]) -> None:
        if self._is_stopped:  # not started, since the call was already stopped
            _close_unstarted(value)
            self._set_ending(Ending(error=asyncio.CancelledError()))
            return

        async def go_on() -> Any:
            return self._read(await awaited(value))

        task = self._context.run(_Task, go_on)
        task.done.add_done_callback(lambda _: self._set_ending(task.ending()))
        self._task = task

    def _set_ending(self, ending: Ending) -> None:
        if not self.done.done():
            self.done.set_result(ending)

    @property
    def can_stop(self) -> bool:
        return self._task is not None

    @property
    def is_at_work(self) -> bool:
        if self._task is not None:
            return self._task.is_at_work
        return self._thread.is_alive() and not self.done.done()

    def ending(self) -> Ending:
        return self.done.result()

    def stop(self) -> None:
        self._is_stopped = True  # a thread ends when its function does
        if self._task is not None:
            self._task.stop()

    def leave(self) -> None:
        if self._task is not None:  # nothing waits for a daemon thread
            self._task.leave()


class AbandonedFunctions:
    """A thread-safe collection of abandoned functions that could not be stopped."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._members: list[tuple[Running, bool]] = []

    def add(self, members: Iterable[tuple[Running, bool]]) -> None:
        """Add functions, with whether they are safe beside others."""
        with self._lock:
            self._members = [(running, is_safe) for running, is_safe in self._members if running.is_at_work]
            self._members += members

    def conflicting(self, *, is_safe: bool) -> list[Running]:
        """Return the running functions beside which a function, safe or not, must not run."""
        with self._lock:
            return [running for running, was_safe in self._members if running.is_at_work and not (was_safe and is_safe)]


def start_task(function: Callable[[], Awaitable[Any]]) -> Running:
    """Start an async function in the running loop."""
    return _Task(function)


def start_thread(function: Callable[[], Any], read: Callable[[Any], Any]) -> Running:
    """Start a function in a new thread, in a copy of the current context; `read` converts its return value.

    A coroutine that it returns is awaited, and an async generator is read to its end.
    """
    return _Thread(function, read)
