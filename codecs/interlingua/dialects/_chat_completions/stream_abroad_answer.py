"""One answer that is written abroad: its texts joined as those of a whole answer are, its calls, its sources."""

from __future__ import annotations

from json import dumps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.stream import Event

# A step back in rank begins the next message (DESIGN section 2, order); messages of one answer are joined to one here.
_RANKS: Final[Mapping[str, int]] = MappingProxyType({"reasoning": 0, "content": 1, "refusal": 2, "tool_call_start": 3})
_GAP: Final = "\n\n"


class Call:
    """A call that is being written: its index, where it began, and its arguments so far.

    `enclosed`: free text stands inside an object, since the dialect has no free text.
    """

    __slots__ = ("custom", "enclosed", "held", "index", "number", "pieces")

    def __init__(self, index: int, number: int, custom: bool) -> None:
        self.index = index
        self.number = number
        self.custom = custom
        self.enclosed = False
        self.held = "function"
        self.pieces: list[str] = []

    @property
    def member(self) -> str:
        """The name of the member that holds the arguments."""
        return "input" if self.held == "custom" else "arguments"

    def piece(self, text: str) -> str:
        """Return what is written for a piece of the arguments."""
        opening = '{"input":"' if self.enclosed and not any(self.pieces) else ""
        self.pieces.append(text)
        return opening + dumps(text, ensure_ascii=False)[1:-1] if self.enclosed else text

    def ending(self) -> str:
        """Return what closes the object that free text stands in."""
        return '"}' if any(self.pieces) else '{"input":""}'

    def fragment(self, text: str) -> dict[str, Any]:
        """Return the delta that holds a piece of the arguments."""
        return {"tool_calls": [{"index": self.index, self.held: {self.member: text}}]}


class Answer:
    """One answer: which it is, how far it has come, and what it holds back until its blocks end."""

    def __init__(self, which: int) -> None:
        self.which = which
        self.called = 0
        self.calls: dict[int, Call] = {}
        self.citations: list[tuple[int, Event]] = []
        self.spans: dict[int, tuple[int, int]] = {}
        self.length = 0
        self.finish: tuple[int, Event] | None = None
        self.silenced: set[int] = set()  # blocks of reasoning that have no place here
        self._rank = -1
        self._begun: set[int] = set()
        self._message = 0
        self._last: dict[str, tuple[int, int]] = {}  # kind of text -> message and block that said it last

    def begin(self, kind: str, block: int) -> None:
        """Take note that a block begins; a step back in rank begins the next message."""
        if block in self._begun:
            return
        self._begun.add(block)
        if _RANKS[kind] < self._rank:
            self._message += 1
        self._rank = _RANKS[kind]

    def say(self, kind: str, block: int, text: str) -> str:
        """Return what is written for a piece of text: messages, and thoughts, have a blank line between them."""
        self.begin(kind, block)
        before = self._last.get(kind)
        self._last[kind] = (self._message, block)
        parted = before is not None and (before[0] != self._message or (kind == "reasoning" and before[1] != block))
        if parted:
            text = _GAP + text
        if kind == "content":
            start = self.spans[block][0] if block in self.spans else self.length + (len(_GAP) if parted else 0)
            self.length += len(text)
            self.spans[block] = (start, self.length)
        return text
