"""What is wrong with a history, a transcript, or what of them is told to a model."""

from __future__ import annotations

from typing import Literal

from interlingua.errors.base import InterlinguaError

__all__ = ["ClockError", "ContextBudgetError", "ConversationOrderError", "TranscriptError", "UnresolvedMessageError"]


class ConversationOrderError(InterlinguaError, ValueError):
    """A message may not stand where it was to be added to a history (004's InvalidOperationException).

    `rule` is the code of the broken rule (`interlingua.chat.ORDER_RULES`), `index` the place that the message was to
    take, from 0, `role` who speaks in it, `detail` says what the rule wants. The history is as it was.

    Example:
        >>> history = il.ConversationHistory()
        >>> try:
        ...     history.add(il.chat.create_assistant("Hello"))
        ... except il.ConversationOrderError as error:
        ...     print(error.rule, error.index, error.role)
        first_message 0 assistant
    """

    def __init__(self, rule: str, index: int, role: str, detail: str) -> None:
        self.rule = rule
        self.index = index
        self.role = role
        self.detail = detail
        super().__init__(f"message {index} ({role}): {detail}")


class TranscriptError(InterlinguaError, ValueError):
    """A transcript cannot do what was asked: `code` says why, `name` is the branch or the id that it is about.

    `unknown_branch`, `unknown_id`: there is none of that name. `duplicate_branch`, `duplicate_id`: there is one.
    `empty_name`: a branch or a message wants a name. `unknown_message`: a message that nobody understands is never
    rewritten. `bad_branch`: what was stored of a branch does not fit the others. `bad_count`: so many changes are not
    there.

    Example:
        >>> try:
        ...     il.Transcript().switch("other")
        ... except il.TranscriptError as error:
        ...     print(error.code, error.name)
        unknown_branch other
    """

    def __init__(
        self,
        code: Literal[
            "unknown_branch",
            "unknown_id",
            "duplicate_branch",
            "duplicate_id",
            "empty_name",
            "unknown_message",
            "bad_branch",
            "bad_count",
        ],
        name: str,
    ) -> None:
        self.code = code
        self.name = name
        super().__init__(f"the transcript refuses {name[:64]!r}: {code.replace('_', ' ')}")


class UnresolvedMessageError(InterlinguaError, ValueError):
    """A file or picture has not been read yet, so a model cannot be told of it: resolve it first.

    `index` is its place in the list, `message_id` its id where it has one, `type` the tag of the message.

    Example:
        >>> try:
        ...     il.to_chat([il.messages.file("src/main.py")])
        ... except il.UnresolvedMessageError as error:
        ...     print(error.index, error.type)
        0 file_reference
    """

    def __init__(self, index: int, message_id: str | None, type: str) -> None:  # noqa: A002
        self.index = index
        self.message_id = message_id
        self.type = type
        super().__init__(f"message {index} ({type}) has not been resolved")


class ContextBudgetError(InterlinguaError, ValueError):
    """What must stay in the context is more than the budget: `needed` tokens, and `budget` tokens are allowed.

    Example:
        >>> try:
        ...     il.context.select([il.messages.user("What is the weather?")], 3, il.context.HeuristicCounter())
        ... except il.ContextBudgetError as error:
        ...     print(error.needed, error.budget)
        12 3
    """

    def __init__(self, needed: int, budget: int) -> None:
        self.needed = needed
        self.budget = budget
        super().__init__(f"the messages that must stay need {needed} tokens, but the budget is {budget}")


class ClockError(InterlinguaError, ValueError):
    """A clock that was given does not say of which time zone it is: a stored moment would be any of 26 hours.

    Example:
        >>> from datetime import datetime
        >>> story = il.Transcript(now=lambda: datetime(2026, 1, 1))
        >>> request = il.messages.tool_request(il.ToolCall.create("weather", {}, "call_1"))
        >>> try:
        ...     il.tools.approve(request, "call_1", decided_by="Ada", now=lambda: datetime(2026, 1, 1))
        ... except il.ClockError as error:
        ...     print(error)
        the clock must return datetimes with a time zone
    """

    def __init__(self) -> None:
        super().__init__("the clock must return datetimes with a time zone")
