"""Settings in `additionalModelRequestFields`, in the words of Claude: `thinking`, `output_config.effort`, and others.

They are read, and written at home. Abroad they are written for the families of families.py: what other models take
differs from one to the next.
Source: docs/wire/bedrock_converse.md, section 1.5.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.writing import Target

FIELDS: Final = "additionalModelRequestFields"
# What forbids several calls at once, where the model may choose; beside a choice in `toolConfig` it is refused.
ONE_AT_A_TIME: Final[Mapping[str, Any]] = MappingProxyType({"type": "auto", "disable_parallel_tool_use": True})
_MODES: Final = frozenset({"enabled", "disabled", "adaptive"})
_BESIDE: Final[tuple[tuple[str, type], ...]] = (("budget_tokens", int), ("display", str))


def read_thinking(fields: Any) -> dict[str, Any]:
    """Return the settings of reasoning that the fields of a model hold; what has another shape is left."""
    reasoning: dict[str, Any] = {}
    if type(fields) is not dict:
        return reasoning
    said, config = fields.get("thinking"), fields.get("output_config")
    if type(said) is dict and type(said.get("type")) is str and said["type"] in _MODES:
        reasoning["mode"] = said["type"]
        reasoning |= {name: said[name] for name, kind in _BESIDE if type(said.get(name)) is kind}
    if type(config) is dict and type(config.get("effort")) is str:
        reasoning["effort"] = config["effort"]
    return reasoning


def read_beside(fields: Any) -> dict[str, Any]:
    """Return the other settings that the fields of a model hold in the words of Claude."""
    if type(fields) is not dict:
        return {}
    settings: dict[str, Any] = {"top_k": fields["top_k"]} if type(fields.get("top_k")) is int else {}
    return settings | ({"parallel_tool_calls": False} if fields.get("tool_choice") == ONE_AT_A_TIME else {})


def write_thinking(out: dict[str, Any], reasoning: Mapping[str, Any], to: Target, *, has_thinking: bool) -> None:
    """Write settings of reasoning into the fields of a model; lose those that are not known to be in Claude's words."""
    if not has_thinking:
        lost_members(to.log, reasoning, "/reasoning", "setting", "only additionalModelRequestFields has it")
        return
    fields: dict[str, Any] = {}
    said = {"type": reasoning["mode"]} if "mode" in reasoning else {}
    said |= {name: reasoning[name] for name, _ in _BESIDE if name in reasoning}
    if said:
        fields["thinking"] = said
    if "effort" in reasoning:
        fields["output_config"] = {"effort": reasoning["effort"]}
    out[FIELDS] = {**fields, **out.get(FIELDS, {})}
