"""The root of a tool's schema: providers want one object there, and neither a union nor a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.loss import pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.rooms._shared.schema_remarks import Remarks

UNIONS: Final = ("anyOf", "oneOf", "allOf")
_DEFINITIONS: Final = ("$defs", "definitions")
# How many references are followed to find an object.
_MAX_STEPS: Final = 8


def merged_root(out: dict[str, Any], remarks: Remarks) -> dict[str, Any]:
    """Return a schema, which may be changed, with neither a union nor a reference at its root."""
    if "$ref" in out:
        found = resolved(out, out)
        if found is not None and found is not out:
            out = {**{name: value for name, value in out.items() if name != "$ref"}, **found, **_definitions(out)}
            remarks.changed("/$ref", "what it refers to stands at the root")
    for name in UNIONS:
        parts = out.get(name)
        if type(parts) is list and _are_objects(parts, out):
            out = _merged(out, name, parts)
            remarks.changed(f"/{name}", "one object takes what each of them takes")
    return out


def object_root(out: dict[str, Any], remarks: Remarks) -> dict[str, Any]:
    """Return a schema, which may be changed, as that of an object."""
    kind = out.get("type")
    if kind is None:
        remarks.filled("/type", "the arguments are an object")
        return {"type": "object", **out} if "type" not in out else {**out, "type": "object"}
    if kind not in ("object", "OBJECT"):
        out["type"] = "object"
        remarks.changed("/type", "the arguments are an object")
    return out


def _are_objects(parts: list[Any], root: dict[str, Any]) -> bool:
    """Tell whether each part of a union is a schema that says what an object has."""
    return bool(parts) and all(
        found is not None and found.get("type", "object") in ("object", "OBJECT")
        for found in (resolved(part, root) for part in parts)
    )


def resolved(schema: Any, root: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema that one refers to within the same root, itself where it refers to none; None for no such."""
    for _ in range(_MAX_STEPS):
        if type(schema) is not dict:
            return None
        reference = cast("dict[str, Any]", schema).get("$ref")
        if reference is None:
            return cast("dict[str, Any]", schema)
        schema = _definition(reference, root)
    return None


def _definition(reference: Any, root: dict[str, Any]) -> Any:
    for group in _DEFINITIONS:
        for word, one in _group(root, group):
            if reference == f"#/{group}{pointer(word)}":
                return one
    return None


def _group(root: dict[str, Any], group: str) -> Iterator[tuple[str, Any]]:
    found = root.get(group)
    if type(found) is dict:
        yield from cast("dict[str, Any]", found).items()


def _definitions(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: schema[name] for name in _DEFINITIONS if name in schema}


def _merged(out: dict[str, Any], name: str, parts: list[Any]) -> dict[str, Any]:
    """Return an object with the properties of all parts of a union, and required what each of them requires."""
    members = {key: value for key, value in out.items() if key != name}
    named: dict[str, Any] = dict(members["properties"]) if type(members.get("properties")) is dict else {}
    listed = members.get("required")
    required: list[Any] = [*listed] if type(listed) is list else []
    demands: list[list[Any]] = []
    for part in parts:
        found = cast("dict[str, Any]", resolved(part, out))
        inner = found.get("properties")
        for word, one in cast("dict[str, Any]", inner).items() if type(inner) is dict else ():
            named[word] = _either(named[word], one) if word in named and name != "allOf" else named.get(word, one)
        wanted = found.get("required")
        demands.append(wanted if type(wanted) is list else [])
    if name == "allOf":
        required += [one for demand in demands for one in demand if one not in required]
    elif demands:
        required += [one for one in demands[0] if one not in required and all(one in demand for demand in demands)]
        if any(demands):
            _tell_choices(members, demands)
    members["properties"] = named
    if required:
        members["required"] = list(dict.fromkeys(one for one in required if type(one) is str))
    return members


def _either(first: Any, second: Any) -> Any:
    """Return a schema that takes what one of two takes."""
    if first == second:
        return first
    known = first["anyOf"] if type(first) is dict and first.keys() == {"anyOf"} else [first]
    return {"anyOf": known if second in known else [*known, second]}


def _tell_choices(members: dict[str, Any], demands: list[list[Any]]) -> None:
    """Say in the description which arguments belong together."""
    groups = [", ".join(str(one) for one in demand) or "none" for demand in demands]
    text = f"Give one of these sets of arguments: {'; '.join(dict.fromkeys(groups))}"
    before = members.get("description")
    members["description"] = f"{before}\n\n{text}" if type(before) is str and before else text
