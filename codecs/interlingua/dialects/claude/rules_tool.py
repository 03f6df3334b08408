"""What Claude refuses of tools.

Source: reference/wire/claude.md sections 1.3 and 4.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from interlingua.dialects._shared.ruling import (
    members_named,
    misshapen_list,
    object_of,
    objects,
    refused_names,
    repeated,
    text_of,
    word_of,
)
from interlingua.dialects._shared.schemas import count_optional, is_circular, loose_objects
from interlingua.dialects.claude.tables import MOST_OPTIONAL, MOST_STRICT_TOOLS
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.dialects._shared.ruling import Object

_acceptable: Final = re.compile(r"[a-zA-Z0-9_-]{1,128}").fullmatch
_CUSTOM: Final = (None, "custom")


def tool_names(body: Object) -> Iterator[Violation]:
    """Tools and calls have names of letters, digits, `_` and `-`, and no two tools the same ("tool name")."""
    named = list(members_named(objects(body.get("tools"), "/tools"), "name"))
    yield from refused_names([*named, *_called(body)], _acceptable, "1 to 128 letters, digits, _ and -")
    yield from repeated(named, "another tool has its name", "name")


def tool_schemas(body: Object) -> Iterator[Violation]:
    """A custom tool has a name and a schema of type object (section 1.3)."""
    yield from misshapen_list(body.get("tools"), "/tools")
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("type") not in _CUSTOM:
            continue
        if word_of(tool, "name") is None:
            yield Violation("required", f"{path}/name", "a tool has a name")
        schema = tool.get("input_schema")
        if schema is None:
            yield Violation("required", f"{path}/input_schema", "a tool has a schema")
        elif type(schema) is not dict:
            yield Violation("schema", f"{path}/input_schema", "expected an object")
        elif object_of(tool, "input_schema").get("type") != "object":
            yield Violation("schema", f"{path}/input_schema/type", "a schema of type object")


def loose_schemas(body: Object) -> Iterator[Violation]:
    """Strict schemas close every object ("`additionalProperties` forced to false on every object")."""
    form = object_of(object_of(body, "output_config"), "format")
    if form.get("type") == "json_schema":
        yield from loose_objects(form.get("schema"), "/output_config/format/schema")
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("strict") is True:
            yield from loose_objects(tool.get("input_schema"), f"{path}/input_schema")


def many_strict_tools(body: Object) -> Iterator[Violation]:
    """At most 20 strict tools ("The maximum number of strict tools supported is 20")."""
    strict = [path for path, tool in objects(body.get("tools"), "/tools") if tool.get("strict") is True]
    for path in strict[MOST_STRICT_TOOLS:]:
        yield Violation("limit", f"{path}/strict", "at most 20 strict tools")


def circular_schemas(body: Object) -> Iterator[Violation]:
    """A strict tool's schema does not refer to itself ("Circular reference detected in schema definitions")."""
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("strict") is True and is_circular(tool.get("input_schema")):
            yield Violation("schema", f"{path}/input_schema", "a schema that does not refer to itself")


def many_optional_members(body: Object) -> Iterator[Violation]:
    """The strict tools' optional members are few ("too many optional parameters ... (limit: 24)")."""
    optional = sum(
        count_optional(tool.get("input_schema"))
        for _, tool in objects(body.get("tools"), "/tools")
        if tool.get("strict") is True
    )
    if optional > MOST_OPTIONAL:
        yield Violation("limit", "/tools", "at most 24 optional members in all strict tools")


def choice_and_tools(body: Object) -> Iterator[Violation]:
    """A choice says its type, and a named one names a tool that is there (section 1)."""
    choice = object_of(body, "tool_choice")
    if not choice:
        return
    if not body.get("tools"):
        yield Violation("setting", "/tool_choice", "a choice without tools")
    if text_of(choice, "type") not in {"auto", "any", "tool", "none"}:
        yield Violation("setting", "/tool_choice/type", "auto, any, tool or none")
    elif choice["type"] == "tool" and word_of(choice, "name") is None:
        yield Violation("required", "/tool_choice/name", "a choice of one tool names it")
    elif choice["type"] == "none" and choice.get("disable_parallel_tool_use") is not None:
        yield Violation("member", "/tool_choice/disable_parallel_tool_use", "no choice of tools, no parallel ones")


def tool_references(body: Object) -> Iterator[Violation]:
    """A reference to a tool names one that is there (TOOL-13)."""
    known = {text_of(tool, "name") for _, tool in objects(body.get("tools"), "/tools")}
    for path, message in objects(body.get("messages"), "/messages"):
        for where, block in objects(message.get("content"), f"{path}/content"):
            if block.get("type") != "tool_result":
                continue
            for inside, part in objects(block.get("content"), f"{where}/content"):
                if part.get("type") == "tool_reference" and text_of(part, "tool_name") not in known:
                    yield Violation("name", f"{inside}/tool_name", "no tool has this name")


def domains(body: Object) -> Iterator[Violation]:
    """A search allows domains or blocks them ("mutually exclusive")."""
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("allowed_domains") and tool.get("blocked_domains"):
            yield Violation("setting", f"{path}/blocked_domains", "domains are allowed or blocked, not both")


def _called(body: Object) -> Iterator[tuple[str, str]]:
    for path, message in objects(body.get("messages"), "/messages"):
        calls = (
            (where, block)
            for where, block in objects(message.get("content"), f"{path}/content")
            if block.get("type") == "tool_use"
        )
        yield from members_named(calls, "name")
