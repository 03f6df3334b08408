"""Ollama to canonical: streams.

Source: docs/wire/ollama.md, section 3.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.rooms._shared.joining import First, Items, Last, Members, Text
from interlingua.rooms._shared.stream_notes import first_content_event, noted, spelled, with_more
from interlingua.rooms._shared.stream_reader import FrameReader
from interlingua.rooms.ollama.decode_answer import read_created, read_done_reason
from interlingua.rooms.ollama.decode_message import decode_answer
from interlingua.rooms.ollama.stream_encoder import CREATED_AT, StreamEncoder
from interlingua.rooms.ollama.tables import DIALECT, USAGE
from interlingua.spi.reading import OBJECT, Malformed, Unmapped, expect, is_integer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.rooms._shared.joining import Table
    from interlingua.rooms._shared.stream_template import TextPieces
    from interlingua.rooms._shared.stream_writer import Event, Frame

# Members of a line that events cover; calls with all of their members.
_KNOWN: Final[Mapping[str, Any]] = MappingProxyType({
    **dict.fromkeys(("model", "created_at", "done_reason", "error"), str),
    "done": bool,
    "logprobs": None,
    "message": {**dict.fromkeys(("role", "content", "thinking"), str), "tool_calls": None, "images": None},
    **dict.fromkeys(USAGE, int),
})  # fmt: skip


class StreamDecoder(FrameReader[StreamEncoder]):
    """Reads the lines of an Ollama stream."""

    dialect = DIALECT
    KNOWN: ClassVar[Mapping[str, Any]] = _KNOWN
    FREE: ClassVar[str] = "created_at"
    FREE_NOTE: ClassVar[str] = CREATED_AT

    def __init__(self) -> None:
        super().__init__(StreamEncoder)
        self._model: Any = None
        self._started = False
        self._opened = 0
        self._open: dict[str, int] = {}  # open text blocks, by event type
        self._unended: list[int] = []
        self._called = False
        self._spoken = False  # whether the last content was a text, a part or a call: reasoning alone is no answer

    def read(self, frame: Any) -> list[Event]:
        """Return the events of a line; one that is neither a message nor the last is opaque. Raises `Malformed`."""
        if type(frame) is str:
            return self.opaque(frame)
        if "error" in expect(frame, OBJECT) and "message" not in frame:
            return self.failed(frame, {"error": frame["error"]})
        if "message" not in frame and frame.get("done") is not True:
            return self.opaque(frame)
        try:
            message = decode_answer(frame.get("message", {"role": "assistant", "content": ""}))
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
        self._note_created_at(events[-1], frame)
        if self.abroad and frame.get("logprobs"):
            noted(first_content_event(events), DIALECT, "logprobs", frame["logprobs"])
        return self.compared(_grouped(events), [frame])

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return the collectors of a text's pieces: each kind of text has one block until the last line."""
        return () if self.abroad else self._writer.held(event)

    def finish(self) -> list[Event]:
        """Return the events that end a stream without a last line."""
        return [*self._ends(), spelled({"type": "end", "complete": self.finished}, DIALECT, "end", "absent")]

    def _ends(self) -> list[Event]:
        """Return the pending end events of complete blocks, which are held until the next line."""
        ended, self._unended = self._unended, []
        return [{"type": "block_end", "block": block} for block in ended]

    def _note_created_at(self, event: Event, frame: dict[str, Any]) -> None:
        """Note the timestamp of a line, except for the first one."""
        moment = frame.get("created_at")
        if type(moment) is str and event["type"] != "start" and not self.abroad:
            noted(event, DIALECT, CREATED_AT, moment)

    def _start(self, frame: dict[str, Any]) -> list[Event]:
        if self._started:
            return []
        self._started = True
        event: Event = {"type": "start", "dialect": DIALECT}
        if type(frame.get("model")) is str:
            event["model"] = self._model = frame["model"]
        if type(frame.get("created_at")) is str:
            left = Unmapped()
            read_created(event, frame["created_at"], left)
            if left.typed:
                noted(event, DIALECT, "created_at", left.typed["created_at"])
        return [event]

    def _said(self, message: dict[str, Any]) -> list[Event]:
        """Return the content events of a line."""
        events: list[Event] = []
        for kind in ("reasoning", "content"):
            said = message.get(kind)
            parts = [] if said is None else said if type(said) is list else [{"type": "text", "text": said}]
            for part in parts:
                if part["type"] != "text":
                    events.append({"type": "part", "block": self._opened, "part": part})
                    self._whole()
                    self._spoken = True
                elif part["text"] or kind == "reasoning":
                    events.append({"type": kind, "block": self._block(kind), "text": part["text"]})
                    self._spoken = kind == "content"
        for call in message.get("tool_calls", ()):
            events.append({"type": "tool_call_start", "block": self._opened, **call})
            self._whole()
            self._called = self._spoken = True
        return events

    def _whole(self) -> None:
        """Register a block that came complete."""
        self._unended.append(self._opened)
        self._opened += 1

    def _block(self, kind: str) -> int:
        if kind not in self._open:
            self._open[kind] = self._opened
            self._opened += 1
        return self._open[kind]

    def _last(self, frame: dict[str, Any]) -> list[Event]:
        """Return the events of the last line: ends of blocks, finish, usage and end."""
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
        # Older and compatible servers give no reason.
        end: Event = {"type": "end", "complete": self.finished or self._spoken}
        return [*events, end if end["complete"] else spelled(end, DIALECT, "end", "done")]


decode_stream: Final = StreamDecoder


def _grouped(events: list[Event]) -> list[Event]:
    """Mark the events that are written as coming from one line."""
    with_more([event for event in events if event["type"] != "block_end"], DIALECT)
    return events


# How the members of lines join.
_MESSAGE: Final[Table] = MappingProxyType({
    **dict.fromkeys(("content", "thinking"), Text),
    **dict.fromkeys(("tool_calls", "images"), Items),
})  # fmt: skip
_ANSWER: Final[Table] = MappingProxyType({
    "created_at": First, "logprobs": Items, "message": lambda: Members(_MESSAGE, Last)
})  # fmt: skip


def assemble_stream(frames: Iterable[Frame]) -> dict[str, Any]:
    """Return the answer that the lines make: texts joined, calls and log probabilities in a row, all else as last said.

    What is no line of an answer is passed over; a line after the last begins anew.
    """
    answer = Members(_ANSWER, Last)
    done = False
    for line in frames:
        if type(line) is dict and (type(line.get("message")) is dict or line.get("done") is True):
            if done:
                answer = Members(_ANSWER, Last)
            answer.take(line)
            done = line.get("done") is True
    out = answer.made()
    return {**out, "message": {"role": "assistant", "content": "", **out.get("message", {})}}
