"""Reads the list of intended differences: a TOML file with a reason for each.

    [[difference]]
    keys = "request/claude/*/to:gemini"
    what = ["body", "losses"]
    places = "/contents/*"
    reason = "An empty text is no longer written."

`keys` is a pattern for the key of a case with its operation, in which `*` matches anything. `what` lists the aspects
that may differ. `places` is an optional pattern that every differing path has to match.
"""

# JSON of any shape: narrowing leaves the member types unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from regression.differences import Difference

_MEMBERS = frozenset({"keys", "what", "places", "reason"})
_MUTANT = re.compile(r"/m\d+(?=/)")


class NamedError(Exception):
    """The file is invalid."""


class Intended(NamedTuple):
    """One intended difference."""

    keys: str
    what: tuple[str, ...]
    places: str
    reason: str

    def covers(self, difference: Difference) -> bool:
        """Tell whether this entry covers a difference; mutants count like their originals."""
        return (
            difference.what in self.what
            and any(fnmatchcase(key, self.keys) for key in (difference.key, _MUTANT.sub("", difference.key)))
            and all(fnmatchcase(place, self.places) for place in difference.places)
        )


def read(path: Path) -> tuple[Intended, ...]:
    """Return the entries of a file.

    Raises:
        NamedError: it cannot be read, or an entry is invalid.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise NamedError(f"{path.name}: {type(error).__name__}: {error}") from None
    entries = table.get("difference")
    if set(table) != {"difference"} or not isinstance(entries, list):
        raise NamedError(f"{path.name}: only [[difference]] may stand there")
    return tuple(_entry(entry, f"{path.name}: difference {number}") for number, entry in enumerate(entries, 1))


def _entry(entry: Any, where: str) -> Intended:
    if not isinstance(entry, dict) or entry.keys() - _MEMBERS:
        raise NamedError(f"{where}: only {', '.join(sorted(_MEMBERS))} may stand there")
    what = entry.get("what")
    if not (isinstance(what, list) and what and all(isinstance(one, str) for one in what)):
        raise NamedError(f"{where}: `what` is a list of words")
    for name in ("keys", "reason"):
        if not (isinstance(entry.get(name), str) and entry[name].strip()):
            raise NamedError(f"{where}: `{name}` is a text")
    if not isinstance(places := entry.get("places", "*"), str):
        raise NamedError(f"{where}: `places` is a text")
    return Intended(entry["keys"], tuple(what), places, entry["reason"])


def first_cover(named: Sequence[Intended], difference: Difference) -> Intended | None:
    """Return the first entry that covers a difference."""
    return next((one for one in named if one.covers(difference)), None)
