"""Canonical to Chat Completions: fit messages that one host has written to the models of another.

Hosts have different places for reasoning, and some refuse members that they do not know, also null or empty ones.
Source: docs/families.md; docs/wire/openai_chat.md, section 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.reasoning_details import (
    CARRIER,
    KEPT,
    SIGNATURES,
    details_of,
    state_in,
)
from interlingua.rooms._chat_completions.search_sources import ANNOTATIONS
from interlingua.rooms._chat_completions.tables import REASONING_MEMBER
from interlingua.rooms._chat_completions.thinking_parts import THINKING_PARTS
from interlingua.rooms._chat_completions.vendor_extensions import (
    BLOCKS,
    DETAILS,
    OPAQUE_STATE,
    UNSPELLED,
    unspelled_place,
)
from interlingua.rooms._shared.openai_family_fitting import follows_openai_rules
from interlingua.rooms._shared.openai_settings import GATEWAY
from interlingua.rooms.openai_chat.tables import DIALECT
from interlingua.spi.extra import NOTHING, own_extra, with_extras

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog

_PLACES: Final = frozenset({"reasoning", "repeats", SIGNATURES, KEPT})  # the spellings of reasoning and its state
_STATE: Final = frozenset({DETAILS, BLOCKS, OPAQUE_STATE})
_OF_CALLS: Final = frozenset({"type", "arguments", "null"})  # spellings of calls that OpenAI refuses
_UNSAID: Final = frozenset({"null", "empty"})  # spellings of members without a value


def fit_messages_of_hosts(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Write reasoning where the models' own host has it, and leave out null and empty members that hosts refuse."""
    model: str = request.get("model", "")
    request["messages"] = [
        _fitted(message, facts, model, f"/messages/{index}", log)
        if "extra" in message or "tool_calls" in message
        else message
        for index, message in enumerate(request["messages"])
    ]


def _fitted(message: Any, facts: Mapping[str, Any], model: str, path: str, log: LossLog) -> Any:
    """Return a message as the host of the models accepts it."""
    if any("extra" in call for call in message.get("tool_calls", ())):
        message = {**message, "tool_calls": [_fitted_call(call) for call in message["tool_calls"]]}
    bag = own_extra(message, DIALECT)
    if not bag:
        return message
    spelling = bag.get("spelling", NOTHING)
    words = {**spelling}
    if follows_openai_rules(facts) or GATEWAY in model:
        words["empty"] = [name for name in spelling.get("empty", ()) if name != "tool_calls"]
    else:
        words = {word: said for word, said in words.items() if word not in _UNSAID}
        if ANNOTATIONS not in spelling.get("absent", ()):  # the sources of the answer stood beside it
            message = _without_citations(message, path, log)
    held: dict[str, Any] = {**bag}
    if not _has_place(_place(bag, spelling), facts, model):
        held, words = _without_place(held, words, path, log)
    return with_extras(message, {DIALECT: {**held, "spelling": {word: said for word, said in words.items() if said}}})


def _fitted_call(call: Any) -> Any:
    """Return a call that is written with its type, and with its arguments as text."""
    bag = own_extra(call, DIALECT)
    spelling: Mapping[str, Any] = bag.get("spelling", NOTHING)
    if spelling.keys().isdisjoint(_OF_CALLS):
        return call
    words = {word: said for word, said in spelling.items() if word not in _OF_CALLS}
    return with_extras(call, {DIALECT: {**bag, "spelling": words}})


def _without_citations(message: Any, path: str, log: LossLog) -> Any:
    """Return a message whose texts have no citations: they would be annotations, which only answers have elsewhere."""
    content = message.get("content")
    if type(content) is not list or not any("citations" in part for part in content):
        return message
    parts: list[Any] = []
    for at, part in enumerate(content):
        if "citations" in part:
            log.lost("citation", f"{path}/content/{at}/citations", "some hosts accept no annotations in a request")
        parts.append({name: held for name, held in part.items() if name != "citations"})
    return {**message, "content": parts}


def _place(bag: Mapping[str, Any], spelling: Mapping[str, Any]) -> str:
    """Return where a message holds its reasoning or what is signed of it; empty if it has neither."""
    place: str = unspelled_place(bag) or spelling.get("reasoning", "")
    if not place and (details_of(bag) or not _STATE.isdisjoint(bag.get("fields", NOTHING))):
        return DETAILS
    return place or spelling.get(SIGNATURES, "")


def _has_place(place: str, facts: Mapping[str, Any], model: str) -> bool:
    """Tell whether the host of a model has such a place. Gateways and unknown hosts get back what they wrote."""
    if place in THINKING_PARTS:
        return "documents" in facts or not facts  # Mistral's own
    if not place or not facts or GATEWAY in model:
        return True
    own = facts.get("reasoning_in_calls")
    if own is not None:
        return place == (DETAILS if own == "accept_details" else REASONING_MEMBER)
    if place == CARRIER and "signed_calls" in facts:
        return True
    return not (follows_openai_rules(facts) or facts.get("thinking") == "none" or "reasoning_in_history" in facts)


def _without_place(
    bag: dict[str, Any], spelling: dict[str, Any], path: str, log: LossLog
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the members of `extra` and the spelling without the place of the reasoning, and what is signed there."""
    fields: Mapping[str, Any] = bag.get("fields", NOTHING)
    if _STATE & fields.keys() or any(state_in(item["fields"])[0] for item in details_of(bag)):
        log.lost("provider_state", f"{path}/extra/{DIALECT}", "the host of these models has no place for it")
    kept = {name: said for name, said in fields.items() if name not in _STATE | UNSPELLED}
    others = {name: said for name, said in bag.items() if name not in {DETAILS, "thinking"}}
    words = {word: said for word, said in spelling.items() if word not in _PLACES}
    return {**others, "fields": kept}, words
