"""Which breaks between versions are declared: every wire-breaking difference must be covered by a change in between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from comparison import Difference
from sources import Document, is_json_array, is_json_object
from tables import Change

Definitions: TypeAlias = Mapping[str, Document]

# The kinds of declared changes that speak about each kind of difference; `restructure` speaks about all.
_ANSWERS: Final[Mapping[str, frozenset[str]]] = {
    "type removed": frozenset({"remove_type", "rename_type"}),
    "type changed": frozenset({"change_type"}),
    "variant removed": frozenset({"remove_variant"}),
    "member removed": frozenset({"remove_member", "rename_member"}),
    "member demanded": frozenset({"add_member", "rename_member", "change_type"}),
    "object closed": frozenset({"close_object"}),
    "rule added": frozenset({"change_type"}),
}


def undeclared(old: Document, found: Sequence[Difference], changes: Sequence[Change]) -> list[Difference]:
    """Return the breaking differences that no declared change covers."""
    below = {change.where: _reachable(old["$defs"], change.where) for change in changes if change.op == "restructure"}
    covered_types = {name for names in below.values() for name in names}
    return [
        difference
        for difference in found
        if difference.is_breaking
        and difference.type_name not in covered_types
        and not any(_covers(change, difference) for change in changes)
    ]


def _covers(change: Change, difference: Difference) -> bool:
    """Tell whether a declared change, other than a restructuring, speaks about a difference."""
    if change.op not in _ANSWERS.get(difference.kind, ()) or change.type_name != difference.type_name:
        return False
    return difference.member in {change.member, change.to or change.member}


def _reachable(definitions: Definitions, start: str) -> set[str]:
    """Return a type and all that it refers to, directly or not."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in found and name in definitions:
            found.add(name)
            waiting += _references(definitions[name])
    return found | {start}


def _references(node: Any) -> Iterator[str]:
    """Yield the names that a definition refers to."""
    if is_json_array(node):
        for item in node:
            yield from _references(item)
    elif is_json_object(node):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"].rpartition("/")[2]
        for key, value in node.items():
            if key not in {"examples", "const", "enum", "default"}:
                yield from _references(value)
