"""Adapt JSON Schemas to the subset that a dialect accepts; `check_request` uses the same table of subsets.

A keyword that a dialect refuses or ignores is moved to the description, so that the model still reads it. Keywords of
OpenAPI and older drafts become those of JSON Schema 2020-12. Names and the order of properties stay. Each change is
reported at its place in the schema. Schemas are traversed with an explicit stack, never recursively.
"""

from __future__ import annotations

import json
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from interlingua.pointers import pointer, pointer_tokens, schema_at, value_at
from interlingua.rooms._shared.schema_recursion import follow_from_root
from interlingua.rooms._shared.schema_traversal import DEFINITIONS, is_of_type, places, schemas_in
from interlingua.rooms._shared.schema_upgrade import misformed, modernize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.loss import LossCode, LossLog
    from interlingua.violation import Violation

NOWHERE: Final = frozenset[str]()
# Deeper than any that a provider accepts, and shallow enough to name each place in it.
MAX_SCHEMA_DEPTH: Final = 64
# No dialect refuses a schema with only these keywords, unless a property is refused.
_PLAIN_OBJECT: Final[Mapping[str, type]] = MappingProxyType({
    "type": str, "title": str, "description": str, "$schema": str, "properties": dict, "required": list,
    "additionalProperties": bool,
})  # fmt: skip
_PLAIN_VALUE: Final = frozenset({"type", "title", "description", "enum"})
_SIMPLE: Final = ("string", "integer", "number", "boolean")  # not a set: a schema may have a list here
_PLAIN_LIST: Final = frozenset({"type", "title", "description", "items"})
# Keywords of which a dialect may accept only some values.
_JUDGED: Final = frozenset({"format", "pattern", "patternProperties", "minItems"})
# Keywords that are no constraints.
_NOTES: Final = frozenset({"default", "examples"})
# Longer or deeper values are left out of the description; only the keyword is named.
_MAX_TEXT: Final = 300
_MAX_LEVELS: Final = 8
# What regular expressions of constrained decoding lack: lookaround, backreferences, word boundaries.
_is_hard: Final = re.compile(r"\(\?[=!<]|\\[1-9bB]").search
_looks_around: Final = re.compile(r"(?<!\\)(?:\\\\)*\(\?<?[=!]").search


class Subset(NamedTuple):
    """The subset of JSON Schema that a dialect accepts in one place; the defaults accept all of it.

    `refused`: keywords that the provider refuses. `ignored`: those that it ignores, or that some models refuse.
    `formats`: the accepted values of `format`, None for all.
    `simple_patterns`: whether patterns are limited to constrained decoding. `looks_around`: whether they may have
    lookaround.
    `max_min_items`: the largest `minItems`, None for any.
    `one_of`, `tuples`, `constants`, `siblings`: whether `oneOf`, `prefixItems`, `const`, and members beside `$ref` are
    accepted.
    `root_object`: whether the root must be an object. `merges_root`: whether it must be no union and no reference.
    `rooted`: whether references are only followed from the root, as schema_recursion.py describes.
    `typed_unions`: whether `type` may stand beside `anyOf`. `booleans`: whether true may stand for a schema.
    `listed`: whether arrays need `items`. `ordering`: whether `propertyOrdering` is read.
    `named_members`: whether an object at the root needs `properties`, even if empty.
    `judged`: which of `format`, `pattern`, `patternProperties` and `minItems` the provider refuses for their value.
    """

    refused: frozenset[str] = NOWHERE
    ignored: frozenset[str] = NOWHERE
    formats: frozenset[str] | None = None
    simple_patterns: bool = False
    looks_around: bool = True
    max_min_items: int | None = None
    one_of: bool = True
    tuples: bool = True
    constants: bool = True
    siblings: bool = True
    typed_unions: bool = True
    booleans: bool = True
    root_object: bool = False
    merges_root: bool = False
    rooted: bool = False
    listed: bool = False
    ordering: bool = False
    named_members: bool = False
    judged: frozenset[str] = NOWHERE


ANY_SCHEMA: Final = Subset()
"""All of JSON Schema 2020-12."""


_IDENTIFIERS: Final = ("$id", "id", "$anchor", "$dynamicAnchor")


