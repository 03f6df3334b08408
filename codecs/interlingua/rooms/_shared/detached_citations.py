"""Attach citations in an empty text part to the text before, for other dialects; join texts of a stream.

Nova sends the citations of a text after it, in separate content blocks. Source: docs/wire/bedrock_converse.md,
section 1.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.rooms._shared.paragraph_breaks import shifted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.stream_abroad import Event, Numbered


def with_citations_attached(messages: Sequence[Any], log: LossLog) -> list[Any]:
    """Return messages with such citations attached to the text that they support."""
    return [
        _joined(message, f"/messages/{index}/content", log) if has_detached_citations(message) else message
        for index, message in enumerate(messages)
    ]


def has_detached_citations(message: Any) -> bool:
    """Tell whether an assistant message has citations in an empty text."""
    content: Any = message.get("content") if message["role"] == "assistant" else None
    return type(content) is list and any(map(_is_detached, content))


def _is_detached(part: Any) -> bool:
    return bool(part["type"] == "text" and not part["text"] and part.get("citations"))


def _joined(message: Any, path: str, log: LossLog) -> Any:
    parts: list[Any] = []
    last: int | None = None  # index of the last text
    cited: dict[int, list[tuple[Any, str]]] = {}  # index of a text -> its citations, each with its original path
    for at, part in enumerate(message["content"]):
        own = [(one, f"{path}/{at}/citations/{number}") for number, one in enumerate(part.get("citations", ()))]
        if last is not None and _is_detached(part):
            cited[last] += own
            parts.append({name: held for name, held in part.items() if name != "citations"})
            continue
        if part["type"] != "text":
            last = None
        elif part["text"]:
            last, cited[at] = at, own
        parts.append(part)
    for at, sources in cited.items():
        if len(sources) > len(parts[at].get("citations", ())):
            parts[at] = {**parts[at], "citations": [one for one, _ in sources]}
            log.moved(f"{path}/{at}/citations", [place for _, place in sources])
    return {**message, "content": parts}


class Length:
    """Counts the characters of a text in pieces."""

    __slots__ = ("characters",)

    def __init__(self) -> None:
        self.characters = 0

    def append(self, text: str, /) -> None:
        """Count the next piece."""
        self.characters += len(text)


class StreamTexts:
    """Joins texts of Gemini's streams as in whole answers, and attaches citations of empty texts to the text before.

    The end event of a text is held back until the next event: a text without citations goes on if that is more text of
    the same message. Gemini splits a text where a signature begins (`{"a": 1`, `2}`), and clients read one part alone.
    Other providers send the citations of a text before the text, so they are held until it is clear which case it is.
    """

    __slots__ = ("_block", "_cited", "_ended", "_text", "_waiting", "length", "moves")

    def __init__(self) -> None:
        self._text = -1  # block of the last text
        self._cited = -1  # block of the last citation
        self.length: Length | None = None  # of the last text, if the stream is of a dialect that splits texts
        self._ended: Numbered | None = None
        self._block = -1  # block of the held citations
        self._waiting: list[Numbered] = []
        self.moves: dict[int, tuple[int, int]] = {}  # block -> the one that it continues, and the length before it

    def begin(self, *, joins: bool) -> None:
        """Note whether a stream that begins is of a dialect that splits texts."""
        self.length = Length() if joins else None

    def moved(self, event: Event) -> Event:
        """Return an event of a joined block as one of the block that it continues."""
        place = self.moves.get(event.get("block", -1))
        if place is None:
            return event
        block, length = place
        if event["type"] == "citation":
            event = {**event, "citation": shifted(event["citation"], length)}
        return {**event, "block": block}

    def feed(self, number: int, event: Event) -> list[Numbered] | None:
        """Return the events to write now, each with its number; None if that is just the given one."""
        kind, block, last = event["type"], event.get("block", -1), self._ended
        if kind == "citation":
            self._cited = block
        if self._waiting:
            return self._behind_waiting(number, event)
        if event.get("alternative"):
            return None
        if last is not None:
            told = self._behind_end(number, event)
            if told is not None:
                return told
            self._ended = None
        if block != self._text:
            if kind == "content" and event["text"]:
                self._text = block
                if self.length is not None:
                    self.length = Length()
            elif kind != "usage":
                self._text = -1
        elif kind == "block_end":
            self._ended = (number, event)
            return [] if last is None else [last]
        if self.length is not None and kind == "content":
            self.length.append(event["text"])
        return None if last is None else [last, (number, event)]

    def _behind_end(self, number: int, event: Event) -> list[Numbered] | None:
        """Return the events to write if one behind the end of a text belongs to that text, else None."""
        if event.get("block") != self._text and _may_be_detached(event):
            self._block, self._waiting = event["block"], [(number, event)]
            return []
        return [(number, self._joined(event))] if self._goes_on(event) else None

    def _behind_waiting(self, number: int, event: Event) -> list[Numbered]:
        if event.get("block") == self._block:
            if _may_be_detached(event):
                self._waiting.append((number, event))
                return []
            if event["type"] == "block_end":
                waiting, self._waiting = self._waiting, []
                self._cited = self._text if self._cited == self._block else self._cited
                return [(at, {**one, "block": self._text}) for at, one in waiting if one["type"] == "citation"]
            if self._goes_on(event):
                self._waiting = []
                return [(number, self._joined(event))]
        waiting, self._waiting = self._waiting, []
        ended, self._ended = self._ended, None
        told = self.feed(number, event)
        return [*([] if ended is None else [ended]), *waiting, *([(number, event)] if told is None else told)]

    def _goes_on(self, event: Event) -> bool:
        """Tell whether an event after the end of a text is more text of the same message, and neither has sources."""
        if self.length is None or event["type"] != "content" or not event["text"] or "new_message" in event:
            return False
        return self._cited not in {self._text, event["block"]}

    def _joined(self, event: Event) -> Event:
        """Return an event as one of the text that has ended, and drop that end."""
        self._ended = None
        if self.length is not None:
            self.moves[event["block"]] = (self._text, self.length.characters)
            self.length.append(event["text"])
        return {**event, "block": self._text}


def _may_be_detached(event: Event) -> bool:
    """Tell whether an event is a citation, or opens an empty text in the same message."""
    if event["type"] == "citation":
        return True
    return event["type"] == "content" and not event["text"] and event.keys() <= {"type", "block", "text"}
