"""Fit a request of another dialect to the model family before it is encoded for Responses.

Source: docs/families.md; the rows of families.py.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.calls_as_text import calls_to_text
from interlingua.rooms._shared.family_fitting import (
    Thinking,
    drop_media,
    drop_tools,
    leave_out_settings,
    limit_settings,
)
from interlingua.rooms._shared.openai_family_fitting import (
    drop_cache,
    effort_settings,
    replace_non_object_schema,
    replace_response_format,
    unread_media,
)
from interlingua.rooms._shared.openai_settings import GATEWAY
from interlingua.rooms._shared.thinking import DISPLAY
from interlingua.rooms.openai_responses.adjoining_results import with_adjoining_results
from interlingua.rooms.openai_responses.finish_reasons import CALLS_ABROAD
from interlingua.rooms.openai_responses.tables import (
    CHECKED_PREFIXES,
    DIALECT,
    INCLUDE_REASONING,
    ITEM_METADATA,
    LIVE_SEARCH,
    has_null_content,
)
from interlingua.spi.extra import NOTHING, own_extra, with_extras

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.rooms._shared.writing import Target
    from interlingua.spi.families import Family


_APPROVAL: Final = "require_approval"
# Encrypted reasoning of xAI and Bedrock (plain base64), and of DeepSeek (hexadecimal); OpenAI's are Fernet tokens.
_OF_OTHERS: Final = re.compile(r"(?!gAAAA)(?:.*[+/]|[0-9a-f-]{32,}$)")
_COMMENTARY, _ANSWER = "commentary", "final_answer"
_ON_BEDROCK: Final = "openai."


def fitted_request(request: ChatRequest, family: Family | None, log: LossLog) -> ChatRequest:
    """Return the request as models of the family accept it; losses are recorded in `log`."""
    facts = NOTHING if family is None else family.facts
    fitted: dict[str, Any] = {**request}
    settings: dict[str, Any] = effort_settings(fitted["reasoning"], facts, log) if "reasoning" in fitted else {}
    if "display" in settings and (facts.get("reasoning_summary") == "refuse" or facts.get("efforts") == ()):
        del settings["display"]
        log.lost("setting", DISPLAY, "these models do not return a summary")
    if "reasoning" in fitted:
        fitted["reasoning"] = settings
    if facts:
        if facts.get("calls_in_history") == "refuse":
            drop_tools(fitted, log, "these models do not support functions")
            calls_to_text(fitted, DIALECT, log)
        leave_out_settings(fitted, facts, Thinking(effort=settings.get("effort")), log)
        limit_settings(fitted, facts, log)
        drop_media(fitted, unread_media(facts), log)
        replace_response_format(fitted, facts, log)
        drop_cache(fitted, facts, log)
        if facts.get("live_search") == "unsaid" and "tools" in fitted:
            fitted["tools"] = [
                _without_live_search(tool, f"/tools/{at}", log) for at, tool in enumerate(fitted["tools"])
            ]
        if facts.get("tool_approval") == "unsaid" and "tools" in fitted:
            fitted["tools"] = [_without_approval(tool, f"/tools/{at}", log) for at, tool in enumerate(fitted["tools"])]
        if facts.get("unsigned_thinking") == "accept":
            fitted["messages"] = _with_thoughts(fitted, facts, log)
    replace_non_object_schema(fitted, log)
    return cast("ChatRequest", fitted)


def _with_thoughts(request: Mapping[str, Any], facts: Mapping[str, Any], log: LossLog) -> list[Any]:
    """Return the messages with the reasoning of any origin as items of this dialect.

    Where these models need it before calls, a turn without reasoning gets an empty item.
    """
    needs = facts.get("reasoning_in_calls") == "require" and request.get("reasoning", NOTHING).get("effort") != "none"
    out: list[Any] = [*request["messages"]]
    begin, is_bare = -1, False  # the first message of the assistant's turn, and whether the turn has no reasoning yet
    for index, message in enumerate(out):
        if message["role"] != "assistant":
            begin = -1
            continue
        if begin < 0:
            begin, is_bare = index, True
        bag = own_extra(message, DIALECT)
        if "reasoning" in bag:
            is_bare = False
        elif message.get("reasoning"):
            is_bare = False
            out[index] = _with_item(message, index, log)
        elif is_bare and needs and message.get("tool_calls"):
            is_bare = False
            log.filled(f"/messages/{index}/reasoning", "these models need the reasoning before a call")
            out[index] = _with_item({**message, "reasoning": ""}, index, log)
    return out


def _with_item(message: Mapping[str, Any], index: int, log: LossLog) -> dict[str, Any]:
    """Return a message whose reasoning is an item of this dialect, with an id made from its place."""
    thoughts: Any = message["reasoning"]
    kept = {"id": f"rs_{index}", "content": 1 if type(thoughts) is str else len(thoughts)}
    path = f"/messages/{index}/extra/{DIALECT}/reasoning"
    log.filled(f"{path}/id", "every reasoning item needs an id: one was generated")
    return with_extras(message, {DIALECT: {**own_extra(message, DIALECT), "reasoning": kept}})


def fit_items(body: dict[str, Any], facts: Mapping[str, Any], to: Target) -> None:
    """Fit the items of a written body to the model family."""
    if "phases" in facts and not to.fitted:
        _add_phases(body, to.log)
    if facts.get("call_results") == "adjoin":
        _adjoin_results(body, to.log)
    if facts.get("null_contents") == "refuse":
        _drop_null_contents(body)
    if "item_metadata" in facts:
        _drop_item_metadata(body, to.log)
    if "encrypted_reasoning" in facts and GATEWAY not in body.get("model", ""):  # OpenAI's models
        _drop_state_of_other_hosts(body, to.log)
        _unlink_reasoning(body, to.log)


def _add_phases(body: dict[str, Any], log: LossLog) -> None:
    """Say of each text of the assistant whether calls or an end of the turn follow it.

    These models take a text without its phase before a call for the answer, and end their next turns early.
    """
    items: Any = body.get("input")
    if type(items) is not list:
        return
    out: list[Any] = []
    phase = _ANSWER
    for item in reversed(items):
        kind = item.get("type")
        if kind in CALLS_ABROAD:
            phase = _COMMENTARY
        elif item.get("role") == "assistant" and "phase" not in item:
            out.append({**item, "phase": phase})
            continue
        elif "role" in item and item["role"] != "assistant":
            phase = _ANSWER
        out.append(item)
    if out != items[::-1]:
        body["input"] = out[::-1]
        log.filled("/messages", "these models need the phase of each answer: commentary before calls, or final_answer")


def _adjoin_results(body: dict[str, Any], log: LossLog) -> None:
    """Put results directly behind their calls in a body, for hosts that pair them by their places."""
    items: Any = body.get("input")
    adjoined = with_adjoining_results(items) if type(items) is list else items
    if adjoined != items:
        body["input"] = adjoined
        log.changed("message", "/messages", "these models need results directly behind their calls: items were moved")


def _drop_null_contents(body: dict[str, Any]) -> None:
    """Leave out a `content` of null, which says nothing, from the reasoning items of a body; Codex writes one."""
    items: Any = body.get("input")
    if type(items) is list:
        body["input"] = [
            {name: value for name, value in item.items() if name != "content"} if has_null_content(item) else item
            for item in items
        ]


def _drop_item_metadata(body: dict[str, Any], log: LossLog) -> None:
    """Leave out the metadata that Codex adds to all items, for OpenAI alone, as it does itself for other hosts."""
    items: Any = body.get("input")
    if type(items) is list and any(ITEM_METADATA in item for item in items):
        body["input"] = [{name: value for name, value in item.items() if name != ITEM_METADATA} for item in items]
        log.lost("extra", "/messages", "hosts of these models refuse it: internal_chat_message_metadata_passthrough")


def _drop_state_of_other_hosts(body: dict[str, Any], log: LossLog) -> None:
    """Leave out the ids of items with another prefix than OpenAI's, and reasoning that only its host could read."""
    items: Any = body.get("input")
    if type(items) is not list:
        return
    kept = [item for item in items if item.get("type") != "reasoning" or not _is_unreadable(item, body)]
    body["input"] = [_without_id(item) if _has_odd_id(item) else item for item in kept]
    if len(kept) < len(items):
        log.lost("provider_state", "/messages", "reasoning of another server is refused, or has nothing encrypted")
    elif body["input"] != kept:
        log.changed(
            "local_id", "/messages", "these models refuse ids that do not begin as their own: they are left out"
        )


