"""The rules of what Claude refuses in a request.

Source: docs/wire/claude.md, sections 1, 4 and 6 to 8; section 9 for what changed with 2026-10-21.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import pointer
from interlingua.rooms._shared.cache_marks import MAX_CACHE_MARKS
from interlingua.rooms._shared.call_pairing import Turn, turns_of, unpaired
from interlingua.rooms._shared.claude_results import SERVER_CALLS, is_server_result
from interlingua.rooms._shared.claude_schemas import TOOL_SCHEMAS, refused_arguments
from interlingua.rooms._shared.claude_thinking import MIN_THINKING_BUDGET
from interlingua.rooms._shared.rule_helpers import (
    LIST,
    OBJECT,
    TEXT_OR_LIST,
    family_rules,
    judged,
    members_named,
    message_parts,
    missing,
    number_of,
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
from interlingua.rooms.claude.rules_blocks import all_blocks, foreign_media, members_of_block
from interlingua.rooms.claude.rules_family import FAMILY_RULES, takes_unsigned
from interlingua.rooms.claude.rules_schemas import (
    circular_schemas,
    loose_schemas,
    many_optional_members,
    many_strict_tools,
    many_unions,
)
from interlingua.rooms.claude.tables import DIALECT, MAX_TEMPERATURE, NEWEST, SAMPLING, SETTINGS
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.call_pairing import Named
    from interlingua.rooms._shared.rule_helpers import Limits, Object, Rule, Shapes
    from interlingua.spi.families import Family

_SHAPES: Final[Shapes] = MappingProxyType({
    **{wire: kinds for wire, (_, kinds) in SETTINGS.items()},
    "system": TEXT_OR_LIST,
    **dict.fromkeys(("messages", "tools", "stop_sequences"), LIST),
    **dict.fromkeys(("tool_choice", "thinking", "output_config", "metadata"), OBJECT),
})  # fmt: skip
_LIMITS: Final[Limits] = MappingProxyType({"max_tokens": (0, None), "temperature": (0, MAX_TEMPERATURE)})
_SIGNED_MEMBERS: Final = MappingProxyType({"thinking": "signature", "redacted_thinking": "data"})
_FOREIGN: Final = (
    "n", "seed", "logprobs", "top_logprobs", "frequency_penalty", "presence_penalty", "logit_bias", "user", "store",
    # These have another name or place here.
    "stop", "max_completion_tokens", "response_format", "parallel_tool_calls", "reasoning_effort", "stream_options",
    "functions", "function_call",
)  # fmt: skip
# Bedrock and Vertex AI have the version in the body and the model in the URL.
_HOSTED: Final = "anthropic_version"


def required_settings(body: Object) -> Iterator[Violation]:
    """A request has `model`, `messages` and `max_tokens` (section 1)."""
    names = ("max_tokens", "messages") if _HOSTED in body else ("model", "max_tokens", "messages")
    return missing(body, names, "")


def setting_types(body: Object) -> Iterator[Violation]:
    """Settings are of the JSON types that section 1 names."""
    yield from wrong_types(body, _SHAPES, "")
    yield from wrong_item_types(body.get("stop_sequences"), "/stop_sequences", str)


def empty_stops(body: Object) -> Iterator[Violation]:
    """Stop sequences are not white space alone ("each stop sequence must contain non-whitespace")."""
    stops: Any = body.get("stop_sequences")
    for at, text in enumerate(stops if type(stops) is list else ()):
        if type(text) is str and not text.strip():
            yield Violation("empty_text", f"/stop_sequences/{at}", "a text of only white space")


def limits(body: Object) -> Iterator[Violation]:
    """Numbers are within their limits (section 1.5; "temperature: range: 0..1")."""
    return out_of_range(body, _LIMITS, "")


def foreign_settings(body: Object) -> Iterator[Violation]:
    """A request has no settings of other dialects (section 1.5)."""
    return refused_members(body, _FOREIGN, "the provider has no such setting")


def sampling(body: Object) -> Iterator[Violation]:
    """Since 2026-10-21 there are no sampling settings (section 9)."""
    return refused_members(body, sorted(SAMPLING), "there are no sampling settings since API version 2026-10-21")


def thinking_budget(body: Object) -> Iterator[Violation]:
    """A budget is at least 1024 and below `max_tokens` (section 6)."""
    thinking = object_of(body, "thinking")
    if thinking.get("type") != "enabled":
        return
    budget, most = number_of(thinking, "budget_tokens"), number_of(body, "max_tokens")
    if budget is None:
        yield Violation("required", "/thinking/budget_tokens", "thinking of the type enabled needs budget_tokens")
    elif budget < MIN_THINKING_BUDGET or (most is not None and budget >= most):
        yield Violation("limit", "/thinking/budget_tokens", "budget_tokens must be at least 1024 and below max_tokens")


def forced_choice(body: Object) -> Iterator[Violation]:
    """With thinking on, no tool call is forced (section 8)."""
    forced = object_of(body, "tool_choice").get("type")
    if object_of(body, "thinking").get("type") == "enabled" and type(forced) is str and forced in {"any", "tool"}:
        yield Violation("setting", "/tool_choice", "while thinking is on, tool_choice must be auto or none")


_ROLES: Final = frozenset({"user", "assistant", "system"})
_THINKING: Final = frozenset({"thinking", "redacted_thinking"})
_NO_CONTENT: Final[tuple[Any, ...]] = (None, "", [])
_acceptable_id: Final = re.compile(r"[a-zA-Z0-9_-]+").fullmatch
_acceptable_server_id: Final = re.compile(r"srvtoolu_[a-zA-Z0-9_]+").fullmatch


def messages_and_roles(body: Object) -> Iterator[Violation]:
    """There are messages, each with a known role and content (section 1.1); a continued thread needs none."""
    if body.get("messages") == [] and not _continues_thread(body):
        yield Violation("empty", "/messages", "messages needs at least one item")
    yield from wrong_item_types(body.get("messages"), "/messages")
    for path, message in objects(body.get("messages"), "/messages"):
        if text_of(message, "role") not in _ROLES:
            yield Violation("role", f"{path}/role", "the role must be user, assistant or system")
        if type(message.get("content")) not in {str, list}:
            yield Violation("shape", f"{path}/content", "expected text or a list")


def misplaced_instructions(body: Object) -> Iterator[Violation]:
    """A system message follows the user or a server tool's result, before an answer or last (section 1.1)."""
    follows = _continues_thread(body)  # whether a system message may follow the last message
    waiting: list[str] = []
    for path, message in [*objects(body.get("messages"), "/messages"), ("", {"role": "assistant"})]:
        role = text_of(message, "role")
        if role == "system":
            waiting.append(path)
            continue
        if not follows or role != "assistant":
            for one in waiting:
                yield Violation(
                    "role", f"{one}/role", "a system message must stand between a user message and an answer, or last"
                )
        follows, waiting = role == "user" or _ends_in_server_result(message), []


