"""Decode Claude streams to canonical events.

Source: docs/wire/claude.md, section 3.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from interlingua.rooms._shared.finish_messages import refusal_events
from interlingua.rooms._shared.stream_abroad import END_MEMBERS
from interlingua.rooms._shared.stream_notes import SILENT, noted, spelled, with_more
from interlingua.rooms._shared.stream_reader import FrameReader
from interlingua.rooms.claude.decode_answer import decode_stop_reason, decode_usage
from interlingua.rooms.claude.decode_part import decode_citation, decode_part
from interlingua.rooms.claude.encode_answer import input_counts
from interlingua.rooms.claude.stream_encoder import PIECES, StreamEncoder
from interlingua.rooms.claude.tables import DIALECT, END_WORDS
from interlingua.spi.reading import OBJECT, TEXT, Malformed, expect, read_input
from interlingua.tool_arguments import arguments_object

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from interlingua.rooms._shared.stream_template import TextPieces
    from interlingua.rooms._shared.stream_writer import Event, Frame

# Deltas by block type: (delta type, its member, event type, event member).
_PIECES: Final[Mapping[str, tuple[str, str, str, str]]] = MappingProxyType({
    block: (*PIECES[event][:2], event, PIECES[event][2])
    for block, event in (("text", "content"), ("thinking", "reasoning"), ("tool_use", "tool_call_delta"))
})  # fmt: skip
_NONE: Final = ("", "", "", "")
_START_MEMBERS: Final = ("id", "model")
# Known members by frame type; token counts are read with the usage.
_KNOWN: Final[Mapping[str, Any]] = MappingProxyType({"": ("type", {
    "message_start": {"type": None, "message": {
        **dict.fromkeys(("id", "type", "role", "model", "stop_reason", "stop_sequence"), str),
        "usage": dict, "content": {},
    }},
    "content_block_start": {"type": None, "index": None, "content_block": {"": ("type", {
        "text": {"type": None, "text": None, "citations": {}},
        "thinking": dict.fromkeys(("type", "thinking", "signature"), str),
        "redacted_thinking": dict.fromkeys(("type", "data"), str),
        "tool_use": dict.fromkeys(("type", "id", "name", "input")),
    })}},
    "content_block_delta": {"type": None, "index": None, "delta": {"": ("type", {
        "text_delta": dict.fromkeys(("type", "text")),
        "thinking_delta": dict.fromkeys(("type", "thinking")),
        "input_json_delta": dict.fromkeys(("type", "partial_json")),
        "signature_delta": dict.fromkeys(("type", "signature"), str),
        "citations_delta": dict.fromkeys(("type", "citation")),
    })}},
    "content_block_stop": dict.fromkeys(("type", "index")),
    "message_delta": {"type": None, "delta": dict.fromkeys(("stop_reason", "stop_sequence"), str), "usage": dict},
    "message_stop": {"type": None},
    "error": {"type": None, "error": dict.fromkeys(("type", "message"), str), "request_id": str},
})})  # fmt: skip


class StreamDecoder(FrameReader[StreamEncoder]):
    """Decodes the frames of a Claude stream."""

    dialect = DIALECT
    KNOWN: ClassVar[Mapping[str, Any]] = _KNOWN

    def __init__(self) -> None:
        super().__init__(StreamEncoder)
        # By wire index, which starts again with each `message_start`.
        self._open: dict[int, _OpenBlock] = {}
        self._opened = 0
        self._last = ""  # the type of the last block that began
        self._started = False
        self._counts: dict[str, Any] = {}  # input token counts, as last reported
        self._held: tuple[Any, Event] | None = None  # abroad: a call that came with its input, and its index

    def read(self, frame: Any) -> list[Event]:
        """Return the events of a frame; a frame of an unknown type is kept as it is. Raises `Malformed`."""
        if type(frame) is str:
            return self.opaque(frame)
        self.is_all_read = False
        kind = expect(frame, OBJECT).get("type")
        reader = self._READERS.get(expect(kind, TEXT, "type"))
        if reader is None:
            return self.opaque(frame)
        if self._held is not None:
            return self._after_held_call(reader, frame)
        if self._started or kind in {"message_start", "error"}:
            return reader(self, frame)
        self._started = True  # `message_start` was lost: nothing is written for it
        start = spelled({"type": "start", "dialect": DIALECT}, DIALECT, "frame", SILENT)
        return [*self.predicted(start), *reader(self, frame)]

    def _after_held_call(self, reader: Callable[..., list[Event]], frame: dict[str, Any]) -> list[Event]:
        """Return the held call and the events of the next frame: deltas of the call replace its input."""
        held, self._held = self._held, None
        index, call = cast("tuple[Any, Event]", held)
        events = reader(self, frame)
        is_piece = len(events) == 1 and events[0]["type"] == "tool_call_delta" and frame["index"] == index
        if is_piece and not events[0]["arguments"]:
            self.note_unknown(call, frame)
            self._held = held
            return []
        if is_piece:
            call = {name: value for name, value in call.items() if name != "arguments"}
        return [call, *events]

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return what keeps the pieces of a block: a frame identifies its block by index alone."""
        return () if self.abroad else self._writer.held(event)

    def finish(self) -> list[Event]:
        """Return the event that ends a stream without `message_stop`."""
        waiting = [] if self._held is None else [self._held[1]]
        return [*waiting, spelled({"type": "end", "complete": self.finished}, DIALECT, "end", "absent")]

    def _start(self, frame: dict[str, Any]) -> list[Event]:
        message = expect(frame.get("message"), OBJECT, "message")
        event: Event = {"type": "start", "dialect": DIALECT}
        for name in _START_MEMBERS:
            if type(message.get(name)) is str:
                event[name] = message[name]
        if type(message.get("usage")) is dict:
            event["usage"] = decode_usage(message["usage"])
            self._counts = input_counts(message["usage"])
        self._open, self._started, self.finished, self._last = {}, True, False, ""
        return self.compared([event], [frame])

    def _block_start(self, frame: dict[str, Any]) -> list[Event]:
        block = expect(frame.get("content_block"), OBJECT, "content_block")
        kind = expect(block.get("type"), TEXT, "content_block", "type")
        index = expect(frame.get("index"), (int,), "index")
        event = self._opening(block, kind)
        self._last = kind
        events = self.compared([event], [frame])
        if self.abroad and "arguments" in event:
            self.note_unknown(event, frame)
            self._held, events = (index, event), []
        kept = Block(block) if event["type"] == "part" else None
        self._open[index] = _OpenBlock(self._opened, kind, kept)
        self._opened += 1
        return events

    def _opening(self, block: dict[str, Any], kind: str) -> Event:
        """Return the event that opens a block."""
        number = self._opened
        if kind == "text":
            return {"type": "content", "block": number, "text": _initial_text(block, "text")}
        if kind == "thinking":
            event: Event = {"type": "reasoning", "block": number, "text": _initial_text(block, "thinking")}
            signature = block.get("signature")
            return noted(event, DIALECT, "signature", signature) if type(signature) is str and signature else event
        if kind == "redacted_thinking" and type(block.get("data")) is str:
            return noted({"type": "state", "block": number}, DIALECT, "data", block["data"])
        if kind == "tool_use":
            event = {"type": "tool_call_start", "block": number}
            event |= {name: expect(block.get(name), TEXT, "content_block", name) for name in ("id", "name")}
            given = block.get("input")
            if given is not None and type(given) is not str:  # proxies send null or text here before the deltas
                expect(given, OBJECT, "content_block", "input")
            if given:
                event["arguments"] = given
            return event
        try:
            return {"type": "part", "block": number, "part": decode_part(block, "assistant")}
        except Malformed as malformed:
            raise malformed.under("content_block") from None

    def _block_delta(self, frame: dict[str, Any]) -> list[Event]:
        delta = expect(frame.get("delta"), OBJECT, "delta")
        kind = expect(delta.get("type"), TEXT, "delta", "type")
        index = expect(frame.get("index"), (int,), "index")
        block, begun = self._open.get(index), []
        if block is None:
            opened = _UNOPENED.get(kind)
            if opened is None:
                return self.opaque(frame)
            # Some proxies lose `content_block_start`: nothing is written for it.
            begun = self.predicted(spelled(self._opening(opened, opened["type"]), DIALECT, "frame", SILENT))
            block = self._open[index] = _OpenBlock(self._opened, opened["type"], None)
            self._opened += 1
        event = _piece(kind, delta, block)
        if event is None:
            if block.kept is not None:
                block.kept.add(delta)
            return self.opaque(frame)
        self.is_all_read = len(delta) == 2 and len(frame) == 3
        return [*begun, *self.compared([event], [frame])]

    def _block_stop(self, frame: dict[str, Any]) -> list[Event]:
        block = self._open.pop(expect(frame.get("index"), (int,), "index"), None)
        if block is None:
            return self.opaque(frame)
        self.is_all_read = len(frame) == 2
        end: Event = {"type": "block_end", "block": block.number}
        if block.kept is None or not block.kept.grown:
            return self.compared([end], [frame])
        part = {"type": "part", "block": block.number, "part": decode_part(block.kept.made(), "assistant")}
        return self.compared(with_more([part, end], DIALECT), [frame])

    def _message_delta(self, frame: dict[str, Any]) -> list[Event]:
        events: list[Event] = []
        delta: Any = frame.get("delta")
        if type(delta) is dict and type(delta.get("stop_reason")) is str:
            sequence = delta.get("stop_sequence")
            said: dict[str, Any] = {"stop_sequence": sequence} if type(sequence) is str else {}
            decode_stop_reason(said, delta["stop_reason"], delta, in_call=self._last == "tool_use")
            event: Event = {"type": "finish"}
            event |= {name: said[member] for name, member in END_MEMBERS.items() if member in said}
            if self.abroad:
                events += refusal_events(event, delta, self._opened, END_WORDS)
                self._opened += bool(events)
            events.append(event)
            self.finished = True
        if type(frame.get("usage")) is dict:
            events.append({"type": "usage", "usage": decode_usage(frame["usage"], self._counts)})
            self._counts |= input_counts(frame["usage"])
        return self.compared(with_more(events, DIALECT), [frame]) if events else self.opaque(frame)

    def _stop(self, frame: dict[str, Any]) -> list[Event]:
        # Without a stop reason the answer is incomplete, whatever this frame says.
        if not self.finished:
            return self.opaque(frame)
        self.is_all_read = len(frame) == 1
        end: Event = {"type": "end", "complete": True}
        return self.compared([end], [frame])

    def _error(self, frame: dict[str, Any]) -> list[Event]:
        expect(frame.get("error"), OBJECT, "error")
        return self.failed(frame)

    _READERS: ClassVar[Mapping[str, Callable[..., list[Event]]]] = {
        "message_start": _start,
        "content_block_start": _block_start,
        "content_block_delta": _block_delta,
        "content_block_stop": _block_stop,
        "message_delta": _message_delta,
        "message_stop": _stop,
        "error": _error,
    }


