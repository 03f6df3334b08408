"""What OpenAI Responses refuses of settings and tools.

Source: reference/wire/openai_responses.md sections 1, 1.4, 1.5 and 4.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.dialects._shared.ruling import (
    FLAG,
    INTEGER,
    LIST,
    NUMBER,
    OBJECT,
    TEXT,
    TEXT_OR_LIST,
    beyond,
    members_named,
    misshapen,
    misshapen_list,
    missing,
    object_of,
    objects,
    refused_names,
    text_of,
    unwelcome,
    word_of,
)
from interlingua.dialects._shared.schemas import is_object, loose_objects, optional_members
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.dialects._shared.ruling import Limits, Object, Shapes

_SHAPES: Final[Shapes] = MappingProxyType({
    "model": TEXT,
    "input": TEXT_OR_LIST,
    "instructions": TEXT_OR_LIST,
    "previous_response_id": TEXT,
    "conversation": (str, dict),
    "tools": LIST,
    "tool_choice": (str, dict),
    "parallel_tool_calls": FLAG,
    "text": OBJECT,
    "reasoning": OBJECT,
    "include": LIST,
    "max_output_tokens": INTEGER,
    "temperature": NUMBER,
    "top_p": NUMBER,
    "top_logprobs": INTEGER,
    "metadata": OBJECT,
    "store": FLAG,
    "stream": FLAG,
})  # fmt: skip
_LIMITS: Final[Limits] = MappingProxyType({
    "max_output_tokens": (16, None), "temperature": (0, 2), "top_p": (0, 1), "top_logprobs": (0, 20)
})  # fmt: skip
_FOREIGN: Final = ("seed", "stop", "n", "frequency_penalty", "presence_penalty", "logit_bias")
_JSON: Final = "json"
_NAMED: Final = frozenset({"function", "custom"})
_acceptable: Final = re.compile(r"[a-zA-Z0-9_-]{1,128}").fullmatch
_acceptable_form: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}").fullmatch


def misshapen_settings(body: Object) -> Iterator[Violation]:
    """Settings are of the JSON types that section 1 names; a request says its model, or a stored prompt does."""
    yield from misshapen(body, _SHAPES, "")
    if body.get("prompt") is None:
        yield from missing(body, ("model",), "")


def limits(body: Object) -> Iterator[Violation]:
    """Numbers are within their limits ("`max_output_tokens` ≥16"; section 1)."""
    return beyond(body, _LIMITS, "")


def two_memories(body: Object) -> Iterator[Violation]:
    """A request goes on from a response or in a conversation ("excludes `conversation`")."""
    if body.get("previous_response_id") is not None and body.get("conversation") is not None:
        yield Violation("setting", "/previous_response_id", "not beside conversation")


def foreign_settings(body: Object) -> Iterator[Violation]:
    """A request has no settings of Chat Completions (section 1, "**no** `seed`, `stop` ...")."""
    return unwelcome(body, _FOREIGN, "", "the provider has no such setting")


def json_without_the_word(body: Object) -> Iterator[Violation]:
    """JSON mode needs the word JSON in a message (openai_chat.md, "`json_object` mode needs the word JSON")."""
    form = object_of(object_of(body, "text"), "format")
    remembered = any(body.get(name) is not None for name in ("previous_response_id", "conversation", "prompt"))
    if form.get("type") == "json_object" and not remembered and not any(_JSON in one.lower() for one in _texts(body)):
        yield Violation("setting", "/text/format", "a message has the word JSON")


def names(body: Object) -> Iterator[Violation]:
    """Tools, calls and schemas have names that are accepted ("tool name")."""
    tools = ((path, tool) for path, tool in objects(body.get("tools"), "/tools") if text_of(tool, "type") in _NAMED)
    calls = (
        (path, item)
        for path, item in objects(body.get("input"), "/input")
        if text_of(item, "type") in {"function_call", "custom_tool_call"}
    )
    named = [*members_named(tools, "name"), *members_named(calls, "name")]
    yield from refused_names(named, _acceptable, "1 to 128 letters, digits, _ and -")
    form = object_of(object_of(body, "text"), "format")
    if form.get("type") == "json_schema":
        yield from missing(form, ("name", "schema"), "/text/format")
        named = list(members_named([("/text/format", form)], "name"))
        yield from refused_names(named, _acceptable_form, "1 to 64 letters, digits, _ and -")


def misshapen_tools(body: Object) -> Iterator[Violation]:
    """Tools are objects with a type; a function or a custom tool has a name (section 1.4)."""
    yield from misshapen_list(body.get("tools"), "/tools")
    for path, tool in objects(body.get("tools"), "/tools"):
        yield from missing(tool, ("type",), path)
        if text_of(tool, "type") in _NAMED:
            yield from missing(tool, ("name",), path)


def choice_of_a_stranger(body: Object) -> Iterator[Violation]:
    """A choice names a tool that is there (section 1.5)."""
    choice = object_of(body, "tool_choice")
    known = {text_of(tool, "name") for _, tool in objects(body.get("tools"), "/tools")}
    name = word_of(choice, "name")
    if text_of(choice, "type") in _NAMED and name is not None and name not in known:
        yield Violation("name", "/tool_choice/name", "no tool has this name")


def strict_schemas(body: Object) -> Iterator[Violation]:
    """Strict schemas close every object, require every member, and are objects ("strict schema subset")."""
    for path, schema in _strict(body):
        yield from loose_objects(schema, path)
        yield from optional_members(schema, path)
        if schema and (not is_object(schema) or "anyOf" in schema):
            yield Violation("schema", path, "a schema of type object")


def _strict(body: Object) -> Iterator[tuple[str, Object]]:
    form = object_of(object_of(body, "text"), "format")
    if form.get("strict") is True:
        yield "/text/format/schema", object_of(form, "schema")
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("type") == "function" and tool.get("strict") is True:
            yield f"{path}/parameters", object_of(tool, "parameters")


def _texts(body: Object) -> Iterator[str]:
    """Yield the texts of the input and of the instructions."""
    yield text_of(body, "input")
    yield text_of(body, "instructions")
    for _, item in objects(body.get("input"), ""):
        for name in ("content", "output"):
            yield text_of(item, name)
            for _, part in objects(item.get(name), ""):
                yield text_of(part, "text")
