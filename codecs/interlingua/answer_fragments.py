"""Joins answers that a client stored as stream fragments, one message for each.

Google's official client stores streamed answers this way in its chats. Gemini reads the fragments as one answer; other
providers would see a paragraph break in the middle of a word, or a message for each fragment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

__all__ = ["join_fragments", "with_fragments_joined"]

_SAID: Final = ("content", "reasoning")  # what may continue in the next message


def join_fragments(request: ChatRequest, dialect: str, log: LossLog) -> ChatRequest:
    """Return a request in which messages whose text continues in the next one are joined.

    `dialect` is that of the request. Nothing is lost; the log is told of the joined messages, so that its paths stay
    right.
    """
    messages, joined = with_fragments_joined(request["messages"], dialect)
    if not joined:
        return request
    log.left_out("/messages", joined)
    return cast("ChatRequest", {**request, "messages": messages})


def with_fragments_joined(messages: Sequence[Any], dialect: str) -> tuple[list[Any], list[int]]:
    """Return messages with each fragment appended to the text that it continues, and the indexes of the fragments."""
    kept: list[Any] = []
    joined: list[int] = []
    for index, message in enumerate(messages):
        one = _appended(kept[-1], message, dialect) if kept and _may_continue(message, dialect) else None
        if one is None:
            kept.append(message)
        else:
            kept[-1] = one
            joined.append(index)
    return kept, joined


def _may_continue(message: Any, dialect: str) -> bool:
    """Tell whether a message may continue the one before it: it is an assistant message of a single text."""
    if message["role"] != "assistant" or "extra" not in message or message["extra"].keys() != {dialect}:
        return False
    bag = message["extra"][dialect]
    return bag.keys() == {"spelling"} and bag["spelling"].get("turn") == "new" and _text_of(message) is not None


def _text_of(message: Any) -> tuple[str, str] | None:
    """Return the name and value of a message's only text member; None if it holds anything else."""
    members = message.keys() - {"role", "extra"}
    name = next(iter(members)) if len(members) == 1 else ""
    return (name, message[name]) if name in _SAID and type(message[name]) is str else None


def _appended(before: Any, message: Any, dialect: str) -> Any:
    """Return a message with the text of the next one appended; None if the next one does not continue it."""
    name, text = cast("tuple[str, str]", _text_of(message))
    if before["role"] != "assistant":
        return None
    if not text:
        return before
    last = next((member for member in ("tool_calls", "refusal", *_SAID) if member in before), None)
    own = before.get("extra", {}).get(dialect, {})
    if last != name or type(before[name]) is not str or not own.keys() <= {"spelling"}:
        return None
    return {**before, name: before[name] + text}
