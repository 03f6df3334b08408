"""The settings of a Converse request: everything but messages and tools, with the tool choice.

Source: docs/wire/bedrock_converse.md, section 1.
"""

from __future__ import annotations

import json
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import beyond, lost_members
from interlingua.pointers import pointer
from interlingua.rooms._shared.claude_schemas import enforced_answer
from interlingua.rooms._shared.instructions import instruction_for, instruction_of, is_asked_in_words
from interlingua.rooms._shared.names import safe_name
from interlingua.rooms._shared.writing import may_call, nearest_tier, report_setting
from interlingua.rooms.bedrock_converse.tables import (
    DEFAULTS,
    DIALECT,
    LIMITS,
    MAX_METADATA,
    NAME_LIMIT,
    NEAREST_SERVICE_TIERS,
    SERVICE_TIERS,
    SETTINGS,
    TIER_PATH,
    TOOL_CHOICE_WORDS,
)
from interlingua.rooms.bedrock_converse.thinking import FIELDS, NO_CALL, ONE_AT_A_TIME, write_thinking, write_top_k
from interlingua.spi.extra import NOTHING, own_spelling
from interlingua.tool_arguments import arguments_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.rooms._shared.writing import Target

_SETTINGS: Final = MappingProxyType({name: wire.split(".") for wire, (name, _) in SETTINGS.items()})
_METADATA: Final = re.compile(r"[a-zA-Z0-9\s:_@$#=/+,.-]{0,256}", re.ASCII).fullmatch
_PAIR: Final = "requestMetadata can only hold texts of up to 256 letters, digits, spaces and a few other characters"
_WRITTEN_ELSEWHERE: Final = frozenset({"dialect", "extra", "messages", "tools", "tool_choice", "cache"})


def put(out: dict[str, Any], way: Sequence[str], value: Any) -> None:
    """Write a member of a newly made object, at a path."""
    for step in way[:-1]:
        out = out.setdefault(step, {})
    out[way[-1]] = value


def write_tool_choice(out: dict[str, Any], choice: Any, to: Target) -> None:
    """Write the tool choice."""
    mode = choice["mode"]
    wire: dict[str, Any] = {TOOL_CHOICE_WORDS.get(mode, "any" if choice.get("required") else "auto"): {}}
    if mode == "named":
        name = choice["name"] if to.home else safe_name(choice["name"], NAME_LIMIT, "/tool_choice/name", to.log)
        wire = {"tool": {"name": name}}
        if choice.get("kind") == "custom":
            to.log.lost("setting", "/tool_choice/kind", "the parameters of a tool must be an object")
    elif mode == "subset":
        to.log.changed("setting", "/tool_choice", "only the tools that may be called are sent")
    elif mode == "none" and to.home:
        out[FIELDS] = {**out.get(FIELDS, {}), "tool_choice": {**NO_CALL}}
        return
    elif mode == "none":
        detail = "toolChoice cannot forbid calls: the tools are left out, except those of earlier calls"
        to.log.lost("setting", "/tool_choice/mode", detail)
        return
    put(out, ["toolConfig", "toolChoice"], wire)


def write_settings(
    request: Any, to: Target, *, has_thinking: bool = True, facts: Mapping[str, Any] = NOTHING
) -> dict[str, Any]:
    """Return the settings of a request body.

    `has_thinking`: the reasoning settings are written as Claude's; `facts` say where other models have theirs.
    """
    out: dict[str, Any] = {}
    for name, value in request.items():
        if name in _SETTINGS:
            said = _accepted_metadata(value, to) if name == "metadata" and not to.home else value
            if to.home or _is_accepted(name, said, to):
                put(out, _SETTINGS[name], said)
        elif name == "response_format":
            write_response_format(out, value, request, to)
        elif name == "stream":
            to.log.changed("in_url", "/stream", "the operation decides: ConverseStream streams, Converse does not")
        elif name == "reasoning" and value:
            write_thinking(out, request, to, has_thinking=has_thinking, facts=facts)
        elif name == "service_tier" and (to.home or value not in DEFAULTS[name]):
            _write_tier(out, value, to)
        elif name == "top_k" and (has_thinking or "top_k_member" in facts):
            write_top_k(out, request, to, facts.get("top_k_member"))
        elif name == "parallel_tool_calls" and value is False and to.home:
            out[FIELDS] = {**out.get(FIELDS, {}), "tool_choice": {**ONE_AT_A_TIME}}
        elif name not in _WRITTEN_ELSEWHERE and (name != "parallel_tool_calls" or may_call(request)):
            report_setting(name, value, DEFAULTS, to.log)
    return out


