"""Blocking forms of what runs in an event loop."""

from __future__ import annotations

import asyncio

from interlingua.errors import RunningLoopError

__all__ = ["refuse_running_loop"]


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