decode_stream: Final = StreamDecoder


class _OpenBlock:
    """An open block: its number in the whole stream, its type, and its whole content where that is kept."""

    __slots__ = ("kept", "kind", "number", "piece")

    def __init__(self, number: int, kind: str, kept: Block | None) -> None:
        self.number = number
        self.kind = kind
        self.kept = kept
        self.piece = _PIECES.get(kind, _NONE)


def _initial_text(block: dict[str, Any], member: str) -> str:
    """Return the initial text of a block; some proxies leave out an empty one."""
    text = block.get(member)
    return "" if text is None else str(expect(text, TEXT, "content_block", member))


def _piece(kind: str, delta: dict[str, Any], block: _OpenBlock) -> Event | None:
    """Return the event of a block's delta, or None if the block does not have such deltas."""
    known, member, event, said = block.piece
    if kind == known:
        return {"type": event, "block": block.number, said: expect(delta.get(member), TEXT, "delta", member)}
    if kind == "signature_delta" and block.kind == "thinking" and type(delta.get("signature")) is str:
        return noted({"type": "state", "block": block.number}, DIALECT, "signature", delta["signature"])
    if kind == "citations_delta" and block.kind == "text" and type(delta.get("citation")) is dict and delta["citation"]:
        return {"type": "citation", "block": block.number, "citation": decode_citation(delta["citation"])}
    return None


