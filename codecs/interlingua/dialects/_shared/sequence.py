"""Events of any source in the order of dialects that have one block open at a time.

Sources may leave blocks open, or write several at once (parallel calls of Chat Completions). What comes out is strictly
sequential: each block opens once, ends once, and nothing of another block stands between. Texts and reasoning end where
the next block opens, so that they stream; the events of a call wait until the one that is open has ended.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final, TypeAlias

Event: TypeAlias = "dict[str, Any]"
# An event and its number in the stream, which is where losses lead.
Numbered: TypeAlias = tuple[int, Event]

_RUNNING: Final = frozenset({"content", "reasoning", "refusal"})
_OPENING: Final = frozenset({"content", "reasoning", "refusal", "tool_call_start", "part", "state", "citation"})


class Sequence:
    """Puts the events of blocks in sequence; events without a block pass."""

    __slots__ = ("_kind", "_waiting", "current")

    def __init__(self) -> None:
        self.current: int | None = None  # the open block
        self._kind = ""
        self._waiting: dict[int, deque[Numbered]] = {}

    def feed(self, number: int, event: Event) -> list[Numbered]:
        """Return the events that may be written now."""
        block = event.get("block")
        if block is None:
            return [(number, event)]
        if block == self.current:
            return [(number, event), *self._next()] if self._closes(event) else [(number, event)]
        if block in self._waiting:
            self._waiting[block].append((number, event))
            return []
        if event["type"] not in _OPENING:  # it ends, or adds to, a block that is not open
            return [] if event["type"] == "block_end" else [(number, event)]
        if self.current is not None and self._kind not in _RUNNING:
            self._waiting[block] = deque([(number, event)])
            return []
        closed = [] if self.current is None else self._end(number)
        self._open(event)
        return [*closed, (number, event)]

    def close(self, number: int) -> list[Numbered]:
        """Return what has been waiting, and the ends of all blocks: the stream is over."""
        out: list[Numbered] = []
        while self.current is not None:
            out.extend(self._end(number))
            out.extend(self._next())
        return out

    def _open(self, event: Event) -> None:
        self.current = event["block"]
        self._kind = event["type"]

    def _end(self, number: int) -> list[Numbered]:
        ended: Event = {"type": "block_end", "block": self.current}
        self.current = None
        return [(number, ended)]

    def _closes(self, event: Event) -> bool:
        if event["type"] != "block_end":
            return False
        self.current = None
        return True

    def _next(self) -> list[Numbered]:
        """Return the events of the next waiting blocks, as far as they go."""
        out: list[Numbered] = []
        while self.current is None and self._waiting:
            block = next(iter(self._waiting))
            events = self._waiting.pop(block)
            self._open(events[0][1])
            for number, event in events:
                out.append((number, event))
                self._closes(event)
        return out
