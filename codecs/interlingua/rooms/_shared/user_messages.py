"""Add or convert user messages: many providers want a conversation to have one, or to begin or end with one.

Other providers accept instructions alone, a conversation that begins with the assistant (after a greeting, or when
older messages were cut off), and a prefilled answer that the model continues.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.claude_results import is_paused
from interlingua.rooms._shared.instructions import leading_instructions
from interlingua.rooms._shared.writing import INSTRUCTIONS
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

__all__ = [
    "ANSWERED", "BEGUN", "CONTINUE_TEXT", "OPENING", "append_user_message", "insert_required_user_message",
    "insert_user_message", "with_last_instruction_as_user", "with_required_user_message",
]  # fmt: skip

OPENING: Final = "(The conversation begins with the answer that follows.)"
"""The user message put before an answer, or before calls, that may not come first."""

CONTINUE_TEXT: Final = "Continue."
"""The user message put behind a prefilled answer that the model does not continue."""

ANSWERED: Final = "Done."
"""The assistant message put between tool results and a user message that may not follow them directly."""

_ANSWERS: Final = frozenset({"assistant", "model"})
_ASKED: Final = "a request of only instructions is refused: the last one is sent as a user message"
BEGUN: Final = "the first message may not be the assistant's: a user message was put before it"


def with_last_instruction_as_user(
    messages: list[Any], dialect: str, log: LossLog, *, allows_blank: bool = False
) -> list[Any]:
    """Return messages in which the last instruction is a user message, if there is nothing but instructions.

    `allows_blank`: the dialect accepts a text that is only white space. Changes are reported to the log.
    """
    for message in messages:
        if message["role"] not in INSTRUCTIONS and _has_content(message, dialect, allows_blank):
            return messages  # nearly always
    said = [at for at, message in enumerate(messages) if _has_content(message, dialect, allows_blank)]
    if not said:
        return messages
    last = said[-1]
    log.changed("role", f"/messages/{last}/role", _ASKED)
    return [*messages[:last], {**messages[last], "role": "user"}, *messages[last + 1 :]]


def with_required_user_message(
    request: ChatRequest, dialect: str, facts: Mapping[str, Any], log: LossLog
) -> ChatRequest:
    """Return a request with its last instruction as a user message, if the chat template needs one and it has none."""
    if facts.get("user_query") != "require" or _has_user_message(request["messages"]):
        return request
    asked: Any = {**request, "messages": with_last_instruction_as_user(request["messages"], dialect, log)}
    return cast("ChatRequest", asked)


def insert_required_user_message(written: list[Any], facts: Mapping[str, Any], log: LossLog) -> None:
    """Insert a user message into encoded messages that have none, if the chat template needs one."""
    if facts.get("user_query") == "require" and written and not _has_user_message(written):
        insert_user_message(written, {"role": "user", "content": OPENING}, log)


def _has_user_message(messages: Sequence[Any]) -> bool:
    return any(message.get("role") == "user" for message in messages)


def _has_content(message: Any, dialect: str, allows_blank: bool) -> bool:
    """Tell whether a message has any content, so that it is written."""
    content: Any = message.get("content")
    if type(content) is str and (content if allows_blank else content.strip()):
        return True  # nearly always
    role = message["role"]
    if role == "opaque":
        return bool(message["dialect"] == dialect)
    if role == "tool" or any(message.get(name) for name in ("tool_calls", "refusal", "reasoning")):
        return True
    if dialect in message.get("extra", NOTHING):
        return True
    parts: Any = () if type(content) is str else content or ()
    return any(part["type"] != "text" or (part["text"] if allows_blank else part["text"].strip()) for part in parts)


def append_user_message(written: list[Any], question: dict[str, Any], path: str, log: LossLog) -> None:
    """Append a user message that asks to continue, if the last encoded message is a prefilled answer."""
    last = written[-1] if written else NOTHING
    content: Any = last.get("content", last.get("parts"))
    if (
        last.get("role") not in _ANSWERS
        or (type(content) is list and any(map(_is_call, content)))
        or is_paused(content)
    ):
        return
    written.append(question)
    log.filled(path, "these models do not continue an answer: a user message that asks them to go on was added")


def _is_call(block: Any) -> bool:
    return type(block) is dict and ("toolUse" in block or "functionCall" in block or block.get("type") == "tool_use")


def insert_user_message(written: list[Any], question: dict[str, Any], log: LossLog) -> None:
    """Insert a user message before the encoded messages, behind leading instructions."""
    written.insert(leading_instructions(written), question)
    log.changed("message", "/messages", BEGUN)
