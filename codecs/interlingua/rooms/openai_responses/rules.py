"""The rules of what OpenAI Responses refuses in a request.

Source: docs/wire/openai_responses.md, sections 1, 4 and 6 to 8.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.media import EMPTY_PICTURE, OPENAI_PICTURES, split_data_url, standard_type
from interlingua.rooms._shared.names import acceptable_64, acceptable_128
from interlingua.rooms._shared.openai_schemas import FUNCTION, is_not_object, strict_violations
from interlingua.rooms._shared.openai_settings import LIMITS
from interlingua.rooms._shared.rule_helpers import (
    FLAG,
    INTEGER,
    LIST,
    NUMBER,
    OBJECT,
    TEXT,
    TEXT_OR_LIST,
    family_rules,
    judged,
    members_named,
    metadata,
    missing,
    missing_all_of,
    object_of,
    objects,
    out_of_range,
    refused_members,
    refused_names,
    repeated,
    text_of,
    word_of,
    wrong_item_types,
    wrong_types,
)
from interlingua.rooms._shared.schema_adaptation import refusals
from interlingua.rooms._shared.sealed_state import is_sealed
from interlingua.rooms.openai_responses.finish_reasons import is_run_by_server
from interlingua.rooms.openai_responses.json_mode import lacks_json_word
from interlingua.rooms.openai_responses.rules_family import FAMILY_RULES
from interlingua.rooms.openai_responses.tables import CHECKED_PREFIXES, DIALECT, MIN_OUTPUT_TOKENS, NO_FILES
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.rule_helpers import Limits, Object, Rule, Shapes
    from interlingua.spi.families import Family

_MESSAGE: Final = "message"
_ROLES: Final = frozenset({"user", "assistant", "system", "developer"})
# Calls that must be answered, and their outputs.
_CALLS: Final = frozenset({"function_call", "custom_tool_call", "computer_call", "shell_call", "apply_patch_call"})
_OUTPUTS: Final = frozenset(f"{call}_output" for call in _CALLS)
# Item type -> required members, and the JSON types of the members that the provider reads.
_ITEMS: Final[Mapping[str, tuple[tuple[str, ...], Shapes]]] = MappingProxyType({
    _MESSAGE: (("role", "content"), {"role": TEXT, "content": TEXT_OR_LIST}),
    "function_call": (("call_id", "name", "arguments"), {"call_id": TEXT, "name": TEXT}),
    "function_call_output": (("output",), {"call_id": TEXT, "output": TEXT_OR_LIST}),
    "custom_tool_call": (("call_id", "name", "input"), {"call_id": TEXT, "name": TEXT, "input": TEXT}),
    "custom_tool_call_output": (("call_id", "output"), {"call_id": TEXT, "output": TEXT_OR_LIST}),
    "reasoning": (("summary",), {"summary": LIST, "encrypted_content": TEXT, "content": LIST}),
    "item_reference": (("id",), {}),
})  # fmt: skip
# An output names its call, or the tool that gave it without a call.
_EITHER: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({"function_call_output": ("call_id", "name")})
# Part type -> members of which all, or at least one, are required.
_PART_REQUIRED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "input_text": ("text",), "output_text": ("text",), "refusal": ("refusal",)
})  # fmt: skip
_PART_EITHER: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "input_image": ("image_url", "file_id"), "input_file": ("file_id", "file_url", "file_data")
})  # fmt: skip
_PART_SHAPES: Final[Shapes] = MappingProxyType(
    dict.fromkeys(("text", "refusal", "image_url", "file_id", "file_url", "file_data"), TEXT)
)
_OUTPUT_PARTS: Final = frozenset({"output_text", "refusal"})
_INPUT_PARTS: Final = frozenset({"input_text", "input_image", "input_file"})
# Member of a part or item -> the maximum number of characters.
_MAX_LENGTHS: Final[Mapping[str, int]] = MappingProxyType({
    "output": 10_485_760, "image_url": 20_971_520, "file_data": 73_400_320
})  # fmt: skip
_TRIGGER: Final = "compaction_trigger"
_acceptable_id: Final = re.compile(r".{1,64}", re.DOTALL).fullmatch
_SETTING_SHAPES: Final[Shapes] = MappingProxyType({
    **dict.fromkeys(("model", "previous_response_id"), TEXT),
    **dict.fromkeys(("input", "instructions"), TEXT_OR_LIST),
    **dict.fromkeys(("conversation", "tool_choice"), (str, dict)),
    **dict.fromkeys(("tools", "include"), LIST),
    **dict.fromkeys(("text", "reasoning", "metadata"), OBJECT),
    **dict.fromkeys(("parallel_tool_calls", "store", "stream"), FLAG),
    **dict.fromkeys(("max_output_tokens", "top_logprobs"), INTEGER),
    **dict.fromkeys(("temperature", "top_p"), NUMBER),
})  # fmt: skip
_LIMITS: Final[Limits] = MappingProxyType({
    "max_output_tokens": (MIN_OUTPUT_TOKENS, None),
    **{name: LIMITS[name] for name in ("temperature", "top_p", "top_logprobs")},
})  # fmt: skip
_FOREIGN: Final = (
    "seed", "stop", "n", "frequency_penalty", "presence_penalty", "logit_bias",
    # These have another name or place here.
    "messages", "max_tokens", "max_completion_tokens", "response_format", "reasoning_effort", "verbosity", "logprobs",
    "functions", "function_call", "web_search_options",
)  # fmt: skip
_NAMED: Final = frozenset({"function", "custom"})


def check_request(body: Any, api_version: str | None = None, family: Family | None = None) -> list[Violation]:
    """Return what OpenAI would refuse in a request body. Raises `DecodeError` if it is not an object."""
    del api_version  # the dialect has one version
    return judged(body, DIALECT, (*RULES, *family_rules(family, FAMILY_RULES)))


def setting_types(body: Object) -> Iterator[Violation]:
    """Settings are of the JSON types that section 1 names; a request has a model, or a stored prompt with one."""
    yield from wrong_types(body, _SETTING_SHAPES, "")
    if body.get("prompt") is None:
        yield from missing(body, ("model",), "")


def limits(body: Object) -> Iterator[Violation]:
    """Numbers are within their limits (section 1.5)."""
    return out_of_range(body, _LIMITS, "")


def conversation_and_previous_response(body: Object) -> Iterator[Violation]:
    """`previous_response_id` and `conversation` are not set together (section 1.5)."""
    if body.get("previous_response_id") is not None and body.get("conversation") is not None:
        yield Violation("setting", "/previous_response_id", "give previous_response_id or conversation, not both")


def foreign_settings(body: Object) -> Iterator[Violation]:
    """A request has no settings of Chat Completions (section 1.5)."""
    return refused_members(body, _FOREIGN, "the provider has no such setting")


def json_without_the_word(body: Object) -> Iterator[Violation]:
    """JSON mode needs the word JSON in a message (section 1.5)."""
    if lacks_json_word(body):
        yield Violation("setting", "/text/format", "JSON mode needs the word JSON in a message")


def names(body: Object) -> Iterator[Violation]:
    """Names of tools, calls and schemas have only accepted characters (section 6)."""
    tools = ((path, tool) for path, tool in objects(body.get("tools"), "/tools") if text_of(tool, "type") in _NAMED)
    calls = (
        (path, item)
        for path, item in objects(body.get("input"), "/input")
        if text_of(item, "type") in {"function_call", "custom_tool_call"}
    )
    named = [*members_named(tools, "name"), *members_named(calls, "name")]
    yield from refused_names(named, acceptable_128, "a name must have 1 to 128 letters, digits, _ and -")
    form = object_of(object_of(body, "text"), "format")
    if form.get("type") == "json_schema":
        yield from missing(form, ("name", "schema"), "/text/format")
        named = list(members_named([("/text/format", form)], "name"))
        yield from refused_names(named, acceptable_64, "a name must have 1 to 64 letters, digits, _ and -")
        if is_not_object(form.get("schema")) and form.get("strict") is not True:
            yield Violation("schema", "/text/format/schema", "the schema of an answer must be that of an object")


def tool_types(body: Object) -> Iterator[Violation]:
    """Tools are objects with a type; functions and custom tools have a name (section 1.3)."""
    yield from wrong_item_types(body.get("tools"), "/tools")
    for path, tool in objects(body.get("tools"), "/tools"):
        yield from missing(tool, ("type",), path)
        if text_of(tool, "type") in _NAMED:
            yield from missing(tool, ("name",), path)


def choice_of_unknown_tool(body: Object) -> Iterator[Violation]:
    """A named tool choice names a tool of the request (section 1.4)."""
    choice = object_of(body, "tool_choice")
    known = {text_of(tool, "name") for _, tool in objects(body.get("tools"), "/tools")}
    name = word_of(choice, "name")
    if text_of(choice, "type") in _NAMED and name is not None and name not in known:
        yield Violation("name", "/tool_choice/name", "tools has no tool of this name")


def strict_schemas(body: Object) -> Iterator[Violation]:
    """Strict schemas are objects, close every object and require every property (section 4)."""
    for path, schema in _strict(body):
        yield from strict_violations(schema, path, is_function=path.startswith("/tools"))


def function_schemas(body: Object) -> Iterator[Violation]:
    """Function parameters are one object with named properties, and arrays define their items."""
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("type") == "function" and tool.get("strict") is not True:
            yield from refusals(tool.get("parameters"), FUNCTION, f"{path}/parameters")


def _strict(body: Object) -> Iterator[tuple[str, Object]]:
    form = object_of(object_of(body, "text"), "format")
    if form.get("strict") is True:
        yield "/text/format/schema", object_of(form, "schema")
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("type") == "function" and tool.get("strict") is True:
            yield f"{path}/parameters", object_of(tool, "parameters")


def item_types(body: Object) -> Iterator[Violation]:
    """Items have the members that section 1.1 requires, of the JSON types that it names."""
    yield from wrong_item_types(body.get("input"), "/input")
    for path, kind, item in _items(body):
        required, shapes = _ITEMS.get(kind, ((), {}))
        yield from missing(item, required, path)
        if kind in _EITHER:
            yield from missing_all_of(item, _EITHER[kind], path)
        yield from wrong_types(item, shapes, path)
        for name in ("content", "output"):
            yield from wrong_item_types(item.get(name), f"{path}/{name}")


def part_types(body: Object) -> Iterator[Violation]:
    """Parts have the members that section 1.2 requires, as text."""
    for path, part in _parts(body):
        kind = text_of(part, "type")
        yield from missing(part, _PART_REQUIRED.get(kind, ()), path)
        if kind in _PART_EITHER:
            yield from missing_all_of(part, _PART_EITHER[kind], path)
        if kind in _PART_EITHER or kind in _PART_REQUIRED:
            yield from wrong_types(part, _PART_SHAPES, path)


def filenames(body: Object) -> Iterator[Violation]:
    """A file has a `filename` only beside its data ("Mutually exclusive parameters"; section 1.2)."""
    for path, part in _parts(body):
        if text_of(part, "type") == "input_file" and part.get("filename") is not None and _is_named_elsewhere(part):
            yield Violation("member", f"{path}/filename", "a file may have a filename only beside file_data")


def _is_named_elsewhere(part: Object) -> bool:
    return part.get("file_id") is not None or part.get("file_url") is not None


def roles(body: Object) -> Iterator[Violation]:
    """A message has a known role (section 1.1)."""
    for path, kind, item in _items(body):
        role = word_of(item, "role")
        if kind == _MESSAGE and role is not None and role not in _ROLES:
            yield Violation("role", f"{path}/role", "the role must be user, assistant, system or developer")


def misplaced_parts(body: Object) -> Iterator[Violation]:
    """Assistant messages hold `output_*` parts, all others `input_*` parts (section 8)."""
    for path, kind, item in _items(body):
        if kind == _MESSAGE:
            known = _OUTPUT_PARTS if item.get("role") == "assistant" else _INPUT_PARTS
            for where, part in objects(item.get("content"), f"{path}/content"):
                word = word_of(part, "type")
                if word is not None and word in _OUTPUT_PARTS | _INPUT_PARTS and word not in known:
                    yield Violation("part", where, "messages of this role may not have such a part")


def foreign_media(body: Object) -> Iterator[Violation]:
    """Files are not audio or video, images are PNG, JPEG, GIF or WebP ("unsupported MIME type"; section 1.2)."""
    for path, part in _parts(body):
        found = split_data_url(text_of(part, "file_data"))
        if found is not None and found[0].startswith(NO_FILES):
            yield Violation("media_type", f"{path}/file_data", "the provider does not accept this media type")
        picture = split_data_url(text_of(part, "image_url"))
        if picture is not None and standard_type(picture[0]) not in OPENAI_PICTURES:
            yield Violation("media_type", f"{path}/image_url", "an image must be png, jpeg, gif or webp")
        elif picture is not None and not picture[1]:
            yield Violation("empty", f"{path}/image_url", EMPTY_PICTURE)


def large_values(body: Object) -> Iterator[Violation]:
    """Tool outputs, images and files are not too large (section 6)."""
    items = ((path, item) for path, _, item in _items(body))
    for path, value in [*items, *_parts(body)]:
        for name, most in _MAX_LENGTHS.items():
            if len(text_of(value, name)) > most:
                yield Violation("limit", f"{path}/{name}", f"it may have at most {most} characters")


def arguments(body: Object) -> Iterator[Violation]:
    """Arguments are text (section 1.1)."""
    for path, kind, item in _items(body):
        said = item.get("arguments", "")
        if kind == "function_call" and said is not None and type(said) is not str:
            yield Violation("arguments", f"{path}/arguments", "expected text")


def calls_and_results(body: Object) -> Iterator[Violation]:
    """Every call has an output, and every output a call before it ("No tool output found for function call").

    Calls that are answered later (`async`), and conversations that the server holds, are not judged.
    """
    remembered = body.get("previous_response_id") is not None or body.get("conversation") is not None
    references = any(kind == "item_reference" for _, kind, _ in _items(body))
    known: set[str] = set()
    asked: dict[str, str] = {}
    for path, kind, item in _items(body):
        identifier = word_of(item, "call_id")
        if identifier is None or is_run_by_server(item):
            continue
        if kind not in _OUTPUTS:
            known.add(identifier)
            if kind in _CALLS and item.get("async") is not True:
                asked[identifier] = path
        elif identifier in known:
            asked.pop(identifier, None)
        elif not remembered and not references:
            yield Violation("orphan_result", path, "no function_call before it has this call_id")
    for path in asked.values():
        yield Violation("dangling_call", path, "no result of this call follows")


def lone_reasoning(body: Object) -> Iterator[Violation]:
    """Reasoning with an id is followed by its message or call ("without its required following item"; REA-8).

    That message needs no id: gateways for Chat Completions clients write none.
    """
    waiting = ""
    for path, kind, item in (*_items(body), ("", _MESSAGE, {"role": "user"})):
        if kind == "reasoning":
            waiting = (waiting or path) if word_of(item, "id") is not None else waiting
            continue
        is_asked = kind == _MESSAGE and text_of(item, "role") != "assistant"
        if waiting and (kind in _OUTPUTS or is_asked):
            yield Violation(
                "reasoning", waiting, "each reasoning item must be followed by the message or call that it led to"
            )
        waiting = ""


def foreign_reasoning(body: Object) -> Iterator[Violation]:
    """Encrypted reasoning is OpenAI's own: it cannot read any other."""
    for path, kind, item in _items(body):
        if kind == "reasoning" and is_sealed(item.get("encrypted_content")):
            detail = "this encrypted_content is another provider's, put in by an exchange: OpenAI refuses it"
            yield Violation("signature", path, detail)


