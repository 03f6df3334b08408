"""Canonical to Ollama: fit a request of another dialect to the model's family, before it is written.

Source: docs/families.md; the rows of families.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.calls_as_text import calls_to_text
from interlingua.rooms._shared.family_fitting import drop_media, drop_tools, refused_media
from interlingua.rooms._shared.thinking import (
    BUDGET,
    DISPLAY,
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
from interlingua.rooms.ollama.tables import DIALECT
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.spi.families import Family

_WORDS: Final = ("low", "medium", "high")
_ALL_WORDS: Final = (*_WORDS, "max")


def fitted_request(request: ChatRequest, family: Family | None, log: LossLog) -> ChatRequest:
    """Return the request as the models of a family accept it; losses go to the log."""
    facts = NOTHING if family is None else family.facts
    fitted: dict[str, Any] = {**with_required_user_message(request, DIALECT, facts, log)}
    if "reasoning" in fitted:
        fitted["reasoning"] = fitted_thinking(fitted["reasoning"], facts, log)
    if facts.get("tools") == "refuse":
        drop_tools(fitted, log, "these models do not support tools")
        calls_to_text(fitted, DIALECT, log)  # their templates leave out calls and results
    drop_media(fitted, refused_media(facts), log)
    return cast("ChatRequest", fitted)


def fitted_thinking(reasoning: Mapping[str, Any], facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    """Return the settings for `think`, a mode or an effort: off, on, or how much."""
    kind = facts.get("think", "")
    requested = thinking_request(reasoning, log)
    if kind == "refuse" and requested.is_on:
        report_unthinking(reasoning, requested.display, log)
        report_unknown_values(reasoning, requested, {}, log)
        return {}
    if requested.display is not None:
        note = log.lost if requested.display == "omitted" else log.changed
        note("setting", DISPLAY, "Ollama always shows thinking")
    if requested.is_off:
        report_effort_of_off(requested, log)
        if kind != "levels":
            return {"mode": OFF}
        report_least_thinking(reasoning, log)
        return {"effort": _WORDS[0]}
    settings = _on(reasoning, requested, facts, log) if requested.is_on else {}
    report_unknown_values(reasoning, requested, settings, log)
    return settings


def _on(
    reasoning: Mapping[str, Any], requested: ThinkingRequest, facts: Mapping[str, Any], log: LossLog
) -> dict[str, Any]:
    kind = facts.get("think", "")
    if requested.budget is not None:
        log.changed("setting", BUDGET, "think has levels but no budget")
    effort = requested.effort if requested.budget is None else requested.effort or effort_of(requested.budget)
    if kind == "flag" or effort is None:
        return _switched_on(requested, log)
    word = nearest(effort, _WORDS if kind == "levels" else facts.get("efforts", _ALL_WORDS))
    if requested.effort is None:
        log.filled(EFFORT, "the budget was converted to an effort")
    elif word != effort:
        log.changed("setting", EFFORT, NEAREST)
    if requested.mode and "mode" in reasoning:
        log.changed("setting", MODE, "the effort is sent as think")
    return {"effort": word}


def _switched_on(requested: ThinkingRequest, log: LossLog) -> dict[str, Any]:
    if requested.effort is not None:
        log.changed("setting", EFFORT, "think is only true or false for these models")
    if not requested.mode:
        log.filled(MODE, "an effort switches thinking on")
    elif requested.mode != "adaptive":
        log.changed("setting", MODE, "with think: true, the model chooses how much it thinks")
    return {"mode": "adaptive"}
