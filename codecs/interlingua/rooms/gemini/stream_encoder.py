"""Encode canonical events as a Gemini stream.

Every chunk is a small response of `generateContent`; nothing ends the stream. At home a chunk holds the events that
came in one chunk. Abroad each part is a chunk, a function call once it is complete; finish reasons and usage are held
for the last chunk, since other dialects send them in any order. Source: docs/wire/gemini.md, section 3.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from interlingua.logprobs import logprobs_result
from interlingua.rooms._shared.stream_abroad import (
    Paragraphs,
    StreamUsage,
    WholeCalls,
    finish_members,
    refusal_as_content,
    report_unplaced_state,
)
from interlingua.rooms._shared.stream_logprobs import LogprobsWriter
from interlingua.rooms._shared.stream_notes import MORE, SILENT, call_of, spelling
from interlingua.rooms.gemini.encode_answer import empty_content, encode_usage, finish_word, write_time
from interlingua.rooms.gemini.encode_part import SIGNATURE, encode_call, encode_part
from interlingua.rooms.gemini.grounding_abroad import StreamedCitations
from interlingua.rooms.gemini.server_calls import is_writable_call
from interlingua.rooms.gemini.snake_case import CANDIDATE, PART, RESPONSE, USAGE, with_snake_case
from interlingua.rooms.gemini.tables import DIALECT, MODEL
from interlingua.spi.extra import NOTHING, merge_extra, own_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError, Usage
    from interlingua.rooms._shared.stream_template import TextPieces
    from interlingua.rooms._shared.stream_writer import Event, Frame

# Events that may decide what an answer ends with; text events; events that belong to all answers.
_SAYING: Final = frozenset({"content", "reasoning", "tool_call_start", "part", "state"})
_TEXTS: Final = frozenset({"content", "reasoning"})
_OF_ALL: Final = frozenset({"start", "usage", "end"})


def last_call(event: Event, before: int | None) -> int | None:
    """Return the block of the call that an answer ends with after an event, or None; the finish reason depends on it.

    An empty text without a signature does not count.
    """
    kind, block = event["type"], event.get("block")
    if kind in {"content", "reasoning"}:
        return None if event["text"] else before
    if kind == "tool_call_start":
        return block
    if kind == "part":
        return None
    if kind == "state" and "signature" in own_extra(event, DIALECT):
        return before if block == before else None
    return before


@dataclass(slots=True)
class _Answer:
    """One answer: the call that it ends with; abroad its last part, its finish reason and its citations."""

    called: int | None = None
    said: str = ""  # type of the last part
    paragraphs: Paragraphs = field(default_factory=Paragraphs)
    finish: tuple[int, Event] | None = None
    declined: bool = False
    sources: StreamedCitations = field(default_factory=StreamedCitations)

    def begin(self, event: Event, kind: str) -> None:
        """Note that a part of a kind is written."""
        self.paragraphs.begin(event)
        self.said = kind

    def say(self, event: Event, kind: str, text: str) -> str:
        """Return a text as it is written, with a blank line between texts of two messages, and between two thoughts."""
        self.paragraphs.begin(event, kind)
        if not text:
            return text
        gap = self.paragraphs.gap(event, kind)
        before, self.said = self.said, kind
        return gap + text if before == kind else text


class StreamEncoder(LogprobsWriter):
    """Encodes events as chunks of a Gemini stream."""

    dialect = DIALECT
    HAS_BYTES: ClassVar[bool] = False

    def __init__(self, log: LossLog) -> None:
        super().__init__(log)
        self._started = self._is_abroad = False  # whether anything has come, and a start from another dialect
        self._head: dict[str, Any] = {}
        self._indexed = True
        self._snake: set[str] = set()
        self._answers: dict[int, _Answer] = {}
        self._calls = WholeCalls(self.unmatched_arguments)
        self._partial: set[int] = set()  # partial calls
        self._counts = StreamUsage()  # abroad, where it is held
        self._signatures: dict[int, str] = {}  # abroad, of open calls
        # The chunk being built: its candidates, its usage, and the part of each block.
        self._candidates: dict[int, dict[str, Any]] = {}
        self._usage: dict[str, Any] | None = None
        self._places: dict[int, dict[str, Any]] = {}
        self._pending = False
        self._is_alone = False  # whether the last event had a chunk of its own
        self._chunks: list[Frame] = []  # chunks made of the current event

    def write(self, event: Event) -> list[Frame]:
        """Return the chunks that an event makes by habit."""
        kind = event["type"]
        if kind == "opaque":
            return self.opaque_frame(event)
        if kind == "error":
            return [_error(event)]
        self._is_alone, frame = not self._pending, None
        if kind == "start":
            self.home = event.get("dialect") == DIALECT
        elif not self._started and kind != "end":
            self.home = False
        if self.home:
            notes = spelling(event, DIALECT)
            frame = notes.get("frame")
            if frame == SILENT:
                return []
            self._snake.update(notes.get("snake", ()))
            self._HOME[kind](self, event)
            if kind in _SAYING:
                answer = self._answer(event)
                answer.called = last_call(event, answer.called)
        else:
            self._started, self.ended = True, kind == "end"
            if kind not in _OF_ALL:
                self._answer(event)
            self._ABROAD[kind](self, event)
        if self._pending and frame != MORE:
            self._chunks.append(self._chunk())
        chunks, self._chunks = self._chunks, []
        return chunks

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return what keeps the pieces of a text: abroad its citations, at home nothing; arguments never stream."""
        if event["type"] not in _TEXTS or not self._is_alone:
            return None
        if self.home or event["type"] != "content":
            return ()
        return (self._answer(event).sources.pieces(event["block"]),)

    def lay_logprobs(self, frame: dict[str, Any], tokens: list[dict[str, Any]], which: int) -> bool:
        """Write log probabilities into a candidate of a chunk."""
        own = [candidate for candidate in frame.get("candidates", ()) if candidate["index"] == which]
        for candidate in own:
            candidate["logprobsResult"] = logprobs_result(tokens)
        return bool(own)

    def _answer(self, event: Event) -> _Answer:
        which = event.get("alternative", 0)
        if which not in self._answers:
            self._answers[which] = _Answer()
        return self._answers[which]

    def _chunk(self) -> dict[str, Any]:
        """Return the chunk of what has been written since the last one."""
        chunk: dict[str, Any] = {}
        if self._candidates:
            if self._indexed:
                for index, candidate in self._candidates.items():
                    candidate["index"] = index
            chunk["candidates"] = [*self._candidates.values()]
        if self._usage is not None:
            chunk["usageMetadata"] = self._usage
        chunk.update(self._head)
        self._candidates, self._places, self._usage, self._pending = {}, {}, None, False
        return self._with_snake_case(chunk) if self._snake else chunk

    def _with_snake_case(self, chunk: dict[str, Any]) -> dict[str, Any]:
        """Return a chunk with the names in snake_case that came that way."""
        for candidate in chunk.get("candidates", ()):
            if "content" in candidate:
                content = candidate["content"]
                content["parts"] = [with_snake_case(part, self._snake, PART) for part in content["parts"]]
        if "candidates" in chunk:
            chunk["candidates"] = [
                with_snake_case(candidate, self._snake, CANDIDATE) for candidate in chunk["candidates"]
            ]
        if "usageMetadata" in chunk:
            chunk["usageMetadata"] = with_snake_case(chunk["usageMetadata"], self._snake, USAGE)
        return with_snake_case(chunk, self._snake, RESPONSE)

    def _candidate(self, event: Event) -> dict[str, Any]:
        self._pending = True
        return self._candidates.setdefault(event.get("alternative", 0), {})

    def _add(self, event: Event, part: dict[str, Any]) -> None:
        """Add a part to the chunk; abroad it is the only one."""
        self._places[event["block"]] = part
        candidate = self._candidate(event)
        if "content" in candidate:
            candidate["content"]["parts"].append(part)
        else:
            candidate["content"] = {"parts": [part], "role": MODEL}
        if not self.home:
            self._chunks.append(self._chunk())

    def holds_call(self, call: Any) -> bool:
        """Return whether a server call can be written as `executableCode`."""
        return is_writable_call(call)

    def _start(self, event: Event) -> None:
        self._started, self.ended, self._pending, self._is_abroad = True, False, True, False
        self._answers, self._partial, self._calls = {}, set(), WholeCalls(self.unmatched_arguments)
        self._indexed = "index" not in spelling(event, DIALECT).get("absent", ())
        self._note_head(event)
        if "usage" in event:
            self._note_usage(event)

    def _start_abroad(self, event: Event) -> None:
        if self._is_abroad:
            self.restarted()
        else:
            self._answers, self._calls, self._snake = {}, WholeCalls(self.unmatched_arguments), set()
        self._is_abroad = self._indexed = True
        self._note_head(event)
        self._counts = StreamUsage(self.number, event.get("usage", {}))
        for answer in self._answers.values():
            answer.finish = None

    def _note_head(self, event: Event) -> None:
        """Note the response members that every chunk repeats."""
        self._head = {}
        if "model" in event:
            self._head["modelVersion"] = event["model"]
        if "created" in event:
            write_time(self._head, event["created"], own_extra(event, DIALECT), self.log_of(self.number))
        if "id" in event:
            self._head["responseId"] = event["id"]

    def _text(self, event: Event) -> None:
        kind, text = event["type"], event["text"]
        if not self.home:
            text = self._answer(event).say(event, kind, text)
            if not text:
                return
            if kind == "content":
                self._answer(event).sources.say(event["block"], event["text"], text)
        self._add(event, {"text": text, "thought": True} if kind == "reasoning" else {"text": text})

    def _refusal(self, event: Event) -> None:
        answer = self._answer(event)
        if self.home:
            self.log.lost("refusal", self.path("text"), "a refusal has no text of its own there")
            return
        answer.declined = answer.declined or bool(event["text"])
        self._text(refusal_as_content(event, answer.paragraphs, self.path("text"), self.log))

    def _citation(self, event: Event) -> None:
        if self.home:
            self.log.lost("citation", self.path("citation"), "sources are sent in groundingMetadata, beside the answer")
        else:
            self._answer(event).sources.cite(event["block"], event["citation"], self.path("citation"))

    def _call(self, event: Event) -> None:
        fields = own_extra(event, DIALECT).get("fields", NOTHING)
        if "arguments" in event:
            self._whole_call(self.number, event)
        elif "functionCall" in fields:
            self._partial.add(event["block"])
            self._add_piece(event, {name: event[name] for name in ("id", "name") if name in event})
        else:
            self._calls.feed(self.number, event)

    def _arguments(self, event: Event) -> None:
        if event["block"] in self._partial:
            self._add_piece(event, {})
        else:
            self._calls.feed(self.number, event)

    def _add_piece(self, event: Event, call: dict[str, Any]) -> None:
        """Add a partial call, with its arguments as they came."""
        fields = own_extra(event, DIALECT).get("fields", NOTHING)
        part: dict[str, Any] = {"functionCall": call}
        if call:
            merge_extra(part, fields)
        else:
            part.update(fields)
        self._add(event, part)

    def _fragment(self, event: Event) -> None:
        """Take an event of a call, which is written once it has ended."""
        whole = self._calls.feed(self.number, event)
        if whole is not None:
            self._whole_call(*whole)

    def _whole_call(self, number: int, event: Event) -> None:
        self._answer(event).begin(event, event["type"])
        signature = self._signatures.pop(event["block"], None)
        to = self.target_of_call(number, self._calls.told(event, number))
        self._add(event, encode_call(call_of(event, DIALECT), 0, 0, to, signature))  # type: ignore[arg-type]  # the members of a call, taken by name

    def _part(self, event: Event) -> None:
        parts = encode_part(event["part"], "/part", "assistant", self.target_of(self.number))
        if self.home and event["part"].get("citations"):  # no Gemini chunk has citations in a part
            self.log.lost(
                "citation", self.path("part", "citations"), "sources are sent in groundingMetadata, beside the answer"
            )
        answer = self._answer(event)
        if len(parts) == 1 and parts[0].keys() == {"text"} and not self.home:
            said = parts[0]["text"]
            parts = [{"text": answer.say(event, "content", said)}]
            answer.sources.say(event["block"], said, parts[0]["text"])
            for index, citation in enumerate(event["part"].get("citations", ())):
                answer.sources.cite(event["block"], citation, self.path("part", "citations", str(index)))
        else:
            answer.begin(event, "part" if parts else answer.said)
        for part in parts:
            self._add(event, part)

    def _state(self, event: Event) -> None:
        """Write a signature, a partial call, an empty text, or nothing."""
        bag = own_extra(event, DIALECT)
        block = event.get("block")
        if block is None:
            self._pending = True
            if "candidates" not in bag.get("spelling", NOTHING):
                self._candidate(event)
        elif block in self._partial and "signature" not in bag:
            self._add_piece(event, {})
        else:
            if block not in self._places:
                self._add(event, {"text": ""})
            if "signature" in bag:
                self._places[block][SIGNATURE] = bag["signature"]

    def _write_signature(self, event: Event) -> None:
        """Write a signature carried by another dialect: with its call once that is complete, else after its text."""
        signature = own_extra(event, DIALECT).get("signature")
        if signature is None:
            return
        block = event.get("block")
        if block is None:
            report_unplaced_state(own_extra(event, DIALECT), self)
        elif self._calls.is_open(block):
            self._signatures[block] = signature
        else:
            self._add(event, {"text": "", SIGNATURE: signature})

    def _note_usage(self, event: Event) -> None:
        self._pending = True
        self._usage = encode_usage(event["usage"], self.target_of(self.number))

    def _hold_usage(self, event: Event) -> None:
        self._counts.add(self.number, event["usage"])

    def _finish(self, event: Event) -> None:
        self._pending = True
        if "candidates" not in spelling(event, DIALECT):
            self._write_finish_reason(self.number, event, called=self._answer(event).called is not None)

    def _hold_finish(self, event: Event) -> None:
        self._answer(event).finish = (self.number, event)

    def _write_finish_reason(self, number: int, event: Event, *, called: bool) -> None:
        """Write the finish reason of an answer; `number` is that of its event."""
        said = finish_members(number, event, self.log, declined=self._answer(event).declined)
        word = finish_word(said["finish_reason"], said.get("finish_reason_raw"), self.target_of(number), called=called)
        self._candidate(event)["finishReason"] = word
        if "stop_sequence" in event:
            self.log.lost(
                "finish_reason", f"/{number}/stop_sequence", "a response cannot say which stop sequence ended it"
            )

    def _end(self, event: Event) -> None:  # noqa: ARG002  # as all writers of the table
        self.ended = True
        for number, call in self._calls.close():
            self._whole_call(number, call)

    def _end_abroad(self, event: Event) -> None:
        """Write what has been held: open calls, finish reasons, citations and usage."""
        if not self._answers and event["complete"]:
            self._answer(event)
        if not event["complete"]:
            self.lost_broken(self._calls)
        for begun, call in self._calls.close():
            self._whole_call(begun, call)
        for which, answer in sorted(self._answers.items()):
            if not event["complete"]:
                self.cut(answer.finish, None)
                answer.sources.cut(self.log)
                continue
            called = answer.said == "tool_call_start"
            if answer.finish is None:
                self.log.filled(self.path("reason"), "every complete answer needs a finish reason")
                reason = "tool_calls" if called else "stop"
                answer.finish = (self.number, {"type": "finish", "reason": reason, "alternative": which})
            # Clients take a candidate without parts for an invalid answer, and drop the turn.
            self._candidate(answer.finish[1])["content"] = empty_content()
            self._write_finish_reason(*answer.finish, called=called)
            answer.sources.write(self._candidate(answer.finish[1]), self.log)
        if self._counts.usage:
            self._pending = True
            self._usage = encode_usage(cast("Usage", self._counts.usage), self.target_of_usage(self._counts))
        self._answers, self._counts = {}, StreamUsage(self.number)

    def failure(self, error: ApiError, log: LossLog) -> list[Frame]:
        """Return the error chunk; incomplete calls are not written."""
        self.lost_waiting(self._calls.close())
        for answer in self._answers.values():
            self.cut(answer.finish, None)
            answer.sources.cut(self.log)
        self.cut(None, self._counts)
        return super().failure(error, log)

    _HOME: ClassVar[Mapping[str, Callable[..., None]]] = {
        "start": _start,
        "content": _text,
        "reasoning": _text,
        "refusal": _refusal,
        "tool_call_start": _call,
        "tool_call_delta": _arguments,
        "part": _part,
        "citation": _citation,
        "block_end": _fragment,
        "state": _state,
        "usage": _note_usage,
        "finish": _finish,
        "end": _end,
    }
    # Writers for what other dialects send differently, or in another order.
    _ABROAD: ClassVar[Mapping[str, Callable[..., None]]] = {
        **_HOME,
        "start": _start_abroad,
        "tool_call_start": _fragment,
        "tool_call_delta": _fragment,
        "state": _write_signature,
        "usage": _hold_usage,
        "finish": _hold_finish,
        "end": _end_abroad,
    }


encode_stream: Final = StreamEncoder


def _error(event: Event) -> dict[str, Any]:
    error = {"message": event.get("message", "")}
    word = event.get("error_type", event.get("code"))
    return {"error": error if word is None else {**error, "status": word}}
