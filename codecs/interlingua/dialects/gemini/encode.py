"""Canonical to Gemini: requests.

Source: reference/wire/gemini.md sections 1 and 4. At home a body goes out as it came.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.dialects._shared.extra import lay_own, own_bag
from interlingua.dialects._shared.target import Target
from interlingua.dialects.gemini.encode_config import accepted, write_form, write_reasoning
from interlingua.dialects.gemini.encode_tool import write_parallel, write_tool_choice, write_tools, write_validation
from interlingua.dialects.gemini.encode_turn import encode_conversation
from interlingua.dialects.gemini.snake import REQUEST, respelt
from interlingua.dialects.gemini.tables import DIALECT, SETTING_NAMES
from interlingua.loss import pointer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest


_NOTHING: Final[Mapping[str, Any]] = {}

_CONFIG: Final = "generationConfig"
_ELSEWHERE: Final = frozenset({"dialect", "extra", "messages"})

_LABEL: Final = re.compile(r"[a-z0-9_-]{0,63}").fullmatch


def encode_request(request: ChatRequest, log: LossLog, api_version: str | None = None) -> dict[str, Any]:
    """Return the body of `generateContent`; what does not come along is noted in the log."""
    del api_version  # the dialect has one version
    to = Target(DIALECT, request.get("dialect") == DIALECT, answer=False, log=log)
    spelling = own_bag(request, DIALECT).get("spelling", _NOTHING)
    out: dict[str, Any] = {}
    config: dict[str, Any] = {}
    encode_conversation(out, request["messages"], to, alone=spelling.get("contents") == "object")
    for name, value in request.items():
        if name in _ELSEWHERE:
            continue
        if name in SETTING_NAMES:
            setting = value if to.home else accepted(name, value, to)
            if setting is not None:
                config[SETTING_NAMES[name]] = setting
        elif name in _CONFIG_WRITERS:
            _CONFIG_WRITERS[name](config, value, request, to)
        elif name in _WRITERS:
            _WRITERS[name](out, value, request, to)
        else:
            log.lost("setting", f"/{name}", f"the dialect has no {name}")
    if "tool_choice" not in request:
        write_validation(out, request, to)
    if config:
        if "float" in spelling:
            _lay_floats(config, spelling["float"])
        out[_CONFIG] = config
    if "extra" in request:
        lay_own(out, request, DIALECT, "", log)
    if "null" in spelling:
        _lay_nulls(out, spelling["null"])
    return respelt(out, spelling["snake"], REQUEST) if "snake" in spelling else out


def _lay_floats(config: dict[str, Any], names: Iterable[str]) -> None:
    """Write whole numbers with a fraction of zero, where that is how they came."""
    for name in names:
        for holder in (config, config.get("thinkingConfig", _NOTHING)):
            if name in holder:
                cast("dict[str, Any]", holder)[name] = float(holder[name])


def _lay_nulls(out: dict[str, Any], names: Iterable[str]) -> None:
    """Write known settings that said nothing as null, where that is how they came."""
    for name in names:
        *outer, last = name.split(".")
        holder = out
        for step in outer:
            holder[step] = {**holder.get(step, _NOTHING)}
            holder = holder[step]
        holder.setdefault(last, None)


def _write_model(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    if own_bag(request, DIALECT).get("spelling", _NOTHING).get("model") == "body":
        out["model"] = value
    else:
        to.log.changed("in_url", "/model", "the address names the model")


def _write_stream(_out: dict[str, Any], _value: Any, _request: Any, to: Target) -> None:
    to.log.changed("in_url", "/stream", "the address says whether the answer is a stream")


def _write_metadata(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    """Write labels, which abroad must be short texts of lower-case letters, digits, _ and -."""
    labels: dict[str, Any] = {}
    for name, label in value.items():
        if to.home or (_LABEL(name) and isinstance(label, str) and _LABEL(label)):
            labels[name] = label
        else:
            to.log.lost("setting", f"/metadata{pointer(name)}", "a label is a short word in lower case")
    if labels or not value:
        out["labels"] = labels


def _write_schema_version(_out: dict[str, Any], _value: Any, _request: Any, to: Target) -> None:
    to.log.changed("member", "/schema_version", "the version of the schema stays at home")


_CONFIG_WRITERS: Final = MappingProxyType({"reasoning": write_reasoning, "response_format": write_form})

_WRITERS: Final = MappingProxyType({
    "model": _write_model,
    "stream": _write_stream,
    "metadata": _write_metadata,
    "schema_version": _write_schema_version,
    "tools": write_tools,
    "tool_choice": write_tool_choice,
    "parallel_tool_calls": write_parallel,
})  # fmt: skip
