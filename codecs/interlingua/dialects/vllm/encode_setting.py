"""Canonical to vLLM: the members of a request that this room writes otherwise than its family."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._chat_completions.encode import write_response_format
from interlingua.dialects._chat_completions.tables import EFFORTS
from interlingua.dialects._shared.extra import own_bag, report_members
from interlingua.dialects.vllm.tables import DIALECT, HIDDEN, THINKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.vendor import Vendor, Writer
    from interlingua.dialects._shared.target import Target

_NOTHING: Final[Mapping[str, Any]] = {}

_SWITCHED: Final[Mapping[str, bool]] = MappingProxyType({mode: switch for switch, mode in THINKING.items()})


def _write_reasoning(out: dict[str, Any], value: Any, _request: Any, _vendor: Vendor, to: Target) -> None:
    mode, effort, display = value.get("mode"), value.get("effort"), value.get("display")
    if mode is not None:
        out["chat_template_kwargs"] = {"enable_thinking": _SWITCHED.get(mode, True)}
        if mode not in _SWITCHED:
            to.log.changed("setting", "/reasoning/mode", "thinking that is switched on goes as deep as the model likes")
    if effort is not None:
        if to.home or effort in EFFORTS:
            out["reasoning_effort"] = effort
        else:
            to.log.lost("setting", "/reasoning/effort", "the dialect has other efforts")
    if "budget_tokens" in value:
        out["thinking_token_budget"] = value["budget_tokens"]
    if display == HIDDEN:
        out["include_reasoning"] = False
    elif display is not None:
        to.log.lost("setting", "/reasoning/display", "reasoning is shown as it is, or not at all")


def _write_response_format(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    if "response_format" not in own_bag(request, DIALECT).get("spelling", _NOTHING):
        write_response_format(out, value, request, vendor, to)
        return
    known = {"type"}
    if value["type"] == "json_schema" and "schema" in value:
        out["structured_outputs"] = {"json": value["schema"]}
        known.add("schema")
    elif value["type"] != "text":
        out["structured_outputs"] = {"json_object": True}
    report_members([name for name in value if name not in known], "/response_format", to.log, "an output is a schema")


WRITERS: Final[Mapping[str, Writer]] = MappingProxyType({
    "reasoning": _write_reasoning,
    "response_format": _write_response_format,
})  # fmt: skip
