"""Blocking forms of what runs in an event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from interlingua.errors import RunningLoopError

if TYPE_CHECKING:
    from collections.abc import Coroutine

__all__ = ["refuse_running_loop", "run_in_own_loop"]

T = TypeVar("T")


def refuse_running_loop(awaitable: str) -> None:
    """Make sure that no event loop is running here: a blocking call would stop it.

    Raises:
        RunningLoopError: one is; `awaitable` is what to await instead.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RunningLoopError(awaitable)


def run_in_own_loop(main: Coroutine[Any, Any, T], grace_seconds: float) -> T:
    """Run a coroutine in an event loop of its own, as `asyncio.run` does, and return what it returns.

    What a tool has begun beside it and does not stop within the grace is left: `asyncio.run` would wait for tasks that
    refuse to stop, and for threads that nobody can stop, without a limit.
    """
    runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
    try:
        return runner.run(main)
    finally:
        try:
            runner.run(_end_others(grace_seconds))
        finally:
            runner.get_loop().close()


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
