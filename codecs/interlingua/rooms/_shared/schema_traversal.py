"""Traverse and measure JSON Schemas, and find what providers refuse in enforced ones.

Schemas are traversed with an explicit stack, never recursively: an untrusted one may be nested very deeply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.json_limits import refuse_circular
from interlingua.pointers import pointer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.violation import Violation

# Members that hold a schema, a list of schemas, or schemas by name.
SCHEMA_MEMBERS: Final = ("items", "additionalProperties", "not")
SCHEMA_LISTS: Final = ("anyOf", "allOf", "oneOf", "prefixItems")
DEFINITIONS: Final = ("$defs", "definitions")
SCHEMA_MAPS: Final = ("properties", *DEFINITIONS)
_HOLDERS: Final = frozenset({*SCHEMA_MEMBERS, *SCHEMA_LISTS, *SCHEMA_MAPS})  # most schemas have none of them


def loose_objects(schema: Any, path: str) -> Iterator[Violation]:
    """Yield a violation for each object, at any depth, without `additionalProperties: false`."""
    from interlingua.violation import Violation  # noqa: PLC0415  # who writes a request judges none

    for where, one in schemas_in(schema, path):
        if one.get("additionalProperties") is not False and is_object(one):
            yield Violation("schema", where, "additionalProperties must be false")


def optional_members(schema: Any, path: str) -> Iterator[Violation]:
    """Yield a violation for each object, at any depth, that does not require all of its properties."""
    from interlingua.violation import Violation  # noqa: PLC0415  # who writes a request judges none

    for where, one in schemas_in(schema, path):
        if optional_names(one):
            yield Violation("schema", where, "every member must be required")


def is_circular(schema: Any) -> bool:
    """Tell whether a schema or one of its definitions refers to itself, directly or indirectly."""
    if type(schema) is not dict:
        return False
    refers = {"#": _referred({**schema, **dict.fromkeys(DEFINITIONS)}) & {"#"}}
    for group in DEFINITIONS:
        named: Any = schema.get(group)
        for word, item in named.items() if type(named) is dict else ():
            refers[f"#/{group}{pointer(word)}"] = _referred(item)
    # Repeatedly remove schemas without references to remaining ones: what is left is circular.
    left = {name: targets & refers.keys() for name, targets in refers.items()}
    users: dict[str, list[str]] = {}
    for name, targets in left.items():
        for target in targets:
            users.setdefault(target, []).append(name)
    ready = [name for name, targets in left.items() if not targets]
    while ready:
        done = ready.pop()
        del left[done]
        for user in users.get(done, ()):
            left[user].discard(done)
            if not left[user]:
                ready.append(user)
    return bool(left)


def count_optional(schema: Any) -> int:
    """Return the number of optional properties in a schema, at any depth."""
    return sum(len(optional_names(one)) for one in _every_schema(schema))


def count_unions(schema: Any) -> int:
    """Return the number of schemas, at any depth, that accept several types."""
    return sum(
        type(one.get("anyOf")) is list
        or type(one.get("oneOf")) is list
        or (type(one.get("type")) is list and len(one["type"]) > 1)
        for one in _every_schema(schema)
    )


def is_object(schema: Mapping[str, Any]) -> bool:
    """Whether a schema describes an object."""
    return is_of_type(schema, "object")


def is_of_type(schema: Mapping[str, Any], word: str) -> bool:
    """Tell whether a schema's `type` is, or includes, a type."""
    kind: Any = schema.get("type")
    return kind == word or (type(kind) is list and word in kind)


def schemas_in(schema: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a schema and all schemas nested in it, each with its path.

    Raises `RecursionError` for an object that contains itself, as that of a library that resolves references.
    """
    waiting: list[tuple[str, Any]] = [(path, schema)]
    unchecked = _FEW
    while waiting:
        where, one = waiting.pop()
        if type(one) is not dict:
            continue
        known = cast("dict[str, Any]", one)
        yield where, known
        unchecked -= 1
        if unchecked == 0:
            refuse_circular(schema)
        inner = [(f"{where}/{name}", known[name]) for name in SCHEMA_MEMBERS if name in known]
        for name in SCHEMA_LISTS:
            if type(known.get(name)) is list:
                inner += [(f"{where}/{name}/{index}", item) for index, item in enumerate(known[name])]
        for name in SCHEMA_MAPS:
            if type(known.get(name)) is dict:
                inner += [(f"{where}/{name}{pointer(word)}", item) for word, item in known[name].items()]
        waiting.extend(reversed(inner))


_FEW: Final = 200  # schemas after which it is checked that there is an end


def _every_schema(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and all schemas nested in it, in any order. Raises `RecursionError` as `schemas_in` does."""
    waiting = [cast("dict[str, Any]", schema)] if type(schema) is dict else []
    unchecked = _FEW
    while waiting:
        one = waiting.pop()
        yield one
        unchecked -= 1
        if unchecked == 0:
            refuse_circular(schema)
        waiting += inner_schemas(one)


def inner_schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the schemas directly inside a schema."""
    if _HOLDERS.isdisjoint(schema):
        return iter(())
    found = [schema[name] for name in SCHEMA_MEMBERS if name in schema]
    for name in SCHEMA_LISTS:
        if type(schema.get(name)) is list:
            found += schema[name]
    for name in SCHEMA_MAPS:
        if type(schema.get(name)) is dict:
            found += schema[name].values()
    return (one for one in found if type(one) is dict)


def places(schema: dict[str, Any]) -> Iterator[tuple[Any, Any, str]]:
    """Yield holder, key and path of the schemas directly inside a schema; holding lists and maps are copied first."""
    if _HOLDERS.isdisjoint(schema):
        return
    yield from ((schema, name, f"/{name}") for name in SCHEMA_MEMBERS if name in schema)
    for name in SCHEMA_LISTS:
        if type(schema.get(name)) is list:
            schema[name] = [*schema[name]]
            yield from ((schema[name], at, f"/{name}/{at}") for at in range(len(schema[name])))
    for name in SCHEMA_MAPS:
        if type(schema.get(name)) is dict:
            schema[name] = {**schema[name]}
            yield from ((schema[name], word, f"/{name}{pointer(word)}") for word in schema[name])


def property_places(schema: dict[str, Any]) -> Iterator[tuple[Any, Any, str]]:
    """Yield holder, key and path of a schema's properties and `anyOf` alternatives; their holders are copied first."""
    if type(schema.get("properties")) is dict:
        named = schema["properties"] = {**schema["properties"]}
        yield from ((named, word, f"/properties{pointer(word)}") for word in named)
    if type(schema.get("anyOf")) is list:
        either = schema["anyOf"] = [*schema["anyOf"]]
        yield from ((either, at, f"/anyOf/{at}") for at in range(len(either)))


def optional_names(schema: dict[str, Any]) -> set[str]:
    """Return the names of a schema's optional properties."""
    named, required = schema.get("properties"), schema.get("required")
    if type(named) is not dict:
        return set()
    listed: list[Any] = required if type(required) is list else []
    return cast("dict[str, Any]", named).keys() - {name for name in listed if type(name) is str}


def _referred(schema: Any) -> set[str]:
    return {one["$ref"] for one in _every_schema(schema) if type(one.get("$ref")) is str}
