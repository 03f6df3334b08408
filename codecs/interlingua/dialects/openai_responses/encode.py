"""Canonical to Responses: requests.

Source: reference/wire/openai_responses.md sections 1 and 4. At home a body goes out as it came.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import lay, lay_own, own_bag, report_members
from interlingua.dialects._shared.names import safe_name
from interlingua.dialects._shared.strict import enforce
from interlingua.dialects._shared.target import Target
from interlingua.dialects.openai_responses.encode_part import encode_time
from interlingua.dialects.openai_responses.encode_tool import write_tool_choice, write_tools
from interlingua.dialects.openai_responses.encode_turn import encode_conversation
from interlingua.dialects.openai_responses.tables import (
    CACHE_MODES,
    DIALECT,
    DISPLAY_WORDS,
    EFFORTS,
    FILLS,
    FORMAT_NAME_LIMIT,
    INCLUDE_LOGPROBS,
    LEAST_TOKENS,
    SETTING_NAMES,
    VERBOSITIES,
)
from interlingua.loss import lost_members, pointer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest


_NOTHING: Final[Mapping[str, Any]] = {}
_ELSEWHERE: Final = frozenset({"dialect", "extra", "messages"})
_FORMAT_MEMBERS: Final = ("name", "description", "schema", "strict")


def encode_request(request: ChatRequest, log: LossLog, api_version: str | None = None) -> dict[str, Any]:
    """Return the body of `POST /v1/responses`; what does not come along is noted in the log."""
    del api_version  # the dialect has one version
    to = Target(DIALECT, request.get("dialect") == DIALECT, answer=False, log=log)
    bag = own_bag(request, DIALECT)
    out: dict[str, Any] = {}
    for name, value in request.items():
        if name in SETTING_NAMES:
            out[SETTING_NAMES[name]] = value
        elif name in _WRITERS:
            _WRITERS[name](out, value, bag, to)
        elif name not in _ELSEWHERE:
            log.lost("setting", f"/{name}", f"the dialect has no {name}")
    encode_conversation(out, request["messages"], bag.get("spelling", _NOTHING), to)
    lay(out, bag.get("server_state", _NOTHING))
    lay_own(out, request, DIALECT, "", log)
    if not to.home:
        _settle(out, request, log)
    return out


def _settle(out: dict[str, Any], request: ChatRequest, log: LossLog) -> None:
    """Fill what is demanded, and leave out or move what would be refused."""
    if "model" not in out:
        out["model"] = FILLS["model"]
        log.filled("/model", "a request names its model")
    refused = [key for key, value in out.get("metadata", _NOTHING).items() if type(value) is not str]
    if refused:
        out["metadata"] = {key: value for key, value in out["metadata"].items() if key not in refused}
        for key in refused:
            log.lost("setting", f"/metadata{pointer(key)}", "the dialect takes texts")
    if out.get("max_output_tokens", LEAST_TOKENS) < LEAST_TOKENS:
        out["max_output_tokens"] = LEAST_TOKENS
        log.changed("setting", "/max_tokens", f"an answer has at least {LEAST_TOKENS} tokens")
    if "tool_choice" in request and not out.get("tools") and request["tool_choice"]["mode"] not in {"auto", "none"}:
        del out["tool_choice"]
        lost_members(log, request["tool_choice"], "/tool_choice", "setting", "there are no tools to choose from")


def _write_user(out: dict[str, Any], value: Any, bag: Mapping[str, Any], _to: Target) -> None:
    out["user" if "user" in bag.get("spelling", _NOTHING) else "safety_identifier"] = value


def _write_schema_version(_out: dict[str, Any], _value: Any, _bag: Mapping[str, Any], to: Target) -> None:
    to.log.changed("member", "/schema_version", "the version of the schema stays at home")


def _write_cache(out: dict[str, Any], value: Any, _bag: Mapping[str, Any], to: Target) -> None:
    if not to.home and value.get("mode", "implicit") not in CACHE_MODES:
        to.log.lost("cache", "/cache", "the dialect has other modes")
        return
    options = {"mode": value["mode"]} if "mode" in value else {}
    if not options and not to.home:
        options = {"mode": "implicit"}
        to.log.filled("/cache/mode", "a wish to cache says how")
    lasting = {"ttl": value["ttl"]} if "ttl" in value else {}
    out["prompt_cache_options"] = {**options, **encode_time(lasting, "/cache", to)}


def _write_logprobs(out: dict[str, Any], value: Any, bag: Mapping[str, Any], to: Target) -> None:
    """Write the setting as one of the words of `include`, where it stood among them."""
    if not value:
        if not to.home:
            to.log.changed("setting", "/logprobs", "no log probabilities is the default")
        return
    others = bag.get("fields", _NOTHING).get("include", [])
    at = bag.get("spelling", _NOTHING).get("include", len(others))
    out["include"] = [*others[:at], INCLUDE_LOGPROBS, *others[at:]]


def _write_verbosity(out: dict[str, Any], value: Any, _bag: Mapping[str, Any], to: Target) -> None:
    if not to.home and value not in VERBOSITIES:
        to.log.lost("setting", "/verbosity", "the dialect has other words")
        return
    out["text"] = {**out.get("text", _NOTHING), "verbosity": value}


def _write_response_format(out: dict[str, Any], value: Any, _bag: Mapping[str, Any], to: Target) -> None:
    inner = {name: value[name] for name in _FORMAT_MEMBERS if name in value}
    wanted = {"type": value["type"]}
    if value["type"] == "json_schema":
        wanted |= inner
        if not to.home:
            if "name" in wanted:
                wanted["name"] = safe_name(wanted["name"], FORMAT_NAME_LIMIT, "/response_format/name", to.log)
            fills: dict[str, Any] = {"name": FILLS["format_name"], "schema": {}}
            for name, filled in fills.items():
                if name not in wanted:
                    wanted[name] = filled
                    to.log.filled(f"/response_format/{name}", "a format of this type has it")
            if wanted.get("strict"):
                enforce(wanted, "schema", "/response_format", to.log, "setting")
    else:
        report_members(inner, "/response_format", to.log, "only a schema has this")
    out["text"] = {**out.get("text", _NOTHING), "format": wanted}


def _write_reasoning(out: dict[str, Any], value: Any, bag: Mapping[str, Any], to: Target) -> None:
    effort = value.get("effort")
    if effort is None and value.get("mode") == "disabled":
        effort = "none"
    elif "mode" in value and not (value["mode"] == "disabled" and effort == "none"):
        to.log.lost("setting", "/reasoning/mode", "reasoning is asked for by effort alone")
    settings: dict[str, Any] = {}
    if effort is not None:
        if to.home or effort in EFFORTS:
            settings["effort"] = effort
        else:
            to.log.lost("setting", "/reasoning/effort", "the dialect has other efforts")
    if "budget_tokens" in value:
        to.log.lost("setting", "/reasoning/budget_tokens", "reasoning is asked for by effort alone")
    if "display" in value:
        _write_display(settings, value["display"], bag.get("spelling", _NOTHING), to)
    if settings:
        out["reasoning"] = settings


def _write_display(settings: dict[str, Any], display: str, spelling: Mapping[str, Any], to: Target) -> None:
    """Write how much of the reasoning is shown, under its older name where it came so."""
    if to.home or display in DISPLAY_WORDS:
        settings[spelling.get("display", "summary")] = DISPLAY_WORDS.get(display, display)
    elif display == "omitted":
        to.log.changed("setting", "/reasoning/display", "nothing is shown unless it is asked for")
    else:
        to.log.lost("setting", "/reasoning/display", "the dialect has no such word")


_WRITERS: Final = MappingProxyType({
    "user": _write_user,
    "schema_version": _write_schema_version,
    "cache": _write_cache,
    "logprobs": _write_logprobs,
    "verbosity": _write_verbosity,
    "response_format": _write_response_format,
    "reasoning": _write_reasoning,
    "tools": write_tools,
    "tool_choice": write_tool_choice,
})  # fmt: skip