class References:
    """The references of one schema."""

    __slots__ = ("_definitions", "_identifiers", "_is_read", "_root")

    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._is_read = False
        self._identifiers: set[str] = set()
        self._definitions: dict[str, str] = {}  # reference relative to an inner schema -> relative to the root

    def led(self, reference: Any) -> str | None:
        """Return a reference that resolves, nearly always the given one; None if there is none.

        Tools that embed schemas into others leave definitions there, with references relative to the inner schema.
        """
        if type(reference) is not str:
            return None
        if schema_at(reference, self._root) is not None:
            return reference
        self._read()
        if reference in self._identifiers or reference.removeprefix("#") in self._identifiers:
            return reference
        return self._definitions.get(reference)

    def _read(self) -> None:
        if self._is_read:
            return
        self._is_read = True
        for where, one in schemas_in(self._root, "#"):
            self._identifiers.update(one[name] for name in _IDENTIFIERS if type(one.get(name)) is str)
            for group in DEFINITIONS:
                for name in one[group] if type(one.get(group)) is dict else ():
                    self._definitions.setdefault(f"#/{group}{pointer(name)}", f"{where}/{group}{pointer(name)}")


def adapt(schema: dict[str, Any], subset: Subset, path: str, log: LossLog, code: LossCode) -> dict[str, Any]:
    """Return a schema adapted to a subset, and report each change below the path; the given one is not changed."""
    if is_plain(schema):
        return schema
    remarks = Remarks()
    out = adapted(schema, subset, remarks)
    if not remarks:
        return schema
    remarks.tell(schema, path, log, code)
    return out


def adapted(schema: dict[str, Any], subset: Subset, remarks: Remarks) -> dict[str, Any]:
    """Return a schema adapted to a subset; the given one is not changed."""
    out = _with_accepted_root({**schema}, subset, remarks)
    references, refers = References(schema), False
    waiting: list[tuple[dict[str, Any], str, int]] = [(out, "", 0)]
    while waiting:
        one, where, depth = waiting.pop()
        modernize(one, where, remarks, ordering=subset.ordering)
        if "$ref" in one:
            refers = True
            _resolve_reference(one, where, references, remarks)
        _rename_words(one, where, subset, remarks)
        _move_to_description(one, where, subset, remarks)
        if not subset.siblings:
            _refer_alone(one, where, remarks)
        if not subset.typed_unions:
            _type_alternatives(one, where, remarks)
        if depth < MAX_SCHEMA_DEPTH:
            inner: list[tuple[dict[str, Any], str, int]] = []
            for holder, key, place in places(one):
                if holder[key] is True and not subset.booleans and key != "additionalProperties":
                    holder[key] = {}
                    remarks.changed(where + place, "any value is sent as {}")
                if type(holder[key]) is dict:
                    holder[key] = {**holder[key]}
                    inner.append((holder[key], where + place, depth + 1))
            waiting.extend(reversed(inner))
    if refers and subset.rooted:
        follow_from_root(out, remarks)
    return out


def refusals(schema: Any, subset: Subset, path: str) -> Iterator[Violation]:
    """Yield what a dialect refuses in a schema, according to its subset."""
    from interlingua.violation import Violation  # noqa: PLC0415  # who writes a request judges none

    if type(schema) is dict and schema:
        yield from _refused_roots(cast("dict[str, Any]", schema), subset, path)
    references = References(cast("dict[str, Any]", schema)) if type(schema) is dict else References({})
    for where, one in schemas_in(schema, path):
        for name in misformed(one):
            yield Violation("schema", f"{where}/{name}", "JSON Schema has no such value here")
        for name in one:
            if name in subset.refused:
                yield Violation("schema", f"{where}/{name}", "the provider does not accept this keyword")
        if "$ref" in one and references.led(one["$ref"]) != one["$ref"]:
            yield Violation("schema", f"{where}/$ref", "the reference cannot be resolved")
        for name in subset.judged:
            if name in one and not _fits(one, name, subset):
                yield Violation("schema", f"{where}/{name}", "the provider does not accept this value here")
        if subset.listed and lacks_items(one):
            yield Violation("schema", f"{where}/items", "an array needs items")


def _refused_roots(root: dict[str, Any], subset: Subset, path: str) -> Iterator[Violation]:
    """Yield what a dialect refuses at the root of a schema."""
    from interlingua.violation import Violation  # noqa: PLC0415  # who writes a request judges none

    if not subset.root_object:
        return
    if root.get("type") != "object":
        yield Violation("schema", f"{path}/type", "the schema must be of the type object")
    for name in UNIONS if subset.merges_root else ():
        if name in root:
            yield Violation("schema", f"{path}/{name}", "the schema must be one object at the top")
    is_bare = root.get("type") == "object" and "properties" not in root and root.keys().isdisjoint(UNIONS)
    if subset.named_members and is_bare:
        yield Violation("schema", f"{path}/properties", "an object needs properties, even if empty")


