"""Convert between RFC 3339 timestamps, with fraction and offset, and the whole seconds of the canonical form."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

_BEYOND: Final = re.compile(r"(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII)
_WHOLE_LENGTH: Final = len("1970-01-01T00:00:00")
_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001  # offsets are computed by hand: RFC 3339 allows more than a day
_SECOND: Final = timedelta(seconds=1)
UTC: Final = "Z"


def parse_timestamp(text: str) -> tuple[int, str] | None:
    """Return the seconds since 1970, and the rest of the text: fraction and offset. None if it is no timestamp."""
    whole, beyond = text[:_WHOLE_LENGTH], text[_WHOLE_LENGTH:]
    shift = _shift(beyond)
    if shift is None:
        return None
    try:
        seconds = (datetime.fromisoformat(whole) - _EPOCH - shift) // _SECOND
    except ValueError:
        return None
    return (seconds, beyond) if format_timestamp(seconds, beyond) == text else None


def format_timestamp(seconds: int, beyond: str = UTC) -> str | None:
    """Return a time as text, or None if it is outside the years 1 to 9999."""
    shift = _shift(beyond)
    if shift is None:
        return None
    try:
        return (_EPOCH + timedelta(seconds=seconds) + shift).isoformat() + beyond
    except OverflowError:
        return None


def _shift(beyond: str) -> timedelta | None:
    """Return the difference to UTC of a fraction and offset; None if they are malformed."""
    match = _BEYOND.fullmatch(beyond)
    if match is None:
        return None
    sign, hours, minutes = match.groups()
    if sign is None:
        return timedelta()
    ahead = timedelta(hours=int(hours), minutes=int(minutes))
    return ahead if sign == "+" else -ahead
