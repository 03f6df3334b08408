"""Rate limits in headers: how many requests and tokens there may be, and how many are left.

OpenAI and Anthropic say the same counts under other names. When a limit is full again needs a clock, since one says a
duration and the other a moment: it stays with its own provider. Source: docs/provider_errors.md.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ANTHROPIC", "OPENAI", "rate_limit_headers", "rate_limit_names"]

OPENAI: Final = "x-ratelimit-{fact}-{scope}"
"""How OpenAI names the header of a count: `fact` is `limit` or `remaining`, `scope` is `requests` or `tokens`."""
ANTHROPIC: Final = "anthropic-ratelimit-{scope}-{fact}"
"""How Anthropic names it."""

_FORMS: Final = (OPENAI, ANTHROPIC)
_COUNT: Final = re.compile(r"[0-9]{1,15}")


def rate_limit_headers(headers: Mapping[str, object], form: str) -> dict[str, str]:
    """Return the counts of headers, whose names are in lower case, under the names of a form."""
    found = {_renamed(name, form): value for name, value in headers.items()}
    return {name: value for name, value in found.items() if name and isinstance(value, str) and _COUNT.fullmatch(value)}


def rate_limit_names(name: str) -> tuple[str, ...]:
    """Return the names of the count that a header says, in every form; none where it says no count."""
    return tuple(renamed for form in _FORMS if (renamed := _renamed(name, form)))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return what matches the names of each form: compiled when they are needed, since few callers have headers."""
    return tuple(
        re.compile(form.format(fact="(?P<fact>limit|remaining)", scope="(?P<scope>requests|tokens)")) for form in _FORMS
    )


def _renamed(name: str, form: str) -> str:
    for pattern in _patterns():
        found = pattern.fullmatch(name)
        if found:
            return form.format(**found.groupdict())
    return ""
