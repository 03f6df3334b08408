"""Finds undeclared breaking changes: a declared change between the versions must cover every breaking difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from comparison import Difference
from compat_places import reachable
from sources import Document
from tables import Change

# The kinds of declared changes that cover each kind of difference; `restructure` covers all.
_ANSWERS: Final[Mapping[str, frozenset[str]]] = {
    "type removed": frozenset({"remove_type", "rename_type"}),
    "type changed": frozenset({"change_type"}),
    "variant removed": frozenset({"remove_variant", "rename_variant"}),
    "variant added": frozenset({"add_variant", "rename_variant"}),
    "member removed": frozenset({"remove_member", "rename_member", "split_member", "join_members"}),
    "member demanded": frozenset({"add_member", "rename_member", "change_type", "split_member", "join_members"}),
    "object closed": frozenset({"close_object"}),
    "rule added": frozenset({"change_type"}),
}


def undeclared(old: Document, found: Sequence[Difference], changes: Sequence[Change]) -> list[Difference]:
    """Return the breaking differences that no declared change covers."""
    below = {change.where: reachable(old, change.where) for change in changes if change.op == "restructure"}
    covered_types = {name for names in below.values() for name in names}
    tags = {_tag_of(old, change) for change in changes if change.op == "rename_variant"}
    return [
        difference
        for difference in found
        if difference.is_breaking
        and difference.type_name not in covered_types
        and difference.path not in tags
        and not any(_covers(change, difference) for change in changes)
    ]


def _covers(change: Change, difference: Difference) -> bool:
    """Tell whether a declared change, other than a restructuring, covers a difference."""
    if change.op not in _ANSWERS.get(difference.kind, ()) or change.type_name != difference.type_name:
        return False
    return difference.member in {change.member, change.to or change.member, *change.members}


def _tag_of(old: Document, change: Change) -> str:
    """Return the path of the tag of a renamed variant, in case its class keeps its name."""
    discriminator = old["$defs"].get(change.type_name, {}).get("discriminator", {})
    reference = discriminator.get("mapping", {}).get(change.member, "")
    return f"{reference.rpartition('/')[2]}.{discriminator.get('propertyName', '')}"
