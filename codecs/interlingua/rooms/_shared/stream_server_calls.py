"""Server tool calls and their results in a stream to a dialect that may have no place for them.

Source: docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from interlingua.events import RANKS
from interlingua.rooms._shared.server_calls import SERVER_PARTS, ServerCallTracker, report_server_part, server_part_text
from interlingua.rooms._shared.writing import PARAGRAPH_BREAK, is_lost

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.stream_writer import FrameWriter

_LAST: Final = frozenset({"finish", "error", "end"})


def is_server_event(event: Any) -> bool:
    """Tell whether an event is a server tool call or its result."""
    return event["type"] == "part" and event["part"]["type"] in SERVER_PARTS


@dataclass(slots=True, repr=False, eq=False)
class _AnswerState:
    """State of one answer of a stream: the rank of its last block, and whether that is text.

    `ending` is the held end event of a run that is written as text.
    """

    rank: int = -1
    is_text: bool = False
    ending: tuple[int, Any] | None = None
    seen: set[int] = field(default_factory=set[int])

    def open(self, event: Any) -> bool:
        """Register a block that opens; tell whether it begins a message."""
        self.seen.add(event["block"])
        before, self.rank = self.rank, RANKS[event["type"]]
        begins = self.rank < before or bool(event.get("new_message"))
        self.is_text = self.is_text and not begins
        return begins

    def ended(self, *, joined: bool = False) -> list[tuple[int, Any]]:
        """Return the held end event, with a blank line before it if text follows (`joined`)."""
        if self.ending is None:
            return []
        number, end = self.ending
        self.ending = None
        gap = {**end, "type": "content", "text": PARAGRAPH_BREAK}
        return [*([(number, gap)] if joined else []), (number, end)]


class StreamServerCalls:
    """Holds calls and results in a stream until they are complete, and writes them as text if necessary."""

    __slots__ = ("_answers", "_dialect", "_held", "_log", "_runs")

    def __init__(self, runs: ServerCallTracker, dialect: str, log: LossLog) -> None:
        self._runs, self._dialect, self._log = runs, dialect, log
        self._held: dict[int, tuple[int, Any]] = {}
        self._answers: dict[int, _AnswerState] = {}

    def feed(self, number: int, event: Any) -> Sequence[tuple[int, Any]]:
        """Return the events to write now, with their numbers."""
        kind, block = event["type"], event.get("block")
        if kind == "start":
            self._answers.clear()
        elif kind in _LAST:
            return [*self._finished(), (number, event)]
        told = self._answers.setdefault(event.get("alternative", 0), _AnswerState())
        if is_server_event(event):
            self._held[block] = (number, event)
            return ()
        if kind == "block_end" and block in self._held:
            return self._released(told, block, (number, event))
        if kind not in RANKS or block in told.seen or (kind == "part" and is_lost(event["part"], self._dialect)):
            return ((number, event),)
        begins = told.open(event)
        before = told.ended(joined=kind == "content" and not begins)
        told.is_text = kind == "content"
        return [*before, (number, event)]

    def _finished(self) -> list[tuple[int, Any]]:
        """Return the held events at the end of the stream, or of an answer."""
        out: list[tuple[int, Any]] = []
        for block in list(self._held):
            number, event = self._held[block]
            told = self._answers.setdefault(event.get("alternative", 0), _AnswerState())
            out += self._released(told, block, (number, {"type": "block_end", "block": block}))
        return [*out, *(one for told in self._answers.values() for one in told.ended())]

    def _released(self, told: _AnswerState, block: int, end: tuple[int, Any]) -> list[tuple[int, Any]]:
        number, event = self._held.pop(block)
        part = event["part"]
        before = told.ended()
        told.open(event)
        if self._runs.take(part):
            told.is_text = False
            return [*before, (number, event), end]
        report_server_part(part, f"/{number}/part", self._dialect, self._log)
        text = f"{PARAGRAPH_BREAK if told.is_text else ''}{server_part_text(part)}"
        told.is_text, told.ending = True, end
        made = {name: value for name, value in event.items() if name not in {"part", "extra"}}
        return [*before, (number, {**made, "type": "content", "text": text})]


def write_server_calls(writer: FrameWriter, event: Any) -> list[Any]:
    """Return the frames of an event in a stream abroad that has server tool calls."""
    runs = writer.runs
    if runs is None:
        runs = writer.runs = StreamServerCalls(ServerCallTracker(writer.holds_call), writer.dialect, writer.log)
        for opened in writer.opened.values():
            runs.feed(writer.number, opened)
    return writer.written_by(writer.written_now, runs.feed(writer.number, event))
