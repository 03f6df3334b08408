"""Encode canonical requests for Gemini: settings and tools.

Source: docs/wire/gemini.md, sections 1 and 8. At home a body goes out as it came.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, assert_never, cast

from interlingua.loss import beyond, lost_members, lost_opaque
from interlingua.pointers import pointer
from interlingua.rooms._shared.instructions import choices_of, described, instruction_of, is_described
from interlingua.rooms._shared.schema_adaptation import adapt
from interlingua.rooms._shared.writing import (
    Target,
    may_call,
    nearest_tier,
    repeats_tool_name,
    report_choice,
    report_setting,
)
from interlingua.rooms.gemini.encode_family import fitted_request, with_one_resolution
from interlingua.rooms.gemini.encode_message import encode_conversation
from interlingua.rooms.gemini.encode_part import function_name, is_accepted, report_cache_and_extra
from interlingua.rooms.gemini.openapi import to_openapi
from interlingua.rooms.gemini.server_tools import encode_server_tool
from interlingua.rooms.gemini.snake_case import DECLARATION, REQUEST, TOOL, with_snake_case
from interlingua.rooms.gemini.tables import (
    ANY_BUDGET,
    CHOICE_TYPE,
    DEFAULTS,
    DIALECT,
    DISPLAYS,
    FORM_SCHEMAS,
    FUNCTION_CALLING_WORDS,
    FUNCTION_SCHEMAS,
    INVOCATIONS,
    JSON_TYPE,
    MAX_LOGPROBS,
    MAX_STOPS,
    MAX_TEMPERATURE,
    MODALITY_WORDS,
    NEAREST_DISPLAYS,
    NEAREST_SERVICE_TIERS,
    NO_BUDGET,
    SERVICE_TIER_WORDS,
    SETTING_NAMES,
    TEXT_TYPE,
    VALIDATED,
    VERTEX,
)
from interlingua.spi.extra import NOTHING, merge_extra, merge_own_extra, own_extra, own_spelling

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest, Tool, ToolChoice, ToolDefinition
    from interlingua.spi.families import Family

_CONFIG: Final = "generationConfig"
_WRITTEN_ELSEWHERE: Final = frozenset({"dialect", "extra", "messages"})

_acceptable_label: Final = re.compile(r"[a-z0-9_-]{0,63}").fullmatch

_OTHER_MODES: Final = "the target has no such mode"

_INSTRUCTION: Final = "systemInstruction"
_FREE: Final[Mapping[str, Any]] = MappingProxyType({"mode": "auto"})
_FREE_MODES: Final = frozenset({"auto", "none"})
_ALL_OR_NONE: Final = "strict applies to all tools (mode VALIDATED) or to none"
_HELD_ANYWAY: Final = "the modes ANY and VALIDATED hold every call to its schema, strict or not"
_DECLARATIONS: Final = "functionDeclarations"
_SCHEMA: Final = "parametersJsonSchema"
# Google documents choices in OpenAPI style only.
_CHOICE_HABIT: Final = MappingProxyType({"schema": "openapi"})


def encode_request(
    request: ChatRequest, log: LossLog, api_version: str | None = None, family: Family | None = None
) -> dict[str, Any]:
    """Return the body of `generateContent`; losses are recorded in `log`.

    `api_version` "vertex" writes for Vertex AI.
    """
    to = Target(DIALECT, request.get("dialect") == DIALECT, answer=False, log=log, version=api_version or "")
    facts: Mapping[str, Any] = NOTHING
    config: dict[str, Any] = {}
    if not to.home:
        request = fitted_request(request, family, log)
        request, config = with_one_resolution(request, family, log)
        facts = NOTHING if family is None else {"signed_calls": False, **family.facts}
    spelling = own_spelling(request, DIALECT)
    out: dict[str, Any] = {}
    encode_conversation(out, request["messages"], to, alone=spelling.get("contents") == "object", facts=facts)
    _ask_in_words(out, request)
    for name, value in request.items():
        if name in _WRITTEN_ELSEWHERE:
            continue
        if name in SETTING_NAMES:
            setting = value if to.home else _within_limits(name, value, to)
            if setting is not None:
                config[SETTING_NAMES[name]] = setting
        elif name in _CONFIG_WRITERS:
            _CONFIG_WRITERS[name](config, value, spelling, to)
        elif name in _WRITERS:
            _WRITERS[name](out, value, request, to)
        else:
            report_setting(name, value, DEFAULTS, log)
    _complete_tool_choice(out, request, to)
    if facts.get("tool_invocations") == "require_by_some_hosts" and to.version != VERTEX:
        _ask_for_tool_invocations(out, to)
    if config:
        for name in spelling.get("float", ()):
            _write_float(config, name)
        out[_CONFIG] = config
    if "extra" in request:
        merge_own_extra(out, request, DIALECT, "", log)
    _write_nulls(out, spelling.get("null", ()))
    return with_snake_case(out, spelling["snake"], REQUEST) if "snake" in spelling else out


def _write_float(config: dict[str, Any], name: str) -> None:
    """Write a whole number with a fraction of zero, if it came that way."""
    for holder in (config, config.get("thinkingConfig", NOTHING)):
        if name in holder:
            cast("dict[str, Any]", holder)[name] = float(holder[name])


def _write_nulls(out: dict[str, Any], names: Iterable[str]) -> None:
    """Write known settings as null, if they came that way."""
    for name in names:
        *outer, last = name.split(".")
        holder = out
        for step in outer:
            holder[step] = {**holder.get(step, NOTHING)}
            holder = holder[step]
        holder.setdefault(last, None)


def _within_limits(name: str, value: Any, to: Target) -> Any:
    """Return a setting's value within the limits of the dialect, or None if it is not sent; only used abroad."""
    if name == "temperature" and not 0 <= value <= MAX_TEMPERATURE:
        to.log.lost("setting", "/temperature", f"Gemini's temperature must be from 0 to {MAX_TEMPERATURE}")
        return None
    if name == "top_logprobs" and value == 0:
        return None  # as if it were not said; models that have no log probabilities refuse it
    if name == "top_logprobs" and not 0 <= value <= MAX_LOGPROBS:
        to.log.lost("setting", "/top_logprobs", f"top_logprobs must be at most {MAX_LOGPROBS}")
        return None
    if name == "stop" and len(value) > MAX_STOPS:
        gone = [str(at) for at in range(MAX_STOPS, len(value))]
        lost_members(to.log, gone, "/stop", "member", f"at most {MAX_STOPS} are accepted")
        return value[:MAX_STOPS]
    return value


