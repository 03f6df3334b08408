"""Fit a request of another dialect to the model family before it is encoded for Gemini.

Source: docs/families.md; the rows of families.py. Gemini 2.5 has thinking budgets, Gemini 3 and newer thinking levels.
Without a family either is written, never both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.families import (
    Thinking,
    drop_media,
    drop_tools,
    drop_uncalled,
    holds_media,
    is_search,
    leave_out_settings,
    limit_answer,
    refused_media,
    say_roles,
)
from interlingua.rooms._shared.json_wish import in_words
from interlingua.rooms._shared.media import MEDIA_BESIDE
from interlingua.rooms._shared.thinking import (
    BUDGET,
    BUDGETS,
    DISPLAY,
    EFFORT,
    MODE,
    OFF,
    USUAL_EFFORT,
    Wish,
    asked_for,
    effort_of,
    nearest,
    tell_unknown,
    wish_of,
)
from interlingua.rooms._shared.told_calls import tell_calls
from interlingua.rooms.gemini.tables import DIALECT, TEXT_ALONE
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.spi.families import Family

_JSON_OR_FUNCTIONS: Final = (
    "these models accept a JSON schema or functions, not both: the instructions ask for it in words"
)
_LEVELS: Final = ("minimal", "low", "medium", "high", "xhigh")


def fitted_request(request: ChatRequest, family: Family | None, log: LossLog) -> ChatRequest:
    """Return the request as models of the family accept it; losses are recorded in `log`."""
    facts = NOTHING if family is None else family.facts
    fitted: dict[str, Any] = {**request}
    drop_uncalled(fitted, log)
    if "reasoning" in fitted:
        fitted["reasoning"] = _thinking(fitted["reasoning"], facts, log)
        if not fitted["reasoning"]:
            del fitted["reasoning"]
    if facts:
        _apply(fitted, facts, log)
    return cast("ChatRequest", fitted)


def _apply(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    leave_out_settings(request, facts, Thinking(), log)
    limit_answer(request, facts, log)
    _limit_modalities(request, facts, log)
    if facts.get("system_instruction") == "refuse":
        roles = {"system": "user", "developer": "user"}
        detail = "these models do not accept systemInstruction: it was sent as a user message"
        say_roles(request, roles, DIALECT, log, detail, leading=True)
    drop_media(request, refused_media(facts), log)
    if facts.get("media_in_results") is False:
        for index, message in enumerate(request["messages"]):
            if message["role"] == "tool" and holds_media(message.get("content")):
                log.changed("content", f"/messages/{index}/content", MEDIA_BESIDE)
    if facts.get("function_tools") == "refuse":
        drop_tools(request, log, "these models do not support functions")
        tell_calls(request, DIALECT, log)
    if not any(tool["type"] == "function" for tool in request.get("tools", ())):
        return
    if (
        facts.get("json_with_functions") == "refuse"
        and request.get("response_format", {"type": "text"})["type"] != "text"
    ):
        request["response_format"] = in_words(request["response_format"], "text")
        log.lost("setting", "/response_format", _JSON_OR_FUNCTIONS)
    if facts.get("search_with_functions") == "refuse":
        drop_tools(request, log, "these models accept googleSearch or functions, not both", _is_of_google)


def _is_of_google(tool: Mapping[str, Any]) -> bool:
    """Return whether a tool is Google Search or URL context."""
    return is_search(tool) or (tool["type"] == "opaque" and tool["dialect"] == DIALECT and "urlContext" in tool["data"])


def _limit_modalities(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Drop response modalities that the models do not have."""
    known, asked = facts.get("modalities"), request.get("modalities")
    if known is None or asked is None or set(asked) <= {*known}:
        return
    log.lost("setting", "/modalities", TEXT_ALONE)
    kept = [word for word in asked if word in known]
    request["modalities"] = kept
    if not kept:
        del request["modalities"]


