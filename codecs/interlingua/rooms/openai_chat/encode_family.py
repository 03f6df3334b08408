"""Canonical to Chat Completions: fit a request of another dialect to the model's family, before it is written.

Source: docs/families.md; the rows of families.py.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.loss import is_empty_value
from interlingua.rooms._chat_completions.encode_template import NAMES_IGNORED, roles_joined, without_names
from interlingua.rooms._chat_completions.thinking_parts import THINKING_PARTS
from interlingua.rooms._chat_completions.vendor_extensions import DETAILS
from interlingua.rooms._shared.calls_as_text import calls_to_text
from interlingua.rooms._shared.claude_signatures import FROM_BEDROCK, messages_with_signatures
from interlingua.rooms._shared.claude_thinking import lacks_thinking
from interlingua.rooms._shared.family_fitting import (
    Thinking,
    drop_disallowed_server_tools,
    drop_media,
    drop_strict,
    drop_tools,
    fit_tool_choice,
    forces_a_tool,
    is_not_search,
    leave_out_settings,
    limit_settings,
    map_roles,
)
from interlingua.rooms._shared.openai_family_fitting import (
    drop_cache,
    effort_settings,
    follows_openai_rules,
    replace_non_object_schema,
    replace_response_format,
    unread_media,
)
from interlingua.rooms._shared.openai_settings import GATEWAY
from interlingua.rooms._shared.schema_inlining import inline_references
from interlingua.rooms._shared.server_tools import SERVED
from interlingua.rooms._shared.thinking import (
    BUDGET,
    EFFORT,
    MODE,
    NEAREST,
    OFF,
    effort_of,
    is_off,
    nearest,
    report_effort_of_off,
    report_lost_thinking,
    report_unknown_values,
    thinking_request,
    thinking_settings,
)
from interlingua.rooms._shared.writing import is_lost, report_setting
from interlingua.rooms.openai_chat.gateways import is_open_gateway, verdict_on_functions
from interlingua.rooms.openai_chat.messages_of_hosts import fit_messages_of_hosts
from interlingua.rooms.openai_chat.tables import DIALECT
from interlingua.spi.extra import NOTHING, own_extra, with_extras

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.rooms._shared.thinking import ThinkingRequest
    from interlingua.rooms._shared.writing import Defaults
    from interlingua.spi.families import Family

_NONE_SAID: Final = "only_if_effort_none"
_UNKNOWN_ROLE: Final = MappingProxyType(
    {"refuse": "these models have no such role", "refuse_by_some_hosts": "some hosts of these models have no such role"}
)
_FORCED: Final = "these models do not reason where tool_choice forces a tool"
_NO_SETTINGS: Final = frozenset({"dialect", "extra"})
# Defaults of servers.
_DONE_ANYWAY: Final[Defaults] = MappingProxyType({
    "store": (False,), "stream_usage": (True,), "stream_obfuscation": (False,), "service_tier": ("auto", "default"),
    "modalities": (["text"],), "verbosity": ("medium",), "logprobs": (False,), "top_logprobs": (0,),
})  # fmt: skip
# Settings that only OpenAI has: storage, caching, abuse detection, moderation and verbosity.
_OF_OPENAI: Final = (
    "store", "metadata", "prompt_cache_key", "prompt_cache_retention", "safety_identifier", "moderation", "verbosity",
)  # fmt: skip
_SPEAKERS: Final = frozenset({"system", "developer", "user", "assistant"})
_EFFORTS_OF_HOSTS: Final = ("none", "low", "medium", "high")
_SOME_REFUSE: Final = "some hosts of these models do not accept it"
_UNKNOWN: Final = "the provider refuses unknown members"
_MEMBERS_ACCEPTED: Final = ("prefix", "index")  # of messages and calls, beside the canonical ones
_WORDS_REFUSED: Final = frozenset(
    {"null", "empty", "refusal", "signatures", "repeats", "details"}
)  # spellings of others
_TOOLS_ALONE: Final = "these models accept functions only with reasoning_effort none"


def fitted_request(request: ChatRequest, family: Family | None, log: LossLog) -> ChatRequest:
    """Return the request as the models of a family accept it; losses go to the log."""
    facts = NOTHING if family is None else family.facts
    fitted: dict[str, Any] = {**request}
    fit_messages_of_hosts(fitted, facts, log)
    if facts:
        fitted["messages"] = without_names(fitted["messages"], roles_joined(facts), log, NAMES_IGNORED)
    drop_disallowed_server_tools(fitted, log)
    fit_tool_choice(fitted, facts, log)
    _fit_open_turn(fitted, facts, log)
    _fit_reasoning(fitted, facts, log)
    if facts:
        _fit_to_facts(fitted, facts, log)
    if follows_openai_rules(facts):
        replace_non_object_schema(fitted, log)
        if fitted.get("store") is not True and GATEWAY not in fitted.get("model", ""):  # "only allowed when enabled"
            _leave_out(fitted, ("metadata",), log, "metadata is only accepted for stored answers")
    return cast("ChatRequest", fitted)


def _fit_to_facts(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    if facts.get("calls_in_history") == "refuse":
        drop_tools(request, log, "these models do not support functions", is_not_search)
        calls_to_text(request, DIALECT, log)
    elif verdict_on_functions(facts, request.get("model", "")) in {"refuse", "only_in_responses"}:
        drop_tools(request, log, "these models accept functions only in the Responses API", is_not_search)
    effort = request.get("reasoning", NOTHING).get("effort")
    leave_out_settings(request, facts, Thinking(effort=effort, is_on=effort not in {None, "none"}), log)
    limit_settings(request, facts, log)
    if facts.get("developer_role") in _UNKNOWN_ROLE:
        other = "user" if facts.get("system_role") == "refuse" else "system"
        roles = {"developer": other, "system": other} if other == "user" else {"developer": other}
        map_roles(request, roles, DIALECT, log, _UNKNOWN_ROLE[facts["developer_role"]], leading=True)
    drop_media(request, _unread_by(facts, request.get("model", "")), log)
    replace_response_format(request, facts, log)
    if "takes_only" in facts:
        others = [name for name in request if name not in facts["takes_only"] and name not in _NO_SETTINGS]
        _leave_out(request, others, log, _UNKNOWN)
        request["messages"] = [
            _without_unknown_members(message, f"/messages/{at}", log) for at, message in enumerate(request["messages"])
        ]
    if "message_names" in facts:
        detail = _UNKNOWN if facts["message_names"] == "refuse" else _SOME_REFUSE
        request["messages"] = without_names(request["messages"], _SPEAKERS, log, detail)
    if facts.get("schema_references") == "refuse":
        inline_references(request, log)
    _add_parameters(request, facts, log)
    if facts.get("strict_tools") == "refuse":
        _drop_strict(request, log)
    elif facts.get("strict_tools") == "all_or_none" and _is_strict_in_part(request.get("tools", ())):
        request["tools"] = drop_strict(request["tools"], log)
    drop_cache(request, facts, log)
    if facts.get("openai_settings") == "refuse_by_some_hosts":
        _leave_out_for_hosts(request, facts, log)


_WITH_PARAMETERS: Final = ("require_parameters", "require_schema", "require_by_some_hosts")
_NO_PARAMETERS: Final = MappingProxyType({"type": "object", "properties": {}})


def _add_parameters(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Add empty parameters to functions without any, closed ones if the function is strict."""
    if facts.get("tool_members") not in _WITH_PARAMETERS or "tools" not in request:
        return
    tools = [*request["tools"]]
    for at, tool in enumerate(tools):
        if tool["type"] == "function" and not tool.get("parameters"):
            closed = {"additionalProperties": False} if tool.get("strict") else {}
            tools[at] = {**tool, "parameters": {**_NO_PARAMETERS, **closed}}
            log.filled(f"/tools/{at}/parameters", "these models need the parameters of a function")
    request["tools"] = tools


