"""Model families: what some models of a provider accept and others refuse, as rows of a table that a room exports.

The table is the room's `FAMILIES`; docs/families.md explains its members. Model names occur in these tables only.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Family", "found", "named"]


class Family(NamedTuple):
    r"""One row: the model names it applies to, and what these models accept.

    `pattern` is searched in a model name, ignoring case; `example` is a typical name. `facts` are the differences from
    accepting everything that the dialect has. `sources` are keys into the list of sources, as of `date`. `newest` marks
    the row for names that match no pattern: those of models newer than the table.

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
    """Return the first family whose pattern matches a model name."""
    place = _place(tuple(family.pattern for family in families), model)
    return None if place is None else families[place]


@functools.lru_cache(maxsize=256)
def _place(patterns: tuple[str, ...], model: str) -> int | None:
    return next((place for place, pattern in enumerate(patterns) if re.search(pattern, model, re.IGNORECASE)), None)


def named(families: tuple[Family, ...], name: object) -> Family | None:
    """Return the family for a name, which may be that of a family or of a model."""
    if not isinstance(name, str):
        return None
    wanted = name.casefold()
    for family in families:
        if wanted in {family.name.casefold(), *(part.strip().casefold() for part in family.name.split(","))}:
            return family
    match = found(families, name)
    return None if match is None or match.newest else match