def _thinking(reasoning: Mapping[str, Any], facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    wish = wish_of(reasoning, log)
    control = facts.get("thinking", "")
    if control in {"none", "shown"}:
        for name in reasoning:
            if control == "none" or name != "display":
                note = log.changed if wish.is_off else log.lost
                note("setting", f"/reasoning/{name}", "these models do not accept thinkingConfig")
        return {} if control == "none" or wish.display is None else {"display": wish.display}
    settings = _off(reasoning, wish, facts, log) if wish.is_off else _on(wish, facts, log)
    tell_unknown(reasoning, wish, settings, log)
    if wish.display is not None:
        if settings.get("mode") == OFF and wish.display != "omitted":
            log.lost("setting", DISPLAY, "these models do not think: includeThoughts was left out")
        else:
            settings["display"] = wish.display
    elif wish.mode and "mode" in reasoning and settings:
        # Dialects with a thinking mode show thoughts by default; Gemini hides them.
        settings["display"] = "summarized"
        log.filled(DISPLAY, "thoughts are shown only with includeThoughts")
    return settings


def _off(reasoning: Mapping[str, Any], wish: Wish, facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    said = f"/reasoning/{asked_for(reasoning)[0]}"
    if wish.effort is not None:
        log.lost("setting", EFFORT, "thinking is switched off")
    if facts.get("thinking") == "level":
        log.changed("setting", said, "these models always think: the lowest setting that they accept is sent")
        return {"effort": facts["levels"][0]}
    if facts.get("thinking") == "budget" and not facts.get("budget_zero"):
        log.changed("setting", said, "these models always think: the lowest setting that they accept is sent")
        return {"mode": "enabled", "budget_tokens": facts["budgets"][0]}
    return {"mode": OFF}


def _on(wish: Wish, facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    if not wish.is_on:
        return {}
    if wish.mode == "between_tools":
        log.changed("setting", MODE, "the target has no such mode")
        wish = wish._replace(mode="adaptive")
    control = facts.get("thinking", "")
    if control == "budget" or (control == "" and wish.effort is None):
        return _by_budget(wish, facts, log)
    return _by_level(wish, facts.get("levels", _LEVELS), log)


def _by_level(wish: Wish, levels: tuple[str, ...], log: LossLog) -> dict[str, Any]:
    asked = wish.effort or (USUAL_EFFORT if wish.budget is None else effort_of(wish.budget))
    effort = nearest(asked, levels)
    if wish.effort is None:
        log.filled(EFFORT, "these models accept thinkingLevel instead of thinkingBudget")
    elif effort != wish.effort:
        log.changed("setting", EFFORT, "the target does not have this value: the nearest one is sent")
    if wish.budget is not None:
        log.changed("setting", BUDGET, "the budget is sent as thinkingLevel")
    if wish.mode:
        log.changed("setting", MODE, "thinkingLevel switches thinking on")
    return {"effort": effort}


def _by_budget(wish: Wish, facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    if wish.budget is None and wish.effort is None:
        if wish.mode == "enabled":
            log.changed("setting", MODE, "without thinkingBudget the model decides how much it thinks")
        return {"mode": "adaptive"}
    budget = BUDGETS[wish.effort or USUAL_EFFORT] if wish.budget is None else wish.budget
    least, most = facts.get("budgets", (budget, budget))
    fitting = min(max(budget, least, 1), most)
    if wish.effort is not None:
        log.changed("setting", EFFORT, "the effort is sent as thinkingBudget")
    if wish.budget is None:
        log.filled(BUDGET, "these models accept thinkingBudget instead of thinkingLevel")
    elif fitting != budget:
        log.changed("setting", BUDGET, f"these models accept a thinkingBudget from {least} to {most}")
    if not wish.mode:
        log.filled(MODE, "thinkingBudget switches thinking on")
    elif wish.mode != "enabled":
        log.changed("setting", MODE, "with thinkingBudget, the amount of thinking is fixed")
    return {"mode": "enabled", "budget_tokens": fitting}
