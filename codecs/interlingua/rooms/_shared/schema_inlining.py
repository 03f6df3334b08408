"""Inline the references of JSON Schemas, for servers that do not follow them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import schema_at
from interlingua.rooms._shared.schema_adaptation import MAX_SCHEMA_DEPTH
from interlingua.rooms._shared.schema_traversal import DEFINITIONS, places, schemas_in
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossCode, LossLog

# Limits per schema, beyond which references are only named: no model reads schemas that large.
_MOST_REFERENCES: Final = 256
_MOST_PLACES: Final = 10_000
_WHOLE: Final = "#"


def inline_references(request: dict[str, Any], log: LossLog) -> None:
    """Inline the references in the schemas of a request; each changed schema is reported to the log."""
    if "tools" in request:
        request["tools"] = [
            _with_inlined(tool, "parameters", f"/tools/{index}", "tool", log)
            for index, tool in enumerate(request["tools"])
        ]
    if "schema" in request.get("response_format", NOTHING):
        request["response_format"] = _with_inlined(
            request["response_format"], "schema", "/response_format", "setting", log
        )


def _with_inlined(one: Mapping[str, Any], name: str, path: str, code: LossCode, log: LossLog) -> Mapping[str, Any]:
    schema = one.get(name)
    if type(schema) is not dict or not any("$ref" in inner for _, inner in schemas_in(schema, "")):
        return one
    log.changed(code, f"{path}/{name}", "each $ref was replaced by the schema that it names")
    return {**one, name: inlined(schema)}


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with each reference replaced by its target.

    Recursive references, unresolvable ones, and those beyond the limits are only named.
    """
    holder: dict[str, Any] = {"": _without_definitions(schema)}
    # Holder and key of a schema, the references that led to it, and its depth.
    waiting: list[tuple[Any, Any, tuple[str, ...], int]] = [(holder, "", (_WHOLE,), 0)]
    references, seen = _MOST_REFERENCES, 0
    while waiting:
        owner, key, followed, depth = waiting.pop()
        seen += 1
        if type(owner[key]) is not dict:
            continue
        one: dict[str, Any] = {**owner[key]}
        while "$ref" in one:
            reference = one.pop("$ref")
            found = _schema_at(reference, schema)
            if found is None or reference in followed or references == 0 or seen > _MOST_PLACES:
                one = {**named_reference(reference, found), **one}
                break
            references, followed = references - 1, (*followed, reference)
            one = {**_without_definitions(found), **one}
        owner[key] = one
        if depth < MAX_SCHEMA_DEPTH:
            waiting.extend((inner, place, followed, depth + 1) for inner, place, _ in places(one))
    return holder[""]  # type: ignore[no-any-return]  # a dict from the beginning


def named_reference(reference: Any, found: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the schema for a reference that is not followed: the type of its target, and its name as a description."""
    if found is None:
        return {"description": f"as in: {reference}"}
    kind = {"type": found["type"]} if "type" in found else {}
    return {**kind, "description": f"as above: {'the whole' if reference == _WHOLE else reference.rpartition('/')[2]}"}


def _without_definitions(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name not in DEFINITIONS}


def _schema_at(reference: Any, root: dict[str, Any]) -> dict[str, Any] | None:
    found = schema_at(reference, root)
    return found if type(found) is dict else None
