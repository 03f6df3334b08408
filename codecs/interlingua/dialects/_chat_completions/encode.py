"""Canonical to Chat Completions: requests.

Source: reference/wire/openai_chat.md sections 1 and 4. At home a body goes out as it came.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._chat_completions.encode_part import encode_time
from interlingua.dialects._chat_completions.encode_tool import settle_choice, write_tool_choice, write_tools
from interlingua.dialects._chat_completions.encode_turn import encode_messages
from interlingua.dialects._chat_completions.tables import (
    CACHE_MODES,
    EFFORTS,
    FILLS,
    NAME_LIMIT,
    VERBOSITIES,
)
from interlingua.dialects._shared.extra import lay_own, own_bag, report_members
from interlingua.dialects._shared.names import safe_name
from interlingua.dialects._shared.strict import enforce
from interlingua.dialects._shared.target import Target
from interlingua.loss import pointer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest


_NOTHING: Final[Mapping[str, Any]] = {}
_ELSEWHERE: Final = frozenset({"dialect", "extra"})


def encode_request(request: ChatRequest, vendor: Vendor, log: LossLog) -> dict[str, Any]:
    """Return the body of `POST /v1/chat/completions`; what does not come along is noted in the log."""
    to = Target(vendor.dialect, request.get("dialect") == vendor.dialect, answer=False, log=log)
    spelling = _spelling(request, vendor)
    out: dict[str, Any] = {}
    names = vendor.setting_names
    writers = {**_WRITERS, **vendor.writers} if vendor.writers else _WRITERS
    for name, value in request.items():
        if name in vendor.ignored and not to.home:
            log.lost("setting", f"/{name}", "the server takes it and forgets it")
        elif name in names:
            wire = names[name]
            out["max_tokens" if name == "max_tokens" and "max_tokens" in spelling else wire] = value
        elif name in writers:
            writers[name](out, value, request, vendor, to)
        elif name not in _ELSEWHERE:
            log.lost("setting", f"/{name}", f"the dialect has no {name}")
    lay_own(out, request, vendor.dialect, "", log)
    if not to.home:
        _drop_refused(out, log)
        settle_choice(out, request, vendor, to)
        if "top_logprobs" in out and "logprobs" not in out:
            out["logprobs"] = True
            log.filled("/logprobs", "the likeliest tokens are told beside the chosen ones")
        if "model" not in out:
            out["model"] = FILLS["model"]
            log.filled("/model", "a request names its model")
    return out


def _drop_refused(out: dict[str, Any], log: LossLog) -> None:
    """Drop the words and values that the dialect refuses."""
    if out.get("verbosity", "low") not in VERBOSITIES:
        log.lost("setting", "/verbosity", "the dialect has other words")
        del out["verbosity"]
    for name, kind in (("metadata", str), ("logit_bias", int)):
        refused = [key for key, value in out.get(name, _NOTHING).items() if type(value) is not kind]
        for key in refused:
            log.lost("setting", f"/{name}{pointer(key)}", "the dialect takes texts, and whole numbers for a bias")
        if refused:
            out[name] = {key: value for key, value in out[name].items() if key not in refused}


def _spelling(request: Any, vendor: Vendor) -> Mapping[str, Any]:
    """Return how the room wrote what could be written otherwise."""
    spelling: Mapping[str, Any] = own_bag(request, vendor.dialect).get("spelling", _NOTHING)
    return spelling


def _write_messages(out: dict[str, Any], value: Any, _request: Any, vendor: Vendor, to: Target) -> None:
    out["messages"] = encode_messages(value, vendor, to)


def _write_stop(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, _to: Target) -> None:
    out["stop"] = value[0] if len(value) == 1 and "stop" in _spelling(request, vendor) else value


def _write_user(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, _to: Target) -> None:
    out[_spelling(request, vendor).get("user", vendor.end_user)] = value


def _write_schema_version(_out: dict[str, Any], _value: Any, _request: Any, _vendor: Vendor, to: Target) -> None:
    to.log.changed("member", "/schema_version", "the version of the schema stays at home")


def _write_cache(out: dict[str, Any], value: Any, _request: Any, _vendor: Vendor, to: Target) -> None:
    if not to.home and value.get("mode", "implicit") not in CACHE_MODES:
        to.log.lost("cache", "/cache", "the dialect has other modes")
        return
    options = {"mode": value["mode"]} if "mode" in value else {}
    if not options and not to.home:
        options = {"mode": "implicit"}
        to.log.filled("/cache/mode", "a wish to cache says how")
    lasting = {"ttl": value["ttl"]} if "ttl" in value else {}
    out["prompt_cache_options"] = {**options, **encode_time(lasting, "/cache", to)}


def _write_reasoning(out: dict[str, Any], value: Any, _request: Any, _vendor: Vendor, to: Target) -> None:
    effort = value.get("effort")
    if effort is None and value.get("mode") == "disabled":
        effort = "none"
    elif "mode" in value and not (value["mode"] == "disabled" and effort == "none"):
        to.log.lost("setting", "/reasoning/mode", "reasoning is asked for by effort alone")
    if effort is not None:
        if to.home or effort in EFFORTS:
            out["reasoning_effort"] = effort
        else:
            to.log.lost("setting", "/reasoning/effort", "the dialect has other efforts")
    for name in ("budget_tokens", "display"):
        if name in value:
            to.log.lost("setting", f"/reasoning/{name}", "reasoning is asked for by effort alone")


def write_response_format(out: dict[str, Any], value: Any, _request: Any, vendor: Vendor, to: Target) -> None:
    """Write the form of the answer."""
    inner = {name: value[name] for name in ("name", "description", "schema", "strict") if name in value}
    if value["type"] != "json_schema":
        report_members(inner, "/response_format", to.log, "only a schema has this")
        out["response_format"] = {"type": value["type"]}
        return
    if vendor.limited and not to.home and "name" in inner:
        inner["name"] = safe_name(inner["name"], NAME_LIMIT, "/response_format/name", to.log)
    elif not to.home and "name" not in inner:
        inner["name"] = FILLS["format_name"]
        to.log.filled("/response_format/name", "a schema has a name")
    if vendor.closes and not to.home and inner.get("strict"):
        enforce(inner, "schema", "/response_format", to.log, "setting")
    out["response_format"] = {"type": "json_schema", "json_schema": inner}


_WRITERS: Final = MappingProxyType({
    "messages": _write_messages,
    "stop": _write_stop,
    "user": _write_user,
    "cache": _write_cache,
    "schema_version": _write_schema_version,
    "tools": write_tools,
    "tool_choice": write_tool_choice,
    "reasoning": _write_reasoning,
    "response_format": write_response_format,
})  # fmt: skip
