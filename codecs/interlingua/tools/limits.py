"""What tools may use: time, output, neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from interlingua.errors import ToolSetupError
from interlingua.given import check_count, check_number, is_time_limit

__all__ = ["ExecutionLimits", "check_seconds"]

# A quarter of what a stored message may have (`strict_json.MAX_BYTES`): a result is one of many.
_OUTPUT_BYTES: Final = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ExecutionLimits:
    """What tools may use.

    `timeout_seconds`: how long a tool may take that says nothing itself; None sets no limit. `grace_seconds`: how long
    an async tool that was told to stop may take to do so. `output_bytes`: how large an output may be, as JSON.
    `concurrent_calls`: how many calls run at a time at most.

    Raises:
        ToolSetupError: a limit is not more than 0.

    Example:
        >>> il.tools.ExecutionLimits(timeout_seconds=30).concurrent_calls
        64
    """

    timeout_seconds: float | None = None
    grace_seconds: float = 1.0
    output_bytes: int = _OUTPUT_BYTES
    concurrent_calls: int = 64

    def __post_init__(self) -> None:
        check_seconds(self.timeout_seconds, "timeout_seconds")
        check_seconds(self.grace_seconds, "grace_seconds")
        for name in ("output_bytes", "concurrent_calls"):
            object.__setattr__(self, name, check_count(getattr(self, name), name))
        if self.output_bytes < 1 or self.concurrent_calls < 1:
            raise ToolSetupError("output_bytes and concurrent_calls must be more than 0")


def check_seconds(seconds: float | None, what: str) -> None:
    """Check a time limit.

    Raises:
        ToolSetupError: it is not more than 0.
    """
    if seconds is None:
        return
    check_number(seconds, what)
    if not is_time_limit(seconds):
        raise ToolSetupError(f"{what} must be more than 0")
