"""Ollama to canonical: streams.

Source: reference/wire/ollama.md section 3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.dialects._shared.extra import Leftovers
from interlingua.dialects._shared.reading import OBJECT, Malformed, expect, is_integer
from interlingua.dialects._shared.stream import FrameReader, noted, spelled, with_more
from interlingua.dialects.ollama.decode_answer import read_created, read_done_reason
from interlingua.dialects.ollama.decode_message import decode_answer
from interlingua.dialects.ollama.stream_encoder import MOMENT, StreamEncoder
from interlingua.dialects.ollama.tables import DIALECT, USAGE
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from interlingua.dialects._shared.stream import Event

_PLAIN: Final = frozenset({"model", "created_at", "message", "done"})
_PLAIN_CONTENT: Final = {"role", "content"}
_PLAIN_THINKING: Final = {"role", "content", "thinking"}


def decode_stream() -> StreamDecoder:
    """Return a reader of one stream of Ollama's."""
    return StreamDecoder()


class StreamDecoder(FrameReader[StreamEncoder]):
    """Reads the lines of a stream of Ollama's."""

    dialect: ClassVar[str] = DIALECT

    def __init__(self) -> None:
        super().__init__(StreamEncoder(LossLog()))
        self._model: Any = None
        self._started = False
        self._opened = 0
        self._open: dict[str, int] = {}  # the blocks of text that are open, by the kind of their events
        self._unended: list[int] = []
        self._called = False

    def read(self, frame: Any) -> list[Event]:
        """Return the events of a line; one without a message is kept as it is. Raises `Malformed`."""
        if type(frame) is str:
            return self.opaque(frame)
        if self._started and (plain := self._plain(frame)) is not None:
            return plain
        if "error" in expect(frame, OBJECT) and "message" not in frame:
            return self._error(frame)
        if "message" not in frame:
            return self.opaque(frame)
        try:
            message = decode_answer(frame["message"])
        except Malformed as malformed:
            raise malformed.under("message") from None
        if message["role"] != "assistant":
            return self.opaque(frame)
        ends = self._ends()
        events = [*self._start(frame), *ends, *self._said(message)]
        if frame.get("done") is True:
            events.extend(self._last(frame))
        if len(events) == len(ends):
            events.append({"type": "state"})
        self._note_moment(events[-1], frame)
        return self.compared(_grouped(events), [frame])

    def finish(self) -> list[Event]:
        """Return the event that ends a stream without a last line."""
        return [*self._ends(), spelled({"type": "end", "complete": self.finished}, DIALECT, "end", "absent")]

    def _ends(self) -> list[Event]:
        """Return the ends of calls, which come whole: they wait for the next line, so that their own ends with them."""
        ended, self._unended = self._unended, []
        return [{"type": "block_end", "block": block} for block in ended]

    def _plain(self, frame: Any) -> list[Event] | None:
        """Return the event of a line that says one piece of text, which nearly all do."""
        if type(frame) is not dict or frame.keys() != _PLAIN or frame["done"] is not False:
            return None
        message = frame["message"]
        if type(message) is not dict or frame["model"] != self._model or message.get("role") != "assistant":
            return None
        if message.keys() == _PLAIN_CONTENT:
            kind, text = "content", message["content"]
        elif message.keys() == _PLAIN_THINKING and message["content"] == "":
            kind, text = "reasoning", message["thinking"]
        else:
            return None
        if kind not in self._open or type(text) is not str or not text or type(frame["created_at"]) is not str:
            return None
        event: Event = {"type": kind, "block": self._open[kind], "text": text}
        event["extra"] = {DIALECT: {MOMENT: frame["created_at"]}}
        return [event]

    def _note_moment(self, event: Event, frame: dict[str, Any]) -> None:
        """Note when a line was made, where it is not the moment of the first."""
        moment = frame.get("created_at")
        if type(moment) is str and event["type"] != "start":
            noted(event, DIALECT, MOMENT, moment)

    def _start(self, frame: dict[str, Any]) -> list[Event]:
        if self._started:
            return []
        self._started = True
        event: Event = {"type": "start", "dialect": DIALECT}
        if type(frame.get("model")) is str:
            event["model"] = self._model = frame["model"]
        if type(frame.get("created_at")) is str:
            left = Leftovers()
            read_created(event, frame["created_at"], left)
            if left.typed:
                noted(event, DIALECT, "created_at", left.typed["created_at"])
        return [event]

    def _said(self, message: dict[str, Any]) -> list[Event]:
        """Return the events of what a line says."""
        events: list[Event] = []
        for kind in ("reasoning", "content"):
            said = message.get(kind)
            parts = [] if said is None else said if type(said) is list else [{"type": "text", "text": said}]
            for part in parts:
                if part["type"] != "text":
                    events.append({"type": "part", "block": self._opened, "part": part})
                    self._whole()
                elif part["text"] or kind == "reasoning":
                    events.append({"type": kind, "block": self._block(kind), "text": part["text"]})
        for call in message.get("tool_calls", ()):
            events.append({"type": "tool_call_start", "block": self._opened, **call})
            self._whole()
            self._called = True
        return events

    def _whole(self) -> None:
        """Count a block that came whole."""
        self._unended.append(self._opened)
        self._opened += 1

    def _block(self, kind: str) -> int:
        if kind not in self._open:
            self._open[kind] = self._opened
            self._opened += 1
        return self._open[kind]

    def _last(self, frame: dict[str, Any]) -> list[Event]:
        """Return the events of the last line: blocks end, and it says why the answer ended and what it cost."""
        self._unended.extend(self._open.values())
        events, self._open = self._ends(), {}
        word = frame.get("done_reason")
        if type(word) is str:
            said: dict[str, Any] = {}
            read_done_reason(said, word, {"tool_calls": []} if self._called else {})
            event: Event = {"type": "finish", "reason": said["finish_reason"]}
            if "finish_reason_raw" in said:
                event["raw"] = said["finish_reason_raw"]
            events.append(event)
            self.finished = True
        usage = {name: frame[wire] for wire, name in USAGE.items() if is_integer(frame.get(wire))}
        if usage:
            events.append({"type": "usage", "usage": usage})
        self._started = False
        end: Event = {"type": "end", "complete": self.finished}
        return [*events, end if self.finished else spelled(end, DIALECT, "end", "done")]

    def _error(self, frame: dict[str, Any]) -> list[Event]:
        error = frame["error"]
        return self.compared(
            [{"type": "error", "message": error} if type(error) is str else {"type": "error"}], [frame]
        )


def _grouped(events: list[Event]) -> list[Event]:
    """Say of the events that write something that they came in one line."""
    with_more([event for event in events if event["type"] != "block_end"], DIALECT)
    return events
