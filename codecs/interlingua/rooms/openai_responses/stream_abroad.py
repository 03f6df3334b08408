"""Convert other dialects' events to Responses events, with the full item lifecycle and ids made from positions.

One item is open at a time. Consecutive texts share a message item, consecutive thinking blocks a reasoning item; what
would begin the next message of a whole response begins the next item. Items without text are not written (ITEM-4.3).
Source: docs/wire/openai_responses.md, section 3; 003.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import LossLog
from interlingua.rooms._shared.names import CALL_WITHOUT_ID, AnswerIds
from interlingua.rooms._shared.stream_abroad import BlockSequence, StreamUsage, report_unplaced_state
from interlingua.rooms._shared.stream_notes import noted, spelled
from interlingua.rooms._shared.writing import Target
from interlingua.rooms.openai_responses.encode_answer import encode_usage, fill_echo
from interlingua.rooms.openai_responses.encode_message import as_client_call, encode_call
from interlingua.rooms.openai_responses.encode_part import encode_citation, encode_part
from interlingua.rooms.openai_responses.stream_tables import (
    DONE,
    OUTPUT_TEXT_FRAMES,
    PART_DONE,
    REASONING_SUMMARY_FRAMES,
    REFUSAL_FRAMES,
    TEXT_DONE,
)
from interlingua.rooms.openai_responses.tables import (
    CLIENT_TOOL,
    CUSTOM_CALL,
    DIALECT,
    FILLS,
    FUNCTION_CALL,
    IMAGE_GENERATION_CALL,
    INCOMPLETE_WORDS,
    ITEM_PREFIXES,
    OUTPUT_TEXT,
)
from interlingua.spi.extra import NOTHING, own_extra
from interlingua.tool_arguments import are_whole, arguments_text, first_piece

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.rooms._shared.stream_writer import Event, Frame
    from interlingua.rooms.openai_responses.stream_encoder import StreamEncoder
    from interlingua.rooms.openai_responses.stream_items import Item, Part
    from interlingua.rooms.openai_responses.stream_tables import TextFrames

_TEXT_KINDS: Final[Mapping[str, TextFrames]] = MappingProxyType(
    {"content": OUTPUT_TEXT_FRAMES, "refusal": REFUSAL_FRAMES, "reasoning": REASONING_SUMMARY_FRAMES}
)
_START_MEMBERS: Final = (("id", "id"), ("model", "model"), ("created", "created_at"))


class AbroadWriter:
    """Reorders and converts other dialects' events, and passes them to the frame writer.

    The assembly learns each frame at once: the next events depend on it.
    """

    def __init__(self, outer: StreamEncoder) -> None:
        self._outer = outer
        self._assembly = outer.assembly
        self._frames: list[Frame] = []
        self._ids = AnswerIds({}, outer.log.asked)
        self._begun: dict[str, Any] = {}  # the response in the first frames
        self._sequence = BlockSequence()
        self._item: Item | None = None
        self._block = 0  # of the open item
        self._ended: int | None = None  # an ended text that may still get citations, or an ended call
        self._declined = False  # whether the open message has a refusal, which must come last
        self._citations: dict[int, list[tuple[int, Event]]] = {}
        self._whole: dict[int, tuple[int, Event]] = {}  # client tool calls, held until they end
        self._finish: tuple[int, Event] | None = None
        self._usage = StreamUsage()
        self._status = "completed"  # of closing items; "incomplete" if the stream was cut
        self._readers: Mapping[str, Callable[[Event], None]] = {
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
        }

    def write(self, event: Event) -> list[Frame]:
        """Return the frames of an event; the blocks are put in sequence first."""
        self._frames = []
        kind, outer = event["type"], self._outer
        if kind == "start":
            self._start(event)
        elif event.get("alternative"):
            outer.lost_alternative(event)
        elif kind == "end":
            self._status = "completed" if event["complete"] else "incomplete"
            ended = self._ended  # before closing what a cut stream left open
            self._in_sequence(self._sequence.close(outer.number))
            if (event["complete"] or self._ended == ended) and self._holds_whole_call(is_cut=not event["complete"]):
                self._status = "completed"  # of the last item
            elif self._finish is not None and self._finish[1]["reason"] in INCOMPLETE_WORDS:
                self._status = "incomplete"
            self._end(event)
        else:
            self._in_sequence(self._sequence.feed(outer.number, event))
        return self._frames

    def is_current(self, block: int) -> bool:
        """Return whether a block is the open one."""
        return block == self._sequence.current

    def _in_sequence(self, numbered: list[tuple[int, Event]]) -> None:
        now = self._outer.number
        for self._outer.number, event in numbered:
            self._readers[event["type"]](event)
        self._outer.number = now

    def _emit(self, event: Event) -> None:
        frames = self._outer.frames(event)
        self._assembly.learn(frames)
        self._frames += frames

    def _start(self, event: Event) -> None:
        outer, begun = self._outer, self._begun
        self._usage = StreamUsage(outer.number, event.get("usage", {}))
        self._finish = self._outer.error = None
        if begun:  # a stream has one response: a second start only adds to it
            outer.restarted()
            for name, wire in _START_MEMBERS:
                if name in event and event[name] != begun[wire]:
                    outer.log.lost("member", outer.path(name), "a stream holds only one response")
            return
        self._ids = AnswerIds(event, outer.log.asked)
        made: Event = {"type": "start"}
        for name, wire in _START_MEMBERS:
            made[name] = (
                event.get(name, FILLS.get(wire)) if name != "id" or name in event else self._ids.response("resp_")
            )
            if name not in event:
                outer.log.filled(outer.path(name), "every response of Responses needs this member: a value was added")
        echo: dict[str, Any] = {}
        fill_echo(echo, outer.log_of(outer.number))
        noted(made, DIALECT, "response", echo)
        self._emit(spelled(made, DIALECT, "frames", ["created", "in_progress"]))
        self._begun = self._assembly.response

    def _open_item(self, block: int, event: Event, kind: str, known: Mapping[str, Any] = NOTHING) -> None:
        """Close the open item and open the next with an event of its first block; `known` are the item's members."""
        self._close_item()
        self._outer.log.filled(
            self._outer.path("extra", DIALECT, "item", "id"), "every output item needs an id: one was generated"
        )
        if kind == "message":
            self._outer.log.filled(
                self._outer.path("extra", DIALECT, "item", "status"), "every output message needs a status"
            )
        identifier = self._ids.item(ITEM_PREFIXES[kind], self._assembly.next_index)
        self._emit(noted(event, DIALECT, "item", {"id": identifier, **known}))
        self._item, self._block = self._assembly.last, block

    def _close_item(self) -> None:
        self._close_text()
        item, self._item = self._item, None
        if item is not None and not item.done:
            event = spelled({"type": "state", "block": self._block}, DIALECT, "frames", [DONE])
            self._emit(spelled(event, DIALECT, "status", self._status))

    def _open_part(self, event: Event, text_kind: TextFrames) -> None:
        """Open a part, in the open item if that can hold it."""
        block = event["block"]
        self._close_text()
        self._assembly.blocks.pop(block, None)
        if (
            self._item is None
            or self._item.kind != text_kind.item
            or (self._declined and text_kind is not REFUSAL_FRAMES)
        ):
            self._open_item(block, event, text_kind.item)
        else:
            self._emit(spelled(event, DIALECT, "item", "same"))
        self._declined = text_kind is REFUSAL_FRAMES

    def _open_text(self, block: int) -> Part | None:
        part = self._assembly.blocks.get(block)
        return part if part is not None and part.text_kind is not None and not part.closed else None

    def _text(self, event: Event) -> None:
        block, text = event["block"], event["text"]
        text_kind = _TEXT_KINDS[event["type"]]
        if block == self._ended:
            self._close_text()
        part = self._open_text(block)
        made = {"type": event["type"], "block": block, "text": text}
        if part is not None and part.text_kind is text_kind:
            if text:
                self._emit(made)
        elif text:
            self._open_part(made, text_kind)  # the block opens with its first text

    def _call(self, event: Event) -> None:
        if CLIENT_TOOL in own_extra(event, DIALECT):
            arguments = event.get("arguments", "")
            text = arguments if type(arguments) is str else arguments_text(arguments)
            self._whole[event["block"]] = (self._outer.number, {**event, "arguments": text})
        else:
            self._open_call(event)

    def _open_call(self, event: Event) -> None:
        outer = self._outer
        block, arguments = event["block"], event.get("arguments", "")
        call: dict[str, Any] = {name: event[name] for name in ("id", "name", "kind") if name in event}
        number = self._ids.next_call()
        if "id" not in call:
            call["id"] = self._ids.call(number)
            outer.log.filled(outer.path("id"), CALL_WITHOUT_ID)
        wire = encode_call({**call, "arguments": ""}, 0, 0, set(), outer.target_of(outer.number))  # type: ignore[typeddict-item]  # the members of a call, taken by name
        made: Event = {**call, "type": "tool_call_start", "block": block, "id": wire["call_id"], "name": wire["name"]}
        bag = own_extra(event, DIALECT)  # noted by an exchange: namespace and client tool
        item = as_client_call({**wire, "arguments": arguments}, event) if CLIENT_TOOL in bag else wire
        if item["type"] != wire["type"]:
            self._open_item(block, {"type": "state", "block": block}, item["type"], {**item, "status": "in_progress"})
            return
        self._open_item(block, made, wire["type"], {name: bag[name] for name in ("namespace",) if name in bag})
        text = arguments if type(arguments) is str else arguments_text(arguments)
        if text:
            self._say_arguments(block, text)

    def _arguments(self, event: Event) -> None:
        if event["block"] in self._whole:
            self._whole[event["block"]][1]["arguments"] += event["arguments"]
            return
        part = self._open_text(event["block"])
        if part is None or part.place or event["block"] == self._ended:  # only a call has an empty place
            self._outer.unmatched_arguments(event)
        elif event["arguments"]:
            self._say_arguments(event["block"], event["arguments"])

    def _say_arguments(self, block: int, text: str) -> None:
        part = self._assembly.blocks[block]
        is_first = part.item.kind == FUNCTION_CALL and not part.text()
        self._emit({"type": "tool_call_delta", "block": block, "arguments": first_piece(text) if is_first else text})

    def _part(self, event: Event) -> None:
        """Write a part that came whole; text is streamed like any other."""
        block = event["block"]
        if block in self._assembly.blocks:
            self._outer.replaced_part()
            return
        target = self._outer.target()
        for wire in encode_part(event["part"], self._outer.path("part"), "assistant", target, whole=True)[:1]:
            if wire["type"] == IMAGE_GENERATION_CALL:
                self._write_image(block, wire)
            elif wire["type"] == OUTPUT_TEXT:
                self._open_part({"type": "content", "block": block, "text": wire["text"]}, OUTPUT_TEXT_FRAMES)
                for annotation in wire["annotations"]:
                    self._annotate(block, annotation)
            else:
                part = {"type": "opaque", "dialect": DIALECT, "data": wire}
                self._open_part({"type": "part", "block": block, "part": part}, OUTPUT_TEXT_FRAMES)

    def _state(self, event: Event) -> None:
        """Write a reasoning item without text, which carries another provider's signature."""
        bag = own_extra(event, DIALECT)
        item = bag.get("item")
        block = event.get("block")
        if block is None:
            report_unplaced_state(bag, self._outer)
        elif item is not None:
            self._open_item(block, {"type": "state", "block": block}, "reasoning", {"summary": [], **item})
            self._close_item()

    def _write_image(self, block: int, wire: dict[str, Any]) -> None:
        """Write an image as an item of its own: announced first, with its data when the item is done."""
        said = {"result": wire["result"], "status": wire["status"]}
        begun = {**wire, "result": None, "status": "in_progress"}
        self._open_item(block, {"type": "state", "block": block}, IMAGE_GENERATION_CALL, begun)
        self._emit(noted({"type": "block_end", "block": block}, DIALECT, "item", said))
        self._close_item()

    def _note_citation(self, event: Event) -> None:
        """Hold a citation until its text is complete: annotations have positions in the text."""
        part = self._assembly.blocks.get(event["block"])
        if part is not None and part.closed:
            self._outer.log.lost(
                "citation", self._outer.path("citation"), "the text block that it belongs to has already ended"
            )
        else:
            self._citations.setdefault(event["block"], []).append((self._outer.number, event))

    def _annotate(self, block: int, annotation: dict[str, Any]) -> None:
        citation = {"kind": "opaque", "extra": {DIALECT: {"fields": annotation}}}
        self._emit({"type": "citation", "block": block, "citation": citation})

    def _block_end(self, event: Event) -> None:
        block, log = event["block"], self._outer.log
        if block in self._whole:
            self._outer.number, call = self._whole.pop(block)
            self._open_call(call)
        part = self._assembly.blocks.get(block)
        if part is None or part.closed:
            for number, _ in self._citations.pop(block, ()):
                log.lost("citation", f"/{number}/citation", "no text block is open that it could belong to")
            return
        if part.text_kind is OUTPUT_TEXT_FRAMES:
            self._ended = block
            return
        if part.item.kind == FUNCTION_CALL and not part.text().strip():
            self._emit({"type": "tool_call_delta", "block": block, "arguments": "{}"})  # clients parse it
        if not part.place:  # a call; the events after it show whether it was cut
            self._ended = block
            return
        self._close_part(block, own_extra(event, DIALECT).get("item"))

    def _close_text(self) -> None:
        """Close the ended text, with its citations: Gemini sends them after all texts."""
        block, self._ended = self._ended, None
        if block is None:
            return
        text = self._assembly.blocks[block].text()
        for number, cited in self._citations.pop(block, ()):
            annotation = encode_citation(cited["citation"], f"/{number}/citation", text, self._outer.target())
            if annotation is not None:
                self._annotate(block, annotation)
        self._close_part(block)

    def _close_part(self, block: int, state: Mapping[str, Any] | None = None) -> None:
        """Close a part; `state` is the encrypted content of its item."""
        event: Event = {"type": "block_end", "block": block}
        if state is not None:
            noted(event, DIALECT, "item", state)
        self._emit(spelled(event, DIALECT, "frames", [TEXT_DONE, PART_DONE]))

    def _holds_whole_call(self, *, is_cut: bool) -> bool:
        """Return whether the open item is an ended call with complete arguments.

        Free text does not show that. Some servers end a call that a token limit cut off, none one that a cut stream
        did.
        """
        if self._item is None or self._ended != self._block:
            return False
        if self._item.kind == CUSTOM_CALL:
            return is_cut
        return self._item.kind == FUNCTION_CALL and are_whole(self._assembly.blocks[self._block].text())

    def _note_usage(self, event: Event) -> None:
        self._usage.add(self._outer.number, event["usage"])

    def _note_finish(self, event: Event) -> None:
        self._finish = (self._outer.number, event)

    def _end(self, event: Event) -> None:
        """Write the last frame; a cut stream has none, and its open item is incomplete.

        A custom tool call that was cut off is not closed: no status says that its text is incomplete, and clients would
        run it.
        """
        outer = self._outer
        if self._status == "incomplete" and self._item is not None and self._item.kind == CUSTOM_CALL:
            self._item = self._ended = None
        self._close_item()
        if not event["complete"]:
            outer.cut(self._finish, self._usage)
            return
        usage = self._encode_usage()
        number, finish = (outer.number, None) if self._finish is None else self._finish
        frame = outer.terminal("", self._begun, finish, usage, outer.target_of(number))
        self._assembly.learn([frame])
        self._frames.append(frame)

    def failed(self) -> dict[str, Any]:
        """Return the last frame of a failed stream: the response so far, with its open items incomplete."""
        outer = self._outer
        outer.lost_waiting(self._sequence.given_up())
        for number, event in (one for cited in self._citations.values() for one in cited):
            outer.lost_waiting([(number, event)])
        if self._finish is not None and self._finish[1]["reason"] != "error":
            outer.cut(self._finish, None)
        finish: Event = {"type": "finish", "reason": "error"}
        frame = outer.terminal(
            "failed", self._begun, finish, self._encode_usage(), Target(DIALECT, home=False, answer=True, log=LossLog())
        )
        items = self._assembly.items
        frame["response"]["output"] = [items[index].ended("incomplete") for index in sorted(items)]
        return frame

    def _encode_usage(self) -> dict[str, Any] | None:
        if not self._usage.usage:
            return None
        return encode_usage(self._usage.usage, self._outer.target_of_usage(self._usage))  # type: ignore[arg-type]  # the members of usage, merged
