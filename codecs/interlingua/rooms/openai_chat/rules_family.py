"""What one family of models refuses of a Chat Completions request that others take.

Source: the rows of families.py; docs/families.md.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.openai_families import refused_media
from interlingua.rooms._shared.ruling import object_of, objects, text_of
from interlingua.rooms._shared.verdicts import Thinking, is_refused, refused_settings, too_long, unknown_effort
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.ruling import Object, Rule
    from interlingua.spi.families import Family

_SETTINGS: Final = (
    "temperature", "top_p", "frequency_penalty", "presence_penalty", "logit_bias", "logprobs", "top_logprobs", "stop",
    "parallel_tool_calls",
)  # fmt: skip
_FREE_CHOICES: Final = (None, "auto", "none")
# Gateways name models behind the name of their provider, and speak for more than one way to ask.
_GATEWAY: Final = "/"
_CACHE_MEMBERS: Final = ("prompt_cache_options", "prompt_cache_key", "prompt_cache_retention")


def family_rules(family: Family | None) -> tuple[Rule, ...]:
    """Return the rules of a family, if there is one."""
    return () if family is None else tuple(partial(rule, facts=family.facts) for rule in _RULES)


def settings(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Settings that these models refuse, or refuse beside reasoning."""
    is_direct = _GATEWAY not in text_of(body, "model")
    if facts.get("served") is False and is_direct:
        yield Violation("setting", "/model", "these models answer to Responses alone")
    thinking = Thinking(effort=_effort(body))
    yield from refused_settings(facts, [(name, f"/{name}", body[name]) for name in _SETTINGS if name in body], thinking)
    yield from unknown_effort(facts, body.get("reasoning_effort"), "/reasoning_effort")
    for name, fact in (("max_tokens", "max_tokens_member"), ("max_completion_tokens", "max_completion_tokens_member")):
        if body.get(name) is not None:
            if facts.get(fact) == "refuse" and is_direct:
                yield Violation("member", f"/{name}", "these models take the other member for the limit")
            yield from too_long(facts, body[name], f"/{name}")
    if facts.get("web_search_options") == "refuse" and body.get("web_search_options") is not None:
        yield Violation("member", "/web_search_options", "these models do not search")


def _effort(body: Object) -> str | None:
    return text_of(body, "reasoning_effort") or None


def tools(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Tools beside reasoning, strict tools, and tools that are forced beside thinking."""
    effort = _effort(body)
    if body.get("tools") and is_refused(facts, "function_tools", {"function_tools": True}, Thinking(effort=effort)):
        path = "/reasoning_effort" if facts["function_tools"] != "refuse" else "/tools"
        yield Violation("setting", path, "these models take functions here only where they do not reason")
    thinks = facts.get("forced_tool_choice") == "refuse_if_thinking" and (
        body.get("enable_thinking") is True
        or text_of(object_of(body, "thinking"), "type") == "enabled"
        or effort not in {None, "none"}
    )
    if (
        facts.get("forced_tool_choice") == "refuse_if_thinking"
        and thinks
        and body.get("tool_choice") not in _FREE_CHOICES
    ):
        yield Violation("setting", "/tool_choice", "beside thinking no tool is forced upon these models")
    if facts.get("strict_tools") == "refuse":
        for path, tool in objects(body.get("tools"), "/tools"):
            if object_of(tool, "function").get("strict") is not None:
                yield Violation("member", f"{path}/function/strict", "these servers have no strict tools")
        if object_of(object_of(body, "response_format"), "json_schema").get("strict") is not None:
            yield Violation("member", "/response_format/json_schema/strict", "these servers have no strict schemas")


def messages(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Roles and media that these models do not know, and marks for a cache."""
    said = [*objects(body.get("messages"), "/messages")]
    refused = [role for role in ("developer", "system") if facts.get(f"{role}_role") == "refuse"]
    for path, message in said if refused else ():
        if text_of(message, "role") in refused:
            yield Violation("role", f"{path}/role", "these models have no such role")
    yield from refused_media(said, facts)
    if facts.get("structured_output") is False and object_of(body, "response_format").get("type") == "json_schema":
        yield Violation("setting", "/response_format/type", "these models have no answers after a schema")
    if facts.get("cache_marks") == "refuse":
        for name in _CACHE_MEMBERS:
            if body.get(name) is not None:
                yield Violation("cache", f"/{name}", "these servers take no wishes for a cache")
        for path, message in said:
            for where, part in (("", message), *objects(message.get("content"), "/content")):
                for name in ("cache_control", "prompt_cache_breakpoint"):
                    if part.get(name) is not None:
                        yield Violation("cache", f"{path}{where}/{name}", "these servers take no marks for a cache")


_RULES: Final = (settings, tools, messages)
