"""The rules of what Bedrock Converse refuses in a request.

What depends on the model is judged where its family is known (rules_family.py). Source: docs/wire/bedrock_converse.md,
sections 1, 4, 6 and 8.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.call_pairing import Turn, turns_of, unpaired
from interlingua.rooms._shared.claude_schemas import ENFORCED_SCHEMAS
from interlingua.rooms._shared.media import EMPTY_PICTURE
from interlingua.rooms._shared.names import acceptable_64, name_predicate
from interlingua.rooms._shared.rule_helpers import (
    INTEGER,
    LIST,
    NUMBER,
    OBJECT,
    TEXT,
    family_rules,
    judged,
    members_named,
    missing,
    object_of,
    objects,
    out_of_range,
    refused_names,
    repeated,
    text_of,
    wrong_item_types,
    wrong_types,
)
from interlingua.rooms._shared.schema_adaptation import refusals
from interlingua.rooms._shared.schema_traversal import loose_objects
from interlingua.rooms.bedrock_converse.documents import lacks_text
from interlingua.rooms.bedrock_converse.rules_family import FAMILY_RULES, blocks_of, functions_of, tools_of
from interlingua.rooms.bedrock_converse.tables import DIALECT, ID_PATTERN, LIMITS, MAX_CACHE_POINTS, NAME_LIMIT
from interlingua.tool_arguments import json_object
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.rooms._shared.rule_helpers import Object, Rule, Shapes
    from interlingua.spi.families import Family

_SHAPES: Final[Shapes] = MappingProxyType({
    "modelId": TEXT, "messages": LIST, "system": LIST, "inferenceConfig": OBJECT, "toolConfig": OBJECT,
    "guardrailConfig": OBJECT, "requestMetadata": OBJECT, "performanceConfig": OBJECT, "outputConfig": OBJECT,
})  # fmt: skip
_CONFIG_SHAPES: Final[Shapes] = MappingProxyType({
    "maxTokens": INTEGER, "temperature": NUMBER, "topP": NUMBER, "stopSequences": LIST
})  # fmt: skip
_STORED_PROMPT: Final = ":prompt/"
_accepted_id: Final = name_predicate(NAME_LIMIT, ID_PATTERN)
_ROLES: Final = frozenset({"user", "assistant", "system"})
_ACCEPTED: Final = "a name may have at most 64 letters, digits, _ and -; ids also . and :"


def setting_types(body: Object) -> Iterator[Violation]:
    """Settings are of the JSON types that section 1 names, and numbers within their limits."""
    yield from wrong_types(body, _SHAPES, "")
    yield from wrong_types(object_of(body, "inferenceConfig"), _CONFIG_SHAPES, "/inferenceConfig")
    yield from out_of_range(object_of(body, "inferenceConfig"), LIMITS, "/inferenceConfig")


def message_types(body: Object) -> Iterator[Violation]:
    """A message has a role and a non-empty list of content blocks (section 1.1)."""
    yield from wrong_item_types(body.get("messages"), "/messages")
    for path, message in objects(body.get("messages"), "/messages"):
        yield from missing(message, ("role", "content"), path)
        yield from wrong_types(message, {"role": TEXT, "content": LIST}, path)
        yield from wrong_item_types(message.get("content"), f"{path}/content")
        if type(message.get("role")) is str and message["role"] not in _ROLES:
            yield Violation("role", f"{path}/role", "the role must be user, assistant or system")
        if message.get("content") == []:
            yield Violation("empty", f"{path}/content", "content needs at least one block")


def beginning(body: Object) -> Iterator[Violation]:
    """The user begins ("A conversation must start with a user message"), unless a stored prompt does."""
    messages: Any = body.get("messages")
    if "promptVariables" in body or _STORED_PROMPT in text_of(body, "modelId"):
        return
    if messages is None:
        yield from missing(body, ("messages",), "")
    if type(messages) is not list:
        return
    if not messages:
        yield Violation("empty", "/messages", "messages needs at least one item")
    elif [message.get("role") for _, message in objects(messages[:1], "")] == ["assistant"]:
        yield Violation("order", "/messages/0", "a conversation must start with a user message")


def texts(body: Object) -> Iterator[Violation]:
    """No text is empty (section 8)."""
    for where, block in (*objects(body.get("system"), "/system"), *blocks_of(body)):
        if block.get("text") == "":
            yield Violation("empty_text", f"{where}/text", "Bedrock refuses an empty text")


def blocks_named(body: Object, kind: str) -> Iterator[tuple[str, Object]]:
    """Yield each block of a kind, with its path."""
    for where, block in blocks_of(body):
        if type(block.get(kind)) is dict:
            yield f"{where}/{kind}", block[kind]


def media(body: Object) -> Iterator[Violation]:
    """Media have a format and a source, documents a name, and no block is empty (sections 1.2 and 7)."""
    for where, block in blocks_of(body):
        if not block:
            yield Violation("empty", where, "a block needs one member")
    for kind in ("image", "document", "video", "audio"):
        for path, one in blocks_named(body, kind):
            yield from missing(one, ("name", "source") if kind == "document" else ("format", "source"), path)
            if type(one.get("source")) is dict and not one["source"]:
                yield Violation("empty", f"{path}/source", "a source needs one member")
            elif object_of(one, "source").get("bytes") == "":
                said = EMPTY_PICTURE if kind == "image" else "the provider requires at least one byte"
                yield Violation("empty", f"{path}/source/bytes", said)


def calls(body: Object) -> Iterator[Violation]:
    """A call has an id, a name and an object as input, a result an id and a list of content (sections 1.3 and 6)."""
    for path, call in blocks_named(body, "toolUse"):
        yield from missing(call, ("toolUseId", "name", "input"), path)
        if type(call.get("input")) not in (dict, type(None)):
            yield Violation("arguments", f"{path}/input", "expected an object")
    for path, result in blocks_named(body, "toolResult"):
        yield from missing(result, ("toolUseId", "content"), path)
        yield from wrong_types(result, {"toolUseId": TEXT, "content": LIST, "status": TEXT}, path)
        if result.get("status") == "error" and result.get("content") == []:
            yield Violation("empty", f"{path}/content", "the result of a failed call needs content")
    for kind in ("toolUse", "toolResult"):
        named = members_named(blocks_named(body, kind), "toolUseId")
        yield from refused_names(named, _accepted_id, _ACCEPTED, "id")
    yield from refused_names(members_named(blocks_named(body, "toolUse"), "name"), acceptable_64, _ACCEPTED)


def pairs(body: Object) -> Iterator[Violation]:
    """Each call of a turn has its result in the next turn, and each result its call (section 8)."""
    return unpaired(turns_of(body, _note))


def _note(turn: Turn, path: str, block: Object) -> None:
    for kind, found in (("toolUse", turn.calls), ("toolResult", turn.results)):
        said = object_of(block, kind)
        if type(said.get("toolUseId")) is str and "type" not in said:
            found.append((f"{path}/{kind}", said["toolUseId"]))


def tools(body: Object) -> Iterator[Violation]:
    """A tool has a name and an object schema; `toolConfig` has tools (sections 1.3 and 1.4)."""
    config = object_of(body, "toolConfig")
    if config and not config.get("tools"):
        yield Violation("required", "/toolConfig/tools", "the provider requires this member: add it")
    yield from wrong_types(config, {"tools": LIST, "toolChoice": OBJECT}, "/toolConfig")
    yield from wrong_item_types(config.get("tools"), "/toolConfig/tools")
    for path, tool in tools_of(body):
        if type(tool.get("toolSpec")) is dict:
            spec, where = tool["toolSpec"], f"{path}/toolSpec"
            yield from missing(spec, ("name", "inputSchema"), where)
            yield from wrong_types(spec, {"name": TEXT, "description": TEXT, "inputSchema": OBJECT}, where)
            yield from refused_names(members_named([(where, spec)], "name"), acceptable_64, _ACCEPTED)
            if spec.get("description") == "":
                yield Violation("empty_text", f"{where}/description", "Bedrock refuses an empty description")
            if object_of(spec, "inputSchema") and object_of(spec["inputSchema"], "json").get("type") != "object":
                yield Violation("schema", f"{where}/inputSchema/json", "the schema of arguments must be an object")


def called_tools(body: Object) -> Iterator[Violation]:
    """A conversation with tool calls declares tools (section 1.3)."""
    if not object_of(body, "toolConfig") and next(blocks_named(body, "toolUse"), None) is not None:
        yield Violation("required", "/toolConfig", "a conversation with calls is refused without tools")


def documents(body: Object) -> Iterator[Violation]:
    """A document has a text beside it, and one given as text has citations enabled (section 7)."""
    for path, message in objects(body.get("messages"), "/messages"):
        if lacks_text(message):
            yield Violation("required", f"{path}/content", "a message with a document needs a text as well")
    for path, document in blocks_named(body, "document"):
        source = object_of(document, "source")
        has_citations_enabled = object_of(document, "citations").get("enabled") is True
        if not has_citations_enabled and ("text" in source or "content" in source):
            yield Violation("part", f"{path}/source", "a document without citations must be given as bytes or from S3")


def document_names(body: Object) -> Iterator[Violation]:
    """Document names are unique (section 6)."""
    named = [(path, name.casefold()) for path, name in members_named(blocks_named(body, "document"), "name")]
    yield from repeated(named, "two documents of a conversation may not have the same name", "name")


def cache_points(body: Object) -> Iterator[Violation]:
    """At most 4 cache points (section 1)."""
    places = (*tools_of(body), *objects(body.get("system"), "/system"), *blocks_of(body))
    points = [path for path, block in places if "cachePoint" in block]
    for path in points[MAX_CACHE_POINTS:]:
        yield Violation("cache", path, f"at most {MAX_CACHE_POINTS} cache points are accepted")


def schemas(body: Object) -> Iterator[Violation]:
    """Enforced schemas close every object, and have only keywords that are enforced (section 4)."""
    form = object_of(object_of(object_of(body, "outputConfig"), "textFormat"), "structure")
    said, is_faithful = json_object(text_of(object_of(form, "jsonSchema"), "schema"))
    named = [("/outputConfig/textFormat/structure/jsonSchema/schema", said)] if is_faithful else []
    named += [
        (f"{path}/inputSchema/json", schema) for path, spec, schema in functions_of(body) if spec.get("strict") is True
    ]
    for where, schema in named:
        yield from loose_objects(schema, where)
        yield from refusals(schema, ENFORCED_SCHEMAS, where)


RULES: Final[tuple[Rule, ...]] = (
    setting_types, message_types, beginning, texts, media, calls, pairs, tools, called_tools, documents,
    document_names, cache_points, schemas,
)  # fmt: skip


def check_request(body: Any, api_version: str | None = None, family: Family | None = None) -> list[Violation]:
    """Return what Bedrock would refuse in a Converse request body. Raises `DecodeError` if it is not an object."""
    del api_version  # the dialect has one version
    return judged(body, DIALECT, (*RULES, *family_rules(family, FAMILY_RULES)))
