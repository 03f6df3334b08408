"""Insert blank lines between texts of an answer that were separated by a part which is lost abroad.

Claude announces a search, searches, and reports what it found; abroad the search is lost, and clients and models join
the texts of a message into one. Source: docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.events import RANKS
from interlingua.rooms._shared.writing import PARAGRAPH_BREAK, is_lost

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_ANCHORS: Final = ("start_index", "end_index")
_OF_SOURCE: Final = "document"  # citations of this kind have anchors within their source


def _separates_texts(part: Any, dialect: str) -> bool:
    """Tell whether a lost part is a tool's, by its type or member names; other parts may stand within a sentence."""
    if not is_lost(part, dialect) or type(part["data"]) is not dict:
        return False
    words = (part["data"].get("type"), *part["data"])
    return any(type(word) is str and "tool" in word.lower() for word in words)


def with_paragraph_breaks(
    messages: Sequence[Any], dialect: str, told: Mapping[int, Collection[int]] = MappingProxyType({})
) -> list[Any]:
    """Return messages with a blank line before each text of an answer that follows a text and a lost part.

    `told`: the texts that replace parts, by message and index; a blank line is put before and after each of them, too.
    """
    return [
        _with_paragraph_breaks(message, dialect, told.get(index, ())) if message["role"] == "assistant" else message
        for index, message in enumerate(messages)
    ]


def _with_paragraph_breaks(message: Any, dialect: str, told: Collection[int]) -> Any:
    content: Any = message.get("content")
    if type(content) is not list or not (told or any(_separates_texts(part, dialect) for part in content)):
        return message
    parts: list[Any] = []
    kind, lost = "", False
    for at, part in enumerate(content):
        one = part
        if is_lost(part, dialect):
            lost = lost or _separates_texts(part, dialect)
        elif part["type"] != "text" or part["text"]:
            if (lost or at in told) and kind == part["type"] == "text":
                one = {**part, "text": PARAGRAPH_BREAK + part["text"]}
                if "citations" in part:
                    one["citations"] = [shifted(citation) for citation in part["citations"]]
            kind, lost = part["type"], at in told
        parts.append(one)
    return {**message, "content": parts}


def shifted(citation: Any, length: int = len(PARAGRAPH_BREAK)) -> Any:
    """Return a citation with its anchors shifted by a length, that of a blank line."""
    if citation["kind"] == _OF_SOURCE:
        return citation
    return {**citation, **{name: citation[name] + length for name in _ANCHORS if name in citation}}


class StreamParagraphBreaks:
    """Inserts the same blank lines into the events of a stream."""

    __slots__ = ("_answers", "_dialect", "_moved")

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        self._answers: dict[int, _AnswerState] = {}
        self._moved: set[int] = set()  # blocks that begin with a blank line

    def feed(self, event: Any) -> Any:
        """Return an event, with a blank line added to the first piece of a text behind a lost part."""
        kind, block = event["type"], event["block"]
        if kind == "citation":
            return {**event, "citation": shifted(event["citation"])} if block in self._moved else event
        said = self._answers.get(event.get("alternative", 0))
        if said is None:
            said = self._answers[event.get("alternative", 0)] = _AnswerState()
        if block not in said.opened:
            said.open(event)
        if kind == "part" and is_lost(event["part"], self._dialect):
            said.lost = said.lost or _separates_texts(event["part"], self._dialect)
        elif kind != "content" or (event["text"] and block != said.block):
            needs_break = said.lost and kind == said.kind == "content"
            said.kind, said.block, said.lost = kind, block, False
            if needs_break:
                self._moved.add(block)
                return {**event, "text": PARAGRAPH_BREAK + event["text"]}
        return event


class _AnswerState:
    """State of one answer of a stream: kind and block of its last content, and whether a part was lost since."""

    __slots__ = ("_rank", "block", "kind", "lost", "opened")

    def __init__(self) -> None:
        self.kind, self.block, self.lost = "", -1, False
        self._rank = -1
        self.opened: set[int] = set()

    def open(self, event: Any) -> None:
        """Register the new block of an event; a new message resets the state."""
        self.opened.add(event["block"])
        rank = RANKS[event["type"]]
        if rank < self._rank or event.get("new_message"):
            self.kind, self.lost = "", False
        self._rank = rank
