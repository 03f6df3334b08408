"""The rules of OpenAI Chat Completions: what it refuses.

Source: docs/wire/openai_chat.md, sections 1, 4 and 6 to 8.
"""

from __future__ import annotations

import re
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.json_mode import lacks_json_word
from interlingua.rooms._chat_completions.rules import (
    acceptable_name,
    call_names,
    call_types,
    calls,
    chosen_name,
    logprobs_of_nothing,
    many_stops,
    message_types,
    no_messages,
    response_format_without_schema,
    setting_types,
    stream_options_alone,
    tool_names,
    tool_types,
)
from interlingua.rooms._chat_completions.tables import DOCUMENT, PDF, ROLES
from interlingua.rooms._shared.call_pairing import Turn, unpaired
from interlingua.rooms._shared.media import EMPTY_PICTURE, is_address, split_data_url
from interlingua.rooms._shared.names import acceptable_speaker
from interlingua.rooms._shared.openai_schemas import FUNCTION, strict_violations
from interlingua.rooms._shared.openai_settings import LIMITS
from interlingua.rooms._shared.rule_helpers import (
    OBJECT,
    TEXT,
    family_rules,
    judged,
    members_named,
    message_parts,
    metadata,
    missing,
    missing_all_of,
    object_of,
    objects,
    out_of_range,
    refused_names,
    text_of,
    too_many,
    word_of,
    wrong_item_types,
    wrong_types,
)
from interlingua.rooms._shared.schema_adaptation import refusals
from interlingua.rooms.openai_chat.rules_family import FAMILY_RULES
from interlingua.rooms.openai_chat.tables import DIALECT
from interlingua.spi.extra import NOTHING
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.rule_helpers import Object, Rule, Shapes
    from interlingua.spi.families import Family

_TEXTS: Final = frozenset({"text"})
# Role -> accepted part types.
_PARTS: Final[Mapping[str, frozenset[str]]] = MappingProxyType({
    "developer": _TEXTS,
    "system": _TEXTS,
    "tool": _TEXTS,
    "assistant": frozenset({"text", "refusal"}),
    "user": frozenset({"text", "image_url", "input_audio", "file"}),
})  # fmt: skip
# The same for Mistral, which accepts documents by URL or data URL, and reasoning of earlier answers.
_WITH_DOCUMENTS: Final = {
    **_PARTS,
    "user": (_PARTS["user"] - {"file"}) | {DOCUMENT},
    "assistant": _PARTS["assistant"] | {"thinking"},
}
# The same for models that see videos.
_WITH_VIDEOS: Final = {**_PARTS, "user": _PARTS["user"] | {"video_url"}}
# Part type -> required members and their JSON types.
_SHAPES: Final[Mapping[str, Shapes]] = MappingProxyType({
    "text": {"text": TEXT},
    "refusal": {"refusal": TEXT},
    "image_url": {"image_url": (str, dict)},
    "input_audio": {"input_audio": OBJECT},
    "file": {"file": OBJECT},
    "video_url": {"video_url": OBJECT},
    DOCUMENT: {DOCUMENT: TEXT},
})  # fmt: skip
# Object in a part -> its required members, and a set of which it needs one.
_HELD: Final[Mapping[str, tuple[Shapes, tuple[str, ...]]]] = MappingProxyType({
    "image_url": ({"url": TEXT}, ()),
    "input_audio": ({"data": TEXT}, ()),
    "video_url": ({"url": TEXT}, ()),
    "file": ({}, ("file_id", "file_data")),
})  # fmt: skip
_IMAGE_TYPES: Final = frozenset({"image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"})
_AUDIO_FORMATS: Final = frozenset({"wav", "mp3"})
# Members that an assistant message may have instead of content.
_CONTENT_ALTERNATIVES: Final = ("tool_calls", "function_call", "audio", "refusal")


def missing_content(body: Object) -> Iterator[Violation]:
    """Every message has content; the assistant's has it, or calls (section 1.1; ENC-3)."""
    for path, message in objects(body.get("messages"), "/messages"):
        role = message.get("role")
        can_go_without = role == "function" or (
            role == "assistant" and any(message.get(name) for name in _CONTENT_ALTERNATIVES)
        )
        if not can_go_without:
            yield from missing(message, ("content",), path)


