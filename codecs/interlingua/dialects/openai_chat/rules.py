"""What OpenAI Chat Completions refuses: the table of its rules.

Source: reference/wire/openai_chat.md sections 1 and 4.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._chat_completions.rules import (
    acceptable_name,
    call_names,
    calls,
    chosen_name,
    formless_schema,
    logprobs_of_nothing,
    many_stops,
    misshapen_calls,
    misshapen_messages,
    misshapen_settings,
    misshapen_tools,
    no_messages,
    stream_options_alone,
    tool_names,
)
from interlingua.dialects._shared.ruling import (
    beyond,
    judged,
    members_named,
    metadata,
    missing,
    object_of,
    objects,
    refused_names,
    text_of,
    too_many,
    word_of,
)
from interlingua.dialects._shared.schemas import is_object, loose_objects, optional_members
from interlingua.dialects._shared.turns import Turn, unpaired
from interlingua.dialects.openai_chat.rules_content import (
    empty_content,
    foreign_media,
    json_without_the_word,
    misplaced_parts,
    misshapen_parts,
    missing_content,
)
from interlingua.dialects.openai_chat.tables import DIALECT
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.dialects._shared.ruling import Limits, Object, Rule

_ROLES: Final = frozenset({"developer", "system", "user", "assistant", "tool", "function"})
_LIMITS: Final[Limits] = MappingProxyType({
    "temperature": (0, 2),
    "top_p": (0, 1),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
    "n": (1, 128),
    "top_logprobs": (0, 20),
})  # fmt: skip
_MOST_TOOLS: Final = 128
_NAME_DETAIL: Final = "1 to 64 letters, digits, _ and -"
_acceptable_id: Final = re.compile(r".{1,40}", re.DOTALL).fullmatch
_acceptable_speaker: Final = re.compile(r"[^\s<|\\/>]{1,64}").fullmatch


def required_settings(body: Object) -> Iterator[Violation]:
    """A request says its model and its messages (section 1)."""
    return missing(body, ("model", "messages"), "")


def limits(body: Object) -> Iterator[Violation]:
    """Numbers are within their limits (section 1)."""
    return beyond(body, _LIMITS, "")


def roles(body: Object) -> Iterator[Violation]:
    """A message is of a role that is known (section 1.1)."""
    for path, message in objects(body.get("messages"), "/messages"):
        role = word_of(message, "role")
        if role is not None and role not in _ROLES:
            yield Violation("role", f"{path}/role", "developer, system, user, assistant, tool or function")


def calls_and_results(body: Object) -> Iterator[Violation]:
    """Every call is answered directly after its message, nothing else is ("must be followed by tool messages")."""
    turns: list[Turn] = []
    for path, message in objects(body.get("messages"), "/messages"):
        role = text_of(message, "role")
        if not turns or role != "tool" or turns[-1].role != "tool":
            turns.append(Turn(role))
        if role == "tool" and type(message.get("tool_call_id")) is str:
            turns[-1].results.append((path, message["tool_call_id"]))
        for where, call in objects(message.get("tool_calls"), f"{path}/tool_calls"):
            if role == "assistant" and type(call.get("id")) is str:
                turns[-1].calls.append((where, call["id"]))
    return unpaired(turns)


def unnamed_results(body: Object) -> Iterator[Violation]:
    """A result says which call it answers (section 1.1, `tool_call_id`)."""
    for path, message in objects(body.get("messages"), "/messages"):
        if message.get("role") == "tool":
            yield from missing(message, ("tool_call_id",), path)


def names(body: Object) -> Iterator[Violation]:
    """Tools, calls and schemas have names that are accepted ("function / json_schema name")."""
    yield from refused_names([*tool_names(body), *call_names(body)], acceptable_name, _NAME_DETAIL)
    form = object_of(object_of(body, "response_format"), "json_schema")
    if form:
        yield from missing(form, ("name",), "/response_format/json_schema")
        named = members_named([("/response_format/json_schema", form)], "name")
        yield from refused_names(named, acceptable_name, _NAME_DETAIL)


def speakers(body: Object) -> Iterator[Violation]:
    r"""Names of speakers have no space and none of `<|\\/>` ("`name` on messages")."""
    named = members_named(objects(body.get("messages"), "/messages"), "name")
    return refused_names(named, _acceptable_speaker, "1 to 64 characters, no white space, none of <|\\/>")


def ids(body: Object) -> Iterator[Violation]:
    """Ids of calls have at most 40 characters ("max length 40 is enforced")."""
    named = [*members_named(calls(body), "id"), *members_named(_messages(body), "tool_call_id")]
    return refused_names(named, _acceptable_id, "1 to 40 characters", "id")


def tool_counts(body: Object) -> Iterator[Violation]:
    """There are 1 to 128 tools, if there is a list at all ("≤128 tools per request")."""
    if body.get("tools") == []:
        yield Violation("empty", "/tools", "at least one tool")
    yield from too_many(body.get("tools"), _MOST_TOOLS, "/tools")


def choice_without_tools(body: Object) -> Iterator[Violation]:
    """What is said about tools needs tools ("only allowed when 'tools' are specified")."""
    if not body.get("tools"):
        for name in ("tool_choice", "parallel_tool_calls"):
            if body.get(name) is not None and not body.get("functions"):
                yield Violation("setting", f"/{name}", "only with tools")


def choice_of_a_stranger(body: Object) -> Iterator[Violation]:
    """A choice names a tool that is there (section 1.4)."""
    chosen = chosen_name(body)
    known = {name for _, name in tool_names(body)}
    if chosen is not None and known and chosen[1] not in known:
        yield Violation("name", chosen[0], "no tool has this name")


def strict_schemas(body: Object) -> Iterator[Violation]:
    """Strict schemas close every object, require every member, and are objects ("`strict:true`")."""
    for path, schema in _strict(body):
        yield from loose_objects(schema, path)
        yield from optional_members(schema, path)
        if schema and (not is_object(schema) or "anyOf" in schema):
            yield Violation("schema", path, "a schema of type object")


def spoken_answers(body: Object) -> Iterator[Violation]:
    """A spoken answer needs a voice (section 1, `audio`)."""
    modalities = body.get("modalities")
    if type(modalities) is list and "audio" in modalities and body.get("audio") is None:
        yield Violation("required", "/audio", "a spoken answer has a voice")


def _strict(body: Object) -> Iterator[tuple[str, Object]]:
    form = object_of(object_of(body, "response_format"), "json_schema")
    if form.get("strict") is True:
        yield "/response_format/json_schema/schema", object_of(form, "schema")
    for path, tool in objects(body.get("tools"), "/tools"):
        function = object_of(tool, "function")
        if function.get("strict") is True:
            yield f"{path}/function/parameters", object_of(function, "parameters")


def _messages(body: Object) -> Iterator[tuple[str, Object]]:
    return objects(body.get("messages"), "/messages")


RULES: Final[tuple[Rule, ...]] = (
    required_settings,
    misshapen_settings,
    limits,
    metadata,
    many_stops,
    logprobs_of_nothing,
    stream_options_alone,
    spoken_answers,
    formless_schema,
    json_without_the_word,
    no_messages,
    misshapen_messages,
    roles,
    missing_content,
    empty_content,
    misshapen_parts,
    misplaced_parts,
    foreign_media,
    misshapen_calls,
    unnamed_results,
    calls_and_results,
    ids,
    names,
    speakers,
    misshapen_tools,
    tool_counts,
    choice_without_tools,
    choice_of_a_stranger,
    strict_schemas,
)


def check_request(body: Any, api_version: str | None = None) -> list[Violation]:
    """Return what OpenAI would refuse of the body of a chat completion. Raises `DecodeError` for no object."""
    del api_version  # the dialect has one version
    return judged(body, DIALECT, RULES)
