"""What a document of an older version meets in a newer one: the structural differences of two bundles.

A difference breaks the wire if a document that the old schema accepts may be refused by the new one. Every such
difference must be covered by a change that a version in between declares. Members that an open version does not
describe are left out of account: nobody promised their form, and upgrading sets them aside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from expressions import (
    Anything,
    Choice,
    Map,
    Named,
    Scalar,
    Type,
    Words,
    is_object,
    members_of,
    type_of,
)
from expressions import (
    Sequence as Array,
)
from rules import exactly_one_of
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
_LOWER: Final = frozenset({"minLength", "minItems", "minimum", "exclusiveMinimum"})


@dataclass(frozen=True)
class Difference:
    """One structural difference: where, of which kind, in words."""

    path: str
    kind: str
    text: str
    is_breaking: bool

    def __str__(self) -> str:
        """Return the place and what differs there."""
        return f"{self.path}: {self.text}"

    @property
    def type_name(self) -> str:
        """The type that differs."""
        return self.path.partition(".")[0]

    @property
    def member(self) -> str:
        """The member or tag that differs, without what is inside it; empty for the type itself."""
        return self.path.partition(".")[2].partition("/")[0]


@dataclass
class _Comparison:
    """Two bundles under comparison, and the pairs of names that were compared already."""

    old: Definitions
    new: Definitions
    seen: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])


def differences(old: Document, new: Document) -> list[Difference]:
    """Return all differences between two bundles, by path."""
    comparison = _Comparison(old["$defs"], new["$defs"])
    found: list[Difference] = []
    for name in comparison.old:
        if name in comparison.new:
            found += _definitions(comparison, name, name)
        else:
            found.append(_breaking(name, "type removed", "is gone"))
    found += [_additive(name, "type added", "is new") for name in comparison.new if name not in comparison.old]
    return sorted({(item.path, item.text): item for item in found}.values(), key=lambda item: (item.path, item.text))


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


def _definitions(comparison: _Comparison, old_name: str, new_name: str) -> list[Difference]:
    """Compare two definitions, each pair once."""
    if (old_name, new_name) in comparison.seen:
        return []
    comparison.seen.add((old_name, new_name))
    old, new = comparison.old[old_name], comparison.new[new_name]
    if "discriminator" in old and "discriminator" in new:
        return _unions(comparison, old_name, old, new)
    if is_object(old) and is_object(new):
        return _objects(comparison, old_name, old, new)
    return _types(comparison, old_name, _whole(old, old_name), _whole(new, new_name), "type changed")


def _whole(definition: Document, name: str) -> Type:
    """Return the type of a definition; an object with members stands for itself."""
    return Named(name) if is_object(definition) else type_of(definition)


def _unions(comparison: _Comparison, name: str, old: Document, new: Document) -> list[Difference]:
    """Compare two unions, variant by variant, by tag."""
    if old["discriminator"]["propertyName"] != new["discriminator"]["propertyName"]:
        told = f"is told apart by {new['discriminator']['propertyName']}, not {old['discriminator']['propertyName']}"
        return [_breaking(name, "type changed", told)]
    found: list[Difference] = []
    variants: tuple[dict[str, str], dict[str, str]] = (old["discriminator"]["mapping"], new["discriminator"]["mapping"])
    for tag, reference in variants[0].items():
        if tag in variants[1]:
            found += _definitions(comparison, _last(reference), _last(variants[1][tag]))
        else:
            found.append(_breaking(f"{name}.{tag}", "variant removed", "the variant is gone"))
    added = (tag for tag in variants[1] if tag not in variants[0])
    return found + [_additive(f"{name}.{tag}", "variant added", "the variant is new") for tag in added]


def _objects(comparison: _Comparison, name: str, old: Document, new: Document) -> list[Difference]:
    """Compare two objects, member by member."""
    found: list[Difference] = []
    members = {member.name: member for member in members_of(new)}
    is_closed = not new["additionalProperties"]
    for member in members_of(old):
        path = f"{name}.{member.name}"
        if member.name not in members:
            told = "the member is gone" if is_closed else "the member is no longer described"
            found.append(Difference(path, "member removed", told, is_breaking=is_closed))
            continue
        partner = members.pop(member.name)
        if partner.is_required and not member.is_required:
            found.append(_breaking(path, "member demanded", "the member must be present now"))
        found += _types(comparison, path, member.type, partner.type, "type changed")
    for path, partner in ((f"{name}.{member}", partner) for member, partner in members.items()):
        told = "the member is new and must be present" if partner.is_required else "the member is new"
        found.append(Difference(path, "member demanded", told, is_breaking=partner.is_required))
    if old["additionalProperties"] and is_closed:
        found.append(_breaking(name, "object closed", "takes no other members any more"))
    if exactly_one_of(new) and exactly_one_of(new) != exactly_one_of(old):
        found.append(_breaking(name, "rule added", f"needs exactly one of {', '.join(exactly_one_of(new))}"))
    return found


def _types(comparison: _Comparison, path: str, old: Type, new: Type, kind: str) -> list[Difference]:
    """Return what a value of the old type may break in the new one; nothing if all fit."""
    if isinstance(new, Anything):
        return []
    if isinstance(old, Choice):
        return [item for option in old.options for item in _types(comparison, path, option, new, kind)]
    if isinstance(new, Choice):
        attempts = [_types(comparison, path, old, option, kind) for option in new.options]
        return min(attempts, key=lambda attempt: sum(item.is_breaking for item in attempt))
    match old, new:
        case Named(), Named():
            return _definitions(comparison, old.name, new.name)
        case Named(name), _ if not is_object(comparison.old[name]):
            return _types(comparison, path, type_of(comparison.old[name]), new, kind)
        case _, Named(name) if not is_object(comparison.new[name]):
            return _types(comparison, path, old, type_of(comparison.new[name]), kind)
        case _:
            return _shapes(comparison, path, old, new, kind)


def _shapes(comparison: _Comparison, path: str, old: Type, new: Type, kind: str) -> list[Difference]:
    """Compare two types that stand for themselves."""
    match old, new:
        case Named(), Map(Anything()):
            return []
        case Array(), Array():
            tighter = _tighter(old.limits, new.limits)
            inner = _types(comparison, f"{path}/*" if "." in path else path, old.item, new.item, kind)
            return inner + [_breaking(path, kind, f"is limited: {limit}") for limit in tighter]
        case Map(), Map():
            return _types(comparison, path, old.value, new.value, kind)
        case Words(), Words():
            gone = [value for value in old.values if value not in new.values]
            return [_breaking(path, kind, f"no longer takes {value!r}") for value in gone]
        case Words(), Scalar() if all(_is_of(value, new.kind) for value in old.values) and not new.limits:
            return []
        case Scalar(), Scalar() if old.kind == new.kind or (old.kind, new.kind) == ("integer", "number"):
            return [_breaking(path, kind, f"is limited: {limit}") for limit in _tighter(old.limits, new.limits)]
        case _:
            return [_breaking(path, kind, f"takes {_words(new)} where it took {_words(old)}")]


def _tighter(old: tuple[tuple[str, Any], ...], new: tuple[tuple[str, Any], ...]) -> list[str]:
    """Return the limits that refuse more than they did."""
    before = dict(old)
    result: list[str] = []
    for name, value in new:
        was = before.get(name)
        is_same = was is not None and (value == was or (name != "pattern" and (value < was) == (name in _LOWER)))
        if not is_same:
            result.append(f"{name} {value}")
    return result


def _is_of(value: str | int | bool, kind: str) -> bool:
    """Tell whether a constant is of a JSON kind."""
    kinds = {str: {"string"}, bool: {"boolean"}, int: {"integer", "number"}}
    return kind in kinds[type(value)]


def _words(kind: Type) -> str:
    """Return a type in a few words."""
    match kind:
        case Named(name):
            return name
        case Scalar(name):
            return {"string": "text"}.get(name, name)
        case Words(values):
            return " or ".join(repr(value) for value in values)
        case Array(item):
            return f"a list of {_words(item)}"
        case Map():
            return "an object"
        case Anything():
            return "anything"
        case Choice(options):
            return " or ".join(_words(option) for option in options)


def _breaking(path: str, kind: str, text: str) -> Difference:
    return Difference(path, kind, text, is_breaking=True)


def _additive(path: str, kind: str, text: str) -> Difference:
    return Difference(path, kind, text, is_breaking=False)


def _last(reference: str) -> str:
    return reference.rpartition("/")[2]
