"""Times of cases that run beside each other: rounds take turns, so that another program's load falls on all.

It is the processor's time that counts, not the clock's: while other programs run, nothing is measured.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

# Runs a case so many times, and returns the seconds that this took: in this process or in another one.
Runner: TypeAlias = Callable[[int], float]

ROUND_SECONDS: Final = 0.005


def here(case: Callable[[], object]) -> Runner:
    """Return the runner of a case in this process."""

    def run(calls: int) -> float:
        begin = time.process_time()
        for _ in range(calls):
            case()
        return time.process_time() - begin

    return run


@dataclass(frozen=True, slots=True)
class Times:
    """The seconds that one call of each case took, round by round."""

    rounds: Mapping[str, Sequence[float]]

    def seconds(self, name: str) -> float:
        """Return the median seconds of a case."""
        return statistics.median(self.rounds[name])

    def ratio(self, name: str, beside: str) -> float:
        """Return how many times as long one case takes as another: the median over the rounds, each by itself.

        What else the machine does in a round falls on both.
        """
        pairs = zip(self.rounds[name], self.rounds[beside], strict=True)
        return statistics.median(one / other for one, other in pairs)


def measure(cases: Mapping[str, Runner], rounds: int) -> Times:
    """Return what the cases take, in rounds that take turns."""
    # What is there already is no garbage, and what one case leaves is not collected in the next one.
    gc.collect()
    gc.freeze()
    calls: dict[str, int] = {}
    for name, run in cases.items():
        run(1)  # the first one builds what is built once
        calls[name] = max(1, int(ROUND_SECONDS / max(run(1), 1e-7)))
    times: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, run in cases.items():
            gc.collect()
            times[name].append(run(calls[name]) / calls[name])
    gc.unfreeze()
    return Times(times)