def empty_content(body: Object) -> Iterator[Violation]:
    """Lists of parts and of calls are not empty (section 6)."""
    for path, message in objects(body.get("messages"), "/messages"):
        for name in ("content", "tool_calls"):
            if message.get(name) == []:
                yield Violation("empty", f"{path}/{name}", "the list needs at least one item")


def part_types(body: Object) -> Iterator[Violation]:
    """Parts have the members that section 1.2 marks as required, of the JSON types that it names."""
    for path, message in objects(body.get("messages"), "/messages"):
        yield from wrong_item_types(message.get("content"), f"{path}/content")
    for path, _, part in message_parts(body):
        yield from missing(part, ("type",), path)
        shapes = _SHAPES.get(text_of(part, "type"), {})
        yield from missing(part, shapes, path)
        yield from wrong_types(part, shapes, path)
        for name in shapes:
            held = part.get(name)
            if type(held) is dict and name in _HELD:
                demanded, either = _HELD[name]
                yield from missing(held, demanded, f"{path}/{name}")
                yield from wrong_types(held, demanded, f"{path}/{name}")
                yield from missing_all_of(held, either, f"{path}/{name}") if either else ()


def misplaced_parts(body: Object, allowed: Mapping[str, frozenset[str]] = _PARTS) -> Iterator[Violation]:
    """A part stands in a message of its role: results are text, and so are instructions (section 1.1)."""
    for path, role, part in message_parts(body):
        kind = word_of(part, "type")
        if kind is not None and role in allowed and kind not in allowed[role]:
            yield Violation("part", path, "messages of this role may not have such a part")


def foreign_media(body: Object) -> Iterator[Violation]:
    """Pictures are png, jpeg, gif or webp, sound is wav or mp3, files are PDF ("unsupported MIME type")."""
    for path, _, part in message_parts(body):
        sound = object_of(part, "input_audio")
        if sound and text_of(sound, "format") not in _AUDIO_FORMATS:
            yield Violation("media_type", f"{path}/input_audio/format", "the format of input_audio must be wav or mp3")
        picture = split_data_url(text_of(object_of(part, "image_url"), "url"))
        if picture is not None and picture[0] not in _IMAGE_TYPES:
            yield Violation("media_type", f"{path}/image_url/url", "an image must be png, jpeg, gif or webp")
        elif picture is not None and not picture[1]:
            yield Violation("empty", f"{path}/image_url/url", EMPTY_PICTURE)
        data = text_of(object_of(part, "file"), "file_data")
        file = split_data_url(data)
        if is_address(data) or (file is not None and file[0] != PDF):
            yield Violation("media_type", f"{path}/file/file_data", "a file must be a PDF, as a data URL")


def json_without_the_word(body: Object) -> Iterator[Violation]:
    """JSON mode needs the word JSON in a message (section 1.5)."""
    if lacks_json_word(body):
        yield Violation("setting", "/response_format", "JSON mode needs the word JSON in a message")


_MAX_TOOLS: Final = 128
_NAME_DETAIL: Final = "a name must have 1 to 64 letters, digits, _ and -"
_acceptable_id: Final = re.compile(r".{1,40}", re.DOTALL).fullmatch


def required_settings(body: Object) -> Iterator[Violation]:
    """A request says its model and its messages (section 1)."""
    return missing(body, ("model", "messages"), "")


def limits(body: Object) -> Iterator[Violation]:
    """Numbers are within their limits (section 1.5)."""
    return out_of_range(body, LIMITS, "")


def roles(body: Object) -> Iterator[Violation]:
    """A message is of a role that is known (section 1.1)."""
    for path, message in objects(body.get("messages"), "/messages"):
        role = word_of(message, "role")
        if role is not None and role not in ROLES:
            yield Violation(
                "role", f"{path}/role", "the role must be developer, system, user, assistant, tool or function"
            )


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
    """Tools, calls and schemas have names that are accepted (section 6)."""
    yield from refused_names([*tool_names(body), *call_names(body)], acceptable_name, _NAME_DETAIL)
    form = object_of(object_of(body, "response_format"), "json_schema")
    if form:
        yield from missing(form, ("name",), "/response_format/json_schema")
        named = members_named([("/response_format/json_schema", form)], "name")
        yield from refused_names(named, acceptable_name, _NAME_DETAIL)


def participant_names(body: Object) -> Iterator[Violation]:
    r"""Names of speakers have no space and none of `<|\\/>` (section 6)."""
    named = members_named(objects(body.get("messages"), "/messages"), "name")
    return refused_names(
        named, acceptable_speaker, "a name must have 1 to 64 characters, without white space and <|\\/>"
    )


