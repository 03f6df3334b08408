"""Writes Gemini's parts of tools that the provider ran as text for other dialects: calls and results.

Source: docs/wire/gemini.md, section 1.2; docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.tool_texts import called, outcome
from interlingua.rooms.gemini.mapping import write_json
from interlingua.spi.opaque_text import OpaqueText

if TYPE_CHECKING:
    from collections.abc import Sequence

# Markup that clients must show beside a search: HTML with nothing but the queries.
_MARKUP: Final = frozenset({"search_suggestions", "searchSuggestions"})
_SIGNATURES: Final = ("thoughtSignature", "thought_signature")


def texts_of_opaque(parts: Sequence[Any]) -> list[OpaqueText | None]:
    """Return the texts of opaque parts, None for those of which nothing can be read."""
    return [_text_of(part) if type(part) is dict else None for part in parts]


def _text_of(part: dict[str, Any]) -> OpaqueText | None:
    call = part.get("toolCall", part.get("tool_call"))
    result = part.get("toolResponse", part.get("tool_response"))
    text = None
    if type(call) is dict:
        kind = call.get("toolType", call.get("tool_type"))
        text = called(kind, call.get("args") or {}) if type(kind) is str else None
    elif type(result) is dict and type(result.get("response")) is dict:
        said = {name: value for name, value in result["response"].items() if name not in _MARKUP}
        written = write_json(said) if said else None
        text = None if written is None else outcome(written)
    if text is None:
        return None
    return OpaqueText(text, omits="state" if any(map(part.get, _SIGNATURES)) else None)
