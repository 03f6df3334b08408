"""Canonical to vLLM: fit a request of another dialect to the model's family, before it is written.

Source: docs/families.md; the rows of families.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._chat_completions.encode_template import NAMES_IGNORED, roles_joined, without_names
from interlingua.rooms._shared.family_fitting import drop_media, refused_media
from interlingua.rooms._shared.schema_inlining import inline_references
from interlingua.rooms._shared.thinking import (
    BUDGET,
    BUDGETS,
    EFFORT,
    MODE,
    NEAREST,
    OFF,
    ThinkingRequest,
    effort_of,
    nearest,
    report_effort_of_off,
    report_least_thinking,
    report_unknown_values,
    report_unthinking,
    thinking_request,
)
from interlingua.rooms._shared.user_messages import with_required_user_message
from interlingua.rooms.vllm.tables import DIALECT
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.spi.families import Family

_EFFORTS: Final = ("none", *BUDGETS)
_INCOMPLETE: Final = "the template of these models fails on a tool without it"


def fitted_request(request: ChatRequest, family: Family | None, log: LossLog) -> ChatRequest:
    """Return the request as the models of a family accept it; losses go to the log."""
    facts = NOTHING if family is None else family.facts
    fitted: dict[str, Any] = {**with_required_user_message(request, DIALECT, facts, log)}
    drop_media(fitted, refused_media(facts), log)
    if "reasoning" in fitted:
        fitted["reasoning"] = _fitted_thinking(fitted["reasoning"], facts, log)
    if facts:
        fitted["messages"] = without_names(fitted["messages"], roles_joined(facts), log, NAMES_IGNORED)
    if facts.get("schema_references") == "refuse":
        inline_references(fitted, log)
    if facts.get("tool_members") == "require" and "tools" in fitted:
        fitted["tools"] = [_with_required_members(tool, f"/tools/{at}", log) for at, tool in enumerate(fitted["tools"])]
    return cast("ChatRequest", fitted)


def _with_required_members(tool: dict[str, Any], path: str, log: LossLog) -> dict[str, Any]:
    """Return a tool with a description and with `properties` in its parameters."""
    if tool["type"] != "function":
        return tool
    if "description" not in tool:
        tool = {**tool, "description": ""}
        log.filled(f"{path}/description", _INCOMPLETE)
    parameters = tool.get("parameters") or {}
    if "properties" not in parameters:
        tool = {**tool, "parameters": {**parameters, "type": "object", "properties": {}}}
        log.filled(f"{path}/parameters/properties", _INCOMPLETE)
    return tool


def _fitted_thinking(reasoning: Mapping[str, Any], facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    efforts: tuple[str, ...] = facts.get("efforts", _EFFORTS)
    requested = thinking_request(reasoning, log)
    if facts.get("thinking") == "none" and requested.is_on:
        report_unthinking(reasoning, requested.display, log)
        return {}
    settings: dict[str, Any] = {} if requested.display is None else {"display": requested.display}
    if requested.is_off:
        report_effort_of_off(requested, log)
        settings |= _unthinking(reasoning, efforts, log, has_switch=facts.get("thinking") == "template")
    elif requested.is_on:
        settings |= _thinking(_with_budget_of(requested, facts, log), efforts, log)
    report_unknown_values(reasoning, requested, settings, log)
    return settings


def _with_budget_of(requested: ThinkingRequest, facts: Mapping[str, Any], log: LossLog) -> ThinkingRequest:
    """Return what is asked without a budget, if a server with these models refuses that, and with its effort instead.

    Servers take `thinking_token_budget` only if the parser of the model's reasoning knows where that begins and ends.
    """
    budget, how = requested.budget, facts.get("thinking_budget")
    if budget is None or how is None:
        return requested
    if how == "refuse":
        log.lost("setting", BUDGET, "servers with these models refuse a budget")
        return requested._replace(budget=None, mode=requested.mode or "adaptive")
    log.changed("setting", BUDGET, "servers with these models refuse a budget: it is sent as an effort")
    if requested.effort is None:
        log.filled(EFFORT, "the budget was converted to an effort")
    if requested.mode:
        log.changed("setting", MODE, "reasoning is only switched on by an effort")
    return requested._replace(budget=None, mode="", effort=requested.effort or effort_of(budget))


def _thinking(requested: ThinkingRequest, efforts: tuple[str, ...], log: LossLog) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    effort = None if requested.effort is None else nearest(requested.effort, efforts)
    if effort is not None:
        settings["effort"] = effort
        if effort != requested.effort:
            log.changed("setting", EFFORT, NEAREST)
    if requested.mode:
        settings["mode"] = "adaptive"
        if requested.mode != "adaptive":
            log.changed("setting", MODE, "the model chooses how much it thinks")
    if requested.budget is not None:
        settings["budget_tokens"] = requested.budget
    return settings


def _unthinking(reasoning: Any, efforts: tuple[str, ...], log: LossLog, *, has_switch: bool) -> dict[str, Any]:
    """Return the settings for no thinking, or the least: a switch of the template, or an effort."""
    if "none" not in efforts and has_switch:
        return {"mode": OFF}
    if "none" not in efforts:
        report_least_thinking(reasoning, log)
        return {"effort": nearest("none", efforts)}
    if reasoning.get("effort") == "none":
        return {"effort": "none", **({"mode": OFF} if reasoning.get("mode") is not None else {})}
    return {"mode": OFF}
