"""What a family of models refuses in a Chat Completions request although others accept it.

Source: the rows of families.py; docs/families.md.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.tables import REASONING_MEMBER, SETTINGS
from interlingua.rooms._shared.family_fitting import (
    Thinking,
    is_refused,
    refused_settings,
    requires_user_message,
    temperature_too_high,
    too_long,
    unknown_effort,
)
from interlingua.rooms._shared.openai_family_fitting import follows_openai_rules, refused_cache, refused_parts
from interlingua.rooms._shared.openai_schemas import is_not_object
from interlingua.rooms._shared.openai_settings import GATEWAY
from interlingua.rooms._shared.rule_helpers import members_named, object_of, objects, repeated, text_of
from interlingua.rooms.openai_chat.gateways import verdict_on_functions
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from interlingua.rooms._shared.rule_helpers import Object

_OTHERS: Final = ("stop", "user")  # settings that are read in more than one form
_FREE_CHOICES: Final = (None, "auto", "none")
_AUDIO: Final = "audio"


def settings(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Settings that these models refuse, or refuse beside reasoning."""
    is_direct = _is_direct(body)
    if facts.get("served") is False and is_direct:
        yield Violation("setting", "/model", "these models are only served by the Responses API")
    thinking = Thinking(effort=_effort(body))
    said = [(name, f"/{wire}", body[wire]) for wire, (name, _) in SETTINGS.items() if wire in body]
    said += [(name, f"/{name}", body[name]) for name in _OTHERS if name in body]
    yield from refused_settings(facts, said, thinking)
    yield from unknown_effort(facts, body.get("reasoning_effort"), "/reasoning_effort")
    yield from temperature_too_high(facts, body.get("temperature"))
    for name, fact in (("max_tokens", "max_tokens_member"), ("max_completion_tokens", "max_completion_tokens_member")):
        if body.get(name) is not None:
            if facts.get(fact) == "refuse" and is_direct:
                detail = "these models accept only the other one of max_tokens and max_completion_tokens"
                yield Violation("member", f"/{name}", detail)
            yield from too_long(facts, body[name], f"/{name}")
    if facts.get("web_search_options") == "refuse" and body.get("web_search_options") is not None:
        yield Violation("member", "/web_search_options", "these models do not accept web_search_options")


