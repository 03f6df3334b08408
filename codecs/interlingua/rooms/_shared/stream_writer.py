"""Base class of all stream encoders: writes events as frames, and applies the patches that decoders stored.

A decoder has an encoder, asks it which frames it would write for the events, and keeps only the difference, as
`extra.<dialect>.frame` of the last event. So whatever a frame holds beyond its events comes back, known or unknown.
Source: docs/design.md, section 6.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, cast

from interlingua.events import RANKS
from interlingua.json_limits import unencodable
from interlingua.loss import FOREIGN, LossLog, is_empty_value
from interlingua.loss_consolidation import HOLDERS
from interlingua.pointers import pointer
from interlingua.rooms._shared.claude_signatures import SharedSignatures, with_signatures
from interlingua.rooms._shared.detached_citations import StreamTexts
from interlingua.rooms._shared.paragraph_breaks import StreamParagraphBreaks
from interlingua.rooms._shared.patch import PATCH, apply_patch, members_beyond
from interlingua.rooms._shared.spoken_answers import event_with_transcript, is_spoken
from interlingua.rooms._shared.stream_notes import SILENT, spelling
from interlingua.rooms._shared.stream_server_calls import is_server_event, write_server_calls
from interlingua.rooms._shared.stream_template import (
    LEARNT_WRITING,
    TEXTS,
    Piece,
    PieceCounter,
    Template,
    fresh,
    padding,
    template,
)
from interlingua.rooms._shared.writing import Target
from interlingua.spi.extra import NOTHING, own_extra
from interlingua.tool_arguments import UnwritableError
from interlingua.unique_call_ids import with_unique_call_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from interlingua.json_limits import Failure
    from interlingua.loss import LossCode
    from interlingua.loss_types import Severity
    from interlingua.model_shapes import ApiError
    from interlingua.rooms._shared.stream_abroad import StreamUsage, WholeCalls
    from interlingua.rooms._shared.stream_server_calls import StreamServerCalls
    from interlingua.rooms._shared.stream_template import TextPieces
    from interlingua.spi.descriptor import Descriptor

Event: TypeAlias = "dict[str, Any]"
Frame: TypeAlias = "dict[str, Any] | str"

# Members of events that locate them.
_TAGS: Final = frozenset({"type", "block", "alternative", "extra"})
# Events with content of the answer, and those that may follow a lost part.
_SAYING: Final = frozenset({*RANKS, "tool_call_delta", "citation"})
_PARTED: Final = _SAYING - {"tool_call_delta"}
_CUT: Final = "the stream was cut before the call was whole"
_OF_PINGS: Final = frozenset({"type", "sequence_number"})
_MARKS: Final = frozenset({"start", "error", "end"})  # events that are no content
# The loss code for such an event, and the member with its content.
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
    "frame": "extra", "moment": "extra", "fields": "extra", "choice": "extra", "logprobs": "extra", "response": "echo"
}  # fmt: skip


_CALL: Final = "/messages/0/tool_calls/0"
# Path in a response -> path in the event.
_PLACES: Final[Mapping[str, str]] = MappingProxyType({
    _CALL: "", "/finish_reason_raw": "/raw", "/finish_reason": "/reason",
    **{name: name for name in ("/created", "/extra", "/part", "/stop_sequence", "/usage")},
})  # fmt: skip


class _LogOfEvents(LossLog):
    """Notes what is lost of a response as lost of the events that told it."""

    __slots__ = ("_log", "_path_of")

    def __init__(self, log: LossLog, path_of: Callable[[str], str]) -> None:  # it collects nothing itself
        self.own_names, self.asked, self.renamed, self.optional = log.own_names, log.asked, {}, {}
        self._log = log
        self._path_of = path_of

    def note(self, code: LossCode, path: str, detail: str, severity: Severity) -> None:
        """Note it there."""
        self._log.note(code, self._path_of(path), detail, severity)

    def lost(self, code: LossCode, path: str, detail: str) -> None:
        """Note that the value at `path` is not in the output."""
        self.note(code, path, detail, "lost")

    def changed(self, code: LossCode, path: str, detail: str) -> None:
        """Note that the value at `path` is respelt in the output."""
        self.note(code, path, detail, "changed")

    def filled(self, path: str, detail: str) -> None:
        """Note that the output holds a value at `path` that nobody gave."""
        self.note("required", path, detail, "filled")


def _undescribed(_dialect: str) -> Descriptor | None:
    return None


class FrameWriter(ABC):
    """A stream encoder: events in, frames out.

    `home`: the stream came from this dialect. Events before the start are written as at home, since only decoders make
    them. Events are numbered from 0; the path of a loss points into the list of events.
    """

    dialect: str
    FREE: ClassVar[str] = ""
    FREE_NOTE: ClassVar[str] = PATCH
    COUNTED: ClassVar[str] = ""
    SHARED_SIGNATURES: ClassVar[SharedSignatures | None] = None
    described: Callable[[str], Descriptor | None] = staticmethod(_undescribed)  # set by those who know all dialects

    def __init__(self, log: LossLog) -> None:
        self.log = log
        self.home = True
        self.number = -1
        self.ended = False
        self._begun = False
        self._call_ids: dict[int, dict[str, int]] = {}  # abroad, by answer
        self._reported: set[str] = set()
        # Abroad: the stream has ended, perhaps with an error, and clients accept nothing behind its end.
        self._over = self._failed = False
        self._pieces = PieceCounter(LEARNT_WRITING)
        self._template: Template | None = None
        self.has_waiting_tokens = False  # of `LogprobsWriter`
        self._paragraph_breaks = StreamParagraphBreaks(self.dialect)  # abroad
        self._joined_texts = StreamTexts()  # abroad
        self.opened: dict[int, Event] = {}  # abroad: the first event of each block, until a server tool call
        self.runs: StreamServerCalls | None = None  # after that

    def feed(self, event: Event) -> list[Frame]:
        """Return the frames of an event; at home they are as they came."""
        self.number += 1
        if self._joined_texts.moves:
            event = self._joined_texts.moved(event)
        if self._template is not None:
            frame = self._from_template(self._template, event)
            if frame is not None:
                return [frame]
        self._template = None
        piece: Piece | None = None
        try:
            if event["type"] not in TEXTS:
                self._pieces.last = None
            elif (piece := self._pieces.count(event)) is not None:
                event = {**event, piece.said: fresh(event[piece.said])}
            is_plain = "extra" not in event and not self.has_waiting_tokens
            frames = self.written(event) if is_plain else self.written_with_extra(event)
            if piece is not None and len(frames) == 1:
                self._learn(piece, event, frames[0])
        except (UnwritableError, RecursionError, OverflowError, TypeError, AttributeError) as error:
            raise self.unencodable(event, error) from None
        return frames

    def _from_template(self, like: Template, event: Event) -> Frame | None:
        """Return the frame of an event that is the next piece of a block; None for any other event."""
        piece = like.piece
        if not piece.is_next(event):
            return None
        text, extra, free = event[piece.said], event.get("extra"), None
        if not text:
            return None
        if like.free or extra is not None:
            free = padding(extra, self.dialect, like.free, self.FREE_NOTE) if extra is not None and self.home else None
            if free is None:
                return None
        for held in like.held:
            held.append(text)
        frame = like.made(text)
        if free is not None:
            frame[like.free] = free
        return frame

    def _learn(self, piece: Piece, event: Event, frame: Frame) -> None:
        """Make a template from the frame of a piece that has at most padding beside its text."""
        if "extra" in event and not (
            self.home and padding(event["extra"], self.dialect, self.FREE, self.FREE_NOTE) is not None
        ):
            return
        held = self.held(event)
        if held is None:
            return
        self._template = template(frame, event[piece.said], piece, self.FREE, self.COUNTED, fresh=True)
        if self._template is not None:
            length = self._joined_texts.length
            self._template.held = held if length is None else (*held, length)

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return the collectors of a block's pieces as they are written; None if the next may be written otherwise."""
        del event
        return None

    def written_with_extra(self, event: Event) -> list[Frame]:
        """Return the frames of an event that has `extra`, or that tokens of the events before wait for."""
        return self.written(event)

    def written(self, event: Event) -> list[Frame]:
        """Return the frames of an event, with its patch applied; nothing follows an error abroad.

        Abroad, the first event of each block is kept until a server tool call: few streams have any.
        """
        if self.home:
            return self.written_now(event)
        told = self._joined_texts.feed(self.number, event)
        return self._written_abroad(event) if told is None else self.written_by(self._written_abroad, told)

    def written_by(self, write: Callable[[Event], list[Frame]], numbered: Iterable[tuple[int, Event]]) -> list[Frame]:
        """Return the frames that a function makes of events, each under its own number."""
        frames: list[Frame] = []
        now = self.number
        for self.number, event in numbered:
            frames += write(event)
        self.number = now
        return frames

    def _written_abroad(self, event: Event) -> list[Frame]:
        kind = event["type"]
        if kind == "part" and is_spoken(event) and not self._has_audio():
            event = event_with_transcript(event, self.path("part"), self.log)
            kind = "content"
        if kind in _PARTED:
            event = self._paragraph_breaks.feed(event)
            if self.runs is not None or (kind == "part" and is_server_event(event)):
                return write_server_calls(self, event)
            if kind == "tool_call_start":
                taken = self._call_ids.setdefault(event.get("alternative", 0), {})
                event = with_unique_call_id(event, taken, f"/{self.number}/id", self.log)
            if kind != "citation":
                self.opened.setdefault(event["block"], event)
        elif self.runs is not None:
            return write_server_calls(self, event)
        return self.written_now(event)

    def _has_audio(self) -> bool:
        """Tell whether answers of the dialect can be spoken."""
        described = self.described(self.dialect)
        return described is None or described.spoken_answers

    def holds_call(self, call: Any) -> bool:
        """Tell whether the dialect has a place for a server tool call and its result."""
        del call
        return False

    def written_now(self, event: Event) -> list[Frame]:
        """Return the frames of an event; server tool calls are complete at this point."""
        if self._over and not self._begins_again(event):
            self._report_ignored(event)
            return []
        if "extra" in event and self.SHARED_SIGNATURES is not None and not self.home:
            event = with_signatures(event, self.SHARED_SIGNATURES)
        kind = event["type"]
        if kind in _MARKS:
            if kind == "error" and self._is_foreign(event):
                return self._fail(event)
            self._mark(kind, event)
        frames = self.write(event) if self._begun else self._first(event)
        if "extra" in event:
            frames = self._with_notes(event, frames)
        if self.home:
            self.wrote(kind, frames)
        return frames

    def _mark(self, kind: str, event: Event) -> None:
        """Note that a stream begins or ends."""
        if kind == "end":
            self._over = not self.home and event["complete"]
        elif kind == "start":
            described = self.described(event["dialect"]) if "dialect" in event else None
            self._joined_texts.begin(joins=described is not None and described.splits_texts)
            if self._begun and self.runs is None:
                self.opened.clear()
                self._paragraph_breaks = StreamParagraphBreaks(self.dialect)

    def _begins_again(self, event: Event) -> bool:
        """Tell whether an event behind an error starts a stream of this dialect whose first frame was the error."""
        is_own_start = event["type"] == "start" and event.get("dialect") == self.dialect
        if not self._failed or self._begun or not is_own_start:
            return False
        self._over = self._failed = self.ended = False
        return True

    def _with_notes(self, event: Event, frames: list[Frame]) -> list[Frame]:
        """Return the frames with the event's patch applied; what the event holds for other dialects is reported."""
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
        """Observe the frames of an event as they go out at home."""

    def _is_foreign(self, event: Event) -> bool:
        """Tell whether an error event was not made by this dialect's stream decoder."""
        dialect = event.get("dialect")
        if dialect == self.dialect:
            return "error_places" in spelling(event, self.dialect)
        return dialect is not None or not (own_extra(event, self.dialect) or (self.home and self._begun))

    def _fail(self, event: Event) -> list[Frame]:
        """Return the frames that end a stream with an error: open blocks stay open, and nothing follows."""
        from interlingua.rooms._shared import stream_errors  # noqa: PLC0415  # most streams have none

        extra = event.get("extra", NOTHING)
        if not any(map(stream_errors.has_places, extra.values())):  # it belongs to a frame
            self._report_foreign("error", extra)
            event = {name: value for name, value in event.items() if name != "extra"}
        frames = self.failure(stream_errors.error_of(event), self.log_of(self.number, stream_errors.PLACES))
        self._over = self._failed = self.ended = True
        if self.home:
            self.wrote("error", frames)
        return frames

    def failure(self, error: ApiError, log: LossLog) -> list[Frame]:
        """Return the frames of an error, the last of the stream; paths in the log are relative to the error."""
        from interlingua.rooms._shared.stream_errors import failed_body  # noqa: PLC0415  # most streams have none

        return [failed_body(error, self.dialect, log)]

    def _report_ignored(self, event: Event) -> None:
        """Report the content of an event behind the end of the stream, or behind its error."""
        kind = event["type"]
        over = "the stream had already failed" if self._failed else "the stream had already ended"
        if self._failed and "error" in {kind, event.get("reason")}:  # nothing is lost
            return
        if kind == "usage":
            self.log.lost("member", self.path("usage"), over)
        elif kind == "finish":
            self.log.lost("finish_reason", self.path("reason"), over)
        elif kind == "error":
            self.log.lost("message", self.path(), over)
        elif kind in _SAYING:
            self._lost_said(self.number, kind, over)
        elif kind == "end" and "extra" in event:
            self._report_foreign(kind, event["extra"])

    def lost_waiting(self, waiting: Iterable[tuple[int, Event]]) -> None:
        """Report events that were still held back when the stream failed."""
        for number, event in waiting:
            if event["type"] in _SAYING:
                self._lost_said(number, event["type"], "the stream failed before it could be written")

    def lost_broken(self, calls: WholeCalls) -> None:
        """Report calls that are incomplete because the stream was cut; they are not written."""
        for number, call in calls.broken():
            self._lost_said(number, call["type"], _CUT)
            if call["arguments"]:
                self.log.lost("arguments", pointer(calls.told(call, number), "arguments"), _CUT)

    def _lost_said(self, number: int, kind: str, why: str) -> None:
        """Report the content of an event as lost."""
        code, member = _SAID[kind]
        self.log.lost(code, pointer(number, member) if member else pointer(number), why)

    def unencodable(self, event: Event, error: Failure) -> Exception:
        """Return the error for an event that cannot be written, with its path, or the given error for other causes."""
        return unencodable(event, self.dialect, error, self.path())

    def _first(self, event: Event) -> list[Frame]:
        """Return the frames of an event before the start; content from elsewhere makes a start of its own."""
        kind = event["type"]
        if kind == "start":
            self._begun = True
        elif kind in RANKS and not own_extra(event, self.dialect):
            self._begun = True
            return [
                *self.write({"type": "start"}),
                *(write_server_calls(self, event) if is_server_event(event) else self.write(event)),
            ]
        elif kind == "state" and not own_extra(event, self.dialect):
            return []  # an empty frame of another dialect
        return self.write(event)

    def close(self) -> list[Frame]:
        """Return the remaining frames if no `end` event came: the stream was cut."""
        return [] if self.ended else self.feed({"type": "end", "complete": False})

    @abstractmethod
    def write(self, event: Event) -> list[Frame]:
        """Return the frames of an event, written by habit."""

    def path(self, *tokens: str | int) -> str:
        """Return a path in the event that is being written."""
        return pointer(self.number, *tokens)

    def target(self) -> Target:
        """Return where a value of an answer is written to; its paths lead into the list of events."""
        return Target(self.dialect, self.home, answer=True, log=self.log)

    def target_of(self, number: int, places: Mapping[str, str] = _PLACES) -> Target:
        """Return where what a response says is written to, of which an event told it: see `log_of`."""
        return Target(self.dialect, self.home, answer=True, log=self.log_of(number, places))

    def log_of(self, number: int, places: Mapping[str, str] = _PLACES) -> LossLog:
        """Return the log of what a response says, of which an event told it.

        `places` maps paths of the response to those of the event; what begins with one follows it.
        """

        def path_of(path: str) -> str:
            if path in places:
                return f"/{number}{places[path]}"
            for place, member in places.items():
                if path.startswith(f"{place}/"):
                    return f"/{number}{member}{path[len(place) :]}"
            return f"/{number}"

        return _LogOfEvents(self.log, path_of)

    def opaque_frame(self, event: Event) -> list[Frame]:
        """Return the frame of an opaque event; one of another dialect is reported as lost, once for each type.

        One that only has a type, such as a ping, says nothing.
        """
        data = event["data"]
        if event["dialect"] == self.dialect:
            return [data]
        word = data.get("type") if type(data) is dict else ""
        if type(data) is dict and type(word) is str and data.keys() <= _OF_PINGS:
            return []
        if type(word) is str and word.endswith(".done") and type(data.get("item")) is dict:
            self.log.lost("message", self.path("data"), "only its own dialect has such an item")
            return []
        kind = f"{event['dialect']}/{word if type(word) is str else None}"
        if kind not in self._reported:
            self._reported.add(kind)
            self.log.lost("extra", self.path("data"), "only its own dialect has such a frame")
        return []

    def target_of_usage(self, counts: StreamUsage) -> Target:
        """Return where the usage of a response is written to, of which several events told the counts."""
        return self._relocating(counts.path_of)

    def target_of_call(self, number: int, told: int) -> Target:
        """Return where a call is written to; another event than that of its number may have told its arguments."""

        def path_of(path: str) -> str:
            member = path.removeprefix(_CALL)
            return f"/{told if member.startswith('/arguments') else number}{member}"

        return self._relocating(path_of)

    def _relocating(self, path_of: Callable[[str], str]) -> Target:
        return Target(self.dialect, self.home, answer=True, log=_LogOfEvents(self.log, path_of))

    def lost_alternative(self, event: Event) -> None:
        """Report the content of an alternative answer, if the dialect has only one answer."""
        for name in event:
            if name not in _TAGS:
                self.log.lost("message", self.path(name), "the target has only one answer: the others were left out")

    def unmatched_arguments(self, event: Event) -> None:
        """Report arguments that belong to no open call."""
        if event["arguments"]:
            self.log.lost("arguments", self.path("arguments"), "no call is open that the arguments could belong to")

    def replaced_part(self) -> None:
        """Report a part that would replace one that is already written."""
        self.log.lost("part", self.path("part"), "what was already sent cannot be withdrawn")

    def cut(self, finish: tuple[int, Mapping[str, Any]] | None, counts: StreamUsage | None, written: int = -1) -> None:
        """Report what was held for the end of a stream that was cut, except the usage of the event `written`."""
        if finish is not None:
            number, said = finish
            for name in said:
                if name not in _TAGS:
                    self.log.lost("finish_reason", f"/{number}/{name}", "the stream was cut before its end")
        for code, path, number in () if counts is None else counts.told():
            if number != written:
                self.log.lost(code, f"/{number}{path}", "the stream was cut before its end")

    def restarted(self) -> None:
        """Report that a second start, which replaces the earlier answer, only adds to it here."""
        self.log.changed("message", self.path("type"), "what was already sent cannot be withdrawn")

    def _report_foreign(self, kind: str, extra: Mapping[str, Any]) -> None:
        """Report what an event holds for other dialects; members of every frame only once for each event type."""
        for owner, extra_of in extra.items():
            if owner == self.dialect or type(extra_of) is not dict:
                continue
            for name, held in cast("dict[str, Any]", extra_of).items():
                if name == "spelling":
                    continue
                code = _CODES.get(name, "provider_state")
                for inner in _members_within(name, held):
                    if code == "extra":
                        once = f"{kind}/{owner}/{name}/{inner}"
                        if once in self._reported:
                            continue
                        self._reported.add(once)
                    place = (owner, name, inner) if inner else (owner, name)
                    self.log.lost(code, self.path("extra", *place), FOREIGN)


def _members_within(name: str, held: Any) -> Iterable[str]:
    """Return the names of the provider's members within one of our own; the empty name is that member itself."""
    if name == PATCH:
        return members_beyond(held)
    if name in HOLDERS and type(held) is dict:
        unsaid = "type" if name == "item" else ""  # of which kind the item is
        return [inner for inner, value in held.items() if not (inner == unsaid or is_empty_value(value))]
    return ("",)
