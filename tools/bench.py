"""Time translation beside its limit: reading and writing the same bytes with orjson, in one run, on the same bodies.

Seconds differ from machine to machine, ratios hardly: only they are printed. Rounds of the cases are interleaved, so
that another program's load falls on all of them, and the median is taken.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import orjson

import interlingua as il

EXAMPLES: Final = Path(__file__).resolve().parents[1] / "docs" / "examples"
REQUESTS: Final = (EXAMPLES / "weather_request.json", EXAMPLES / "agent_request.json")
ROUND_SECONDS: Final = 0.05


def per_call(case: Callable[[], object], calls: int) -> float:
    """Return the seconds that one call takes, from one round of many."""
    begin = time.perf_counter()
    for _ in range(calls):
        case()
    return (time.perf_counter() - begin) / calls


def measure(cases: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median seconds of each case over interleaved rounds."""
    calls = {name: max(1, int(ROUND_SECONDS / per_call(case, 3))) for name, case in cases.items()}
    times: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, case in cases.items():
            times[name].append(per_call(case, calls[name]))
    return {name: statistics.median(values) for name, values in times.items()}


def cases_of(body: bytes) -> dict[str, Callable[[], object]]:
    """Return what is timed for one OpenAI request: the limit first, then each way through the library."""

    def translate(target: str) -> Callable[[], object]:
        return lambda: orjson.dumps(il.translate_request(orjson.loads(body), "openai_chat", target).body)

    def models() -> object:
        request: Any = il.decode_request(orjson.loads(body), "openai_chat")
        return orjson.dumps(il.encode_request(request, "openai_chat").body)

    return {
        "limit": lambda: orjson.dumps(orjson.loads(body)),
        "openai_chat -> claude": translate("claude"),
        "openai_chat -> openai_chat": translate("openai_chat"),
        "through models": models,
    }


def main() -> None:
    """Measure each example request and print the ratios."""
    parser = argparse.ArgumentParser(description="Time translation beside reading and writing the same bytes.")
    parser.add_argument("--rounds", type=int, default=15, help="how many rounds the median is taken of")
    rounds: int = parser.parse_args().rounds
    print(f"{'case':<30}{'body':>28}{'x limit':>10}")
    for path in REQUESTS:
        body = orjson.dumps(orjson.loads(path.read_bytes()))
        times = measure(cases_of(body), rounds)
        for name, seconds in times.items():
            print(f"{name:<30}{f'{path.stem}, {len(body)} bytes':>28}{seconds / times['limit']:>10.2f}")


if __name__ == "__main__":
    main()
