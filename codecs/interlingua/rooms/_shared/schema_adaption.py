"""JSON Schemas as a dialect takes them: one table a dialect, by which encoding adapts and `check_request` judges.

A limit that a dialect refuses, or passes over, is said in the description, so that the model still reads it. Words of
OpenAPI and of older drafts become those of JSON Schema 2020-12. Names and the order of properties stay. Each change is
told at its place in the schema. A schema is walked with a list of what is still to be seen, never by recursion.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.schema_remarks import Remarks
from interlingua.rooms._shared.schema_roots import UNIONS, merged_root, object_root
from interlingua.rooms._shared.schema_words import modern
from interlingua.rooms._shared.schemas import places, schemas_in
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.loss import LossCode, LossLog

NOWHERE: Final = frozenset[str]()
# Deeper than any that a provider takes, and shallow enough to name each place in it.
MAX_SCHEMA_DEPTH: Final = 64
# A schema of these alone says nothing that any dialect refuses, unless a property does.
_PLAIN_OBJECT: Final = frozenset({"type", "title", "description", "properties", "required", "$schema"})
_PLAIN_VALUE: Final = frozenset({"type", "title", "description", "enum"})
_SIMPLE: Final = ("string", "integer", "number", "boolean")  # no set: a schema may say a list
_LIST_AND_ITEMS: Final = frozenset({"type", "title", "description", "items"})
# Keywords that limit nothing.
_NOTES: Final = frozenset({"default", "examples"})
# Deeper values of a limit are named and not repeated in the description.
_MAX_TEXT: Final = 300
_MAX_LEVELS: Final = 8
# What regular expressions of constrained decoding do not have: looking around, going back, edges of words.
_is_hard: Final = re.compile(r"\(\?[=!<]|\\[1-9bB]").search


@dataclass(frozen=True, slots=True)
class Subset:
    """What a dialect takes of JSON Schema at one place; the defaults take all of it.

    `refused`: keywords that the provider refuses. `unheard`: those that it passes over, or that some models refuse.
    `formats`: the values of `format` that it takes, None for all.
    `simple_patterns`: whether a pattern may not look around.
    `max_min_items`: the largest `minItems`, None for any.
    `one_of`, `tuples`, `constants`, `siblings`: whether it takes `oneOf`, `prefixItems`, `const`, and members beside
    `$ref`.
    `root_object`: whether the root is an object. `merges_root`: whether it is neither a union nor a reference.
    `listed`: whether a list says what its items are. `ordering`: whether it reads `propertyOrdering`.
    `judged`: which of `format`, `pattern` and `minItems` the provider refuses for their value.
    """

    refused: frozenset[str] = NOWHERE
    unheard: frozenset[str] = NOWHERE
    formats: frozenset[str] | None = None
    simple_patterns: bool = False
    max_min_items: int | None = None
    one_of: bool = True
    tuples: bool = True
    constants: bool = True
    siblings: bool = True
    root_object: bool = False
    merges_root: bool = False
    listed: bool = False
    ordering: bool = False
    judged: frozenset[str] = NOWHERE


ANY_SCHEMA: Final = Subset()
"""JSON Schema as it is, in the words of today."""


def adapt(schema: dict[str, Any], subset: Subset, path: str, log: LossLog, code: LossCode) -> dict[str, Any]:
    """Return a schema as a dialect takes it, and report each change below the path; the given one stays."""
    if is_plain(schema):
        return schema
    remarks = Remarks()
    out = adapted(schema, subset, remarks)
    if not remarks:
        return schema
    remarks.tell(schema, path, log, code)
    return out


def adapted(schema: dict[str, Any], subset: Subset, remarks: Remarks) -> dict[str, Any]:
    """Return a schema as a dialect takes it; the given one stays."""
    out = {**schema}
    if subset.merges_root:
        out = merged_root(out, remarks)
    if subset.root_object:
        out = object_root(out, remarks)
    waiting: list[tuple[dict[str, Any], str, int]] = [(out, "", 0)]
    while waiting:
        one, where, depth = waiting.pop()
        modern(one, where, remarks, ordering=subset.ordering)
        _rename_words(one, where, subset, remarks)
        _say_limits(one, where, subset, remarks)
        if not subset.siblings:
            _refer_alone(one, where, remarks)
        if depth < MAX_SCHEMA_DEPTH:
            inner: list[tuple[dict[str, Any], str, int]] = []
            for holder, key, place in places(one):
                if type(holder[key]) is dict:
                    holder[key] = {**holder[key]}
                    inner.append((holder[key], where + place, depth + 1))
            waiting.extend(reversed(inner))
    return out


def refusals(schema: Any, subset: Subset, path: str) -> Iterator[Violation]:
    """Yield what a dialect refuses of a schema, by the table by which encoding adapts it."""
    if type(schema) is dict and schema:
        root = cast("dict[str, Any]", schema)
        if subset.root_object and root.get("type") != "object":
            yield Violation("schema", f"{path}/type", "a schema of type object")
        for name in UNIONS if subset.root_object and subset.merges_root else ():
            if name in root:
                yield Violation("schema", f"{path}/{name}", "one object at the root")
    for where, one in schemas_in(schema, path):
        for name in one:
            if name in subset.refused:
                yield Violation("schema", f"{where}/{name}", "a keyword that the provider does not take")
        for name in subset.judged:
            if name in one and not _fits(one, name, subset):
                yield Violation("schema", f"{where}/{name}", "a value that the provider does not take")
        if subset.listed and _is_list(one) and "items" not in one and "prefixItems" not in one:
            yield Violation("schema", f"{where}/items", "a list says what its items are")


def is_plain(schema: dict[str, Any]) -> bool:
    """Whether a schema is of the shape that most tools have: an object of simple values, or of lists of them."""
    if schema.get("type") != "object":
        return False
    named = schema.get("properties")
    if not schema.keys() <= _PLAIN_OBJECT and (
        type(schema.get("additionalProperties", False)) is not bool
        or not schema.keys() <= _PLAIN_OBJECT | {"additionalProperties"}
    ):
        return False
    if type(named) is not dict:
        return named is None
    for one in cast("dict[str, Any]", named).values():
        if type(one) is not dict:
            return False
        inner: Any = one
        if one.get("type") == "array" and one.keys() <= _LIST_AND_ITEMS:
            inner = one.get("items")
        if type(inner) is not dict or inner.get("type") not in _SIMPLE or not inner.keys() <= _PLAIN_VALUE:
            return False
    return True


def _rename_words(one: dict[str, Any], where: str, subset: Subset, remarks: Remarks) -> None:
    """Say with other words of JSON Schema what the dialect has no word for."""
    if not subset.one_of and type(one.get("oneOf")) is list and "anyOf" not in one:
        rename(one, "oneOf", "anyOf", one["oneOf"])
        remarks.changed(f"{where}/oneOf", "alternatives are called anyOf")
    if not subset.constants and "const" in one and "enum" not in one:
        rename(one, "const", "enum", [one["const"]])
        remarks.changed(where, "a constant is a list of one value")
    if not subset.tuples and type(one.get("prefixItems")) is list:
        _say_tuple(one, where, remarks)
    if subset.listed and _is_list(one) and "items" not in one and "prefixItems" not in one:
        one["items"] = {}
        remarks.changed(where, "a list says what its items are")


def _say_tuple(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    """Write a list whose places have schemas of their own as a list of any of these."""
    each: list[Any] = one["prefixItems"]
    kinds: list[Any] = []
    for schema in [*each, *([one["items"]] if type(one.get("items")) is dict else [])]:
        if schema not in kinds:
            kinds.append(schema)
    if one.pop("items", None) is False:
        one.setdefault("maxItems", len(each))
    rename(one, "prefixItems", "items", kinds[0] if len(kinds) == 1 else {"anyOf": kinds})
    words = [str(schema["type"]) if type(schema) is dict and "type" in schema else "any value" for schema in each]
    _describe(one, f"Items in order: {', '.join(words)}")
    remarks.changed(where, "the places of a list are told in the description")


def _say_limits(one: dict[str, Any], where: str, subset: Subset, remarks: Remarks) -> None:
    """Say in the description what the dialect does not take as a keyword."""
    gone: dict[str, Any] = {}
    for name in [*one]:
        if name in subset.refused or name in subset.unheard or not _fits(one, name, subset):
            gone[name] = one.pop(name)
    if not gone:
        return
    if gone == {"default": None}:
        remarks.changed(f"{where}/default", "null is one of the values")
    else:
        remarks.changed(where, f"said in the description: {', '.join(gone)}")
    say(one, gone)


def say(one: dict[str, Any], gone: Mapping[str, Any]) -> None:
    """Say keywords in the description of a schema, which may be changed. A default of null says nothing."""
    limits = [_worded(name, value) for name, value in gone.items() if name not in _NOTES]
    lines = [f"Limits: {', '.join(limits)}"] if limits else []
    lines += [
        _worded(f"{name.capitalize()}:", value) for name, value in gone.items() if name in _NOTES and value is not None
    ]
    if lines:
        _describe(one, "\n".join(lines))


def _fits(one: dict[str, Any], name: str, subset: Subset) -> bool:
    """Tell whether the value of a keyword is one that the dialect takes."""
    value = one.get(name)
    if name == "format":
        return subset.formats is None or type(value) is not str or value in subset.formats
    if name == "pattern":
        return not subset.simple_patterns or type(value) is not str or not _is_hard(value)
    if name == "minItems":
        most = subset.max_min_items
        return most is None or not isinstance(value, int | float) or value <= most
    return True


def _worded(name: str, value: Any) -> str:
    """Return a keyword and its value as words; a value that is long or deep is left out."""
    if type(value) in {dict, list} and is_deeper(value, _MAX_LEVELS):
        return name
    text = json.dumps(value, ensure_ascii=False)
    return f"{name} {text}" if len(text) <= _MAX_TEXT else name


def is_deeper(value: Any, most: int) -> bool:
    """Tell whether a value has more than so many levels."""
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


def _describe(one: dict[str, Any], text: str) -> None:
    before = one.get("description")
    one["description"] = f"{before}\n\n{text}" if type(before) is str and before else text


def _refer_alone(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    """Put a reference that has other members beside it into alternatives of its own."""
    if "$ref" in one and "anyOf" not in one and not all(name.startswith("$") for name in one):
        rename(one, "$ref", "anyOf", [{"$ref": one["$ref"]}])
        remarks.changed(f"{where}/$ref", "a reference stands alone")


def _is_list(one: dict[str, Any]) -> bool:
    kind = one.get("type")
    return kind == "array" or (type(kind) is list and "array" in kind)


def rename(one: dict[str, Any], name: str, other: str, value: Any) -> None:
    """Put a member of another name where one stands."""
    members = {other if key == name else key: content for key, content in one.items() if key == name or key != other}
    one.clear()
    one.update({**members, other: value})
