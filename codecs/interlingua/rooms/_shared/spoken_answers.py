"""Send spoken answers of the assistant as text: no provider accepts another provider's audio in a history.

Source: docs/dialects/openai_chat.md; docs/laws.md, law 12.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.writing import PARAGRAPH_BREAK
from interlingua.spi.extra import own_extra

if TYPE_CHECKING:
    from interlingua.loss import LossLog

_SAID: Final = "what was spoken is sent as text: its transcript"


def with_transcripts_as_text(messages: list[Any], dialect: str, log: LossLog) -> list[Any]:
    """Return messages with transcripts in place of spoken answers of other dialects."""
    return [_with_transcripts(message, f"/messages/{at}/content", dialect, log) for at, message in enumerate(messages)]


def _with_transcripts(message: Any, path: str, dialect: str, log: LossLog) -> Any:
    content: Any = message.get("content") if message["role"] == "assistant" else None
    if type(content) is not list:
        return message
    parts: list[Any] = []
    for at, part in enumerate(content):
        if part["type"] == "audio" and part.get("transcript") and not own_extra(part, dialect):
            log.changed("part", f"{path}/{at}", _SAID)
            follows_text = bool(parts) and parts[-1]["type"] == "text"
            parts.append({"type": "text", "text": PARAGRAPH_BREAK * follows_text + part["transcript"]})
        else:
            parts.append(part)
    return {**message, "content": parts}
