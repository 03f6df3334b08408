"""Encode canonical requests for Responses: settings, tools and tool choice.

Source: docs/wire/openai_responses.md, sections 1 and 8. At home a body goes out as it came.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.loss import lost_members, lost_opaque
from interlingua.pointers import pointer
from interlingua.rooms._shared.cache_marks import claude_cache_mark
from interlingua.rooms._shared.instructions import add_json_instruction, is_asked_in_words, mentions_json
from interlingua.rooms._shared.names import acceptable_128, safe_name, short_user
from interlingua.rooms._shared.openai_family_fitting import effort_settings
from interlingua.rooms._shared.openai_schemas import FORM, FUNCTION
from interlingua.rooms._shared.openai_settings import (
    GATEWAY,
    drop_beyond_limits,
    drop_refused_settings,
    write_cache_options,
    write_service_tier,
)
from interlingua.rooms._shared.rule_helpers import object_of
from interlingua.rooms._shared.schema_adaptation import adapt, is_plain
from interlingua.rooms._shared.strict_schemas import enforce_strict, is_strict
from interlingua.rooms._shared.writing import Target, plain_text, report_setting
from interlingua.rooms.openai_responses.encode_family import (
    ask_for_encrypted_reasoning,
    fit_items,
    fitted_request,
)
from interlingua.rooms.openai_responses.encode_message import encode_items, report_message_losses
from interlingua.rooms.openai_responses.json_mode import ask_in_words, lacks_json_word, wants_json
from interlingua.rooms.openai_responses.server_tools import encode_server_tool, write_server_tool_choice
from interlingua.rooms.openai_responses.tables import (
    DEFAULTS,
    DIALECT,
    DISPLAY_WORDS,
    FILLS,
    FORMAT_NAME_LIMIT,
    GRAMMAR_SYNTAXES,
    GROUP_NAME_LIMIT,
    INCLUDE_LOGPROBS,
    MIN_OUTPUT_TOKENS,
    NAME_LIMIT,
    NEAREST_SERVICE_TIERS,
    SERVICE_TIERS,
    SETTING_NAMES,
    VERBOSITIES,
)
from interlingua.spi.extra import NOTHING, has_same_client, merge_extra, merge_own_extra, own_extra, without_notes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest, CustomTool, NamespaceTool, Tool, ToolChoice
    from interlingua.spi.families import Family


_TOOL_MEMBERS: Final = frozenset({"type", "name", "description", "parameters", "strict"})
_WRITTEN_ELSEWHERE: Final = frozenset({"dialect", "extra", "messages"})
_FORMAT_MEMBERS: Final = ("name", "description", "schema", "strict")


def encode_request(
    request: ChatRequest, log: LossLog, api_version: str | None = None, family: Family | None = None
) -> dict[str, Any]:
    """Return the body of `POST /v1/responses`; losses are recorded in `log`."""
    del api_version  # the dialect has one version
    is_home = request.get("dialect") == DIALECT
    to = Target(DIALECT, is_home, answer=False, log=log, fitted=has_same_client(request, DIALECT))
    if not to.home:
        request = fitted_request(request, family, log)
    bag = own_extra(request, DIALECT)
    out: dict[str, Any] = {}
    for name, value in request.items():
        if name in _WRITERS:
            _WRITERS[name](out, value, bag, to)
        elif name in SETTING_NAMES:
            out[SETTING_NAMES[name]] = value
        elif name not in _WRITTEN_ELSEWHERE:
            report_setting(name, value, DEFAULTS, log)
    _write_conversation(out, request, bag.get("spelling", NOTHING), to)
    facts = NOTHING if to.home or family is None else family.facts
    if facts:
        fit_items(out, facts, to)
    _set_custom_types(out, request)
    write_server_tool_choice(out, request, to, by_word=facts.get("served_tool_choice") == "by_word")
    merge_extra(out, bag.get("server_state", NOTHING))
    merge_own_extra(out, request, DIALECT, "", log)
    if not to.home:
        ask_for_encrypted_reasoning(out, bag.get("spelling", NOTHING), family, log)
        _apply_requirements(out, request, log)
        if facts.get("truncation") == "auto":
            out["truncation"] = "auto"
            log.filled("/truncation", "these models require this setting")
        if "response_format" in request:
            add_json_instruction(out, request["response_format"], lacks_json_word, ask_in_words, log)
    return out


def _write_conversation(out: dict[str, Any], request: ChatRequest, spelling: Mapping[str, Any], to: Target) -> None:
    """Write `instructions` and `input`; a string or a missing `input` is written as it came.

    The first instruction goes to `instructions` if it came from there, and abroad if it is plain text; all others stay
    among the items, in their place and role. So does the first if there is no other message, and if JSON mode is on and
    it has the word JSON: the service looks for both in the input alone.
    """
    messages = request["messages"] if to.home else without_notes(request["messages"], DIALECT)
    instructions = _instructions(messages[0], to) if messages else None
    if instructions is not None and not to.home and (len(messages) == 1 or _requests_json(instructions, request)):
        instructions = None
    if instructions is not None:
        out["instructions"] = instructions
        report_message_losses(messages[0], to.message(0), to)
    items = encode_items(messages, 0 if instructions is None else 1, to)
    form = spelling.get("input")
    if form == "string" and len(items) == 1 and _is_plain_question(items[0]):
        out["input"] = items[0]["content"]
    elif items or not (form == "absent" or "input" in spelling.get("null", ())):
        out["input"] = items


def _requests_json(instructions: str, request: ChatRequest) -> bool:
    return wants_json(request) and mentions_json([instructions])


def _instructions(message: Any, to: Target) -> str | None:
    """Return the text of an instruction that goes to `instructions`, else None.

    Several texts are not one text: they stay apart as an item.
    """
    if message["role"] != "system":
        return None
    bag = own_extra(message, DIALECT)
    if bag.get("spelling", NOTHING).get("system") != "instructions" and (bag or to.home):
        return None
    content = message.get("content")
    return plain_text(content) if type(content) is str or (content and len(content) == 1) else None


def _is_plain_question(item: Mapping[str, Any]) -> bool:
    return len(item) == 2 and item.get("role") == "user" and type(item["content"]) is str


def _apply_requirements(out: dict[str, Any], request: ChatRequest, log: LossLog) -> None:
    """Fill in required members, and drop or move members that would be refused."""
    if "model" not in out:
        out["model"] = FILLS["model"]
        log.filled("/model", "every request needs a model")
    drop_beyond_limits(out, log)
    drop_refused_settings(out, log)
    write_service_tier(out, SERVICE_TIERS, NEAREST_SERVICE_TIERS, log)
    if "store" not in out and "dialect" in request:
        out["store"] = False  # no other dialect stores responses by default
        log.filled("/store", "Responses stores answers unless store is false")
    elif out.get("store") is True and GATEWAY in out["model"]:  # OpenRouter responds with 400
        out["store"] = False
        log.changed("setting", "/store", "gateways store no answers")
    if "safety_identifier" in request and "user" not in request:
        log.changed("setting", "/safety_identifier", "without user, safety_identifier is decoded as user")
    if "stream_options" in out and out.get("stream") is not True:
        del out["stream_options"]
        log.lost("setting", "/stream_obfuscation", "only requests with stream: true have this setting")
    metadata = object_of(out, "metadata")  # kept as it came, it may be of any type
    refused = [key for key, value in metadata.items() if type(value) is not str]
    if refused:
        out["metadata"] = {key: value for key, value in metadata.items() if key not in refused}
        for key in refused:
            log.lost("setting", f"/metadata{pointer(key)}", "Responses accepts only texts here")
    most: Any = out.get("max_output_tokens")
    if type(most) in {int, float} and most < MIN_OUTPUT_TOKENS:
        out["max_output_tokens"] = MIN_OUTPUT_TOKENS
        log.changed("setting", "/max_tokens", f"max_output_tokens must be at least {MIN_OUTPUT_TOKENS}")
    if "tool_choice" in request and not out.get("tools") and request["tool_choice"]["mode"] not in {"auto", "none"}:
        del out["tool_choice"]
        lost_members(log, request["tool_choice"], "/tool_choice", "setting", "tool_choice needs tools")


def _write_user(out: dict[str, Any], value: Any, bag: Mapping[str, Any], to: Target) -> None:
    value = value if to.home else short_user(value, to.log)
    both = "safety_identifier" in out
    out["user" if both or "user" in bag.get("spelling", NOTHING) else "safety_identifier"] = value


def _write_safety_identifier(out: dict[str, Any], value: Any, _bag: Mapping[str, Any], _to: Target) -> None:
    if "safety_identifier" in out:
        out["user"] = out["safety_identifier"]  # both were set
    out["safety_identifier"] = value


def _write_stream_obfuscation(out: dict[str, Any], value: Any, _bag: Mapping[str, Any], _to: Target) -> None:
    out["stream_options"] = {"include_obfuscation": value}


def _write_cache(out: dict[str, Any], value: Any, bag: Mapping[str, Any], to: Target) -> None:
    """Write the cache options; at home, the mark of the whole request that OpenRouter passes on to Claude."""
    if to.home and "mode" not in value and "prompt_cache_options" in bag.get("spelling", NOTHING).get("absent", ()):
        out["cache_control"] = claude_cache_mark(value, "/cache", to)
    else:
        write_cache_options(out, value, to)


def _write_logprobs(out: dict[str, Any], value: Any, bag: Mapping[str, Any], _to: Target) -> None:
    """Write `logprobs` as a value of `include`, at the place where it stood."""
    if not value:  # none are sent by default
        return
    others = bag.get("fields", NOTHING).get("include", [])
    at = bag.get("spelling", NOTHING).get("include", len(others))
    out["include"] = [*others[:at], INCLUDE_LOGPROBS, *others[at:]]


def _write_verbosity(out: dict[str, Any], value: Any, _bag: Mapping[str, Any], to: Target) -> None:
    if to.home or value in VERBOSITIES:
        out["text"] = {**out.get("text", NOTHING), "verbosity": value}
    else:
        to.log.lost("setting", "/verbosity", "the target does not have this value")


def _write_response_format(out: dict[str, Any], value: Any, _bag: Mapping[str, Any], to: Target) -> None:
    if value["type"] == "text" and is_asked_in_words(value, to.log):
        return
    inner = {name: value[name] for name in _FORMAT_MEMBERS if name in value}
    wanted = {"type": value["type"]}
    if value["type"] == "json_schema":
        wanted |= inner
        if not to.home:
            if "name" in wanted:
                wanted["name"] = safe_name(wanted["name"], FORMAT_NAME_LIMIT, "/response_format/name", to.log)
            fills: dict[str, Any] = {"name": FILLS["format_name"], "schema": {}}
            for name, filled in fills.items():
                if name not in wanted:
                    wanted[name] = filled
                    to.log.filled(f"/response_format/{name}", "text.format of this type requires it")
            if wanted.get("strict"):
                enforce_strict(wanted, "schema", "/response_format", to.log, "setting")
            if not wanted.get("strict"):
                wanted["schema"] = adapt(wanted["schema"], FORM, "/response_format/schema", to.log, "setting")
    else:
        detail = "only a text.format of the type json_schema has this member"
        lost_members(to.log, [*inner], "/response_format", "member", detail)
    out["text"] = {**out.get("text", NOTHING), "format": wanted}


def _write_reasoning(out: dict[str, Any], value: Any, bag: Mapping[str, Any], to: Target) -> None:
    """Write effort and display; settings of another dialect have already been fitted to the model."""
    if "mode" in value or "budget_tokens" in value:
        value = effort_settings(value, NOTHING, to.log)
    settings: dict[str, Any] = {"effort": value["effort"]} if "effort" in value else {}
    if "display" in value:
        _write_display(settings, value["display"], bag.get("spelling", NOTHING), to)
    if settings:
        out["reasoning"] = settings


def _write_display(settings: dict[str, Any], display: str, spelling: Mapping[str, Any], to: Target) -> None:
    """Write how much reasoning is shown, under its older name if it came that way."""
    if to.home or display in DISPLAY_WORDS:
        settings[spelling.get("display", "summary")] = DISPLAY_WORDS.get(display, display)
    elif display != "omitted":  # nothing is shown by default
        to.log.lost("setting", "/reasoning/display", "the target has no such value")


def _write_tools(out: dict[str, Any], value: Any, _bag: Mapping[str, Any], to: Target) -> None:
    """Write the tools that have a wire form."""
    encoded = _encode_tools(value, "/tools", to)
    if encoded or not value:
        out["tools"] = encoded


def _encode_tools(tools: list[Tool], path: str, to: Target, first: int = 0) -> list[dict[str, Any]]:
    """Return the wire forms of the tools that have one; `first` is the index of the first tool."""
    encoded = (_encode_tool(tool, f"{path}/{at}", to) for at, tool in enumerate(tools, first))
    return [wire for wire in encoded if wire is not None]


def _encode_tool(tool: Tool, path: str, to: Target) -> dict[str, Any] | None:
    """Return the wire form of a tool, or None if it has none."""
    if tool["type"] == "function":
        return _encode_function(tool, path, to)
    if tool["type"] == "custom":
        return _encode_custom(tool, path, to)
    if tool["type"] == "namespace":
        return _encode_namespace(tool, path, to)
    if tool["type"] == "opaque":
        if tool["dialect"] == DIALECT:
            return tool["data"]  # type: ignore[no-any-return]  # verbatim
        lost_opaque(to.log, path, "tool")
        return None
    if tool["type"] == "web_search" or tool["type"] == "code_execution":
        return encode_server_tool(tool, path, to)
    assert_never(tool)


def _encode_custom(tool: CustomTool, path: str, to: Target) -> dict[str, Any]:
    """Return the wire form of a custom tool."""
    spelling = own_extra(tool, DIALECT).get("spelling", NOTHING)
    name = tool["name"] if to.home else safe_name(tool["name"], NAME_LIMIT, f"{path}/name", to.log)
    out: dict[str, Any] = {"type": "custom", "name": name}
    if "description" in tool:
        out["description"] = tool["description"]
    if "grammar" in tool and not to.home and tool["grammar"]["syntax"] not in GRAMMAR_SYNTAXES:
        to.log.lost("tool", f"{path}/grammar", "the target does not support such grammars")
    elif "grammar" in tool:
        out["format"] = {"type": "grammar", **tool["grammar"]}
    elif "format" in spelling:
        out["format"] = {"type": "text"}
    if "cache" in tool:
        to.log.lost("cache", f"{path}/cache", "tools have no cache marks there")
    merge_own_extra(out, tool, DIALECT, path, to.log)
    return out


def _encode_namespace(tool: NamespaceTool, path: str, to: Target) -> dict[str, Any] | None:
    """Return the wire form of a namespace; None if none of its tools has one."""
    name = tool["name"] if to.home else safe_name(tool["name"], GROUP_NAME_LIMIT, f"{path}/name", to.log)
    out: dict[str, Any] = {"type": "namespace", "name": name}
    if "description" in tool:
        out["description"] = tool["description"]
    elif not to.home and not own_extra(tool, DIALECT):
        out["description"] = ""
        to.log.filled(f"{path}/description", "a namespace needs a description")
    out["tools"] = []
    for at, inner in enumerate(tool["tools"]):
        if to.home or inner["type"] == "function" or inner["type"] == "custom":
            out["tools"] += _encode_tools([inner], f"{path}/tools", to, at)
        else:
            lost_members(
                to.log, inner, f"{path}/tools/{at}", "tool", "a namespace can only hold function and custom tools"
            )
    if tool["tools"] and not out["tools"]:
        lost_members(to.log, tool, path, "tool", "no tool of the namespace can be sent there")
        return None
    merge_own_extra(out, tool, DIALECT, path, to.log)
    return out


def _encode_function(tool: Any, path: str, to: Target) -> dict[str, Any]:
    plain = "extra" not in tool and "cache" not in tool
    if plain and (to.home or _is_accepted(tool)):
        return tool  # type: ignore[no-any-return]  # the wire form of a plain function is its canonical form
    if plain:
        out = dict(tool)
    else:
        out = {name: value for name, value in tool.items() if name in _TOOL_MEMBERS}
        if "cache" in tool:
            to.log.lost("cache", f"{path}/cache", "tools have no cache marks there")
        merge_own_extra(out, tool, DIALECT, path, to.log)
    if not to.home and tool.get("strict"):
        enforce_strict(out, "parameters", path, to.log, "tool", tool["name"])
        out.setdefault("strict", None)  # null: strict if possible, with the schema as it is
    if not to.home and out.get("parameters") and not out.get("strict"):
        out["parameters"] = adapt(out["parameters"], FUNCTION, f"{path}/parameters", to.log, "tool")
    if not to.home and (plain or not own_extra(tool, DIALECT)):
        if not acceptable_128(tool["name"]):
            out["name"] = safe_name(tool["name"], NAME_LIMIT, f"{path}/name", to.log)
        out.setdefault("parameters", None)
        if "strict" not in out and not to.fitted:
            # Missing means best-effort strict here, and not strict in other dialects.
            out["strict"] = False
            to.log.filled(f"{path}/strict", "every function tool needs strict: it was added")
    return out


def _is_accepted(tool: Any) -> bool:
    """Return whether a plain function is accepted as it is: `strict` is set, and its schema fits that."""
    strict, parameters = tool.get("strict"), tool.get("parameters")
    if strict is None or parameters is None or not acceptable_128(tool["name"]):
        return False
    return is_strict(parameters) if strict else not parameters or is_plain(parameters)


def _write_tool_choice(out: dict[str, Any], value: Any, _bag: Mapping[str, Any], to: Target) -> None:
    """Write the tool choice."""
    choice: ToolChoice = value
    if choice["mode"] == "auto" or choice["mode"] == "none" or choice["mode"] == "required":
        out["tool_choice"] = choice["mode"]
    elif choice["mode"] == "named":
        name = choice["name"] if to.home else safe_name(choice["name"], NAME_LIMIT, "/tool_choice/name", to.log)
        out["tool_choice"] = {"type": choice.get("kind", "function"), "name": name}
    elif choice["mode"] == "subset":
        names = [
            name if to.home else safe_name(name, NAME_LIMIT, f"/tool_choice/names/{at}", to.log)
            for at, name in enumerate(choice["names"])
        ]
        mode = "required" if choice.get("required") else "auto"
        tools = [{"type": "function", "name": name} for name in names]
        out["tool_choice"] = {"type": "allowed_tools", "mode": mode, "tools": tools}
    else:
        assert_never(choice)


def _set_custom_types(out: dict[str, Any], request: ChatRequest) -> None:
    """Set the type of allowed custom tools."""
    choice = request.get("tool_choice")
    if choice is None or choice["mode"] != "subset":
        return
    free = {tool["name"] for tool in request.get("tools", ()) if tool["type"] == "custom"}
    for allowed, name in zip(out["tool_choice"]["tools"], choice["names"], strict=True):
        if name in free:
            allowed["type"] = "custom"


_WRITERS: Final = MappingProxyType({
    "user": _write_user,
    "safety_identifier": _write_safety_identifier,
    "stream_obfuscation": _write_stream_obfuscation,
    "cache": _write_cache,
    "logprobs": _write_logprobs,
    "verbosity": _write_verbosity,
    "response_format": _write_response_format,
    "reasoning": _write_reasoning,
    "tools": _write_tools,
    "tool_choice": _write_tool_choice,
})  # fmt: skip
