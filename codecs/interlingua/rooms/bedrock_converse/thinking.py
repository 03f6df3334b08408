"""Reasoning settings, in `additionalModelRequestFields` (Claude's members and other makers') and in `outputConfig`.

All are read, and at home written where they were read. Abroad they are written for the families of families.py: what
one model accepts there, the next refuses. Source: docs/wire/bedrock_converse.md, section 1.5.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.loss import lost_members
from interlingua.pointers import value_at, without_nulls_at
from interlingua.rooms._shared.thinking import OFF
from interlingua.rooms.bedrock_converse.tables import DIALECT
from interlingua.spi.extra import NOTHING, merge_extra, own_extra

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.writing import Target

FIELDS: Final = "additionalModelRequestFields"
# Claude's own choice, refused beside one in `toolConfig`: against parallel calls if it is `auto`, and against any call.
NO_CALL: Final[Mapping[str, Any]] = MappingProxyType({"type": "none"})
ONE_AT_A_TIME: Final[Mapping[str, Any]] = MappingProxyType({"type": "auto", "disable_parallel_tool_use": True})
_MODES: Final = frozenset({"enabled", "disabled", "adaptive"})
_BESIDE: Final[tuple[tuple[str, type], ...]] = (("budget_tokens", int), ("display", str))
_ON: Final = "enabled"
_UNSETTABLE: Final = "these models do not reason, or have no setting for it"
_OF_THE_MODEL: Final = "its member of additionalModelRequestFields depends on the model, which is unknown"


class Place(NamedTuple):
    """Where a setting is read, besides Claude's own members: the path, its canonical name, its JSON type."""

    path: tuple[str, ...]
    setting: str
    kind: type


# If two hold the same setting, the first is read; Claude's own members come before all.
PLACES: Final = (
    Place((FIELDS, "reasoning_effort"), "effort", str),
    Place((FIELDS, "reasoning", "effort"), "effort", str),
    Place((FIELDS, "reasoning_config"), "effort", str),
    Place((FIELDS, "reasoning_config", "type"), "mode", str),
    Place((FIELDS, "reasoning_config", "budget_tokens"), "budget_tokens", int),
    Place((FIELDS, "reasoningConfig", "type"), "mode", str),
    Place((FIELDS, "reasoningConfig", "maxReasoningEffort"), "effort", str),
    Place((FIELDS, "inferenceConfig", "topK"), "top_k", int),
    Place(("outputConfig", "effort"), "effort", str),
)
_TOP_K: Final = "top_k"
# Effort members that need a switch beside them -> the path of that switch.
_SWITCHED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"reasoningConfig.maxReasoningEffort": (FIELDS, "reasoningConfig", "type")}
)
_ABSENT: Final = object()


