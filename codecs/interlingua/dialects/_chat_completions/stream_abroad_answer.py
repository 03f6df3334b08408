"""One answer that is written abroad: its texts joined as those of a whole answer are, its calls, its sources."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, Any

from interlingua.dialects._shared.paragraphs import Paragraphs

if TYPE_CHECKING:
    from interlingua.dialects._shared.stream import Event


class Call:
    """A call that is being written: its index, where it began, where its arguments did, and those so far.

    `enclosed`: free text stands inside an object, since the dialect has no free text.
    """

    __slots__ = ("custom", "enclosed", "held", "index", "number", "pieces", "told")

    def __init__(self, index: int, number: int, custom: bool) -> None:
        self.index = index
        self.number = self.told = number
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
        self.annotations: list[dict[str, Any]] = []
        self.spans: dict[int, tuple[int, int]] = {}
        self.length = 0
        self.finish: tuple[int, Event] | None = None
        self.silenced: set[int] = set()  # blocks of reasoning that have no place here
        self.paragraphs = Paragraphs()

    def say(self, kind: str, event: Event, text: str) -> str:
        """Return what is written for a piece of text: messages, and thoughts, have a blank line between them."""
        block = event["block"]
        gap = self.paragraphs.gap(event, kind)
        text = gap + text
        if kind == "content":
            start = self.spans[block][0] if block in self.spans else self.length + len(gap)
            self.length += len(text)
            self.spans[block] = (start, self.length)
        return text
