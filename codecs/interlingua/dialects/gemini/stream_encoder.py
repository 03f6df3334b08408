"""Canonical to Gemini: streams. Every chunk is a small answer of `generateContent`; nothing ends the stream.

Source: reference/wire/gemini.md section 3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.dialects._shared.extra import lay, own_bag
from interlingua.dialects._shared.stream import MORE, SILENT, FrameWriter, call_of, spelling
from interlingua.dialects._shared.target import Target
from interlingua.dialects._shared.whole_calls import WholeCalls
from interlingua.dialects.gemini.encode_answer import finish_word, write_time
from interlingua.dialects.gemini.encode_call import encode_call
from interlingua.dialects.gemini.encode_part import UNMARKED, encode_part
from interlingua.dialects.gemini.snake import CANDIDATE, PART, RESPONSE, USAGE, respelt
from interlingua.dialects.gemini.stream_abroad import CALL_PLACE, FINISH_PLACES, PART_PLACES, AbroadWriter
from interlingua.dialects.gemini.stream_usage import UsageWriter
from interlingua.dialects.gemini.tables import DIALECT, MODEL
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.dialects._shared.stream import Event, Frame

_NOTHING: Final[Mapping[str, Any]] = {}
# Events that may tell what an answer ends with.
_SAYING: Final = frozenset({"content", "reasoning", "tool_call_start", "part", "state"})
_START_PLACES: Final[Mapping[str, str]] = MappingProxyType({"/created": "/created"})
_USAGE_PLACES: Final[Mapping[str, str]] = MappingProxyType({"/usage": "/usage"})


def encode_stream(log: LossLog) -> StreamEncoder:
    """Return a writer of one stream of Gemini's; what does not come along is noted in the log."""
    return StreamEncoder(log)


def last_call(event: Event, before: int | None) -> int | None:
    """Return the block of the call that an answer ends with after an event, or None: it decides on the finish reason.

    An empty text without a signature is no part of an answer.
    """
    kind, block = event["type"], event.get("block")
    if kind in {"content", "reasoning"}:
        return None if event["text"] else before
    if kind == "tool_call_start":
        return block
    if kind == "part":
        return None
    if kind == "state" and "signature" in own_bag(event, DIALECT):
        return before if block == before else None
    return before


