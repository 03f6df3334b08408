"""`createTime` of Gemini, a moment in RFC 3339 with decimals, and the whole seconds of the canonical form."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

_MOMENT: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z", re.ASCII)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND: Final = timedelta(seconds=1)


def read_moment(text: str) -> tuple[int, str] | None:
    """Return the seconds since 1970 and the decimals, as they are written. None for any other text."""
    match = _MOMENT.fullmatch(text)
    if match is None:
        return None
    try:
        seconds = (datetime.fromisoformat(match.group(1)).replace(tzinfo=UTC) - _EPOCH) // _SECOND
    except ValueError:
        return None
    return seconds, match.group(2) or ""


def write_moment(seconds: int, decimals: str = "") -> str | None:
    """Return the text of a moment, or None for one that is in no year from 1 to 9999."""
    try:
        moment = _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return None
    return f"{moment.isoformat().removesuffix('+00:00')}{decimals}Z"
