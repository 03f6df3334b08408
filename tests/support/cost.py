"""What work costs: counted in calls where that can be, and else in seconds of the processor, without the collector."""

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
    """Keep the garbage collector, and what others have it call, out of what is measured."""
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
    """Return how many seconds of the processor a piece of work takes, the least of some rounds."""
    return min(_seconds(work) for _ in range(rounds))


def grows_at_most(few: Callable[[], Any], many: Callable[[], Any], limit: float, *, tries: int = 12) -> bool:
    """Whether a large piece of work takes at most so many times as long as a small one, each at its best of some tries.

    Another program can only add to a time, so tries go on until the limit holds: what is worse is so each time. What
    takes less than a millisecond counts as one.
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