def _write_reasoning(config: dict[str, Any], value: Any, spelling: Mapping[str, Any], to: Target) -> None:
    """Write `thinkingConfig`; settings of another dialect have already been fitted to the model."""
    thinking: dict[str, Any] = {}
    if "display" in value:
        thinking["includeThoughts"] = _shown(value["display"], to)
    thinking["thinkingBudget"] = _budget(value, to)
    if "effort" in value:
        thinking["thinkingLevel"] = value["effort"] if spelling.get("effort") == "lower" else value["effort"].upper()
    thinking = {name: setting for name, setting in thinking.items() if setting is not None}
    if thinking:
        config["thinkingConfig"] = thinking


def _shown(display: str, to: Target) -> bool | None:
    if display in DISPLAYS:
        return DISPLAYS[display]
    if display in NEAREST_DISPLAYS:
        to.log.changed("setting", "/reasoning/display", "the target does not have this value: the nearest one is sent")
        return NEAREST_DISPLAYS[display]
    to.log.lost("setting", "/reasoning/display", "includeThoughts is either true or false")
    return None


def _budget(settings: Any, to: Target) -> int | None:
    """Return the thinking budget for a mode and a number of tokens."""
    mode, tokens = settings.get("mode"), settings.get("budget_tokens")
    if mode == "disabled":
        if tokens is not None:
            to.log.lost("setting", "/reasoning/budget_tokens", "thinking that is off has no budget")
        return NO_BUDGET
    if tokens is not None and tokens > NO_BUDGET:
        if mode is None:
            to.log.filled("/reasoning/mode", "thinkingBudget switches thinking on")
        elif mode != "enabled":
            to.log.changed("setting", "/reasoning/mode", "with thinkingBudget, the amount of thinking is fixed")
        return int(tokens)
    if tokens is not None:
        to.log.lost("setting", "/reasoning/budget_tokens", "thinkingBudget must be above 0 for thinking")
    if mode == "enabled":
        to.log.changed("setting", "/reasoning/mode", "without thinkingBudget the model decides how much it thinks")
    elif mode not in {None, "adaptive"}:
        to.log.lost("setting", "/reasoning/mode", _OTHER_MODES)
    return ANY_BUDGET if mode in {"adaptive", "enabled"} else None


