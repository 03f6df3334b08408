"""Encode canonical requests for Claude.

Source: docs/wire/claude.md, sections 1, 8 and 9.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.loss import beyond, lost_members, lost_opaque
from interlingua.rooms._shared.cache_marks import claude_cache_mark, limit_marks
from interlingua.rooms._shared.claude_schemas import StrictTool, adapted_arguments, close_tools, enforced_answer
from interlingua.rooms._shared.claude_thinking import refuses_prefill
from interlingua.rooms._shared.family_fitting import tool_choice_instruction
from interlingua.rooms._shared.instructions import (
    described,
    instruction_for,
    instruction_of,
    is_asked_in_words,
    is_described,
    joined,
)
from interlingua.rooms._shared.names import safe_name
from interlingua.rooms._shared.server_tools import SERVED
from interlingua.rooms._shared.user_messages import CONTINUE_TEXT, append_user_message
from interlingua.rooms._shared.writing import (
    Target,
    may_call,
    nearest_tier,
    repeats_tool_name,
    report_choice,
    report_setting,
)
from interlingua.rooms.claude.encode_family import drop_thinking_edits, fitted_request
from interlingua.rooms.claude.encode_message import encode_conversation
from interlingua.rooms.claude.server_tools import encode_server_tool
from interlingua.rooms.claude.tables import (
    DEFAULTS,
    DIALECT,
    FILLS,
    MAX_TEMPERATURE,
    NAME_LIMIT,
    NEAREST_SERVICE_TIERS,
    NEWEST,
    SAMPLING,
    SERVICE_TIER_WORDS,
    SETTING_NAMES,
    THINKING,
    TOOL_CHOICE_WORDS,
    TOOL_MEMBERS,
)
from interlingua.spi.extra import NOTHING, merge_own_extra, own_spelling

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest, Tool, ToolChoice
    from interlingua.spi.families import Family


_WRITTEN_ELSEWHERE: Final = frozenset({"dialect", "extra", "messages"})


def encode_request(
    request: ChatRequest, log: LossLog, api_version: str | None = None, family: Family | None = None
) -> dict[str, Any]:
    """Return the body of `POST /v1/messages`; losses are recorded in `log`.

    `api_version` None means verbatim at home and the newest abroad.
    """
    home = request.get("dialect") == DIALECT
    version = api_version or ("" if home else NEWEST)
    to = Target(DIALECT, home, answer=False, log=log, version=version, marks=None if home else [])
    asked = request
    if not home:
        request = fitted_request(request, family, log)
    out: dict[str, Any] = {}
    for name, value in request.items():
        if name in SETTING_NAMES:
            if name not in SAMPLING or not to.version or _takes_sampling(name, value, to):
                out[SETTING_NAMES[name]] = value
        elif name in _WRITERS:
            _WRITERS[name](out, value, request, to)
        elif name not in _WRITTEN_ELSEWHERE:
            report_setting(name, value, DEFAULTS, log)
    if not home and ("tool_choice" in out or "tool_choice" in request):
        _drop_choice_without_tools(out, request, to)
    _write_conversation(out, request, family, to)
    limit_marks(out, to)
    if not home and ("tool_choice" in asked or "response_format" in request):
        instruction = tool_choice_instruction(asked, request, out.get("tools"))
        _ask_in_words(out, instruction, _format_instruction(out, request.get("response_format")))
    merge_own_extra(out, request, DIALECT, "", log)
    if not home:
        if "context_management" in out and family is not None:
            drop_thinking_edits(out, family.facts, log)
        _fill(out, log)
    return out


def _fill(out: dict[str, Any], log: LossLog) -> None:
    for name in ("model", "max_tokens"):
        if name not in out:
            out[name] = FILLS[name]
            log.filled(f"/{name}", "the provider requires it in every request")


def _write_conversation(out: dict[str, Any], request: Any, family: Family | None, to: Target) -> None:
    """Write the messages; abroad, end with a user message if an assistant prefill is not accepted.

    None is beside a schema that the answer is held to.
    """
    is_held = "format" in out.get("output_config", NOTHING)
    facts = NOTHING if family is None else family.facts
    is_anew = not to.home and refuses_prefill(request, facts, is_held=is_held)
    encode_conversation(out, request["messages"], to, is_anew=is_anew)
    if is_anew:
        question = {"role": "user", "content": CONTINUE_TEXT}
        append_user_message(out["messages"], question, to.message(len(request["messages"])), to.log)


def _takes_sampling(name: str, value: Any, to: Target) -> bool:
    if to.version == NEWEST:
        report_setting(name, value, DEFAULTS, to.log, f"API version {NEWEST} has no sampling settings")
        return False
    if name == "temperature" and not 0 <= value <= MAX_TEMPERATURE:
        to.log.lost("setting", f"/{name}", "Claude's temperature must be from 0 to 1")
        return False
    return True


def _write_stop(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    """Write the stop sequences; abroad without those of white space alone, which are refused."""
    kept = value
    if not to.home:
        for at, text in enumerate(value):
            if not text.strip():
                to.log.lost("setting", f"/stop/{at}", "stop_sequences may not be only white space")
        kept = [text for text in value if text.strip()]
    if kept or not value:
        out["stop_sequences"] = kept


def _write_user(out: dict[str, Any], value: Any, _request: Any, _to: Target) -> None:
    out["metadata"] = {"user_id": value}


def _write_safety_identifier(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write `metadata.user_id`, unless `user` fills it."""
    if "user" in request:
        to.log.lost("setting", "/safety_identifier", "metadata.user_id can hold only one id: user is sent")
        return
    out["metadata"] = {"user_id": value}
    to.log.changed("setting", "/safety_identifier", "without user, safety_identifier is decoded as user")


