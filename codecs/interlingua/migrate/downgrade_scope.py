"""The context of downgrade functions: the origin of a value, the open calls, and the log for losses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interlingua.migrate.pairing import OpenCalls
from interlingua.pointers import pointer

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.migrate.origin import Origin
    from interlingua.migrate.pairing import Place


@dataclass(slots=True)
class Conversation:
    """The downgrade of one list of messages: its calls so far, with their ids in the older version."""

    log: LossLog
    calls: OpenCalls = field(default_factory=OpenCalls)
    ids: dict[Place, str] = field(default_factory=dict["Place", str])


@dataclass(slots=True)
class Scope:
    """The value that a function downgrades: a message, or one call of it if `order` is not None."""

    conversation: Conversation
    origin: Origin
    index: int
    order: int | None = None

    @property
    def log(self) -> LossLog:
        """The log for losses."""
        return self.conversation.log

    def every(self, member: str) -> list[str]:
        """Return the JSON Pointers of all sources of a member."""
        return self.origin.every(member) if self.order is None else [self.at(member)]

    def at(self, member: str) -> str:
        """Return the JSON Pointer of the source of a member."""
        if self.order is None:
            return self.origin.of(member)
        return self.origin.item("tool_calls", self.order) + pointer(member)
