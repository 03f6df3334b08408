"""Fit a request of another dialect to the model family before it is encoded for Gemini.

Source: docs/families.md; the rows of families.py. Gemini 2.5 has thinking budgets, Gemini 3 and newer thinking levels.
Without a family either is written, never both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.calls_as_text import calls_to_text
from interlingua.rooms._shared.family_fitting import (
    INSTRUCTIONS_AS_USER,
    Thinking,
    drop_disallowed_server_tools,
    drop_media,
    drop_own_member,
    drop_tools,
    holds_media,
    is_search,
    leave_out_settings,
    limit_settings,
    map_roles,
    refused_media,
)
from interlingua.rooms._shared.instructions import ask_for_json_in_words
from interlingua.rooms._shared.media import MEDIA_BESIDE
from interlingua.rooms._shared.parts_as_text import with_run_tools_as_text
from interlingua.rooms._shared.thinking import (
    BUDGET,
    BUDGETS,
    DEFAULT_EFFORT,
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
    thinking_request,
)
from interlingua.rooms.gemini.opaque_texts import texts_of_opaque
from interlingua.rooms.gemini.tables import DIALECT, INVOCATIONS, RESOLUTION_WORDS, TEXT_ALONE, TOOL_PARTS
from interlingua.spi.extra import NOTHING, has_same_client, own_extra, with_extras

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

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
    drop_disallowed_server_tools(fitted, log)
    if "reasoning" in fitted:
        fitted["reasoning"] = _thinking(fitted, facts, log)
        if not fitted["reasoning"]:
            del fitted["reasoning"]
    if facts:
        _fit_to_facts(fitted, facts, log)
    return cast("ChatRequest", fitted)


def _fit_to_facts(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    leave_out_settings(request, facts, Thinking(), log)
    limit_settings(request, facts, log)
    _limit_modalities(request, facts, log)
    if facts.get("system_instruction") == "refuse":
        detail = "these models do not accept systemInstruction: it was sent as a user message"
        map_roles(request, INSTRUCTIONS_AS_USER, DIALECT, log, detail, leading=True)
    drop_media(request, refused_media(facts), log)
    if facts.get("media_in_results") is False:
        for index, message in enumerate(request["messages"]):
            if message["role"] == "tool" and holds_media(message.get("content")):
                log.changed("content", f"/messages/{index}/content", MEDIA_BESIDE)
    if facts.get("tool_invocations") == "refuse":
        _drop_tool_invocations(request, log)
    if facts.get("function_tools") == "refuse":
        drop_tools(request, log, "these models do not support functions")
        calls_to_text(request, DIALECT, log)
    if not any(tool["type"] == "function" for tool in request.get("tools", ())):
        return
    if (
        facts.get("json_with_functions") == "refuse"
        and request.get("response_format", {"type": "text"})["type"] != "text"
    ):
        ask_for_json_in_words(request, "text", _JSON_OR_FUNCTIONS, log)
    if facts.get("search_with_functions") == "refuse":
        drop_tools(request, log, "these models accept googleSearch or functions, not both", _is_google_search)


def _drop_tool_invocations(request: dict[str, Any], log: LossLog) -> None:
    """Write calls and results of Google's own tools as text, and do not ask for them."""
    given: list[Any] = request["messages"]
    said = with_run_tools_as_text(
        given, DIALECT, lambda part: not part.keys().isdisjoint(TOOL_PARTS), texts_of_opaque, log
    )
    for index, (message, one) in enumerate(zip(given, said, strict=True)):
        bag = own_extra(one, DIALECT)
        if one is not message and len(one["content"]) < len(message["content"]) and "thought_signatures" in bag:
            said[index] = with_extras(one, {DIALECT: {**bag, "thought_signatures": []}})
            path = f"/messages/{index}/extra/{DIALECT}/thought_signatures"
            log.lost("provider_state", path, "the signatures belong to the places of parts, which have changed")
    request["messages"] = said
    drop_own_member(request, DIALECT, ("toolConfig", INVOCATIONS), log)


