"""Hypothesis strategies derived from a bundle: documents that a definition accepts, and small changes to them.

Handwritten because `hypothesis-jsonschema` fails on references. It knows the keywords that the rules of the schema
allow, and raises on any other, so that a new keyword cannot stay untested.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, cast

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Json = Any
Path = tuple[str | int, ...]

_ANNOTATIONS: Final = frozenset(
    {
        "title",
        "description",
        "examples",
        "default",
        "deprecated",
        "discriminator",
        "format",
        "contentEncoding",
        "x-enum",
    }
)
_KNOWN: Final = _ANNOTATIONS | {
    "$ref", "additionalProperties", "anyOf", "const", "enum", "exclusiveMaximum", "exclusiveMinimum", "items",
    "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "oneOf", "pattern", "properties",
    "required", "type",
}  # fmt: skip
_LARGEST_EXACT: Final = 2**53

json_values: Final[st.SearchStrategy[Json]] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=6), inner, max_size=2),
    max_leaves=4,
)
"""Any JSON value."""


class Documents:
    """The documents that the definitions of one bundle accept; `texts`, if given, are the texts without a pattern."""

    def __init__(self, bundle: Mapping[str, Any], texts: st.SearchStrategy[str] | None = None) -> None:
        self._definitions: Mapping[str, Any] = bundle["$defs"]
        self._texts = texts
        self._strategies: dict[str, st.SearchStrategy[Json]] = {}

    def of(self, name: str) -> st.SearchStrategy[Json]:
        """Return documents that the definition of that name accepts."""
        if name not in self._strategies:
            self._strategies[name] = st.deferred(lambda: self._of_definition(name))
        return self._strategies[name]

    def changed(self, name: str) -> st.SearchStrategy[tuple[Json, Json]]:
        """Return documents with one change somewhere inside, and for each the document without its new nulls.

        The change drops, adds, retypes or nulls a member, changes a tag to an invalid one, or replaces an item; the
        document may still be valid.
        """
        return st.tuples(self.of(name), st.randoms(use_true_random=False), json_values).map(
            lambda drawn: _change(*drawn)
        )

    def _of_definition(self, name: str) -> st.SearchStrategy[Json]:
        """Return the documents of a definition; a fallback accepts values that a union does not know."""
        definition = self._definitions[name]
        if "properties" in definition and "anyOf" in definition:
            return self._of_fallback(definition)
        return self._of_schema(definition)

    def _of_fallback(self, definition: Mapping[str, Any]) -> st.SearchStrategy[Json]:
        """Return objects with an unknown tag, or of a newer version, or both, and any other value."""
        (tag, other), (_, newer) = (next(iter(option["properties"].items())) for option in definition["anyOf"])
        unknown = st.text(max_size=8).filter(lambda word: word not in other["not"]["enum"])
        version = st.integers(newer["exclusiveMinimum"] + 1, newer["exclusiveMinimum"] + 9)
        rest = st.dictionaries(st.text(max_size=6).filter(lambda key: key not in {tag, "schema_version"}), json_values)
        chosen = st.fixed_dictionaries({tag: unknown}, optional={"schema_version": version | st.integers()})
        newest = st.fixed_dictionaries({"schema_version": version}, optional={tag: st.text(max_size=8)})
        return st.builds(_joined, rest, chosen | newest)

    def _of_schema(self, schema: Mapping[str, Any]) -> st.SearchStrategy[Json]:
        """Return the values that a schema accepts."""
        if unknown := schema.keys() - _KNOWN:
            message = f"no strategy for the keywords {sorted(unknown)}"
            raise NotImplementedError(message)
        if "$ref" in schema:
            return self.of(schema["$ref"].rpartition("/")[2])
        if "const" in schema:
            return st.just(schema["const"])
        if "enum" in schema:
            return st.sampled_from(schema["enum"])
        if "properties" in schema:
            return self._of_object(schema)
        if options := schema.get("anyOf") or schema.get("oneOf"):
            return st.one_of([self._of_schema(option) for option in options])
        if "type" not in schema:
            return json_values
        kinds: list[str] = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        return st.one_of([self._of_kind(kind, schema) for kind in kinds])

    def _of_object(self, schema: Mapping[str, Any]) -> st.SearchStrategy[Json]:
        """Return objects with all required members and some others, in any number; unknown ones if it is open."""
        members = {name: self._of_schema(member) for name, member in schema["properties"].items()}
        choices: tuple[str, ...] = tuple(option["required"][0] for option in schema.get("oneOf", ()))
        required = {name: members[name] for name in schema.get("required", ())}
        optional = {name: member for name, member in members.items() if name not in required and name not in choices}
        whole: st.SearchStrategy[dict[str, Json]] = st.fixed_dictionaries(required, optional=optional)
        if choices:
            one = st.sampled_from(choices).flatmap(lambda name: st.fixed_dictionaries({name: members[name]}))
            whole = st.builds(_joined, whole, one)
        if schema["additionalProperties"]:
            names = st.text(max_size=6).filter(lambda name: name not in members)
            others = st.dictionaries(names, json_values, max_size=2)
            whole = st.builds(_joined, others, whole)
        return whole

    def _of_kind(self, kind: str, schema: Mapping[str, Any]) -> st.SearchStrategy[Json]:
        """Return the values of one JSON kind within the limits of a schema."""
        match kind:
            case "string":
                return self._texts if self._texts is not None and "pattern" not in schema else _texts(schema)
            case "integer":
                return _integers(schema)
            case "number":
                return _integers(schema) | _numbers(schema)
            case "boolean":
                return st.booleans()
            case "null":
                return st.none()
            case "array":
                limits = {"min_size": schema.get("minItems", 0), "max_size": schema.get("maxItems", 2)}
                return st.lists(self._of_schema(schema.get("items", {})), **limits)
            case _:
                values = schema.get("additionalProperties")
                inner = self._of_schema(cast("Mapping[str, Any]", values)) if isinstance(values, dict) else json_values
                return st.dictionaries(st.text(max_size=6), inner, max_size=2)


def _joined(first: dict[str, Json], second: dict[str, Json]) -> dict[str, Json]:
    """Return the members of both; those of the second override those of the first."""
    return {**first, **second}


def _texts(schema: Mapping[str, Any]) -> st.SearchStrategy[str]:
    """Return texts, of a pattern if there is one."""
    if "pattern" in schema:
        # Python's `$` also matches before a last newline; JSON Schema's does not.
        pattern: re.Pattern[str] = re.compile(schema["pattern"].replace("$", r"\Z"))
        return st.from_regex(pattern)
    return st.text(min_size=schema.get("minLength", 0), max_size=schema.get("maxLength", 12))


def _integers(schema: Mapping[str, Any]) -> st.SearchStrategy[int | float]:
    """Return integers, some of them written as floats: 5.0 is an integer, too."""
    low, high = schema.get("minimum"), schema.get("maximum")
    whole = st.integers(None if low is None else int(low), None if high is None else int(high))
    return whole | whole.filter(lambda number: abs(number) < _LARGEST_EXACT).map(float)


def _numbers(schema: Mapping[str, Any]) -> st.SearchStrategy[float]:
    """Return finite floats."""
    low, high = schema.get("minimum"), schema.get("maximum")
    return st.floats(min_value=low, max_value=high, allow_nan=False, allow_infinity=False)


def _change(document: Json, random: Any, value: Json) -> tuple[Json, Json]:
    """Return a copy of a document with one change, and the same without the null that the change inserted."""
    changed = json.loads(json.dumps(document))
    places = list(_places(changed))
    if not places:
        return value, value
    path: Path = random.choice(places)
    holder = changed
    for step in path[:-1]:
        holder = holder[step]
    kind = random.choice(["drop", "add", "retype", "spoil", "null"]) if isinstance(path[-1], str) else "replace"
    kind = "null" if kind == "retype" and value is None else kind
    if kind == "drop":
        del holder[path[-1]]
    elif kind == "add":
        holder["not_a_member"] = value
    elif kind == "null":
        holder[path[-1]] = None
        without = json.loads(json.dumps(changed))
        inner = without
        for step in path[:-1]:
            inner = inner[step]
        del inner[path[-1]]
        return changed, without
    else:
        holder[path[-1]] = "no such word" if kind == "spoil" else value
    return changed, changed


def _places(node: Json, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every member and item inside a document."""
    steps: Iterable[tuple[str | int, Json]] = ()
    if isinstance(node, dict):
        steps = cast("dict[str, Json]", node).items()
    elif isinstance(node, list):
        steps = enumerate(cast("Sequence[Json]", node))
    for step, inner in steps:
        yield (*path, step)
        yield from _places(inner, (*path, step))
