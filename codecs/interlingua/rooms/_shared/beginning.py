"""Who begins a conversation: many providers refuse one that the user does not begin, or in which nobody asks.

Other ones take instructions alone, and what an answer begins: after a greeting, or when older messages were cut off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.writing import Target

__all__ = ["BEGUN", "OPENING", "begin_with_the_user", "with_somebody_asking"]

OPENING: Final = "(The conversation begins with the answer that follows.)"
"""The text of the user's message that stands before an answer, or before calls, that may not come first."""

_INSTRUCTIONS: Final = frozenset({"system", "developer"})
_ASKED: Final = "a request of instructions alone is refused: the user says the last one"
BEGUN: Final = "the assistant may not begin: a message of the user in front asks it to"


def with_somebody_asking(messages: list[Any], to: Target, *, blank_is_said: bool = False) -> list[Any]:
    """Return messages for another dialect in which the user says the last instruction where nobody else says anything.

    `blank_is_said`: the dialect takes a text of white space alone. What is changed is noted in the log.
    """
    last = _last_of_instructions_alone(messages, to.dialect, blank_is_said=blank_is_said)
    if last is None:
        return messages
    to.log.changed("role", f"{to.message(last)}/role", _ASKED)
    return [*messages[:last], {**messages[last], "role": "user"}, *messages[last + 1 :]]


def _last_of_instructions_alone(messages: Sequence[Any], dialect: str, *, blank_is_said: bool) -> int | None:
    last = None
    for at, message in enumerate(messages):
        if message["role"] in _INSTRUCTIONS:
            if _says_anything(message, dialect, blank_is_said=blank_is_said):
                last = at
        elif _says_anything(message, dialect, blank_is_said=blank_is_said):
            return None
    return last


def _says_anything(message: Any, dialect: str, *, blank_is_said: bool) -> bool:
    """Tell whether a message is written, since it says anything."""
    role = message["role"]
    if role == "opaque":
        return bool(message["dialect"] == dialect)
    if role == "tool" or any(message.get(name) for name in ("tool_calls", "refusal", "reasoning")):
        return True
    if dialect in message.get("extra", NOTHING):
        return True
    content: Any = message.get("content") or ()
    texts: list[str] = [content]
    if type(content) is not str:
        texts = [part["text"] for part in content if part["type"] == "text"]
        if len(texts) < len(content):
            return True
    return any(text if blank_is_said else text.strip() for text in texts)


def begin_with_the_user(written: list[Any], question: dict[str, Any], log: LossLog) -> None:
    """Put a message of the user in front of the messages that are written."""
    written.insert(0, question)
    log.changed("message", "/messages", BEGUN)
