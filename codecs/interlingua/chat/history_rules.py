"""The rules for the order of messages in a history, as data: one set for 004 and one for each dialect.

Source: 004 (FR-004a-105..107), and each dialect's requirements (its descriptor).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from interlingua.registry import descriptor

if TYPE_CHECKING:
    from interlingua.registry import Dialect

__all__ = ["FREE", "ORDER_RULES", "STRICT", "HistoryRules", "OrderRule", "rules_of"]

OrderRule = Literal[
    "alternation",  # two messages of the user, or two answers, follow each other
    "answered",  # a second result for a call
    "content",  # a message that says nothing where 004 wants content
    "dangling_call",  # somebody else speaks before all calls have their results
    "duplicate_id",  # a call with the id of another one
    "first_message",  # the conversation does not begin with its system message
    "orphan_result",  # a result where no call is
    "role",  # a role that the rules do not know
    "second_system",  # a system message beside the first one
    "unasked_call",  # a call that does not directly follow the user or a result
    "unknown_call",  # a result whose id is that of no call
]
"""The code of an order rule: the `rule` of an `OrderViolation`.

Example:
    >>> from typing import get_args
    >>> set(get_args(il.chat.OrderRule)) == il.chat.ORDER_RULES
    True
"""
ORDER_RULES: Final[frozenset[str]] = frozenset(get_args(OrderRule))
"""All codes of an `OrderViolation`.

Example:
    >>> "first_message" in il.chat.ORDER_RULES
    True
"""

_CHAT_ROLES: Final = frozenset({"system", "user", "assistant", "tool"})
_ALL_ROLES: Final = _CHAT_ROLES | {"developer", "opaque"}


@dataclass(frozen=True, slots=True)
class HistoryRules:
    """The rules for the order of a history's messages. Derive a modified set with `dataclasses.replace`.

    `name`: the name of the rules.
    `roles`: the allowed roles.
    `content`: whether every message needs content, and an assistant message content or a tool call.
    `system_first`: whether a conversation must begin with a system message, and have no other one.
    `alternate`: whether user and assistant must take turns. If not, consecutive assistant messages are one answer.
    `results`: whether all results of an answer must come directly after it (`next`), `anywhere` after their call, or
    are
    not checked (`unchecked`).
    `known_calls`: whether the history must hold the call of every result. If not, a server may remember it.
    `tied_by_id`: whether a result must name its call by id. If not, a result without an id answers the first open call
    of
    its tool, else the first open call, and gets that call's id.
    `unique_ids`: whether call ids must be unique in the conversation; within one answer they always must.
    `user_before_calls`: whether an answer with calls must directly follow the user or a result.

    Example:
        >>> import dataclasses
        >>> rules = dataclasses.replace(il.chat.STRICT, name="mine", alternate=False)
        >>> story = [il.chat.create_system("You help."), il.chat.create_user("Hi"), il.chat.create_user("Anybody?")]
        >>> il.chat.check_order(story, rules)
        []
    """

    name: str
    roles: frozenset[str] = _ALL_ROLES
    content: bool = False
    system_first: bool = False
    alternate: bool = False
    results: Literal["next", "anywhere", "unchecked"] = "next"
    known_calls: bool = True
    tied_by_id: bool = True
    unique_ids: bool = False
    user_before_calls: bool = False


STRICT: Final = HistoryRules(
    "strict", roles=_CHAT_ROLES, content=True, system_first=True, alternate=True, unique_ids=True
)
"""The rules of 004.

Example:
    >>> said_twice = [il.chat.create_system("You help."), il.chat.create_user("Hi"), il.chat.create_user("Anybody?")]
    >>> [one.rule for one in il.chat.check_order(said_twice, il.chat.STRICT)]
    ['alternation']
"""

FREE: Final = HistoryRules("free", results="unchecked")
"""No order rules, for recording any conversation.

Example:
    >>> said_twice = [il.chat.create_user("Hi"), il.chat.create_user("Anybody?")]
    >>> il.chat.check_order(said_twice, il.chat.FREE)
    []
"""


def rules_of(dialect: Dialect) -> HistoryRules:
    """Return a dialect's rules for conversations, without those that depend on the single request.

    Raises `UnknownDialectError` for an unknown dialect.

    Args:
        dialect: The wire format: one of `il.dialects()`.

    Example:
        >>> il.chat.rules_of("claude").results, il.chat.rules_of("ollama").results
        ('next', 'anywhere')
    """
    described = descriptor(dialect)
    demands = described.demands
    return HistoryRules(
        dialect,
        results="anywhere" if demands.results in {"anywhere", "unpaired"} else "next",
        known_calls=not described.remembers_calls,
        tied_by_id=False,
        unique_ids=demands.distinct_ids == "conversation",
        user_before_calls=demands.user_before_calls,
    )
