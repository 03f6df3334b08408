"""Canonical to Chat Completions: requests.

Source: docs/wire/openai_chat.md, sections 1 and 8. At home a body goes out as it came.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.loss import lost_members, lost_opaque
from interlingua.pointers import pointer
from interlingua.rooms._chat_completions.encode_call import wire_name
from interlingua.rooms._chat_completions.encode_message import encode_messages
from interlingua.rooms._chat_completions.json_mode import ask_in_words, lacks_json_word
from interlingua.rooms._chat_completions.server_tools import write_server_tool
from interlingua.rooms._chat_completions.tables import (
    ANY_TOOL,
    BARE_FUNCTION,
    BARE_SCHEMA,
    FILLS,
    FLAT_CHOICES,
    GRAMMAR_SYNTAXES,
    INPUT_SCHEMA,
    MAX_STOP_SEQUENCES,
    NAME_LIMIT,
    NEAREST_SERVICE_TIERS,
    NO_SCHEMA_OBJECT,
    NO_SCHEMA_TYPE,
    NO_WORD,
    SERVICE_TIERS,
    STREAM_OPTION_NAMES,
    VERBOSITIES,
    WORD_ANY,
)
from interlingua.rooms._shared.cache_marks import claude_cache_mark, limit_marks
from interlingua.rooms._shared.instructions import add_json_instruction, is_asked_in_words
from interlingua.rooms._shared.names import safe_name, short_user
from interlingua.rooms._shared.openai_family_fitting import effort_settings
from interlingua.rooms._shared.openai_settings import (
    GATEWAY,
    drop_beyond_limits,
    drop_refused_settings,
    write_cache_options,
    write_service_tier,
)
from interlingua.rooms._shared.rule_helpers import object_of
from interlingua.rooms._shared.schema_adaptation import adapt
from interlingua.rooms._shared.server_tools import SERVED
from interlingua.rooms._shared.strict_schemas import enforce_strict
from interlingua.rooms._shared.writing import Target, repeats_tool_name, report_choice, report_setting
from interlingua.spi.extra import NOTHING, merge_extra, merge_own_extra, own_extra, own_spelling, report_foreign

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest, CustomTool, Tool, ToolChoice
    from interlingua.rooms._chat_completions.vendor import Object, Vendor

_WRITTEN_ELSEWHERE: Final = frozenset({"dialect", "extra"})


def encode_request(request: ChatRequest, vendor: Vendor, log: LossLog) -> dict[str, Any]:
    """Return the body of `POST /v1/chat/completions`; losses go to the log."""
    home = request.get("dialect") == vendor.dialect
    to = Target(vendor.dialect, home, answer=False, log=log, marks=[] if vendor.claude_marks else None)
    spelling = own_spelling(request, vendor.dialect)
    out: dict[str, Any] = {}
    names = vendor.setting_names
    writers = {**_WRITERS, **vendor.writers} if vendor.writers else _WRITERS
    for name, value in request.items():
        if name in vendor.ignored and not to.home:
            report_setting(name, value, vendor.defaults, log, "the server ignores this setting")
        elif name in names:
            wire = names[name]
            out["max_tokens" if name == "max_tokens" and "max_tokens" in spelling else wire] = value
        elif name in writers:
            writers[name](out, value, request, vendor, to)
        elif name not in _WRITTEN_ELSEWHERE:
            report_setting(name, value, vendor.defaults, log)
    limit_marks(out, to)
    merge_own_extra(out, request, vendor.dialect, "", log)
    if not to.home:
        if vendor.limited:
            drop_beyond_limits(out, log)
        _drop_refused(out, log)
        _drop_stream_options(out, request, log)
        if "response_format" in request and vendor.closes:
            add_json_instruction(out, request["response_format"], lacks_json_word, ask_in_words, log)
        _drop_choice_without_tools(out, request, vendor, to)
        if "top_logprobs" in out and "logprobs" not in out:
            if out["top_logprobs"] == 0:  # asks for nothing
                del out["top_logprobs"]
            else:
                out["logprobs"] = True
                log.filled("/logprobs", "top_logprobs needs logprobs: true")
        if "model" not in out:
            out["model"] = FILLS["model"]
            log.filled("/model", "every request needs a model")
    return out


def _drop_stream_options(out: dict[str, Any], request: ChatRequest, log: LossLog) -> None:
    """Drop `stream_options` without `stream`, since they are refused."""
    if out.get("stream") is not True and out.pop("stream_options", None) is not None:
        for name in STREAM_OPTION_NAMES:
            if name in request:
                log.lost("setting", f"/{name}", "only requests with stream: true have this setting")


def _drop_refused(out: dict[str, Any], log: LossLog) -> None:
    """Drop values that the dialect refuses."""
    drop_refused_settings(out, log)
    write_service_tier(out, SERVICE_TIERS, NEAREST_SERVICE_TIERS, log)
    verbosity: Any = out.get("verbosity", "low")  # a member kept in `extra` may be anything
    if type(verbosity) is not str or verbosity not in VERBOSITIES:
        log.lost("setting", "/verbosity", "the target does not have this value")
        del out["verbosity"]
    for name, kind in _KINDS_OF_VALUES.items():
        said = object_of(out, name) if name in out else NOTHING
        refused = [key for key, value in said.items() if type(value) is not kind]
        for key in refused:
            log.lost(
                "setting", f"/{name}{pointer(key)}", "metadata accepts only texts, and logit_bias only whole numbers"
            )
        if refused:
            out[name] = {key: value for key, value in said.items() if key not in refused}


_KINDS_OF_VALUES: Final = MappingProxyType({"metadata": str, "logit_bias": int})


def _write_messages(out: dict[str, Any], value: Any, _request: Any, vendor: Vendor, to: Target) -> None:
    out["messages"] = encode_messages(value, vendor, to)


def _write_stop(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    """Write the stop sequences, without those beyond the limit."""
    if not to.home and len(value) > MAX_STOP_SEQUENCES:
        gone = [str(at) for at in range(MAX_STOP_SEQUENCES, len(value))]
        lost_members(to.log, gone, "/stop", "member", f"at most {MAX_STOP_SEQUENCES} are accepted")
        value = value[:MAX_STOP_SEQUENCES]
    out["stop"] = value[0] if len(value) == 1 and "stop" in own_spelling(request, vendor.dialect) else value


def _write_user(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    if vendor.limited and not to.home:
        value = short_user(value, to.log)
    both = "safety_identifier" in request and "safety_identifier" not in vendor.ignored
    out["user" if both else own_spelling(request, vendor.dialect).get("user", vendor.end_user)] = value


def _write_safety_identifier(out: dict[str, Any], value: Any, request: Any, _vendor: Vendor, to: Target) -> None:
    out["safety_identifier"] = value
    if "user" not in request:
        to.log.changed("setting", "/safety_identifier", "without user, safety_identifier is decoded as user")


def _write_stream_options(out: dict[str, Any], _value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    out["stream_options"] = {
        wire: request[name]
        for name, wire in STREAM_OPTION_NAMES.items()
        if name in request and (to.home or name not in vendor.ignored)
    }


_TEXT_ALONE: Final = ["text"]  # what every server writes unasked, and some refuse to be told


def _write_modalities(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    """Write the modalities; audio needs a voice, which only this dialect has."""
    known = {"text"}
    if "audio" in own_extra(request, vendor.dialect).get("fields", NOTHING):
        known.add("audio")
    if vendor.pictures and GATEWAY in request.get("model", ""):
        known.add("image")
    if to.home or (known.issuperset(value) and value != _TEXT_ALONE):
        out["modalities"] = value
    elif value != _TEXT_ALONE:
        to.log.lost("setting", "/modalities", "modalities can only be text and audio, and image on gateways")


def _write_cache(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    is_claudes = vendor.claude_marks or (to.home and "cache" in own_spelling(request, vendor.dialect))
    if is_claudes and value.get("mode", "implicit") == "implicit":
        out["cache_control"] = claude_cache_mark(value, "/cache", to)
    else:
        write_cache_options(out, value, to)


def write_reasoning(out: dict[str, Any], value: Any, _request: Any, _vendor: Vendor, to: Target) -> None:
    """Write the effort; settings of another dialect are reduced to one."""
    if "mode" in value or "budget_tokens" in value:
        value = effort_settings(value, NOTHING, to.log)
    if "effort" in value:
        out["reasoning_effort"] = value["effort"]
    if value.get("display", "omitted") != "omitted":  # none is shown
        to.log.lost("setting", "/reasoning/display", "Chat Completions cannot say how much of the reasoning is shown")


def write_response_format(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    """Write the response format."""
    inner = {name: value[name] for name in ("name", "description", "schema", "strict") if name in value}
    if value["type"] == "text" and is_asked_in_words(value, to.log):
        return
    if value["type"] != "json_schema":
        detail = "only a response_format of the type json_schema has this member"
        lost_members(to.log, list(inner), "/response_format", "member", detail)
        out["response_format"] = {"type": value["type"]}
        return
    if vendor.limited and not to.home and "name" in inner:
        inner["name"] = safe_name(inner["name"], NAME_LIMIT, "/response_format/name", to.log)
    elif not to.home and "name" not in inner:
        inner["name"] = FILLS["format_name"]
        to.log.filled("/response_format/name", "json_schema needs a name: one was added")
    if vendor.closes and not to.home and inner.get("strict"):
        enforce_strict(inner, "schema", "/response_format", to.log, "setting")
    if "schema" in inner and not to.home and not (vendor.closes and inner.get("strict")):
        inner["schema"] = adapt(inner["schema"], vendor.form_schemas, "/response_format/schema", to.log, "setting")
    absent = own_spelling(request, vendor.dialect).get("absent", ()) if to.home else ()
    kind = "json_object" if NO_SCHEMA_TYPE in absent else "json_schema"
    if NO_SCHEMA_OBJECT in absent:
        out["response_format"] = {"type": kind, **inner}
    else:
        out["response_format"] = {
            "type": kind,
            "json_schema": inner["schema"] if BARE_SCHEMA in absent and inner.keys() == {"schema"} else inner,
        }


_TOOL_MEMBERS: Final = ("name", "description", "parameters", "strict")


def _write_tools(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    """Write the tools, and the deprecated `functions` under their own name."""
    tools: list[Tool] = value
    encoded: list[dict[str, Any]] = []
    functions: list[dict[str, Any]] = []
    leads = False  # whether the search comes before the tools, so that it is read back there
    allowed = None if to.home or vendor.custom else _allowed(request.get("tool_choice"))
    offered: set[str] = set()
    for index, tool in enumerate(tools):
        if not vendor.repeated_tools and repeats_tool_name(tool, index, offered, to):
            continue
        if tool["type"] == "function":
            if allowed is not None and tool["name"] not in allowed:
                lost_members(to.log, tool, f"/tools/{index}", "tool", "only the tools that may be called are sent")
            elif "tool" in own_spelling(tool, vendor.dialect):
                functions.append(_encode_function(tool, index, vendor, to))
            else:
                encoded.append(_encode_function(tool, index, vendor, to))
        elif tool["type"] == "custom" and vendor.custom:
            encoded.append(_encode_custom(tool, index, vendor, to))
        elif tool["type"] == "opaque" and tool["dialect"] == vendor.dialect:
            encoded.append(tool["data"])
        elif tool["type"] in SERVED:
            alone = not (encoded or functions or "web_search_options" in out)
            write_server_tool(out, encoded, tool, f"/tools/{index}", vendor, to)
            leads = leads or (alone and "web_search_options" in out)
        else:
            lost_opaque(to.log, f"/tools/{index}", "tool")
    search = None if leads else out.pop("web_search_options", None)
    if encoded or not (functions or tools):
        out["tools"] = encoded
    if search is not None:  # written last, so that it is read back behind the tools
        out["web_search_options"] = search
    if functions:
        out["functions"] = functions


def _allowed(choice: ToolChoice | None) -> frozenset[str] | None:
    """Return the names of the tools that may be called, or None for all."""
    return frozenset(choice["names"]) if choice is not None and choice["mode"] == "subset" else None


def _encode_function(tool: Any, index: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Return the wire form of a function, as an entry of `tools`, or of the deprecated `functions`."""
    spelling = own_spelling(tool, vendor.dialect)
    function = {name: tool[name] for name in _TOOL_MEMBERS if name in tool}
    function["name"] = wire_name(tool["name"], f"/tools/{index}/name", vendor, to)
    for name in spelling.get("null", ()):
        if name in _TOOL_MEMBERS:
            function.setdefault(name, None)
    if vendor.closes and not to.home and tool.get("strict"):
        enforce_strict(function, "parameters", f"/tools/{index}", to.log, "tool", tool["name"])
    if function.get("parameters") and not to.home and not (vendor.closes and function.get("strict")):
        path = f"/tools/{index}/parameters"
        function["parameters"] = adapt(function["parameters"], vendor.function_schemas, path, to.log, "tool")
    return _finished(_formed(function, spelling), tool, index, vendor, to)


