"""Writes blocks that only Bedrock has as text for other dialects: search results, and calls and results of its tools.

Source: docs/wire/bedrock_converse.md, section 1.2; docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.claude_documents import search_result_for_claude
from interlingua.rooms._shared.media import heading
from interlingua.rooms._shared.tool_texts import called, outcome
from interlingua.rooms.bedrock_converse.tables import DIALECT
from interlingua.spi.opaque_text import OpaqueText

if TYPE_CHECKING:
    from collections.abc import Sequence

_HIDDEN: Final = "[HIDDEN]"  # what Bedrock puts in the place of what a search has found


def texts_of_opaque(blocks: Sequence[Any]) -> list[OpaqueText | None]:
    """Return the texts of opaque blocks, None for those of which nothing can be read."""
    return [_text_of(block) if type(block) is dict else None for block in blocks]


def _text_of(block: dict[str, Any]) -> OpaqueText | None:
    if "searchResult" in block:
        return _text_of_search_result(block)
    call, result = block.get("toolUse"), block.get("toolResult")
    if type(call) is dict and "type" in call and type(call.get("name")) is str:
        text = called(call["name"], call.get("input"))
        return None if text is None else OpaqueText(text)
    if type(result) is not dict or "type" not in result or type(result.get("content")) is not list:
        return None
    said = [one["text"] for one in result["content"] if type(one) is dict and type(one.get("text")) is str]
    if not said or said == [_HIDDEN]:
        return None
    is_error = result.get("status") == "error"
    return OpaqueText(
        outcome("\n".join(said), is_error=is_error), omits="content" if len(said) < len(result["content"]) else None
    )


def _text_of_search_result(block: dict[str, Any]) -> OpaqueText | None:
    """Return the texts of a search result below its title and source; Claude reads the block itself."""
    found = search_result_for_claude({"dialect": DIALECT, "data": block})
    if found is None:
        return None
    text = heading(found) + "\n\n".join(part["text"] for part in found["content"])
    is_cited = block["searchResult"].get("citations") == {"enabled": True}
    return OpaqueText(text, omits="details" if is_cited else None, read_by="claude") if text else None
