"""Canonical to OpenAI Chat Completions: requests."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.encode import encode_request as family_encode_request
from interlingua.rooms._chat_completions.encode import write_reasoning
from interlingua.rooms._chat_completions.encode_template import fit_messages
from interlingua.rooms._chat_completions.json_mode import ask_in_words
from interlingua.rooms._chat_completions.tables import REASONING_MEMBER
from interlingua.rooms._shared.family_fitting import tool_choice_instruction
from interlingua.rooms._shared.openai_family_fitting import follows_openai_rules
from interlingua.rooms._shared.openai_settings import GATEWAY
from interlingua.rooms._shared.thinking import DISPLAY, OFF
from interlingua.rooms._shared.user_messages import with_required_user_message
from interlingua.rooms.openai_chat.encode_family import fitted_request
from interlingua.rooms.openai_chat.gateways import is_open_gateway, refuses_null_contents
from interlingua.rooms.openai_chat.tables import DIALECT, NO_SEARCH, RANDOM_SEED, VENDOR
from interlingua.rooms.openai_chat.thinking import WRITERS, without_removed_members
from interlingua.spi.extra import own_spelling

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.rooms._chat_completions.vendor import Vendor, Writer
    from interlingua.rooms._shared.writing import Target
    from interlingua.spi.families import Family

_HOME: Final = VENDOR._replace(writers=WRITERS)
# Moonshot's own kind of JSON Schema ("moonshot flavored").
_OF_MOONSHOT: Final = VENDOR.function_schemas._replace(one_of=False, typed_unions=False, booleans=False)
# The deprecated name of the output limit, for servers that only know that.
_OLDER_NAMES: Final = MappingProxyType({"max_completion_tokens": "max_tokens"})


def encode_request(
    request: ChatRequest, log: LossLog, api_version: str | None = None, family: Family | None = None
) -> dict[str, Any]:
    """Return the wire body of a canonical request; losses go to the log."""
    del api_version  # the dialect has one version
    if request.get("dialect") == DIALECT:
        return without_removed_members(family_encode_request(request, _home_vendor(request), log), request)
    if family is None:
        return family_encode_request(fitted_request(request, None, log), VENDOR, log)
    facts = family.facts
    fitted = fitted_request(with_required_user_message(request, DIALECT, facts, log), family, log)
    out = family_encode_request(fitted, _vendor(facts, request.get("model", "")), log)
    if "max_completion_tokens_member" in facts:
        out = {_OLDER_NAMES.get(name, name): value for name, value in out.items()}
    elif facts.get("max_tokens_member") == "refuse" and GATEWAY not in request.get("model", ""):
        out = _with_newer_limit(out, log)
    if "reasoning_split" in facts:
        out.setdefault("reasoning_split", True)
        if "display" not in request.get("reasoning", ()):
            log.filled(DISPLAY, "reasoning is separated from the answer only where the request asks for it")
    if type(out.get("tool_choice")) is dict and _is_name_refused(out, facts):
        out["tool_choice"] = "required"
        log.changed("setting", "/tool_choice", "some hosts of these models take no name: the only tool is required")
    instruction = tool_choice_instruction(request, fitted, out.get("tools"))
    if instruction is not None:
        ask_in_words(out, instruction)
    if facts.get("system_role") == "refuse":  # an added instruction is a user message as well
        said = [{**one, "role": "user"} if one["role"] == "system" else one for one in out["messages"]]
        out = {**out, "messages": said}
    out = fit_messages(out, fitted, facts, log)
    if refuses_null_contents(request.get("model", ""), facts):
        out["messages"] = [{**one, "content": ""} if one.get("content", "") is None else one for one in out["messages"]]
    return without_removed_members(out, request)


def _is_name_refused(out: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    """Tell whether hosts may refuse or ignore a choice that names the only tool, which `required` forces as well."""
    verdict = facts.get("named_tool_choice", "accept")
    is_own = verdict == "refuse_by_gateways" and GATEWAY not in out.get("model", "")
    is_named = "function" in out["tool_choice"]
    return verdict != "accept" and not is_own and is_named and len(out.get("tools", ())) == 1


def _with_newer_limit(out: dict[str, Any], log: LossLog) -> dict[str, Any]:
    """Return a body with `max_tokens` as `max_completion_tokens`."""
    if "max_tokens" not in out:
        return out
    if "max_completion_tokens" in out:
        detail = "these models do not accept max_tokens: max_completion_tokens, which is beside it, is sent"
        log.lost("setting", "/extra/openai_chat", detail)
        return {name: value for name, value in out.items() if name != "max_tokens"}
    return {"max_completion_tokens" if name == "max_tokens" else name: value for name, value in out.items()}


_ANY: Final = ""
# Fact of a family, its value or any, and the quirks that it implies.
_QUIRKS: Final[tuple[tuple[str, str, Mapping[str, Any]], ...]] = (
    ("reasoning_in_calls", _ANY, {"reasoning": REASONING_MEMBER}),
    ("empty_answers", "refuse", {"empty_answers": False}),
    ("tool_schemas", "of_moonshot", {"function_schemas": _OF_MOONSHOT}),
    ("tool_names", "begin_with_a_letter", {"initial_letters": True}),
    ("repeated_tools", "refuse", {"repeated_tools": False}),
    ("documents", "by_address", {"documents": True}),
    ("custom_tools", "refuse_by_some_hosts", {"custom": False}),  # nor a subset of tools, which is as recent
    ("takes_only", _ANY, {"refusals": False, "spoken": False}),
    ("openai_settings", "refuse_by_some_hosts", {"end_user": "user"}),
    ("cache_breakpoints", "of_claude", {"claude_marks": True}),
    ("signed_calls", _ANY, {"signed_calls": True}),
)


def _home_vendor(request: ChatRequest) -> Vendor:
    """Return the quirks of the room, with the name of `seed` that a request at home came with."""
    renamed = "seed" in request and "seed" in own_spelling(request, DIALECT).get("absent", ())
    return _HOME._replace(setting_names={**_HOME.setting_names, "seed": RANDOM_SEED}) if renamed else _HOME


def _vendor(facts: Mapping[str, Any], model: str) -> Vendor:
    """Return the quirks of the room with those of a family; a gateway may have web search for any model."""
    search = facts.get("web_search_options")
    is_searchless = search == "refuse" or (search == "refuse_by_some_hosts" and not is_open_gateway(model, facts))
    vendor = NO_SEARCH if is_searchless else VENDOR
    if follows_openai_rules(facts):
        vendor = vendor._replace(whole_pictures=True)
    for fact, word, quirks in _QUIRKS:
        if fact in facts and word in {_ANY, facts[fact]}:
            vendor = vendor._replace(**quirks)
    if "search_members" in facts and GATEWAY not in model:
        vendor = vendor._replace(flat_searches=True)
    if "video_input" in facts:
        vendor = vendor._replace(videos=facts["video_input"])
    if facts.get("seed_member") == RANDOM_SEED:
        vendor = vendor._replace(setting_names={**vendor.setting_names, "seed": RANDOM_SEED})
    if "reasoning_details" in facts:
        vendor = vendor._replace(details_of=facts["reasoning_details"])
    if "thinking_switch" in facts:
        vendor = vendor._replace(writers={"reasoning": _writer(_SWITCHES[facts["thinking_switch"]])})
    return vendor


# How thinking is switched on and off: a function from mode to wire members.
_SWITCHES: Final[Mapping[str, Callable[[str], dict[str, Any]]]] = MappingProxyType({
    "thinking": lambda mode: {"thinking": {"type": mode}},
    "adaptive_thinking": lambda mode: {"thinking": {"type": OFF if mode == OFF else "adaptive"}},
    "enable_thinking": lambda mode: {"enable_thinking": mode != OFF},
})  # fmt: skip


def _writer(switch: Callable[[str], dict[str, Any]]) -> Writer:
    def write(out: dict[str, Any], value: Any, request: Any, vendor: Vendor, to: Target) -> None:
        if "mode" in value:
            out |= switch(value["mode"])
        write_reasoning(out, {name: said for name, said in value.items() if name != "mode"}, request, vendor, to)

    return write