def ids(body: Object) -> Iterator[Violation]:
    """Ids of calls have at most 40 characters (section 6)."""
    results = objects(body.get("messages"), "/messages")
    named = [*members_named(calls(body), "id"), *members_named(results, "tool_call_id")]
    return refused_names(named, _acceptable_id, "an id must have 1 to 40 characters", "id")


def tool_counts(body: Object) -> Iterator[Violation]:
    """There are 1 to 128 tools, if there is a list at all (section 6)."""
    if body.get("tools") == []:
        yield Violation("empty", "/tools", "tools needs at least one item")
    yield from too_many(body.get("tools"), _MAX_TOOLS, "/tools")


def choice_without_tools(body: Object) -> Iterator[Violation]:
    """What is said about tools needs tools ("only allowed when 'tools' are specified")."""
    if not body.get("tools"):
        for name in ("tool_choice", "parallel_tool_calls"):
            if body.get(name) is not None and not body.get("functions"):
                yield Violation("setting", f"/{name}", "this setting needs tools beside it")


def choice_of_unknown_tool(body: Object) -> Iterator[Violation]:
    """A choice names a tool that is there (section 1.4)."""
    chosen = chosen_name(body)
    known = {name for _, name in tool_names(body)}
    if chosen is not None and known and chosen[1] not in known:
        yield Violation("name", chosen[0], "tools has no tool of this name")


def strict_schemas(body: Object) -> Iterator[Violation]:
    """Strict schemas close every object, require every member, and are objects (section 4)."""
    for path, schema in _strict(body):
        yield from strict_violations(schema, path, is_function=path.startswith("/tools"))


def audio_settings(body: Object) -> Iterator[Violation]:
    """A spoken answer needs a voice (section 1.5, `audio`)."""
    modalities = body.get("modalities")
    if type(modalities) is list and "audio" in modalities and body.get("audio") is None:
        yield Violation("required", "/audio", "the modality audio needs audio.voice")


def function_schemas(body: Object) -> Iterator[Violation]:
    """The arguments of a function are one object that names its members, and lists say what they hold."""
    for path, tool in objects(body.get("tools"), "/tools"):
        function = object_of(tool, "function")
        if function.get("strict") is not True:
            yield from refusals(function.get("parameters"), FUNCTION, f"{path}/function/parameters")


def _strict(body: Object) -> Iterator[tuple[str, Object]]:
    form = object_of(object_of(body, "response_format"), "json_schema")
    if form.get("strict") is True:
        yield "/response_format/json_schema/schema", object_of(form, "schema")
    for path, tool in objects(body.get("tools"), "/tools"):
        function = object_of(tool, "function")
        if function.get("strict") is True:
            yield f"{path}/function/parameters", object_of(function, "parameters")


RULES: Final[tuple[Rule, ...]] = (
    required_settings, setting_types, limits, metadata, many_stops, logprobs_of_nothing, stream_options_alone,
    audio_settings, response_format_without_schema, json_without_the_word, no_messages, message_types, roles,
    missing_content, empty_content, part_types, misplaced_parts, foreign_media, call_types, unnamed_results,
    calls_and_results, ids, names, participant_names, tool_types, tool_counts, choice_without_tools,
    choice_of_unknown_tool, strict_schemas, function_schemas,
)  # fmt: skip


def _with_parts(allowed: Mapping[str, frozenset[str]]) -> tuple[Rule, ...]:
    return tuple(partial(misplaced_parts, allowed=allowed) if rule is misplaced_parts else rule for rule in RULES)


# The same for models with document parts, and for those with videos.
_BESIDE_DOCUMENTS: Final = _with_parts(_WITH_DOCUMENTS)
_BESIDE_VIDEOS: Final = _with_parts(_WITH_VIDEOS)


def check_request(body: Any, api_version: str | None = None, family: Family | None = None) -> list[Violation]:
    """Return what OpenAI would refuse of the body of a chat completion. Raises `DecodeError` for no object."""
    del api_version  # the dialect has one version
    facts = NOTHING if family is None else family.facts
    beside = _BESIDE_VIDEOS if "video_input" in facts else RULES
    rules = _BESIDE_DOCUMENTS if facts.get("documents") == "by_address" else beside
    return judged(body, DIALECT, (*rules, *family_rules(family, FAMILY_RULES)))
