"""Which order of messages a history takes: rules as data, one set for 004 and one for each dialect.

Source: 004 (FR-004a-105..107), and what each dialect demands of a conversation (its descriptor).
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
"""The code of a rule of order, as an `OrderViolation` names it.

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
    """What a history demands of the order of its messages. `dataclasses.replace` makes another set of them.

    `name` says which rules these are.
    `roles`: who may speak.
    `content`: whether every message must say something, and an answer say something or call a tool.
    `system_first`: whether a conversation begins with a system message, and has no other one.
    `alternate`: whether the user and the assistant take turns. Where not, messages of the assistant that follow each
        other are one answer.
    `results`: whether the results of an answer come directly after it, all of them, `anywhere` after their call, or
        are not looked at (`unchecked`).
    `known_calls`: whether the history holds the call of every result. Where not, a server remembers some.
    `tied_by_id`: whether a result must name its call by id. Where not, one without an id is that of the first open call
        of its tool, else of the first open call; it gets the id of that call.
    `unique_ids`: whether no two calls of a conversation may have the same id; two calls of one answer never may.
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
"""No order at all: a record of what was said, whatever it was.

Example:
    >>> said_twice = [il.chat.create_user("Hi"), il.chat.create_user("Anybody?")]
    >>> il.chat.check_order(said_twice, il.chat.FREE)
    []
"""


def rules_of(dialect: Dialect) -> HistoryRules:
    """Return the rules of a dialect: what real conversations in it hold. What only one request can tell is left out.

    Raises `UnknownDialectError` for an unknown dialect.

    Args:
        dialect: Whose format it is, or shall be: one of `il.dialects()`.

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