def _ends_in_server_result(message: Object) -> bool:
    """Return whether a message ends with the result of a server tool."""
    last = [block for _, block in objects(message.get("content"), "")][-1:]
    return bool(last) and is_server_result(text_of(last[0], "type"))


def calls_and_results(body: Object) -> Iterator[Violation]:
    """Each `tool_use` has its result in the next turn, and vice versa ("`tool_use` ids were found without ...")."""
    spoken = turns_of(body, _note)
    # The provider holds the earlier messages of a thread, including the calls that its first turn answers.
    held = {path for path, _ in spoken[0].results} if spoken and _continues_thread(body) else ()
    return (one for one in unpaired(spoken) if one.code != "orphan_result" or one.path not in held)


def repeated_ids(body: Object) -> Iterator[Violation]:
    """Tool call ids are unique ("`tool_use` ids must be unique")."""
    return repeated(
        (call for turn in turns_of(body, _note) for call in turn.calls), "each tool_use needs an id of its own"
    )


def late_results(body: Object) -> Iterator[Violation]:
    """In a user turn, tool results come before everything else (section 8)."""
    role, has_other = "", False
    for path, message in objects(body.get("messages"), "/messages"):
        if message.get("role") != role or role != "user":
            role, has_other = text_of(message, "role"), False
        if type(message.get("content")) is str:
            has_other = True
        for where, block in objects(message.get("content"), f"{path}/content"):
            if block.get("type") != "tool_result":
                has_other = True
            elif has_other and role == "user":
                yield Violation("order", where, "tool_result blocks must come first in their message")


