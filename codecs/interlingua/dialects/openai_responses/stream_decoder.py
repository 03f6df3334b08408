"""Responses to canonical: streams.

Frames that close a text wait until the item is done, or something else comes; so does the frame that announces a
message or reasoning, until its first part. Source: reference/wire/openai_responses.md section 3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.dialects._shared.reading import OBJECT, TEXT, expect
from interlingua.dialects._shared.stream import MORE, FrameReader, noted, spelled
from interlingua.dialects.openai_responses.decode_answer import decode_usage
from interlingua.dialects.openai_responses.decode_message import decode_items
from interlingua.dialects.openai_responses.decode_part import decode_citation
from interlingua.dialects.openai_responses.stream_encoder import StreamEncoder
from interlingua.dialects.openai_responses.stream_home import closing_habit
from interlingua.dialects.openai_responses.stream_reading import (
    Items,
    check_part,
    checked_item,
    error_event,
    final_event,
    fits,
    is_piece_of,
    start_event,
    under,
)
from interlingua.dialects.openai_responses.stream_supply import (
    Closing,
    call_opening,
    is_canonical,
    item_state,
    next_block,
    opening,
    piece,
    rest,
    silent,
    tail,
    unsaid,
)
from interlingua.dialects.openai_responses.stream_tables import (
    ANNOTATED,
    BEGINNINGS,
    DELTA,
    DELTAS,
    DONE,
    DONES,
    ITEM_ADDED,
    ITEM_DONE,
    PART_ADDED,
    PART_DONE,
    PARTS_ADDED,
    PARTS_DONE,
    SAYS,
    TERMINALS,
    TEXT_DONE,
    THINKS,
)
from interlingua.dialects.openai_responses.tables import CALLS, DIALECT, REASONING_TEXT
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.dialects._shared.stream import Event
    from interlingua.dialects.openai_responses.stream_assembly import Part
    from interlingua.dialects.openai_responses.stream_tables import Voice

_COUNT: Final[tuple[type, ...]] = (int,)


def decode_stream() -> StreamDecoder:
    """Return a reader of one stream of Responses."""
    return StreamDecoder()


class StreamDecoder(FrameReader[StreamEncoder]):
    """Reads the frames of a stream of Responses."""

    dialect: ClassVar[str] = DIALECT

    def __init__(self) -> None:
        super().__init__(StreamEncoder(LossLog()))
        self._maker = self._writer.maker
        self._opened = 0
        self._items = Items()
        self._started = False
        self._refused = False  # whether an error has been told
        self._announced: dict[str, Any] | None = None  # the frame of an item that waits for its first part
        self._closing: Closing | None = None
        self._speaking: Part | None = None  # the part that the last piece belonged to
        self._readers: Mapping[str, Callable[[dict[str, Any]], list[Event]]] = {
            **dict.fromkeys(BEGINNINGS, self._beginning),
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
        """Return the events of a frame; one of an unknown type is kept as it is. Raises `Malformed`."""
        kind = frame.get("type") if type(frame) is dict else None
        voice = DELTAS.get(kind) if type(kind) is str else None
        if voice is not None:
            event = self._plain_piece(frame, voice)
            if event is not None:
                return [event]
        if type(frame) is str:
            return [*self._flush(), *self._word(frame)]
        if kind is None:
            return [*self._flush(), *self.opaque(expect(frame, OBJECT))]
        reader = self._readers.get(expect(kind, TEXT, "type"))
        if reader is None:
            return [*self._flush(), *self.opaque(frame)]
        if self._started or kind in BEGINNINGS or kind == "error":
            return reader(frame)
        # The beginning was lost: nothing is written for it.
        told = frame.get("response") if kind in TERMINALS else None
        start = self._start({**told, "usage": None} if type(told) is dict else {})
        spelled(start, DIALECT, "frame", MORE)
        return [*self.foreseen(start), *reader(frame)]

    def close(self) -> list[Event]:
        """Return the events that end the stream, if it has not ended."""
        if self._ended:
            return []
        self._ended = True
        return [*self._flush(), *self.foreseen(*self.finish())]

    def finish(self) -> list[Event]:
        """Return the event that ends a stream; it has no terminator of its own."""
        return [{"type": "end", "complete": self.finished}]

    def opaque(self, frame: Any) -> list[Event]:
        """Return the event that keeps a frame as it is; what it says of the output is taken note of."""
        events = super().opaque(frame)
        self._maker.learn([frame])
        return events

    def compared(self, events: list[Event], frames: Any) -> list[Event]:
        """Return the events of frames, with what is different; later frames repeat what these say."""
        for event in events:
            self._items.place(event)
        events = super().compared(events, frames)
        self._maker.learn(frames)
        return events

    def _plain_piece(self, frame: dict[str, Any], voice: Voice) -> Event | None:
        """Return the event of a piece of which nothing is new but its text and padding: nearly all of a stream."""
        maker = self._maker
        part = self._speaking
        if part is None or not is_piece_of(part, frame, voice):
            part = self._speaking = maker.assembly.spoken(frame, voice)
            if part is None:
                return None
        text, number = frame.get("delta"), maker.sequence
        if part.block is None or type(text) is not str or self._announced is not None or self._closing is not None:
            return None
        identifier = frame.get("item_id")
        if identifier != part.item.id or type(identifier) is not str:
            return None
        more = len(frame) - (5 if voice.counter else 4)
        if number is not None:
            found = frame.get("sequence_number")
            if found != number or type(found) is not int:
                return None
            more -= 1
        if voice is SAYS and maker.logprobs:
            if frame.get("logprobs") != []:
                return None
            more -= 1
        event = piece(voice, part.block, text)
        if more:
            padding = frame.get("obfuscation")
            if more != 1 or type(padding) is not str:
                return None
            event["extra"] = {DIALECT: {"frame": {"put": {"obfuscation": padding}}}}
        if number is not None:
            maker.sequence = number + 1
        part.pieces.append(text)
        return event

    def _word(self, frame: str) -> list[Event]:
        if frame != "[DONE]" or self._ended:
            return self.opaque(frame)
        return self.foreseen(spelled(self.finish()[0], DIALECT, "end", "done"))

    def _start(self, response: dict[str, Any]) -> Event:
        self._started, self._refused, self.finished, self._speaking = True, False, False, None
        return start_event(response)

    def _beginning(self, frame: dict[str, Any]) -> list[Event]:
        response = expect(frame.get("response"), OBJECT, "response")
        name = frame["type"].removeprefix("response.")
        before = self._flush()
        if name != "created" and self._started:
            event: Event = spelled({"type": "state"}, DIALECT, "frames", [name])
        else:
            event = self._start(response)
            if name != "created":
                spelled(event, DIALECT, "frames", [name])
        return [*before, *self.compared([event], [frame])]

    def _item_added(self, frame: dict[str, Any]) -> list[Event]:
        before = self._flush()
        wire = checked_item(frame)
        expect(frame.get("output_index"), _COUNT, "output_index")
        if self._maker.assembly.item(frame) is not None or not is_canonical(wire):
            return [*before, *self.opaque(frame)]
        if wire["type"] not in CALLS:
            self._announced = frame
            return before
        event = call_opening(wire, self._next_block())
        return [*before, *self.compared([event], [frame])]

    def _part_added(self, frame: dict[str, Any]) -> list[Event]:
        place, counter = PARTS_ADDED[frame["type"]]
        wire = expect(frame.get("part"), OBJECT, "part")
        index = expect(frame.get(counter), _COUNT, counter)
        announced, assembly = self._announced, self._maker.assembly
        if announced is not None and announced["output_index"] == frame.get("output_index"):
            kind, before = announced["item"]["type"], []
        else:
            announced, before, item = None, self._flush(), assembly.item(frame)
            if item is None or item is not assembly.last or item.done or item.part(place, index) is not None:
                return [*before, *self.opaque(frame)]
            kind = item.kind
        check_part(kind, place, wire)
        if not fits(kind, place, wire):
            return [*before, *self._flush(), *self.opaque(frame)]
        event = opening(kind, place, wire, self._next_block())
        names = [PART_ADDED]
        if announced is None:
            spelled(event, DIALECT, "item", "same")
            if event.get("text"):
                spelled(event, DIALECT, "frames", names)
            return [*before, *self.compared([event], [frame])]
        self._announced = None
        noted(event, DIALECT, "item", item_state(announced["item"]))
        if event.get("text"):
            spelled(event, DIALECT, "frames", ["item.added", *names])
        return self.compared([event], [announced, frame])

    def _delta(self, frame: dict[str, Any]) -> list[Event]:
        voice = DELTAS[frame["type"]]
        text = expect(frame.get("delta"), TEXT, "delta")
        before = self._flush()
        assembly = self._maker.assembly
        part = assembly.spoken(frame, voice)
        if part is not None and part.block is not None:
            return [*before, *self.compared([piece(voice, part.block, text)], [frame])]
        if part is not None or not assembly.unspoken(frame, voice):
            return [*before, *self.opaque(frame)]
        event = spelled(piece(voice, self._next_block(), text), DIALECT, "frames", [DELTA])
        if assembly.item(frame) is not None:
            spelled(event, DIALECT, "item", "same")
        if voice is THINKS:
            spelled(event, DIALECT, "type", REASONING_TEXT)
        return [*before, *self.compared([event], [frame])]

    def _annotated(self, frame: dict[str, Any]) -> list[Event]:
        before = self._flush()
        part = self._maker.assembly.spoken(frame, SAYS)
        if part is None or part.block is None or type(frame.get("annotation")) is not dict:
            return [*before, *self.opaque(frame)]
        event: Event = {"type": "citation", "block": part.block, "citation": decode_citation(frame["annotation"])}
        return [*before, *self.compared([event], [frame])]

    def _text_done(self, frame: dict[str, Any]) -> list[Event]:
        voice = DONES[frame["type"]]
        text = expect(frame.get(voice.member), TEXT, voice.member)
        before = self._flush()
        item = self._maker.assembly.item(frame)
        part = None if item is None or item.done else item.part(voice.place, frame.get(voice.counter))
        if part is None or part.voice is not voice:
            return [*before, *self.opaque(frame)]
        return [*before, *self._close(Closing(part, TEXT_DONE, frame, {voice.member: text}))]

    def _close(self, closing: Closing) -> list[Event]:
        """Let a frame that closes a part wait for the next one; what has been closed already is said to be repeated."""
        part, [frame] = closing.part, closing.frames
        if part.block is None:
            return self.opaque(frame)
        if part.closed:
            event: Event = {"type": "state", "block": part.block}
            return self.compared([spelled(event, DIALECT, "frames", closing.names)], [frame])
        self._closing = closing
        return []

    def _part_done(self, frame: dict[str, Any]) -> list[Event]:
        place, counter = PARTS_DONE[frame["type"]]
        wire = expect(frame.get("part"), OBJECT, "part")
        index = expect(frame.get(counter), _COUNT, counter)
        item = self._maker.assembly.item(frame)
        part = None if item is None or item.done else item.part(place, index)
        closing = self._closing
        if part is not None:
            check_part(part.item.kind, place, wire)
        if closing is not None and closing.part is part and closing.names == [TEXT_DONE]:
            closing.add(PART_DONE, frame, wire)
            return []
        before = self._flush()
        if part is None or part.wire.get("type") != wire.get("type"):
            return [*before, *self.opaque(frame)]
        return [*before, *self._close(Closing(part, PART_DONE, frame, wire))]

    def _flush(self) -> list[Event]:
        """Return the events of the frames that wait."""
        events: list[Event] = []
        if self._announced is not None:
            frame, self._announced = self._announced, None
            event: Event = {"type": "state", "block": self._next_block()}
            noted(event, DIALECT, "item", item_state(frame["item"], typed=True))
            events = self.compared([event], [frame])
        if self._closing is not None:
            closing, self._closing = self._closing, None
            end = closing.end()
            events = [*events, *self.compared([*tail(closing.part, closing.said), end], closing.frames)]
        return events

    def _item_done(self, frame: dict[str, Any]) -> list[Event]:
        wire = checked_item(frame)
        index = expect(frame.get("output_index"), _COUNT, "output_index")
        assembly = self._maker.assembly
        closing = self._closing
        kept = closing is not None and closing.part.item.index == index and not closing.part.item.done
        before = [] if kept else self._flush()
        item = assembly.item(frame)
        known = item is not None and not item.done and item.kind == wire.get("type")
        if not is_canonical(wire) or not (known or (item is None and index == assembly.next_index)):
            return [*before, *self._flush(), *self.opaque(frame)]
        self._closing = None
        frames = [frame] if closing is None or not kept else [*closing.frames, frame]
        names = [DONE] if closing is None or not kept else [*closing.names, DONE]
        last = closing.part if closing is not None and kept else None
        events = self._counted(rest(assembly, item, wire, last, self._opened))
        if not events:
            return [*before, *self.opaque(frame)]
        final = events.pop()
        block = self._maker.blocks.get(final["block"])
        if block is None or tuple(names) != closing_habit(block) or final["type"] == "state":
            spelled(final, DIALECT, "frames", names)
        return [*before, *self.compared([*events, final], frames)]

    def _counted(self, events: list[Event]) -> list[Event]:
        """Count the blocks that events open, and return the events."""
        self._opened = next_block(events, self._opened)
        return events

    def _terminal(self, frame: dict[str, Any]) -> list[Event]:
        before = self._flush()
        response = expect(frame.get("response"), OBJECT, "response")
        output = response.get("output")
        events: list[Event] = []
        if type(output) is list:
            under(("response", "output"), decode_items, output, [])
            events = self._counted(unsaid(self._maker.assembly, output, self._opened))
        if type(response.get("usage")) is dict:
            events.append(silent({"type": "usage", "usage": decode_usage(response["usage"])}))
        if type(response.get("error")) is dict and not self._refused:
            events.append(silent(error_event(response["error"])))
        final = final_event(response, output or self._maker.assembly.output())
        self.finished = self.finished or final["type"] == "finish"
        spelled(final, DIALECT, "frames", [frame["type"].removeprefix("response.")])
        return [*before, *self.compared([*events, final], [frame])]

    def _error(self, frame: dict[str, Any]) -> list[Event]:
        before = self._flush()
        nested = type(frame.get("error")) is dict
        event = error_event(frame["error"] if nested else frame)
        self._refused = True
        if nested:
            spelled(event, DIALECT, "error", "nested")
        return [*before, *self.compared([event], [frame])]

    def _next_block(self) -> int:
        self._opened += 1
        return self._opened - 1
