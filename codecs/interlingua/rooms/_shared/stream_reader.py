"""Base class of all stream decoders: reads frames as events, and keeps the difference to what would be written.

Source: docs/design.md, section 6.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from interlingua.errors import DecodeError, EncodeError
from interlingua.json_limits import undecodable
from interlingua.loss import LossLog
from interlingua.pointers import pointer
from interlingua.rooms._shared.patch import PATCH, PUT, changed, difference, unknown
from interlingua.rooms._shared.stream_notes import noted
from interlingua.rooms._shared.stream_template import (
    LEARNT_READING,
    TEXTS,
    PieceCounter,
    Template,
    padding,
    template,
)
from interlingua.rooms._shared.stream_writer import FrameWriter
from interlingua.spi.extra import NOTHING
from interlingua.spi.reading import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.json_limits import Failure
    from interlingua.rooms._shared.stream_template import TextPieces
    from interlingua.rooms._shared.stream_writer import Event

Writer = TypeVar("Writer", bound=FrameWriter)


class FrameReader(ABC, Generic[Writer]):
    """A stream decoder: frames in, events out.

    Within the dialect it asks the writer what it would write for the events, and stores the difference. Events for
    another dialect (`set_cross_dialect`) need no prediction: only members that the room does not know are noted, each
    once in a stream.
    `KNOWN` is the table of known members (see `unknown`). `FREE` is a member with arbitrary text (padding), which
    events keep under `FREE_NOTE`. `COUNTED` is a number that increases by one with each frame.
    """

    dialect: str
    KNOWN: ClassVar[Mapping[str, Any]] = NOTHING
    FREE: ClassVar[str] = ""
    FREE_NOTE: ClassVar[str] = PATCH
    COUNTED: ClassVar[str] = ""

    def __init__(self, writer: Callable[[LossLog], Writer]) -> None:
        self._new_writer = writer
        self._count = -1
        self._ended = False
        self.finished = False
        self.is_all_read = False  # whether each member of the frame is known to have been read
        self.abroad = self._tells_unknown = self._tells_failure = False
        self._explained_to = ""
        self._difference: Callable[[Any, Any], dict[str, Any]] = difference
        self._unknown: set[str] = set()
        self.known: dict[str, Any] = {}  # what the room knows, and what has been reported
        self._pieces = PieceCounter(LEARNT_READING)
        self._template: Template | None = None

    @cached_property
    def _writer(self) -> Writer:
        """The writer that predicts frames; abroad it is only made if an error frame needs it."""
        return self._new_writer(LossLog())

    def set_cross_dialect(self, *, is_told: bool) -> None:
        """Declare that the events go to another dialect; `is_told`: unknown members of frames are noted."""
        if self.KNOWN:
            self.abroad, self._tells_unknown, self.known = True, is_told, dict(self.KNOWN)
        else:
            self._difference = changed if is_told else _nothing

    def tell_failures(self, *, explained_to: str = "") -> None:
        """Make failures of the answer visible as text, for writers without a finish reason for them.

        With `explained_to`, they go to that dialect's member for errors instead.
        """
        self._tells_failure, self._explained_to = True, explained_to

    def end_words(self, finish: Event) -> str:
        """Return the provider's explanation of a finish reason; empty if there is none."""
        del finish
        return ""

    def feed(self, frame: Any) -> list[Event]:
        """Return the events of a frame. Raises `DecodeError` if a known frame is malformed."""
        self._count += 1
        if self._template is not None and type(frame) is dict:
            event = self._from_template(self._template, frame)
            if event is not None:
                return [event]
        try:
            events = self.read(frame)
        except Malformed as malformed:
            if type(frame) is not dict or not is_error_frame(frame):
                raise DecodeError(self.dialect, pointer(self._count) + malformed.path, malformed.reason) from None
            events = self.failed(frame)
        except (EncodeError, RecursionError, TypeError, AttributeError) as error:  # nor can it be predicted
            raise self._undecodable(frame, error) from None
        self._template = None
        if not events:
            self._pieces.last = None
            return events
        kind = events[-1]["type"]
        is_piece = kind in TEXTS and len(events) == 1
        if not is_piece:
            self._pieces.last = None
            if self._tells_failure:
                events = self._with_failure_events(events)
        self._ended = kind == "end"
        if kind != "opaque" and not self.is_all_read and type(frame) is dict:
            self.note_unknown(events[-1], frame)
        if is_piece:
            self._learn(events[0], frame)
        return events

    def _from_template(self, like: Template, frame: dict[str, Any]) -> Event | None:
        """Return the event of a frame that is the next piece of a block; None for any other frame."""
        text, piece = like.read(frame), like.piece
        if text is None or (piece.said != "text" and text.startswith("{")):  # it may be a repeat
            return None
        for held in like.held:
            held.append(text)
        event = piece.event(text)
        if like.free and not self.abroad:
            free = frame[like.free] if self.FREE_NOTE != PATCH else {PUT: {like.free: frame[like.free]}}
            noted(event, self.dialect, self.FREE_NOTE, free)
        return event

    def _with_failure_events(self, events: list[Event]) -> list[Event]:
        """Return events with a text before the finish of each failed answer; not needed after an error event."""
        has_failed = False
        for event in events:
            if event["type"] == "error":
                self._tells_failure = False
                return events
            has_failed = has_failed or (event["type"] == "finish" and event["reason"] == "error")
        if not has_failed:
            return events  # nearly always
        from interlingua.rooms._shared.finish_messages import (  # noqa: PLC0415  # few answers fail
            with_failure_details,
            with_failure_events,
        )

        out: list[Event] = []
        for event in events:
            has_failed = event["type"] == "finish" and event["reason"] == "error"
            if has_failed and self._explained_to:
                out.append(with_failure_details(event, event.get("raw"), self.end_words(event), self._explained_to))
                continue
            if has_failed:
                out = with_failure_events(out, event, self.end_words(event))
            out.append(event)
        return out

    def error_event(self, body: Any) -> Event:
        """Return the event of an error, given as the body of one."""
        from interlingua.rooms._shared.stream_errors import error_event  # noqa: PLC0415  # most streams have none

        return error_event(body, self.dialect)

    def failed(self, frame: dict[str, Any], body: Any = None) -> list[Event]:
        """Return the events of a frame that says an error: the body of one, unless another is given."""
        return self.compared([self.error_event(frame if body is None else body)], [frame])

    def note_unknown(self, event: Event, frame: dict[str, Any]) -> None:
        """Note the unknown members of a frame on its last event, if they are to be reported."""
        paths = self.beyond(frame) if self._tells_unknown else ()
        new = [path for path in dict.fromkeys(paths) if path not in self._unknown] if paths else None
        if new:
            self._unknown.update(new)
            for name in frame:
                if name not in self.known and f"/{name}" in new:
                    self.known[name] = None
            noted(event, self.dialect, "frame", {"unknown": new})

    def beyond(self, frame: dict[str, Any]) -> Sequence[str]:
        """Return the paths of members of a frame that neither an event nor the table of known members covers."""
        return unknown(frame, self.known)

    def _learn(self, event: Event, frame: Any) -> None:
        """Make a template from a frame that is just the next piece of a block."""
        if "extra" in event and not self._has_padding(event):
            self._pieces.last = None
            return
        piece = self._pieces.count(event)
        held = None if piece is None else self.held(event)
        if piece is None or held is None:
            return
        found = template(frame, event[piece.said], piece, self.FREE, self.COUNTED)
        if found is not None and found.read(frame) is not None:
            found.held = held
            self._template = found

    def _has_padding(self, event: Event) -> bool:
        """Tell whether the `extra` of an event has only padding for its frame."""
        return bool(self.FREE) and padding(event["extra"], self.dialect, self.FREE, self.FREE_NOTE) is not None

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return the collectors of a block's pieces as they are read.

        None if a frame like that of this piece could mean something other than the next piece of the block.
        """
        del event
        return None

    def _undecodable(self, frame: Any, error: Failure) -> Exception:
        """Return the error for a frame that cannot be read, or the given error for other causes."""
        return undecodable(frame, self.dialect, error, pointer(self._count))

    def close(self) -> list[Event]:
        """Return the events that end the stream, if no terminator came."""
        if self._ended:
            return []
        self._ended = True
        events = self.finish()
        if not self.abroad:
            for event in events:
                self._writer.write(event)
        return events

    @abstractmethod
    def read(self, frame: Any) -> list[Event]:
        """Return the events of a frame. Raises `Malformed`."""

    @abstractmethod
    def finish(self) -> list[Event]:
        """Return the events that end a stream without a terminator."""

    def opaque(self, frame: Any) -> list[Event]:
        """Return the opaque event of a frame, or an error event if it is an error in another dialect's format."""
        return self.failed(frame) if type(frame) is dict and is_error_frame(frame) else self.kept(frame)

    def kept(self, frame: Any) -> list[Event]:
        """Return the opaque event that keeps a frame."""
        return self.predicted({"type": "opaque", "dialect": self.dialect, "data": frame})

    def predicted(self, event: Event) -> list[Event]:
        """Return an event that covers all of its frame, and pass it to the writer."""
        if not self.abroad:
            self._writer.write(event)
        return [event]

    def compared(self, events: list[Event], frames: Sequence[Any]) -> list[Event]:
        """Return the events of frames; the last one gets the patch from the predicted to the actual frames.

        If no patch is possible, the frames are kept as opaque events.
        """
        if self.abroad:
            return events
        write = self._writer.write
        expected: list[Any] = [*write(events[0])]
        for event in events[1:]:
            expected += write(event)
        return self._with_difference(events, expected, frames)

    def _with_difference(self, events: list[Event], expected: list[Any], frames: Sequence[Any]) -> list[Event]:
        if len(expected) == len(frames) == 1 and type(expected[0]) is dict:  # nearly always
            patch = self._difference(expected[0], frames[0])
        elif len(expected) != len(frames) or any(type(one) is not dict for one in expected):
            return [*events, *(event for frame in frames for event in self.kept(frame))]
        else:
            patch = self._difference(expected, list(frames))
        if patch:
            noted(events[-1], self.dialect, "frame", patch)
        return events


def _nothing(_expected: Any, _found: Any) -> dict[str, Any]:
    """Return no difference, for frames that are passed on as they are."""
    return {}


_TELLING: Final = ("message", "msg", "Message", "detail")
_OF_ERRORS: Final = frozenset({
    *_TELLING, "code", "reason", "type", "error_type", "__type", "status", "raw_status_code", "details", "param",
    "request_id", "success", "originalMessage", "originalStatusCode",
})  # fmt: skip


def is_error_frame(frame: dict[str, Any]) -> bool:
    """Tell whether a frame that its dialect does not know is an error.

    It is one if it is labelled as one, has an `error`, or has a message and only members of error objects. A frame with
    another `type` is none, unless that type names an error or an exception.
    """
    kind, error, errors = frame.get("type"), frame.get("error"), frame.get("errors")
    if frame.get("object") == "error":
        return True
    if type(kind) is str and not ("error" in kind.lower() or "exception" in kind.lower()):
        return False
    if kind == "error" or (type(error) in {dict, str} and bool(error)):
        return True
    if type(errors) is list and errors:
        return type(errors[0]) in {dict, str}
    return frame.keys() <= _OF_ERRORS and any(type(frame.get(name)) is str for name in _TELLING)