def _finished(out: dict[str, Any], tool: Any, index: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Return a tool with its cache mark, and with its `extra` members of this dialect."""
    bag = own_extra(tool, vendor.dialect)
    if "cache" in tool:
        if vendor.claude_marks or "cache" in bag.get("spelling", NOTHING):
            out["cache_control"] = claude_cache_mark(tool["cache"], f"/tools/{index}/cache", to)
        else:
            to.log.lost("cache", f"/tools/{index}/cache", "tools have no cache marks in Chat Completions")
    if "extra" in tool:
        merge_extra(out, bag.get("fields", NOTHING))
        report_foreign(tool, vendor.dialect, f"/tools/{index}", to.log)
    if "cache_control" in out and "cache_control" in bag.get("spelling", NOTHING).get("absent", ()):
        out["function"] = {**out["function"], "cache_control": out.pop("cache_control")}
    return out


def _formed(function: dict[str, Any], spelling: Mapping[str, Any]) -> dict[str, Any]:
    """Return a function in the form it came in: nested in an entry, the entry itself, or a deprecated function."""
    if "tool" in spelling:
        return function
    absent = spelling.get("absent", ())
    if "parameters" in absent:
        function = {INPUT_SCHEMA if name == "parameters" else name: said for name, said in function.items()}
    out: dict[str, Any] = {"type": "function", **(function if "function" in absent else {"function": function})}
    if "type" in spelling:
        del out["type"]
    elif "type" in spelling.get("null", ()):
        out["type"] = None
    return out


def _encode_custom(tool: CustomTool, index: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    """Return the wire form of a custom tool."""
    spelling = own_spelling(tool, vendor.dialect)
    inner: dict[str, Any] = {"name": wire_name(tool["name"], f"/tools/{index}/name", vendor, to)}
    if "description" in tool:
        inner["description"] = tool["description"]
    if "grammar" in tool and not to.home and tool["grammar"]["syntax"] not in GRAMMAR_SYNTAXES:
        to.log.lost("tool", f"/tools/{index}/grammar", "the target does not support such grammars")
    elif "grammar" in tool:
        grammar: dict[str, Any] = {**tool["grammar"]}
        is_flat = "grammar" in spelling.get("absent", ())
        inner["format"] = {"type": "grammar", **(grammar if is_flat else {"grammar": grammar})}
    elif "format" in spelling:
        inner["format"] = {"type": "text"}
    for name in spelling.get("null", ()):
        if name != "cache_control":
            inner.setdefault(name, None)
    is_beside = "custom" in spelling.get("absent", ())
    out: dict[str, Any] = {"type": "custom", **(inner if is_beside else {"custom": inner})}
    return _finished(out, tool, index, vendor, to)


def _write_tool_choice(out: Object, value: Any, request: Any, vendor: Vendor, to: Target) -> None:
    """Write the tool choice, in the form it came in."""
    choice: ToolChoice = value
    spelling = own_spelling(request, vendor.dialect)
    older = "tool_choice" in spelling
    absent = spelling.get("absent", ())
    if choice["mode"] == "auto" or choice["mode"] == "none" or choice["mode"] == "required":
        word = ANY_TOOL if choice["mode"] == "required" and WORD_ANY in absent else choice["mode"]
        wire: Any = {"type": word} if NO_WORD in absent else word
    elif choice["mode"] == "named":
        kind = choice.get("kind", "function")
        if kind != "function" and not (to.home or vendor.custom):
            to.log.lost("setting", "/tool_choice/kind", "the parameters of a tool must be an object")
            kind = "function"
        named = {"name": wire_name(choice["name"], "/tool_choice/name", vendor, to)}
        wire = named if older else _write_named(named, kind, absent)
    elif choice["mode"] == "subset":
        mode = "required" if choice.get("required") else "auto"
        wire = _write_allowed(choice["names"], mode, request, vendor, to) if to.home or vendor.custom else mode
    else:
        assert_never(choice)
    out["function_call" if older else "tool_choice"] = wire


def _write_named(named: Object, kind: str, absent: Collection[str]) -> Object:
    if kind == "function" and BARE_FUNCTION in absent:
        return {kind: named}
    flat = next((FLAT_CHOICES[one] for one in absent if one in FLAT_CHOICES), None)
    fits = flat is not None and (flat == "custom") is (kind == "custom")
    return {"type": flat, **named} if fits else {"type": kind, kind: named}


def _write_allowed(names: list[str], mode: str, request: Any, vendor: Vendor, to: Target) -> Object:
    free = {tool["name"] for tool in request.get("tools", ()) if tool["type"] == "custom"}
    tools: list[Object] = []
    for at, name in enumerate(names):
        kind = "custom" if name in free else "function"
        tools.append({"type": kind, kind: {"name": wire_name(name, f"/tool_choice/names/{at}", vendor, to)}})
    return {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": tools}}


def _drop_choice_without_tools(out: dict[str, Any], request: Any, vendor: Vendor, to: Target) -> None:
    """Drop the tool choice and `parallel_tool_calls` if there are no tools."""
    if out.get("tools") == []:
        del out["tools"]
    choice = request.get("tool_choice")
    if out.get("tools"):
        if choice is not None and choice["mode"] == "subset" and not vendor.custom:
            to.log.changed("setting", "/tool_choice", "only the tools that may be called are sent")
        return
    if "tool_choice" in out:
        del out["tool_choice"]
        report_choice(choice, to.log)
    if "parallel_tool_calls" in out and "functions" not in out:
        del out["parallel_tool_calls"]
        if request.get("tools"):
            to.log.lost("setting", "/parallel_tool_calls", "parallel_tool_calls needs tools")


_WRITERS: Final = MappingProxyType({
    "messages": _write_messages,
    "stop": _write_stop,
    "user": _write_user,
    "safety_identifier": _write_safety_identifier,
    "stream_usage": _write_stream_options,
    "stream_obfuscation": _write_stream_options,
    "modalities": _write_modalities,
    "cache": _write_cache,
    "tools": _write_tools,
    "tool_choice": _write_tool_choice,
    "reasoning": write_reasoning,
    "response_format": write_response_format,
})  # fmt: skip
