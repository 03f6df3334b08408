"""The default clock, and moments as stored documents write them. All that is above the codecs takes a clock."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from interlingua.errors import ClockError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["timestamp_text", "utc_now"]


def utc_now() -> datetime:
    """Return the moment, in UTC."""
    return datetime.now(UTC)


def timestamp_text(now: Callable[[], datetime]) -> str:
    """Return what a clock says now as documents write it: RFC 3339, in UTC.

    Raises:
        ClockError: the clock does not say of which time zone it is.
    """
    moment = now()
    if moment.utcoffset() is None:
        raise ClockError
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
