"""Claude to canonical: streams.

Source: reference/wire/claude.md section 3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.dialects._shared.reading import OBJECT, TEXT, Malformed, expect
from interlingua.dialects._shared.stream import SILENT, FrameReader, noted, spelled, with_more
from interlingua.dialects.claude.decode_answer import decode_stop_reason, decode_usage
from interlingua.dialects.claude.decode_part import decode_citation, decode_part
from interlingua.dialects.claude.stream_assembly import Block
from interlingua.dialects.claude.stream_encoder import PIECES, StreamEncoder
from interlingua.dialects.claude.tables import DIALECT
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.dialects._shared.stream import Event

# The pieces of a block by its type: (type of the piece, member, event, member of the event).
_PIECES: Final[Mapping[str, tuple[str, str, str, str]]] = MappingProxyType({
    block: (*PIECES[event][:2], event, PIECES[event][2])
    for block, event in (("text", "content"), ("thinking", "reasoning"), ("tool_use", "tool_call_delta"))
})  # fmt: skip
_NONE: Final = ("", "", "", "")
_START_MEMBERS: Final = ("id", "model")


def decode_stream() -> StreamDecoder:
    """Return a reader of one stream of Claude's."""
    return StreamDecoder()


class StreamDecoder(FrameReader[StreamEncoder]):
    """Reads the frames of a stream of Claude's."""

    dialect: ClassVar[str] = DIALECT

    def __init__(self) -> None:
        super().__init__(StreamEncoder(LossLog()))
        # By the index of the wire, which begins anew with each start.
        self._open: dict[int, _Open] = {}
        self._opened = 0
        self._started = False

    def feed(self, frame: Any) -> list[Event]:
        """Return the events of a frame. Raises `DecodeError` where a known frame is malformed."""
        if type(frame) is dict and len(frame) == 3 and frame.get("type") == "content_block_delta":
            index, delta = frame.get("index"), frame.get("delta")
            block = self._open.get(index) if type(index) is int else None
            if block is not None and type(delta) is dict:
                if block.plain and len(delta) == 2:  # nearly all frames are so: what would be written for it is known
                    kind, member, name, said = block.piece
                    text = delta.get(member)
                    if type(text) is str and delta.get("type") == kind:
                        self._count += 1
                        self._ended = False
                        return [{"type": name, "block": block.number, said: text}]
                elif block.kept is not None and type(delta.get("type")) is str:  # only its own dialect understands it
                    self._count += 1
                    self._ended = False
                    block.kept.add(delta)
                    return [{"type": "opaque", "dialect": DIALECT, "data": frame}]
        return super().feed(frame)

    def read(self, frame: Any) -> list[Event]:
        """Return the events of a frame; one of an unknown type is kept as it is. Raises `Malformed`."""
        if type(frame) is str:
            return self.opaque(frame)
        kind = expect(frame, OBJECT).get("type")
        reader = self._READERS.get(expect(kind, TEXT, "type"))
        if reader is None:
            return self.opaque(frame)
        if self._started or kind in {"message_start", "error"}:
            return reader(self, frame)
        self._started = True  # the beginning was lost: nothing is written for it
        start = spelled({"type": "start", "dialect": DIALECT}, DIALECT, "frame", SILENT)
        return [*self.foreseen(start), *reader(self, frame)]

    def finish(self) -> list[Event]:
        """Return the event that ends a stream without `message_stop`."""
        return [spelled({"type": "end", "complete": self.finished}, DIALECT, "end", "absent")]

    def _start(self, frame: dict[str, Any]) -> list[Event]:
        message = expect(frame.get("message"), OBJECT, "message")
        event: Event = {"type": "start", "dialect": DIALECT}
        for name in _START_MEMBERS:
            if type(message.get(name)) is str:
                event[name] = message[name]
        if type(message.get("usage")) is dict:
            event["usage"] = decode_usage(message["usage"])
        self._open, self._started, self.finished = {}, True, False
        return self.compared([event], [frame])

    def _block_start(self, frame: dict[str, Any]) -> list[Event]:
        block = expect(frame.get("content_block"), OBJECT, "content_block")
        kind = expect(block.get("type"), TEXT, "content_block", "type")
        index = expect(frame.get("index"), (int,), "index")
        event = self._opening(block, kind)
        empty = kind == "text" and len(block) == 2
        events = self.compared_without_numbers(event, frame) if empty else self.compared([event], [frame])
        kept = Block(block) if event["type"] == "part" else None
        self._open[index] = _Open(self._opened, kind, kept, plain=self._writer.indexes.get(self._opened) == index)
        self._opened += 1
        return events

    def _opening(self, block: dict[str, Any], kind: str) -> Event:
        """Return the event that opens a block."""
        number = self._opened
        if kind == "text":
            return {
                "type": "content",
                "block": number,
                "text": expect(block.get("text"), TEXT, "content_block", "text"),
            }
        if kind == "thinking":
            text = expect(block.get("thinking"), TEXT, "content_block", "thinking")
            event: Event = {"type": "reasoning", "block": number, "text": text}
            signature = block.get("signature")
            return noted(event, DIALECT, "signature", signature) if type(signature) is str and signature else event
        if kind == "redacted_thinking" and type(block.get("data")) is str:
            return noted({"type": "state", "block": number}, DIALECT, "data", block["data"])
        if kind == "tool_use":
            event = {"type": "tool_call_start", "block": number}
            event |= {name: expect(block.get(name), TEXT, "content_block", name) for name in ("id", "name")}
            if arguments := expect(block.get("input", {}), OBJECT, "content_block", "input"):
                event["arguments"] = arguments
            return event
        return {"type": "part", "block": number, "part": _under("content_block", decode_part, block, "assistant")}

    def _block_delta(self, frame: dict[str, Any]) -> list[Event]:
        delta = expect(frame.get("delta"), OBJECT, "delta")
        kind = expect(delta.get("type"), TEXT, "delta", "type")
        block = self._open.get(expect(frame.get("index"), (int,), "index"))
        if block is None:
            return self.opaque(frame)
        event = _piece(kind, delta, block)
        if event is None:
            if block.kept is not None:
                block.kept.add(delta)
            return self.opaque(frame)
        return self.compared([event], [frame])

    def _block_stop(self, frame: dict[str, Any]) -> list[Event]:
        block = self._open.pop(expect(frame.get("index"), (int,), "index"), None)
        if block is None:
            return self.opaque(frame)
        end: Event = {"type": "block_end", "block": block.number}
        if block.kept is None or not block.kept.grown:
            if len(frame) == 2 and self._writer.indexes.get(block.number) == frame["index"]:  # nearly always
                return self.foreseen(end)
            return self.compared([end], [frame])
        part = {"type": "part", "block": block.number, "part": decode_part(block.kept.made(), "assistant")}
        return self.compared(with_more([part, end], DIALECT), [frame])

    def _message_delta(self, frame: dict[str, Any]) -> list[Event]:
        events: list[Event] = []
        delta: Any = frame.get("delta")
        if type(delta) is dict and type(delta.get("stop_reason")) is str:
            said: dict[str, Any] = {}
            decode_stop_reason(said, delta["stop_reason"], delta)
            event: Event = {"type": "finish", "reason": said["finish_reason"]}
            if "finish_reason_raw" in said:
                event["raw"] = said["finish_reason_raw"]
            if type(delta.get("stop_sequence")) is str:
                event["stop_sequence"] = delta["stop_sequence"]
            events.append(event)
            self.finished = True
        if type(frame.get("usage")) is dict:
            events.append({"type": "usage", "usage": decode_usage(frame["usage"])})
        return self.compared(with_more(events, DIALECT), [frame]) if events else self.opaque(frame)

    def _stop(self, frame: dict[str, Any]) -> list[Event]:
        # Without a reason the answer is not complete, whatever the frame says.
        if not self.finished:
            return self.opaque(frame)
        end: Event = {"type": "end", "complete": True}
        return self.compared_without_numbers(end, frame) if len(frame) == 1 else self.compared([end], [frame])

    def _error(self, frame: dict[str, Any]) -> list[Event]:
        error = expect(frame.get("error"), OBJECT, "error")
        event: Event = {"type": "error"}
        for name, member in (("type", "code"), ("message", "message")):
            if type(error.get(name)) is str:
                event[member] = error[name]
        return self.compared([event], [frame])

    _READERS: ClassVar[Mapping[str, Callable[..., list[Event]]]] = {
        "message_start": _start,
        "content_block_start": _block_start,
        "content_block_delta": _block_delta,
        "content_block_stop": _block_stop,
        "message_delta": _message_delta,
        "message_stop": _stop,
        "error": _error,
    }