def _write_response_format(config: dict[str, Any], value: Any, spelling: Mapping[str, Any], to: Target) -> None:
    """Write the response format; one that is only asked for in words goes into the instructions."""
    if choices_of(value) is not None:
        config["responseMimeType"] = CHOICE_TYPE
        _write_schema(config, value["schema"], spelling if to.home else _CHOICE_HABIT)
        return
    if instruction_of(value) is not None:
        return
    known = {"type"}
    if value["type"] == "json_schema" and "schema" in value:
        known |= {"schema", "strict"}  # the model is always held to the schema
        schema = value["schema"]
        if not to.home:
            schema = described(value)
            if is_described(value, schema, to.log):
                known.add("description")
            schema = adapt(schema, FORM_SCHEMAS, "/response_format/schema", to.log, "setting")
        _write_schema(config, schema, spelling)
    else:
        config["responseMimeType"] = TEXT_TYPE if value["type"] == "text" else JSON_TYPE
        if value["type"] == "json_schema":
            to.log.changed(
                "setting", "/response_format/type", "responseMimeType application/json without a schema allows any JSON"
            )
    unsaid = beyond(value, known)
    lost_members(to.log, unsaid, "/response_format", "member", "responseJsonSchema takes only the schema")


def _ask_in_words(out: dict[str, Any], request: ChatRequest) -> None:
    """Add to the instructions the response format that is only asked for in words."""
    form = request.get("response_format", NOTHING)
    instruction = instruction_of(form)
    if instruction is not None and choices_of(form) is None:
        said = out.get(_INSTRUCTION, {"parts": []})
        out[_INSTRUCTION] = {**said, "parts": [*said["parts"], {"text": instruction}]}


def _write_modalities(config: dict[str, Any], value: Any, _spelling: Mapping[str, Any], to: Target) -> None:
    if MODALITY_WORDS.keys() >= {*value}:
        config["responseModalities"] = [MODALITY_WORDS[word] for word in value]
    else:
        to.log.lost("setting", "/modalities", "responseModalities can only be TEXT, IMAGE and AUDIO")


def _write_schema(config: dict[str, Any], schema: Any, spelling: Mapping[str, Any]) -> None:
    form = spelling.get("schema")
    if form == "format":
        config["responseFormat"] = [{"text": {"mimeType": JSON_TYPE, "schema": schema}}]
        return
    if "responseMimeType" not in spelling.get("absent", ()):
        config.setdefault("responseMimeType", JSON_TYPE)
    if form is None:
        config["responseJsonSchema"] = schema
    else:
        config["responseSchema"] = to_openapi(schema) if form == "openapi" else schema


