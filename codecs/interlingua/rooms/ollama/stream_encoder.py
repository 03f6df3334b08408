"""Canonical to Ollama: streams. Each line is a piece; the last one has the finish reason and the usage.

Source: docs/wire/ollama.md, section 3.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from interlingua.rooms._shared.stream_abroad import (
    Paragraphs,
    StreamUsage,
    WholeCalls,
    finish_members,
    refusal_as_content,
)
from interlingua.rooms._shared.stream_logprobs import LogprobsWriter
from interlingua.rooms._shared.stream_notes import MORE, call_of, spelling
from interlingua.rooms.ollama.encode_answer import write_created, write_done_reason, write_usage
from interlingua.rooms.ollama.encode_message import encode_call
from interlingua.rooms.ollama.encode_part import encode_media, encode_text
from interlingua.rooms.ollama.tables import DIALECT, FILLS
from interlingua.spi.extra import own_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError, Usage
    from interlingua.rooms._shared.stream_template import TextPieces
    from interlingua.rooms._shared.stream_writer import Event, Frame

# Event type -> member of the message for its text.
TEXTS: Final[Mapping[str, str]] = MappingProxyType({"content": "content", "reasoning": "thinking"})
CREATED_AT: Final = "moment"


class StreamEncoder(LogprobsWriter):
    """Writes the events of a stream as lines of an Ollama stream."""

    dialect = DIALECT
    FREE: ClassVar[str] = "created_at"
    FREE_NOTE: ClassVar[str] = CREATED_AT

    def __init__(self, log: LossLog) -> None:
        super().__init__(log)
        self._started = False
        self._head: dict[str, Any] = {}
        self._message: dict[str, Any] = {}
        self._calls = WholeCalls(self.unmatched_arguments)
        self._paragraphs = Paragraphs()
        self._called = 0
        self._finish: tuple[int, Mapping[str, Any]] | None = None
        self._usage = StreamUsage()
        self._writers: Mapping[str, Callable[[Event], list[Frame]]] = {
            "start": self._start,
            "content": self._text,
            "reasoning": self._text,
            "refusal": self._refusal,
            "tool_call_start": self._call,
            "tool_call_delta": self._call,
            "part": self._part,
            "citation": self._citation,
            "block_end": self._call,
            "state": self._state,
            "usage": self._note_usage,
            "finish": self._note_finish,
            "error": self._error,
            "opaque": self.opaque_frame,
            "end": self._end,
        }

    def write(self, event: Event) -> list[Frame]:
        """Return the lines of an event, written by habit."""
        kind = event["type"]
        if event.get("alternative"):
            self.lost_alternative(event)
            return []
        if not self._started and kind not in {"start", "error", "opaque"}:
            self._start({"type": "start", "dialect": DIALECT} if self.home and kind == "end" else {"type": "start"})
        return self._writers[kind](event)

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return the collectors of a text's pieces: none, since each line has only its own piece."""
        return () if event["type"] in TEXTS and not self._message else None

    def lay_logprobs(self, frame: dict[str, Any], tokens: list[dict[str, Any]], which: int) -> bool:
        """Write tokens into a line."""
        if not which:  # the only answer there
            frame["logprobs"] = tokens
        return not which

    def _line(self, event: Event) -> list[Frame]:
        """Return the line for the content since the last one, unless more events belong to it."""
        if self.home and spelling(event, DIALECT).get("frame") == MORE:
            return []
        return [self._made(event, done=False)]

    def _made(self, event: Event, *, done: bool) -> dict[str, Any]:
        line = {**self._head, "message": {"role": "assistant", "content": "", **self._message}, "done": done}
        moment = own_extra(event, DIALECT).get(CREATED_AT)
        if moment is not None:
            line["created_at"] = moment
        self._message = {}
        return line

    def _start(self, event: Event) -> list[Frame]:
        self.home = event.get("dialect") == DIALECT
        if self._started and not (self.home or self.ended):
            self.restarted()
        self._started, self.ended = True, False
        self._called = 0
        self._head = {}
        self._paragraphs = Paragraphs()
        if "model" in event:
            self._head["model"] = event["model"]
        elif not self.home:
            self._head["model"] = FILLS["model"]
            self.log.filled(self.path("model"), "every Ollama response needs this member: a value was added")
        write_created(self._head, event, self.target_of(self.number))
        if "id" in event:
            self.log.lost("member", self.path("id"), "a response has no id there")
        self._usage = StreamUsage(self.number, event.get("usage", {}))
        return self._line(event) if self.home else []

    def _text(self, event: Event) -> list[Frame]:
        text = event["text"]
        if not self.home:
            self._paragraphs.begin(event)
            if not text:
                return []
            text = self._paragraphs.gap(event) + text
        self._message[TEXTS[event["type"]]] = text
        return self._line(event)

    def _refusal(self, event: Event) -> list[Frame]:
        if self.home:
            self.log.lost("refusal", self.path("text"), "Ollama has no member for a refusal")
            return []
        return self._text(refusal_as_content(event, self._paragraphs, self.path("text"), self.log))

    def _call(self, event: Event) -> list[Frame]:
        """Write a call once it is complete."""
        if event["type"] == "tool_call_start":
            self._paragraphs.begin(event)
        whole = self._calls.feed(self.number, event)
        if self.home and whole is None and event["type"] == "tool_call_start" and "arguments" in event:
            whole = (self.number, event)
            self._calls.close()
        return [] if whole is None else self._whole_call(*whole)

    def _whole_call(self, number: int, event: Event) -> list[Frame]:
        call = call_of(event, DIALECT)
        to = self.target_of_call(number, self._calls.told(event, number))
        written = encode_call(call, 0, 0, self._called, to)  # type: ignore[arg-type]  # the members of a call, taken by name
        self._called += 1
        self._message.setdefault("tool_calls", []).append(written)
        return self._line(event)

    def _part(self, event: Event) -> list[Frame]:
        """Write a text part; images only at home: no server answers with them, and the official client refuses them."""
        part = event["part"]
        text = encode_text(part, self.path("part"), self.target())
        if text is not None:
            return self._text({**event, "type": "content", "text": text})
        image = None
        if self.home and part["type"] == "opaque":
            image = part["data"]
        elif self.home and part["type"] in {"image", "audio"}:
            image = encode_media(part, self.path("part"), self.target())
        if image is None:
            self.log.lost("part", self.path("part"), "a line of an Ollama stream can only hold text, thinking or calls")
            return []
        self._message.setdefault("images", []).append(image)
        return self._line(event)

    def _citation(self, _event: Event) -> list[Frame]:
        self.log.lost("citation", self.path("citation"), "Ollama has no citations")
        return []

    def _state(self, event: Event) -> list[Frame]:
        return self._line(event) if self.home and DIALECT in event.get("extra", {}) else []

    def _note_usage(self, event: Event) -> list[Frame]:
        self._usage.add(self.number, event["usage"])
        return []

    def _note_finish(self, event: Event) -> list[Frame]:
        self._finish = (self.number, event)
        return []

    def _error(self, event: Event) -> list[Frame]:
        if "code" in event:
            self.log.lost("member", self.path("code"), "Ollama's errors are one text")
        return [{"error": event.get("message", "")}]

    def failure(self, error: ApiError, log: LossLog) -> list[Frame]:
        """Return the error line; incomplete calls are not written."""
        self.lost_waiting(self._calls.close())
        self.cut(self._finish, self._usage)
        return super().failure(error, log)

    def _end(self, event: Event) -> list[Frame]:
        self.ended = True
        if not (self.home or event["complete"]):
            self.lost_broken(self._calls)
        lines = [line for number, call in self._calls.close() for line in self._whole_call(number, call)]
        form = spelling(event, DIALECT).get("end")
        if form == "absent" or not (event["complete"] or form == "done"):
            if not self.home:
                self.cut(self._finish, self._usage)
            return lines
        if not self.home and self._finish is None:
            self._finish = (self.number, {"type": "finish", "reason": "tool_calls" if self._called else "stop"})
            self.log.filled(self.path("reason"), "every complete answer needs a finish reason")
        line = self._made(event, done=True)
        self._write_finish(line)
        self._write_usage(line)
        return [*lines, line]

    def _write_finish(self, line: dict[str, Any]) -> None:
        if self._finish is None:
            return
        number, finish = self._finish
        said = finish_members(number, finish, self.log, declined=False)
        said["messages"] = [{"role": "assistant", "tool_calls": [True]}] if self._called else []
        write_done_reason(line, said, self.target_of(number))
        if "stop_sequence" in finish:
            self.log.lost(
                "finish_reason", f"/{number}/stop_sequence", "a response cannot say which stop sequence ended it"
            )
        self._finish = None

    def _write_usage(self, line: dict[str, Any]) -> None:
        write_usage(line, cast("Usage", self._usage.usage), self.target_of_usage(self._usage))


encode_stream: Final = StreamEncoder
