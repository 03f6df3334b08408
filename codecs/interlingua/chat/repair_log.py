"""The report of a repair: `Repair`, its closed list of codes, and the log that collects repairs.

A repair never repeats content. Its path leads into the given request, to what was repaired, or, for an insertion, to
what made it necessary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

__all__ = ["REPAIR_CODES", "Repair", "RepairAction", "RepairCode", "RepairLog"]

RepairCode = Literal[
    "duplicate_id",  # a call with the id of an earlier call
    "duplicate_result",  # a second result of a call
    "empty_message",  # an empty message
    "empty_result",  # the result of a failed call without content
    "empty_text",  # a text that is empty or only white space
    "first_message",  # an answer or calls at the beginning, where the provider does not allow them
    "half_character",  # half a surrogate pair, which JSON cannot hold
    "id",  # an id that the provider does not accept
    "misplaced_instruction",  # an instruction that is neither between a user message and an answer nor last
    "misplaced_result",  # a tool result that is not where the provider expects it
    "missing_id",  # a call or a result without the id that connects the two
    "missing_name",  # a result without the name of its tool
    "name",  # a name that the provider does not accept
    "orphan_reasoning",  # reasoning without what it led to
    "orphan_result",  # a result without its call
    "reasoning_setting",  # reasoning that is requested where the open turn has none
    "split_results",  # tool results of one turn in several wire messages
    "split_turn",  # an answer with calls in a separate wire message after another answer
    "trailing_space",  # white space at the end of a last message of the assistant
    "unanswered_call",  # a call without its result
    "unsigned_reasoning",  # reasoning without the signature that its provider requires
]
"""The code of a repair: what was wrong. docs/repair.md explains each.

Example:
    >>> from typing import get_args
    >>> set(get_args(il.chat.RepairCode)) == il.chat.REPAIR_CODES
    True
"""
RepairAction = Literal["changed", "dropped", "inserted", "merged", "moved", "renamed", "trimmed"]
"""What a repair did at its path.

Example:
    >>> from typing import get_args
    >>> get_args(il.chat.RepairAction)
    ('changed', 'dropped', 'inserted', 'merged', 'moved', 'renamed', 'trimmed')
"""
REPAIR_CODES: Final[frozenset[str]] = frozenset(get_args(RepairCode))
"""All codes of a `Repair`; docs/repair.md explains each.

Example:
    >>> "orphan_result" in il.chat.REPAIR_CODES
    True
"""


@dataclass(frozen=True, slots=True)
class Repair:
    """One repair.

    `code` is one of `REPAIR_CODES`. `path` is a JSON Pointer into the given request. `detail` is a short explanation
    for people. `action` says what was done there.

    Example:
        >>> request = il.ChatRequest(messages=(il.chat.create_user("Hi"), il.chat.create_tool_result("call_1", "31")))
        >>> [(one.code, one.path, one.action) for one in il.repair_request(request, "claude").repairs]
        [('orphan_result', '/messages/1', 'dropped')]
    """

    code: RepairCode
    path: str
    detail: str
    action: RepairAction


class RepairLog:
    """Collects the repairs of one request, in order."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: dict[Repair, None] = {}

    def note(self, code: RepairCode, action: RepairAction, path: str, detail: str) -> None:
        """Log a repair, unless the same one is already logged."""
        self._made.setdefault(Repair(code, path, detail, action))

    def repairs(self) -> tuple[Repair, ...]:
        """Return the repairs so far."""
        return tuple(self._made)
