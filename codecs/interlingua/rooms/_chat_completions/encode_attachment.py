"""Canonical to Chat Completions: the pictures and files of results, which hold text alone there.

They stand in a message of the user's directly behind the results of the turn, each with a text that says whose they
are. Source: docs/wire/openai_chat.md, section 1.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.encode_part import encode_part, is_told
from interlingua.rooms._shared.media import ATTACHED, ATTACHMENT, MEDIA_BESIDE

if TYPE_CHECKING:
    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.rooms._shared.writing import Target

_MEDIA: Final = frozenset({"image", "audio", "file"})


def attach_media(
    result: dict[str, Any], content: list[Any], index: int, vendor: Vendor, to: Target
) -> list[dict[str, Any]]:
    """Return the parts of the user's message that the media of a result make; the result refers to them."""
    attached: list[dict[str, Any]] = []
    for at, part in enumerate(content):
        if part["type"] in _MEDIA and not is_told(part, vendor, to):
            attached.extend(encode_part(part, index, at, "user", vendor, to) or ())
    if not attached:
        return []
    to.log.changed("content", f"{to.message(index)}/content", MEDIA_BESIDE)
    if not result["content"]:
        result["content"] = ATTACHED
    return [{"type": "text", "text": ATTACHMENT.format(result["tool_call_id"])}, *attached]
