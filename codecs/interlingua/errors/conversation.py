"""Errors of histories, transcripts and context selection."""

from __future__ import annotations

from typing import Literal

from interlingua.errors.base import InterlinguaError

__all__ = ["ClockError", "ContextBudgetError", "ConversationOrderError", "TranscriptError", "UnresolvedMessageError"]


class ConversationOrderError(InterlinguaError, ValueError):
    """A message was added to a history where the rules do not allow it (004's InvalidOperationException).

    `rule` is the code of the violated rule (`interlingua.chat.ORDER_RULES`), `index` the intended position of the
    message, from 0, `role` its role, `detail` what the rule requires. The history is unchanged.

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
    """A transcript operation failed: `code` says why, `name` is the branch or message id concerned.

    `unknown_branch`, `unknown_id`: there is none of that name. `duplicate_branch`, `duplicate_id`: there is one
    already. `empty_name`: a branch or a message needs a name. `unknown_message`: a message of an unknown type is never
    rewritten. `bad_branch`: a stored branch does not fit the others. `bad_count`: there are not as many changes.

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
    """A file or image has not been resolved yet, so it cannot be sent to a model.

    `index` is its index in the list, `message_id` its id or None, `type` the type of the message.

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
    """The messages that must stay in the context exceed the budget: they need `needed` tokens of `budget`.

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
