"""Canonical to Chat Completions: what the family of the model asks for, before a request of another dialect is written.

Source: docs/families.md; the rows of families.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.extra import NOTHING
from interlingua.rooms._shared.fitting import (
    drop_media,
    drop_strict,
    drop_tools,
    is_no_search,
    leave_out_settings,
    limit_answer,
    say_roles,
)
from interlingua.rooms._shared.openai_fitting import drop_schema, effort_alone, unread_media
from interlingua.rooms._shared.thinking import EFFORT, OFF
from interlingua.rooms._shared.verdicts import Thinking

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.spi.families import Family

_NONE_SAID: Final = "only_if_effort_none"
_TOOLS_ALONE: Final = "these models take functions where they do not reason"


def fitted_request(request: ChatRequest, family: Family | None, log: LossLog) -> ChatRequest:
    """Return the request as models of the family take it; what they refuse is noted in the log."""
    facts = NOTHING if family is None else family.facts
    fitted: dict[str, Any] = {**request}
    _settle_reasoning(fitted, facts, log)
    if facts:
        _apply(fitted, facts, log)
    return cast("ChatRequest", fitted)


def _apply(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    if facts.get("function_tools") == "refuse":
        drop_tools(request, log, "these models take functions by Responses alone", is_no_search)
    effort = request.get("reasoning", NOTHING).get("effort")
    leave_out_settings(request, facts, Thinking(effort=effort), log)
    limit_answer(request, facts, log)
    if facts.get("developer_role") == "refuse":
        other = "user" if facts.get("system_role") == "refuse" else "system"
        roles = {"developer": other, "system": other} if other == "user" else {"developer": other}
        say_roles(request, roles, log, "these models have no such role", leading=True)
    drop_media(request, unread_media(facts), log)
    drop_schema(request, facts, log)
    if facts.get("strict_tools") == "refuse":
        _drop_strict(request, log)
    if facts.get("cache_marks") == "refuse":
        _drop_cache(request, log)


def _settle_reasoning(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Say how much to reason; where functions and reasoning are not had together, the functions are."""
    reasoning = request.get("reasoning", NOTHING)
    asked = [name for name in ("mode", "effort", "budget_tokens") if name in reasoning]
    kept = {name: value for name, value in reasoning.items() if name == "display"}
    if _wants_tools_alone(request, facts) and not _is_off(reasoning):
        if facts["function_tools"] == _NONE_SAID and not asked:
            log.filled(EFFORT, _TOOLS_ALONE)
        for name in asked:
            log.changed("setting", f"/reasoning/{name}", _TOOLS_ALONE)
        if asked or facts["function_tools"] == _NONE_SAID:
            request["reasoning"] = {**kept, "effort": "none"}
    elif asked and not _is_off(reasoning) and _is_forced(request, facts):
        for name in asked:
            log.lost("setting", f"/reasoning/{name}", "beside reasoning no tool is forced upon these models")
        request["reasoning"] = kept
    elif "reasoning" in request:
        request["reasoning"] = effort_alone(reasoning, facts, log)


def _wants_tools_alone(request: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    return bool(request.get("tools")) and facts.get("function_tools") in {_NONE_SAID, "only_if_effort_none_or_absent"}


def _is_off(reasoning: Mapping[str, Any]) -> bool:
    return reasoning.get("mode") == OFF or reasoning.get("effort") == "none" or reasoning.get("budget_tokens") == 0


def _is_forced(request: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    """Tell whether a tool is forced upon models that take this only where they do not reason."""
    choice = request.get("tool_choice", NOTHING)
    is_forced = choice.get("mode") in {"required", "named"} or choice.get("required", False)
    return facts.get("forced_tool_choice") == "refuse_if_thinking" and bool(request.get("tools")) and is_forced


def _drop_strict(request: dict[str, Any], log: LossLog) -> None:
    if "tools" in request:
        request["tools"] = drop_strict(request["tools"], log)
    form = request.get("response_format", NOTHING)
    if "strict" in form:
        request["response_format"] = {name: value for name, value in form.items() if name != "strict"}
        note = log.lost if form["strict"] else log.changed
        note("setting", "/response_format/strict", "these servers know no strictness")


def _drop_cache(request: dict[str, Any], log: LossLog) -> None:
    """Leave out the wishes and marks for a cache."""
    for name in ("cache", "prompt_cache_key", "prompt_cache_retention"):
        if name in request:
            log.lost("cache", f"/{name}", "these servers take no wishes for a cache")
            del request[name]
    for group in ("messages", "tools"):
        if group in request:
            request[group] = [_without_mark(one, f"/{group}/{index}", log) for index, one in enumerate(request[group])]


def _without_mark(one: Mapping[str, Any], path: str, log: LossLog) -> Mapping[str, Any]:
    content = one.get("content")
    kept: dict[str, Any] = {name: value for name, value in one.items() if name != "cache"}
    if "cache" in one:
        log.lost("cache", f"{path}/cache", "these servers take no marks for a cache")
    if type(content) is list and any("cache" in part for part in content):
        kept["content"] = [_without_mark(part, f"{path}/content/{at}", log) for at, part in enumerate(content)]
    return kept
