"""Measures cost: as a number of calls if possible, and else as CPU seconds, without the garbage collector."""

from __future__ import annotations

import gc
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep the garbage collector and its callbacks out of a measurement."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def steps(work: Callable[[], Any]) -> int:
    """Return how many functions, of Python and of C, a piece of work calls."""
    count = 0

    def counted(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    with without_collector():
        sys.setprofile(counted)
        try:
            work()
        finally:
            sys.setprofile(before)
    return count


def seconds(work: Callable[[], Any], *, rounds: int = 1) -> float:
    """Return how many CPU seconds a piece of work takes, the minimum of some rounds."""
    return min(_seconds(work) for _ in range(rounds))


def grows_at_most(few: Callable[[], Any], many: Callable[[], Any], limit: float, *, tries: int = 12) -> bool:
    """Return whether a large piece of work takes at most `limit` times as long as a small one, both at their best.

    Other programs can only add to a time, so tries go on until the limit holds: a real regression is slow in each try.
    Less than a millisecond counts as one.
    """
    small = large = float("inf")
    for _ in range(tries):
        small, large = min(small, _seconds(few)), min(large, _seconds(many))
        if large <= limit * max(small, 0.001):
            return True
    return False


def _seconds(work: Callable[[], Any]) -> float:
    with without_collector():
        begun = time.process_time()
        work()
        return time.process_time() - begun
