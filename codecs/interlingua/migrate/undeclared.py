"""Documents of the current version with members that it does not declare, from a hand or a writer that knew more.

The version is closed, so the models refuse them; a store must not. Such a member moves to `extra.unknown` of the
innermost value around it that has an `extra`: under its own name where it stood right there, else under the JSON
Pointer of its place from there. A part of a type that nobody knows becomes an opaque part of dialect `interlingua_v3`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.loss import pointer
from interlingua.migrate.checks import accepts
from interlingua.migrate.extras import UNKNOWN
from interlingua.migrate.kinds import is_list, is_object, is_text
from interlingua.validation import bundle
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Mapping

Json: TypeAlias = dict[str, Any]

DIALECT: Final = f"interlingua_v{CURRENT}"
_EXTRA: Final = "extra"
_PART: Final = "Part"


def keep_undeclared(document: Json) -> Json | None:
    """Return a document that the current version accepts, everything kept, or None where that cannot be had."""
    kept = without_undeclared(document, "Message")
    return cast("Json", kept) if accepts(kept, CURRENT) else None


def without_undeclared(document: Json, shape: str) -> Any:
    """Return a document with what its shape does not declare in `extra.unknown`; it may be wrong in other ways."""
    return _UndeclaredWalk().kept(document, bundle(CURRENT)["$defs"][shape], {}, "")


class _UndeclaredWalk:
    """One walk through a document beside its schema."""

    def kept(self, value: Any, schema: Json, homeless: Json, path: str) -> Any:
        """Return a value without undeclared members; those that no `extra` takes here go to `homeless`.

        `path` leads from the value that owns `homeless` to this one.
        """
        schema = _resolved(schema, value)
        if is_list(value) and "items" in schema:
            return [
                self.kept(item, schema["items"], homeless, path + pointer(index)) for index, item in enumerate(value)
            ]
        if not is_object(value):
            return value
        variant = _variant(schema, value)
        if variant is None:
            return {"type": "opaque", "dialect": DIALECT, "data": value}
        return self._object(value, variant, homeless, path)

    def _object(self, value: Json, schema: Json, homeless: Json, path: str) -> Json:
        declared: Mapping[str, Json] = schema.get("properties", {})
        is_closed = schema.get("additionalProperties") is False
        owns = is_closed and _EXTRA in declared
        unknown: Json = {} if owns else homeless
        base = "" if owns else path
        kept: Json = {}
        for name, member in value.items():
            if name in declared:
                kept[name] = self.kept(member, declared[name], unknown, base + pointer(name))
            elif is_closed:
                unknown[name if not base else base + pointer(name)] = member
            else:
                kept[name] = member
        if owns and unknown:
            _add_unknown(kept, unknown)
        return kept


def _add_unknown(value: Json, unknown: Json) -> None:
    """Put members into `extra.unknown` of a value that has just been made; what stands there keeps its place.

    Where something stands there that is no object, nothing is done: the value is wrong, and will be refused.
    """
    extra = value.get(_EXTRA)
    if extra is None:
        value[_EXTRA] = {UNKNOWN: unknown}
        return
    known = extra.get(UNKNOWN, unknown) if is_object(extra) else None
    if not is_object(extra) or not is_object(known):
        return
    merged = {} if known is unknown else dict(known)
    for name, member in unknown.items():
        free = name
        while free in merged:
            free = f"/{free}"
        merged[free] = member
    value[_EXTRA] = {**extra, UNKNOWN: merged}


def _variant(schema: Json, value: Json) -> Json | None:
    """Return the schema of an object: of a union the variant that its tag names, None for a part of no known type."""
    discriminator = schema.get("discriminator")
    if discriminator is None:
        return schema
    tag = value.get(discriminator["propertyName"])
    if is_text(tag) and tag in discriminator["mapping"]:
        return _resolved({"$ref": discriminator["mapping"][tag]}, value)
    return None if schema["title"] == _PART and is_text(tag) else {}


def _resolved(schema: Json, value: Any) -> Json:
    """Return what a schema refers to, and of alternatives the one for values of this kind."""
    while "$ref" in schema:
        schema = bundle(CURRENT)["$defs"][str(schema["$ref"]).rpartition("/")[2]]
    for alternative in schema.get("anyOf", ()):
        found = _resolved(alternative, value)
        if found.get("type", "object") == ("object" if is_object(value) else "array" if is_list(value) else ""):
            return found
    return schema