class _Open:
    """An open block: its ordinal over the whole stream, its type, and its content where it is kept whole.

    `plain`: it has pieces that are plain, and the wire's index is the one that would be written.
    """

    __slots__ = ("kept", "kind", "number", "piece", "plain")

    def __init__(self, number: int, kind: str, kept: Block | None, *, plain: bool) -> None:
        self.number = number
        self.kind = kind
        self.kept = kept
        self.piece = _PIECES.get(kind, _NONE)
        self.plain = plain and self.piece is not _NONE


def _piece(kind: str, delta: dict[str, Any], block: _Open) -> Event | None:
    """Return the event of a piece of a block, or None for one that the block does not know."""
    known, member, event, said = block.piece
    if kind == known:
        return {"type": event, "block": block.number, said: expect(delta.get(member), TEXT, "delta", member)}
    if kind == "signature_delta" and block.kind == "thinking" and type(delta.get("signature")) is str:
        return noted({"type": "state", "block": block.number}, DIALECT, "signature", delta["signature"])
    if kind == "citations_delta" and block.kind == "text" and type(delta.get("citation")) is dict and delta["citation"]:
        return {"type": "citation", "block": block.number, "citation": decode_citation(delta["citation"])}
    return None


def _under(step: str, decode: Callable[..., Any], *values: Any) -> Any:
    """Decode what stands below a member; what is malformed there is reported from above."""
    try:
        return decode(*values)
    except Malformed as malformed:
        raise malformed.under(step) from None