def is_plain(schema: dict[str, Any]) -> bool:
    """Tell whether a schema has the most common shape: an object of simple values, or of lists of them."""
    if schema.get("type") != "object":
        return False
    for name, value in schema.items():
        if type(value) is not _PLAIN_OBJECT.get(name):
            return False
    named, required = schema.get("properties"), schema.get("required", ())
    texts = [name for name in required if type(name) is str]
    if named is None or len(texts) < len(required) or len({*texts}) < len(texts):
        return False
    for one in named.values():
        if type(one) is dict and len(one) == 2 and type(one.get("description")) is str and one.get("type") in _SIMPLE:
            continue  # as nearly all are
        inner: Any = one
        if type(inner) is dict and inner.get("type") == "array" and inner.keys() <= _PLAIN_LIST:
            if not _has_only_texts(inner, "items", dict):
                return False
            inner = inner.get("items")
        if type(inner) is not dict or inner.get("type") not in _SIMPLE or not inner.keys() <= _PLAIN_VALUE:
            return False
        if not _has_only_texts(inner, "enum", list):
            return False
    return True


def _has_only_texts(one: dict[str, Any], other: str, kind: type) -> bool:
    """Tell whether all values of a schema are texts, except for one keyword, which has another type."""
    for name, value in one.items():  # noqa: SIM110  # a generator takes twice the time
        if type(value) is not (kind if name == other else str):
            return False
    return True


def _rename_words(one: dict[str, Any], where: str, subset: Subset, remarks: Remarks) -> None:
    """Replace keywords that the subset lacks by equivalent ones."""
    if not subset.one_of and type(one.get("oneOf")) is list and "anyOf" not in one:
        rename(one, "oneOf", "anyOf", one["oneOf"])
        remarks.changed(f"{where}/oneOf", "oneOf is sent as anyOf")
    if not subset.siblings and "anyOf" not in one and _refers(one.get("allOf")):
        rename(one, "allOf", "anyOf", one["allOf"])
        remarks.changed(f"{where}/allOf", "allOf with one reference is sent as anyOf")
    if not subset.constants and "const" in one and "enum" not in one:
        rename(one, "const", "enum", [one["const"]])
        remarks.changed(where, "const is sent as an enum of one value")
    if not subset.tuples and type(one.get("prefixItems")) is list:
        _replace_tuple(one, where, remarks)
    if subset.listed and lacks_items(one):
        one["items"] = {}
        remarks.changed(where, "an array needs items")


def _refers(parts: Any) -> bool:
    """Tell whether an `allOf` is a single reference, as Pydantic writes one that has a description."""
    return type(parts) is list and len(parts) == 1 and type(parts[0]) is dict and "$ref" in parts[0]


