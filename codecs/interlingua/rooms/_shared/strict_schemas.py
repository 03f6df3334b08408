"""Close the schemas of strict tools and response formats, as providers demand.

Abroad, and for values made by hand, a strict schema is closed at every depth: objects refuse other members. OpenAI also
demands that all members are required, so optional ones become nullable instead. Each change is reported at its place.
A schema that would change its meaning (a map, an object of any form, combined schemas) loses `strict` instead, which
is reported: no schema is half strict (TOOL-12).

Source: docs/wire/openai_chat.md and claude.md, section 4.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.pointers import pointer
from interlingua.rooms._shared.openai_schemas import STRICT, STRICT_FUNCTION, TYPING, is_too_large
from interlingua.rooms._shared.schema_adaptation import (
    ANY_SCHEMA,
    MAX_SCHEMA_DEPTH,
    Remarks,
    Subset,
    adapted,
    is_plain,
    lacks_items,
    rename,
)
from interlingua.rooms._shared.schema_traversal import (
    inner_schemas,
    is_object,
    is_of_type,
    optional_names,
    places,
    schemas_in,
)
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossCode, LossLog
    from interlingua.model_shapes import ChatRequest

# Combining keywords: closing one of the schemas would change the meaning of the whole.
_COMBINING: Final = frozenset({
    "not", "if", "then", "else", "dependentSchemas", "dependentRequired", "dependencies", "patternProperties"
})  # fmt: skip
_SHAPES: Final = ("anyOf", "oneOf", "allOf", "properties", "$ref")
_ALTERNATIVES: Final = ("anyOf", "oneOf")
# Annotations of a member as a whole, whatever its type.
_NOTES: Final = ("title", "description", "default", "examples", "deprecated")
# Sizes below which no provider's limits need checking.
_FEW_MEMBERS: Final = 50
_FEW_VALUES: Final = 20
_SHORT: Final = 2000
# Python type -> type name in JSON Schema.
_TYPES: Final[Mapping[type, str]] = MappingProxyType({
    str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null", dict: "object", list: "array"
})  # fmt: skip
_CLOSED: Final = "strict schemas allow no other members: additionalProperties is false"
_REQUIRED: Final = "strict schemas require every member: optional ones may be null"
# Subset for reading a schema before keywords are moved to descriptions.
_AS_READ: Final = Subset(merges_root=True)


def is_strict(schema: dict[str, Any]) -> bool:
    """Tell whether a schema has the most common strict shape: plain, small and closed, with all members required.

    Other schemas may be strict as well; they are traversed.
    """
    if schema.get("additionalProperties") is not False or not is_plain(schema):
        return False
    named, required = schema["properties"], schema.get("required", ())
    return len(named) <= _FEW_MEMBERS and {*required} == named.keys() and all(map(_has_few_values, named.values()))


def _has_few_values(schema: dict[str, Any]) -> bool:
    """Tell whether the enum of a plain schema, or of its items, is short or absent."""
    allowed = schema.get("items", schema).get("enum")
    return allowed is None or (len(allowed) <= _FEW_VALUES and len(str(allowed)) <= _SHORT)


def can_be_closed(schema: dict[str, Any], *, complete: bool = False) -> bool:
    """Tell whether closing a schema keeps its meaning, except for unnamed members.

    `complete`: with OpenAI's demands, such as an object at the root.
    """
    if complete and schema and (_kinds(schema) != ["object"] or "anyOf" in schema):
        return False
    waiting = [(schema, 0)]
    while waiting:
        one, depth = waiting.pop()
        if complete and "type" not in one and _kinds(one) == ["object"]:
            one = {"type": "object", **one}  # as it is closed
        if depth > MAX_SCHEMA_DEPTH or _is_combined(one) or _is_free(one, at_the_top=depth == 0):
            return False
        if complete and (depth or one) and not _is_typed(one):
            return False
        waiting += [(child, depth + 1) for child in inner_schemas(one)]
    return True


def close(schema: dict[str, Any], remarks: Remarks, *, complete: bool = False) -> dict[str, Any]:
    """Return a closed copy of a schema, and remark each change.

    `complete`: all members become required, and optional ones nullable.
    """
    out = {**schema}
    waiting = [(out, "")]
    while waiting:
        one, where = waiting.pop()
        inner: list[tuple[dict[str, Any], str]] = []
        for holder, key, place in places(one):
            if type(holder[key]) is dict:
                holder[key] = {**holder[key]}
                inner.append((holder[key], where + place))
        waiting.extend(reversed(inner))
        if complete:
            _add_type(one, where, remarks)
        if is_object(one):
            _refuse_others(one, where, remarks)
        if complete:
            _require_all(one, where, remarks)
            _respell(one, where, remarks)
    return out


def strict_schema(
    schema: dict[str, Any], subset: Subset, path: str, log: LossLog, code: LossCode
) -> dict[str, Any] | None:
    """Return a schema as a dialect enforces it, and report each change; None if closing would change its meaning."""
    if is_strict(schema):
        return schema
    remarks = Remarks()
    out = _closed(schema, subset, remarks, complete=False)
    if out is not None:
        remarks.tell(schema, path, log, code)
    return out


def with_strict_format(request: ChatRequest, facts: Mapping[str, Any], log: LossLog) -> ChatRequest:
    """Return a request whose response format says `strict`, if OpenAI's models can enforce its schema as it is meant.

    `facts`: those of the models. The given format does not say `strict`, since its own provider enforces every schema.
    """
    form: Mapping[str, Any] = request.get("response_format", NOTHING)
    refused = "openai_settings" in facts or "strict_tools" in facts or facts.get("structured_output") is False
    if refused or "strict" in form or not _can_be_strict(form.get("schema")):
        return request
    log.filled("/response_format/strict", "an answer is only held to a strict schema")
    return cast("ChatRequest", {**request, "response_format": {**form, "strict": True}})


def _can_be_strict(schema: dict[str, Any] | None) -> bool:
    """Tell whether a schema can be strict without null for members that may be absent, which clients do not expect."""
    if schema is None or not names_members(schema):
        return False
    if is_strict(schema):
        return True
    closed = _closed(schema, STRICT, Remarks(), complete=True)
    if closed is None or is_too_large(closed):
        return False
    return not any(
        type(one["properties"][name]) is dict and not takes_null(one["properties"][name])
        for _, one in schemas_in(adapted(schema, STRICT, Remarks()), "")
        for name in optional_names(one)
    )


def _closed(schema: dict[str, Any], subset: Subset, remarks: Remarks, *, complete: bool) -> dict[str, Any] | None:
    read = adapted(schema, _AS_READ if subset.merges_root else ANY_SCHEMA, Remarks())
    if not can_be_closed(read, complete=complete):
        return None
    return close(adapted(schema, subset, remarks), remarks, complete=complete)


def names_members(schema: dict[str, Any]) -> bool:
    """Tell whether the schema of an answer can be closed: it is no object, or names its members, or is closed."""
    return not is_object(schema) or bool(schema.get("properties")) or schema.get("additionalProperties") is False


def enforce_strict(
    holder: dict[str, Any], member: str, path: str, log: LossLog, code: LossCode, tool: str = ""
) -> None:
    """Make something strict such as OpenAI takes it: its schema, or else that it is strict.

    `tool`: the name of the tool whose arguments these are. What of them may be left out is taken note of.
    """
    schema = holder.get(member)
    if schema is None or is_strict(schema):
        return
    remarks = Remarks()
    closed = _closed(schema, STRICT_FUNCTION if code == "tool" else STRICT, remarks, complete=True)
    if closed is not None and not is_too_large(closed):
        holder[member] = closed
        remarks.tell(schema, f"{path}/{member}", log, code)
        if tool and remarks.allow_null:
            log.optional[tool] = schema
        return
    del holder["strict"]
    if closed is None:
        log.lost(
            code, f"{path}/strict", "the schema accepts members that it does not name, so the tool cannot be strict"
        )
    else:
        log.lost(code, f"{path}/strict", "the schema is too deep or too large for a strict one")


def _is_combined(schema: dict[str, Any]) -> bool:
    """Tell whether several schemas apply to one value."""
    parts = schema.get("allOf")
    return (
        not _COMBINING.isdisjoint(schema)
        or (type(parts) is list and len(parts) > 1)
        or sum(name in schema for name in _SHAPES) > 1
    )


def _is_typed(schema: dict[str, Any]) -> bool:
    """Tell whether a schema, its items and its members have types: OpenAI enforces no others."""
    named = schema.get("properties")
    if lacks_items(schema) or (type(named) is dict and any(type(one) is not dict for one in named.values())):
        return False
    return not TYPING.isdisjoint(schema) or bool(_kinds(schema))


def _kinds(schema: dict[str, Any]) -> list[str]:
    """Return the types of a schema's values: object, or those of `const` or `enum`; empty if unknown."""
    if is_object(schema) or ("type" not in schema and type(schema.get("properties")) is dict):
        return ["object"]
    allowed = [schema["const"]] if "const" in schema else schema.get("enum")
    return [*dict.fromkeys(_TYPES[type(value)] for value in allowed)] if type(allowed) is list else []


