"""Removes nulls that stand for absent members from call arguments, if the client's tool does not accept null.

OpenAI's strict tools require every member, so that a model gives null for an optional one. Source: docs/exchange.md.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from interlingua.json_types import is_list, is_object
from interlingua.pointers import schema_at
from interlingua.tool_arguments import arguments_object, arguments_text

__all__ = ["HeldArguments", "without_absent", "without_nulls"]

Json: TypeAlias = dict[str, Any]

# The longest chain of references to one schema; a longer one is circular.
_LONGEST_CHAIN: Final = 32
# An untrusted schema may double the work with each step. Real arguments take one step per value and alternative.
_MOST_STEPS: Final = 100_000
_ALTERNATIVES: Final = ("anyOf", "oneOf", "allOf")
_NULL: Final = "null"


def without_absent(arguments: Json | str, schema: Json) -> Json | str:
    """Return arguments without the nulls that stand for absent members; the same ones where there are none.

    Text stays text, and unchanged if nothing is removed. Incomplete JSON is not changed.
    """
    if type(arguments) is str and _NULL not in arguments:
        return arguments
    told, is_faithful = arguments_object(arguments) if type(arguments) is str else (arguments, True)
    if not is_faithful or type(told) is not dict:
        return arguments
    out = without_nulls(told, schema)
    if out == told:
        return arguments
    return arguments_text(out) if type(arguments) is str else out


class HeldArguments:
    """Holds back the arguments of a call until it has ended, since a null in them may stand for an absent member."""

    __slots__ = ("_pieces", "_schema")

    def __init__(self, schema: Json) -> None:
        self._schema = schema
        self._pieces: list[str] = []

    def feed(self, piece: str) -> str:
        """Store a piece; return an empty text, since nothing can be written yet."""
        self._pieces.append(piece)
        return ""

    def rest(self) -> str:
        """Return the complete arguments, without the members that stand for absent ones."""
        text = "".join(self._pieces)
        return arguments_text(without_absent(text, self._schema)) if text else ""


class _TooManyStepsError(Exception):
    """The limit of steps was exceeded."""


def without_nulls(arguments: Json, schema: Json) -> Json:
    """Return arguments without nulls of members that are optional and do not accept null, at any depth.

    Nulls that the schema does not determine, or only in too many steps, are kept; the input is not modified.
    """
    if not _has_null(arguments):
        return arguments
    try:
        settled = _Reader(schema).settled(arguments, schema)
    except (RecursionError, _TooManyStepsError):
        return arguments
    return settled if is_object(settled) else arguments


def _has_null(value: Any) -> bool:
    waiting = [value]
    seen: set[int] = set()  # stops at circular values
    while waiting:
        one = waiting.pop()
        if one is None:
            return True
        if is_object(one) or is_list(one):
            if id(one) in seen:
                continue
            seen.add(id(one))
        if is_object(one):
            waiting += one.values()
        elif is_list(one):
            waiting += one
    return False


class _Reader:
    """Walks values along a schema, in a bounded number of steps."""

    def __init__(self, root: Json) -> None:
        self._root = root
        self._left = _MOST_STEPS

    def settled(self, value: Any, schema: Any) -> Any:
        """Return a value without nulls that mean absent."""
        self._left -= 1
        if not self._left:
            raise _TooManyStepsError
        known = self._referred(schema)
        if not is_object(known):
            return value
        if is_list(value):
            value = self._list(value, known)
        elif is_object(value):
            value = self._object(value, known)
        else:
            return value
        for name in _ALTERNATIVES:
            for alternative in _items(known.get(name)):
                candidate = self.settled(value, alternative)
                if _looks_like(candidate, self._referred(alternative)):
                    return candidate
        return value

    def _list(self, value: list[Any], schema: Json) -> list[Any]:
        first = _items(schema.get("prefixItems"))
        others = schema.get("items")
        return [self.settled(one, first[at] if at < len(first) else others) for at, one in enumerate(value)]

    def _object(self, value: Json, schema: Json) -> Json:
        named, required = _members(schema.get("properties")), _items(schema.get("required"))
        others = schema.get("additionalProperties")
        return {
            name: self.settled(one, named.get(name, others))
            for name, one in value.items()
            if one is not None or name not in named or name in required or self._takes_null(named[name])
        }

    def _takes_null(self, schema: Any) -> bool:
        """Tell whether a schema accepts null; true if that cannot be determined."""
        self._left -= 1
        if not self._left:
            raise _TooManyStepsError
        known = self._referred(schema)
        if not is_object(known):
            return known is not False
        kinds = known.get("type", _NULL)
        if kinds != _NULL and not (is_list(kinds) and _NULL in kinds):
            return False
        if known.get("const") is not None or None not in _items(known.get("enum", [None])):
            return False
        return all(any(self._takes_null(one) for one in _items(known[name])) for name in _ALTERNATIVES if name in known)

    def _referred(self, schema: Any) -> Any:
        """Return the schema at the end of a chain of references; None if it cannot be found."""
        for _ in range(_LONGEST_CHAIN):
            reference = schema.get("$ref") if is_object(schema) else None
            if not isinstance(reference, str):
                return schema
            schema = schema_at(reference, self._root)
        return None


def _looks_like(value: Any, schema: Any) -> bool:
    """Tell whether an object matches an alternative, judging by its members."""
    if not (is_object(value) and is_object(schema) and "properties" in schema):
        return False
    named = _members(schema["properties"])
    if schema.get("additionalProperties") is False and not value.keys() <= named.keys():
        return False
    tags = ((name, one) for name, one in named.items() if is_object(one) and "const" in one and name in value)
    return all(name in value for name in _items(schema.get("required"))) and all(
        value[name] == one["const"] for name, one in tags
    )


def _items(value: Any) -> list[Any]:
    return value if is_list(value) else []


def _members(value: Any) -> Json:
    return value if is_object(value) else {}
