"""Measures cases in alternating rounds, so that other load on the machine affects all of them.

Processor time is measured, not wall-clock time: time spent in other programs does not count.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

# Runs a case a number of times, and returns the seconds, in this process or in another one.
Runner: TypeAlias = Callable[[int], float]

ROUND_SECONDS: Final = 0.005


def here(case: Callable[[], object]) -> Runner:
    """Return a runner for a case in this process."""

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
        """Return how many times as long one case takes as another: the median of the ratios of the rounds.

        Other load in a round affects both.
        """
        pairs = zip(self.rounds[name], self.rounds[beside], strict=True)
        return statistics.median(one / other for one, other in pairs)


def measure(cases: Mapping[str, Runner], rounds: int) -> Times:
    """Measure the cases in alternating rounds."""
    # Existing objects are not garbage, and the garbage of one case is not collected in the next one.
    gc.collect()
    gc.freeze()
    calls: dict[str, int] = {}
    for name, run in cases.items():
        run(1)  # the first call does one-time initialisation
        calls[name] = max(1, int(ROUND_SECONDS / max(run(1), 1e-7)))
    times: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, run in cases.items():
            gc.collect()
            times[name].append(run(calls[name]) / calls[name])
    gc.unfreeze()
    return Times(times)
