"""Prints the differences in groups, with a few examples of each, without content unless requested."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from regression.differences import ORDER
from regression.intended import first_cover
from regression.outcomes import ORDERED, dumped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regression.differences import Difference
from regression.intended import Intended

FIRST: Final = 3
PLACES: Final = 3
"""How many kinds of places of a group are shown, the most frequent first."""

SHOWN: Final = 2_000
"""How many bytes of a value are shown."""


_NUMBER: Final = re.compile(r"(?<=/)\d+(?=/| |$)")


class Group(NamedTuple):
    """Differences of one kind, source, operation and aspect."""

    kind: str
    source: str
    door: str
    what: str


class Found:
    """The differences so far: counted by group, with the first few of each; intended ones are counted separately."""

    def __init__(self, named: Sequence[Intended], *, first: int = FIRST) -> None:
        self._named = named
        self._most = first
        self._meant: Counter[Intended] = Counter()
        self._counted: Counter[Group] = Counter()
        self._places: defaultdict[Group, Counter[str]] = defaultdict(Counter)
        self._first: defaultdict[Group, list[Difference]] = defaultdict(list)

    def add(self, difference: Difference) -> None:
        """Count a difference."""
        meant = first_cover(self._named, difference)
        if meant is not None:
            self._meant[meant] += 1
            return
        kind, source, *_, door = difference.key.split("/")
        group = Group(kind, source, door, difference.what)
        self._counted[group] += 1
        self._places[group].update({_NUMBER.sub("*", place) or "the top" for place in difference.places})
        if len(self._first[group]) < self._most:
            self._first[group].append(difference)

    @property
    def unnamed(self) -> int:
        """How many differences are not intended."""
        return self._counted.total()

    @property
    def unmatched(self) -> list[Intended]:
        """The intended entries that no difference matches."""
        return [one for one in self._named if not self._meant[one]]

    def _where(self, group: Group) -> str:
        """Return the most frequent paths of a group, without their numbers."""
        return ", ".join(f"{place} ({count:,})" for place, count in self._places[group].most_common(PLACES))

    def lines(self, *, show: bool) -> Iterator[str]:
        """Yield the lines of the report."""
        for group, count in sorted(self._counted.items(), key=lambda item: (-item[1], item[0])):
            names = f"{group.kind:<9} {group.source:<17} {group.door:<22} {group.what:<10}"
            yield f"{count:>7,}  {names} {self._where(group)}"
        for differences in self._first.values():
            for difference in differences:
                yield f"{difference.key}: {difference.what}{_where(difference)}"
                yield from _values(difference) if show else ()
        for meant, count in self._meant.items():
            yield f"{count:>7,}  meant: {meant.reason} ({meant.keys})"
        yield from (f"no difference is: {one.reason} ({one.keys})" for one in self.unmatched)


def _values(difference: Difference) -> Iterable[str]:
    ordered = difference.what in ORDERED or difference.what == ORDER
    for when, value in (("before", difference.before), ("now", difference.now)):
        yield f"    {when}: {dumped(value, ordered=ordered)[:SHOWN].decode(errors='replace')}"


def _where(difference: Difference) -> str:
    """Describe where something differs."""
    return " at " + ", ".join(place or "the top" for place in difference.places) if difference.places else ""
