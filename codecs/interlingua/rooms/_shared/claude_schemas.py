"""Which JSON Schemas of tools and response formats Claude's models accept, on every host.

Source: docs/wire/claude.md, section 4; docs/wire/bedrock_converse.md, section 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.pointers import pointer
from interlingua.rooms._shared.names import name_predicate
from interlingua.rooms._shared.schema_adaptation import Subset, adapt, describe, worded
from interlingua.rooms._shared.schema_traversal import count_optional, count_unions, is_circular
from interlingua.rooms._shared.strict_schemas import is_strict, names_members, strict_schema

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import LossLog

# Limits of strict tools: their number, and the optional and union-typed members in all of them together.
MAX_STRICT_TOOLS: Final = 20
MAX_OPTIONAL_PARAMETERS: Final = 24
MAX_UNION_PARAMETERS: Final = 16

# The subset for any tool, and for strict ones.
TOOL_SCHEMAS: Final = Subset(root_object=True, merges_root=True)
ENFORCED_SCHEMAS: Final = Subset(
    refused=frozenset({
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
        "maxItems", "minProperties", "maxProperties",
    }),
    ignored=frozenset({"uniqueItems", "contains", "minContains", "maxContains", "propertyNames", "examples"}),
    formats=frozenset({
        "date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"
    }),
    simple_patterns=True,
    max_min_items=1,
    one_of=False,
    tuples=False,
    siblings=False,
    judged=frozenset({"minItems"}),
)  # fmt: skip


# Names that an argument may have.
_acceptable_argument: Final = name_predicate(64, "[A-Za-z0-9_.-]+")


def refused_arguments(schema: Any) -> list[str]:
    """Return the arguments of a tool whose names are refused ("Property keys should match pattern ...")."""
    named: Any = schema.get("properties") if type(schema) is dict else None
    return [name for name in named if not _acceptable_argument(name)] if type(named) is dict else []


def adapted_arguments(schema: dict[str, Any], path: str, log: LossLog) -> dict[str, Any]:
    """Return a tool's schema as it is accepted; arguments with refused names are described in its description instead.

    So the model can still pass them: calls of a tool that is not strict are not validated against the schema.
    """
    taken = adapt(schema, TOOL_SCHEMAS, path, log, "tool")
    refused = refused_arguments(taken)
    if not refused:
        return taken
    for name in refused:
        where = f"{path}/properties{pointer(name)}"
        log.changed("name", where, "Claude refuses an argument of this name: it is named in the description instead")
    named, listed = taken["properties"], taken.get("required")
    required: list[Any] = [*listed] if type(listed) is list else []
    out = {name: value for name, value in taken.items() if name != "additionalProperties" or value is not False}
    if len(out) < len(taken):
        detail = "the schema still accepts the arguments that only the description names"
        log.changed("tool", f"{path}/additionalProperties", detail)
    out["properties"] = {name: one for name, one in named.items() if name not in refused}
    if required:
        out["required"] = [name for name in required if name not in refused]
    lines = ["It also takes these arguments:"]
    lines += [worded(f"{name}{' (required)' if name in required else ''}:", named[name]) for name in refused]
    describe(out, "\n".join(lines))
    return out


class StrictTool(NamedTuple):
    """A strict tool: its index, the wire object with `strict`, holder and member of its schema, the given schema."""

    number: int
    wire: dict[str, Any]
    holder: dict[str, Any]
    member: str
    given: Any


def enforced_answer(schema: dict[str, Any], log: LossLog) -> dict[str, Any] | None:
    """Return the schema of an answer as enforced; None for a circular one, a map, or one over the limits."""
    if not is_strict(schema) and (is_circular(schema) or not names_members(schema) or _is_too_much(schema)):
        return None
    return strict_schema(schema, ENFORCED_SCHEMAS, "/response_format/schema", log, "setting")


def _is_too_much(schema: dict[str, Any]) -> bool:
    """Tell whether a schema alone exceeds the limits of optional or union-typed members."""
    return count_optional(schema) > MAX_OPTIONAL_PARAMETERS or count_unions(schema) > MAX_UNION_PARAMETERS


def close_tools(strict: Sequence[StrictTool], form: Mapping[str, Any], log: LossLog) -> None:
    """Close the schemas of strict tools, and drop `strict` from tools that could not be enforced.

    `form` is the response format: its schema counts towards the limits, and comes first.
    """
    optional = unions = closed = 0
    answer = form.get("schema")
    if answer is not None and not _is_too_much(answer):
        optional, unions = count_optional(answer), count_unions(answer)
    for tool in strict:
        schema = tool.holder[tool.member]
        if closed < MAX_STRICT_TOOLS and is_strict(schema):
            closed += 1
            continue
        path = f"/tools/{tool.number}/parameters"
        count = MAX_OPTIONAL_PARAMETERS + 1
        if closed < MAX_STRICT_TOOLS and not (is_circular(schema) or refused_arguments(tool.given)):
            count = optional + count_optional(schema)
        enforced = None
        several = unions + count_unions(schema)
        if count <= MAX_OPTIONAL_PARAMETERS and several <= MAX_UNION_PARAMETERS:
            enforced = strict_schema(schema, ENFORCED_SCHEMAS, path, log, "tool")
        if enforced is not None:
            tool.holder[tool.member] = enforced
            optional, unions, closed = count, several, closed + 1
        else:
            del tool.wire["strict"]
            detail = "the target does not enforce such a schema, so the tool is not strict"
            log.lost("tool", f"/tools/{tool.number}/strict", detail)