def refused_ids(body: Object) -> Iterator[Violation]:
    """Ids of calls and results are letters, digits, `_` and `-`; those of server tools begin with `srvtoolu_`."""
    yield from refused_names(
        _ids(body, server=False), _acceptable_id, "an id may only have letters, digits, _ and -", "id"
    )
    yield from refused_names(
        _ids(body, server=True), _acceptable_server_id, "the id of a server_tool_use must begin with srvtoolu_", "id"
    )


def server_results(body: Object) -> Iterator[Violation]:
    """The result of a server tool stands in the same turn as its call (section 8)."""
    role = ""
    asked: set[str] = set()
    for path, message in objects(body.get("messages"), "/messages"):
        if message.get("role") != role:
            role, asked = text_of(message, "role"), set[str]()
        for where, block in objects(message.get("content"), f"{path}/content"):
            kind = text_of(block, "type")
            if kind in SERVER_CALLS:
                asked.add(text_of(block, "id"))
            elif is_server_result(kind) and text_of(block, "tool_use_id") not in asked:
                yield Violation("orphan_result", where, "no server_tool_use of the turn has this tool_use_id")


def ends_in_white_space(body: Object) -> Iterator[Violation]:
    """A final assistant message does not end in white space (section 8)."""
    for _, where, text in _prefill(body):
        if text != text.rstrip():
            yield Violation("trailing_space", where, "the last text of the assistant may not end in white space")


def refused_prefill(body: Object) -> Iterator[Violation]:
    """With thinking on, or a schema of the answer, the conversation does not end with assistant text (section 8)."""
    is_on = object_of(body, "thinking").get("type") == "enabled"
    if is_on or object_of(object_of(body, "output_config"), "format"):
        for path, _, _ in _prefill(body):
            other = "thinking on" if is_on else "output_config.format"
            yield Violation("prefill", path, f"with {other}, the last message may not be the assistant's text")


def thinking_before_calls(body: Object) -> Iterator[Violation]:
    """With thinking on, an unfinished turn with tool calls begins with a thinking block (section 8)."""
    if object_of(body, "thinking").get("type") != "enabled" or number_of(body, "max_tokens") == 0:
        return
    begin = ""
    has_calls = has_thinking = False
    for path, message in objects(body.get("messages"), "/messages"):
        role = text_of(message, "role")
        blocks = [block for _, block in objects(message.get("content"), "")]
        if role == "assistant":
            begin = begin or path
            has_calls = has_calls or any(block.get("type") == "tool_use" for block in blocks)
            has_thinking = has_thinking or any(word_of(block, "type") in _THINKING for block in blocks)
        elif not any(block.get("type") == "tool_result" for block in blocks):
            begin, has_calls, has_thinking = "", False, False
    if has_calls and not has_thinking:
        yield Violation("reasoning", f"{begin}/content", "the turn with tool_use must begin with its thinking block")


def _note(turn: Turn, path: str, block: Object) -> None:
    """Add the call or result that a block is to its turn."""
    if block.get("type") == "tool_use" and type(block.get("id")) is str:
        turn.calls.append((path, block["id"]))
    elif block.get("type") == "tool_result" and type(block.get("tool_use_id")) is str:
        turn.results.append((path, block["tool_use_id"]))


def _continues_thread(body: Object) -> bool:  # continues a thread that the provider holds
    return object_of(body, "thread").get("type") == "continue"


def _ids(body: Object, *, server: bool) -> Iterator[Named]:
    for where, _, block in message_parts(body):
        kind = text_of(block, "type")
        name = "id" if kind in {"tool_use", "server_tool_use"} else "tool_use_id"
        word = word_of(block, name)
        if word is not None and server == (kind == "server_tool_use"):
            yield f"{where}/{name}", word


