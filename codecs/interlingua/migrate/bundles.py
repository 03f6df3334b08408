"""Access to a version's schema bundle for migrations: the definitions, and which of them a value fits."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from interlingua.json_types import is_list, is_object, is_text
from interlingua.validation import bundle, fits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Json: TypeAlias = dict[str, Any]

_ANNOTATIONS: Final = frozenset({"$id", "$schema", "default", "description", "examples", "title"})
_NOTHING: Final[Json] = {}


class Node(NamedTuple):
    """A schema with its references resolved, and the name of its class, or ""."""

    name: str
    schema: Json

    @property
    def members(self) -> Mapping[str, Json]:
        """The members that it declares."""
        declared: Mapping[str, Json] = self.schema.get("properties", _NOTHING)
        return declared

    @property
    def is_closed(self) -> bool:
        """Whether other members are not allowed."""
        return self.schema.get("additionalProperties") is False

    @property
    def required(self) -> frozenset[str]:
        """The required members."""
        return frozenset(self.schema.get("required", ()))

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The members of which exactly one is required; empty if there is no such rule."""
        rule = self.schema.get("oneOf", ()) if "properties" in self.schema else ()
        return tuple(one["required"][0] for one in rule)

    @property
    def tag(self) -> str:
        """The tag member of a union; "" for any other schema."""
        found: str = self.schema.get("discriminator", _NOTHING).get("propertyName", "")
        return found

    @property
    def variants(self) -> Mapping[str, str]:
        """The references of the variants of a union, by tag."""
        found: Mapping[str, str] = self.schema.get("discriminator", _NOTHING).get("mapping", _NOTHING)
        return found


class Definitions:
    """The definitions of one version."""

    __slots__ = ("_all", "version")

    def __init__(self, version: int) -> None:
        self.version: Final = version
        self._all: Final[Mapping[str, Json]] = bundle(version)["$defs"]

    def named(self, name: str) -> Node:
        """Return the definition of a class.

        Raises:
            KeyError: there is none.
        """
        return Node(name, self._all[name])

    def has(self, name: str) -> bool:
        """Tell whether there is a class of a name."""
        return name in self._all

    def variant(self, union: Node, tag: str) -> Node:
        """Return the variant of a union that a tag names.

        Raises:
            KeyError: there is none.
        """
        return self.resolved({"$ref": union.variants[tag]})

    def resolved(self, schema: Json) -> Node:
        """Return the node that a schema refers to, directly or indirectly."""
        name = ""
        while "$ref" in schema:
            name = str(schema["$ref"]).rpartition("/")[2]
            schema = self._all[name]
        return Node(name, schema)

    def of_value(self, schema: Json, value: Any) -> Node | None:
        """Return the node that a schema refers to; of alternatives the one for this type of value, or None."""
        node = self.resolved(schema)
        if "anyOf" in node.schema:
            found = (self.of_value(alternative, value) for alternative in node.schema["anyOf"])
            return next((one for one in found if one is not None), None)
        return node if _is_of_kind(value, node.schema) else None

    def reachable(self, node: Node) -> frozenset[str]:
        """Return the names of a class and of all classes that it refers to, directly or indirectly."""
        found = {node.name}
        waiting: list[Any] = [node.schema]
        while waiting:
            schema = waiting.pop()
            if is_list(schema):
                waiting += schema
            elif is_object(schema):
                waiting += [value for name, value in schema.items() if name not in _ANNOTATIONS]
                name = str(schema["$ref"]).rpartition("/")[2] if is_text(schema.get("$ref")) else ""
                if name and name not in found:
                    found.add(name)
                    waiting.append(self._all[name])
        return frozenset(found)

    def fits(self, value: Any, node: Node) -> bool:
        """Tell whether a value is valid by a schema of this version."""
        return fits(value, node.schema, self.version)


@cache
def definitions(version: int) -> Definitions:
    """Return the definitions of a version."""
    return Definitions(version)


def are_same_schemas(older: int, newer: int, old: Json, new: Json) -> bool:
    """Tell whether two schemas of two versions, and all that they refer to, are the same apart from annotations."""
    return _Comparison(older, newer).of_values(old, new)


class _Comparison:
    """One comparison of two versions; pairs of classes that are being compared already are taken as the same."""

    def __init__(self, older: int, newer: int) -> None:
        self._older: Final = definitions(older)
        self._newer: Final = definitions(newer)
        self._seen: Final[set[tuple[str, str]]] = set()

    def of_classes(self, old_name: str, new_name: str) -> bool:
        if (old_name, new_name) in self._seen:
            return True
        self._seen.add((old_name, new_name))
        return self.of_values(self._older.named(old_name).schema, self._newer.named(new_name).schema)

    def of_values(self, old: Any, new: Any) -> bool:
        if is_object(old) and is_object(new):
            names = old.keys() - _ANNOTATIONS
            return names == new.keys() - _ANNOTATIONS and all(
                self._of_keyword(name, old[name], new[name]) for name in names
            )
        if is_list(old) and is_list(new):
            return len(old) == len(new) and all(map(self.of_values, old, new))
        return type(old) is type(new) and bool(old == new)

    def _of_keyword(self, name: str, old: Any, new: Any) -> bool:
        if name == "$ref":
            return self.of_classes(str(old).rpartition("/")[2], str(new).rpartition("/")[2])
        if name in {"properties", "mapping"} and is_object(old) and is_object(new):
            # These are member names, not keywords.
            return old.keys() == new.keys() and all(self._of_member(old[each], new[each]) for each in old)
        return self.of_values(old, new)

    def _of_member(self, old: Any, new: Any) -> bool:
        if is_text(old) and is_text(new):
            return self.of_classes(old.rpartition("/")[2], new.rpartition("/")[2])
        return self.of_values(old, new)


def _is_of_kind(value: Any, schema: Json) -> bool:
    """Tell whether a value is of the JSON type that a schema names; without one, any value is."""
    if "discriminator" in schema:
        return is_object(value)
    if "const" in schema:
        return type(value) is type(schema["const"])
    if "enum" in schema and "type" not in schema:
        return any(type(value) is type(word) for word in schema["enum"])
    kinds = schema.get("type")
    if kinds is None:
        return True
    named = [kinds] if is_text(kinds) else kinds
    return any(_KINDS[kind](value) for kind in named)


_KINDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "array": is_list,
    "boolean": lambda value: type(value) is bool,
    "integer": lambda value: type(value) is int or (type(value) is float and value.is_integer()),
    "null": lambda value: value is None,
    "number": lambda value: type(value) is int or type(value) is float,
    "object": is_object,
    "string": is_text,
}