def metadata(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """OpenAI keeps metadata with answers that are stored alone ("only allowed when 'store' is enabled")."""
    if follows_openai_rules(facts) and body.get("metadata") and body.get("store") is not True and _is_direct(body):
        yield Violation("setting", "/metadata", "metadata is only accepted beside store: true")


def _is_direct(body: Object) -> bool:
    """Tell whether a body goes to the provider itself: a gateway accepts several forms of a setting."""
    return GATEWAY not in text_of(body, "model")


def _effort(body: Object) -> str | None:
    return text_of(body, "reasoning_effort") or None


def _thinks(body: Object, facts: Mapping[str, Any]) -> bool:
    """Tell whether a model thinks: by one of the providers' settings, or by default."""
    switch, effort = text_of(object_of(body, "thinking"), "type"), _effort(body)
    if body.get("enable_thinking") is True or switch == "enabled" or effort not in {None, "none"}:
        return True
    is_off = switch == "disabled" or body.get("enable_thinking") is False
    return facts.get("thinks_unasked", False) and not is_off and effort is None


def tools(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Tools beside reasoning, strict tools, and tools that are forced beside thinking."""
    effort, verdict = _effort(body), verdict_on_functions(facts, text_of(body, "model"))
    if body.get("tools") and verdict != "accept":
        if verdict in {"refuse", "only_in_responses"}:
            yield Violation("setting", "/tools", "these models accept functions only in the Responses API")
        elif is_refused(facts, "function_tools", {"function_tools": True}, Thinking(effort=effort)):
            detail = "these models accept functions only with reasoning_effort none"
            yield Violation("setting", "/reasoning_effort", detail)
    forced, choice = facts.get("forced_tool_choice"), body.get("tool_choice")
    if choice not in _FREE_CHOICES and forced == "refuse_if_thinking" and _thinks(body, facts):
        yield Violation(
            "setting", "/tool_choice", "with thinking on, tool_choice must be auto or none for these models"
        )
    if choice not in _FREE_CHOICES and forced == "refuse":
        yield Violation("setting", "/tool_choice", "tool_choice must be auto or none for these models")
    if forced == "any" and type(choice) is dict:
        yield Violation("setting", "/tool_choice", "these models can only be forced to call any tool, not a named one")
    if facts.get("strict_tools") == "refuse":
        for path, tool in objects(body.get("tools"), "/tools"):
            if object_of(tool, "function").get("strict") is not None:
                yield Violation("member", f"{path}/function/strict", "these servers have no strict tools")
        if object_of(object_of(body, "response_format"), "json_schema").get("strict") is not None:
            yield Violation("member", "/response_format/json_schema/strict", "these servers have no strict schemas")


# What counts as no parameters, for models that need them.
_TOO_EMPTY: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType({
    "require_parameters": (None, {}), "require_schema": (None,)
})  # fmt: skip


def functions(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Functions without parameters, or strict in part, and names that begin with no letter."""
    tools = [
        (path, object_of(tool, "function"))
        for path, tool in objects(body.get("tools"), "/tools")
        if tool.get("type") != "builtin_function"  # Moonshot's own, whose names begin with $
    ]
    said = [(f"{path}/function", function) for path, function in tools if function]
    empty = _TOO_EMPTY.get(facts.get("tool_members", ""), ())
    for path, function in said if empty else ():
        if function.get("parameters") in empty:
            yield Violation("required", f"{path}/parameters", "these models need the parameters of a function")
    if facts.get("tool_names") == "begin_with_a_letter":
        for path, function in said:
            if not text_of(function, "name")[:1].isalpha():
                yield Violation("name", f"{path}/name", "the name of a function must begin with a letter")
    if facts.get("repeated_tools") == "refuse":
        yield from repeated(members_named(said, "name"), "each tool needs a name of its own", "name")
    if facts.get("strict_tools") == "all_or_none" and len({one.get("strict") is True for _, one in said}) > 1:
        yield Violation("setting", "/tools", "on these servers all tools must be strict, or none")


def messages(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Roles and media that these models do not know, and marks for a cache."""
    said = [*objects(body.get("messages"), "/messages")]
    refused = [role for role in ("developer", "system") if facts.get(f"{role}_role") == "refuse"]
    for path, message in said if refused else ():
        if text_of(message, "role") in refused:
            yield Violation("role", f"{path}/role", "these models have no such role")
    if facts.get("calls_in_history") == "refuse":
        for path, message in said:
            if message.get("tool_calls") or text_of(message, "role") == "tool":
                yield Violation("role", path, "these models do not accept calls and results")
    if facts.get("user_after_results") == "refuse":
        roles = [text_of(message, "role") for _, message in said]
        for (path, _), before, role in zip(said[1:], roles, roles[1:], strict=False):
            if (before, role) == ("tool", "user"):
                yield Violation("order", path, "these models accept no user message directly behind a result")
    yield from refused_parts(said, facts)
    yield from refused_cache(body, said, facts)


def answers(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Forms of an answer that these models do not have, and sounds that they cannot do without."""
    form = object_of(body, "response_format").get("type")
    if facts.get("structured_output") is False and form == "json_schema":
        yield Violation("setting", "/response_format/type", "these models do not support a JSON schema")
    elif facts.get("json_mode") == "refuse" and form == "json_object":
        yield Violation("setting", "/response_format/type", "these models have no JSON mode")
    schema = object_of(object_of(body, "response_format"), "json_schema").get("schema")
    if follows_openai_rules(facts) and is_not_object(schema):
        yield Violation(
            "schema", "/response_format/json_schema/schema", "the schema of an answer must be that of an object"
        )
    if (
        facts.get("needs_sound")
        and not _speaks(body.get("modalities"))
        and not _holds_sound(objects(body.get("messages"), ""))
    ):
        yield Violation("required", "/messages", "these models need audio, as input or as an output modality")


def _speaks(modalities: Any) -> bool:
    return type(modalities) is list and _AUDIO in modalities


def _holds_sound(messages: Iterable[tuple[str, Object]]) -> bool:
    return any(
        text_of(part, "type") == "input_audio"
        for _, message in messages
        for _, part in objects(message.get("content"), "")
    )


# What counts as no reasoning, for models that require it before calls.
_MISSING: Final[Mapping[str, tuple[str | None, ...]]] = MappingProxyType({
    "require": (None,), "require_words": (None, "")
})  # fmt: skip


def calls(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """The reasoning before calls."""
    missing = _MISSING.get(facts.get("reasoning_in_calls", ""))
    if missing and _is_direct(body) and _thinks(body, facts):
        for path, message in objects(body.get("messages"), "/messages"):
            if message.get("tool_calls") and message.get(REASONING_MEMBER) in missing:
                detail = "these models need reasoning_content in a message with tool_calls"
                yield Violation("required", f"{path}/{REASONING_MEMBER}", detail)


FAMILY_RULES: Final = (settings, metadata, tools, functions, messages, answers, calls, requires_user_message)
