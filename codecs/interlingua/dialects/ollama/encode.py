"""Canonical to Ollama: requests.

Source: reference/wire/ollama.md sections 1 and 4. At home a body goes out as it came.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import lay_own, own_bag, report_members
from interlingua.dialects._shared.target import Target
from interlingua.dialects.ollama.encode_tool import write_tool_choice, write_tools
from interlingua.dialects.ollama.encode_turn import encode_messages
from interlingua.dialects.ollama.tables import (
    DIALECT,
    EFFORTS,
    FILLS,
    MOST_TOP_LOGPROBS,
    NEAREST_EFFORTS,
    OPTION_NAMES,
    SETTING_NAMES,
    THINKING,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest


_NOTHING: Final[Mapping[str, Any]] = {}

_ELSEWHERE: Final = frozenset({"dialect", "extra", "stream", *OPTION_NAMES, "stop"})

_OPTIONS: Final = tuple(OPTION_NAMES.items())
_SWITCHED: Final[Mapping[str, bool]] = MappingProxyType({mode: switch for switch, mode in THINKING.items()})


def encode_request(request: ChatRequest, log: LossLog, api_version: str | None = None) -> dict[str, Any]:
    """Return the body of `POST /api/chat`; what does not come along is noted in the log."""
    del api_version  # the dialect has one version
    to = Target(DIALECT, request.get("dialect") == DIALECT, answer=False, log=log)
    spelling = own_bag(request, DIALECT).get("spelling", _NOTHING)
    out: dict[str, Any] = {}
    for name, value in request.items():
        if name in _WRITERS:
            _WRITERS[name](out, value, request, to)
        elif name in SETTING_NAMES and name != "stream":
            out[SETTING_NAMES[name]] = value
        elif name not in _ELSEWHERE:
            log.lost("setting", f"/{name}", f"the dialect has no {name}")
    _write_stream(out, request, spelling, to)
    _write_options(out, request, spelling, to)
    if "format" in spelling:
        out.setdefault("format", "")
    lay_own(out, request, DIALECT, "", log)
    if not to.home and "model" not in out:
        out["model"] = FILLS["model"]
        log.filled("/model", "a request names its model")
    return out


def _write_messages(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    if value or "messages" not in own_bag(request, DIALECT).get("spelling", _NOTHING).get("null", ()):
        out["messages"] = encode_messages(value, to)


def _write_stream(out: dict[str, Any], request: Any, spelling: Mapping[str, Any], to: Target) -> None:
    """Write the switch: the server streams unless told otherwise, all other dialects do not."""
    if "stream" in request:
        silent = "stream" in spelling.get("absent", ()) or "stream" in spelling.get("null", ())
        if not (request["stream"] and silent):
            out["stream"] = request["stream"]
    elif not to.home:
        out["stream"] = False
        to.log.filled("/stream", "the dialect streams unless told otherwise")


def _write_options(out: dict[str, Any], request: Any, spelling: Mapping[str, Any], to: Target) -> None:
    """Write the members of `options`; `lay_own` lays those that only Ollama has beside them."""
    options: dict[str, Any] = {}
    for name, wire in _OPTIONS:
        if name in request:
            options[wire] = request[name]
    if not to.home and request.get("max_tokens", 1) < 1:
        del options[OPTION_NAMES["max_tokens"]]
        to.log.lost("setting", "/max_tokens", "the dialect reads a number below 1 as no limit")
    if "stop" in request:
        stop = request["stop"]
        options["stop"] = stop[0] if len(stop) == 1 and "stop" in spelling else stop
    for name in spelling.get("null", ()):
        outer, dot, inner = name.partition(".")
        if dot and outer == "options":
            options.setdefault(inner, None)
    if options or "options" in spelling:
        out["options"] = options


def _write_top_logprobs(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    if to.home or 0 <= value <= MOST_TOP_LOGPROBS:
        out["top_logprobs"] = value
    else:
        to.log.lost("setting", "/top_logprobs", f"the dialect gives from 0 to {MOST_TOP_LOGPROBS}")


def _write_schema_version(_out: dict[str, Any], _value: Any, _request: Any, to: Target) -> None:
    to.log.changed("member", "/schema_version", "the version of the schema stays at home")


def _write_reasoning(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    """Write the one switch: off, on, or how much."""
    mode, effort = value.get("mode"), value.get("effort")
    if mode == "disabled" or effort == "none":
        out["think"] = False
        if mode not in {None, "disabled"}:
            to.log.lost("setting", "/reasoning/mode", "no effort is no thinking")
        if effort not in {None, "none"}:
            to.log.lost("setting", "/reasoning/effort", "thinking is switched off")
    elif effort is not None and (to.home or effort in EFFORTS or effort in NEAREST_EFFORTS):
        out["think"] = effort
        if not to.home and effort in NEAREST_EFFORTS:
            out["think"] = NEAREST_EFFORTS[effort]
            to.log.changed("setting", "/reasoning/effort", "the nearest word is taken")
        if mode is not None:
            to.log.lost("setting", "/reasoning/mode", "an effort alone switches thinking on")
    else:
        if effort is not None:
            to.log.lost("setting", "/reasoning/effort", "the dialect has other efforts")
        _write_mode(out, value, to)
    for name in ("budget_tokens", "display"):
        if name in value:
            to.log.lost("setting", f"/reasoning/{name}", "thinking is switched, and no more")


def _write_mode(out: dict[str, Any], value: Any, to: Target) -> None:
    mode = value.get("mode")
    if mode in _SWITCHED:
        out["think"] = _SWITCHED[mode]
    elif mode is not None:
        out["think"] = True
        to.log.changed("setting", "/reasoning/mode", "thinking that is switched on goes as deep as the model likes")
    elif "budget_tokens" in value:
        out["think"] = True
        to.log.filled("/reasoning/mode", "a budget asks for thinking")


def _write_response_format(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    known = {"type"}
    if value["type"] == "text":
        to.log.changed("setting", "/response_format/type", "text is the default")
    elif value["type"] == "json_schema" and "schema" in value:
        out["format"] = value["schema"]
        known.add("schema")
    else:
        out["format"] = "json"
        if value["type"] != "json_object":
            to.log.changed("setting", "/response_format/type", "without a schema, any JSON object will do")
    report_members([name for name in value if name not in known], "/response_format", to.log, "a format is a schema")


_WRITERS: Final = MappingProxyType({
    "messages": _write_messages,
    "top_logprobs": _write_top_logprobs,
    "schema_version": _write_schema_version,
    "tools": write_tools,
    "tool_choice": write_tool_choice,
    "reasoning": _write_reasoning,
    "response_format": _write_response_format,
})  # fmt: skip
