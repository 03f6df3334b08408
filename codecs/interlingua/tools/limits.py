"""Limits for tool execution: time, output size, concurrency."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from interlingua.argument_checks import check_count, check_number, is_time_limit
from interlingua.errors import ToolSetupError

__all__ = ["ExecutionLimits", "check_seconds"]

# A quarter of the maximum size of a stored message (`strict_json.MAX_BYTES`).
_OUTPUT_BYTES: Final = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ExecutionLimits:
    """Limits for tool execution.

    `timeout_seconds`: the time limit of a tool that has none of its own; None means no limit. `grace_seconds`: how long
    a cancelled async tool may take to stop. `output_bytes`: the maximum size of an output, as JSON. `concurrent_calls`:
    the maximum number of concurrent calls.

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
