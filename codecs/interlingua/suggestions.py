"""Suggests known names for misspelt ones."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["did_you_mean", "misspelt", "nearest", "nearly", "question"]

_LONGEST: Final = 100
"""Longer strings are not compared: they are not names, and comparing them is slow."""
_MOST: Final = 3
_NEARLY: Final = 0.86
"""The minimum similarity of a misspelt name; `tool_calls` and `tool_call_id` are below it."""
_ALMOST: Final = 0.88
"""The minimum similarity of a name that may also be right; `reasoning_format` and `reasoning_effort` are below it."""
_FEW: Final = 3
"""Up to this length a prefix matches too many names."""


def nearest(name: object, known: Iterable[object]) -> tuple[str, ...]:
    """Return the known names that may be meant, the likeliest first: misspelt, abbreviated, or in another case."""
    if type(name) is not str or not name or len(name) > _LONGEST:
        return ()
    from difflib import get_close_matches  # noqa: PLC0415  # only a wrong name needs it

    names = {_plain(one): one for one in reversed([one for one in known if isinstance(one, str)])}
    wanted = _plain(name)
    close = get_close_matches(wanted, names, n=_MOST, cutoff=0.75)
    begun = [one for one in names if len(wanted) > _FEW and (one.startswith(wanted) or wanted.startswith(one))]
    return tuple(names[one] for one in dict.fromkeys([*close, *sorted(begun)]))[:_MOST]


@lru_cache(maxsize=4096)
def nearly(name: object, known: frozenset[str]) -> tuple[str, ...]:
    """Return the known names that a name nearly equals, the likeliest first: misspelt, or in another case.

    The name may also be a valid but unknown one, so this requires more similarity than `nearest`.
    """
    if type(name) is not str or not name[:1].isalpha() or len(name) > _LONGEST or name in known:
        return ()
    from difflib import get_close_matches  # noqa: PLC0415  # only an unknown name needs it

    names = {_plain(one): one for one in sorted(known, reverse=True)}
    return tuple(names[one] for one in get_close_matches(_plain(name), names, n=_MOST, cutoff=_ALMOST))


def misspelt(name: str, members: Iterable[str]) -> bool:
    """Tell whether a member of an object has nearly this name, but not exactly."""
    from difflib import get_close_matches  # noqa: PLC0415  # only a missing member needs it

    wanted = _plain(name)
    others = [_plain(one) for one in members if type(one) is str and one != name and len(one) <= _LONGEST]
    return bool(get_close_matches(wanted, others, n=1, cutoff=_NEARLY))


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """Return a question to append to a message, such as "; did you mean 'claude'?", or an empty string."""
    return question(nearest(name, known))


def question(names: Sequence[str]) -> str:
    """Return the question whether one of these names was meant, or an empty string if there are none."""
    found = [repr(one) for one in names]
    if not found:
        return ""
    return f"; did you mean {', '.join(found[:-1])}{' or ' if found[:-1] else ''}{found[-1]}?"


def _plain(name: str) -> str:
    """Return a name reduced to lower-case letters and digits, so that `OpenAI-Chat` matches `openai_chat`."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())