def read_thinking(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reasoning settings of a body; members of another shape are left."""
    reasoning: dict[str, Any] = {}
    fields = _fields_of(body)
    said, config = fields.get("thinking"), fields.get("output_config")
    if type(said) is dict and type(said.get("type")) is str and said["type"] in _MODES:
        reasoning["mode"] = said["type"]
        reasoning |= {name: said[name] for name, kind in _BESIDE if type(said.get(name)) is kind}
    if type(config) is dict and type(config.get("effort")) is str:
        reasoning["effort"] = config["effort"]
    for place in read_places(body):
        if place.setting != _TOP_K:
            reasoning[place.setting] = value_at(body, place.path, _ABSENT)
    return reasoning


def read_other_fields(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the other settings among the additional fields: `top_k`, no calls, no parallel calls."""
    fields = _fields_of(body)
    settings: dict[str, Any] = {_TOP_K: fields[_TOP_K]} if type(fields.get(_TOP_K)) is int else {}
    for place in read_places(body):
        if place.setting == _TOP_K:
            settings[_TOP_K] = value_at(body, place.path, _ABSENT)
    choice = fields.get("tool_choice")
    if choice == NO_CALL and value_at(body, ("toolConfig", "toolChoice"), None) is None:
        settings["tool_choice"] = {"mode": "none"}
    return settings | ({"parallel_tool_calls": False} if choice == ONE_AT_A_TIME else {})


def read_places(body: Mapping[str, Any]) -> list[Place]:
    """Return the places whose settings are read, at most one for each setting."""
    read: list[Place] = []
    if body.keys().isdisjoint(_HOLDERS):  # the usual case
        return read
    fields = _fields_of(body)
    taken = {_TOP_K} if type(fields.get(_TOP_K)) is int else set[str]()
    is_claudes = "thinking" in fields or "output_config" in fields
    if type(value_at(fields, ("output_config", "effort"), _ABSENT)) is str:
        taken.add("effort")
    for place in PLACES:
        said = value_at(body, place.path, _ABSENT)
        if place.setting in taken or type(said) is not place.kind or (place.setting == "mode" and said not in _MODES):
            continue
        if is_claudes and place.path[0] == FIELDS and place.setting != _TOP_K:
            continue
        taken.add(place.setting)
        read.append(place)
    return read


_HOLDERS: Final = frozenset(place.path[0] for place in PLACES)


def _fields_of(body: Mapping[str, Any]) -> Mapping[str, Any]:
    fields: Any = body.get(FIELDS)
    return fields if type(fields) is dict else NOTHING


def placeholders(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return members with a null at each place that is read: the setting is written back there."""
    out: dict[str, Any] = {}
    for place in read_places(body):
        merge_extra(out, _nested(place.path, None))
    return out


def write_thinking(
    out: dict[str, Any], request: Mapping[str, Any], to: Target, *, has_thinking: bool, facts: Mapping[str, Any]
) -> None:
    """Write the reasoning settings into the additional fields; report those without a known place as lost.

    `has_thinking`: written as Claude's members. `facts`: for other models, they have the path of the effort.
    """
    reasoning: Mapping[str, Any] = request["reasoning"]
    if not has_thinking:
        member: str | None = facts.get("effort_member")
        if member is None:
            lost_members(to.log, reasoning, "/reasoning", "setting", _UNSETTABLE if facts else _OF_THE_MODEL)
            return
        if "effort" in reasoning:
            _write_effort(out, reasoning["effort"], member)
        for name in reasoning:
            if name != "effort":
                to.log.lost("setting", f"/reasoning/{name}", "these models accept only an effort")
        return
    told = _places_of(request) if to.home else []
    for place in told:
        if place.setting in reasoning:
            _put(out, place.path, reasoning[place.setting])
    rest = reasoning
    if told:
        settings = {place.setting for place in told}
        rest = {name: value for name, value in reasoning.items() if name not in settings}
    fields: dict[str, Any] = {}
    said = {"type": rest["mode"]} if "mode" in rest else {}
    said |= {name: rest[name] for name, _ in _BESIDE if name in rest}
    if said:
        fields["thinking"] = said
    if "effort" in rest:
        fields["output_config"] = {"effort": rest["effort"]}
    if fields:
        out[FIELDS] = {**fields, **out.get(FIELDS, {})}


def write_top_k(out: dict[str, Any], request: Mapping[str, Any], to: Target, member: str | None) -> None:
    """Write `top_k` where it was read, else at the model's path, which by default is Claude's `top_k`."""
    told = [place.path for place in _places_of(request) if place.setting == _TOP_K] if to.home else []
    _put(out, told[0] if told else (FIELDS, *(member or _TOP_K).split(".")), request[_TOP_K])


def without_removed_members(out: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a body without members that were read and are no longer set."""
    return without_nulls_at(out, [place.path for place in _places_of(request)])


def effort_in(fields: Any, member: str | None) -> tuple[str, str | None]:
    """Return the JSON Pointer and value of the member that holds the effort, if there is one."""
    path = () if member is None else tuple(member.split("."))
    said = value_at(fields, path, _ABSENT) if path else None
    return "".join(f"/{step}" for step in path), said if type(said) is str else None


def _write_effort(out: dict[str, Any], effort: str, member: str) -> None:
    switch = _SWITCHED.get(member)
    if switch is None or effort != "none":
        _put(out, (FIELDS, *member.split(".")), effort)
    if switch is not None:
        _put(out, switch, OFF if effort == "none" else _ON)


def _places_of(request: Mapping[str, Any]) -> list[Place]:
    """Return the places that a request was read from."""
    fields = own_extra(request, DIALECT).get("fields", NOTHING)
    return [one for one in PLACES if value_at(fields, one.path, _ABSENT) is None]


def _put(out: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    holder, *beneath = path
    held = _nested(tuple(beneath), value)
    merge_extra(held, out.get(holder, NOTHING))
    out[holder] = held


def _nested(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    for step in reversed(path):
        value = {step: value}
    held: dict[str, Any] = value
    return held
