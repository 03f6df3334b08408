"""Which call a result answers: by its id, else by its name, else by order, among the calls of the turn still open."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.model_shapes import ChatMessage, ToolChatMessage


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that a result answers: its id, its own or the one that its place gives it, and the name of its tool."""

    id: str
    name: str


class Pairing:
    """Follows a conversation from its beginning, message by message, in time linear in its length."""

    def __init__(self) -> None:
        self._all: dict[str, Asked] = {}
        # Ordered: the first one still open is found at once, however many before it have been answered.
        self._open: OrderedDict[str, Asked] = OrderedDict()
        self._named: dict[str, OrderedDict[str, Asked]] = {}
        self._answering = False

    def follow(self, message: ChatMessage, index: int) -> Asked | None:
        """Take the next message; return the call that it answers, if it is a result and there is one."""
        if message["role"] == "tool":
            self._answering = True
            return self._answered(message)
        if message["role"] == "opaque":  # nobody here knows what it does
            return None
        if message["role"] != "assistant" or self._answering:
            self._open.clear()
            self._named.clear()
            self._answering = False
        if message["role"] == "assistant":
            for at, call in enumerate(message.get("tool_calls", ())):
                asked = Asked(call.get("id", f"call_{index}_{at}"), call["name"])
                self._all[asked.id] = self._open[asked.id] = asked
                self._named.setdefault(asked.name, OrderedDict())[asked.id] = asked
        return None

    def _answered(self, message: ToolChatMessage) -> Asked | None:
        identifier = message.get("call_id", message.get("id"))
        if identifier is not None:
            self._close(self._open.get(identifier))
            return self._all.get(identifier)
        asked = next(iter(self._named.get(message.get("name", ""), self._open).values()), None)
        if asked is None:  # all of that name are answered
            asked = next(iter(self._open.values()), None)
        self._close(asked)
        return asked

    def _close(self, asked: Asked | None) -> None:
        if asked is not None:
            self._open.pop(asked.id, None)
            self._named[asked.name].pop(asked.id, None)


class Answered:
    """Which calls the results of a conversation answer that do not say so; worked out when the first of them asks."""

    __slots__ = ("_asked", "_messages")

    def __init__(self, messages: Sequence[ChatMessage]) -> None:
        self._messages = messages
        self._asked: list[Asked | None] | None = None

    def by(self, index: int) -> Asked | None:
        """Return the call that the result at `index` answers, or None where none is open."""
        if self._asked is None:
            pairing = Pairing()
            self._asked = [pairing.follow(message, place) for place, message in enumerate(self._messages)]
        return self._asked[index]
