"""Rate limit headers: limits and remaining counts of requests and tokens.

OpenAI and Anthropic send the same counts under different names. Reset times are not translated: one sends a duration
and the other a timestamp, so that would need a clock. Source: docs/provider_errors.md.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ANTHROPIC", "OPENAI", "rate_limit_headers", "rate_limit_names"]

OPENAI: Final = "x-ratelimit-{fact}-{scope}"
"""OpenAI's header names: `fact` is `limit` or `remaining`, `scope` is `requests` or `tokens`."""
ANTHROPIC: Final = "anthropic-ratelimit-{scope}-{fact}"
"""Anthropic's header names."""

_FORMS: Final = (OPENAI, ANTHROPIC)
_COUNT: Final = re.compile(r"[0-9]{1,15}")


def rate_limit_headers(headers: Mapping[str, object], form: str) -> dict[str, str]:
    """Return the counts in headers, whose names must be in lower case, under the names of `form`."""
    found = {_renamed(name, form): value for name, value in headers.items()}
    return {name: value for name, value in found.items() if name and isinstance(value, str) and _COUNT.fullmatch(value)}


def rate_limit_names(name: str) -> tuple[str, ...]:
    """Return the names of a count header in every form; none if the header holds no such count."""
    return tuple(renamed for form in _FORMS if (renamed := _renamed(name, form)))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return the compiled name patterns of each form, on first use, since few callers have headers."""
    return tuple(
        re.compile(form.format(fact="(?P<fact>limit|remaining)", scope="(?P<scope>requests|tokens)")) for form in _FORMS
    )


def _renamed(name: str, form: str) -> str:
    for pattern in _patterns():
        found = pattern.fullmatch(name)
        if found:
            return form.format(**found.groupdict())
    return ""
