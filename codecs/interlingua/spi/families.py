"""Model families: what one model of a provider takes and another refuses, as rows of a table that a room exports.

A room that has a table names it `FAMILIES`; docs/families.md says what its members mean. Names of models stand in these
tables and nowhere else.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Family", "found", "named"]


class Family(NamedTuple):
    r"""One row: which names it is for, and what these models take.

    `pattern` is searched in the name of a model, ignoring case; `example` is a typical name. `facts` says what differs
    from taking everything that the dialect has. `sources` are words of the list of sources, `date` is the state.
    `newest` marks the row for names that no pattern knows: those of models newer than the table.

    Example:
        >>> il.spi.Family("parrot", r"^parrot-\d", "parrot-2", {"seed": False}).example
        'parrot-2'
    """

    name: str
    pattern: str
    example: str
    facts: Mapping[str, Any]
    sources: str = ""
    date: str = "2026-11-22"
    newest: bool = False


def found(families: tuple[Family, ...], model: str) -> Family | None:
    """Return the first family whose pattern is found in the name of a model."""
    place = _place(tuple(family.pattern for family in families), model)
    return None if place is None else families[place]


@functools.lru_cache(maxsize=256)
def _place(patterns: tuple[str, ...], model: str) -> int | None:
    return next((place for place, pattern in enumerate(patterns) if re.search(pattern, model, re.IGNORECASE)), None)


def named(families: tuple[Family, ...], name: object) -> Family | None:
    """Return the family of a name: its own, one of those that it lists, or that of a model."""
    if not isinstance(name, str):
        return None
    wanted = name.casefold()
    for family in families:
        if wanted in {family.name.casefold(), *(part.strip().casefold() for part in family.name.split(","))}:
            return family
    match = found(families, name)
    return None if match is None or match.newest else match
