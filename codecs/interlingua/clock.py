"""The default clock and the timestamp format of stored documents. Everything above the codecs takes a clock."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from interlingua.argument_checks import check_function, named
from interlingua.errors import ClockError
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["timestamp_text", "utc_now"]


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def timestamp_text(now: Callable[[], datetime]) -> str:
    """Return a clock's current time as documents write it: RFC 3339, in UTC.

    Raises:
        ClockError: the clock returns a datetime without a time zone.
        InvalidArgumentError: it is not a clock.
    """
    check_function(now, "now")
    moment: Any = now()
    if not isinstance(moment, datetime):
        raise InvalidArgumentError(f"now must return a datetime, not {named(moment)}")
    if moment.utcoffset() is None:
        raise ClockError
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
