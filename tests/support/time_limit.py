"""A time limit for every wait of a test."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

SECONDS: Final = 600.0
"""Far more than any test needs, on any machine."""
AGAIN: Final = 10.0
"""The time limit for the clean-up after that."""


@contextmanager
def limited(seconds: float = SECONDS, again: float = AGAIN) -> Iterator[None]:
    """End the code inside after some seconds, whatever it waits for: a thread, a lock, a process, a pipe.

    A wait that begins afterwards, such as for a process that still runs, is ended after `again`. On a system without
    this signal, or outside the main thread, nothing is ended.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_number: int, _frame: FrameType | None) -> None:
        pytest.fail(f"it has waited for more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, end)
    rest, interval = signal.setitimer(signal.ITIMER_REAL, seconds, again)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, rest, interval)
        signal.signal(signal.SIGALRM, before)
