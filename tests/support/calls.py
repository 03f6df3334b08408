"""Requests to run tools, and clocks with fixed times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from interlingua.model import ToolCall, ToolRequestMessage
from interlingua.tools import DecideBy, apply_policy, request

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interlingua.model import ToolFailure, ToolResultMessage

NOON: Final = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def approved(*calls: tuple[str, Any]) -> ToolRequestMessage:
    """Return a request for calls, each a name and arguments, all approved; their ids are c0, c1, ..."""
    made = [ToolCall(id=f"c{at}", name=name, arguments=arguments) for at, (name, arguments) in enumerate(calls)]
    return apply_policy(request(made), DecideBy(lambda _: True), now=lambda: NOON)


def codes(results: Iterable[ToolResultMessage]) -> list[str | None]:
    """Return the failure code of each call, None for success."""
    return [None if one.data.error is None else one.data.error.code for one in results]


def outputs(results: Iterable[ToolResultMessage]) -> list[Any]:
    """Return the output of each result."""
    return [one.data.output for one in results]


def failure_of(results: Sequence[ToolResultMessage]) -> ToolFailure:
    """Return the failure of the only result.

    Raises:
        AssertionError: there is not one result, or it is none of a failure.
    """
    (result,) = results
    if result.data.error is None:
        raise AssertionError("the call went well")
    return result.data.error


class Ticks:
    """A clock that advances by one second with each call, as a date and as a number."""

    def __init__(self) -> None:
        self.seconds = 0

    def now(self) -> datetime:
        """Return the time as a date."""
        self.seconds += 1
        return NOON + timedelta(seconds=self.seconds)

    def clock(self) -> float:
        """Return the time in seconds."""
        self.seconds += 1
        return float(self.seconds)