def _write_service_tier(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    word = nearest_tier(value, SERVICE_TIER_WORDS, NEAREST_SERVICE_TIERS, to.log)
    if word is not None:
        out["service_tier"] = word


def _write_cache(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    if value.get("mode", "implicit") == "implicit":
        out["cache_control"] = claude_cache_mark(value, "/cache", to)
    else:
        to.log.lost("cache", "/cache", "Claude caches a whole request only in its own mode")


def _write_reasoning(out: dict[str, Any], value: Any, _request: Any, _to: Target) -> None:
    """Write `thinking` and `effort`; settings of another dialect have already been fitted to the model."""
    thinking = {wire: value[name] for wire, (name, _) in THINKING.items() if name in value}
    if thinking:
        out["thinking"] = thinking
    if "effort" in value:
        out["output_config"] = {**out.get("output_config", NOTHING), "effort": value["effort"]}


def _format_instruction(out: Mapping[str, Any], form: Any) -> str | None:
    """Return an instruction that asks for the response format which no setting asks for, or None."""
    if form is None or "format" in out.get("output_config", NOTHING) or "output_format" in out:
        return None
    return instruction_of(form) or (None if form["type"] == "text" else instruction_for(form))


def _ask_in_words(out: dict[str, Any], *instructions: str | None) -> None:
    for instruction in instructions:
        said = out.get("system")
        if instruction is not None:
            out["system"] = (
                [*said, {"type": "text", "text": instruction}] if type(said) is list else joined(said, instruction)
            )


def _write_response_format(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    if is_asked_in_words(value, to.log):
        return
    known = {"type"}
    if value["type"] == "json_schema" and "schema" in value:
        told = value["schema"] if to.home else described(value)
        schema = told if to.home else enforced_answer(told, to.log)
        if schema is None:
            detail = "Claude does not enforce such a schema: the instructions ask for it in words"
            to.log.lost("setting", "/response_format", detail)
            return
        form = {"type": "json_schema", "schema": schema}
        known |= {"schema", "strict"}  # the model is always held to the schema
        if not to.home and is_described(value, told, to.log):
            known.add("description")
        if "response_format" in own_spelling(request, DIALECT):
            out["output_format"] = form
        else:
            out["output_config"] = {**out.get("output_config", NOTHING), "format": form}
    elif value["type"] != "text":
        detail = "Claude has no JSON mode without a schema: the instructions ask for JSON in words"
        to.log.lost("setting", "/response_format/type", detail)
    unsaid = beyond(value, known)
    lost_members(to.log, unsaid, "/response_format", "member", "output_config.format takes only the schema")


def _write_tools(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the tools; for a choice among some of them, only those: Claude has no such choice."""
    choice = request.get("tool_choice")
    allowed = frozenset(choice["names"]) if choice is not None and choice["mode"] == "subset" else None
    home = to.home
    tools: list[Any] = []
    strict: list[StrictTool] = []
    offered: set[str] = set()
    for index, tool in enumerate(value):
        if repeats_tool_name(tool, index, offered, to) or _has_taken_name(tool, index, value, offered, to):
            continue
        if allowed is not None and tool["type"] == "function" and tool["name"] not in allowed:
            lost_members(to.log, tool, f"/tools/{index}", "tool", "only the tools that may be called are sent")
            continue
        encoded = _encode_tool(tool, index, to)
        if encoded is None:
            continue
        tools.append(encoded)
        if not home and tool.get("strict") and tool["type"] == "function":
            strict.append(StrictTool(index, encoded, encoded, "input_schema", tool.get("parameters")))
    if strict:
        close_tools(strict, request.get("response_format", NOTHING), to.log)
    if tools or not value:
        out["tools"] = tools


def _has_taken_name(tool: Tool, index: int, tools: Sequence[Tool], offered: set[str], to: Target) -> bool:
    """Return whether a provider tool's fixed name is already taken, and report it as lost.

    A function of that name counts wherever it stands; of several provider tools the first one keeps the name.
    """
    name = tool["type"]
    if to.home or name not in SERVED:  # the canonical type is also the tool's name
        return False
    if name in offered or any(one["type"] == "function" and one["name"] == name for one in tools):
        lost_members(to.log, tool, f"/tools/{index}", "tool", "a tool of this name is offered already")
        return True
    offered.add(name)
    return False


def _encode_tool(tool: Tool, index: int, to: Target) -> dict[str, Any] | None:
    """Return the wire form of a tool, or None if it has none."""
    if tool["type"] == "function":
        path = f"/tools/{index}"
        out: dict[str, Any] = {}
        if "extra" in tool and "type" in own_spelling(tool, DIALECT):
            out["type"] = "custom"
        out["name"] = tool["name"] if to.home else safe_name(tool["name"], NAME_LIMIT, f"{path}/name", to.log)
        for wire, (name, _) in TOOL_MEMBERS.items():
            if name in tool:
                out[wire] = tool[name]  # type: ignore[literal-required]  # names of the table
        if not to.home:
            _complete_schema(out, path, to)
        if "cache" in tool:
            out["cache_control"] = claude_cache_mark(tool["cache"], f"{path}/cache", to)
        merge_own_extra(out, tool, DIALECT, path, to.log)
        return out
    if tool["type"] == "opaque" and tool["dialect"] == DIALECT:
        return tool["data"]  # type: ignore[no-any-return]  # verbatim
    if tool["type"] == "web_search" or tool["type"] == "code_execution":
        return encode_server_tool(tool, f"/tools/{index}", to)
    lost_opaque(to.log, f"/tools/{index}", "tool")
    return None


def _complete_schema(out: dict[str, Any], path: str, to: Target) -> None:
    """Fill in or adapt the input schema: Claude requires an object schema for every tool."""
    schema = out.get("input_schema")
    if schema is None:
        closing = {"additionalProperties": False} if out.get("strict") else {}
        out["input_schema"] = {"type": "object", "properties": {}, **closing}
        to.log.filled(f"{path}/parameters", "each tool needs an input schema")
    else:
        out["input_schema"] = adapted_arguments(schema, f"{path}/parameters", to.log)


def _write_tool_choice(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write `tool_choice`, and in it whether parallel tool calls are disabled."""
    choice: ToolChoice = value
    if choice["mode"] == "auto" or choice["mode"] == "none" or choice["mode"] == "required":
        wire: dict[str, Any] = {"type": TOOL_CHOICE_WORDS[choice["mode"]]}
    elif choice["mode"] == "named":
        name = choice["name"] if to.home else safe_name(choice["name"], NAME_LIMIT, "/tool_choice/name", to.log)
        wire = {"type": "tool", "name": name}
        if choice.get("kind") == "custom":
            to.log.lost("setting", "/tool_choice/kind", "the parameters of a tool must be an object")
    elif choice["mode"] == "subset":
        wire = {"type": "any" if choice.get("required") else "auto"}
        if to.home:
            to.log.changed("setting", "/tool_choice", "only the tools that may be called are sent")
    else:
        assert_never(choice)
    parallel = request.get("parallel_tool_calls")
    if parallel is not None and (wire["type"] != "none" or to.home):
        wire["disable_parallel_tool_use"] = not parallel
    out["tool_choice"] = wire


def _write_parallel(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write `disable_parallel_tool_use` for a request without a choice: it can only stand in `tool_choice`."""
    if "tool_choice" not in request and not value and (to.home or may_call(request)):
        out["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}


def _drop_choice_without_tools(out: dict[str, Any], request: Any, to: Target) -> None:
    """Drop a choice without tools, which Claude refuses, and report what became of a choice among some tools."""
    if "tool_choice" in out and not out.get("tools"):
        del out["tool_choice"]
        report_choice(request.get("tool_choice"), to.log)
        return
    choice = request.get("tool_choice", NOTHING)
    if not choice and "tool_choice" in out:
        to.log.filled(
            "/tool_choice", "disable_parallel_tool_use is a member of tool_choice: its default, auto, was added"
        )
    if choice.get("mode") != "subset":
        return
    if not any(tool["type"] == "function" and tool["name"] in choice["names"] for tool in request["tools"]):
        out.pop("tool_choice", None)
        for name in ("tool_choice", "parallel_tool_calls"):
            if request.get(name, True) is not True:
                to.log.lost("setting", f"/{name}", "tools has none of the tools that the choice names")
    else:
        to.log.changed("setting", "/tool_choice", "only the tools that may be called are sent")


_WRITERS: Final = MappingProxyType({
    "stop": _write_stop,
    "user": _write_user,
    "safety_identifier": _write_safety_identifier,
    "service_tier": _write_service_tier,
    "cache": _write_cache,
    "tools": _write_tools,
    "tool_choice": _write_tool_choice,
    "parallel_tool_calls": _write_parallel,
    "reasoning": _write_reasoning,
    "response_format": _write_response_format,
})  # fmt: skip
