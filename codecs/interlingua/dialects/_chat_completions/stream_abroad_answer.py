"""One answer that is written abroad: its texts joined as those of a whole answer are, its calls, its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.dialects._shared.call_text import CallText
from interlingua.dialects._shared.paragraphs import Paragraphs

if TYPE_CHECKING:
    from interlingua.dialects._shared.stream import Event


class Call(CallText):
    """A call that is being written, its index, and the member that it is held in."""

    def __init__(self, index: int, number: int, *, enclosed: bool) -> None:
        super().__init__(number, enclosed=enclosed)
        self.index = index
        self.held = "function"

    @property
    def member(self) -> str:
        """The name of the member that holds the arguments."""
        return "input" if self.held == "custom" else "arguments"

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
        self.spans: dict[int, list[int]] = {}  # where the text of a block begins and ends
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
            start = self.length + len(gap)
            self.length += len(text)
            if block in self.spans:
                self.spans[block][1] = self.length
            else:
                self.spans[block] = [start, self.length]
        return text