def _leave_out_for_hosts(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Remove the settings that OpenAI has and some other hosts refuse; gateways know most modalities and tiers."""
    _leave_out(request, [name for name in _OF_OPENAI if facts.get(name) != "accept"], log, _SOME_REFUSE)
    if not is_open_gateway(request.get("model", ""), facts):
        _leave_out(request, ("modalities",), log, _SOME_REFUSE)
    tier = request.get("service_tier")
    if tier not in facts.get("service_tiers", (tier,)):
        _leave_out(request, ("service_tier",), log, _SOME_REFUSE)


def _unread_by(facts: Mapping[str, Any], model: str) -> frozenset[str]:
    """Return the kinds of media that a model cannot read; some gateways read PDF files for all models."""
    if facts.get("pdf_input") == "refuse_by_some_hosts" and is_open_gateway(model, facts):
        facts = {**facts, "pdf_input": True}
    return unread_media(facts)


def _without_unknown_members(message: Any, path: str, log: LossLog) -> Any:
    """Return a message of this dialect without the members that a strict provider refuses in messages and calls."""
    kept = _without_fields(message, path, log)
    for name in ("content", "tool_calls"):
        held = message.get(name)
        if type(held) is list:
            kept = {**kept, name: [_without_fields(one, f"{path}/{name}/{at}", log) for at, one in enumerate(held)]}
    return kept


def _without_fields(value: Any, path: str, log: LossLog) -> Any:
    """Return a value without citations, unknown members, and the words that say how refused members were written."""
    if "citations" in value:
        log.lost("citation", f"{path}/citations", _UNKNOWN)
        value = {name: held for name, held in value.items() if name != "citations"}
    bag = own_extra(value, DIALECT)
    if not bag:
        return value
    fields, spelling = bag.get("fields", NOTHING), bag.get("spelling", NOTHING)
    accepted = {name: fields[name] for name in _MEMBERS_ACCEPTED if name in fields}
    if DETAILS in bag or not all(is_empty_value(held) for name, held in fields.items() if name not in accepted):
        log.lost("provider_state" if DETAILS in bag else "extra", f"{path}/extra/{DIALECT}", _UNKNOWN)
    words = {word: said for word, said in spelling.items() if word not in _WORDS_REFUSED}
    if words.get("reasoning") not in THINKING_PARTS:
        words.pop("reasoning", None)
    held = {name: one for name, one in bag.items() if name != DETAILS}
    return with_extras(value, {DIALECT: {**held, "fields": accepted, "spelling": words}})


def _fit_reasoning(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Set how much to reason; if functions and reasoning exclude each other, the functions stay."""
    if "reasoning" not in request and "function_tools" not in facts and "thinks_unasked" not in facts:
        return
    reasoning = request.get("reasoning", NOTHING)
    asked = thinking_settings(reasoning)
    kept = {name: value for name, value in reasoning.items() if name == "display"}
    if _wants_tools_alone(request, facts) and not is_off(reasoning):
        if facts["function_tools"] == _NONE_SAID and not asked:
            log.filled(EFFORT, _TOOLS_ALONE)
        for name in asked:
            log.changed("setting", f"/reasoning/{name}", _TOOLS_ALONE)
        if asked or facts["function_tools"] == _NONE_SAID:
            request["reasoning"] = {**kept, "effort": "none"}
    elif not is_off(reasoning) and _is_forced(request, facts) and (asked or "thinks_unasked" in facts):
        is_said = "thinks_unasked" in facts and _has_switch(request, facts)
        for name in asked:
            note = log.changed if is_said and name == "mode" else log.lost
            note("setting", f"/reasoning/{name}", _FORCED)
        if is_said and "mode" not in asked:
            log.filled(MODE, _FORCED)
        request["reasoning"] = {**kept, "mode": OFF} if is_said else kept
    elif "reasoning" in request and _has_switch(request, facts):
        request["reasoning"] = _switched(reasoning, facts, log)
    elif "reasoning" in request:
        request["reasoning"] = effort_settings(reasoning, _facts_with_efforts(facts, request.get("model", "")), log)


def _facts_with_efforts(facts: Mapping[str, Any], model: str) -> Mapping[str, Any]:
    """Return facts with the efforts that all hosts know, for models whose hosts differ in these; gateways know all."""
    if "efforts" in facts or facts.get("openai_settings") != "refuse_by_some_hosts" or is_open_gateway(model, facts):
        return facts
    return {**facts, "efforts": _EFFORTS_OF_HOSTS}


def _fit_open_turn(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Drop thinking if the open turn has calls without the thinking that the models want before them."""
    reasoning = request.get("reasoning", NOTHING)
    asked = thinking_settings(reasoning)
    if not asked or "calls_after_thinking" not in facts or is_off(reasoning):
        return
    messages = messages_with_signatures(request["messages"], FROM_BEDROCK)
    if lacks_thinking(messages, facts.get("reasoning_details", "")):
        report_lost_thinking(reasoning, log, "thinking stays off: the open turn began without thinking")
        request["reasoning"] = {name: value for name, value in reasoning.items() if name not in asked}


def _has_switch(request: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    """Tell whether the models have a switch for thinking; gateways have their own settings."""
    return "thinking_switch" in facts and GATEWAY not in request.get("model", "")


def _switched(reasoning: Mapping[str, Any], facts: Mapping[str, Any], log: LossLog) -> dict[str, Any]:
    """Return reasoning settings with a switch, and an effort if the models have efforts."""
    requested = thinking_request(reasoning, log)
    shown = {} if requested.display is None else {"display": requested.display}
    settings: dict[str, Any] = {}
    if requested.is_off:
        settings["mode"] = OFF
        report_effort_of_off(requested, log)
    elif requested.is_on:
        effort = requested.effort or (None if requested.budget is None else effort_of(requested.budget))
        word = None if effort is None else nearest(effort, facts.get("efforts", ()))
        if word is not None:
            settings["effort"] = word
        if requested.effort is not None and word != requested.effort:
            detail = NEAREST if word else "thinking is only on or off for these models"
            log.changed("setting", EFFORT, detail)
        if requested.budget is not None:
            log.changed("setting", BUDGET, "thinking is only on or off for these models, without a budget")
        if word is not None and "thinks_unasked" in facts:  # other hosts of these models refuse the switch
            if requested.mode and "mode" in reasoning:
                log.changed("setting", MODE, "reasoning is only switched on by an effort")
        else:
            _switch_on(settings, reasoning, requested, log)
    report_unknown_values(reasoning, requested, settings, log)
    return {**settings, **shown}


def _switch_on(
    settings: dict[str, Any], reasoning: Mapping[str, Any], requested: ThinkingRequest, log: LossLog
) -> None:
    settings["mode"] = "enabled"
    if not requested.mode and "mode" not in reasoning:
        log.filled(MODE, "an effort switches thinking on")
    elif requested.mode not in {"", "enabled"}:
        log.changed("setting", MODE, "the model chooses how much it thinks")


def _wants_tools_alone(request: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    refusals = {_NONE_SAID, "only_if_effort_none_or_absent"}
    return verdict_on_functions(facts, request.get("model", "")) in refusals and _offers_tools(request)


def _offers_tools(request: Mapping[str, Any]) -> bool:
    """Tell whether a request has tools beside those of a provider's own, which have no place among the tools."""
    return not all(tool["type"] in SERVED or is_lost(tool, DIALECT) for tool in request.get("tools", ()))


def _is_forced(request: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    """Tell whether a call is forced on models that only allow that without reasoning."""
    is_refused = facts.get("forced_tool_choice") == "refuse_if_thinking"
    return is_refused and _offers_tools(request) and forces_a_tool(request)


def _drop_strict(request: dict[str, Any], log: LossLog) -> None:
    if "tools" in request:
        request["tools"] = drop_strict(request["tools"], log)
    form = request.get("response_format", NOTHING)
    if "strict" in form:
        request["response_format"] = {name: value for name, value in form.items() if name != "strict"}
        note = log.lost if form["strict"] else log.changed
        note("setting", "/response_format/strict", "these servers do not accept strict")


def _is_strict_in_part(tools: Iterable[Any]) -> bool:
    return len({tool.get("strict", False) is True for tool in tools if tool["type"] == "function"}) > 1


def _leave_out(request: dict[str, Any], names: Iterable[str], log: LossLog, detail: str) -> None:
    """Remove settings that the provider refuses."""
    for name in names:
        if name in request:
            report_setting(name, request.pop(name), _DONE_ANYWAY, log, detail)
