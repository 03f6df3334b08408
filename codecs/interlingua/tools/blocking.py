"""Runs coroutines from blocking code, in a private event loop."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from contextlib import contextmanager, suppress
from threading import Lock, Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Any, Final, TypeVar

from interlingua.errors import RunningLoopError

if TYPE_CHECKING:
    from collections.abc import Coroutine, Generator

__all__ = ["OwnLoop", "refuse_running_loop", "run_in_own_loop"]

T = TypeVar("T")


def refuse_running_loop(awaitable: str) -> None:
    """Check that no event loop is running here, since a blocking call would block it.

    Raises:
        RunningLoopError: one is; `awaitable` is what to await instead.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RunningLoopError(awaitable)


def run_in_own_loop(main: Coroutine[Any, Any, T], grace_seconds: float) -> T:
    """Run a coroutine in a new event loop, as `asyncio.run` does, and return its result.

    Other tasks that do not stop within the grace period are abandoned: `asyncio.run` would wait without a limit for
    tasks that refuse to stop, and for threads.
    """
    runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
    try:
        with _wake_on_signals(runner.get_loop()):
            return runner.run(main)
    finally:
        try:
            runner.run(_end_others(grace_seconds))
        finally:
            runner.get_loop().close()


class OwnLoop:
    """An event loop in its own thread, for what must outlive one blocking call, such as a connection.

    The daemon thread is started by the first call.
    """

    def __init__(self) -> None:
        self._lock: Final = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the loop and return its result; an interrupt cancels it."""
        running = asyncio.run_coroutine_threadsafe(work, self._started())
        try:
            return running.result()
        except BaseException:
            running.cancel()
            raise

    def close(self, last: Coroutine[Any, Any, object]) -> None:
        """Run a last coroutine in the loop, if it was started, and stop the loop."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is None:
            last.close()
            return
        try:
            asyncio.run_coroutine_threadsafe(last, loop).result()
        finally:
            loop.call_soon_threadsafe(loop.stop)

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                Thread(target=_run_until_stopped, args=(self._loop,), daemon=True, name="interlingua").start()
            return self._loop


def _run_until_stopped(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


@contextmanager
def _wake_on_signals(loop: asyncio.AbstractEventLoop) -> Generator[None]:
    """Make every signal wake the loop.

    Python handles signals in the main thread. If the system delivers one to another thread, or just before the loop
    begins to wait, the loop would sleep on and miss the interrupt, which `asyncio.Runner` does not prevent. Outside the
    main thread no signal is handled, and on Windows the loop wakes by itself.
    """
    if sys.platform == "win32" or current_thread() is not main_thread():
        yield
        return
    reading, writing = socket.socketpair()
    with reading, writing:
        reading.setblocking(False)
        writing.setblocking(False)
        loop.add_reader(reading, _empty, reading)
        before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            loop.remove_reader(reading)


def _empty(reading: socket.socket) -> None:
    """Discard the bytes written by signals, which only wake the loop."""
    with suppress(BlockingIOError):
        reading.recv(4096)


async def _end_others(grace_seconds: float) -> None:
    """Stop the other tasks of the loop, and its generators."""
    loop = asyncio.get_running_loop()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for other in others:
        other.cancel()
    if others:
        await asyncio.wait(others, timeout=grace_seconds)
    generators = asyncio.ensure_future(loop.shutdown_asyncgens())
    await asyncio.wait({generators}, timeout=grace_seconds)
