"""The structural differences of two bundles: how a newer version treats a document of an older one.

A difference breaks the wire if a document that the old schema accepts may be refused by the new one, or if a reader of
the old one may meet a variant that it does not know. A member that is new and may be absent breaks nothing. What an
open version does not describe is left out of account: nobody promised its form, and upgrading sets it aside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
from sources import Document

Definitions: TypeAlias = Mapping[str, Document]

_LOWER: Final = frozenset({"minLength", "minItems", "minimum", "exclusiveMinimum"})


@dataclass(frozen=True)
class Difference:
    """One structural difference: its path, its kind and a description."""

    path: str
    kind: str
    text: str
    is_breaking: bool

    def __str__(self) -> str:
        """Return the path and the description."""
        return f"{self.path}: {self.text}"

    @property
    def type_name(self) -> str:
        """The type that differs."""
        return self.path.partition(".")[0]

    @property
    def member(self) -> str:
        """The member or tag that differs, without nested names; empty for the type itself."""
        return self.path.partition(".")[2].partition("/")[0]


@dataclass(frozen=True)
class _Comparison:
    """Two bundles, and the pairs of differently named types that are being compared."""

    old: Definitions
    new: Definitions
    version_numbers: tuple[Words, Words]
    above: frozenset[tuple[str, str]] = frozenset()


def differences(old: Document, new: Document) -> list[Difference]:
    """Return all differences between two bundles, by path."""
    comparison = _Comparison(old["$defs"], new["$defs"], (_version_number(old), _version_number(new)))
    found: list[Difference] = []
    variants = {_class_name(reference) for body in comparison.old.values() for reference in _variants(body).values()}
    for name in comparison.old:
        if name in comparison.new:
            found += _compare_definitions(comparison, name, name)
        else:
            # For a variant, the union already reports it.
            found.append(Difference(name, "type removed", "is gone", is_breaking=name not in variants))
    found += [_additive(name, "type added", "is new") for name in comparison.new if name not in comparison.old]
    return sorted({(item.path, item.text): item for item in found}.values(), key=lambda item: (item.path, item.text))


def types_break(old: Document, new: Document, path: str, before: Type, after: Type) -> bool:
    """Tell whether a value of a type of one bundle may be refused by a type of another."""
    comparison = _Comparison(old["$defs"], new["$defs"], (_version_number(old), _version_number(new)))
    return bool(_compare_types(comparison, path, before, after, "type changed"))


def _version_number(bundle: Document) -> Words:
    """Return the value of `schema_version` in the documents of a bundle: the number in its URL."""
    number = bundle["$id"].rsplit("/", 2)[1].removeprefix("v")
    return Words((int(number),))


def _compare_definitions(comparison: _Comparison, old_name: str, new_name: str) -> list[Difference]:
    """Compare two definitions."""
    old, new = comparison.old[old_name], comparison.new[new_name]
    if "discriminator" in old and "discriminator" in new:
        return _compare_unions(comparison, old_name, old, new)
    if is_object(old) and is_object(new):
        return _compare_objects(comparison, old_name, old, new)
    return _compare_types(comparison, old_name, _whole(old, old_name), _whole(new, new_name), "type changed")


def _whole(definition: Document, name: str) -> Type:
    """Return the type of a definition; for an object with members, a reference to it."""
    return Named(name) if is_object(definition) else type_of(definition)


def _compare_unions(comparison: _Comparison, name: str, old: Document, new: Document) -> list[Difference]:
    """Compare two unions, variant by variant, by tag."""
    if old["discriminator"]["propertyName"] != new["discriminator"]["propertyName"]:
        description = (
            f"is told apart by {new['discriminator']['propertyName']}, not {old['discriminator']['propertyName']}"
        )
        return [_breaking(name, "type changed", description)]
    found: list[Difference] = []
    before, after = _variants(old), _variants(new)
    for tag, reference in before.items():
        if tag in after:
            found += _compare_named(comparison, _class_name(reference), _class_name(after[tag]))
        else:
            found.append(_breaking(f"{name}.{tag}", "variant removed", "the variant is gone"))
    added = (tag for tag in after if tag not in before)
    description = "the variant is new; an older reader does not know it"
    return found + [_breaking(f"{name}.{tag}", "variant added", description) for tag in added]


def _variants(definition: Document) -> dict[str, str]:
    """Return the variants of a union, tag to reference; nothing for another type."""
    variants: dict[str, str] = definition.get("discriminator", {}).get("mapping", {})
    return variants


def _compare_objects(comparison: _Comparison, name: str, old: Document, new: Document) -> list[Difference]:
    """Compare two objects, member by member."""
    found: list[Difference] = []
    members = {member.name: member for member in members_of(new)}
    is_closed = not new["additionalProperties"]
    for member in members_of(old):
        path = f"{name}.{member.name}"
        if member.name not in members:
            description = "the member is gone" if is_closed else "the member is no longer described"
            found.append(Difference(path, "member removed", description, is_breaking=is_closed))
            continue
        new_member = members.pop(member.name)
        if new_member.is_required and not member.is_required:
            found.append(_breaking(path, "member demanded", "the member must be present now"))
        is_version_number = (
            member.name == "schema_version" and (member.type, new_member.type) == comparison.version_numbers
        )
        # The version numbers always differ, which is no change.
        found += (
            [] if is_version_number else _compare_types(comparison, path, member.type, new_member.type, "type changed")
        )
    for path, new_member in ((f"{name}.{member}", new_member) for member, new_member in members.items()):
        description = "the member is new and must be present" if new_member.is_required else "the member is new"
        found.append(Difference(path, "member demanded", description, is_breaking=new_member.is_required))
    if old["additionalProperties"] and is_closed:
        found.append(_breaking(name, "object closed", "takes no other members any more"))
    if exactly_one_of(new) and exactly_one_of(new) != exactly_one_of(old):
        found.append(_breaking(name, "rule added", f"needs exactly one of {', '.join(exactly_one_of(new))}"))
    return found


def _compare_named(comparison: _Comparison, old_name: str, new_name: str) -> list[Difference]:
    """Compare two named types: equal names are compared elsewhere, different ones only once per path."""
    if old_name == new_name or (old_name, new_name) in comparison.above:
        return []
    return _compare_definitions(
        replace(comparison, above=comparison.above | {(old_name, new_name)}), old_name, new_name
    )


def _compare_types(comparison: _Comparison, path: str, old: Type, new: Type, kind: str) -> list[Difference]:
    """Return the differences that make a value of the old type invalid for the new one."""
    if isinstance(new, Anything):
        return []
    if isinstance(old, Choice):
        return [item for option in old.options for item in _compare_types(comparison, path, option, new, kind)]
    if isinstance(new, Choice):
        attempts = [
            (type(option) is not type(old), _compare_types(comparison, path, old, option, kind))
            for option in new.options
        ]
        # If none fits, the option of the same kind gives the best description.
        return min(attempts, key=lambda attempt: (bool(attempt[1]), attempt[0], len(attempt[1])))[1]
    match old, new:
        case Named(), Named():
            return _compare_named(comparison, old.name, new.name)
        case Named(name), _ if not is_object(comparison.old[name]):
            return _compare_types(comparison, path, type_of(comparison.old[name]), new, kind)
        case _, Named(name) if not is_object(comparison.new[name]):
            return _compare_types(comparison, path, old, type_of(comparison.new[name]), kind)
        case _:
            return _compare_shapes(comparison, path, old, new, kind)


def _compare_shapes(comparison: _Comparison, path: str, old: Type, new: Type, kind: str) -> list[Difference]:
    """Compare two types that are not references or choices."""
    match old, new:
        case Named(), Map(Anything()):
            return []
        case Array(), Array():
            tighter = _tighter(old.limits, new.limits)
            inner = _compare_types(comparison, f"{path}/*" if "." in path else path, old.item, new.item, kind)
            return inner + [_breaking(path, kind, f"is limited: {limit}") for limit in tighter]
        case Map(), Map():
            return _compare_types(comparison, path, old.value, new.value, kind)
        case Words(), Words():
            removed = [value for value in old.values if value not in new.values]
            return [_breaking(path, kind, f"no longer takes {value!r}") for value in removed]
        case Words(), Scalar() if all(_is_of(value, new.kind) for value in old.values) and not new.limits:
            return []
        case Scalar(), Scalar() if old.kind == new.kind or (old.kind, new.kind) == ("integer", "number"):
            return [_breaking(path, kind, f"is limited: {limit}") for limit in _tighter(old.limits, new.limits)]
        case _:
            return [_breaking(path, kind, f"takes {_described(new)} where it took {_described(old)}")]


def _tighter(old: tuple[tuple[str, Any], ...], new: tuple[tuple[str, Any], ...]) -> list[str]:
    """Return the constraints of the new type that are stricter than those of the old one."""
    before = dict(old)
    result: list[str] = []
    for name, value in new:
        old_value = before.get(name)
        is_same = old_value is not None and (
            value == old_value or (name != "pattern" and (value < old_value) == (name in _LOWER))
        )
        if not is_same:
            result.append(f"{name} {value}")
    return result


def _is_of(value: str | int | bool, kind: str) -> bool:
    """Tell whether a constant has a JSON type."""
    kinds = {str: {"string"}, bool: {"boolean"}, int: {"integer", "number"}}
    return kind in kinds[type(value)]


def _described(kind: Type) -> str:
    """Return a short description of a type."""
    match kind:
        case Named(name):
            return name
        case Scalar(name):
            return {"string": "text"}.get(name, name)
        case Words(values):
            return " or ".join(repr(value) for value in values)
        case Array(item):
            return f"a list of {_described(item)}"
        case Map():
            return "an object"
        case Anything():
            return "anything"
        case Choice(options):
            return " or ".join(_described(option) for option in options)


def _breaking(path: str, kind: str, text: str) -> Difference:
    return Difference(path, kind, text, is_breaking=True)


def _additive(path: str, kind: str, text: str) -> Difference:
    return Difference(path, kind, text, is_breaking=False)


def _class_name(reference: str) -> str:
    return reference.rpartition("/")[2]
