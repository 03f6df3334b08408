"""References as Gemini follows them: to `$defs` at the root, and never from a schema to itself without end.

It refuses others ("reference to undefined schema at ...", "a ref loop of required fields was found at ...").
Source: docs/wire/gemini.md, section 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from interlingua.pointers import pointer, schema_at
from interlingua.rooms._shared.schema_traversal import DEFINITIONS, SCHEMA_LISTS, schemas_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.rooms._shared.schema_adaptation import Remarks

_ROOT: Final = "#"
_AT_ROOT: Final = "#/$defs/"
NOT_FROM_ROOT: Final = "only $defs at the root of the schema are looked up"
CONTAINS_ITSELF: Final = "a schema may only contain itself in an optional member, or in a list that may be empty"


class Step(NamedTuple):
    """A reference within a definition that no optional member and no list that may be empty leads to.

    `holder` and `member`: the object nearest to it that requires a member with the reference; None if there is none.
    """

    target: str
    schema: dict[str, Any]
    where: str
    holder: dict[str, Any] | None
    holder_at: str
    member: str


def follow_from_root(root: dict[str, Any], remarks: Remarks) -> None:
    """Change the references of a schema, in place, into those that Gemini follows; each change is remarked."""
    _move_definitions(root, remarks)
    for step in endless_steps(root):
        if step.holder is None:
            name = "the whole" if step.target == _ROOT else step.target.rpartition("/")[2]
            step.schema.clear()
            step.schema["description"] = f"as above: {name}"
            remarks.changed(f"{step.where}/$ref", CONTAINS_ITSELF)
        else:
            required = [name for name in step.holder["required"] if name != step.member]
            step.holder["required"] = required
            if not required:
                del step.holder["required"]
            remarks.changed(f"{step.holder_at}/required", CONTAINS_ITSELF)


def is_followed(reference: Any) -> bool:
    """Tell whether Gemini looks up a reference of a response schema: the root, or one of its `$defs`."""
    if type(reference) is not str or not reference.startswith("#/"):
        return True  # an anchor or an id
    return reference.startswith(_AT_ROOT) and "/" not in reference.removeprefix(_AT_ROOT)


def endless_steps(root: dict[str, Any]) -> Iterator[Step]:
    """Yield the steps by which a schema contains itself without end: without them, no definition does."""
    bodies = {_ROOT: (root, ""), **dict(_definitions(root))}
    if len(bodies) == 1 and not any(one.get("$ref") == _ROOT for _, one in schemas_in(root, "")):
        return
    done: set[str] = set()
    for first in bodies:
        path: list[str] = []  # the definitions that lead to the current one
        waiting: list[Iterator[Step]] = []
        arrived: str | None = first
        while arrived is not None or waiting:
            if arrived is not None:
                if arrived not in done and arrived in bodies:
                    path.append(arrived)
                    waiting.append(_steps(*bodies[arrived]))
                arrived = None
                continue
            step = next(waiting[-1], None)
            if step is None:
                waiting.pop()
                done.add(path.pop())
            elif step.target in path:
                yield step
            else:
                arrived = step.target


def _definitions(root: dict[str, Any]) -> Iterator[tuple[str, tuple[dict[str, Any], str]]]:
    for group in DEFINITIONS:
        named: Any = root.get(group)
        for name, schema in named.items() if type(named) is dict else ():
            if type(schema) is dict:
                at = f"/{group}{pointer(name)}"
                yield f"#{at}", (cast("dict[str, Any]", schema), at)


def _steps(body: dict[str, Any], at: str) -> Iterator[Step]:
    waiting: list[tuple[Any, str, dict[str, Any] | None, str, str]] = [(body, at, None, "", "")]
    while waiting:
        schema, where, holder, holder_at, member = waiting.pop()
        if type(schema) is not dict:
            continue
        one = cast("dict[str, Any]", schema)
        if type(one.get("$ref")) is str:
            yield Step(one["$ref"], one, where, holder, holder_at, member)
        inner = [(one["additionalProperties"], "/additionalProperties")] if "additionalProperties" in one else []
        if "items" in one and not _may_be_empty(one):
            inner.append((one["items"], "/items"))
        for name in SCHEMA_LISTS:
            if type(one.get(name)) is list:
                inner += [(each, f"/{name}/{index}") for index, each in enumerate(one[name])]
        found = [(each, where + place, holder, holder_at, member) for each, place in inner]
        named, required = one.get("properties"), one.get("required")
        if type(named) is dict and type(required) is list:
            found += [
                (each, f"{where}/properties{pointer(name)}", one, where, name)
                for name, each in named.items()
                if name in required
            ]
        waiting.extend(reversed(found))


def _may_be_empty(schema: dict[str, Any]) -> bool:
    return schema.get("type") == "array" and not schema.get("minItems")


def _move_definitions(root: dict[str, Any], remarks: Remarks) -> None:
    """Move all definitions, and what else is referred to, to `$defs` at the root."""
    places = [*schemas_in(root, "")]
    # Each reference with its target, since moving the definitions makes it unresolvable.
    referring = [
        (where, one, schema_at(one["$ref"], root)) for where, one in places if not is_followed(one.get("$ref"))
    ]
    groups = [
        (where, one, group)
        for where, one in places
        for group in DEFINITIONS
        if type(one.get(group)) is dict and (where or group != "$defs")
    ]
    if not referring and not groups:
        return
    named: dict[str, Any] = {**root["$defs"]} if type(root.get("$defs")) is dict else {}
    new_names: dict[str, str] = {}  # by the old reference to a definition
    for where, one, group in groups:
        for name, schema in one.pop(group).items():
            new_names[f"#{where}/{group}{pointer(name)}"] = _named_anew(name, schema, named)
        remarks.changed(f"{where}/{group}", NOT_FROM_ROOT)
    for where, one, found in referring:
        if type(found) is dict:
            old = one["$ref"]
            if old not in new_names:
                new_names[old] = _named_anew(old.rpartition("/")[2], found, named)
            one["$ref"] = new_names[old]
            remarks.changed(f"{where}/$ref", NOT_FROM_ROOT)
    if named:
        root["$defs"] = named


def _named_anew(name: str, schema: Any, named: dict[str, Any]) -> str:
    """Add a schema to the definitions, under a name that is free or already its own, and return its reference."""
    free, count = name, 1
    while free in named and named[free] is not schema:
        count += 1
        free = f"{name}_{count}"
    named[free] = schema
    return _AT_ROOT + pointer(free)[1:]