def _is_unreadable(reasoning: Mapping[str, Any], body: Mapping[str, Any]) -> bool:
    """Tell whether reasoning is of another host and has nothing encrypted, or is not encrypted by OpenAI or Azure.

    Bedrock encrypts that of its own.
    """
    held: Any = reasoning.get("encrypted_content")
    if not held:
        return _has_odd_id(reasoning)
    is_foreign = type(held) is str and _OF_OTHERS.match(held) is not None
    return is_foreign and _ON_BEDROCK not in body.get("model", "")


def _unlink_reasoning(body: dict[str, Any], log: LossLog) -> None:
    """Leave out the id of reasoning whose following item has none: by the id OpenAI would look for that item.

    Without encrypted content nothing is left of such reasoning.
    """
    items: Any = body.get("input")
    if type(items) is not list:
        return
    kept: list[Any] = []
    follows = False  # whether the item after the reasoning has an id
    for item in reversed(items):
        is_reasoning = item.get("type") == "reasoning"
        if not is_reasoning:
            follows = "id" in item
        if not is_reasoning or follows or "id" not in item:
            kept.append(item)
        elif item.get("encrypted_content"):
            kept.append(_without_id(item))
        else:
            log.lost("provider_state", "/messages", "reasoning is refused without the item that followed it")
    body["input"] = kept[::-1]


