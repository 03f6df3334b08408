"""Decode Responses streams to canonical events.

Frames that close a text are held until the item is done, or something else comes; so is the frame that announces a
message or reasoning item, until its first part. Source: docs/wire/openai_responses.md, section 3.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.events import RANKS
from interlingua.rooms._shared.stream_notes import MORE, noted, spelled, spelling
from interlingua.rooms._shared.stream_reader import FrameReader
from interlingua.rooms.openai_responses.decode_answer import decode_status, decode_usage
from interlingua.rooms.openai_responses.decode_message import decode_items
from interlingua.rooms.openai_responses.decode_part import decode_citation, decode_part
from interlingua.rooms.openai_responses.finish_reasons import implied_reason_of_items
from interlingua.rooms.openai_responses.server_calls import decode_run
from interlingua.rooms.openai_responses.stream_encoder import StreamEncoder, closing_habit
from interlingua.rooms.openai_responses.stream_items import Announced, Assembly
from interlingua.rooms.openai_responses.stream_missing_content import (
    ClosingFrames,
    announced_texts,
    call_opening,
    finishing_events,
    is_canonical,
    item_state,
    late_items,
    missing_tail,
    new_encrypted_content,
    next_block,
    opening,
    piece,
    run_events,
    silent,
)
from interlingua.rooms.openai_responses.stream_tables import (
    ANNOTATED,
    DELTA,
    DELTAS,
    DONE,
    DONES,
    ITEM_ADDED,
    ITEM_DONE,
    NUMBER,
    OUTPUT_TEXT_FRAMES,
    PADDING,
    PART_DONE,
    PARTS,
    PARTS_ADDED,
    PARTS_DONE,
    REASONING_TEXT_FRAMES,
    START_FRAMES,
    TERMINALS,
    TEXT_DONE,
)
from interlingua.rooms.openai_responses.tables import CALLS, DIALECT, REASONING_TEXT
from interlingua.spi.reading import OBJECT, TEXT, Malformed, Unmapped, expect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from interlingua.rooms._shared.stream_template import TextPieces
    from interlingua.rooms._shared.stream_writer import Event, Frame

_COUNT: Final[tuple[type, ...]] = (int,)
# Frames that can continue the held ones.
_WAITED_FOR: Final = frozenset({*PARTS_ADDED, *PARTS_DONE, ITEM_DONE})
# Item types of which each begins a message, and events that belong to a message item.
_ITEMS: Final = frozenset({"message", "reasoning"})
_SPOKEN: Final = frozenset({"content", "refusal", "part"})
# Response members that events or habits account for; all others repeat the request.
_TOLD: Final = frozenset(
    {"id", "model", "created_at", "object", "status", "output", "error", "incomplete_details", "usage"}
)


class StreamDecoder(FrameReader[StreamEncoder]):
    """Decodes the frames of a Responses stream."""

    dialect = DIALECT
    FREE: ClassVar[str] = PADDING
    COUNTED: ClassVar[str] = NUMBER

    def __init__(self) -> None:
        super().__init__(StreamEncoder)
        self._assembly = self._writer.assembly
        self._opened = 0  # blocks so far
        self._placed = -1  # the last block assigned to a message
        self._told = ""  # kind of the last item
        self._is_announced = False  # an item has been announced, without content so far
        self._started = False
        self._refused = False  # whether an error has been decoded
        self._before: list[Event] = []  # events of frames that were held
        self._announced: Announced | None = None  # the held frame of an item without parts so far
        self._closing: ClosingFrames | None = None
        self._given: dict[str, Any] = {}  # the frame being read, as it came
        self._readers: Mapping[str, Callable[[dict[str, Any]], list[Event]]] = {
            **dict.fromkeys(START_FRAMES, self._beginning),
            **dict.fromkeys(TERMINALS, self._terminal),
            **dict.fromkeys(DELTAS, self._delta),
            **dict.fromkeys(DONES, self._text_done),
            **dict.fromkeys(PARTS_ADDED, self._part_added),
            **dict.fromkeys(PARTS_DONE, self._part_done),
            ITEM_ADDED: self._item_added,
            ITEM_DONE: self._item_done,
            ANNOTATED: self._annotated,
            "error": self._error,
        }

    def read(self, frame: Any) -> list[Event]:
        """Return the events of a frame; a frame of an unknown type is kept as it is. Raises `Malformed`."""
        events = self._word(frame) if type(frame) is str else self._read(expect(frame, OBJECT))
        if not self._before:
            return events
        before, self._before = self._before, []
        return [*before, *events]

    def _read(self, frame: dict[str, Any]) -> list[Event]:
        kind = frame.get("type")
        reader = None if kind is None else self._readers.get(expect(kind, TEXT, "type"))
        if kind not in _WAITED_FOR:
            self._flush()
        if reader is None:
            return self.opaque(frame)
        if not self._started and kind not in START_FRAMES and kind != "error":
            # The first frame was lost: nothing is written for it.
            told = frame.get("response") if kind in TERMINALS else None
            start = self._start({**told, "usage": None} if type(told) is dict else {})
            self._before += self.predicted(spelled(start, DIALECT, "frame", MORE))
        self._given = frame
        return reader(frame if "output_index" in frame else self._assembly.with_indexes(frame, self._announced))

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return what keeps the pieces of a block as they are read: the writer does."""
        return self._writer.held(event)

    def close(self) -> list[Event]:
        """Return the events that end the stream, if it has not ended."""
        if self._ended:
            return []
        self._ended = True
        self._flush()
        ending = [*announced_texts(self._assembly, []), *self.finish()]
        return [*self._before, *(one for event in ending for one in self.predicted(event))]

    def finish(self) -> list[Event]:
        """Return the event that ends a stream, which has no terminator."""
        return [{"type": "end", "complete": self.finished}]

    def kept(self, frame: Any) -> list[Event]:
        """Return the event that keeps a frame as it is; the assembly learns what it says of the output."""
        events = super().kept(frame)
        self._assembly.learn([frame])
        return events

    def compared(self, events: list[Event], frames: Any) -> list[Event]:
        """Return the events of frames with the difference to them; the assembly learns the frames."""
        for event in events:
            self._place(event)
        events = super().compared(events, frames)
        self._assembly.learn(frames)
        return events

    def _place(self, event: Event) -> None:
        """Mark an event as beginning a message if the item before is of the same kind: its type does not show it."""
        kind, block = event["type"], event.get("block", -1)
        if kind == "start":
            self._told = ""
        if kind == "state" and block > self._placed:
            self._is_announced = True  # an item without content so far
        if kind not in RANKS or block <= self._placed:
            return
        self._placed = block
        told = "message" if kind in _SPOKEN else kind
        is_another = self._is_announced or spelling(event, DIALECT).get("item") != "same"
        if told == self._told and told in _ITEMS and is_another:
            event["new_message"] = True
        self._told, self._is_announced = told, False

    def _word(self, frame: str) -> list[Event]:
        self._flush()
        if frame != "[DONE]" or self._ended:
            return self.opaque(frame)
        return self.predicted(spelled(self.finish()[0], DIALECT, "end", "done"))

    def _start(self, response: dict[str, Any]) -> Event:
        """Return the event that starts a stream."""
        self._started, self._refused, self.finished = True, False, False
        event: Event = {"type": "start", "dialect": DIALECT}
        for name in ("id", "model"):
            if type(response.get(name)) is str:
                event[name] = response[name]
        created = response.get("created_at")
        if type(created) is int or (type(created) is float and created.is_integer()):
            event["created"] = int(created)
            if type(created) is float:
                spelled(event, DIALECT, "created", "float")
        if type(response.get("usage")) is dict:
            event["usage"] = decode_usage(response["usage"])
        return noted(event, DIALECT, "response", {name: value for name, value in response.items() if name not in _TOLD})

    def _beginning(self, frame: dict[str, Any]) -> list[Event]:
        response = expect(frame.get("response"), OBJECT, "response")
        name = frame["type"].removeprefix("response.")
        event = {"type": "state"} if name != "created" and self._started else self._start(response)
        if name != "created":
            spelled(event, DIALECT, "frames", [name])
        return self.compared([event], [self._given])

    def _item_added(self, frame: dict[str, Any]) -> list[Event]:
        wire = _checked_item(frame)
        expect(frame.get("output_index"), _COUNT, "output_index")
        if self._assembly.item(frame) is not None or not is_canonical(wire):
            return self.opaque(self._given)
        if wire["type"] not in CALLS:
            self._announced = Announced(self._given, frame["output_index"], wire)
            return []
        event = call_opening(wire, self._next_block())
        if type(event.get("arguments")) is str:  # sent with the first delta, which may repeat them
            del event["arguments"]
        return self.compared([event], [self._given])

    def _part_added(self, frame: dict[str, Any]) -> list[Event]:
        place, counter = PARTS_ADDED[frame["type"]]
        wire = expect(frame.get("part"), OBJECT, "part")
        index = expect(frame.get(counter), _COUNT, counter)
        announced, item = self._announced, self._assembly.item(frame)
        if announced is None or announced.place != frame.get("output_index"):
            self._flush()
            announced, item = None, self._assembly.item(frame)
            if item is None or not self._assembly.is_free(item, place, index):
                return self.opaque(self._given)
        kind = announced.item["type"] if announced is not None else "" if item is None else item.kind
        _check_part(kind, place, wire)
        if not _has_place(kind, place, wire):
            self._flush()
            return self.opaque(self._given)
        event = opening(kind, place, wire, self._next_block())
        frames = [self._given]
        if announced is None:
            spelled(event, DIALECT, "item", "same")
        else:
            self._announced = None
            noted(event, DIALECT, "item", item_state(announced.item))
            frames = [announced.frame, self._given]
        if event.get("text"):  # sent with the first delta, which may repeat it
            event["text"] = ""
        return self.compared([event], frames)

    def _delta(self, frame: dict[str, Any]) -> list[Event]:
        text_kind, assembly = DELTAS[frame["type"]], self._assembly
        text = expect(frame.get("delta"), TEXT, "delta")
        part = assembly.open_text(frame, text_kind)
        if part is not None and part.block is not None:
            before = part.unsaid(text) if text and part.announced else ""
            begun = [silent(piece(text_kind, part.block, before))] if before else []
            return self.compared([*begun, piece(text_kind, part.block, text)], [self._given])
        if part is not None or not assembly.can_begin_text(frame, text_kind):
            return self.opaque(self._given)
        event = spelled(piece(text_kind, self._next_block(), text), DIALECT, "frames", [DELTA])
        if assembly.item(frame) is not None:
            spelled(event, DIALECT, "item", "same")
        if text_kind is REASONING_TEXT_FRAMES:
            spelled(event, DIALECT, "type", REASONING_TEXT)
        return self.compared([event], [self._given])

    def _annotated(self, frame: dict[str, Any]) -> list[Event]:
        part = self._assembly.open_text(frame, OUTPUT_TEXT_FRAMES)
        if part is None or part.block is None or type(frame.get("annotation")) is not dict:
            return self.opaque(self._given)
        event: Event = {"type": "citation", "block": part.block, "citation": decode_citation(frame["annotation"])}
        return self.compared([event], [self._given])

    def _text_done(self, frame: dict[str, Any]) -> list[Event]:
        text_kind = DONES[frame["type"]]
        text = expect(frame.get(text_kind.member), TEXT, text_kind.member)
        part = self._assembly.part(frame, text_kind.place, text_kind.counter)
        if part is None or part.text_kind is not text_kind:
            return self.opaque(self._given)
        return self._close(ClosingFrames(part, [TEXT_DONE], [self._given], {text_kind.member: text}))

    def _close(self, closing: ClosingFrames) -> list[Event]:
        """Hold a frame that closes a part until the next one; note it as a repetition if the part is closed."""
        part = closing.part
        if part.block is None:
            return self.opaque(self._given)
        if part.closed:
            event: Event = {"type": "state", "block": part.block}
            return self.compared([spelled(event, DIALECT, "frames", closing.names)], [self._given])
        self._closing = closing
        return []

    def _part_done(self, frame: dict[str, Any]) -> list[Event]:
        place, counter = PARTS_DONE[frame["type"]]
        wire = expect(frame.get("part"), OBJECT, "part")
        expect(frame.get(counter), _COUNT, counter)
        part = self._assembly.part(frame, place, counter)
        closing = self._closing
        if part is not None:
            _check_part(part.item.kind, place, wire)
        if closing is not None and closing.part is part and closing.names == [TEXT_DONE]:
            said = {**wire, **closing.said}
            self._closing = ClosingFrames(closing.part, [TEXT_DONE, PART_DONE], [*closing.frames, self._given], said)
            return []
        self._flush()
        if part is None or part.wire.get("type") != wire.get("type"):
            return self.opaque(self._given)
        return self._close(ClosingFrames(part, [PART_DONE], [self._given], wire))

    def _flush(self) -> None:
        """Make the events of the held frames."""
        announced, self._announced = self._announced, None
        if announced is not None:
            event: Event = {"type": "state", "block": self._next_block()}
            noted(event, DIALECT, "item", item_state(announced.item, typed=True))
            self._before += self.compared([event], [announced.frame])
        closing, self._closing = self._closing, None
        if closing is not None:
            self._before += self.compared([*missing_tail(closing.part, closing.said), closing.end()], closing.frames)

    def _item_done(self, frame: dict[str, Any]) -> list[Event]:
        wire = _checked_item(frame)
        expect(frame.get("output_index"), _COUNT, "output_index")
        assembly, closing = self._assembly, self._closing
        index = assembly.place(frame)
        if closing is not None and (closing.part.item.index != index or closing.part.item.done):
            closing = None
        if closing is None:
            self._flush()
        item = assembly.item(frame)
        known = item is not None and not item.done and item.kind == wire.get("type")
        told = known or item is None
        run = decode_run(wire) if told else None
        if run is not None:
            return self.compared(self._count_blocks(run_events(run, self._opened)), [self._given])
        if not is_canonical(wire) or not told:
            self._flush()
            return self.opaque(self._given)
        self._closing = None
        frames, names, last = [self._given], [DONE], None
        if closing is not None:
            frames, names, last = [*closing.frames, self._given], [*closing.names, DONE], closing.part
        events = self._count_blocks(finishing_events(assembly, item, wire, last, self._opened))
        if not events:
            return self.opaque(self._given)
        final = events.pop()
        block = assembly.blocks.get(final["block"])
        if item is not None and final["type"] == "block_end" and (state := new_encrypted_content(item, wire)):
            noted(final, DIALECT, "item", state)
        if block is None or tuple(names) != closing_habit(block) or final["type"] == "state":
            spelled(final, DIALECT, "frames", names)
        return self.compared([*events, final], frames)

    def _count_blocks(self, events: list[Event]) -> list[Event]:
        """Return the events, and count the blocks that they open."""
        self._opened = next_block(events, self._opened)
        return events

    def _terminal(self, frame: dict[str, Any]) -> list[Event]:
        response = expect(frame.get("response"), OBJECT, "response")
        output = response.get("output")
        events: list[Event] = []
        if type(output) is list:
            _with_path(("response", "output"), partial(decode_items, answer=True), output, [])
            events = self._count_blocks(late_items(self._assembly, output, self._opened))
        events += announced_texts(self._assembly, events)
        if type(response.get("usage")) is dict:
            events.append(silent({"type": "usage", "usage": decode_usage(response["usage"])}))
        if type(response.get("error")) is dict and not self._refused:
            events.append(silent(self._error_event(response["error"])))
        name = frame["type"].removeprefix("response.")
        final = _final_event(response, output or self._assembly.output(), name)
        self.finished = self.finished or final["type"] == "finish"
        spelled(final, DIALECT, "frames", [name])
        return self.compared([*events, final], [self._given])

    def _error(self, frame: dict[str, Any]) -> list[Event]:
        nested = type(frame.get("error")) is dict
        event = self._error_event(frame["error"] if nested else frame)
        self._refused = True
        if nested:
            spelled(event, DIALECT, "error", "nested")
        return self.compared([event], [self._given])

    def _error_event(self, wire: dict[str, Any]) -> Event:
        """Return the event of an error; a frame's own `type: error` says no more."""
        members = {name: value for name, value in wire.items() if (name, value) != ("type", "error")}
        return self.error_event({"error": members})

    def _next_block(self) -> int:
        self._opened += 1
        return self._opened - 1


