"""Send spoken answers of the assistant as text.

No provider accepts another provider's audio in a history, and few dialects have audio in an answer.

Source: docs/dialects/openai_chat.md; docs/laws.md, law 12.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.writing import PARAGRAPH_BREAK
from interlingua.spi.extra import own_extra

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import LossLog

_SAID: Final = "what was spoken is sent as text: its transcript"


def with_transcripts_as_text(messages: Sequence[Any], dialect: str, log: LossLog, path: str = "") -> list[Any]:
    """Return messages with transcripts in place of spoken answers of other dialects. `path`: what has the messages."""
    return [
        _with_transcripts(message, f"{path}/messages/{at}/content", dialect, log) for at, message in enumerate(messages)
    ]


def answer_with_transcripts(response: Mapping[str, Any], dialect: str, log: LossLog) -> dict[str, Any]:
    """Return a response with transcripts in place of spoken answers."""
    out = {**response, "messages": with_transcripts_as_text(response["messages"], dialect, log)}
    if "alternatives" in response:
        out["alternatives"] = [
            {**answer, "messages": with_transcripts_as_text(answer["messages"], dialect, log, f"/alternatives/{at}")}
            for at, answer in enumerate(response["alternatives"])
        ]
    return out


def is_spoken(event: Mapping[str, Any]) -> bool:
    """Tell whether an event of a part has a spoken answer with its transcript."""
    return bool(event["part"]["type"] == "audio" and event["part"].get("transcript"))


def event_with_transcript(event: Mapping[str, Any], path: str, log: LossLog) -> dict[str, Any]:
    """Return the event of a text for that of a spoken answer; `path` is the part's."""
    log.changed("part", path, _SAID)
    others = {name: held for name, held in event.items() if name not in {"part", "extra"}}
    return {**others, "type": "content", "text": event["part"]["transcript"]}


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
