"""Encode canonical events as a Responses stream. Frames are numbered, and most repeat what has been sent so far.

`spelling.frames` of an event names the frames that it makes, if they are not those of the habit; an event with
`spelling.frame: more` makes none of its own, nor does one whose `spelling.delta: silent` says that its text was never a
delta. Source: docs/wire/openai_responses.md, section 3; docs/pain.md, STR-10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.loss import LossLog
from interlingua.rooms._shared.stream_logprobs import LogprobsWriter
from interlingua.rooms._shared.stream_notes import MORE, spelling
from interlingua.rooms._shared.stream_server_calls import is_server_event
from interlingua.rooms._shared.writing import Target
from interlingua.rooms.openai_responses.encode_answer import encode_finish, encode_usage, fill_failure
from interlingua.rooms.openai_responses.encode_message import encode_call
from interlingua.rooms.openai_responses.encode_part import encode_citation, encode_part
from interlingua.rooms.openai_responses.finish_reasons import CALLS_ABROAD, implied_reason_of_items
from interlingua.rooms.openai_responses.generated_images import is_generated_image
from interlingua.rooms.openai_responses.server_calls import encode_run, runs_of
from interlingua.rooms.openai_responses.stream_abroad import AbroadWriter
from interlingua.rooms.openai_responses.stream_items import Assembly, FrameCounter, Part
from interlingua.rooms.openai_responses.stream_tables import (
    ADDED,
    ANNOTATED,
    DELTA,
    DONE,
    INDEXES,
    ITEM_ADDED,
    ITEM_DONE,
    ITEM_HABITS,
    NUMBER,
    OUTPUT_TEXT_FRAMES,
    PADDING,
    PART_ADDED,
    PART_DONE,
    PART_FRAMES,
    PART_HABITS,
    REASONING_SUMMARY_FRAMES,
    REASONING_TEXT_FRAMES,
    REFUSAL_FRAMES,
    TERMINALS,
    TEXT_DONE,
)
from interlingua.rooms.openai_responses.tables import CALLS, CUSTOM_CALL, DIALECT, FILLS, REASONING_TEXT
from interlingua.spi.extra import NOTHING, own_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.model_shapes import ApiError
    from interlingua.rooms._shared.stream_template import TextPieces
    from interlingua.rooms._shared.stream_writer import Event, Frame
    from interlingua.rooms.openai_responses.stream_tables import TextFrames

# Events that do not start a stream.
_ALONE: Final = frozenset({"opaque", "error", "end"})
_MEMBERS: Final = (("id", "id"), ("model", "model"), ("created", "created_at"))
_FINISH_MEMBERS: Final = (("reason", "finish_reason"), ("raw", "finish_reason_raw"))
# Name of the last frame by finish reason; `completed` for any other reason.
_ENDINGS: Final[Mapping[str, str]] = {
    "length": "incomplete",
    "content_filter": "incomplete",
    "cancelled": "incomplete",
    "error": "failed",
}


def closing_habit(part: Part) -> tuple[str, ...]:
    """Return the names of the frames that close a block by habit."""
    spoken = () if part.text_kind is None else (TEXT_DONE,)
    return (*spoken, PART_DONE, DONE) if part.place else (*spoken, DONE)


def initial_response(event: Event, echo: Mapping[str, Any]) -> dict[str, Any]:
    """Return the response as it is when the stream starts; `echo` are the members that repeat the request."""
    out: dict[str, Any] = {"object": "response", "status": "in_progress", "error": None, "incomplete_details": None}
    for name, wire in _MEMBERS:
        if name in event:
            out[wire] = event[name]
    return {**echo, **out, "output": [], "usage": None}


class StreamEncoder(LogprobsWriter):
    """Encodes events as frames of a Responses stream."""

    dialect = DIALECT
    FREE: ClassVar[str] = PADDING
    COUNTED: ClassVar[str] = NUMBER

    def __init__(self, log: LossLog) -> None:
        super().__init__(log)
        self.assembly = Assembly()
        self._counter = FrameCounter(self.assembly)
        self._started = False
        self._abroad = AbroadWriter(self)
        self._to = Target(DIALECT, home=True, answer=True, log=LossLog())  # nothing is lost at home
        self._usage: Any = None  # in wire form
        self._finish: Event | None = None
        self.error: dict[str, Any] | None = None  # the last error
        self._run: dict[int, Any] = {}  # parts of a code interpreter run, by block
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

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return what keeps the pieces of an open text, and counts their frames."""
        part = self.assembly.blocks.get(event["block"])
        if (
            part is None
            or part.text_kind is None
            or part.text_kind.event != event["type"]
            or part.closed
            or part.item.done
        ):
            return None
        if part.announced:  # the next delta may repeat it
            return None
        return (part.pieces, self._counter) if self.home or self._abroad.is_current(event["block"]) else None

    def lay_logprobs(self, frame: dict[str, Any], tokens: list[dict[str, Any]], which: int) -> bool:
        """Write log probabilities into the frame of a delta; the frames that close the text repeat them."""
        if which or frame["type"] != OUTPUT_TEXT_FRAMES.delta:
            return False
        frame["logprobs"] = tokens
        part = self.assembly.open_text(frame, OUTPUT_TEXT_FRAMES)
        if part is not None:
            part.logprobs += tokens
        return True

    def end_with(self, event: Event, tokens: list[dict[str, Any]]) -> bool:
        """Add log probabilities to an open text: the frames that close it repeat all of them."""
        part = self.assembly.blocks.get(event["block"])
        if part is None or part.text_kind is not OUTPUT_TEXT_FRAMES or part.closed:
            return False
        part.logprobs += tokens
        return True

    def wrote(self, kind: str, frames: list[Frame]) -> None:
        """Learn the frames: most repeat what came before."""
        del kind
        self.assembly.learn(frames)

    def write(self, event: Event) -> list[Frame]:
        """Return the frames that an event makes by habit."""
        kind = event["type"]
        if kind == "start":
            # A hand-made start has no `extra` of this dialect: it is written as from abroad.
            self.home = event.get("dialect") == DIALECT and DIALECT in event.get("extra", {})
            self._started, self.ended = True, False
            if self.home:
                self.assembly.begin()
                self._usage = self._finish = self.error = None
        elif kind == "opaque":
            return self.opaque_frame(event)
        elif kind == "end":
            self.ended = True
        if not self._started and kind not in _ALONE:
            self._started, self.home = True, False
            return [*self._abroad.write({"type": "start"}), *self._abroad.write(event)]
        if self.home:
            return self.frames(event)
        return self._fail(event) if kind == "error" else self._abroad.write(event)

    def frames(self, event: Event) -> list[Frame]:
        """Return the frames of an event of this dialect; frames that did not come are learned, not written."""
        notes = spelling(event, DIALECT)
        number = self.assembly.sequence
        frames = self._writers[event["type"]](event, notes)
        if notes.get("frame") == MORE or "delta" in notes:
            self.assembly.learn(frames)
            self.assembly.sequence = number
            return []
        return frames

    def terminal(
        self, name: str, begun: Mapping[str, Any], finish: Event | None, usage: Any, to: Target
    ) -> dict[str, Any]:
        """Return the last frame, named `name` or after the response's status; `usage` is in wire form."""
        output = self.assembly.output()
        out = {**begun, "output": output, "error": None, "incomplete_details": None}
        if usage is not None:
            out["usage"] = usage
        said: dict[str, Any] = {}
        if finish is not None:
            said = {name: finish[word] for word, name in _FINISH_MEMBERS if word in finish}
            if "stop_sequence" in finish:
                to.log.lost("finish_reason", "/stop_sequence", "a response cannot say which stop sequence ended it")
        reason = implied_reason_of_items(output, CALLS if to.home else CALLS_ABROAD)
        encode_finish(out, said, reason, {}, to)  # type: ignore[arg-type]  # the members of a response that say why it ended
        if out.get("status") == "failed":
            out["error"] = self.error
            if not to.home:
                out["error"] = self.error and {"code": FILLS["error_code"], "message": "", **self.error}
                if self.error is None and finish is not None:
                    out["error"] = own_extra(finish, DIALECT).get("fields", NOTHING).get("error")
                fill_failure(out, said.get("finish_reason_raw"), to.log)
        if not name:
            name = f"{out['status']}" if f"response.{out['status']}" in TERMINALS else "completed"
        return self._lifecycle(name, out)

    def _lifecycle(self, name: str, response: dict[str, Any]) -> dict[str, Any]:
        """Return a frame that holds the whole response."""
        return self._number({"type": f"response.{name}", "response": response})

    def _start_frame(self, name: str, response: dict[str, Any]) -> dict[str, Any]:
        return self._lifecycle(name, {**response, "status": "queued" if name == "queued" else "in_progress"})

    def _number(self, frame: dict[str, Any]) -> dict[str, Any]:
        assembly = self.assembly
        if assembly.sequence is not None:
            frame[NUMBER] = assembly.sequence
            assembly.sequence += 1
        return frame

    def _frame_at(self, kind: str, item: tuple[int, Any], counter: str, index: int, **said: Any) -> dict[str, Any]:
        """Return a frame about a place in an item, given by its index and id."""
        frame: dict[str, Any] = {"type": kind, "output_index": item[0]}
        if item[1] is not None:
            frame["item_id"] = item[1]
        if counter:
            frame[counter] = index
        frame.update(said)
        return self._number(frame)

    def _delta(self, text_kind: TextFrames, item: tuple[int, Any], index: int, text: str) -> dict[str, Any]:
        """Return a delta frame; `item_id` precedes `output_index`, as the provider writes it."""
        frame: dict[str, Any] = {"type": text_kind.delta}
        if item[1] is not None:
            frame["item_id"] = item[1]
        frame["output_index"] = item[0]
        if text_kind.counter:
            frame[text_kind.counter] = index
        frame["delta"] = text
        if text_kind is OUTPUT_TEXT_FRAMES and self.assembly.logprobs:
            frame["logprobs"] = []
        return self._number(frame)

    def _item_added(self, wire: dict[str, Any]) -> dict[str, Any]:
        return self._number({"type": ITEM_ADDED, "output_index": self.assembly.next_index, "item": wire})

    def _closing_frames(self, part: Part, names: Sequence[str], status: str = "completed") -> list[Frame]:
        """Return the frames that close a part or its item, by their names."""
        frames: list[Frame] = []
        item, text_kind = part.item, part.text_kind
        at = (item.index, item.id)
        for name in names:
            if name == DONE:
                done = {"type": ITEM_DONE, "output_index": item.index, "item": item.ended(status)}
                frames.append(self._number(done))
            elif name == TEXT_DONE and text_kind is not None:
                said: dict[str, Any] = {text_kind.member: part.text()}
                if text_kind is OUTPUT_TEXT_FRAMES and self.assembly.logprobs:
                    said["logprobs"] = list(part.logprobs)
                frames.append(self._frame_at(text_kind.done, at, text_kind.counter, part.index, **said))
            elif name == PART_DONE and part.place:
                kind, counter = f"{PART_FRAMES[part.place]}.done", INDEXES[part.place]
                frames.append(self._frame_at(kind, at, counter, part.index, part=part.made()))
        return frames

    def _start(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        response = initial_response(event, own_extra(event, DIALECT).get("response", {}))
        if "created" in event and notes.get("created") == "float":
            response["created_at"] = float(event["created"])
        if "usage" in event:
            response["usage"] = encode_usage(event["usage"], self._to)
        return [self._start_frame(name, response) for name in notes.get("frames", ("created",))]

    def _text(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        """Write a delta, or open a text: with its item, unless it continues the last one."""
        if event["block"] in self.assembly.blocks:
            return self._piece(event["block"], event["text"])
        text_kind = REFUSAL_FRAMES if event["type"] == "refusal" else OUTPUT_TEXT_FRAMES
        if event["type"] == "reasoning":
            text_kind = REASONING_TEXT_FRAMES if notes.get("type") == REASONING_TEXT else REASONING_SUMMARY_FRAMES
        names = notes.get("frames", (PART_ADDED, DELTA) if event["text"] else (PART_ADDED,))
        part = dict(PART_HABITS[text_kind.part])
        if DELTA not in names:
            part[text_kind.member] = event["text"]
        return self._open(event, notes, names, text_kind, part)

    def _arguments(self, event: Event, _notes: Mapping[str, Any]) -> list[Frame]:
        return self._piece(event["block"], event["arguments"])

    def _piece(self, block: int, text: str) -> list[Frame]:
        """Return the frame of a delta, or nothing if no text is open."""
        part = self.assembly.blocks.get(block)
        if part is None or part.text_kind is None:
            return []
        return [self._delta(part.text_kind, (part.item.index, part.item.id), part.index, text)]

    def _part(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        if is_server_event(event) or is_generated_image(event["part"], self._to):
            self._run = {**(self._run if "item" in notes else {}), event["block"]: event["part"]}
            return []
        parts = encode_part(event["part"], "", "assistant", self._to, whole=True)
        block = self.assembly.blocks.get(event["block"])
        if not parts:
            return []
        if block is not None:  # it repeats the part, now complete
            block.wire = parts[0]
            return []
        return self._open(event, notes, notes.get("frames", (PART_ADDED,)), OUTPUT_TEXT_FRAMES, parts[0])

    def _open(
        self, event: Event, notes: Mapping[str, Any], names: Sequence[str], text_kind: TextFrames, part: dict[str, Any]
    ) -> list[Frame]:
        """Return the frames that open a part."""
        assembly = self.assembly
        item = assembly.last if notes.get("item") == "same" else None
        wire = {**ITEM_HABITS[text_kind.item], **own_extra(event, DIALECT).get("item", {})}
        assembly.opening = event["block"]
        frames: list[Frame] = []
        if ADDED in names or (item is None and "frames" not in notes):
            frames.append(self._item_added(wire))
        at = (assembly.next_index, wire.get("id")) if item is None else (item.index, item.id)
        index = 0 if item is None else item.count(text_kind.place)
        if PART_ADDED in names:
            kind = f"{PART_FRAMES[text_kind.place]}.added"
            frames.append(self._frame_at(kind, at, INDEXES[text_kind.place], index, part=part))
        if DELTA in names:
            frames.append(self._delta(text_kind, at, index, event["text"]))
        return frames

    def _call(self, event: Event, _notes: Mapping[str, Any]) -> list[Frame]:
        call: dict[str, Any] = {name: event[name] for name in ("id", "name", "kind") if name in event}
        call["arguments"] = event.get("arguments", "")
        known = encode_call(call, 0, 0, set(), self._to)  # type: ignore[arg-type]  # the members of a call, taken by name
        return self._open_item(event, {**known, **own_extra(event, DIALECT).get("item", {})})

    def _open_item(self, event: Event, item: dict[str, Any]) -> list[Frame]:
        """Open an item that is a block of its own: a call, or an item without text."""
        kind = item.get("type")
        wire = {**(ITEM_HABITS.get(kind, {}) if type(kind) is str else {}), **item}
        if not self.home and kind == CUSTOM_CALL:
            del wire["status"]  # the official types have no status
        self.assembly.opening = event["block"]
        return [self._item_added(wire)]

    def _citation(self, event: Event, _notes: Mapping[str, Any]) -> list[Frame]:
        part = self.assembly.blocks.get(event["block"])
        annotation = encode_citation(event["citation"], "", "", self._to)
        if part is None or annotation is None:
            return []
        said = {"annotation_index": len(part.annotations), "annotation": annotation}
        return [
            self._frame_at(ANNOTATED, (part.item.index, part.item.id), OUTPUT_TEXT_FRAMES.counter, part.index, **said)
        ]

    def _block_end(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        if event["block"] in self._run:
            return [] if "frame" in notes else self._run_done()
        block = self.assembly.blocks.get(event["block"])
        if block is None:
            return []
        block.closed = True
        state = own_extra(event, DIALECT).get("item")
        if state is not None:
            block.item.wire = {**block.item.wire, **state}
        return [] if "frame" in notes else self._closing_frames(block, notes.get("frames", closing_habit(block)))

    def _run_done(self) -> list[Frame]:
        """Return the frame that ends a code interpreter run, with its code and output."""
        runs = runs_of([*self._run.values()], self._to)
        self._run = {}
        frames: list[Frame] = []
        for run in runs:
            item = encode_run(run, "", self._to)
            index = self.assembly.open_item(item.get("id"))
            frames.append(self._number({"type": ITEM_DONE, "output_index": index, "item": item}))
        return frames

    def _state(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        """Write frames that open an item without text, close one later, or repeat the response."""
        bag = own_extra(event, DIALECT)
        names: Sequence[str] = notes.get("frames", ())
        if "item" in bag and "block" in event:
            return self._open_item(event, bag["item"])
        block = self.assembly.blocks.get(event["block"]) if "block" in event else None
        if block is not None:
            return self._closing_frames(block, names, notes.get("status", "completed"))
        if names and f"response.{names[0]}" in TERMINALS:
            return [self._terminal_frame(names[0])]
        return [self._start_frame(name, self.assembly.response) for name in names]

    def _note_usage(self, event: Event, _notes: Mapping[str, Any]) -> list[Frame]:
        self._usage = encode_usage(event["usage"], self._to)
        return []

    def _note_finish(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        self._finish = event
        return [self._terminal_frame(name) for name in notes.get("frames", ())]

    def _terminal_frame(self, name: str) -> dict[str, Any]:
        finish, self._finish = self._finish, None
        return self.terminal(name, self.assembly.response, finish, self._usage, self._to)

    def _write_error(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        self.error = {name: event[name] for name in ("code", "message") if name in event}
        said: dict[str, Any] = {"code": event.get("code"), "message": event.get("message", ""), "param": None}
        if notes.get("error") == "nested":
            kind = event.get("error_type", event.get("code"))
            return [self._number({"type": "error", "error": {"type": kind, **said}})]
        return [self._number({"type": "error", **said})]

    def failure(self, error: ApiError, log: LossLog) -> list[Frame]:
        """Return the error frames, the last with the response so far."""
        from interlingua.rooms.openai_responses.errors import failure_frames  # noqa: PLC0415  # most streams have none

        frames: list[Frame] = [] if self._started else self._abroad.write({"type": "start"})
        self._started = True
        said, told = failure_frames(error, log)
        self.error = told
        return [*frames, self._number(said), self._abroad.failed()]

    def _end(self, event: Event, notes: Mapping[str, Any]) -> list[Frame]:
        if notes.get("end") == "done":
            return ["[DONE]"]
        if self._finish is None or not event["complete"]:
            return []
        return [self._terminal_frame(_ENDINGS.get(self._finish["reason"], "completed"))]


encode_stream: Final = StreamEncoder
