"""Finds the subject of a declared change: a member in one version, and everything that a type refers to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from comparison import types_break
from expressions import Anything, Type, members_of
from sources import Document, is_json_array, is_json_object


@dataclass(frozen=True)
class MemberPlace:
    """A member of a type in one version; a missing member is not required."""

    is_there: bool
    is_required: bool
    type: Type


def member_place(bundled: Document, type_name: str, member: str) -> MemberPlace:
    """Return a member of a type in a version."""
    definition = bundled["$defs"].get(type_name, {})
    found = members_of(definition) if "properties" in definition else ()
    for each in found:
        if each.name == member:
            return MemberPlace(is_there=True, is_required=each.is_required, type=each.type)
    return MemberPlace(is_there=False, is_required=False, type=Anything())


def member_differences(
    old: Document, new: Document, type_name: str, before: MemberPlace, after: MemberPlace
) -> tuple[bool, bool]:
    """Tell whether values of a member may be invalid after an upgrade, and after a downgrade."""
    return (
        types_break(old, new, type_name, before.type, after.type),
        types_break(new, old, type_name, after.type, before.type),
    )


def reachable(bundled: Document, start: str) -> set[str]:
    """Return a type and all types that it refers to, directly or indirectly."""
    definitions = bundled["$defs"]
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
