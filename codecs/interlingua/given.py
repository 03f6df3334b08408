"""Mistakes of callers that Python lets pass: one text in the place of several, a time limit that is none."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["check_time_limit", "is_time_limit", "texts_of"]


def texts_of(texts: Iterable[str], what: str) -> tuple[str, ...]:
    """Return several texts, in order.

    Raises:
        InvalidArgumentError: it is one text, of which each letter would count as one of them, or holds something else.
    """
    several = () if isinstance(texts, str) else tuple(texts)
    if isinstance(texts, str) or not all(isinstance(text, str) for text in several):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may not be typed
        raise InvalidArgumentError(f"{what} must be a collection of texts")
    return several


def is_time_limit(seconds: float) -> bool:
    """Tell whether a number of seconds limits anything: more than 0; infinity does, by limiting nothing."""
    return not math.isnan(seconds) and seconds > 0


def check_time_limit(seconds: float, what: str) -> float:
    """Return a time limit.

    Raises:
        InvalidArgumentError: it is not more than 0.
    """
    if not is_time_limit(seconds):
        raise InvalidArgumentError(f"{what} must be more than 0")
    return seconds