def _prefill(body: Object) -> Iterator[tuple[str, str, str]]:
    """Yield the assistant text that ends the conversation (the prefill), with the paths of its message and itself."""
    for path, message in [*objects(body.get("messages"), "/messages")][-1:]:
        if message.get("role") == "assistant":
            if type(message.get("content")) is str:
                yield path, f"{path}/content", message["content"]
            for where, block in [*objects(message.get("content"), f"{path}/content")][-1:]:
                if block.get("type") == "text":
                    yield path, f"{where}/text", text_of(block, "text")


_SHORT, _LONG = "5m", "1h"

# Block type -> the roles whose messages may not hold it.
_MISPLACED: Final[Mapping[str, frozenset[str]]] = MappingProxyType({
    "tool_use": frozenset({"user", "system"}),
    "thinking": frozenset({"user", "system"}),
    "redacted_thinking": frozenset({"user", "system"}),
    "tool_result": frozenset({"assistant", "system"}),
    "image": frozenset({"assistant", "system"}),
    "document": frozenset({"system"}),
})  # fmt: skip
_UNMARKED: Final = frozenset({"thinking", "redacted_thinking"})


def block_types(body: Object) -> Iterator[Violation]:
    """Content blocks have the members that section 1.2 requires, of the JSON types that it names."""
    yield from wrong_item_types(body.get("system"), "/system")
    for path, message in objects(body.get("messages"), "/messages"):
        yield from wrong_item_types(message.get("content"), f"{path}/content")
    for path, _, block in all_blocks(body):
        yield from members_of_block(block, path)


def misplaced_blocks(body: Object) -> Iterator[Violation]:
    """A block stands in a message of a role that may hold it (section 1.1)."""
    for path, role, block in message_parts(body):
        if role in _MISPLACED.get(text_of(block, "type"), ()):
            yield Violation("part", path, "messages of this role may not have such a block")


def empty_texts(body: Object) -> Iterator[Violation]:
    """No text is empty or white space alone, no list is empty ("text content blocks must be non-empty")."""
    messages = list(objects(body.get("messages"), "/messages"))
    for index, (path, message) in enumerate(messages):
        content = message.get("content")
        is_last_answer = index + 1 == len(messages) and message.get("role") == "assistant"
        if content == [] and not is_last_answer:
            yield Violation("empty", f"{path}/content", "content needs at least one block")
        elif type(content) is str and not content.strip() and not (is_last_answer and not content):
            yield Violation("empty_text", f"{path}/content", "a text of only white space")
    for path, lone, block in _texts(body):
        text = block.get("text")
        if type(text) is str and not (text.strip() if lone else text):
            yield Violation("empty_text", path, "a text of only white space")


def empty_failures(body: Object) -> Iterator[Violation]:
    """The result of a failed call has content ("content cannot be empty if `is_error` is true")."""
    for path, _, block in message_parts(body):
        if block.get("type") == "tool_result" and block.get("is_error") is True and block.get("content") in _NO_CONTENT:
            yield Violation("empty", f"{path}/content", "the result of a failed call needs content")


def unsigned_thinking(body: Object) -> Iterator[Violation]:
    """Thinking blocks carry their signature (section 8)."""
    for path, _, block in message_parts(body):
        kind = text_of(block, "type")
        if kind == "thinking" and not block.get("signature"):
            yield Violation("signature", path, "a thinking block needs the signature that came with it")


def foreign_signatures(body: Object) -> Iterator[Violation]:
    """No signature carries another provider's state, as an exchange writes it (section 8)."""
    for path, _, block in message_parts(body):
        if is_sealed(block.get(_SIGNED_MEMBERS.get(text_of(block, "type"), ""))):
            yield Violation(
                "signature", path, "this signature is another provider's, put in by an exchange: Claude refuses it"
            )


def many_cache_marks(body: Object) -> Iterator[Violation]:
    """At most 4 cache marks (section 6)."""
    for path, _ in [*_marks(body)][MAX_CACHE_MARKS:]:
        yield Violation("cache", path, "at most 4 blocks may have cache_control")


