"""Which message of an answer the blocks of a stream belong to, for dialects that join the messages to one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.events import RANKS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

GAP: Final = "\n\n"


class Paragraphs:
    """Follows the blocks of one answer. A step back in rank begins the next message, and so does `new_message`.

    Texts of two messages have a blank line between them, and so have two thoughts.
    """

    def __init__(self) -> None:
        self.message = 0
        self._rank = -1
        self._begun: set[int] = set()
        self._last: dict[str, tuple[int, int]] = {}  # kind of text -> message and block that said it last

    def begin(self, event: Mapping[str, Any], kind: str | None = None) -> None:
        """Take note that a block begins: that of the event, which may count as one of another kind."""
        block = event["block"]
        if block in self._begun:
            return
        self._begun.add(block)
        rank = RANKS[kind or event["type"]]
        if rank < self._rank or event.get("new_message"):
            self.message += 1
        self._rank = rank

    def gap(self, event: Mapping[str, Any], kind: str | None = None) -> str:
        """Return what stands before a piece of text that is not empty: a blank line, or nothing."""
        word, block = kind or event["type"], event["block"]
        before = self._last.get(word)
        if before == (self.message, block):  # it goes on
            return ""
        self.begin(event, kind)
        self._last[word] = (self.message, block)
        if before is None:
            return ""
        return GAP if before[0] != self.message or (word == "reasoning" and before[1] != block) else ""