def _without_id(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != "id"}


def _has_odd_id(item: Any) -> bool:
    """Tell whether an item has an id that OpenAI refuses for its type."""
    identifier: Any = item.get("id")
    return type(identifier) is str and not identifier.startswith(CHECKED_PREFIXES.get(item.get("type", "message"), ""))


def _without_live_search(tool: Mapping[str, Any], path: str, log: LossLog) -> Mapping[str, Any]:
    """Return a web search tool without the members for live search, which xAI refuses."""
    bag = own_extra(tool, DIALECT)
    fields = bag.get("fields", NOTHING)
    if tool["type"] != "web_search" or fields.keys().isdisjoint(LIVE_SEARCH):
        return tool
    for name in fields:
        if name in LIVE_SEARCH:
            log.lost("tool", f"{path}/{name}", "these models do not accept this member of a search")
    left = {name: value for name, value in fields.items() if name not in LIVE_SEARCH}
    return with_extras(tool, {DIALECT: {**bag, "fields": left}})


def _without_approval(tool: Mapping[str, Any], path: str, log: LossLog) -> Mapping[str, Any]:
    """Return a tool without the member for the approval of MCP calls, which xAI does not have."""
    if tool["type"] != "opaque" or tool["dialect"] != DIALECT or _APPROVAL not in tool["data"]:
        return tool
    if tool["data"][_APPROVAL] not in (None, "never"):
        log.lost("tool", f"{path}/data/{_APPROVAL}", "these models do not support approval of calls")
    return {**tool, "data": {name: value for name, value in tool["data"].items() if name != _APPROVAL}}


def ask_for_encrypted_reasoning(
    out: dict[str, Any], spelling: Mapping[str, Any], family: Family | None, log: LossLog
) -> None:
    """Ask for encrypted reasoning, if the client sends it back and the models are known to reason.

    Models that never reason refuse a request that asks for it.
    """
    if family is not None and family.facts.get("encrypted_reasoning") == "refuse":
        _drop_encrypted_reasoning(out, log)
        return
    if spelling.get("state") != "carried" or family is None or family.facts.get("encrypted_reasoning") != "accept":
        return
    effort = out.get("reasoning", NOTHING).get("effort") or family.facts.get("effort_default")
    asked: list[Any] = out.get("include", [])
    if effort == "none" or INCLUDE_REASONING in asked:
        return
    out["include"] = [*asked, INCLUDE_REASONING]
    log.filled("/extra/openai_responses", "encrypted reasoning is only returned where the request asks for it")


def _drop_encrypted_reasoning(out: dict[str, Any], log: LossLog) -> None:
    asked: Any = out.get("include")
    if type(asked) is not list or INCLUDE_REASONING not in asked:
        return
    left = [word for word in asked if word != INCLUDE_REASONING]
    if left:
        out["include"] = left
    else:
        del out["include"]
    log.lost(
        "extra", "/extra/openai_responses", "these models do not reason: there is no encrypted reasoning to include"
    )