def _is_free(schema: dict[str, Any], *, at_the_top: bool) -> bool:
    """Tell whether an object accepts unnamed members: a map, or an object of any form.

    The arguments of a tool are none of these: without `properties`, there are no arguments.
    """
    if not is_object(schema):
        return False
    others = schema.get("additionalProperties")
    if others is None:
        return "properties" not in schema and not at_the_top
    return type(others) is dict or (others is not False and not schema.get("properties"))


def _refuse_others(schema: dict[str, Any], path: str, remarks: Remarks) -> None:
    if "additionalProperties" not in schema:
        remarks.filled(f"{path}/additionalProperties", _CLOSED)
    elif schema["additionalProperties"] is not False:
        remarks.changed(f"{path}/additionalProperties", _CLOSED)
    schema["additionalProperties"] = False


def _add_type(schema: dict[str, Any], path: str, remarks: Remarks) -> None:
    """Add the type to a schema that only has properties or values."""
    if not TYPING.isdisjoint(schema):
        return
    kinds = _kinds(schema)
    if not kinds:
        return
    members = {**schema}
    schema.clear()
    schema.update({"type": kinds[0] if len(kinds) == 1 else kinds, **members})
    remarks.filled(f"{path}/type", "strict schemas need a type for each value")


def _require_all(schema: dict[str, Any], path: str, remarks: Remarks) -> None:
    """Require all members of an object; optional ones become nullable."""
    named, listed = schema.get("properties"), schema.get("required")
    if type(named) is not dict:
        return
    required = [name for name in listed if type(name) is str] if type(listed) is list else []
    known = frozenset(required)
    optional = [name for name in named if name not in known]
    if not optional:
        return
    if "required" in schema:
        remarks.changed(f"{path}/required", _REQUIRED)
    else:
        remarks.filled(f"{path}/required", _REQUIRED)
    schema["required"] = [*required, *optional]
    for name in optional:
        if type(named[name]) is dict and not takes_null(named[name]):
            place = f"{path}/properties{pointer(name)}"
            remarks.changed(place, _REQUIRED)
            remarks.allow_null = True
            named[name] = _nullable(named[name])
            _respell(named[name], place, remarks)