def _write_model(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    if own_spelling(request, DIALECT).get("model") == "body":
        out["model"] = value
    else:
        to.log.changed("in_url", "/model", "the model is named in the URL")


def _write_stream(_out: dict[str, Any], _value: Any, _request: Any, to: Target) -> None:
    to.log.changed("in_url", "/stream", "the URL says whether the answer is a stream")


def _write_metadata(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    """Write labels; abroad only short texts of lower-case letters, digits, _ and - are accepted."""
    labels: dict[str, Any] = {}
    for name, label in value.items():
        if to.home or (_acceptable_label(name) and isinstance(label, str) and _acceptable_label(label)):
            labels[name] = label
        else:
            to.log.lost("setting", f"/metadata{pointer(name)}", "labels must be short words in lower case")
    if labels or not value:
        out["labels"] = labels


def _write_store(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    if to.version != VERTEX:
        out["store"] = value
    elif value:
        to.log.lost("setting", "/store", "Vertex AI does not accept it")
    else:
        to.log.changed("setting", "/store", "Vertex AI does not accept it, and stores nothing")


def _write_service_tier(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    word = nearest_tier(value, SERVICE_TIER_WORDS, NEAREST_SERVICE_TIERS, to.log)
    if word is not None:
        out["serviceTier"] = word


def _write_tools(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the tools: all functions in one Tool object, at home grouped as they came."""
    is_free = request.get("tool_choice", _FREE)["mode"] in _FREE_MODES
    unsaid = _ALL_OR_NONE if is_free else _HELD_ANYWAY
    groups = _encode_groups(value, to, None if _uses_validated_mode(request) else unsaid)
    if groups or not value:
        alone = own_spelling(request, DIALECT).get("tools") == "object" and len(groups) == 1
        out["tools"] = groups[0] if alone else groups


def _encode_groups(tools: list[Tool], to: Target, unsaid: str | None) -> list[Any]:
    """Return the Tool objects; `unsaid`: why it is not said that a tool is strict, None if it is."""
    groups: list[Any] = []
    declarations: list[dict[str, Any]] | None = None
    offered: set[str] = set()
    for index, tool in enumerate(tools):
        if tool["type"] != "function":
            own = _encode_own_tool(tool, index, to)
            if own is not None:
                groups.append(own)
                declarations = declarations if not to.home else None
            continue
        if repeats_tool_name(tool, index, offered, to):
            continue
        bag = own_extra(tool, DIALECT) if "extra" in tool else NOTHING
        spelling = bag.get("spelling", NOTHING)
        declaration = _encode_declaration(tool, index, bag, to)
        if tool.get("strict") and unsaid is not None:
            to.log.lost("tool", f"/tools/{index}/strict", unsaid)
        if declarations is None or "group" in spelling or "group" in bag:
            declarations = []
            groups.append(_group(declarations, bag, spelling))
        declarations.append(declaration)
    return groups


def _encode_own_tool(tool: Tool, index: int, to: Target) -> dict[str, Any] | None:
    """Return the Tool object of a tool that is not a function, or None if it has none."""
    if tool["type"] == "opaque" and tool["dialect"] == DIALECT:
        return tool["data"]  # type: ignore[no-any-return]  # verbatim
    if tool["type"] == "web_search" or tool["type"] == "code_execution":
        return encode_server_tool(tool, f"/tools/{index}", to)
    lost_opaque(to.log, f"/tools/{index}", "tool")
    return None


def _group(declarations: list[dict[str, Any]], bag: Mapping[str, Any], spelling: Mapping[str, Any]) -> dict[str, Any]:
    """Return a Tool object around declarations that are still to be added."""
    group: dict[str, Any] = {_DECLARATIONS: declarations, **bag.get("group", NOTHING)}
    for name in spelling.get("null", ()):
        if name in TOOL.snake:
            group.setdefault(name, None)
    return with_snake_case(group, spelling["snake"], TOOL) if "snake" in spelling else group


def _encode_declaration(tool: ToolDefinition, index: int, bag: Mapping[str, Any], to: Target) -> dict[str, Any]:
    path = f"/tools/{index}"
    declaration: dict[str, Any] = {"name": tool["name"]}
    if not (to.home or is_accepted(tool["name"])):
        declaration["name"] = function_name(tool["name"], f"{path}/name", to)
    if "description" in tool:
        declaration["description"] = tool["description"]
    spelling = bag.get("spelling", NOTHING)
    if "parameters" in tool:
        form = spelling.get("parameters")
        if form is None:
            parameters = tool["parameters"]
            if not to.home:
                parameters = adapt(parameters, FUNCTION_SCHEMAS, f"{path}/parameters", to.log, "tool")
            declaration[_SCHEMA] = parameters
        else:
            declaration["parameters"] = to_openapi(tool["parameters"]) if form == "openapi" else tool["parameters"]
    report_cache_and_extra(tool, "tool", path, to)
    if bag:
        merge_extra(declaration, bag.get("fields", NOTHING))
        for name in spelling.get("null", ()):
            if name not in TOOL.snake:
                declaration.setdefault(name, None)
        if "snake" in spelling:
            return with_snake_case(declaration, spelling["snake"], DECLARATION)
    return declaration


def _uses_validated_mode(request: Any) -> bool:
    """Return whether calls must follow the schemas of their tools: all are strict, and the choice is `auto`."""
    choice = request.get("tool_choice")
    if choice is not None and choice["mode"] != "auto":
        return False
    strict = [tool.get("strict") is True for tool in request.get("tools", ()) if tool["type"] == "function"]
    return bool(strict) and all(strict)


def _write_tool_choice(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the tool choice."""
    choice: ToolChoice = value
    calling: dict[str, Any]
    if choice["mode"] == "auto" or choice["mode"] == "none" or choice["mode"] == "required":
        calling = {"mode": VALIDATED if _uses_validated_mode(request) else FUNCTION_CALLING_WORDS[choice["mode"]]}
    elif choice["mode"] == "named":
        name = function_name(choice["name"], "/tool_choice/name", to)
        calling = {"mode": "ANY", "allowedFunctionNames": [name]}
        if choice.get("kind") == "custom":
            to.log.lost("setting", "/tool_choice/kind", "the parameters of a function must be an object")
    elif choice["mode"] == "subset":
        names = _allowed_names(choice["names"], request.get("tools", ()), to)
        required = choice.get("required", False)
        calling = {"mode": "ANY" if required else VALIDATED, "allowedFunctionNames": names}
        if not names and not to.home:
            calling = {"mode": "NONE"}
            to.log.changed("setting", "/tool_choice", "allowedFunctionNames cannot be empty: no function may be called")
        elif required and len(names) == 1 and not to.home:
            to.log.changed("setting", "/tool_choice", "one function that must be called is sent as a named one")
    else:
        assert_never(choice)
    if own_spelling(request, DIALECT).get("tool_choice") == "lower":
        calling["mode"] = calling["mode"].lower()
    out["toolConfig"] = {"functionCallingConfig": calling}


def _allowed_names(names: list[str], tools: Iterable[Tool], to: Target) -> list[str]:
    """Return the names of the allowed functions; abroad, of those that are offered."""
    offered = {tool["name"] for tool in tools if tool["type"] == "function"}
    allowed: list[str] = []
    for at, name in enumerate(names):
        if to.home or name in offered:
            allowed.append(function_name(name, f"/tool_choice/names/{at}", to))
        else:
            to.log.lost("setting", f"/tool_choice/names/{at}", "tools has no function of this name")
    return allowed


def _complete_tool_choice(out: dict[str, Any], request: Any, to: Target) -> None:
    """Write VALIDATED for strict tools without a choice; drop a choice without functions."""
    if "tool_choice" in request:
        if not (to.home or any(_DECLARATIONS in group for group in out.get("tools", ()))):
            out.pop("toolConfig", None)  # it is refused
            report_choice(request["tool_choice"], to.log)
    elif _uses_validated_mode(request):
        out["toolConfig"] = {"functionCallingConfig": {"mode": VALIDATED}}
        to.log.filled("/tool_choice", "strict tools need functionCallingConfig with the mode VALIDATED")


def _ask_for_tool_invocations(out: dict[str, Any], to: Target) -> None:
    """Set `includeServerSideToolInvocations`: without it the Gemini API refuses functions beside its own tools."""
    groups = out.get("tools", ())
    declared = sum(_DECLARATIONS in group for group in groups)
    if not 0 < declared < len(groups):
        return
    config = {**out.get("toolConfig", NOTHING), INVOCATIONS: True}
    if config.get("functionCallingConfig") == {"mode": FUNCTION_CALLING_WORDS["auto"]}:
        # The default is VALIDATED there, and AUTO is refused.
        del config["functionCallingConfig"]
        detail = "auto was left out: it is the default, and refused beside the provider's own tools"
        to.log.changed("setting", "/tool_choice", detail)
    out["toolConfig"] = config
    to.log.filled("/tools", f"functions beside the provider's own tools need {INVOCATIONS}")


def _write_parallel(_out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Report `parallel_tool_calls`, which Gemini does not have."""
    if not value and (to.home or may_call(request)):
        to.log.lost("setting", "/parallel_tool_calls", "parallel tool calls cannot be switched off")


_CONFIG_WRITERS: Final = MappingProxyType({
    "reasoning": _write_reasoning, "response_format": _write_response_format, "modalities": _write_modalities
})  # fmt: skip

_WRITERS: Final = MappingProxyType({
    "model": _write_model,
    "stream": _write_stream,
    "metadata": _write_metadata,
    "store": _write_store,
    "service_tier": _write_service_tier,
    "tools": _write_tools,
    "tool_choice": _write_tool_choice,
    "parallel_tool_calls": _write_parallel,
})  # fmt: skip