def cache_places(body: Object) -> Iterator[Violation]:
    """No cache mark on thinking blocks, nor on tools with `defer_loading` (section 8; ENC-24)."""
    for path, _, block in message_parts(body):
        if text_of(block, "type") in _UNMARKED and block.get("cache_control") is not None:
            yield Violation("cache", f"{path}/cache_control", "a thinking block may not have cache_control")
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("defer_loading") is True and tool.get("cache_control") is not None:
            yield Violation("cache", f"{path}/cache_control", "a tool with defer_loading may not have cache_control")


def cache_times(body: Object) -> Iterator[Violation]:
    """Cache marks with the longer TTL come first (section 6)."""
    has_short = False
    for path, mark in _marks(body):
        time = mark.get("ttl", _SHORT)
        if time == _SHORT:
            has_short = True
        elif time != _LONG:
            yield Violation("cache", f"{path}/ttl", "the ttl of cache_control must be 5m or 1h")
        elif has_short:
            yield Violation("cache", f"{path}/ttl", "blocks with the longer ttl of cache_control must come first")


def assistant_documents(body: Object) -> Iterator[Violation]:
    """Since 2026-10-21 assistant messages hold no documents (section 9)."""
    for path, role, block in message_parts(body):
        if role == "assistant" and block.get("type") == "document":
            yield Violation("part", path, "document blocks are only allowed in user messages")


def user_citations(body: Object) -> Iterator[Violation]:
    """Since 2026-10-21 user texts have no citations (section 9)."""
    for path, role, block in message_parts(body):
        if role == "user" and block.get("type") == "text" and block.get("citations"):
            yield Violation("member", f"{path}/citations", "citations are only allowed in texts of the assistant")


def _texts(body: Object) -> Iterator[tuple[str, bool, Object]]:
    """Yield all text blocks, each with its path and whether white space alone is refused in it.

    It is accepted in tool results, and in answers that a server tool's citations split into many texts.
    """
    for path, block in objects(body.get("system"), "/system"):
        if block.get("type") == "text":
            yield path, True, block
    for path, message in objects(body.get("messages"), "/messages"):
        blocks = list(objects(message.get("content"), f"{path}/content"))
        lone = not any(block.get("type") == "server_tool_use" for _, block in blocks)
        for where, block in blocks:
            if block.get("type") == "text":
                yield where, lone, block
            elif block.get("type") == "tool_result":
                for inside, inner in objects(block.get("content"), f"{where}/content"):
                    if inner.get("type") == "text":
                        yield inside, False, inner


def _marks(body: Object) -> Iterator[tuple[str, Object]]:
    """Yield the cache marks with their paths, in the order in which the server reads them."""
    marked = [*objects(body.get("tools"), "/tools"), *((path, block) for path, _, block in all_blocks(body))]
    for path, value in [*marked, ("", body)]:
        if type(value.get("cache_control")) is dict:
            yield f"{path}/cache_control", value["cache_control"]


_acceptable: Final = re.compile(r"[a-zA-Z0-9_-]{1,128}").fullmatch
_CUSTOM: Final = (None, "custom")


def tool_names(body: Object) -> Iterator[Violation]:
    """Names of tools and calls are letters, digits, `_` and `-`, and tool names are unique (section 6)."""
    named = list(members_named(objects(body.get("tools"), "/tools"), "name"))
    yield from refused_names(
        [*named, *_called(body)], _acceptable, "a name must have 1 to 128 letters, digits, _ and -"
    )
    yield from repeated(named, "each tool needs a name of its own", "name")


