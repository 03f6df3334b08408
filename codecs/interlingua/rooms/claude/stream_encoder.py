"""Encode canonical events as a Claude stream.

One block is open at a time; `message_delta` holds stop reason and usage together. Source: docs/wire/claude.md, section
3.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from interlingua.rooms._shared.claude_signatures import FROM_BEDROCK
from interlingua.rooms._shared.names import CALL_WITHOUT_ID, AnswerIds
from interlingua.rooms._shared.refusals import finish_reason_for
from interlingua.rooms._shared.stream_abroad import (
    BlockSequence,
    CallText,
    Paragraphs,
    StreamUsage,
    finish_members,
    is_broken,
    refusal_as_content,
    report_unplaced_state,
)
from interlingua.rooms._shared.stream_notes import MORE, call_of, spelling
from interlingua.rooms._shared.stream_writer import FrameWriter
from interlingua.rooms.claude.encode_answer import encode_stop_reason, encode_usage, input_counts
from interlingua.rooms.claude.encode_message import encode_call
from interlingua.rooms.claude.encode_part import BEGINS_NEXT, encode_citation, encode_part, report_empty
from interlingua.rooms.claude.server_calls import is_writable_call
from interlingua.rooms.claude.tables import DIALECT, FILLS
from interlingua.spi.extra import NOTHING, own_extra
from interlingua.tool_arguments import arguments_text, json_object

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError, Usage
    from interlingua.rooms._shared.stream_template import TextPieces
    from interlingua.rooms._shared.stream_writer import Event, Frame

# Blocks that open with text: event type -> (block type, member).
_TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "content": ("text", "text"),
    "reasoning": ("thinking", "thinking"),
})  # fmt: skip
# Deltas of open blocks: event type -> (delta type, its member, event member).
PIECES: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType({
    "content": ("text_delta", "text", "text"),
    "reasoning": ("thinking_delta", "thinking", "text"),
    "tool_call_delta": ("input_json_delta", "partial_json", "arguments"),
})  # fmt: skip


class StreamEncoder(FrameWriter):
    """Encodes events as frames of a Claude stream."""

    dialect = DIALECT
    SHARED_SIGNATURES = FROM_BEDROCK

    def __init__(self, log: LossLog) -> None:
        super().__init__(log)
        self._sequence = BlockSequence()
        self._paragraphs = Paragraphs()
        self._started = False
        self.indexes: dict[int, int] = {}  # wire index of each open block
        self._opened = 0
        self._ids = AnswerIds({}, self.log.asked)
        self._last_type = ""  # type of the last opened block
        self._calls: dict[int, CallText] = {}
        self._texts: dict[int, list[str]] = {}  # abroad: the text of each open block so far
        self._cited: dict[int, list[tuple[int, Any]]] = {}  # abroad: their citations, with the event numbers
        self._unsigned: dict[int, str] = {}  # unsigned thinking blocks, and the path of the signature
        self._closed: set[int] = set()
        self._empty: dict[int, list[int]] = {}  # text blocks still empty, and their event numbers
        # White space that was a block between two texts, and the numbers of its events: the next text begins with it.
        self._blank: tuple[str, tuple[int, ...]] = ("", ())
        self._declined = False
        self._finish: tuple[int, Mapping[str, Any]] | None = None
        self._usage = StreamUsage()
        self._counts: dict[str, Any] = {}  # input token counts, as last written

    def write(self, event: Event) -> list[Frame]:
        """Return the frames that an event makes by habit; abroad the blocks are put in sequence first."""
        kind = event["type"]
        if kind == "start":
            return self._start(event)
        if self.home:
            return self._piece(event) if kind in PIECES else self._WRITERS[kind](self, event)
        if event.get("alternative"):
            self.lost_alternative(event)
            return []
        if kind in PIECES and event["block"] == self._sequence.current:
            return self._WRITERS[kind](self, event)
        if kind == "end":
            is_cut = not event["complete"] and self._leave_open()
            return [*(() if is_cut else self._in_sequence(self._sequence.close(self.number))), *self._end(event)]
        if "block" not in event:
            return self._WRITERS[kind](self, event)
        hidden = kind == "state" and "data" in own_extra(event, DIALECT)
        return self._in_sequence(self._sequence.feed(self.number, event, opens=hidden))

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return what keeps the pieces of the open block: abroad, to be inspected once it is whole."""
        block = event["block"]
        if block not in self.indexes:
            return None
        if self.home:
            return ()
        if block != self._sequence.current:
            return None
        if event["type"] != "tool_call_delta":
            return (self._texts[block],) if block in self._texts else None
        call = self._calls.get(block)
        return None if call is None or call.enclosed else (call.pieces,)

    def holds_call(self, call: Any) -> bool:
        """Return whether a server call can be written as a block."""
        return is_writable_call(call, self.target())

    def _in_sequence(self, numbered: list[tuple[int, Event]]) -> list[Frame]:
        return self.written_by(lambda event: self._WRITERS[event["type"]](self, event), numbered)

    def _start(self, event: Event) -> list[Frame]:
        self.home = event.get("dialect") == DIALECT
        self._started, self.ended = True, False
        self.indexes, self._opened = {}, 0
        self._paragraphs = Paragraphs()
        self._ids = AnswerIds(event, self.log.asked)
        message: dict[str, Any] = {"type": "message", "role": "assistant"}
        for name in ("id", "model"):
            if name in event:
                message[name] = event[name]
            elif not self.home:
                message[name] = FILLS["model"] if name == "model" else self._ids.response("msg_")
                self.log.filled(self.path(name), "every response needs this member: a value was added")
        if "created" in event:
            self.log.lost("member", self.path("created"), "a response has no created there")
        self._usage = StreamUsage(self.number, event.get("usage", NOTHING))
        self._counts = {}
        message |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": self._encode_usage()}
        return [{"type": "message_start", "message": message}]

    def _open(self, block: int, content: Mapping[str, Any]) -> Frame:
        self._lose_blank()
        index = self.indexes[block] = self._opened
        self._opened += 1
        self._last_type = content["type"]
        return {"type": "content_block_start", "index": index, "content_block": content}

    def _piece(self, event: Event) -> list[Frame]:
        """Return a delta of an open block; a text opens its block first if necessary."""
        index = self.indexes.get(event["block"])
        if index is None:
            return self._WRITERS[event["type"]](self, event)
        kind, member, said = PIECES[event["type"]]
        return [{"type": "content_block_delta", "index": index, "delta": {"type": kind, member: event[said]}}]

    def _delta(self, block: int, delta: Mapping[str, Any]) -> list[Frame]:
        """Return the frame of a delta, or nothing if its block is not open."""
        index = self.indexes.get(block)
        return [] if index is None else [{"type": "content_block_delta", "index": index, "delta": delta}]

    def _text(self, event: Event) -> list[Frame]:
        kind, member = _TEXTS[event["type"]]
        text = event["text"]
        block = event["block"]
        if not self.home:
            self._texts.setdefault(block, []).append(text)
        if block in self.indexes:
            return self._piece(event)
        if not self.home and (not text or (kind == "text" and text.isspace())):
            # Claude refuses text of white space alone: the block opens with its first word.
            self._empty.setdefault(block, []).append(self.number)
            self._paragraphs.begin(event)
            return []
        content = {"type": kind, member: text if self.home else ""}
        if kind == "thinking":
            content["signature"] = own_extra(event, DIALECT).get("signature", "")
        if self.home:
            return [self._open(block, content)]
        self._empty.pop(block, None)
        if kind == "thinking":
            self._unsigned[block] = self.path("extra", DIALECT, "signature")
        gap = self._paragraphs.gap(event)
        if kind == "text" and self._last_type != "text":
            gap = ""  # as in a whole response: the block between the texts separates them
        if kind == "text":
            event = {**event, "text": gap + ("" if gap else self._taken_blank()) + "".join(self._texts[block])}
        return [self._open(block, content), *self._piece(event)]

    def _refusal(self, event: Event) -> list[Frame]:
        if self.home:
            self.log.lost("refusal", self.path("text"), "a refusal has no text of its own there")
            return []
        self._declined = self._declined or bool(event["text"])
        return self._text(refusal_as_content(event, self._paragraphs, self.path("text"), self.log))

    def _call(self, event: Event) -> list[Frame]:
        """Open a tool call. Abroad its arguments follow as deltas: accumulators ignore those in the start."""
        block, arguments = event["block"], event.get("arguments", {})
        call = call_of(event, DIALECT)
        call.pop("kind", None)  # free text is streamed as deltas
        number = self._ids.next_call()
        if "id" not in call and not self.home:
            call["id"] = self._ids.call(number)
            self.log.filled(self.path("id"), CALL_WITHOUT_ID)
        # At home a proxy may have put the first delta there.
        is_piece = self.home and type(arguments) is str and not json_object(arguments)[1]
        given = arguments if self.home and not is_piece else {}
        content = encode_call({**call, "arguments": given}, 0, 0, self.target_of(self.number))  # type: ignore[typeddict-item]  # the members of a call, taken by name
        frame = self._open(block, {**content, "input": arguments} if is_piece else content)
        if self.home:
            return [frame]
        self._paragraphs.begin(event)
        self._calls[block] = CallText(self.number, enclosed=event.get("kind") == "custom")
        if not arguments:
            return [frame]
        return [frame, *self._arguments({"block": block, "arguments": arguments_text(arguments)})]

    def _arguments(self, event: Event) -> list[Frame]:
        block = event["block"]
        call = self._calls.get(block)
        if call is None:
            self.unmatched_arguments(event)
            return []
        text = call.piece(event["arguments"], self.number)
        return self._delta(block, {"type": "input_json_delta", "partial_json": text})

    def _leave_open(self) -> bool:
        """Return whether the stream was cut within the open tool call: its block stays open, and nothing follows."""
        block = self._sequence.current
        call = None if block is None else self._calls.get(block)
        if block is None or call is None or not is_broken("".join(call.pieces), is_free=call.enclosed):
            return False
        self._end_call(block, call)
        self.lost_waiting(self._sequence.given_up())
        return True

    def _end_call(self, block: int, call: CallText) -> list[Frame]:
        """Report arguments that are not an object; free text becomes the only member of an object."""
        if call.enclosed:
            return self._delta(block, {"type": "input_json_delta", "partial_json": call.ending(self.log)})
        text = "".join(call.pieces)
        if text and not text.strip():
            return self._delta(block, {"type": "input_json_delta", "partial_json": "{}"})  # clients parse it
        if text:
            call.report_inexact(text, self.log)
        return []

    def _part(self, event: Event) -> list[Frame]:
        if event["block"] in self.indexes:  # at home it repeats the deltas
            if not self.home:
                self.replaced_part()
            return []
        blocks = encode_part(event["part"], self.path("part"), "assistant", self.target())
        return [self._open(event["block"], blocks[0])] if blocks else []

    def _citation(self, event: Event) -> list[Frame]:
        if self.home:
            return self._cite(event["block"], self.number, event["citation"], "")
        self._cited.setdefault(event["block"], []).append((self.number, event["citation"]))
        return []

    def _cite(self, block: int, number: int, citation: Any, text: str) -> list[Frame]:
        """Write a citation; abroad once the text is complete, since it may refer to a span of it."""
        wire = encode_citation(citation, f"/{number}/citation", text, self.target())
        if wire is None:
            return []
        opening = [] if block in self.indexes else [self._open(block, {"type": "text", "text": ""})]
        return [*opening, *self._delta(block, {"type": "citations_delta", "citation": wire})]

    def _block_end(self, event: Event) -> list[Frame]:
        block = event["block"]
        if self.home and not (self._texts or self._cited or self._empty or self._calls):  # nothing was held back
            index = self.indexes.pop(block, None)
            return [] if index is None else [{"type": "content_block_stop", "index": index}]
        text = "".join(self._texts.pop(block, ()))
        cited = [one for number, said in self._cited.pop(block, ()) for one in self._cite(block, number, said, text)]
        return [*cited, *self._close_block(block, text)]

    def _close_block(self, block: int, text: str) -> list[Frame]:
        empty = self._empty.pop(block, ())
        if text and empty and self._last_type == "text":
            self._blank = (self._blank[0] + text, (*self._blank[1], *empty))
        else:
            self._report_empty(text, empty)
        unsigned = self._unsigned.pop(block, None)
        if unsigned is not None:
            self.log.filled(unsigned, "Claude refuses a thinking block without its signature")
        call = self._calls.pop(block, None)
        last = [] if call is None else self._end_call(block, call)
        self._closed.add(block)
        index = self.indexes.pop(block, None)
        return last if index is None else [*last, {"type": "content_block_stop", "index": index}]

    def _report_empty(self, text: str, numbers: Iterable[int]) -> None:
        for number in numbers:
            report_empty(text, f"/{number}/text", self.target())

    def _lose_blank(self) -> None:
        """Report white space behind which no text came."""
        self._report_empty(*self._blank)
        self._blank = ("", ())

    def _taken_blank(self) -> str:
        """Return the white space with which the next text begins."""
        text, numbers = self._blank
        self._blank = ("", ())
        for number in numbers:
            self.log.changed("empty_text", f"/{number}/text", BEGINS_NEXT)
        return text

    def _state(self, event: Event) -> list[Frame]:
        """Write a signature, or a redacted thinking block, which has no text."""
        bag = own_extra(event, DIALECT)
        block = event.get("block")
        if block is None:
            report_unplaced_state(bag, self)
            return []
        if "data" in bag:
            return [self._open(block, {"type": "redacted_thinking", "data": bag["data"]})]
        if "signature" not in bag:
            return []
        opened: list[Frame] = []
        self._unsigned.pop(block, None)
        is_new = not (self.home or block in self.indexes or block in self._closed)
        if self._empty.pop(block, None) is not None or is_new:  # a thinking block without visible text
            opened = [self._open(block, {"type": "thinking", "thinking": "", "signature": ""})]
        elif block not in self.indexes:
            detail = "the content block that it belongs to has already ended"
            self.log.lost("provider_state", self.path("extra", DIALECT, "signature"), detail)
        return [*opened, *self._delta(block, {"type": "signature_delta", "signature": bag["signature"]})]

    def _encode_usage(self) -> dict[str, Any]:
        out = encode_usage(cast("Usage", self._usage.usage), self.target_of_usage(self._usage), self._counts)
        if self.home:
            self._counts |= input_counts(out)
        return out

    def _note_usage(self, event: Event) -> list[Frame]:
        if not self.home:
            self._usage.add(self.number, event["usage"])
            return []
        self._usage = StreamUsage(self.number, event["usage"])
        usage = self._encode_usage()
        return [{**self._message_delta(), "usage": usage}]

    def _note_finish(self, event: Event) -> list[Frame]:
        self._finish = (self.number, event)
        waits = not self.home or spelling(event, DIALECT).get("frame") == MORE
        return [] if waits else [self._message_delta()]

    def _message_delta(self) -> dict[str, Any]:
        delta: dict[str, Any] = {"stop_reason": None, "stop_sequence": None}
        if self._finish is not None:
            number, finish = self._finish
            said = finish_members(number, finish, self.log, declined=self._declined)
            unsaid = "" if self.home else finish_reason_for(called=self._ids.has_called, declined=self._declined)
            encode_stop_reason(delta, said, self.target_of(number), unsaid=unsaid)
            self._finish = None
        return {"type": "message_delta", "delta": delta}

    def _error(self, event: Event) -> list[Frame]:
        error = {"type": event.get("code", "api_error"), "message": event.get("message", "")}
        return [{"type": "error", "error": error}]

    def failure(self, error: ApiError, log: LossLog) -> list[Frame]:
        """Return the error frame; the open block stays open."""
        frames: list[Frame] = []
        for block, cited in self._cited.items():
            text = "".join(self._texts.get(block, ()))
            for number, citation in cited:
                frames += self._cite(block, number, citation, text)
        self._lose_blank()
        for block, numbers in self._empty.items():
            self.lost_waiting((number, {"type": "content"}) for number in numbers if self._texts.get(block))
        self.lost_waiting(self._sequence.given_up())
        self.cut(self._finish, self._usage, self._usage.begun)
        return [*frames, *super().failure(error, log)]

    def _end(self, event: Event) -> list[Frame]:
        self.ended = True
        self._lose_blank()
        if self.home:
            silent = not event["complete"] or spelling(event, DIALECT).get("end") == "absent"
            return [] if silent else [{"type": "message_stop"}]
        if not event["complete"]:
            self.cut(self._finish, self._usage, self._usage.begun)
            return []
        if self._finish is None:
            self._finish = (
                self.number,
                {"reason": finish_reason_for(called=self._ids.has_called, declined=self._declined)},
            )
            self.log.filled(self.path("reason"), "every complete answer needs a finish reason")
        if not self._usage.usage:
            self.log.filled(self.path("usage"), "every response of Claude needs usage")
        return [{**self._message_delta(), "usage": self._encode_usage()}, {"type": "message_stop"}]

    _WRITERS: ClassVar[Mapping[str, Callable[..., list[Frame]]]] = {
        "start": _start,
        "content": _text,
        "reasoning": _text,
        "refusal": _refusal,
        "tool_call_start": _call,
        "tool_call_delta": _arguments,
        "part": _part,
        "citation": _citation,
        "block_end": _block_end,
        "state": _state,
        "usage": _note_usage,
        "finish": _note_finish,
        "error": _error,
        "opaque": FrameWriter.opaque_frame,
        "end": _end,
    }


encode_stream: Final = StreamEncoder