def takes_null(schema: dict[str, Any]) -> bool:
    """Tell whether a schema accepts null, as far as it says so itself."""
    if "$ref" in schema or "allOf" in schema:
        return False
    if ("type" in schema and not is_of_type(schema, "null")) or schema.get("const") is not None:
        return False
    allowed = schema.get("enum")
    if type(allowed) is list and None not in allowed:
        return False
    return all(
        any(type(one) is dict and is_of_type(one, "null") for one in schema[name])
        for name in _ALTERNATIVES
        if type(schema.get(name)) is list
    )


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that accepts null as well; the given one may be changed."""
    kind = schema.get("type")
    if kind is not None and not ("enum" in schema or "const" in schema):
        schema["type"] = [*kind, "null"] if type(kind) is list else [kind, "null"]
        return schema
    for name in _ALTERNATIVES:
        if type(schema.get(name)) is list:
            schema[name] = [*schema[name], {"type": "null"}]
            return schema
    notes: dict[str, Any] = {name: schema.pop(name) for name in _NOTES if name in schema}
    return {**notes, "anyOf": [schema, {"type": "null"}]}


def _respell(schema: dict[str, Any], path: str, remarks: Remarks) -> None:
    """Replace forms that OpenAI does not accept by equivalent ones."""
    if "allOf" in schema:
        rename(schema, "allOf", "anyOf", schema["allOf"])
        remarks.changed(f"{path}/allOf", "the alternatives are sent as anyOf")
    if "$ref" in schema and len(schema) > 1:
        rename(schema, "$ref", "anyOf", [{"$ref": schema["$ref"]}])
        remarks.changed(f"{path}/$ref", "strict schemas allow nothing beside a $ref")
