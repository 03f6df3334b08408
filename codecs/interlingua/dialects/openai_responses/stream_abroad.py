"""Events of other dialects as a stream of Responses, with its whole lifecycle and ids from the position.

One item is open at a time. Texts that follow each other share a message, thoughts a reasoning item; what an answer
would hold in its next message begins the next item. An item of no text is not written (ITEM-4.3).
Source: reference/wire/openai_responses.md section 3; spec/003.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.arguments import arguments_text
from interlingua.dialects._shared.sequence import Sequence
from interlingua.dialects._shared.stream import Counts
from interlingua.dialects._shared.target import Target
from interlingua.dialects.openai_responses.encode_answer import encode_usage, fill_echo
from interlingua.dialects.openai_responses.encode_call import encode_call
from interlingua.dialects.openai_responses.encode_citation import encode_citation
from interlingua.dialects.openai_responses.encode_part import encode_part
from interlingua.dialects.openai_responses.stream_answer import begun_response, ended_response
from interlingua.dialects.openai_responses.stream_assembly import Item, Part
from interlingua.dialects.openai_responses.stream_tables import (
    DECLINES,
    DONE,
    ITEM_HABITS,
    PART_DONE,
    PART_HABITS,
    SAYS,
    TEXT_DONE,
    THINKS,
)
from interlingua.dialects.openai_responses.tables import CUSTOM_CALL, DIALECT, FILLS, FUNCTION_CALL, OUTPUT_TEXT
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.dialects._shared.stream import Event, Frame, FrameWriter
    from interlingua.dialects.openai_responses.stream_frames import FrameMaker
    from interlingua.dialects.openai_responses.stream_tables import Voice

_VOICES: Final[Mapping[str, Voice]] = MappingProxyType({"content": SAYS, "refusal": DECLINES, "reasoning": THINKS})
_PREFIXES: Final[Mapping[str, str]] = MappingProxyType(
    {"message": "msg", "reasoning": "rs", FUNCTION_CALL: "fc", CUSTOM_CALL: "ctc"}
)
# Where members of a response stand in events.
_START_PLACES: Final[Mapping[str, str]] = MappingProxyType({"/extra": "/extra"})
_FINISH_PLACES: Final[Mapping[str, str]] = MappingProxyType(
    {"/finish_reason_raw": "/raw", "/finish_reason": "/reason", "/stop_sequence": "/stop_sequence"}
)
_CALL_PLACES: Final[Mapping[str, str]] = MappingProxyType({"/messages/0/tool_calls/0": ""})
_START_MEMBERS: Final = (("id", "id"), ("model", "model"), ("created", "created_at"))


class AbroadWriter:
    """Writes events of other dialects. Each frame is taken note of at once: the next ones repeat it."""

    def __init__(self, maker: FrameMaker, outer: FrameWriter) -> None:
        self._maker = maker
        self._outer = outer
        self._sequence = Sequence()
        self._item: Item | None = None
        self._declined = False  # whether the open message has a refusal, which comes last
        self._empty: dict[int, int] = {}  # blocks that have not said a word, and the numbers of their events
        self._citations: dict[int, list[tuple[int, Event]]] = {}
        self._response: dict[str, Any] = {}
        self._finish: tuple[int, Event] | None = None
        self._usage = Counts(0, {})
        self._error: dict[str, Any] | None = None
        self._status = "completed"  # of the items that end; those of a stream that was cut do not say so
        self._writers: Mapping[str, Callable[[Event], list[Frame]]] = {
            "content": self._text,
            "reasoning": self._text,
            "refusal": self._text,
            "tool_call_start": self._call,
            "tool_call_delta": self._arguments,
            "part": self._part,
            "citation": self._note_citation,
            "block_end": self._block_end,
            "state": self._state,
            "usage": self._note_usage,
            "finish": self._note_finish,
            "error": self._write_error,
        }

    def write(self, event: Event) -> list[Frame]:
        """Return the frames of an event; the blocks are put in sequence first."""
        kind = event["type"]
        if kind == "start":
            return self._start(event)
        if event.get("alternative"):
            self._outer.lost_alternative(event)
            return []
        if kind == "end":
            self._status = "completed" if event["complete"] else "incomplete"
            return [*self._in_sequence(self._sequence.close(self._outer.number)), *self._end(event)]
        return self._in_sequence(self._sequence.feed(self._outer.number, event))

    def _in_sequence(self, numbered: list[tuple[int, Event]]) -> list[Frame]:
        frames: list[Frame] = []
        now = self._outer.number
        for self._outer.number, event in numbered:
            frames.extend(self._writers[event["type"]](event))
        self._outer.number = now
        return frames

    def _emit(self, *frames: Frame) -> list[Frame]:
        self._maker.learn(frames)
        return list(frames)

    def _target(self, log: LossLog) -> Target:
        return Target(DIALECT, home=False, answer=True, log=log)

    def _start(self, event: Event) -> list[Frame]:
        outer = self._outer
        self._usage = Counts(outer.number, event.get("usage", {}))
        self._finish = self._error = None
        if self._response:
            self._restart(event)
            return []
        response = begun_response(event, {})
        for name, wire in _START_MEMBERS:
            if wire not in response:
                response[wire] = FILLS[wire]
                outer.log.filled(outer.path(name), "a response has it")
        scratch = LossLog()
        fill_echo(response, scratch)
        outer.relocated(scratch, outer.number, _START_PLACES)
        self._response = response
        return [frame for name in ("created", "in_progress") for frame in self._lifecycle(name, response)]

    def _restart(self, event: Event) -> None:
        """Note a second start: a stream has one response, and what follows adds to it."""
        self._outer.restarted()
        for name, wire in _START_MEMBERS:
            if name in event and event[name] != self._response[wire]:
                self._outer.log.lost("member", self._outer.path(name), "a stream has one response")

    def _lifecycle(self, name: str, response: dict[str, Any]) -> list[Frame]:
        return self._emit(self._maker.lifecycle(name, response))

    def _open_item(self, wire: dict[str, Any]) -> list[Frame]:
        """Close the item that is open and announce the next; its id comes from its place."""
        closed = self._close_item()
        index = self._maker.assembly.next_index
        self._outer.log.filled(self._outer.path("extra", DIALECT, "item", "id"), "an item has an id")
        if wire["type"] == "message":
            self._outer.log.filled(self._outer.path("extra", DIALECT, "item", "status"), "a message has a status")
        frames = self._emit(self._maker.item_added(index, {"id": f"{_PREFIXES[wire['type']]}_{index}", **wire}))
        self._item, self._declined = self._maker.assembly.last, False
        return [*closed, *frames]

    def _close_item(self) -> list[Frame]:
        item, self._item = self._item, None
        return [] if item is None or item.done else self._emit(*self._maker.closing(item, DONE, self._status))

    def _open_part(self, block: int, voice: Voice, part: dict[str, Any]) -> list[Frame]:
        """Announce a part, in the item that is open if that can hold it."""
        frames: list[Frame] = []
        if self._item is None or self._item.kind != voice.item or (self._declined and voice is not DECLINES):
            frames = self._open_item(dict(ITEM_HABITS[voice.item]))
        self._declined = voice is DECLINES
        item: Any = self._item
        self._maker.opening = block
        added = self._maker.part_added((item.index, item.id), voice.place, item.count(voice.place), part)
        return [*frames, *self._emit(added)]

    def _piece(self, block: int, text: str) -> list[Frame]:
        part = self._maker.blocks.get(block)
        if not isinstance(part, Part) or part.voice is None or part.closed or not text:
            return []
        return [self._maker.piece(part, part.voice, text)]

    def _text(self, event: Event) -> list[Frame]:
        block, text = event["block"], event["text"]
        voice = _VOICES[event["type"]]
        part = self._maker.blocks.get(block)
        if isinstance(part, Part) and part.voice is voice and not part.closed:
            return self._piece(block, text)
        if not text:  # the block opens with its first word
            self._empty.setdefault(block, self._outer.number)
            return []
        self._empty.pop(block, None)
        return [*self._open_part(block, voice, dict(PART_HABITS[voice.part])), *self._piece(block, text)]

    def _call(self, event: Event) -> list[Frame]:
        outer = self._outer
        block, arguments = event["block"], event.get("arguments", "")
        call = {name: event[name] for name in ("id", "name", "kind") if name in event}
        if "id" not in call:
            call["id"] = f"call_{block}"
            outer.log.filled(outer.path("id"), "every call has an id")
        scratch = LossLog()
        wire = encode_call({**call, "arguments": ""}, 0, 0, set(), self._target(scratch))  # type: ignore[typeddict-item]  # the members of a call, taken by name
        outer.relocated(scratch, outer.number, _CALL_PLACES)
        frames = self._open_item({**ITEM_HABITS[wire["type"]], **wire})
        item: Any = self._item
        self._maker.bind(block, item.said)
        text = arguments if type(arguments) is str else arguments_text(arguments)
        return [*frames, *self._piece(block, text)]

    def _arguments(self, event: Event) -> list[Frame]:
        part = self._maker.blocks.get(event["block"])
        if not isinstance(part, Part) or part.place or part.closed:  # only a call has no place in its item
            self._outer.stray(event)
            return []
        return self._piece(event["block"], event["arguments"])

    def _part(self, event: Event) -> list[Frame]:
        """Write a part that came whole; a text streams like any other."""
        block = event["block"]
        if block in self._maker.blocks:
            self._outer.replaced_part()
            return []
        target = self._target(self._outer.log)
        parts = encode_part(event["part"], self._outer.path("part"), "assistant", target, whole=True)
        if not parts:
            return []
        if parts[0]["type"] != OUTPUT_TEXT:
            return self._open_part(block, SAYS, parts[0])
        frames = [*self._open_part(block, SAYS, dict(PART_HABITS[OUTPUT_TEXT])), *self._piece(block, parts[0]["text"])]
        part: Any = self._maker.blocks[block]
        for annotation in parts[0]["annotations"]:
            frames.extend(self._emit(self._maker.annotated(part, annotation)))
        return frames

    def _note_citation(self, event: Event) -> list[Frame]:
        """Keep a citation until its text is whole: annotations say where in the text they stand."""
        self._citations.setdefault(event["block"], []).append((self._outer.number, event))
        return []

    def _cite(self, block: int, part: Part) -> list[Frame]:
        frames: list[Frame] = []
        for number, event in self._citations.pop(block, ()):
            target = self._target(self._outer.log)
            annotation = encode_citation(event["citation"], f"/{number}/citation", part.text(), target)
            if annotation is not None:
                frames.extend(self._emit(self._maker.annotated(part, annotation)))
        return frames

    def _block_end(self, event: Event) -> list[Frame]:
        block = event["block"]
        if block in self._empty:
            self._outer.log.changed("empty_text", f"/{self._empty.pop(block)}/text", "an empty text says nothing")
        part = self._maker.blocks.get(block)
        if not isinstance(part, Part) or part.closed:
            for number, _ in self._citations.pop(block, ()):
                self._outer.log.lost("citation", f"/{number}/citation", "there is no text that it stands in")
            return []
        cited = [] if part.voice is not SAYS else self._cite(block, part)
        frames = [*cited, *self._close_part(part)]
        part.closed = True
        return frames

    def _close_part(self, part: Part) -> list[Frame]:
        if not part.place:  # a call is an item of its own
            return [*self._emit(*self._maker.closing(part, TEXT_DONE)), *self._close_item()]
        return [frame for name in (TEXT_DONE, PART_DONE) for frame in self._emit(*self._maker.closing(part, name))]

    def _state(self, event: Event) -> list[Frame]:
        del event  # only its own dialect understands it
        return []

    def _note_usage(self, event: Event) -> list[Frame]:
        self._usage.add(self._outer.number, event["usage"])
        return []

    def _note_finish(self, event: Event) -> list[Frame]:
        self._finish = (self._outer.number, event)
        return []

    def _write_error(self, event: Event) -> list[Frame]:
        self._error = {"code": event.get("code", "server_error"), "message": event.get("message", "")}
        error = {"type": "error", "code": event.get("code"), "message": event.get("message", ""), "param": None}
        return self._emit(self._maker.number(error))

    def _end(self, event: Event) -> list[Frame]:
        """Write the last frame; where the stream was cut there is none, and the open item is incomplete."""
        frames = self._close_item()
        if not event["complete"]:
            self._outer.cut(self._finish, self._usage)
            return frames
        usage = self._encode_usage()
        number, finish = (self._outer.number, None) if self._finish is None else self._finish
        scratch = LossLog()
        output = self._maker.assembly.output()
        response = ended_response(self._response, output, finish, usage, self._target(scratch))
        self._outer.relocated(scratch, number, _FINISH_PLACES)
        if response["status"] == "failed":
            response["error"] = self._error
        name = response["status"] if response["status"] in {"incomplete", "failed"} else "completed"
        return [*frames, *self._lifecycle(name, response)]

    def _encode_usage(self) -> dict[str, Any] | None:
        if not self._usage.usage:
            return None
        scratch = LossLog()
        out = encode_usage(self._usage.usage, self._target(scratch))  # type: ignore[arg-type]  # the members of usage, merged
        self._outer.relocated_usage(scratch, self._usage)
        return out
