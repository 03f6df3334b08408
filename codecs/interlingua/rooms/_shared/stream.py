"""What the stream halves of all rooms share: a reader that predicts, and a writer that lays differences over.

A decoder holds an encoder, asks it what it would write for its events, and keeps only the difference, as
`extra.<dialect>.frame` of the last of them. So whatever a frame holds beyond its events comes back, known or unknown.
Source: docs/design.md, section 6.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeAlias, TypeVar, cast

from interlingua.arguments import UnwritableError
from interlingua.errors import DecodeError, EncodeError
from interlingua.events import RANKS
from interlingua.json_limits import undecodable, unencodable
from interlingua.loss import FOREIGN, LossLog, pointer
from interlingua.rooms._shared.claude_signatures import SignedAlike, with_signatures
from interlingua.rooms._shared.foreign_errors import is_error_frame
from interlingua.rooms._shared.patch import PATCH, PUT, apply_patch, difference, unknown
from interlingua.rooms._shared.server_calls import is_run, with_runs
from interlingua.rooms._shared.stream_notes import SILENT, noted, spelling
from interlingua.rooms._shared.template import TEXTS, Piece, Template, fresh, padding, piece_of, template, with_text
from interlingua.spi.extra import NOTHING, own_extra
from interlingua.spi.reading import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from interlingua.loss import LossCode
    from interlingua.model_shapes import ApiError
    from interlingua.rooms._shared.api_errors import ErrorForm
    from interlingua.rooms._shared.server_calls import RunsInStream
    from interlingua.rooms._shared.stream_abroad import StreamUsage
    from interlingua.rooms._shared.template import TextPieces

Event: TypeAlias = "dict[str, Any]"
Frame: TypeAlias = "dict[str, Any] | str"

# Members of events that say where they belong.
_TAGS: Final = frozenset({"type", "block", "alternative", "extra"})
# Events that say something of the answer.
_SAYING: Final = frozenset({*RANKS, "tool_call_delta", "citation"})
# The code of the loss of such an event, and the member that is all that it says.
_SAID: Final[Mapping[str, tuple[LossCode, str]]] = MappingProxyType({
    "content": ("message", "text"),
    "reasoning": ("reasoning", "text"),
    "refusal": ("refusal", "text"),
    "tool_call_start": ("message", ""),
    "tool_call_delta": ("arguments", "arguments"),
    "part": ("part", "part"),
    "citation": ("citation", "citation"),
})  # fmt: skip
_CODES: Final[dict[str, LossCode]] = {
    "frame": "extra", "moment": "extra", "fields": "extra", "choice": "extra", "response": "echo"
}  # fmt: skip


class FrameWriter(ABC):
    """The writing half of a room's streams: events in, frames out.

    `home` is whether the stream began in this dialect; events before the start are written as at home, since only
    decoders make such events. Numbers of events count from 0; the path of a loss leads into the list of events.
    """

    dialect: ClassVar[str]
    FREE: ClassVar[str] = ""
    FREE_NOTE: ClassVar[str] = PATCH
    COUNTED: ClassVar[str] = ""
    SIGNED_ALIKE: ClassVar[SignedAlike | None] = None

    def __init__(self, log: LossLog) -> None:
        self.log = log
        self.home = True
        self.number = -1
        self.ended = False
        self._begun = False
        self._reported: set[str] = set()
        self.failed = False  # abroad, where an error has ended the stream
        self._previous: Piece | None = None  # of the event before, where it was one
        self._template: Template | None = None
        self.opened: dict[int, Event] = {}  # abroad: what opened each block, until a tool of the provider is called
        self.runs: RunsInStream | None = None  # since then

    def feed(self, event: Event) -> list[Frame]:
        """Return the frames that an event makes, as they came where they came from this dialect."""
        self.number += 1
        like = self._template
        if like is not None:
            frame = self._like(like, event)
            if frame is not None:
                return [frame]
        try:
            return self._learnt(event) if event["type"] in TEXTS else self.written(event)
        except (UnwritableError, RecursionError, OverflowError) as error:
            raise self.unencodable(event, error) from None

    def _like(self, like: Template, event: Event) -> Frame | None:
        """Return the frame of an event which says the next piece of a block; None for any other event."""
        if not like.piece.is_next(event):
            return None
        text, extra, free = event[like.piece.said], event.get("extra"), None
        if not text:
            return None
        if like.free or extra is not None:
            if extra is None or not self.home or len(extra) != 1:
                return None
            free = padding(extra.get(self.dialect, NOTHING), like.free, self.FREE_NOTE)
            if free is None:
                return None
        for held in like.held:
            held.append(text)
        frame = like.made(text)
        if free is not None:
            frame[like.free] = free
        return frame

    def _learnt(self, event: Event) -> list[Frame]:
        """Return the frames of a piece, and take note where it is the next of a block."""
        self._template = None
        previous = self._previous
        if previous is None or not previous.is_next(event):
            self._previous = piece_of(event)
            return self.written(event)
        text = event[previous.said]
        if not previous.counted(text):
            self._previous = previous if text else None
            return self.written(event)
        text = fresh(text)
        frames = self.written({**event, previous.said: text})
        if len(frames) != 1 or ("extra" in event and not self._has_padding(event)):
            return frames
        held = self.held(event)
        if held is not None:
            self._template = template(frames[0], text, previous, self.FREE, self.COUNTED)
            if self._template is not None:
                self._template.held = held
        return frames

    def _has_padding(self, event: Event) -> bool:
        """Tell whether an event holds padding for its frame, and nothing else that its members do not say."""
        extra = event["extra"]
        return (
            self.home
            and len(extra) == 1
            and padding(extra.get(self.dialect, NOTHING), self.FREE, self.FREE_NOTE) is not None
        )

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return what keeps the pieces of a block as they are written; None where the next may be written otherwise."""
        del event
        return None

    def expected(self, event: Event) -> list[Frame]:
        """Return the frames that the next piece of a block would make; this changes nothing."""
        return self.write(event)

    def written(self, event: Event) -> list[Frame]:
        """Return the frames that an event makes, with its notes laid over; behind an error abroad nothing comes.

        Abroad, what opens blocks is kept until a tool of the provider is called: few streams have such calls.
        """
        if not self.home:
            kind = event["type"]
            if self.runs is not None or (kind == "part" and is_run(event)):
                return with_runs(self, event)
            if kind in RANKS:
                self.opened.setdefault(event["block"], event)
            elif kind == "start":
                self.opened.clear()
        return self.written_now(event)

    def holds_call(self, call: Any) -> bool:
        """Tell whether the dialect has a place for a call of a tool of the provider, and for its result."""
        del call
        return False

    def written_now(self, event: Event) -> list[Frame]:
        """Return the frames that an event makes; a call of a tool of the provider is whole now."""
        if self.SIGNED_ALIKE is not None and "extra" in event and not self.home:
            event = with_signatures(event, self.SIGNED_ALIKE)
        if event["type"] not in TEXTS:
            self._previous = self._template = None
            if event["type"] == "error" and not self.failed and self._is_foreign(event):
                return self._fail(event)
        if self.failed:
            if event["type"] != "start" or event.get("dialect") != self.dialect or self._begun:
                self._report_ignored(event)
                return []
            self.failed = self.ended = False  # a stream of our own whose first frame was an error
        frames = self.write(event) if self._begun else self._first(event)
        if "extra" in event:
            frames = self._with_notes(event, frames)
        if self.home:
            self.wrote(event["type"], frames)
        return frames

    def _with_notes(self, event: Event, frames: list[Frame]) -> list[Frame]:
        """Return the frames of an event with what it holds for them laid over; what it holds for others is reported."""
        extra = event["extra"]
        extra_of = extra.get(self.dialect)
        if extra_of is None or len(extra) > 1:
            self._report_foreign(event["type"], extra)
        if extra_of is not None and self.home:
            if extra_of.get("spelling", NOTHING).get("frame") == SILENT:
                return []
            if "frame" in extra_of and frames:
                return apply_patch(frames, extra_of["frame"])
        return frames

    def wrote(self, kind: str, frames: list[Frame]) -> None:  # noqa: B027  # most rooms expect nothing of it
        """Take note of the frames of an event of a kind, as they go out at home."""

    def _is_foreign(self, event: Event) -> bool:
        """Tell whether an error is not one of this stream, as its decoder told it."""
        dialect = event.get("dialect")
        if dialect == self.dialect:
            return "error_places" in spelling(event, self.dialect)
        return dialect is not None or not (own_extra(event, self.dialect) or (self.home and self._begun))

    def _fail(self, event: Event) -> list[Frame]:
        """Return the frames that end a stream with an error: what is open stays open, and nothing follows."""
        from interlingua.rooms._shared import stream_errors  # noqa: PLC0415  # most streams have none

        extra = event.get("extra", NOTHING)
        if not any(map(stream_errors.has_places, extra.values())):  # it is of a frame
            self._report_foreign("error", extra)
            event = {name: value for name, value in event.items() if name != "extra"}
        scratch = LossLog()
        frames = self.failure(stream_errors.error_of(event), scratch)
        self.relocated(scratch, self.number, stream_errors.PLACES)
        self.failed = self.ended = True
        if self.home:
            self.wrote("error", frames)
        return frames

    def failure(self, error: ApiError, log: LossLog) -> list[Frame]:
        """Return the frames that say an error, the last of the stream; the log speaks of the error."""
        from interlingua.rooms._shared.api_errors import encode_failure  # noqa: PLC0415  # most streams have none

        return [encode_failure(error, self.error_form(), log)]

    @abstractmethod
    def error_form(self) -> ErrorForm:
        """Return how the dialect says errors."""

    def _report_ignored(self, event: Event) -> None:
        """Note what an event says behind the error that ended the stream."""
        kind = event["type"]
        if kind == "usage":
            self.log.lost("member", self.path("usage"), "the stream had failed before")
        elif kind == "finish" and event["reason"] != "error":
            self.log.lost("finish_reason", self.path("reason"), "the stream had failed before")
        elif kind in _SAYING:
            self._lost_said(self.number, kind, "the stream had failed before")

    def lost_waiting(self, waiting: Iterable[tuple[int, Event]]) -> None:
        """Note what had to wait for the end of an open block when the stream failed."""
        for number, event in waiting:
            if event["type"] in _SAYING:
                self._lost_said(number, event["type"], "the stream failed before it could be written")

    def _lost_said(self, number: int, kind: str, why: str) -> None:
        """Note what an event says of the answer."""
        code, member = _SAID[kind]
        self.log.lost(code, pointer(number, member) if member else pointer(number), why)

    def unencodable(self, event: Event, error: UnwritableError | RecursionError | OverflowError) -> Exception:
        """Return the error of an event that cannot be written, at its place; the given one if it is not to blame."""
        return unencodable(event, self.dialect, error, self.path())

    def _first(self, event: Event) -> list[Frame]:
        """Return the frames of an event before the start; one that says something, and is not ours, begins all."""
        kind = event["type"]
        if kind == "start":
            self._begun = True
        elif kind in RANKS and not own_extra(event, self.dialect):
            self._begun = True
            return [*self.write({"type": "start"}), *(with_runs(self, event) if is_run(event) else self.write(event))]
        elif kind == "state" and not own_extra(event, self.dialect):
            return []  # another dialect's frame, which says nothing
        return self.write(event)

    def close(self) -> list[Frame]:
        """Return what is still to be written where no `end` came: the stream was cut."""
        return [] if self.ended else self.feed({"type": "end", "complete": False})

    @abstractmethod
    def write(self, event: Event) -> list[Frame]:
        """Return the frames that an event makes by habit."""

    def path(self, *tokens: str | int) -> str:
        """Return where something stands in the event that is being written."""
        return pointer(self.number, *tokens)

    def relocated(self, scratch: LossLog, number: int, places: Mapping[str, str]) -> None:
        """Note the losses of a log that speaks of a response as losses of an event.

        `places` maps paths of the response to those of the event; what begins with one follows it.
        """
        if not scratch.has_notes:  # nearly always
            return

        def path_of(path: str) -> str:
            for place, member in places.items():
                if path == place or path.startswith(f"{place}/"):
                    return f"/{number}{member}{path[len(place) :]}"
            return f"/{number}"

        scratch.move(self.log, path_of)

    def opaque_frame(self, event: Event) -> list[Frame]:
        """Return the frame that an event kept whole; one of another dialect is lost, told once for each type."""
        data = event["data"]
        if event["dialect"] == self.dialect:
            return [data]
        word = data.get("type") if type(data) is dict else ""
        if type(word) is str and word.endswith(".done") and type(data.get("item")) is dict:
            self.log.lost("message", self.path("data"), "only the dialect that it came from has such an item")
            return []
        kind = f"{event['dialect']}/{word if type(word) is str else None}"
        if kind not in self._reported:
            self._reported.add(kind)
            self.log.lost("extra", self.path("data"), "only the dialect that it came from has such a frame")
        return []

    def relocated_usage(self, scratch: LossLog, counts: StreamUsage) -> None:
        """Note the losses of a log that speaks of the usage of a response as losses of the events that said it."""
        if scratch.has_notes:
            number = counts.numbers()
            scratch.move(self.log, lambda path: f"/{number(path)}{path}")

    def relocated_call(self, scratch: LossLog, number: int, told: int, place: str) -> None:
        """Note the losses of a log that speaks of a call at a place; its arguments may have come in another event."""

        def path_of(path: str) -> str:
            member = path.removeprefix(place)
            return f"/{told if member.startswith('/arguments') else number}{member}"

        scratch.move(self.log, path_of)

    def lost_alternative(self, event: Event) -> None:
        """Note what an event says of an answer beside the first, where the dialect gives one."""
        for name in event:
            if name not in _TAGS:
                self.log.lost("message", self.path(name), "the target gives one answer: the others were left out")

    def unmatched_arguments(self, event: Event) -> None:
        """Note a piece of arguments that no open call takes."""
        if event["arguments"]:
            self.log.lost("arguments", self.path("arguments"), "no call is open that the arguments could belong to")

    def replaced_part(self) -> None:
        """Note a part that replaces one that has been written."""
        self.log.lost("part", self.path("part"), "what was sent already cannot be taken back")

    def cut(self, finish: tuple[int, Mapping[str, Any]] | None, counts: StreamUsage | None, written: int = -1) -> None:
        """Note what has been held for the end of a stream that was cut; the counts of event `written` were not."""
        if finish is not None:
            number, said = finish
            for name in said:
                if name not in _TAGS:
                    self.log.lost("finish_reason", f"/{number}/{name}", "the stream was cut before its end")
        for code, path, number in () if counts is None else counts.told():
            if number != written:
                self.log.lost(code, f"/{number}{path}", "the stream was cut before its end")

    def restarted(self) -> None:
        """Note that a second start, which takes back what came before, only adds to it here."""
        self.log.changed("message", self.path("type"), "what was sent already cannot be taken back")

    def _report_foreign(self, kind: str, extra: Mapping[str, Any]) -> None:
        """Note what an event holds for other dialects; what comes with every frame is noted once for each kind."""
        for owner, extra_of in extra.items():
            if owner == self.dialect or type(extra_of) is not dict:
                continue
            for name in cast("dict[str, Any]", extra_of):
                if name == "spelling":
                    continue
                code, once = _CODES.get(name, "provider_state"), f"{kind}/{owner}/{name}"
                held: Any = extra_of[name]
                if name == "frame" and type(held) is dict and "unknown" in held:  # each is told once
                    self.log.lost(code, self.path("extra", owner, name), FOREIGN)
                    continue
                if code == "extra" and once in self._reported:
                    continue
                self._reported.add(once)
                for inner in held if name == "item" and type(held) is dict and held else ("",):
                    place = (owner, name, inner) if inner else (owner, name)
                    self.log.lost(code, self.path("extra", *place), FOREIGN)


