"""Canonical to Ollama: requests.

Source: docs/wire/ollama.md, sections 1 and 8. At home a body goes out as it came.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, assert_never

from interlingua.loss import lost_members, lost_opaque
from interlingua.pointers import pointer
from interlingua.rooms._shared.family_fitting import offers_tools, tool_choice_instruction
from interlingua.rooms._shared.instructions import (
    instruction_of,
    is_asked_in_words,
    is_described,
    with_instruction,
    with_one_instruction,
)
from interlingua.rooms._shared.schema_adaptation import (
    ANY_SCHEMA,
    MAX_SCHEMA_DEPTH,
    Remarks,
    adapt,
    adapted,
    is_plain,
    resolved,
    say,
)
from interlingua.rooms._shared.schema_inlining import named_reference
from interlingua.rooms._shared.schema_traversal import property_places
from interlingua.rooms._shared.user_messages import insert_required_user_message
from interlingua.rooms._shared.writing import TOOLLESS, Target, may_call, report_setting
from interlingua.rooms.ollama.encode_family import fitted_request, fitted_thinking
from interlingua.rooms.ollama.encode_message import encode_messages
from interlingua.rooms.ollama.tables import (
    DEFAULTS,
    DIALECT,
    FILLS,
    MAX_TOP_LOGPROBS,
    OPTION_NAMES,
    PARAMETER_KEYWORDS,
    PROPERTY_KEYWORDS,
    SETTING_NAMES,
    SILENT_KEYWORDS,
    THINKING,
    TOOL_SCHEMAS,
)
from interlingua.spi.extra import NOTHING, merge_own_extra, own_spelling, write_nulls

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest, Tool, ToolChoice, ToolDefinition
    from interlingua.spi.families import Family

_WRITTEN_ELSEWHERE: Final = frozenset({"dialect", "extra", "stream", *OPTION_NAMES, "stop"})

_OPTIONS: Final = tuple(OPTION_NAMES.items())
_THINK_FLAGS: Final[Mapping[str, bool]] = MappingProxyType({mode: switch for switch, mode in THINKING.items()})

_UNFORCED: Final = "Ollama has no tool_choice: the instructions ask for a call in words"
_SWITCHES: Final = frozenset({"effort", "mode"})


def encode_request(
    request: ChatRequest, log: LossLog, api_version: str | None = None, family: Family | None = None
) -> dict[str, Any]:
    """Return the body of `POST /api/chat`; losses go to the log."""
    del api_version  # the dialect has one version
    to = Target(DIALECT, request.get("dialect") == DIALECT, answer=False, log=log)
    if not to.home:
        request = fitted_request(request, family, log)
    spelling = own_spelling(request, DIALECT)
    out: dict[str, Any] = {}
    for name, value in request.items():
        if name in _WRITERS:
            _WRITERS[name](out, value, request, to)
        elif name == "parallel_tool_calls" and not may_call(request):
            continue
        elif name in SETTING_NAMES and name != "stream":
            out[SETTING_NAMES[name]] = value
        elif name not in _WRITTEN_ELSEWHERE:
            report_setting(name, value, DEFAULTS, log)
    _write_stream(out, request, spelling, to)
    _write_options(out, request, spelling, to)
    if "format" in spelling:
        out.setdefault("format", "")
    merge_own_extra(out, request, DIALECT, "", log)
    if not to.home:
        _fit_messages(out, request, NOTHING if family is None else family.facts, log)
    if not to.home and "model" not in out:
        out["model"] = FILLS["model"]
        log.filled("/model", "every request needs a model")
    return out


def _fit_messages(out: dict[str, Any], request: ChatRequest, facts: Mapping[str, Any], log: LossLog) -> None:
    """Merge leading instructions, since some renderers read only one, and add a user message if one is required."""
    messages = out["messages"]
    if messages is None:  # a request that only loads the model
        return
    form = request.get("response_format", NOTHING)
    for instruction in (tool_choice_instruction(request, NOTHING, out.get("tools")), instruction_of(form)):
        if instruction is not None:
            messages = with_instruction(messages, instruction)
    if not any("images" in one for one in messages if one.get("role") == "system"):
        messages = with_one_instruction(messages, request["messages"], facts.get("instructions", "of_the_system"), log)
    insert_required_user_message(messages, facts, log)
    out["messages"] = messages


def _write_messages(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    if value or "messages" not in own_spelling(request, DIALECT).get("null", ()):
        out["messages"] = encode_messages(value, to)


def _write_stream(out: dict[str, Any], request: Any, spelling: Mapping[str, Any], to: Target) -> None:
    """Write `stream`: the server streams by default, all other dialects do not."""
    if "stream" in request:
        silent = "stream" in spelling.get("absent", ()) or "stream" in spelling.get("null", ())
        if not (request["stream"] and silent):
            out["stream"] = request["stream"]
    elif not to.home:
        out["stream"] = False
        to.log.filled("/stream", "Ollama streams unless stream is false")


def _write_options(out: dict[str, Any], request: Any, spelling: Mapping[str, Any], to: Target) -> None:
    """Write the members of `options`; those that only Ollama has are merged later."""
    options: dict[str, Any] = {wire: request[name] for name, wire in _OPTIONS if name in request}
    if not to.home and request.get("max_tokens", 1) < 1:
        del options[OPTION_NAMES["max_tokens"]]
        to.log.lost("setting", "/max_tokens", "Ollama reads num_predict below 1 as no limit")
    if "stop" in request:
        stop = request["stop"]
        options["stop"] = stop[0] if len(stop) == 1 and "stop" in spelling else stop
    write_nulls(options, spelling, "options")
    if options or "options" in spelling:
        out["options"] = options


def _write_top_logprobs(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    if not (to.home or 0 <= value <= MAX_TOP_LOGPROBS):
        to.log.lost("setting", "/top_logprobs", f"top_logprobs must be from 0 to {MAX_TOP_LOGPROBS}")
        return
    out["top_logprobs"] = value
    if value and "logprobs" not in request and not to.home:
        out["logprobs"] = True
        to.log.filled("/logprobs", "top_logprobs needs logprobs: true")


def _write_reasoning(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    """Write `think`: off, on, or an effort; settings of another dialect are reduced to that."""
    if len(value) > 1 or not (_SWITCHES & value.keys()):
        value = fitted_thinking(value, NOTHING, to.log)
    if "effort" in value:
        out["think"] = value["effort"]
    elif "mode" in value:
        out["think"] = _THINK_FLAGS.get(value["mode"], True)


def _write_response_format(out: dict[str, Any], value: Any, _request: Any, to: Target) -> None:
    if is_asked_in_words(value, to.log):
        return
    known = {"type"}
    if value["type"] == "json_schema" and "schema" in value:
        schema = value["schema"]
        out["format"] = schema if to.home else adapt(schema, ANY_SCHEMA, "/response_format/schema", to.log, "setting")
        known |= {"schema", "strict"}  # the schema is always enforced
        if not to.home and is_described(value, schema, to.log):
            known.add("description")
    elif value["type"] != "text":  # text is the default
        out["format"] = "json"
        if value["type"] != "json_object":
            to.log.changed("setting", "/response_format/type", "without a schema, any JSON object is valid")
    others = [name for name in value if name not in known]
    lost_members(to.log, others, "/response_format", "member", "format takes only the schema")


def _write_tools(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the tools that the tool choice allows."""
    allowed = _allowed(request.get("tool_choice"))
    tools: list[dict[str, Any]] = []
    for index, tool in enumerate(value):
        if allowed is not None and (tool["type"] != "function" or tool["name"] not in allowed):
            detail = "Ollama has no tool_choice: only tools that may be called are sent"
            lost_members(to.log, tool, f"/tools/{index}", "tool", detail)
            continue
        encoded = _encode_tool(tool, index, to)
        if encoded is not None:
            tools.append(encoded)
    if tools or not value:
        out["tools"] = tools