def _replace_tuple(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    """Replace `prefixItems` by `items` that accept any of the schemas."""
    each: list[Any] = one["prefixItems"]
    kinds: list[Any] = []
    for schema in [*each, *([one["items"]] if type(one.get("items")) is dict else [])]:
        if schema not in kinds:
            kinds.append(schema)
    if one.pop("items", None) is False:
        one.setdefault("maxItems", len(each))
    rename(one, "prefixItems", "items", kinds[0] if len(kinds) == 1 else {"anyOf": kinds})
    words = [str(schema["type"]) if type(schema) is dict and "type" in schema else "any value" for schema in each]
    describe(one, f"Items in order: {', '.join(words)}")
    remarks.changed(where, "the items of a tuple are listed in the description")


def _move_to_description(one: dict[str, Any], where: str, subset: Subset, remarks: Remarks) -> None:
    """Move keywords that the subset does not accept into the description."""
    gone: dict[str, Any] = {name: one.pop(name) for name in misformed(one)}
    for name in [*one]:
        if name in subset.refused or name in subset.ignored or (name in _JUDGED and not _fits(one, name, subset)):
            gone[name] = one.pop(name)
    if not gone:
        return
    if gone == {"default": None}:
        remarks.changed(f"{where}/default", "a default of null was left out: null is one of the accepted values")
    else:
        remarks.changed(where, f"moved to the description: {', '.join(gone)}")
    say(one, gone)


def say(one: dict[str, Any], gone: Mapping[str, Any]) -> None:
    """Append keywords to the description of a schema, in place. A default of null is left out."""
    limits = [worded(name, value) for name, value in gone.items() if name not in _NOTES]
    lines = [f"Limits: {', '.join(limits)}"] if limits else []
    lines += [
        worded(f"{name.capitalize()}:", value) for name, value in gone.items() if name in _NOTES and value is not None
    ]
    if lines:
        describe(one, "\n".join(lines))


def _fits(one: dict[str, Any], name: str, subset: Subset) -> bool:
    """Tell whether the value of a keyword is accepted."""
    value = one.get(name)
    if name == "format":
        return subset.formats is None or type(value) is not str or value in subset.formats
    if name == "pattern":
        if type(value) is not str:
            return True
        return not (_is_hard(value) if subset.simple_patterns else not subset.looks_around and _looks_around(value))
    if name == "patternProperties":
        return subset.looks_around or type(value) is not dict or not any(map(_looks_around, value))
    if name == "minItems":
        most = subset.max_min_items
        return most is None or not isinstance(value, int | float) or value <= most
    return True


def worded(name: str, value: Any) -> str:
    """Return a keyword and its value as text; a value that is long or deep is left out."""
    if type(value) in {dict, list} and is_deeper(value, _MAX_LEVELS):
        return name
    try:
        text = json.dumps(value, ensure_ascii=False)
    except ValueError:  # a number with more digits than Python writes
        return name
    return f"{name} {text}" if len(text) <= _MAX_TEXT else name


def is_deeper(value: Any, most: int) -> bool:
    """Tell whether a value is nested more deeply than `most` levels."""
    level: list[Any] = [value]
    for _ in range(most):
        inner: list[Any] = []
        for one in level:
            if type(one) is dict:
                inner.extend(cast("dict[str, Any]", one).values())
            elif type(one) is list:
                inner.extend(one)
        if not inner:
            return False
        level = inner
    return True


def describe(one: dict[str, Any], text: str) -> None:
    """Append a text to the description of a schema that does not end with it yet, in place."""
    before = one.get("description")
    if type(before) is not str or not before.endswith(text):
        one["description"] = f"{before}\n\n{text}" if type(before) is str and before else text


def _resolve_reference(one: dict[str, Any], where: str, references: References, remarks: Remarks) -> None:
    """Make a reference relative to the root, or describe it if it cannot be resolved, which providers refuse."""
    reference = one["$ref"]
    led = references.led(reference)
    if led is None:
        describe(one, f"As in: {one.pop('$ref')}")
        remarks.changed(f"{where}/$ref", "a reference that cannot be resolved was moved to the description")
    elif led != reference:
        one["$ref"] = led
        remarks.changed(f"{where}/$ref", "the reference was rewritten to start at the root of the schema")


def _refer_alone(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    """Put a reference that has other members beside it into an `anyOf`."""
    if "$ref" in one and "anyOf" not in one and not all(name.startswith("$") for name in one):
        rename(one, "$ref", "anyOf", [{"$ref": one["$ref"]}])
        remarks.changed(f"{where}/$ref", "strict schemas allow nothing beside a $ref")


def _type_alternatives(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    """Move `type` from beside an `anyOf` into each alternative that has none."""
    parts = one.get("anyOf")
    if type(parts) is not list or "type" not in one:
        return
    kind = one.pop("type")
    one["anyOf"] = [
        {"type": kind, **part} if type(part) is dict and part.keys().isdisjoint(_SAY_TYPES) else part for part in parts
    ]
    remarks.changed(f"{where}/type", "the type was moved into the alternatives")


_SAY_TYPES: Final = frozenset({"type", "$ref", "anyOf"})


def lacks_items(one: Mapping[str, Any]) -> bool:
    """Tell whether a schema is an array without `items`."""
    return is_of_type(one, "array") and "items" not in one and "prefixItems" not in one


def rename(one: dict[str, Any], name: str, other: str, value: Any) -> None:
    """Replace a member by another name and value, at the same position."""
    members = {other if key == name else key: content for key, content in one.items() if key == name or key != other}
    one.clear()
    one.update({**members, other: value})


_ABSENT: Final = object()


class Remarks:
    """Collects the changes of one schema, each with its place below the root, to report them when it is written.

    `allow_null`: some of its members accept null now, which stands for absent.
    """

    __slots__ = ("_noted", "allow_null")

    def __init__(self) -> None:
        self._noted: list[tuple[str, str, bool]] = []
        self.allow_null = False

    def __bool__(self) -> bool:
        return bool(self._noted)

    def changed(self, place: str, detail: str) -> None:
        """Note a change at a place."""
        self._noted.append((place, detail, False))

    def filled(self, place: str, detail: str) -> None:
        """Note that a keyword was added."""
        self._noted.append((place, detail, True))

    def tell(self, schema: dict[str, Any], path: str, log: LossLog, code: LossCode) -> None:
        """Report all changes; a place that the given schema does not have is replaced by the nearest one above it."""
        for place, detail, is_new in self._noted:
            found, missing = _found(schema, place)
            if is_new and missing == 1:
                log.filled(path + place, detail)
            else:
                log.changed(code, path + found, detail)


def _found(schema: Any, place: str) -> tuple[str, int]:
    """Return the part of a place that a schema has, and the number of tokens that are missing."""
    tokens = pointer_tokens(place)
    one: Any = schema
    for at, token in enumerate(tokens):
        one = value_at(one, (token,), _ABSENT)
        if one is _ABSENT:
            return pointer(*tokens[:at]), len(tokens) - at
    return place, 0


UNIONS: Final = ("anyOf", "oneOf", "allOf")
# The maximum number of references followed to find an object.
_MAX_STEPS: Final = 8


def _with_accepted_root(out: dict[str, Any], subset: Subset, remarks: Remarks) -> dict[str, Any]:
    """Return a schema with its root as the subset demands it; the given one may be changed."""
    if subset.merges_root or subset.rooted:
        out = _without_root_reference(out, remarks)
    if subset.merges_root:
        out = _merged_root(out, remarks)
    if subset.root_object:
        out = object_root(out, remarks)
    if subset.named_members and out.get("type") == "object" and out.get("properties") is None:
        out["properties"] = {}
        remarks.filled("/properties", "an object needs properties, even if empty")
    return out


def _without_root_reference(out: dict[str, Any], remarks: Remarks) -> dict[str, Any]:
    """Return a schema with the schema that its root refers to in place of the reference."""
    found = resolved(out, out) if "$ref" in out else None
    if found is None or found is out:
        return out
    remarks.changed("/$ref", "$ref at the top was replaced by the schema that it names")
    return {**{name: value for name, value in out.items() if name != "$ref"}, **found, **_definitions(out)}


def _merged_root(out: dict[str, Any], remarks: Remarks) -> dict[str, Any]:
    """Return a schema without a union at its root; the given one may be changed."""
    for name in UNIONS:
        parts = out.get(name)
        if type(parts) is list and _are_objects(parts, out):
            out = _merged(out, name, parts)
            remarks.changed(f"/{name}", "the schema must be one object: the alternatives were merged")
    return out


def object_root(out: dict[str, Any], remarks: Remarks) -> dict[str, Any]:
    """Return a schema with the type object at its root; the given one may be changed."""
    kind = out.get("type")
    if kind is None:
        remarks.filled("/type", "the schema of arguments must be an object")
        return {"type": "object", **out} if "type" not in out else {**out, "type": "object"}
    if kind not in ("object", "OBJECT"):
        out["type"] = "object"
        remarks.changed("/type", "the schema of arguments must be an object")
    return out


def _are_objects(parts: list[Any], root: dict[str, Any]) -> bool:
    """Tell whether each part of a union is the schema of an object."""
    return bool(parts) and all(
        found is not None and found.get("type", "object") in ("object", "OBJECT")
        for found in (resolved(part, root) for part in parts)
    )


def resolved(schema: Any, root: dict[str, Any]) -> dict[str, Any] | None:
    """Return a schema with its `$ref` followed within the root; None if that does not lead to one."""
    for _ in range(_MAX_STEPS):
        if type(schema) is not dict:
            return None
        reference = cast("dict[str, Any]", schema).get("$ref")
        if reference is None:
            return cast("dict[str, Any]", schema)
        schema = schema_at(reference, root)
    return None


def _definitions(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: schema[name] for name in DEFINITIONS if name in schema}


def _merged(out: dict[str, Any], name: str, parts: list[Any]) -> dict[str, Any]:
    """Return an object with the properties of all parts of a union; required is what every part requires."""
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
            _describe_choices(members, demands)
    members["properties"] = named
    if required:
        members["required"] = list(dict.fromkeys(one for one in required if type(one) is str))
    return members


def _either(first: Any, second: Any) -> Any:
    """Return a schema that accepts what either of two accepts."""
    if first == second:
        return first
    known = first["anyOf"] if type(first) is dict and first.keys() == {"anyOf"} else [first]
    return {"anyOf": known if second in known else [*known, second]}


def _describe_choices(members: dict[str, Any], demands: list[list[Any]]) -> None:
    """Append to the description which arguments belong together."""
    groups = [", ".join(str(one) for one in demand) or "none" for demand in demands]
    describe(members, f"Give one of these sets of arguments: {'; '.join(dict.fromkeys(groups))}")
