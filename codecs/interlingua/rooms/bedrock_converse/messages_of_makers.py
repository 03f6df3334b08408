"""Canonical to Bedrock Converse: fit messages for one maker's models to the models of another.

Only Claude's models read signatures and search results, models that do not reason refuse all reasoning, and only some
of Nova's run tools themselves. Source: docs/families.md; docs/wire/bedrock_converse.md, sections 1.2 and 1.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.claude_signatures import FROM_CLAUDE, is_redacted_by_claude, messages_with_signatures
from interlingua.rooms._shared.parts_as_text import with_run_tools_as_text, with_texts
from interlingua.rooms.bedrock_converse.opaque_texts import texts_of_opaque
from interlingua.rooms.bedrock_converse.tables import DIALECT
from interlingua.spi.extra import own_extra, with_extras

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog

_BLOCKS: Final = "thinking_blocks"
_UNREAD: Final = "these models do not accept reasoning of earlier answers"
_FOUND: Final = "only Claude's models accept search results: its text is sent"
_UNTOLD: Final = "only Claude's models accept search results"
_SIGNED: Final = "only the models of its maker accept what is signed or encrypted there"


def fit_messages_of_makers(request: dict[str, Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Write what other makers' models said and read as these models accept it; losses are recorded in `log`."""
    given: list[Any] = request["messages"]
    if "thinking" in facts and "reasoning_in_history" in facts:
        given = messages_with_signatures(given, FROM_CLAUDE)
    messages = [
        _with_own_reasoning(message, facts, f"/messages/{index}", log)
        if message["role"] == "assistant" and "extra" in message
        else message
        for index, message in enumerate(given)
    ]
    if facts.get("system_tools") != "accept":
        messages = with_run_tools_as_text(messages, DIALECT, _is_of_system_tool, texts_of_opaque, log)
    if "thinking" not in facts:
        messages = [_with_search_results_as_text(message, index, log) for index, message in enumerate(messages)]
    request["messages"] = messages


def _with_own_reasoning(message: Any, facts: Mapping[str, Any], path: str, log: LossLog) -> Any:
    """Return an answer without the reasoning, or without the signatures, that the models refuse."""
    bag = own_extra(message, DIALECT)
    blocks: list[Any] = bag.get(_BLOCKS, [])
    if not blocks:
        return message
    if facts.get("reasoning_in_history") == "refuse":
        if "reasoning" in message:
            log.lost("reasoning", f"{path}/reasoning", _UNREAD)
        kept: list[Any] = []
        message = {name: held for name, held in message.items() if name != "reasoning"}
    else:
        kept = [_unsigned(block, facts) for block in blocks if _is_readable(block, facts)]
    if kept == blocks:
        return message
    if any("signature" in block or "data" in block for block in blocks):
        log.lost("provider_state", f"{path}/extra/{DIALECT}/{_BLOCKS}", _SIGNED)
    others = {name: held for name, held in bag.items() if name != _BLOCKS}
    return with_extras(message, {DIALECT: {**others, **({_BLOCKS: kept} if kept else {})}})


def _is_readable(block: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    """Tell whether a block has text, or is encrypted by the maker of the models."""
    if "data" not in block:
        return True
    if is_redacted_by_claude(block["data"]):
        return "thinking" in facts
    return facts.get("redacted_thinking") == "own"


def _unsigned(block: Any, facts: Mapping[str, Any]) -> Any:
    """Return a block without its signature, for models other than Claude's."""
    if "thinking" in facts or "signature" not in block:
        return block
    return {name: held for name, held in block.items() if name != "signature"}


def _is_of_system_tool(data: Mapping[str, Any]) -> bool:
    """Tell whether a block is a call or a result of a tool that the provider ran."""
    return any(type(data.get(name)) is dict and "type" in data[name] for name in ("toolUse", "toolResult"))


def _with_search_results_as_text(message: Any, index: int, log: LossLog) -> Any:
    """Return a message with the texts of search results in their place; one of an unknown form is left out."""
    content: Any = message.get("content")
    if type(content) is not list or not any(map(_is_search_result, content)):
        return message
    found = [at for at, part in enumerate(content) if _is_search_result(part)]
    told = zip(found, texts_of_opaque([content[at]["data"] for at in found]), strict=True)
    texts = {at: text for at, text in told if text is not None}
    unread = [at for at in found if at not in texts]
    path = f"/messages/{index}/content"
    parts = with_texts(content, texts, path, _FOUND, log)
    for at in unread:
        log.lost("part", f"{path}/{at}", _UNTOLD)
    log.left_out(path, unread)
    return {**message, "content": [part for at, part in enumerate(parts) if at not in unread]}


def _is_search_result(part: Any) -> bool:
    is_own = part["type"] == "opaque" and part["dialect"] == DIALECT and type(part["data"]) is dict
    return is_own and "searchResult" in part["data"]
