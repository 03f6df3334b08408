"""One function at work: async ones in a task of the loop, others in a thread of their own.

A coroutine that a function returns in its thread, as a decorated async one does, goes on in a task of the loop, and so
does an async generator.

The threads are daemons and belong to no pool: one that never ends holds up neither its neighbours nor the end of the
program. How a function ended is a value, so that no exception of a tool meets the event loop.
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

__all__ = ["Ending", "LeftBehind", "Running", "awaited", "start_task", "start_thread"]


@dataclass(frozen=True, slots=True)
class Ending:
    """What a function returned, or raised."""

    value: Any = None
    error: BaseException | None = None


class Running(Protocol):
    """A function at work."""

    @property
    def done(self) -> asyncio.Future[Ending]:
        """What to wait for."""
        ...

    @property
    def can_stop(self) -> bool:
        """Whether `stop` has an effect."""
        ...

    @property
    def is_at_work(self) -> bool:
        """Whether the function has not ended."""
        ...

    def ending(self) -> Ending:
        """Return how it ended; it is done."""
        ...

    def stop(self) -> None:
        """Ask it to stop."""
        ...

    def leave(self) -> None:
        """Make sure that nobody waits for it, not even the end of its event loop."""
        ...


async def awaited(value: Any) -> Any:
    """Return what a tool's function gave, when it is there: of an async generator the list of what it gives."""
    found = await value if inspect.isawaitable(value) else value
    return [one async for one in found] if inspect.isasyncgen(found) else found


def _close_unbegun(value: Any) -> None:
    """Close what nobody is going to wait for; an async generator that was not begun has nothing to close."""
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
        except BaseException as error:  # noqa: BLE001  # whoever waits decides what it means
            return Ending(error=error)

    @property
    def is_at_work(self) -> bool:
        return not self.done.done() and not self.done.get_loop().is_closed()

    def ending(self) -> Ending:
        return Ending(error=asyncio.CancelledError()) if self.done.cancelled() else self.done.result()

    def stop(self) -> None:
        self.done.cancel()

    def leave(self) -> None:
        # `asyncio.run` cancels what is left and waits for it without a limit; what refused to stop refuses that, too.
        asyncio._unregister_task(self.done)  # noqa: SLF001  # documented, for those who end a task themselves


class _Thread:
    """A function in a thread, which nobody can stop; only the coroutine that it may return can be."""

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
        except RuntimeError as error:  # the system gives no more threads
            self._settle(Ending(error=error))

    def _work(self, function: Callable[[], Any]) -> None:
        try:
            value = self._context.run(function)
            if inspect.iscoroutine(value) or inspect.isasyncgen(value):
                self._tell(self._go_on, value, otherwise=lambda: _close_unbegun(value))
                return
            ending = Ending(self._context.run(self._read, value))
        except BaseException as error:  # noqa: BLE001  # whoever waits decides what it means
            ending = Ending(error=error)
        self._tell(self._settle, ending)

    def _tell(self, hear: Callable[[Any], None], said: Any, otherwise: Callable[[], None] = lambda: None) -> None:
        """Call a function in the loop; where the loop is closed, nobody waits any more."""
        try:
            self._loop.call_soon_threadsafe(hear, said)
        except RuntimeError:
            otherwise()

    def _go_on(self, value: Coroutine[Any, Any, Any] | AsyncGenerator[Any]) -> None:
        if self._is_stopped:  # what was not begun in time is not begun
            _close_unbegun(value)
            self._settle(Ending(error=asyncio.CancelledError()))
            return

        async def go_on() -> Any:
            return self._read(await awaited(value))

        task = self._context.run(_Task, go_on)
        task.done.add_done_callback(lambda _: self._settle(task.ending()))
        self._task = task

    def _settle(self, ending: Ending) -> None:
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
        if self._task is not None:  # else nobody waits for a daemon
            self._task.leave()


class LeftBehind:
    """Functions that nobody waits for any more and that could not be stopped. Several threads may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._members: list[tuple[Running, bool]] = []

    def add(self, members: Iterable[tuple[Running, bool]]) -> None:
        """Take functions, and whether they are safe beside others."""
        with self._lock:
            self._members = [(running, is_safe) for running, is_safe in self._members if running.is_at_work]
            self._members += members

    def beside(self, *, is_safe: bool) -> list[Running]:
        """Return those still at work beside which a function may not run that is safe, or not."""
        with self._lock:
            return [running for running, was_safe in self._members if running.is_at_work and not (was_safe and is_safe)]


def start_task(function: Callable[[], Awaitable[Any]]) -> Running:
    """Start an async function in the running loop."""
    return _Task(function)


def start_thread(function: Callable[[], Any], read: Callable[[Any], Any]) -> Running:
    """Start a function in a thread of its own, in a copy of the current context; `read` makes its ending of its value.

    A coroutine that it returns is awaited, an async generator read to its end.
    """
    return _Thread(function, read)
