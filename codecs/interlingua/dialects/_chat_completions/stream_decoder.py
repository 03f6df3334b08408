"""Chat Completions to canonical: streams. One chunk may hold several events, of several answers.

Source: reference/wire/openai_chat.md section 3; SHAPES sections 3 and 4.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.dialects._chat_completions.decode_usage import decode_usage
from interlingua.dialects._chat_completions.stream_choice import Choices
from interlingua.dialects._chat_completions.stream_chunk import OTHER
from interlingua.dialects._chat_completions.stream_encoder import StreamEncoder
from interlingua.dialects._chat_completions.stream_plain import LIKELINESS, PADDING, bare_patch
from interlingua.dialects._chat_completions.stream_usual import (
    CHUNK,
    beside_labels,
    only_choice,
    says_nothing,
    says_text,
    silent_patch,
    usually_begins,
)
from interlingua.dialects._shared.patch import difference
from interlingua.dialects._shared.reading import OBJECT, Malformed, expect
from interlingua.dialects._shared.stream import MORE, SILENT, FrameReader, noted, spelled, spelling
from interlingua.strict_json import LARGEST_INTEGER

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.stream import Event

DONE: Final = "[DONE]"


class StreamDecoder(FrameReader[StreamEncoder]):
    """Reads the chunks of a stream; each room of the family names its dialect and vendor."""

    vendor: ClassVar[Vendor]

    def __init__(self, writer: StreamEncoder) -> None:
        super().__init__(writer)
        self._chunks = writer.chunks
        self._started = False
        self._begun = False  # whether a start was ever said
        self._choices = Choices(self.vendor, self._chunks, 0)

    def feed(self, frame: Any) -> list[Event]:
        """Return the events of a frame. Raises `DecodeError` where a known frame is malformed."""
        if self._chunks.calm and type(frame) is dict:
            event = self._plain(frame)
            if event is not None:
                self._count += 1
                return [event]
        return super().feed(frame)

    def read(self, frame: Any) -> list[Event]:
        """Return the events of a chunk; what is no chunk is kept as it is. Raises `Malformed`."""
        if type(frame) is dict:
            return self._chunk(frame)
        if frame != DONE:
            expect(frame, (str, dict))
        return self._done() if frame == DONE and self.finished else self.opaque(frame)

    def finish(self) -> list[Event]:
        """Return the event that ends a stream without `[DONE]`."""
        start = (
            [] if self._begun else [spelled({"type": "start", "dialect": self.dialect}, self.dialect, "frame", SILENT)]
        )
        end = spelled({"type": "end", "complete": self.finished}, self.dialect, "end", "absent")
        return [*start, *self._choices.rest(), end]

    def _done(self) -> list[Event]:
        self._started = False  # a chunk behind it begins anew
        return self.foreseen({"type": "end", "complete": True})

    def _plain(self, frame: dict[str, Any]) -> Event | None:
        """Return the event of a chunk that is as the one before but for its piece, or None: nearly all are."""
        choices = frame.get("choices")
        if type(choices) is not list or len(choices) != 1 or type(choices[0]) is not dict:
            return self._bare(frame) if choices is None else None
        choice = choices[0]
        index = choice.get("index")
        delta = choice.get("delta")
        like = self._chunks.plain.get(index) if type(index) is int else None
        piece = None if like is None or type(delta) is not dict else like.read(frame, choices, delta)
        if like is None or piece is None:
            return None
        event: Event = {"type": like.kind, "block": like.block, like.said: piece}
        if index:
            event["alternative"] = index
        if like.padded:
            event["extra"] = {self.dialect: {"frame": {"put": {PADDING: frame[PADDING]}}}}
        if like.likely and choice[LIKELINESS] is not None:
            noted(event, self.dialect, "choice", {LIKELINESS: choice[LIKELINESS]})
        if like.held:
            call = self._choices.certain(choice["index"], like.block)
            if call is None:
                return None
            call.add(piece)
        return event

    def _bare(self, frame: dict[str, Any]) -> Event | None:
        """Return the event of a chunk that says nothing and has no choices, or None for another."""
        expected = self._chunks.bare() if self._started else None
        if expected is None:
            return None
        padding = frame.get(PADDING)
        if type(padding) is str:
            expected[PADDING] = padding
        if expected != frame or type(frame.get("created")) is not int:
            return None
        patch = bare_patch(expected.get(PADDING))
        return {"type": "state", "extra": {self.dialect: {"frame": patch}}}

    def _chunk(self, frame: dict[str, Any]) -> list[Event]:
        usual = self._usual(frame)
        if usual is not None:
            return usual
        choices, error, usage = frame.get("choices"), frame.get("error"), frame.get("usage")
        if choices is None and not error and type(usage) is not dict and frame.get("object") != CHUNK:
            return self.opaque(frame)
        events = self._choices_of(choices) if choices else []
        if type(usage) is dict:
            events.append({"type": "usage", "usage": decode_usage(usage, self.vendor)})
        if error:
            events.append(_error(error))
        # What comes before the first label of an answer (Azure's filter of the prompt) is not yet its start.
        if not self._started and (choices or frame.get("id")):
            self._started = self._begun = True
            events.insert(0, self._start(frame))
        if not events:
            events.append({"type": "state"})
        for event in events[:-1]:
            if "frame" not in spelling(event, self.dialect):
                spelled(event, self.dialect, "frame", MORE)
        patch = difference(self._chunks.chunk(events), frame)
        if patch:
            noted(events[-1], self.dialect, "frame", patch)
        self._chunks.learn(frame)
        self.finished = self._choices.finished
        return events

    def _usual(self, frame: dict[str, Any]) -> list[Event] | None:
        """Return the events of a chunk of a usual form, or None for another one. Raises `Malformed`."""
        choice = only_choice(frame)
        if choice is not None:
            if not self._started:
                return self._opening(frame, choice) if usually_begins(frame) else None
            return self._next(frame, choice) if self._chunks.continues(frame) else None
        usage = frame.get("usage")
        if type(usage) is not dict or frame.get("choices") != [] or not self._started or frame.get("error"):
            return None
        return self._counted(frame, usage) if self._chunks.continues(frame) else None

    def _opening(self, frame: dict[str, Any], choice: dict[str, Any]) -> list[Event]:
        """Return the events of a chunk that begins a stream with one choice, and with the usual labels."""
        self._chunks.answers = {}
        self._choices = Choices(self.vendor, self._chunks, self._choices.opened)
        start = self._start(frame)
        inner = silent_patch(choice)
        if inner is None:
            events = [start, *self._read(choice)]
            self._chunks.begin(start)
            inner = difference(self._chunks.choice(events[1:]), choice)
            self._chunks.learn(frame)
        else:
            events = [start, {"type": "state"}]
            self._choices.open(empty=choice["delta"].get("content") == "")
            self._chunks.open(frame, choice)
        self._started = self._begun = True
        return self._noted(events, beside_labels(frame), inner)

    def _next(self, frame: dict[str, Any], choice: dict[str, Any]) -> list[Event]:
        """Return the events of a chunk that has one choice, and is otherwise as the one before."""
        delta = choice.get("delta")
        if choice.get("finish_reason", "") is None and type(delta) is dict and says_text(delta):
            text = self._text(frame, choice, delta)
            if text is not None:
                return [text]
        padding = {PADDING: frame[PADDING]} if PADDING in frame else {}
        ended = self._end(choice) if type(delta) is dict and says_nothing(delta) else None
        if ended is not None:
            return self._noted(ended[0], padding, difference(ended[1], choice))
        events = self._read(choice)
        inner = difference(self._chunks.choice(events), choice)
        self._chunks.learn(frame)
        return self._noted(events, padding, inner)

    def _read(self, choice: dict[str, Any]) -> list[Event]:
        try:
            return self._choices.read(choice, 0)
        except Malformed as malformed:
            raise malformed.under("choices", 0) from None

    def _noted(self, events: list[Event], beside: dict[str, Any], inner: dict[str, Any]) -> list[Event]:
        """Return the events of a chunk with what it has beside them, and with the patch of its one choice."""
        for event in events[:-1]:
            if "extra" not in event:
                event["extra"] = {self.dialect: {"spelling": {"frame": MORE}}}
            elif "frame" not in spelling(event, self.dialect):
                spelled(event, self.dialect, "frame", MORE)
        patch: dict[str, Any] = {"put": beside} if beside else {}
        if inner:
            patch["in"] = {"choices": {"in": {"0": inner}}}
        if patch:
            noted(events[-1], self.dialect, "frame", patch)
        self.finished = self._choices.finished
        return events

    def _end(self, choice: dict[str, Any]) -> tuple[list[Event], dict[str, Any]] | None:
        """Return the events of a choice that says why its answer ended, and what is expected; None for another one."""
        word = choice.get("finish_reason")
        if type(word) is not str or type(choice.get("index")) is not int or choice["index"] != 0:
            return None
        answer = None if type(choice.get(LIKELINESS)) is dict else self._chunks.ending(word)
        events = None if answer is None else self._choices.ended(word)
        return None if answer is None or events is None else (events, self._chunks.end(answer, word))

    def _counted(self, frame: dict[str, Any], wire: dict[str, Any]) -> list[Event]:
        """Return the event of a chunk that counts what the answer cost, and is otherwise as the one before."""
        event: Event = {"type": "usage", "usage": decode_usage(wire, self.vendor)}
        inner = difference(self._chunks.counted(event), wire)
        patch: dict[str, Any] = {"put": {PADDING: frame[PADDING]}} if PADDING in frame else {}
        if inner:
            patch["in"] = {"usage": inner}
        if patch:
            event["extra"] = {self.dialect: {"frame": patch}}
        self.finished = self._choices.finished
        return [event]

    def _text(self, frame: dict[str, Any], choice: dict[str, Any], delta: dict[str, Any]) -> Event | None:
        """Return the event of a chunk that says a piece of content and nothing else, or None where it is not usual."""
        answer = self._chunks.usual(choice)
        event = None if answer is None else self._choices.text(delta["content"])
        if answer is None or event is None:
            return None
        patch: dict[str, Any] = {"put": {PADDING: frame[PADDING]}} if PADDING in frame else {}
        inner = difference({**answer.delta, "content": delta["content"]}, delta)
        if inner:
            patch["in"] = {"choices": {"in": {"0": {"in": {"delta": inner}}}}}
        if patch:
            event["extra"] = {self.dialect: {"frame": patch}}
        self._chunks.learn_text(frame, choice, answer, event)
        return event

    def _start(self, frame: dict[str, Any]) -> Event:
        event: Event = {"type": "start", "dialect": self.dialect}
        for name, kind in (("id", str), ("model", str), ("created", int)):
            if type(frame.get(name)) is kind:
                event[name] = frame[name]
        return event

    def _choices_of(self, choices: Any) -> list[Event]:
        expect(choices, (list,), "choices")
        if not self._started:
            self._chunks.answers = {}
            self._choices = Choices(self.vendor, self._chunks, self._choices.opened)
        events: list[Event] = []
        for position, choice in enumerate(choices):
            if events:
                spelled(events[-1], self.dialect, "frame", OTHER)
            try:
                events.extend(self._choices.read(expect(choice, OBJECT), position))
            except Malformed as malformed:
                raise malformed.under("choices", position) from None
        return events


def _error(error: Any) -> Event:
    event: Event = {"type": "error"}
    if type(error) is str:
        event["message"] = error
    elif type(error) is dict:
        for name in ("type", "code"):
            code = error.get(name)
            if code and (type(code) is str or (type(code) is int and abs(code) <= LARGEST_INTEGER)):
                event["code"] = str(code)
        if type(error.get("message")) is str:
            event["message"] = error["message"]
    return event