def ids(body: Object) -> Iterator[Violation]:
    """Ids of calls have 1 to 64 characters (section 6)."""
    named = members_named(((path, item) for path, _, item in _items(body)), "call_id")
    return refused_names(named, _acceptable_id, "an id must have 1 to 64 characters", "id")


def item_ids(body: Object) -> Iterator[Violation]:
    """Item ids have the prefixes that the provider gives them (section 6; TOOL-2)."""
    for path, kind, item in _items(body):
        identifier = word_of(item, "id")
        prefix = CHECKED_PREFIXES.get(kind, "")
        if identifier is not None and not identifier.startswith(prefix):
            yield Violation("id", f"{path}/id", f"the id of an item of this type must begin with {prefix}")


def repeated_ids(body: Object) -> Iterator[Violation]:
    """Item ids are unique (TOOL-2, "duplicate msg id")."""
    return repeated(
        members_named(((path, item) for path, _, item in _items(body)), "id"), "each item needs an id of its own"
    )


def late_triggers(body: Object) -> Iterator[Violation]:
    """A `compaction_trigger` is the last item (section 8)."""
    items = list(_items(body))
    for path, kind, _ in items[:-1]:
        if kind == _TRIGGER:
            yield Violation("order", path, "a compaction_trigger must be the last item of input")


def _items(body: Object) -> Iterator[tuple[str, str, Object]]:
    """Yield path, type and value of the input's items; an item without a type is a message."""
    for path, item in objects(body.get("input"), "/input"):
        kind = item.get("type")
        yield path, _MESSAGE if kind is None else text_of(item, "type"), item


def _parts(body: Object) -> Iterator[tuple[str, Object]]:
    for path, _, item in _items(body):
        for name in ("content", "output"):
            yield from objects(item.get(name), f"{path}/{name}")


RULES: Final[tuple[Rule, ...]] = (
    setting_types, limits, metadata, conversation_and_previous_response, foreign_settings, json_without_the_word,
    item_types, part_types, filenames, roles, misplaced_parts, foreign_media, large_values, arguments,
    calls_and_results, lone_reasoning, foreign_reasoning, ids, item_ids, repeated_ids, late_triggers, names, tool_types,
    choice_of_unknown_tool, strict_schemas, function_schemas,
)  # fmt: skip
