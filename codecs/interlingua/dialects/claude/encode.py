"""Canonical to Claude: requests.

Source: reference/wire/claude.md sections 0, 1 and 4.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import lay_own, own_bag, report_members
from interlingua.dialects._shared.strict import close
from interlingua.dialects._shared.target import Target
from interlingua.dialects.claude.encode_part import encode_cache
from interlingua.dialects.claude.encode_tool import settle_choice, write_parallel, write_tool_choice, write_tools
from interlingua.dialects.claude.encode_turn import encode_conversation
from interlingua.dialects.claude.tables import (
    DIALECT,
    DISPLAYS,
    EFFORTS,
    FILLS,
    HOTTEST,
    LEAST_BUDGET,
    NEAREST_DISPLAYS,
    NEAREST_EFFORTS,
    NEWEST,
    SAMPLING,
    SETTING_NAMES,
    THINKING_MODES,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest


_NOTHING: Final[Mapping[str, Any]] = {}

_THINKING: Final = (("type", "mode"), ("budget_tokens", "budget_tokens"), ("display", "display"))
_ELSEWHERE: Final = frozenset({"dialect", "extra", "messages"})


def encode_request(request: ChatRequest, log: LossLog, api_version: str | None = None) -> dict[str, Any]:
    """Return the body of `POST /v1/messages`; what does not come along is noted in the log.

    `api_version` None means verbatim at home and the newest abroad.
    """
    home = request.get("dialect") == DIALECT
    to = Target(DIALECT, home, answer=False, log=log, version=api_version or ("" if home else NEWEST))
    out: dict[str, Any] = {}
    for name, value in request.items():
        if name in SETTING_NAMES:
            if name not in SAMPLING or not to.version or _takes_sampling(name, value, to):
                out[SETTING_NAMES[name]] = value
        elif name in _WRITERS:
            _WRITERS[name](out, value, request, to)
        elif name not in _ELSEWHERE:
            log.lost("setting", f"/{name}", f"the dialect has no {name}")
    if not home:
        settle_choice(out, request, to)
    encode_conversation(out, request["messages"], to)
    lay_own(out, request, DIALECT, "", log)
    if not home:
        for name in ("model", "max_tokens"):
            if name not in out:
                out[name] = FILLS[name]
                log.filled(f"/{name}", "a request says it")
    return out


def _takes_sampling(name: str, value: Any, to: Target) -> bool:
    if to.version == NEWEST:
        to.log.lost("setting", f"/{name}", f"API version {NEWEST} has no sampling settings")
        return False
    if name == "temperature" and value > HOTTEST:
        to.log.lost("setting", f"/{name}", "the dialect's temperature ends at 1")
        return False
    return True


def _write_stop(out: dict[str, Any], value: Any, _request: Any, _to: Target) -> None:
    out["stop_sequences"] = value


def _write_user(out: dict[str, Any], value: Any, _request: Any, _to: Target) -> None:
    out["metadata"] = {"user_id": value}


def _write_cache(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    if value.get("mode", "implicit") == "implicit":
        out["cache_control"] = encode_cache(value, "/cache", to)
    else:
        to.log.lost("cache", "/cache", "a mark on the request is implicit")


def _write_schema_version(_out: dict[str, Any], _value: Any, _request: Any, to: Target) -> None:
    to.log.changed("member", "/schema_version", "the version of the schema stays at home")


def _write_reasoning(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the settings as they are at home, and as near as Claude's words come abroad."""
    settings = value if to.home else _translated(value, request, to)
    thinking = {wire: settings[name] for wire, name in _THINKING if name in settings}
    if thinking:
        out["thinking"] = thinking
    if "effort" in settings:
        out["output_config"] = {**out.get("output_config", _NOTHING), "effort": settings["effort"]}


def _translated(settings: Any, request: Any, to: Target) -> dict[str, Any]:
    """Return reasoning settings of another dialect in Claude's words."""
    mode, effort, display = settings.get("mode"), settings.get("effort"), settings.get("display")
    if effort == "none":
        if mode not in {None, "disabled"}:
            to.log.changed("setting", "/reasoning/mode", "no effort is no thinking")
        mode, effort = "disabled", None
    elif effort is not None and effort not in EFFORTS:
        effort = _nearest(effort, NEAREST_EFFORTS, "/reasoning/effort", to)
    if mode is not None and mode not in THINKING_MODES:
        to.log.lost("setting", "/reasoning/mode", "the dialect has other modes")
        mode = ""
    mode, budget = _budgeted(mode, settings.get("budget_tokens"), request.get("max_tokens", FILLS["max_tokens"]), to)
    if display is not None and display not in DISPLAYS:
        display = _nearest(display, NEAREST_DISPLAYS, "/reasoning/display", to)
    if display is not None and mode not in {"enabled", "adaptive"}:
        to.log.lost("setting", "/reasoning/display", "only thinking that is switched on is shown")
        display = None
    translated = {"mode": mode, "budget_tokens": budget, "display": display, "effort": effort}
    return {name: value for name, value in translated.items() if value not in {None, ""}}


def _budgeted(mode: str | None, budget: int | None, most: int, to: Target) -> tuple[str | None, int | None]:
    """Return mode and budget so that one goes with the other."""
    if budget is not None:
        if not LEAST_BUDGET <= budget < most or mode not in {None, "enabled"}:  # nor a mode that is not Claude's
            to.log.lost("setting", "/reasoning/budget_tokens", "a budget is at least 1024 and below max_tokens")
            budget = None
        elif mode is None:
            mode = "enabled"
            to.log.filled("/reasoning/mode", "a budget stands in enabled thinking")
    if mode == "enabled" and budget is None:
        mode = "adaptive"
        to.log.changed("setting", "/reasoning/mode", "enabled thinking has a budget")
    return mode, budget


def _nearest(word: str, nearest: Mapping[str, str], path: str, to: Target) -> str | None:
    if word in nearest:
        to.log.changed("setting", path, "the nearest word is taken")
        return nearest[word]
    to.log.lost("setting", path, "the dialect has no such word")
    return None


def _write_response_format(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    known = {"type"}
    if value["type"] == "json_schema" and "schema" in value:
        schema = value["schema"] if to.home else close(value["schema"], "/response_format/schema", to.log, "setting")
        form = {"type": "json_schema", "schema": schema}
        known.add("schema")
        if "response_format" in own_bag(request, DIALECT).get("spelling", _NOTHING):
            out["output_format"] = form
        else:
            out["output_config"] = {**out.get("output_config", _NOTHING), "format": form}
    elif value["type"] == "text":
        to.log.changed("setting", "/response_format/type", "text is the default")
    else:
        to.log.lost("setting", "/response_format/type", "the dialect has JSON only after a schema")
    report_members([name for name in value if name not in known], "/response_format", to.log, "a format is a schema")


_WRITERS: Final = MappingProxyType({
    "stop": _write_stop,
    "user": _write_user,
    "cache": _write_cache,
    "schema_version": _write_schema_version,
    "tools": write_tools,
    "tool_choice": write_tool_choice,
    "parallel_tool_calls": write_parallel,
    "reasoning": _write_reasoning,
    "response_format": _write_response_format,
})  # fmt: skip
