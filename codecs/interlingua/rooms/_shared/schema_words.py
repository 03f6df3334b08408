"""Words of OpenAPI and of older drafts in the words of JSON Schema 2020-12."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from interlingua.rooms._shared.schema_remarks import Remarks

_TYPES: Final = frozenset({"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"})
_OLDER: Final = frozenset({
    "nullable", "propertyOrdering", "property_ordering", "example", "additionalItems", "exclusiveMinimum",
    "exclusiveMaximum",
})  # fmt: skip
_NULL: Final[dict[str, Any]] = {"type": "null"}


def modern(one: dict[str, Any], where: str, remarks: Remarks, *, ordering: bool) -> None:
    """Write one schema, which may be changed, in the words of today; `ordering`: `propertyOrdering` is read."""
    _mend_values(one, where, remarks)
    if _OLDER.isdisjoint(one):
        return
    if "nullable" in one:
        if one.pop("nullable") is True:
            take_null(one)
        remarks.changed(where, "null is one of the types")
    for name in () if ordering else ("propertyOrdering", "property_ordering"):
        if name in one:
            _order(one, one.pop(name))
            remarks.changed(where, "properties stand in their order")
    if "example" in one and "examples" not in one:
        one["examples"] = [one.pop("example")]
        remarks.changed(where, "examples are a list")
    for name, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if type(one.get(name)) is bool:
            if one.pop(name) and limit in one:
                one[name] = one.pop(limit)
            remarks.changed(where, "an exclusive limit is a number")


def _mend_values(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    """Mend keywords that are still known, and whose values had another form."""
    kind = one.get("type")
    lower = _lower(kind)
    if lower is not kind:
        one["type"] = lower
        remarks.changed(f"{where}/type", "types are in lower case")
    if type(one.get("items")) is list:
        _write_tuple(one, where, remarks)
    if type(one.get("required")) is bool:
        del one["required"]
        remarks.changed(where, "the object says what it requires")


def take_null(one: dict[str, Any]) -> None:
    """Let a schema, which may be changed, take null too."""
    kind = one.get("type")
    if type(kind) is str and kind != "null":
        one["type"] = [kind, "null"]
    elif type(kind) is list and "null" not in kind:
        one["type"] = [*kind, "null"]
    elif kind is None and type(one.get("anyOf")) is list:
        if _NULL not in one["anyOf"]:
            one["anyOf"] = [*one["anyOf"], _NULL]
        return
    elif kind is None and "$ref" in one:
        one["anyOf"] = [{"$ref": one.pop("$ref")}, _NULL]
        return
    allowed = one.get("enum")
    if type(allowed) is list and None not in allowed:
        one["enum"] = [*allowed, None]


def _lower(kind: Any) -> Any:
    """Return a type in lower case, or the very value where it is one already, or none."""
    if type(kind) is str:
        return kind.lower() if kind in _TYPES else kind
    if type(kind) is list and any(type(one) is str and one in _TYPES for one in kind):
        return [one.lower() if type(one) is str and one in _TYPES else one for one in kind]
    return kind


def _write_tuple(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    """Write a list of schemas, one a place, under its newer name, and what follows under its own."""
    members = {"prefixItems" if name == "items" else name: value for name, value in one.items()}
    if "additionalItems" in members:
        members["items"] = members.pop("additionalItems")
    one.clear()
    one.update(members)
    remarks.changed(where, "the places of a list are called prefixItems")


def _order(one: dict[str, Any], names: Any) -> None:
    """Put the properties into the order of the names; those without a name follow."""
    properties = one.get("properties")
    if type(properties) is not dict or type(names) is not list:
        return
    known = cast("dict[str, Any]", properties)
    first = {name: known[name] for name in names if type(name) is str and name in known}
    one["properties"] = {**first, **known}