def _allowed(choice: ToolChoice | None) -> frozenset[str] | None:
    """Return the names of the tools that may be called, or None for all."""
    if choice is None:
        return None
    if choice["mode"] == "none":
        return frozenset()
    return frozenset(choice["names"]) if choice["mode"] == "subset" else None


def _encode_tool(tool: Tool, index: int, to: Target) -> dict[str, Any] | None:
    """Return the wire form of a tool, or None if it has no place."""
    if tool["type"] == "function":
        return _encode_function(tool, f"/tools/{index}", to)
    if tool["type"] == "opaque" and tool["dialect"] == DIALECT:
        return tool["data"]  # type: ignore[no-any-return]  # verbatim
    if tool["type"] == "web_search" or tool["type"] == "code_execution":
        to.log.lost("tool", f"/tools/{index}", "Ollama has no tools of its own")
    else:
        lost_opaque(to.log, f"/tools/{index}", "tool")
    return None


def _encode_function(tool: ToolDefinition, path: str, to: Target) -> dict[str, Any]:
    function: dict[str, Any] = {"name": tool["name"]}
    if "description" in tool:
        function["description"] = tool["description"]
    if "parameters" in tool:
        parameters = tool["parameters"]
        function["parameters"] = parameters if to.home else readable_schema(parameters, f"{path}/parameters", to)
    elif not to.home:
        function["parameters"] = {"type": "object", "properties": {}}
        to.log.filled(f"{path}/parameters", "each tool needs an input schema")
    if tool.get("strict"):
        to.log.lost("tool", f"{path}/strict", "the target has no strict tools")
    if "cache" in tool:
        to.log.lost("cache", f"{path}/cache", "tools have no cache marks there")
    if "extra" not in tool:
        return {"type": "function", "function": function}
    spelling = own_spelling(tool, DIALECT)
    write_nulls(function, spelling, "function")
    out: dict[str, Any] = {}
    if "type" not in spelling:
        out["type"] = None if "type" in spelling.get("null", ()) else "function"
    out["function"] = function
    merge_own_extra(out, tool, DIALECT, path, to.log)
    return out