# Delta type -> the member that holds its content.
_MEMBERS: Final[Mapping[str, str]] = MappingProxyType({
    "text_delta": "text",
    "thinking_delta": "thinking",
    "input_json_delta": "partial_json",
    "citations_delta": "citation",
    "signature_delta": "signature",
})  # fmt: skip


# The block that a delta opens if its start is missing; a tool call would have no name.
_UNOPENED: Final[Mapping[str, dict[str, Any]]] = MappingProxyType({
    "text_delta": {"type": "text", "text": ""},
    "thinking_delta": {"type": "thinking", "thinking": ""},
})  # fmt: skip


# Block types whose member of the same name may be missing from their start.
_BEGUN_EMPTY: Final = frozenset({"text", "thinking"})


class Block:
    """A content block that grows with its deltas; texts are joined once."""

    def __init__(self, start: dict[str, Any]) -> None:
        self._start = start
        self._texts: dict[str, list[str]] = {}
        self._json: list[str] = []
        self._citations: list[Any] = []
        self._set: dict[str, Any] = {}

    def add(self, delta: Mapping[str, Any]) -> None:
        """Add a delta; one of an unknown type or shape is ignored."""
        kind = delta.get("type")
        if kind == "compaction_delta":
            self._set |= {name: value for name, value in delta.items() if name != "type"}
            return
        member = _MEMBERS.get(kind) if type(kind) is str else None
        value = delta.get(member) if member is not None else None
        if kind == "citations_delta" and value is not None:
            self._citations.append(value)
        elif kind == "signature_delta" and value is not None:
            self._set["signature"] = value
        elif type(value) is str:
            (self._json if kind == "input_json_delta" else self._texts.setdefault(str(member), [])).append(value)

    def is_repeated_start(self, start: Mapping[str, Any]) -> bool:
        """Return whether a start at this block's index repeats its own start, with no delta in between."""
        return not self.grown and all(start.get(name) == self._start.get(name) for name in ("type", "id"))

    @property
    def grown(self) -> bool:
        """Whether a delta has been added."""
        return bool(self._texts or self._json or self._citations or self._set)

    def made(self) -> dict[str, Any]:
        """Return the whole block."""
        out = {**self._start, **self._set}
        member = self._start.get("type")
        if member in _BEGUN_EMPTY and out.get(member) is None:
            out[member] = ""
        for name, pieces in self._texts.items():
            before = self._start.get(name)
            out[name] = "".join([before if type(before) is str else "", *pieces])
        said = "".join(self._json) or self._start.get("input", {})
        if said is None or type(said) is str:  # deltas, or null or text in the start
            is_own = self._start.get("type") == "tool_use"  # a client tool's call
            out["input"] = (read_input(said) if is_own else arguments_object(said)[0]) if said else {}
        if self._citations:
            before = self._start.get("citations")
            out["citations"] = [*(before if type(before) is list else ()), *self._citations]
        return out


