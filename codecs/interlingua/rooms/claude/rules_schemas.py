"""Rules for the JSON schemas that Claude enforces: the response format's and those of strict tools.

Source: docs/wire/claude.md, section 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.claude_schemas import (
    ENFORCED_SCHEMAS,
    MAX_OPTIONAL_PARAMETERS,
    MAX_STRICT_TOOLS,
    MAX_UNION_PARAMETERS,
)
from interlingua.rooms._shared.rule_helpers import object_of, objects
from interlingua.rooms._shared.schema_adaptation import refusals
from interlingua.rooms._shared.schema_traversal import count_optional, count_unions, is_circular, loose_objects
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from interlingua.rooms._shared.rule_helpers import Object

_ANSWER: Final = "/output_config/format/schema"


def loose_schemas(body: Object) -> Iterator[Violation]:
    """Enforced schemas close every object (section 4)."""
    form = object_of(object_of(body, "output_config"), "format")
    if form.get("type") == "json_schema":
        yield from loose_objects(form.get("schema"), _ANSWER)
        yield from refusals(form.get("schema"), ENFORCED_SCHEMAS, _ANSWER)
        if is_circular(form.get("schema")):
            yield Violation("schema", _ANSWER, "the schema may not refer to itself")
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("strict") is True:
            yield from loose_objects(tool.get("input_schema"), f"{path}/input_schema")
            yield from refusals(tool.get("input_schema"), ENFORCED_SCHEMAS, f"{path}/input_schema")


def many_strict_tools(body: Object) -> Iterator[Violation]:
    """At most 20 strict tools ("The maximum number of strict tools supported is 20")."""
    strict = [path for path, tool in objects(body.get("tools"), "/tools") if tool.get("strict") is True]
    for path in strict[MAX_STRICT_TOOLS:]:
        yield Violation("limit", f"{path}/strict", "at most 20 strict tools are accepted")


def circular_schemas(body: Object) -> Iterator[Violation]:
    """A strict tool's schema is not recursive ("Circular reference detected in schema definitions")."""
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("strict") is True and is_circular(tool.get("input_schema")):
            yield Violation("schema", f"{path}/input_schema", "the schema may not refer to itself")


def many_optional_members(body: Object) -> Iterator[Violation]:
    """Enforced schemas have few optional properties ("too many optional parameters ... (limit: 24)")."""
    answer, tools = _counted(body, count_optional)
    if answer > MAX_OPTIONAL_PARAMETERS:
        yield Violation("limit", _ANSWER, "the schema of an answer may have at most 24 optional members")
    elif answer + tools > MAX_OPTIONAL_PARAMETERS:
        yield Violation(
            "limit", "/tools", "all strict tools and the schema of the answer may have at most 24 optional members"
        )


def many_unions(body: Object) -> Iterator[Violation]:
    """Enforced schemas have few union types ("too many parameters with union types ... limit: 16")."""
    answer, tools = _counted(body, count_unions)
    if answer > MAX_UNION_PARAMETERS:
        yield Violation("limit", _ANSWER, "the schema of an answer may have at most 16 members of several types")
    elif answer + tools > MAX_UNION_PARAMETERS:
        detail = "all strict tools and the schema of the answer may have at most 16 members of several types"
        yield Violation("limit", "/tools", detail)


def _counted(body: Object, count: Callable[[Any], int]) -> tuple[int, int]:
    """Return a count for the response schema, and its sum over all strict tools: the limits apply to both together."""
    tools = (tool for _, tool in objects(body.get("tools"), "/tools") if tool.get("strict") is True)
    answer = object_of(object_of(body, "output_config"), "format").get("schema")
    return count(answer), sum(count(tool.get("input_schema")) for tool in tools)
