"""Writes blocks of tools that the provider ran as text for other dialects: calls and results.

Source: docs/wire/bedrock_converse.md, section 1.2; docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.tool_texts import called, outcome
from interlingua.spi.opaque_text import OpaqueText

if TYPE_CHECKING:
    from collections.abc import Sequence

_HIDDEN: Final = "[HIDDEN]"  # what Bedrock puts in the place of what a search has found


def texts_of_opaque(blocks: Sequence[Any]) -> list[OpaqueText | None]:
    """Return the texts of opaque blocks, None for those of which nothing can be read."""
    return [_text_of(block) if type(block) is dict else None for block in blocks]


def _text_of(block: dict[str, Any]) -> OpaqueText | None:
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