def _is_google_search(tool: Mapping[str, Any]) -> bool:
    """Return whether a tool is Google Search or URL context."""
    return is_search(tool) or (tool["type"] == "opaque" and tool["dialect"] == DIALECT and "urlContext" in tool["data"])


def _limit_modalities(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Drop response modalities that the models do not have."""
    known, asked = facts.get("modalities"), request.get("modalities")
    if known is None or asked is None or set(asked) <= {*known}:
        if known is not None and asked is None:
            _drop_respelt_modalities(request, known, log)
        return
    log.lost("setting", "/modalities", TEXT_ALONE)
    kept = [word for word in asked if word in known]
    request["modalities"] = kept
    if not kept:
        del request["modalities"]


def _drop_respelt_modalities(request: dict[str, Any], known: Collection[str], log: LossLog) -> None:
    """Drop response modalities that are not in capitals (`Image`), as Google's own examples have them."""
    config = own_extra(request, DIALECT).get("fields", NOTHING).get(_CONFIG, NOTHING)
    asked = config.get(_MODALITIES) if type(config) is dict else None
    if type(asked) is list and any(type(word) is str and word.lower() not in known for word in asked):
        drop_own_member(request, DIALECT, (_CONFIG, _MODALITIES), log)


_CONFIG: Final = "generationConfig"
_MODALITIES: Final = "responseModalities"
_MEMBER: Final = "mediaResolution"
# In ascending order; `auto` is the default, and `high` is the most that a request can ask for.
_ORDER: Final = ("low", "auto", "medium", "high")
_MOST: Final = frozenset({"ultra_high", "original"})
_FOR_ALL: Final = "these models use one resolution for all images: the highest detail is sent for all"
_UNASKED: Final = "these models use one resolution for all images: that of the request, or the default"


def with_one_resolution(
    request: ChatRequest, family: Family | None, log: LossLog
) -> tuple[ChatRequest, dict[str, Any]]:
    """Return the request without the details of its images, and the `generationConfig` member that replaces them."""
    if family is None or family.facts.get("media_resolution") != "of_the_request":
        return request, {}
    pictures = [*_pictures(request["messages"])]
    said = [(path, part["detail"]) for path, part in pictures if part.get("detail", "auto") != "auto"]
    if not said:
        return request, {}
    highest = max((_nearest(part.get("detail", "auto")) for _, part in pictures), key=_ORDER.index)
    own: Any = own_extra(request, DIALECT).get("fields", NOTHING).get("generationConfig")
    is_sent = highest != "auto" and not (type(own) is dict and _MEMBER in own)
    for path, detail in said:
        if is_sent and _nearest(detail) == highest:
            log.changed("setting", f"{path}/detail", _FOR_ALL)
        else:
            log.lost("setting", f"{path}/detail", _FOR_ALL if is_sent else _UNASKED)
    kept = {**request, "messages": [_without_details(message) for message in request["messages"]]}
    return cast("ChatRequest", kept), {_MEMBER: RESOLUTION_WORDS[highest]} if is_sent else {}


def _pictures(messages: list[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for index, message in enumerate(messages):
        yield from _of_content(message.get("content"), f"/messages/{index}/content")


def _of_content(content: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for at, part in enumerate(content if type(content) is list else ()):
        if part["type"] == "image":
            yield f"{path}/{at}", part
        elif part["type"] == "file":
            yield from _of_content(part.get("content"), f"{path}/{at}/content")


def _nearest(detail: str) -> str:
    return detail if detail in _ORDER else "high" if detail in _MOST else "auto"


def _without_details(holder: Any) -> Any:
    """Return a message or part without the details of the images in it."""
    if holder.get("type") == "image":
        return {name: value for name, value in holder.items() if name != "detail"}
    if type(holder.get("content")) is not list:
        return holder
    return {**holder, "content": [_without_details(part) for part in holder["content"]]}


def _thinking(request: Mapping[str, Any], facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    reasoning: Mapping[str, Any] = request["reasoning"]
    requested = thinking_request(reasoning, log)
    control = facts.get("thinking", "")
    if control in {"none", "shown"}:
        for name in reasoning:
            if control == "none" or name != "display":
                note = log.changed if requested.is_off else log.lost
                note("setting", f"/reasoning/{name}", "these models do not accept thinkingConfig")
        return {} if control == "none" or requested.display is None else {"display": requested.display}
    settings = (
        _thinking_off(reasoning, requested, facts, log)
        if requested.is_off
        else _thinking_on(requested, facts, request.get("max_tokens"), log)
    )
    report_unknown_values(reasoning, requested, settings, log)
    if requested.display is not None:
        if settings.get("mode") == OFF and requested.display != "omitted":
            log.lost("setting", DISPLAY, "these models do not think: includeThoughts was left out")
        else:
            settings["display"] = requested.display
    elif requested.mode and "mode" in reasoning and settings and not has_same_client(request, DIALECT):
        # Dialects with a thinking mode show thoughts by default; Gemini hides them.
        settings["display"] = "summarized"
        log.filled(DISPLAY, "thoughts are shown only with includeThoughts")
    return settings


def _thinking_off(
    reasoning: Mapping[str, Any], requested: ThinkingRequest, facts: Mapping[str, Any], log: LossLog
) -> dict[str, Any]:
    report_effort_of_off(requested, log)
    if facts.get("thinking") == "level":
        report_least_thinking(reasoning, log)
        return {"effort": facts["levels"][0]}
    if facts.get("thinking") == "budget" and not facts.get("budget_zero"):
        report_least_thinking(reasoning, log)
        return {"mode": "enabled", "budget_tokens": facts["budgets"][0]}
    return {"mode": OFF}


def _thinking_on(
    requested: ThinkingRequest, facts: Mapping[str, Any], limit: int | None, log: LossLog
) -> dict[str, Any]:
    if not requested.is_on:
        return {}
    if requested.mode == "between_tools":
        log.changed("setting", MODE, "the target has no such mode")
        requested = requested._replace(mode="adaptive")
    control = facts.get("thinking", "")
    if control == "budget" or (control == "" and requested.effort is None):
        return _by_budget(requested, facts, limit, log)
    return _by_level(requested, facts.get("levels", _LEVELS), log)


def _by_level(requested: ThinkingRequest, levels: tuple[str, ...], log: LossLog) -> dict[str, Any]:
    asked = requested.effort or (DEFAULT_EFFORT if requested.budget is None else effort_of(requested.budget))
    effort = nearest(asked, levels)
    if requested.effort is None:
        log.filled(EFFORT, "these models accept thinkingLevel instead of thinkingBudget")
    elif effort != requested.effort:
        log.changed("setting", EFFORT, NEAREST)
    if requested.budget is not None:
        log.changed("setting", BUDGET, "the budget is sent as thinkingLevel")
    if requested.mode:
        log.changed("setting", MODE, "thinkingLevel switches thinking on")
    return {"effort": effort}


def _by_budget(requested: ThinkingRequest, facts: Mapping[str, Any], limit: int | None, log: LossLog) -> dict[str, Any]:
    """Return the settings for a budget; that of an effort is at most half of `limit`, which thoughts count towards."""
    if requested.budget is None and requested.effort is None:
        if requested.mode == "enabled":
            log.changed("setting", MODE, "without thinkingBudget the model decides how much it thinks")
        return {"mode": "adaptive"}
    budget = requested.budget
    if budget is None:
        budget = BUDGETS[requested.effort or DEFAULT_EFFORT]
        budget = budget if limit is None else min(budget, limit // 2)
    least, most = facts.get("budgets", (budget, budget))
    fitting = min(max(budget, least, 1), most)
    if requested.effort is not None:
        log.changed("setting", EFFORT, "the effort is sent as thinkingBudget")
    if requested.budget is None:
        log.filled(BUDGET, "these models accept thinkingBudget instead of thinkingLevel")
    elif fitting != budget:
        log.changed("setting", BUDGET, f"these models accept a thinkingBudget from {least} to {most}")
    if not requested.mode:
        log.filled(MODE, "thinkingBudget switches thinking on")
    elif requested.mode != "enabled":
        log.changed("setting", MODE, "with thinkingBudget, the amount of thinking is fixed")
    return {"mode": "enabled", "budget_tokens": fitting}
