"""Read and write the headers of an error: the retry delay and the request id. Names are case-insensitive.

Source: docs/provider_errors.md.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.error_categories import TEXT_LIMIT
from interlingua.tool_arguments import exact_text

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RETRY", "delays_in", "is_wait", "known_headers", "needs_clock", "retry_after_of", "retry_headers"]

RETRY: Final = ("retry-after-ms", "x-ms-retry-after-ms", "retry-after")
"""The headers with the retry delay, the most exact first."""

_NUMBER: Final = re.compile(r"\s*(\d{1,9}(?:\.\d{1,12})?)\s*", re.ASCII)
_DELAY: Final = re.compile(r"(\d{1,9}(?:\.\d{1,12})?)s", re.ASCII)
_IN_TEXT: Final = re.compile(
    r"(?:try again|retry) (?:in|after) "
    r"(?:(\d{1,3}) ?d(?:ays?)?(?![a-z]),? ?)?(?:(\d{1,3}) ?h(?:(?:ou)?rs?)?(?![a-z]),? ?)?"
    r"(?:(\d{1,4}) ?m(?:in(?:ute)?s?)?(?![a-z]),? ?(?:and )?)?(?:(\d{1,9}(?:\.\d{1,12})?) ?(ms\b|milli|s)?)?",
    re.ASCII | re.IGNORECASE,
)
_LONGEST: Final = 10**9
_RESET: Final = re.compile(r"anthropic-ratelimit-.*-reset")


def known_headers(headers: Mapping[str, Any] | None, names: re.Pattern[str]) -> dict[str, str]:
    """Return the headers that a dialect knows, with names in lower case."""
    lowered = {str(name).lower(): value for name, value in (headers or {}).items()}
    return {
        name: exact_text(value)
        for name, value in lowered.items()
        if names.fullmatch(name) and type(value) in {str, int, float}
    }


def retry_after_of(
    headers: Mapping[str, str], members: Mapping[str, Any], text: str, now: datetime | float | None
) -> float | None:
    """Return the seconds to wait, from the error object, the headers or the text; an int if whole."""
    for seconds in (
        _of_details(members.get("details")),
        _of_headers(headers),
        _of_headers(_nested(members.get("headers"))),
        _of_number(members.get("resets_in_seconds")),
        _of_text(text),
        None if now is None else _of_clock(headers, members, now),
    ):
        if seconds is not None:
            return int(seconds) if seconds == int(seconds) else seconds
    return None


def is_wait(seconds: float) -> bool:
    """Tell whether a delay is plausible: not negative, and not decades."""
    return 0 <= seconds < _LONGEST


def needs_clock(headers: Mapping[str, str], members: Mapping[str, Any]) -> bool:
    """Tell whether an error has an absolute retry time, which needs a clock to become a delay."""
    return "resets_at" in members or "retry-after" in headers or any(map(_RESET.fullmatch, headers))


def retry_headers(seconds: float | None, *, is_exact: bool) -> dict[str, str]:
    """Return the headers for a retry delay: whole seconds, rounded up; with `is_exact` milliseconds, too.

    There are none for an unknown or implausible delay.
    """
    if seconds is None or not is_wait(seconds):
        return {}
    written = {"retry-after": str(math.ceil(seconds))}
    if is_exact and seconds != int(seconds):
        # Rounded first: 1.001 seconds are 1000.9999999999999 milliseconds.
        written["retry-after-ms"] = str(math.ceil(round(seconds * 1000, 6)))
    return written


def _of_details(details: Any) -> float | None:
    """Return the `retryDelay` of Gemini's RetryInfo."""
    for one in details if type(details) is list else ():
        delay = one.get("retryDelay") if type(one) is dict else None
        found = _DELAY.fullmatch(delay) if type(delay) is str else None
        if found:
            return float(found[1])
    return None


def delays_in(details: Any) -> set[str]:
    """Return the texts by which Gemini's RetryInfo says a wait: the delay, and the type of the entry."""
    told: set[str] = set()
    for one in details if type(details) is list else ():
        if type(one) is dict and _of_details([one]) is not None:
            told |= {text for name in ("@type", "retryDelay") if type(text := one.get(name)) is str}
    return told


def _of_headers(headers: Mapping[str, str]) -> float | None:
    for name in RETRY:
        found = _NUMBER.fullmatch(headers.get(name, ""))
        if found:
            return float(found[1]) / 1000 if name.endswith("-ms") else float(found[1])
    return None


def _nested(headers: Any) -> dict[str, str]:
    """Return the headers inside an error frame of a Responses stream."""
    members = cast("dict[str, Any]", headers) if type(headers) is dict else {}
    return {name.lower(): value for name, value in members.items() if type(value) is str}


def _of_number(value: Any) -> float | None:
    return float(value) if type(value) in {int, float} and is_wait(value) else None


def _of_text(text: str) -> float | None:
    for found in _IN_TEXT.finditer(text[:TEXT_LIMIT]):
        days, hours, minutes, number, unit = found.groups()
        if days or hours or minutes or number:
            seconds = float(number or 0) / (1000 if unit and unit.lower() in {"ms", "milli"} else 1)
            return (int(days or 0) * 24 + int(hours or 0)) * 3600 + int(minutes or 0) * 60 + seconds
    return None


def _of_clock(headers: Mapping[str, str], members: Mapping[str, Any], now: datetime | float) -> float | None:
    """Return the seconds until an error's absolute retry time."""
    moments = [_date(headers.get("retry-after", "")), _of_number_of_moment(members.get("resets_at"))]
    used_up = [
        name.removesuffix("remaining") + "reset"
        for name, left in headers.items()
        if name.startswith("anthropic-ratelimit-") and name.endswith("-remaining") and left == "0"
    ]
    resets = [moment for name in used_up if (moment := _iso(headers.get(name, ""))) is not None]
    moments.append(max(resets) if resets else None)
    present = _seconds(now)
    return next((max(0.0, round(moment - present, 3)) for moment in moments if moment is not None), None)


def _of_number_of_moment(value: Any) -> float | None:
    return float(value) if type(value) in {int, float} and 0 <= value < 10**12 else None


def _seconds(moment: datetime | float) -> float:
    """Return a time in seconds since 1970; without a time zone it is UTC, independent of the machine."""
    if not isinstance(moment, datetime):
        return moment
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _date(value: str) -> float | None:
    try:
        return _seconds(parsedate_to_datetime(value[:64]))
    except (ValueError, OverflowError, IndexError, TypeError):
        return None


def _iso(value: str) -> float | None:
    try:
        return _seconds(datetime.fromisoformat(value[:64]))
    except (ValueError, OverflowError):
        return None