def assemble_stream(frames: Iterable[Frame]) -> dict[str, Any]:
    """Return the message that the frames make; a second start begins anew, and what fits nowhere is passed over.

    An index that is used again is another block, unless its start is only repeated.
    """
    message: dict[str, Any] = {"type": "message", "role": "assistant", "content": []}
    blocks: list[Block] = []
    opened: dict[int, Block] = {}
    for frame in frames:
        if type(frame) is not dict:
            continue
        kind, index = frame.get("type"), frame.get("index")
        if kind == "message_start" and type(frame.get("message")) is dict:
            message, blocks, opened = dict(frame["message"]), [], {}
        elif kind == "message_delta":
            _update(message, frame)
        elif type(index) is not int:
            continue
        elif kind == "content_block_start" and type(frame.get("content_block")) is dict:
            known = opened.get(index)
            opened[index] = Block(frame["content_block"])
            if known is not None and known.is_repeated_start(frame["content_block"]):
                blocks.remove(known)
            blocks.append(opened[index])
        elif kind == "content_block_stop":
            opened.pop(index, None)
        elif kind == "content_block_delta" and type(frame.get("delta")) is dict:
            begun = _UNOPENED.get(frame["delta"].get("type"))
            if index not in opened and begun is not None:
                opened[index] = Block(begun)
                blocks.append(opened[index])
            if index in opened:
                opened[index].add(frame["delta"])
    content = message.get("content")
    before = content if type(content) is list else []
    message["content"] = [*before, *(block.made() for block in blocks)]
    return message


def _update(message: dict[str, Any], frame: Mapping[str, Any]) -> None:
    """Merge a `message_delta` into the message. Its counts are totals and replace; null or missing ones do not."""
    delta, usage = frame.get("delta"), frame.get("usage")
    if type(delta) is dict:
        message |= delta
    message |= {name: value for name, value in frame.items() if name not in {"type", "delta", "usage"}}
    if type(usage) is dict:
        counts = {name: value for name, value in usage.items() if value is not None}
        before = message.get("usage")
        message["usage"] = {**before, **counts} if type(before) is dict else counts
