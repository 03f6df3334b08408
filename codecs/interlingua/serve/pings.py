"""Pings: what a stream sends while its provider is silent, so that no client or proxy times out.

| dialect | ping | | --- | --- | | claude | its own: the event `ping` | | openai_chat, vllm | a chunk with an empty
delta, under the id of those before it; before the first one, a comment | | openai_responses | a comment: events are
numbered, and none is empty | | gemini | a candidate with an empty text: its official client does not accept comments |
| ollama | a line with an empty message |

Comments are the standard way in server-sent events: clients ignore them. Each form is tested with the official client
of its dialect (tests/serve).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from interlingua.frames import Frame, FrameEncoder

__all__ = ["Pings", "only_opens"]

_COMMENT: Final = b": ping\n\n"
_OPENING: Final = frozenset({"message_start", "response.created", "response.in_progress", "response.queued"})
_KEPT: Final = ("id", "object", "created", "model", "system_fingerprint")  # members that all chunks of a response share


def only_opens(frame: Frame, dialect: str) -> bool:
    """Tell whether a frame only opens a stream, without content."""
    if not isinstance(frame, dict):
        return False
    if dialect not in {"openai_chat", "vllm"}:
        return frame.get("type") in _OPENING
    choices: list[Any] = frame.get("choices") or []
    deltas = [{**choice["delta"], "role": None, "end": choice.get("finish_reason")} for choice in choices]
    return bool(deltas) and not any(value for delta in deltas for value in delta.values())


class Pings:
    """Makes the pings of one stream; `encoder` writes its frames, `model` is the client's model name."""

    def __init__(self, dialect: str, encoder: FrameEncoder, model: str) -> None:
        self._dialect = dialect
        self._encoder = encoder
        self._model = model
        self._last: dict[str, Any] | None = None

    def saw(self, frame: Frame) -> None:
        """Record a frame that was written."""
        if isinstance(frame, dict):
            self._last = frame

    def ping(self) -> bytes:
        """Return the bytes of a ping."""
        frame = self._frame()
        return _COMMENT if frame is None else self._encoder.feed(frame)

    def _frame(self) -> dict[str, Any] | None:
        match self._dialect:
            case "claude":
                return {"type": "ping"}
            case "gemini":
                return {"candidates": [{"content": {"role": "model", "parts": [{"text": ""}]}, "index": 0}]}
            case "ollama":
                last = self._last or {"model": self._model, "created_at": datetime.now(UTC).isoformat()}
                empty = {"role": "assistant", "content": ""}
                return {"model": last["model"], "created_at": last["created_at"], "message": empty, "done": False}
            case "openai_chat" | "vllm":
                return self._empty_chunk()
            case _:
                return None

    def _empty_chunk(self) -> dict[str, Any] | None:
        """Return an empty chunk, once a response has begun."""
        last = self._last or {}
        if not any(choice.get("finish_reason") is None for choice in last.get("choices", ())):
            return None
        kept: dict[str, Any] = {name: last[name] for name in _KEPT if name in last}
        return {**kept, "choices": [{"index": 0, "delta": {}, "finish_reason": None}]}
