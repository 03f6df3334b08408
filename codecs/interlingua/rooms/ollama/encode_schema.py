"""Adapt tool schemas to what the Ollama server reads.

The server parses a schema into an object with a few members and silently drops other keywords. These are still
written, since later servers may read them, copied to the description, and reported. References are dropped as well, so
they are replaced by their targets. Forms that the server refuses are rewritten.

Source: docs/wire/ollama.md, section 4; https://github.com/ollama/ollama/blob/main/api/types.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.rooms._shared.schema_adaptation import MAX_SCHEMA_DEPTH, Remarks, adapted, is_plain, resolved, say
from interlingua.rooms._shared.schema_inlining import named_reference
from interlingua.rooms._shared.schema_traversal import property_places
from interlingua.rooms.ollama.tables import PARAMETER_KEYWORDS, PROPERTY_KEYWORDS, SILENT_KEYWORDS, TOOL_SCHEMAS

if TYPE_CHECKING:
    from interlingua.rooms._shared.writing import Target

# A schema, its place, the references that lead to it, and its depth.
_Seen: TypeAlias = "tuple[dict[str, Any], str, tuple[str, ...], int]"

_DROPPED: Final = "Ollama ignores this keyword of a schema"
# The maximum number of references followed in a schema; further and circular ones are only named.
_MAX_REFERENCES: Final = 256


def readable_schema(schema: dict[str, Any], path: str, to: Target) -> dict[str, Any]:
    """Return the schema in a form that the server reads, and report the keywords that it drops."""
    if is_plain(schema):
        return schema
    remarks = Remarks()
    heard = adapted(schema, TOOL_SCHEMAS, remarks)
    for name in schema:
        if name not in PARAMETER_KEYWORDS and name not in SILENT_KEYWORDS and name in heard:
            remarks.changed(f"/{name}", _DROPPED)
    waiting: list[_Seen] = [(heard, "", (), 0)]
    left = _MAX_REFERENCES
    while waiting:  # not recursive: a schema may be nested very deeply
        one, where, followed, depth = waiting.pop()
        if depth == MAX_SCHEMA_DEPTH:
            continue
        inner: list[_Seen] = []
        for holder, key, place in property_places(one):
            if type(holder[key]) is not dict:
                remarks.changed(where + place, "a property that accepts anything is sent as an empty schema")
                holder[key] = {}
                continue
            names = followed
            reference = holder[key].get("$ref")
            if type(reference) is str:
                is_alone = left == 0 or reference in followed
                holder[key] = _without_reference(holder[key], where + place, heard, remarks, is_alone=is_alone)
                names, left = (*followed, reference), max(0, left - 1)
            else:
                holder[key] = {**holder[key]}
            _describe_dropped(holder[key], where + place, remarks)
            inner.append((holder[key], where + place, names, depth + 1))
        waiting.extend(reversed(inner))
    remarks.tell(schema, path, to.log, "tool")
    return heard


def _without_reference(
    one: dict[str, Any], where: str, root: dict[str, Any], remarks: Remarks, *, is_alone: bool
) -> dict[str, Any]:
    """Return a copy of a schema with its reference replaced by the target or, if `is_alone`, only named."""
    found = resolved(one, root)
    if found is None:
        return {**one}
    remarks.changed(where, "each $ref was replaced by the schema that it names")
    rest = {name: value for name, value in one.items() if name != "$ref"}
    if not is_alone:
        return {**found, **rest}
    return {**named_reference(one["$ref"], found), **rest}


def _describe_dropped(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    """Copy the keywords of a property that the server drops to its description."""
    dropped = {name: value for name, value in one.items() if name not in PROPERTY_KEYWORDS}
    told = {name: value for name, value in dropped.items() if name not in SILENT_KEYWORDS}
    said = {name: value for name, value in told.items() if name != "additionalProperties" or type(value) is dict}
    if said:
        say(one, said)
    if told:
        remarks.changed(where, f"the server drops {', '.join(told)}: moved to the description")
