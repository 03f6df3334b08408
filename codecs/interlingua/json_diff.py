"""Finds the differences between two plain JSON values, by path, for `interlingua diff`.

Lists are aligned from both ends, so that an item that only one of them has does not shift all that follow. Takes time
linear in the size of the values for each level of nesting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from interlingua.json_types import is_list, is_object
from interlingua.pointers import pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Difference", "differences"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two values differ.

    `kind` says whether only the first or only the second has a value there, or both have different ones. `path` is a
    JSON Pointer into the one that has the value, or into the first if both do. `first` and `second` are the values,
    None if absent.
    """

    kind: Literal["first", "second", "other"]
    path: str
    first: Any = None
    second: Any = None


def differences(first: Any, second: Any, path: str = "") -> Iterator[Difference]:
    """Yield the differences of two plain JSON values, in the order of the first; 1 equals 1.0 but not true."""
    if is_object(first) and is_object(second):
        yield from _of_objects(first, second, path)
    elif is_list(first) and is_list(second):
        yield from _of_lists(first, second, path)
    elif first != second or isinstance(first, bool) != isinstance(second, bool):
        yield Difference("other", path, first, second)


def _of_objects(first: dict[str, Any], second: dict[str, Any], path: str) -> Iterator[Difference]:
    for name, value in first.items():
        if name in second:
            yield from differences(value, second[name], path + pointer(name))
        else:
            yield Difference("first", path + pointer(name), value)
    for name, value in second.items():
        if name not in first:
            yield Difference("second", path + pointer(name), None, value)


def _of_lists(first: list[Any], second: list[Any], path: str) -> Iterator[Difference]:
    shorter = min(len(first), len(second))
    head = 0
    while head < shorter and _same(first[head], second[head]):
        head += 1
    tail = 0
    while tail < shorter - head and _same(first[-1 - tail], second[-1 - tail]):
        tail += 1
    firsts, seconds = len(first) - tail, len(second) - tail
    both = min(firsts, seconds)
    for at in range(head, both):
        yield from differences(first[at], second[at], f"{path}/{at}")
    for at in range(both, firsts):
        yield Difference("first", f"{path}/{at}", first[at])
    for at in range(both, seconds):
        yield Difference("second", f"{path}/{at}", None, second[at])


def _same(first: Any, second: Any) -> bool:
    return next(differences(first, second), None) is None