def _write_tier(out: dict[str, Any], tier: str, to: Target) -> None:
    words = SERVICE_TIERS if not to.home else {tier: tier}
    word = nearest_tier(tier, words, NEAREST_SERVICE_TIERS, to.log)
    if word is not None:
        put(out, TIER_PATH.split("."), word)


def _accepted_metadata(metadata: Mapping[str, Any], to: Target) -> dict[str, str]:
    """Return the metadata that the service accepts: a limited number of pairs, of limited characters."""
    taken: dict[str, str] = {}
    for name, said in metadata.items():
        if not (name and type(said) is str and _METADATA(name) and _METADATA(said)):
            to.log.lost("setting", pointer("metadata", name), _PAIR)
        elif len(taken) == MAX_METADATA:
            to.log.lost("setting", pointer("metadata", name), "requestMetadata can hold at most 16 texts")
        else:
            taken[name] = said
    return taken


def _is_accepted(name: str, value: Any, to: Target) -> bool:
    least, most = LIMITS.get(_SETTINGS[name][-1], (None, None))
    if least is not None and most is not None and not least <= value <= most:
        to.log.lost("setting", f"/{name}", f"it must be from {least:g} to {most:g}")
    else:
        return bool(value) or name != "metadata"
    return False


def write_response_format(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the response schema, the only format that the service enforces."""
    if is_asked_in_words(value, to.log):
        return
    known = {"type", "schema", "name", "description", "strict"}  # the model is always held to the schema
    if value["type"] == "json_schema" and "schema" in value:
        schema = value["schema"] if to.home else enforced_answer(value["schema"], to.log)
        if schema is None:
            detail = "Bedrock does not enforce such a schema: the instructions ask for it in words"
            to.log.lost("setting", "/response_format", detail)
            return
        is_spaced = own_spelling(request, DIALECT).get("schema") == "spaced"
        form = {"schema": json.dumps(schema) if is_spaced else arguments_text(schema)}
        form |= {name: value[name] for name in ("name", "description") if name in value}
        out["outputConfig"] = {
            **out.get("outputConfig", {}),
            "textFormat": {"type": "json_schema", "structure": {"jsonSchema": form}},
        }
    else:
        known = {"type"}
        if value["type"] != "text":  # text is the default
            detail = "Bedrock has no JSON mode without a schema: the instructions ask for JSON in words"
            to.log.lost("setting", "/response_format/type", detail)
    lost_members(to.log, beyond(value, known), "/response_format", "member", "textFormat takes only the schema")


def format_instruction(out: Mapping[str, Any], form: Mapping[str, Any] | None) -> str | None:
    """Return an instruction that asks for the response format which no setting asks for, or None."""
    instruction = None if form is None else instruction_of(form)
    if instruction is None and form is not None and form["type"] != "text" and "outputConfig" not in out:
        return instruction_for(form)
    return instruction


def ask_in_words(out: dict[str, Any], *instructions: str | None) -> None:
    """Add requests in words to the instructions."""
    said = "\n\n".join(instruction for instruction in instructions if instruction is not None)
    if said:
        out["system"] = [*out.get("system", ()), {"text": said}]