Writer = TypeVar("Writer", bound=FrameWriter)


class FrameReader(ABC, Generic[Writer]):
    """The reading half of a room's streams: frames in, events out.

    Within the dialect it asks the writer what it would write for the events, and notes the difference. Events for
    another dialect (`set_cross_dialect`) need no prediction: only members that no room knows are noted, each once a
    stream.
    `KNOWN` names the members that the room knows (`unknown` tells the form); `FREE` is a member of any text
    (padding), which events keep under `FREE_NOTE`; `COUNTED` is a number that grows by one with each frame.
    """

    dialect: ClassVar[str]
    KNOWN: ClassVar[Mapping[str, Any]] = NOTHING
    FREE: ClassVar[str] = ""
    FREE_NOTE: ClassVar[str] = PATCH
    COUNTED: ClassVar[str] = ""

    def __init__(self, writer: Callable[[LossLog], Writer]) -> None:
        self._new_writer = writer
        self._count = -1
        self._ended = False
        self.finished = False
        self.abroad = self._is_told = False
        self._unknown: set[str] = set()
        self.known: dict[str, Any] = {}  # what the room knows, and what has been told
        self._previous: Piece | None = None  # of the frame before, where it said one piece and nothing else
        self._template: Template | None = None

    @cached_property
    def _writer(self) -> Writer:
        """What would be written for the events: abroad nobody asks."""
        return self._new_writer(LossLog())

    def set_cross_dialect(self, *, is_told: bool) -> None:
        """Say that no writer of this dialect will get the events; `is_told`: what is unknown of a frame is noted."""
        if self.KNOWN:
            self.abroad, self._is_told, self.known = True, is_told, dict(self.KNOWN)

    def feed(self, frame: Any) -> list[Event]:
        """Return the events of a frame. Raises `DecodeError` where a known frame is malformed."""
        self._count += 1
        like = self._template
        if like is not None and type(frame) is dict:
            text = like.read(frame)
            if text is not None:
                for held in like.held:
                    held.append(text)
                event = like.piece.event(text)
                if like.free and not self.abroad:
                    free = frame[like.free] if self.FREE_NOTE != PATCH else {PUT: {like.free: frame[like.free]}}
                    noted(event, self.dialect, self.FREE_NOTE, free)
                return [event]
        try:
            events = self.read(frame)
        except Malformed as malformed:
            if type(frame) is not dict or not is_error_frame(frame):
                raise DecodeError(self.dialect, pointer(self._count) + malformed.path, malformed.reason) from None
            events = self._foreign_error(frame)
        except (EncodeError, RecursionError) as error:  # what cannot be predicted cannot be read
            raise self._undecodable(frame, error) from None
        if events:
            self._ended = events[-1]["type"] == "end"
            if self._is_told and type(frame) is dict and events[-1]["type"] != "opaque":
                self._note_unknown(events[-1], frame)
        self._learn(events, frame)
        return events

    def _foreign_error(self, frame: dict[str, Any]) -> list[Event]:
        """Return the events of an error in the words of another dialect."""
        from interlingua.rooms._shared.stream_errors import error_event  # noqa: PLC0415  # most streams have none

        return self.compared([error_event(frame, self._writer.error_form())], [frame])

    def _note_unknown(self, event: Event, frame: dict[str, Any]) -> None:
        """Note on the last event of a frame what nobody knows of it."""
        paths = self.beyond(frame)
        if not paths:
            return
        new = [path for path in dict.fromkeys(paths) if path not in self._unknown]
        if new:
            self._unknown.update(new)
            for name in frame:
                if name not in self.known and f"/{name}" in new:
                    self.known[name] = None
            noted(event, self.dialect, "frame", {"unknown": new})

    def beyond(self, frame: dict[str, Any]) -> Sequence[str]:
        """Return where the members of a frame stand that no event says and no table of the room knows."""
        return unknown(frame, self.known)

    def _learn(self, events: list[Event], frame: Any) -> None:
        """Take note of a frame which says the next piece of a block, and nothing else."""
        piece, self._previous, self._template = self._previous, None, None
        if len(events) != 1 or events[0]["type"] not in TEXTS:
            return
        event = events[0]
        if piece is None or not piece.is_next(event):
            piece = piece_of(event)
            if piece is not None and self._is_plain(event):
                self._previous = piece
            return
        text = event[piece.said]
        if not text or not self._is_plain(event):
            return
        self._previous = piece
        if not piece.counted(text):
            return
        text = fresh(text)
        held = self.held(event)
        if held is None:
            return
        try:
            expected = self._expected(event, piece, text, frame)
        except RecursionError:  # a frame so deep is read by the room alone
            return
        found = template(expected, text, piece, self.FREE, self.COUNTED)
        if found is not None and found.read(frame) is not None:
            found.held = held
            self._template = found

    def _expected(self, event: Event, piece: Piece, text: str, frame: Any) -> Any:
        """Return the frame of a piece as it would be written, with its text as an object of its own."""
        if self.abroad:
            return with_text(frame, event[piece.said], text)
        frames = self._writer.expected(piece.event(text))
        expected = frames[0] if len(frames) == 1 else None
        return {**expected, self.FREE: frame[self.FREE]} if type(expected) is dict and self.FREE in frame else expected

    def _is_plain(self, event: Event) -> bool:
        """Tell whether an event holds nothing beyond its text; padding may be any."""
        extra = event.get("extra")
        if extra is None:
            return True
        extra_of = extra.get(self.dialect) if len(extra) == 1 else None
        return (
            bool(self.FREE)
            and extra_of is not None
            and len(extra_of) == 1
            and padding(extra_of, self.FREE, self.FREE_NOTE) is not None
        )

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return what keeps the pieces of a block as they are read.

        None where a frame like that of this piece may say something else than the next piece of the block.
        """
        del event
        return None

    def _undecodable(self, frame: Any, error: EncodeError | RecursionError) -> Exception:
        """Return the error of a frame that cannot be read, or the given one where the frame is not to blame."""
        return undecodable(frame, self.dialect, error, pointer(self._count))

    def close(self) -> list[Event]:
        """Return the events that end the stream, if it has not ended: no terminator came."""
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
        """Return the event that keeps a frame as it is; an error in the words of another dialect is an error."""
        return self._foreign_error(frame) if type(frame) is dict and is_error_frame(frame) else self.kept(frame)

    def kept(self, frame: Any) -> list[Event]:
        """Return the event that keeps a frame as it is."""
        return self.predicted({"type": "opaque", "dialect": self.dialect, "data": frame})

    def predicted(self, event: Event) -> list[Event]:
        """Return an event that says all that its frame holds; the writer takes note of it."""
        if not self.abroad:
            self._writer.write(event)
        return [event]

    def compared(self, events: list[Event], frames: Sequence[Any]) -> list[Event]:
        """Return the events of frames, the last with the difference between them and what would be written.

        Where the frames cannot be made of what would be written, they are kept as they are.
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
            patch = difference(expected[0], frames[0])
        elif len(expected) != len(frames) or any(type(one) is not dict for one in expected):
            return [*events, *(event for frame in frames for event in self.kept(frame))]
        else:
            patch = difference(expected, list(frames))
        if patch:
            noted(events[-1], self.dialect, "frame", patch)
        return events