def tool_schemas(body: Object) -> Iterator[Violation]:
    """A custom tool has a name and a schema of type object (section 1.3)."""
    yield from wrong_item_types(body.get("tools"), "/tools")
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("type") not in _CUSTOM:
            continue
        if word_of(tool, "name") is None:
            yield Violation("required", f"{path}/name", "each tool needs a name")
        schema = tool.get("input_schema")
        if schema is None:
            yield Violation("required", f"{path}/input_schema", "each tool needs an input schema")
        elif type(schema) is not dict:
            yield Violation("schema", f"{path}/input_schema", "expected an object")
        elif not schema:
            yield Violation("schema", f"{path}/input_schema/type", "the schema must be of the type object")
        else:
            yield from refusals(schema, TOOL_SCHEMAS, f"{path}/input_schema")
            for name in refused_arguments(schema):
                where = f"{path}/input_schema/properties{pointer(name)}"
                yield Violation("name", where, "the name of an argument must have 1 to 64 letters, digits, _ . and -")


def choice_and_tools(body: Object) -> Iterator[Violation]:
    """`tool_choice` has a type and needs `tools`; a named choice has a name (section 1.4)."""
    choice = object_of(body, "tool_choice")
    if not choice:
        return
    if not body.get("tools"):
        yield Violation("setting", "/tool_choice", "tool_choice needs tools beside it")
    if text_of(choice, "type") not in {"auto", "any", "tool", "none"}:
        yield Violation("setting", "/tool_choice/type", "the type of tool_choice must be auto, any, tool or none")
    elif choice["type"] == "tool" and word_of(choice, "name") is None:
        yield Violation("required", "/tool_choice/name", "a tool_choice of the type tool needs a name")
    elif choice["type"] == "none" and choice.get("disable_parallel_tool_use") is not None:
        detail = "a tool_choice of the type none may not have disable_parallel_tool_use"
        yield Violation("member", "/tool_choice/disable_parallel_tool_use", detail)


def tool_references(body: Object) -> Iterator[Violation]:
    """A `tool_reference` names a tool of the request (TOOL-13)."""
    known = {text_of(tool, "name") for _, tool in objects(body.get("tools"), "/tools")}
    for path, role, block in all_blocks(body):
        if role == "result" and block.get("type") == "tool_reference" and text_of(block, "tool_name") not in known:
            yield Violation("name", f"{path}/tool_name", "tools has no tool of this name")


def domains(body: Object) -> Iterator[Violation]:
    """Allowed and blocked domains are not set together (section 8)."""
    for path, tool in objects(body.get("tools"), "/tools"):
        if tool.get("allowed_domains") and tool.get("blocked_domains"):
            yield Violation("setting", f"{path}/blocked_domains", "give allowed_domains or blocked_domains, not both")


def _called(body: Object) -> Iterator[Named]:
    return members_named(
        ((path, block) for path, _, block in message_parts(body) if block.get("type") == "tool_use"), "name"
    )


RULES: Final[tuple[Rule, ...]] = (
    required_settings, setting_types, empty_stops, limits, foreign_settings, thinking_budget, forced_choice,
    messages_and_roles, misplaced_instructions, calls_and_results, repeated_ids, late_results, refused_ids,
    server_results, ends_in_white_space, refused_prefill, thinking_before_calls, block_types, misplaced_blocks,
    empty_texts, empty_failures, unsigned_thinking, foreign_signatures, foreign_media, many_cache_marks, cache_places,
    cache_times, tool_names, tool_schemas, loose_schemas, circular_schemas, many_optional_members, many_unions,
    many_strict_tools, choice_and_tools, tool_references, domains,
)  # fmt: skip
# Rules that apply to Claude's own models alone.
_OF_CLAUDES_MODELS: Final[tuple[Rule, ...]] = (thinking_before_calls, unsigned_thinking, empty_failures)
# Rules that apply to the newest API version.
NEWEST_RULES: Final[tuple[Rule, ...]] = (*RULES, sampling, assistant_documents, user_citations)


def check_request(body: Any, api_version: str | None = None, family: Family | None = None) -> list[Violation]:
    """Return what Claude would refuse in a body of `POST /v1/messages`. Raises `DecodeError` if it is not an object.

    Without a version, only rules common to all versions apply.
    """
    rules = NEWEST_RULES if api_version == NEWEST else RULES
    if takes_unsigned(family):
        rules = tuple(rule for rule in rules if rule not in _OF_CLAUDES_MODELS)
    return judged(body, DIALECT, (*rules, *family_rules(family, FAMILY_RULES)))
