"""Canonical to Gemini: `generationConfig`.

Source: reference/wire/gemini.md sections 1.4 and 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import own_bag, report_members
from interlingua.dialects.gemini.openapi import to_openapi
from interlingua.dialects.gemini.tables import (
    ANY_BUDGET,
    DIALECT,
    DISPLAYS,
    EFFORTS,
    HOTTEST,
    JSON_TYPE,
    MOST_LOGPROBS,
    MOST_STOPS,
    NEAREST_DISPLAYS,
    NEAREST_EFFORTS,
    NO_BUDGET,
    TEXT_TYPE,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target


_NOTHING: Final[Mapping[str, Any]] = {}


def accepted(name: str, value: Any, to: Target) -> Any:
    """Return the value of a setting as it is written abroad, within the limits of the dialect; None for no place."""
    if name == "temperature" and value > HOTTEST:
        to.log.lost("setting", "/temperature", f"the dialect's temperature ends at {HOTTEST}")
        return None
    if name == "top_logprobs" and not 0 <= value <= MOST_LOGPROBS:
        to.log.lost("setting", "/top_logprobs", f"at most {MOST_LOGPROBS} are told")
        return None
    if name == "stop" and len(value) > MOST_STOPS:
        report_members([str(at) for at in range(MOST_STOPS, len(value))], "/stop", to.log, f"at most {MOST_STOPS}")
        return value[:MOST_STOPS]
    return value


def write_reasoning(config: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the settings as they are at home, and as near as Gemini's words come abroad."""
    settings = value if to.home else _translated(value, to)
    thinking: dict[str, Any] = {}
    if "display" in settings:
        thinking["includeThoughts"] = _shown(settings["display"], to)
    budget = _budget(settings, to)
    if budget is not None:
        thinking["thinkingBudget"] = budget
    if "effort" in settings:
        lower = own_bag(request, DIALECT).get("spelling", _NOTHING).get("effort") == "lower"
        thinking["thinkingLevel"] = settings["effort"] if lower else settings["effort"].upper()
    thinking = {name: setting for name, setting in thinking.items() if setting is not None}
    if thinking:
        config["thinkingConfig"] = thinking


def _shown(display: str, to: Target) -> bool | None:
    if display in DISPLAYS:
        return DISPLAYS[display]
    if display in NEAREST_DISPLAYS:
        to.log.changed("setting", "/reasoning/display", "the nearest word is taken")
        return NEAREST_DISPLAYS[display]
    to.log.lost("setting", "/reasoning/display", "thoughts are shown or not")
    return None


def _budget(settings: Any, to: Target) -> int | None:
    """Return the budget that a mode and a number of tokens say."""
    mode, tokens = settings.get("mode"), settings.get("budget_tokens")
    if mode == "disabled":
        if tokens is not None:
            to.log.lost("setting", "/reasoning/budget_tokens", "thinking that is switched off has no budget")
        return NO_BUDGET
    if tokens is not None and tokens > NO_BUDGET:
        if mode is None:
            to.log.filled("/reasoning/mode", "a budget switches thinking on")
        elif mode != "enabled":
            to.log.changed("setting", "/reasoning/mode", "a budget is fixed")
        return int(tokens)
    if tokens is not None:
        to.log.lost("setting", "/reasoning/budget_tokens", "a budget is more than nothing")
    if mode == "adaptive":
        return ANY_BUDGET
    if mode == "enabled":
        to.log.changed("setting", "/reasoning/mode", "without a budget the model decides")
        return ANY_BUDGET
    if mode is not None:
        to.log.lost("setting", "/reasoning/mode", "the dialect has other modes")
    return None


def _translated(settings: Any, to: Target) -> dict[str, Any]:
    """Return settings of another dialect in Gemini's words: a level and a budget rule each other out."""
    translated: dict[str, Any] = dict(settings)
    effort = translated.pop("effort", None)
    if effort == "none":
        return {**translated, "mode": "disabled"}
    if effort in NEAREST_EFFORTS:
        to.log.changed("setting", "/reasoning/effort", "the nearest word is taken")
        effort = NEAREST_EFFORTS[effort]
    elif effort is not None and effort not in EFFORTS:
        to.log.lost("setting", "/reasoning/effort", "the dialect has other efforts")
        effort = None
    if effort is None or translated.get("mode") == "disabled":
        if effort is not None:
            to.log.lost("setting", "/reasoning/effort", "thinking is switched off")
        return translated
    if "budget_tokens" in translated:
        to.log.lost("setting", "/reasoning/budget_tokens", "a level rules a budget out")
    if "mode" in translated:
        if translated["mode"] in {"enabled", "adaptive"}:
            to.log.changed("setting", "/reasoning/mode", "a level switches thinking on")
        else:
            to.log.lost("setting", "/reasoning/mode", "the dialect has other modes")
    return {name: word for name, word in translated.items() if name == "display"} | {"effort": effort}


def write_form(config: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the form of the answer."""
    spelling = own_bag(request, DIALECT).get("spelling", _NOTHING)
    known = {"type"}
    if value["type"] == "json_schema" and "schema" in value:
        known.add("schema")
        _write_schema(config, value["schema"], spelling)
    elif value["type"] == "text":
        config["responseMimeType"] = TEXT_TYPE
    else:
        config["responseMimeType"] = JSON_TYPE
        if value["type"] == "json_schema":
            to.log.changed("setting", "/response_format/type", "without a schema any JSON will do")
    for name in value:
        if name not in known:
            if name == "strict" and not value["strict"]:
                to.log.changed("setting", "/response_format/strict", "the model is always held to the schema")
            else:
                to.log.lost("member", f"/response_format/{name}", "a form is a schema")


def _write_schema(config: dict[str, Any], schema: Any, spelling: Mapping[str, Any]) -> None:
    form = spelling.get("schema")
    if form == "format":
        config["responseFormat"] = [{"text": {"mimeType": JSON_TYPE, "schema": schema}}]
        return
    if "responseMimeType" not in spelling.get("absent", ()):
        config["responseMimeType"] = JSON_TYPE
    if form is None:
        config["responseJsonSchema"] = schema
    else:
        config["responseSchema"] = to_openapi(schema) if form == "openapi" else schema