class StreamEncoder(FrameWriter):
    """Writes the events of a stream as chunks of Gemini's."""

    dialect: ClassVar[str] = DIALECT

    def __init__(self, log: LossLog) -> None:
        super().__init__(log)
        self._started = False
        self.head: dict[str, Any] = {}
        self.indexed = True
        self._snake: set[str] = set()
        self._abroad: AbroadWriter | None = None  # made where a stream begins abroad
        # Of the chunk that is being made: its candidates, its counts, and the parts of its blocks.
        self._candidates: dict[int, dict[str, Any]] = {}
        self._usage: dict[str, Any] | None = None
        self._counts = UsageWriter()
        self._places: dict[int, dict[str, Any]] = {}
        self._pending = False
        self._calls = WholeCalls(self.stray)
        self._partial: set[int] = set()  # calls whose arguments come in pieces
        self._called: dict[int, int | None] = {}

    def write(self, event: Event) -> list[Frame]:
        """Return the chunks that an event makes by habit."""
        kind = event["type"]
        if kind == "opaque":
            return self._opaque(event)
        if kind == "error":
            return [_error(event)]
        if kind == "start":
            self.home = event.get("dialect") == DIALECT
        elif not self._started and kind != "end":
            self.home = False
        if not self.home:
            self.ended, self._started = kind == "end", True
            if self._abroad is None:
                self._abroad = AbroadWriter(self)
            return self._abroad.write(event)
        frame, extra = None, event.get("extra")
        if extra is not None:
            notes = extra.get(DIALECT, _NOTHING).get("spelling", _NOTHING)
            frame = notes.get("frame")
            if frame == SILENT:
                return []
            if "snake" in notes:
                self._snake.update(notes["snake"])
        self._WRITERS[kind](self, event)
        if kind in _SAYING:
            alternative = event.get("alternative", 0)
            self._called[alternative] = last_call(event, self._called.get(alternative))
        return [] if not self._pending or frame == MORE else [self._chunk()]

    def said(self) -> None:
        """Take note of a text of the first answer that has been written without this writer."""
        self._called[0] = None

    def _chunk(self) -> dict[str, Any]:
        """Return the chunk of what has been said since the last one."""
        chunk: dict[str, Any] = {}
        if self._candidates:
            if self.indexed:
                for index, candidate in self._candidates.items():
                    candidate["index"] = index
            chunk["candidates"] = [*self._candidates.values()]
        if self._usage is not None:
            chunk["usageMetadata"] = self._usage
        chunk.update(self.head)
        self._candidates, self._places, self._usage, self._pending = {}, {}, None, False
        return self._respelt(chunk) if self._snake else chunk

    def _respelt(self, chunk: dict[str, Any]) -> dict[str, Any]:
        """Return a chunk with the names that came so in snake_case."""
        for candidate in chunk.get("candidates", ()):
            if "content" in candidate:
                content = candidate["content"]
                content["parts"] = [respelt(part, self._snake, PART) for part in content["parts"]]
        if "candidates" in chunk:
            chunk["candidates"] = [respelt(candidate, self._snake, CANDIDATE) for candidate in chunk["candidates"]]
        if "usageMetadata" in chunk:
            chunk["usageMetadata"] = respelt(chunk["usageMetadata"], self._snake, USAGE)
        return respelt(chunk, self._snake, RESPONSE)

    def _candidate(self, event: Event) -> dict[str, Any]:
        self._pending = True
        return self._candidates.setdefault(event.get("alternative", 0), {})

    def _add(self, event: Event, part: dict[str, Any]) -> None:
        """Add a part to the chunk."""
        self._pending = True
        self._places[event["block"]] = part
        alternative = event.get("alternative", 0)
        candidate = self._candidates.get(alternative)
        if candidate is None:
            self._candidates[alternative] = {"content": {"parts": [part], "role": MODEL}}
        elif "content" in candidate:
            candidate["content"]["parts"].append(part)
        else:
            candidate["content"] = {"parts": [part], "role": MODEL}

    def _target(self, log: LossLog) -> Target:
        return Target(DIALECT, home=True, answer=True, log=log)

    def _start(self, event: Event) -> None:
        self._started, self.ended, self._pending = True, False, True
        self._called, self._partial, self._calls = {}, set(), WholeCalls(self.stray)
        bag = own_bag(event, DIALECT)
        self.indexed = "index" not in bag.get("spelling", _NOTHING).get("absent", ())
        self.head = {}
        if "model" in event:
            self.head["modelVersion"] = event["model"]
        scratch = LossLog()
        if "created" in event:
            write_time(self.head, event["created"], bag, scratch)
        if "id" in event:
            self.head["responseId"] = event["id"]
        self.relocated(scratch, self.number, _START_PLACES)
        if "usage" in event:
            self._note_usage(event)

    def _content(self, event: Event) -> None:
        self._add(event, {"text": event["text"]})

    def _reasoning(self, event: Event) -> None:
        self._add(event, {"text": event["text"], "thought": True})

    def _refusal(self, event: Event) -> None:
        if event["text"]:
            self.log.lost("refusal", self.path("text"), "a refusal has no text here")

    def _citation(self, event: Event) -> None:  # noqa: ARG002  # as all writers of the table
        self.log.lost("citation", self.path("citation"), "sources stand beside an answer, and only in Gemini's own")

    def _call(self, event: Event) -> None:
        fields = own_bag(event, DIALECT).get("fields", _NOTHING)
        if "arguments" in event:
            self._whole_call(self.number, event)
        elif "functionCall" in fields:
            self._partial.add(event["block"])
            self._add_piece(event, {name: event[name] for name in ("id", "name") if name in event}, fields)
        else:
            self._calls.feed(self.number, event)

    def _arguments(self, event: Event) -> None:
        if event["block"] in self._partial:
            self._add_piece(event, {}, own_bag(event, DIALECT).get("fields", _NOTHING))
        else:
            self._calls.feed(self.number, event)

    def _add_piece(self, event: Event, call: dict[str, Any], fields: Mapping[str, Any]) -> None:
        """Add a piece of a call, whose arguments are as they came."""
        part: dict[str, Any] = {"functionCall": call}
        if call:
            lay(part, fields)
        else:
            part.update(fields)
        self._add(event, part)

    def _whole_call(self, number: int, event: Event) -> None:
        scratch = LossLog()
        self._add(event, encode_call(call_of(event, DIALECT), 0, 0, self._target(scratch), None))  # type: ignore[arg-type]  # the members of a call, taken by name
        self.relocated_call(scratch, number, self._calls.told(event, number), CALL_PLACE)

    def _block_end(self, event: Event) -> None:
        whole = self._calls.feed(self.number, event)
        if whole is not None:
            self._whole_call(*whole)

    def _part(self, event: Event) -> None:
        scratch = LossLog()
        for part in encode_part(event["part"], "/part", "assistant", self._target(scratch), UNMARKED):
            self._add(event, part)
        self.relocated(scratch, self.number, PART_PLACES)

    def _state(self, event: Event) -> None:
        """Write a signature, a piece of a call, a text that says nothing, or nothing at all."""
        bag = own_bag(event, DIALECT)
        block = event.get("block")
        if block is None:
            self._pending = True
            if "candidates" not in bag.get("spelling", _NOTHING):
                self._candidate(event)
        elif block in self._partial and "signature" not in bag:
            self._add_piece(event, {}, bag.get("fields", _NOTHING))
        else:
            if block not in self._places:
                self._add(event, {"text": ""})
            if "signature" in bag:
                self._places[block]["thoughtSignature"] = bag["signature"]

    def _note_usage(self, event: Event) -> None:
        self._pending = True
        self._usage = self.counted(event["usage"])

    def counted(self, usage: Any) -> dict[str, Any]:
        """Return the counts as they stand on the wire."""
        wire = self._counts.plain(usage)
        if wire is None:
            scratch = LossLog()
            wire = self._counts.write(usage, self._target(scratch))
            self.relocated(scratch, self.number, _USAGE_PLACES)
        return wire

    def _finish(self, event: Event) -> None:
        self._pending = True
        if "candidates" in spelling(event, DIALECT):
            return
        alternative = event.get("alternative", 0)
        said: Any = {"messages": [{"tool_calls": [True]}] if self._called.get(alternative) is not None else []}
        if "raw" in event:
            said["finish_reason_raw"] = event["raw"]
        scratch = LossLog()
        self._candidate(event)["finishReason"] = finish_word(event["reason"], said, self._target(scratch))
        self.relocated(scratch, self.number, FINISH_PLACES)
        if "stop_sequence" in event:
            self.log.lost("finish_reason", self.path("stop_sequence"), "the stop word is not told")

    def _end(self, event: Event) -> None:  # noqa: ARG002  # as all writers of the table
        self.ended = True
        for number, call in self._calls.close():
            self._whole_call(number, call)

    def _opaque(self, event: Event) -> list[Frame]:
        if event["dialect"] == DIALECT:
            return [event["data"]]
        self.lost_frame(event)
        return []

    _WRITERS: ClassVar[Mapping[str, Callable[..., None]]] = {
        "start": _start,
        "content": _content,
        "reasoning": _reasoning,
        "refusal": _refusal,
        "tool_call_start": _call,
        "tool_call_delta": _arguments,
        "part": _part,
        "citation": _citation,
        "block_end": _block_end,
        "state": _state,
        "usage": _note_usage,
        "finish": _finish,
        "end": _end,
    }


def _error(event: Event) -> dict[str, Any]:
    error = {"message": event.get("message", "")}
    return {"error": {**error, "status": event["code"]} if "code" in event else error}
