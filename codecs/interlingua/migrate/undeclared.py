"""Keeps undeclared members in documents of a closed version, such as those edited by hand or from another writer.

The models refuse them, but a store must not. Such a member moves to `extra.unknown` of the innermost enclosing value
with an `extra`: under its own name if it was a member of that value, else under its JSON Pointer from there. A part of
an unknown type becomes an opaque part of dialect `interlingua_v<number>`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.json_types import is_list, is_object, is_text
from interlingua.migrate.checks import accepts
from interlingua.migrate.unknown_members import add_unknown
from interlingua.pointers import pointer
from interlingua.validation import bundle
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Mapping

Json: TypeAlias = dict[str, Any]

DIALECT: Final = "interlingua_v"
_EXTRA: Final = "extra"
_PART: Final = "Part"


def keep_undeclared(document: Json, version: int = CURRENT) -> Json | None:
    """Return a document that a version accepts, with everything kept, or None if that is impossible."""
    kept = without_undeclared(document, "Message", version)
    return cast("Json", kept) if accepts(kept, version) else None


def without_undeclared(document: Json, shape: str, version: int = CURRENT) -> Any:
    """Return a document with undeclared members moved to `extra.unknown`; it may still be invalid otherwise."""
    walk = _UndeclaredWalk(version)
    return walk.kept(document, bundle(version)["$defs"][shape], {}, "")


class _UndeclaredWalk:
    """One walk through a document along its schema."""

    def __init__(self, version: int) -> None:
        self._version: Final = version
        self._definitions: Final[Mapping[str, Json]] = bundle(version)["$defs"]

    def kept(self, value: Any, schema: Json, homeless: Json, path: str) -> Any:
        """Return a value without undeclared members; those without an `extra` at this level are added to `homeless`.

        `path` leads from the value that owns `homeless` to this one.
        """
        schema = self._resolved(schema, value)
        if is_list(value) and "items" in schema:
            return [
                self.kept(item, schema["items"], homeless, path + pointer(index)) for index, item in enumerate(value)
            ]
        if not is_object(value):
            return value
        variant = self._variant(schema, value)
        if variant is None:
            return {"type": "opaque", "dialect": f"{DIALECT}{self._version}", "data": value}
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
            add_unknown(kept, unknown)
        return kept

    def _variant(self, schema: Json, value: Json) -> Json | None:
        """Return the schema of an object, selected by its tag for a union; None for a part of an unknown type."""
        discriminator = schema.get("discriminator")
        if discriminator is None:
            return schema
        tag = value.get(discriminator["propertyName"])
        if is_text(tag) and tag in discriminator["mapping"]:
            return self._resolved({"$ref": discriminator["mapping"][tag]}, value)
        return None if schema["title"] == _PART and is_text(tag) else {}

    def _resolved(self, schema: Json, value: Any) -> Json:
        """Return the schema that a schema refers to, and of alternatives the one for this type of value."""
        while "$ref" in schema:
            schema = self._definitions[str(schema["$ref"]).rpartition("/")[2]]
        for alternative in schema.get("anyOf", ()):
            found = self._resolved(alternative, value)
            if found.get("type", "object") == ("object" if is_object(value) else "array" if is_list(value) else ""):
                return found
        return schema