decode_stream: Final = StreamDecoder


def _final_event(response: dict[str, Any], output: Any, name: str) -> Event:
    """Return the finish event of a response, or an empty `state` if it has no finish reason.

    `name` is that of the last frame, used if the response has no status.
    """
    said: dict[str, Any] = {}
    reason = implied_reason_of_items(output if type(output) is list else ())
    if response.get("status") is None and name != "completed":
        response = {**response, "status": name}
    _with_path(("response",), decode_status, said, response, reason, Unmapped())
    if "finish_reason" not in said:
        return {"type": "state"}
    raw = {"raw": said["finish_reason_raw"]} if "finish_reason_raw" in said else {}
    return {"type": "finish", "reason": said["finish_reason"], **raw}


def _has_place(kind: str, place: str, wire: dict[str, Any]) -> bool:
    """Return whether a part has a canonical place in an item of a type."""
    if kind == "message":
        return place == "content"
    return kind == "reasoning" and type(wire.get("type")) is str and (kind, place, wire["type"]) in PARTS


def _check_part(kind: str, place: str, wire: dict[str, Any]) -> None:
    """Raise `Malformed` if a part of a known type has another shape."""
    text_kind = PARTS.get((kind, place, wire["type"])) if type(wire.get("type")) is str else None
    if text_kind is not None:
        expect(wire.get(text_kind.member), TEXT, "part", text_kind.member)
    elif kind == "message":
        _with_path(("part",), lambda: decode_part(wire, "assistant", whole=True))


def _checked_item(frame: dict[str, Any]) -> dict[str, Any]:
    """Return the item of a frame, if it is well formed. Raises `Malformed`."""
    wire: dict[str, Any] = expect(frame.get("item"), OBJECT, "item")
    try:
        decode_items([wire], [], answer=True)
    except Malformed as malformed:
        raise Malformed("/item" + malformed.path.removeprefix("/0"), malformed.reason) from None
    return wire


def _with_path(steps: tuple[str, ...], decode: Callable[..., Any], *values: Any) -> None:
    """Decode nested values; paths of `Malformed` are prefixed with the steps."""
    try:
        decode(*values)
    except Malformed as malformed:
        raise malformed.under(*steps) from None


def assemble_stream(frames: Iterable[Frame]) -> dict[str, Any]:
    """Return the response that the frames make; a second start begins anew. Frames are what our encoder wrote."""
    assembly = Assembly()
    for frame in frames:
        if type(frame) is dict:
            assembly.take(frame)
    return assembly.body()