# A schema, its place, the references that lead to it, and its depth.
_Seen: TypeAlias = "tuple[dict[str, Any], str, tuple[str, ...], int]"

_DROPPED: Final = "Ollama ignores this keyword of a schema"
# The maximum number of references followed in a schema; further and circular ones are only named.
_MAX_REFERENCES: Final = 256


def readable_schema(schema: dict[str, Any], path: str, to: Target) -> dict[str, Any]:
    """Return the schema in a form that the server reads, and report the keywords that it drops."""
    if is_plain(schema):
        return schema
    remarks = Remarks()
    heard = adapted(schema, TOOL_SCHEMAS, remarks)
    for name in schema:
        if name not in PARAMETER_KEYWORDS and name not in SILENT_KEYWORDS and name in heard:
            remarks.changed(pointer(name), _DROPPED)
    waiting: list[_Seen] = [(heard, "", (), 0)]
    left = _MAX_REFERENCES
    while waiting:  # not recursive: a schema may be nested very deeply
        one, where, followed, depth = waiting.pop()
        if depth == MAX_SCHEMA_DEPTH:
            continue
        inner: list[_Seen] = []
        for holder, key, place in property_places(one):
            if type(holder[key]) is not dict:
                remarks.changed(where + place, "a property that accepts anything is sent as an empty schema")
                holder[key] = {}
                continue
            names = followed
            reference = holder[key].get("$ref")
            if type(reference) is str:
                is_alone = left == 0 or reference in followed
                holder[key] = _without_reference(holder[key], where + place, heard, remarks, is_alone=is_alone)
                names, left = (*followed, reference), max(0, left - 1)
            else:
                holder[key] = {**holder[key]}
            _describe_dropped(holder[key], where + place, remarks)
            inner.append((holder[key], where + place, names, depth + 1))
        waiting.extend(reversed(inner))
    remarks.tell(schema, path, to.log, "tool")
    return heard


def _without_reference(
    one: dict[str, Any], where: str, root: dict[str, Any], remarks: Remarks, *, is_alone: bool
) -> dict[str, Any]:
    """Return a copy of a schema with its reference replaced by the target or, if `is_alone`, only named."""
    found = resolved(one, root)
    if found is None:
        return {**one}
    remarks.changed(where, "each $ref was replaced by the schema that it names")
    rest = {name: value for name, value in one.items() if name != "$ref"}
    if not is_alone:
        return {**found, **rest}
    return {**named_reference(one["$ref"], found), **rest}


def _describe_dropped(one: dict[str, Any], where: str, remarks: Remarks) -> None:
    """Copy the keywords of a property that the server drops to its description."""
    dropped = {name: value for name, value in one.items() if name not in PROPERTY_KEYWORDS}
    told = {name: value for name, value in dropped.items() if name not in SILENT_KEYWORDS}
    said = {name: value for name, value in told.items() if name != "additionalProperties" or type(value) is dict}
    if said:
        say(one, said)
    if told:
        remarks.changed(where, f"the server drops {', '.join(told)}: moved to the description")


def _write_tool_choice(_out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Report the tool choice: disallowed tools are left out, and no call can be forced."""
    choice: ToolChoice = value
    if choice["mode"] == "auto" or choice["mode"] == "none":
        return  # auto is the default, and with none there are no tools
    if choice["mode"] == "subset" and not choice.get("required"):
        to.log.changed("setting", "/tool_choice", "Ollama has no tool_choice: only tools that may be called are sent")
    elif choice["mode"] == "required" or choice["mode"] == "named" or choice["mode"] == "subset":
        detail = _UNFORCED if offers_tools(request) else TOOLLESS
        lost_members(to.log, choice, "/tool_choice", "setting", detail)
    else:
        assert_never(choice)


_WRITERS: Final = MappingProxyType({
    "messages": _write_messages,
    "top_logprobs": _write_top_logprobs,
    "tools": _write_tools,
    "tool_choice": _write_tool_choice,
    "reasoning": _write_reasoning,
    "response_format": _write_response_format,
})  # fmt: skip
