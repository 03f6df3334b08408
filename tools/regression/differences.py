"""The differences between two results of an operation, and their paths."""

# JSON of any shape: narrowing leaves the member types unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from regression.outcomes import ORDERED, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

FACTS: Final = frozenset({"losses", "violations"})
"""The aspects that are lists of facts, without content, in no order."""

ORDER: Final = "order"
"""The aspect for a body that differs only in the order of its members."""

MISSING: Final = "missing"
"""The aspect for a function that the newer code does not have."""

MOST_PLACES: Final = 8
_NOTHING: Final = object()


class Difference(NamedTuple):
    """One aspect in which two results differ: `key` is that of the case, with its operation.

    `places` are JSON Pointers; for losses and violations, `-` marks those that are no longer reported, and `+` new
    ones.
    """

    key: str
    what: str
    places: tuple[str, ...]
    before: Any
    now: Any


def differences(key: str, before: Outcome, now: Outcome) -> Iterator[Difference]:
    """Yield every aspect in which two results of an operation differ."""
    for aspect in sorted({*before, *now}):
        old, new = before.get(aspect), now.get(aspect)
        places = tuple(islice(_places(aspect, old, new), MOST_PLACES))
        if places:
            yield Difference(key, aspect, places, old, new)
        elif aspect in ORDERED and (reordered := tuple(islice(_reordered(old, new, ""), MOST_PLACES))):
            yield Difference(key, ORDER, reordered, old, new)


def _places(aspect: str, old: Any, new: Any) -> Iterator[str]:
    """Return the paths at which an aspect differs."""
    if aspect in FACTS and old is not None and new is not None:
        return _told(old, new)
    return _changed(old, new, "")


def _told(old: list[list[str]], new: list[list[str]]) -> Iterator[str]:
    """Yield the losses or violations that only one of the two has."""
    before, now = (Counter(" ".join(fact) for fact in facts) for facts in (old, new))
    yield from (f"-{fact}" for fact in (before - now).elements())
    yield from (f"+{fact}" for fact in (now - before).elements())


def _changed(old: Any, new: Any, path: str) -> Iterator[str]:
    """Yield the pointers of changed values; the order of members does not count."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys((*old, *new)):
            yield from _changed(old.get(name, _NOTHING), new.get(name, _NOTHING), f"{path}/{_escaped(name)}")
    elif isinstance(old, list) and isinstance(new, list):
        for index, (one, other) in enumerate(zip(old, new, strict=False)):
            yield from _changed(one, other, f"{path}/{index}")
        if len(old) != len(new):
            yield f"{path}/{min(len(old), len(new))}"
    elif type(old) is not type(new) or old != new:
        yield path


def _reordered(old: Any, new: Any, path: str) -> Iterator[str]:
    """Yield the pointers of objects that have the same members in another order."""
    if isinstance(old, dict):
        if list(old) != list(new):
            yield path
        for name, value in old.items():
            yield from _reordered(value, new[name], f"{path}/{_escaped(name)}")
    elif isinstance(old, list):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _reordered(one, other, f"{path}/{index}")


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
