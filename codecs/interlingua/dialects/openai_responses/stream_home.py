"""Events that came from Responses, back to its frames.

`spelling.frames` of an event names the frames that it makes, where they are not those of the habit; an event with
`spelling.frame: more`, or with a text that `spelling.delta: silent` says was never a piece, makes none of its own.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import own_bag
from interlingua.dialects._shared.stream import MORE, spelling
from interlingua.dialects._shared.target import Target
from interlingua.dialects.openai_responses.encode_answer import encode_usage
from interlingua.dialects.openai_responses.encode_call import encode_call
from interlingua.dialects.openai_responses.encode_citation import encode_citation
from interlingua.dialects.openai_responses.encode_part import encode_part
from interlingua.dialects.openai_responses.stream_answer import begun_response, ended_response
from interlingua.dialects.openai_responses.stream_assembly import Item, Part
from interlingua.dialects.openai_responses.stream_tables import (
    ADDED,
    DECLINES,
    DELTA,
    DONE,
    ITEM_HABITS,
    PART_ADDED,
    PART_DONE,
    PART_HABITS,
    SAYS,
    SUMS_UP,
    TERMINALS,
    TEXT_DONE,
    THINKS,
)
from interlingua.dialects.openai_responses.tables import DIALECT, REASONING_TEXT
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.dialects._shared.stream import Event, Frame
    from interlingua.dialects.openai_responses.stream_frames import FrameMaker
    from interlingua.dialects.openai_responses.stream_tables import Voice

_NO_NAMES: Final[tuple[str, ...]] = ()


def is_quiet(notes: Mapping[str, Any]) -> bool:
    """Tell whether an event makes no frame of its own."""
    return notes.get("frame") == MORE or "delta" in notes


def closing_habit(block: Part | Item) -> tuple[str, ...]:
    """Return the names of the frames that close a block by habit."""
    if isinstance(block, Item):
        return (DONE,)
    if not block.place:
        return (TEXT_DONE, DONE)
    return (PART_DONE, DONE) if block.voice is None else (TEXT_DONE, PART_DONE, DONE)


class HomeWriter:
    """Writes the frames of events as they came. What is lost at home is nothing."""

    def __init__(self, maker: FrameMaker) -> None:
        self._maker = maker
        self._to = Target(DIALECT, home=True, answer=True, log=LossLog())
        self._usage: Mapping[str, Any] | None = None
        self._finish: Event | None = None
        self._error: dict[str, Any] | None = None
        self._writers: Mapping[str, Callable[[Event, Mapping[str, Any]], list[Frame]]] = {
            "start": self._start,
            "content": self._text,
            "reasoning": self._text,
            "refusal": self._text,
            "tool_call_start": self._call,
            "tool_call_delta": self._arguments,
            "part": self._part,
            "citation": self._citation,
            "block_end": self._block_end,
            "state": self._state,
            "usage": self._note_usage,
            "finish": self._note_finish,
            "error": self._write_error,
            "end": self._end,
        }

    def write(self, event: Event) -> list[Frame]:
        """Return the frames of an event."""
        return self._writers[event["type"]](event, spelling(event, DIALECT))

    def piece(self, block: int | None, text: str) -> list[Frame]:
        """Return a piece of an open text, nothing where there is none."""
        part = self._maker.blocks.get(block)  # type: ignore[arg-type]  # None is the block of nothing
        if not isinstance(part, Part) or part.voice is None:
            return []
        return [self._maker.delta(part.voice, (part.item.index, part.item.id), part.index, text)]

    def _start(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        response = begun_response(event, own_bag(event, DIALECT).get("response", {}))
        if "created" in event and notes.get("created") == "float":
            response["created_at"] = float(event["created"])
        if "usage" in event:
            response["usage"] = encode_usage(event["usage"], self._to)
        self._maker.begin()
        self._usage = self._finish = self._error = None
        if is_quiet(notes):
            self._maker.assembly.response = response
            return []
        return [self._lifecycle(name, response) for name in notes.get("frames", ("created",))]

    def _lifecycle(self, name: str, response: dict[str, Any]) -> dict[str, Any]:
        return self._maker.lifecycle(name, {**response, "status": "queued" if name == "queued" else "in_progress"})

    def _text(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        """Write a piece of a text, or open one: with its item, unless it continues the last one."""
        block = self._maker.blocks.get(event["block"])
        if isinstance(block, Part):
            if is_quiet(notes):
                block.pieces.append(event["text"])
                return []
            return self.piece(event["block"], event["text"])
        voice = _voice(event, notes)
        habit = (PART_ADDED, DELTA) if event["text"] else (PART_ADDED,)
        part = dict(PART_HABITS[voice.part])
        names = notes.get("frames", habit)
        if DELTA not in names or is_quiet(notes):
            part[voice.member] = event["text"]
        return self._open(event, notes, names, voice, part)

    def _part(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        parts = encode_part(event["part"], "", "assistant", self._to, whole=True)
        block = self._maker.blocks.get(event["block"])
        if not parts:
            return []
        if isinstance(block, Part):  # it says again what the part is, now that it is whole
            block.wire = parts[0]
            return []
        return self._open(event, notes, notes.get("frames", (PART_ADDED,)), SAYS, parts[0])

    def _open(
        self, event: Event, notes: Mapping[str, Any], names: Sequence[str], voice: Voice, part: dict[str, Any]
    ) -> list[Frame]:
        """Open a part; quietly, or with frames."""
        maker = self._maker
        item = maker.assembly.last if notes.get("item") == "same" else None
        wire = {**ITEM_HABITS[voice.item], **own_bag(event, DIALECT).get("item", {})}
        if is_quiet(notes):
            item = maker.assembly.begin(maker.assembly.next_index, wire) if item is None else item
            maker.bind(event["block"], item.begin(voice.place, item.count(voice.place), part))
            return []
        maker.opening = event["block"]
        announced = () if item is not None or "frames" in notes else (ADDED,)
        at = (maker.assembly.next_index, wire.get("id")) if item is None else (item.index, item.id)
        index = 0 if item is None else item.count(voice.place)
        frames: list[Frame] = []
        for name in (*announced, *names):
            if name == ADDED:
                frames.append(maker.item_added(at[0], wire))
            elif name == PART_ADDED:
                frames.append(maker.part_added(at, voice.place, index, part))
            elif name == DELTA:
                frames.append(maker.delta(voice, at, index, event["text"]))
        return frames

    def _call(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        call: dict[str, Any] = {name: event[name] for name in ("id", "name", "kind") if name in event}
        call["arguments"] = event.get("arguments", "")
        known = encode_call(call, 0, 0, set(), self._to)  # type: ignore[arg-type]  # the members of a call, taken by name
        wire = {**ITEM_HABITS[known["type"]], **known, **own_bag(event, DIALECT).get("item", {})}
        if is_quiet(notes):
            item = self._maker.assembly.begin(self._maker.assembly.next_index, wire)
            self._maker.bind(event["block"], item)
            return []
        self._maker.opening = event["block"]
        return [self._maker.item_added(self._maker.assembly.next_index, wire)]

    def _arguments(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        if is_quiet(notes):
            block = self._maker.blocks.get(event["block"])
            if isinstance(block, Part):
                block.pieces.append(event["arguments"])
            return []
        return self.piece(event["block"], event["arguments"])

    def _citation(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        part = self._maker.blocks.get(event["block"])
        annotation = encode_citation(event["citation"], "", "", self._to)
        if not isinstance(part, Part) or annotation is None:
            return []
        if is_quiet(notes):
            part.annotations.append(annotation)
            return []
        return [self._maker.annotated(part, annotation)]

    def _block_end(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        block = self._maker.blocks.get(event["block"])
        if block is None:
            return []
        block.closed = True
        if is_quiet(notes):
            return []
        return self._closed(block, notes.get("frames", closing_habit(block)))

    def _closed(self, block: Part | Item, names: Sequence[str]) -> list[Frame]:
        return [frame for name in names for frame in self._maker.closing(block, name)]

    def _state(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        """Write what opens an item without a text, closes one later, or repeats the response."""
        bag = own_bag(event, DIALECT)
        maker = self._maker
        names: Sequence[str] = notes.get("frames", _NO_NAMES)
        if "item" in bag and "block" in event:
            kind = bag["item"].get("type")
            wire = {**(ITEM_HABITS.get(kind, {}) if type(kind) is str else {}), **bag["item"]}
            if is_quiet(notes):
                maker.bind(event["block"], maker.assembly.begin(maker.assembly.next_index, wire))
                return []
            maker.opening = event["block"]
            return [maker.item_added(maker.assembly.next_index, wire)]
        block = maker.blocks.get(event.get("block"))  # type: ignore[arg-type]  # None is the block of nothing
        if block is not None:
            return self._closed(block, names)
        response = maker.assembly.response
        if names and f"response.{names[0]}" in TERMINALS:
            return [self._terminal(names[0])]
        return [self._lifecycle(name, response) for name in names]

    def _note_usage(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        del notes  # it comes in the last frame
        self._usage = event["usage"]
        return []

    def _note_finish(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        self._finish = event
        return [self._terminal(name) for name in notes.get("frames", _NO_NAMES)]

    def _terminal(self, name: str) -> dict[str, Any]:
        assembly = self._maker.assembly
        output = assembly.output()
        usage = None if self._usage is None else encode_usage(self._usage, self._to)  # type: ignore[arg-type]  # the members of usage
        response = ended_response(assembly.response, output, self._finish, usage, self._to)
        if response.get("status") == "failed":
            response["error"] = self._error
        self._finish = None
        return self._maker.lifecycle(name, response)

    def _write_error(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        self._error = {name: event[name] for name in ("code", "message") if name in event}
        if is_quiet(notes):
            return []
        said: dict[str, Any] = {"code": event.get("code"), "message": event.get("message", ""), "param": None}
        if notes.get("error") == "nested":
            return [self._maker.number({"type": "error", "error": {"type": event.get("code"), **said}})]
        return [self._maker.number({"type": "error", **said})]

    def _end(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        if notes.get("end") == "done":
            return ["[DONE]"]
        if self._finish is None or not event["complete"]:
            return []
        status = {"length": "incomplete", "content_filter": "incomplete", "error": "failed"}
        return [self._terminal(status.get(self._finish["reason"], "completed"))]


def _voice(event: Event, notes: Mapping[str, Any]) -> Voice:
    if event["type"] == "reasoning":
        return THINKS if notes.get("type") == REASONING_TEXT else SUMS_UP
    return SAYS if event["type"] == "content" else DECLINES
