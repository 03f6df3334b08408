"""Canonical to Chat Completions: streams. At home as the provider wrote them, abroad as OpenAI would write them.

Source: docs/wire/openai_chat.md, section 3.
"""

from __future__ import annotations

from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.rooms._chat_completions.encode_answer import LABELS, encode_usage, fill_labels, write_finish
from interlingua.rooms._chat_completions.encode_answer_part import encode_citation
from interlingua.rooms._chat_completions.encode_call import ONE_CALL, encode_call
from interlingua.rooms._chat_completions.encode_message import encode_assistant
from interlingua.rooms._chat_completions.reasoning_details import CARRIED, SIGNATURES
from interlingua.rooms._chat_completions.stream_chunk import CHUNK, OLDER_CALL, PADDING, Chunks
from interlingua.rooms._chat_completions.stream_state_events import unwritten
from interlingua.rooms._chat_completions.stream_state_writer import SignedStateWriter, with_signature
from interlingua.rooms._shared.claude_signatures import CARRIED_FROM_BEDROCK, with_signatures
from interlingua.rooms._shared.names import AnswerIds
from interlingua.rooms._shared.stream_abroad import CallText, Paragraphs, StreamUsage, finish_members
from interlingua.rooms._shared.stream_logprobs import LogprobsWriter
from interlingua.rooms._shared.stream_notes import call_of, spelling
from interlingua.spi.extra import NOTHING
from interlingua.tool_arguments import arguments_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError
    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.rooms._shared.stream_template import TextPieces
    from interlingua.rooms._shared.stream_writer import Event, Frame

DONE: Final = "[DONE]"
_OF_STREAMS: Final = frozenset({"start", "opaque", "end"})


class StreamEncoder(LogprobsWriter):
    """Writes the events of a stream as the chunks of a vendor."""

    FREE: ClassVar[str] = PADDING

    def __init__(self, vendor: Vendor, log: LossLog) -> None:
        self.vendor, self.dialect = vendor, vendor.dialect
        super().__init__(log)
        self._abroad: AbroadWriter | None = None  # made when a stream from abroad begins

    @cached_property
    def chunks(self) -> Chunks:
        """How chunks are written at home."""
        return Chunks(self.vendor)

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return the collectors of the pieces of a text or a call."""
        if self.home:
            return self.chunks.held(event)
        return None if self._abroad is None else self._abroad.held(event)

    def wrote(self, kind: str, frames: list[Frame]) -> None:
        """Learn from a chunk: the next ones are expected to be like it."""
        if frames and kind not in {"opaque", "end"}:
            self.chunks.learn(frames[0])

    def write(self, event: Event) -> list[Frame]:
        """Return the frames of an event, written by habit."""
        kind = event["type"]
        if kind in _OF_STREAMS:
            if kind == "end":
                return self._end(event)
            if kind == "opaque":
                return self.opaque_frame(event)
            self.home = event.get("dialect") == self.dialect
            self.ended = False
            if not self.home and self._abroad is None:
                self._abroad = AbroadWriter(self)
        return self.chunks.write(event) if self.home or self._abroad is None else self._abroad.write(event)

    def lay_logprobs(self, frame: dict[str, Any], tokens: list[dict[str, Any]], which: int) -> bool:
        """Write tokens into the choice of a chunk."""
        own = [choice for choice in frame["choices"] if choice["index"] == which]
        for choice in own:
            choice["logprobs"] = {"content": tokens, "refusal": None}
        return bool(own)

    def _report_foreign(self, kind: str, extra: Mapping[str, Any]) -> None:
        if self.home and kind == "state":
            extra = unwritten(extra, self.dialect)
        super()._report_foreign(kind, extra if self._abroad is None else self._abroad.uncarried(kind, extra))

    def failure(self, error: ApiError, log: LossLog) -> list[Frame]:
        """Return the chunk that says an error: no answer has an end. vLLM ends the stream behind it, too."""
        frames = [] if self._abroad is None else self._abroad.cut()
        return [*frames, *super().failure(error, log), *((DONE,) if self.vendor.ends_failures else ())]

    def _end(self, event: Event) -> list[Frame]:
        self.ended = True
        if self._abroad is not None and not self.home:
            return [*self._abroad.end(), DONE] if event["complete"] else self._abroad.cut()
        rest = self.chunks.flush()
        silent = not event["complete"] or spelling(event, self.dialect).get("end") == "absent"
        return rest if silent else [*rest, DONE]


# Labels of a response are members of its start event.
_LABEL_PLACES: Final[Mapping[str, str]] = MappingProxyType({"": ""})
# Path of a part in a response -> path in its event.
_PART_PLACES: Final[Mapping[str, str]] = MappingProxyType({"/messages/0/content/0": "/part"})
# Member with a call -> its member with the arguments.
_MEMBERS: Final[Mapping[str, str]] = MappingProxyType(
    {"function": "arguments", OLDER_CALL: "arguments", "custom": "input"}
)
# Null, since an empty text would be an answer.
_OPENING: Final[Mapping[str, Any]] = MappingProxyType({"role": "assistant", "content": None})


class _Answer:
    """State of one answer from abroad: how it is written, its position, and what is held until its blocks end."""

    def __init__(self, which: int) -> None:
        self.which = which
        self.choice = {"index": which, "delta": None, "logprobs": None, "finish_reason": None}
        self.called = 0
        self.places: dict[int, tuple[int, str]] = {}  # block of a call -> its index, and the member with its arguments
        self.indexes: dict[int, int] = {}  # block of a call that has an index -> the index
        self.calls: dict[int, CallText] = {}
        self.citations: list[tuple[int, Event]] = []
        self.annotations: list[dict[str, Any]] = []
        self.spans: dict[int, list[int]] = {}  # block -> start and end of its text
        self.length = 0
        self.pictures = 0
        self.refused = False
        self.finish: tuple[int, Event] | None = None
        self.silenced: set[int] = set()  # blocks of reasoning and calls without a place
        self.paragraphs = Paragraphs()
        self.carrying: SignedStateWriter | None = None

    def say(self, kind: str, event: Event, text: str) -> str:
        """Return a piece of text as written: messages, and thoughts, are separated by blank lines."""
        block = event["block"]
        gap = self.paragraphs.gap(event, kind)
        if gap:
            text = gap + text
        if kind == "content":
            start = self.length + len(gap)
            self.length += len(text)
            self.spans.setdefault(block, [start, 0])[1] = self.length
        return text


class _Span:
    """Tracks the length of a block's text, which determines the anchors of citations."""

    def __init__(self, answer: _Answer, block: int) -> None:
        self._answer = answer
        self._span = answer.spans[block]

    def append(self, text: str) -> None:
        """Take the next piece."""
        self._answer.length += len(text)
        self._span[1] = self._answer.length


class AbroadWriter:
    """Writes the events of another dialect; `writer` has the number of the event and the log."""

    def __init__(self, writer: StreamEncoder) -> None:
        self._writer = writer
        self._vendor = writer.vendor
        self._answers: dict[int, _Answer] = {}
        self._usage: StreamUsage | None = None
        self._facts: Mapping[str, Any] = {}
        self._envelope: dict[str, Any] = {}
        self._carries = False  # whether the client sends back signed state
        self._waiting: list[Frame] = []  # the chunk of a complete call, whose signature comes next

    def write(self, event: Event) -> list[Frame]:
        """Return the chunks of an event."""
        return self._with_state(event) if self._carries else self._frames(event)

    def _with_state(self, event: Event) -> list[Frame]:
        """Return the chunks of an event, and of its signed state."""
        event = with_signatures(event, CARRIED_FROM_BEDROCK) if "extra" in event else event
        waiting, self._waiting = self._waiting, []
        frames = self._frames(event)
        answer = self._answers.get(event.get("alternative", 0))
        if answer is None or answer.carrying is None:
            return [*waiting, *frames]
        for delta in answer.carrying.take(event, self._writer.number, answer.indexes):
            if not (waiting and with_signature(waiting[-1], delta)):  # type: ignore[arg-type]  # chunks are objects
                frames.append(self._delta(answer, delta))
        if event["type"] == "tool_call_start" and "arguments" in event:
            self._waiting, frames = frames, []
        return [*waiting, *frames]

    def uncarried(self, kind: str, extra: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the `extra` of an event without what chunks carry."""
        known = next(iter(self._answers.values()), None)
        return extra if known is None or known.carrying is None else known.carrying.left(kind, extra)

    def _delta(self, answer: _Answer, delta: dict[str, Any]) -> dict[str, Any]:
        """Return the chunk for a delta of an answer."""
        return {**self._envelope, "choices": [{**answer.choice, "delta": delta}]}

    def _frames(self, event: Event) -> list[Frame]:
        reader = self._READERS.get(event["type"])
        if reader is not None:
            answer = self._answers.get(event.get("alternative", 0))
            if answer is not None:
                return reader(self, answer, event)
            answer, frames = self._answer(event)
            return [*frames, *reader(self, answer, event)]
        if event["type"] == "start":
            return [self._start(event)]
        if event["type"] == "usage":
            if self._usage is None:
                self._usage = StreamUsage(self._writer.number, event["usage"])
            else:
                self._usage.add(self._writer.number, event["usage"])
        return []

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return what keeps the pieces of a text or of a call."""
        answer = self._answers[event.get("alternative", 0)]
        if event["type"] == "content":
            return (_Span(answer, event["block"]),)
        if event["type"] == "reasoning" and answer.carrying is not None:
            return (answer.carrying.pieces(event["block"]),)
        if event["type"] != "tool_call_delta":
            return ()
        call = answer.calls.get(event["block"])
        return None if call is None or call.enclosed else (call.pieces,)

    def end(self) -> list[Frame]:
        """Return the chunks with the finish reasons and the usage."""
        frames = self._flush() if self._answers else self._answer({})[1]
        for _, answer in sorted(self._answers.items()):
            for block in list(answer.calls):
                frames += self._end_call(answer, block)
            frames += self._cited(answer)
            frames += self._carried(answer)
            frames.append(self._last(answer))
        if self._usage is not None:
            usage = encode_usage(self._usage.usage, self._vendor, self._writer.target_of_usage(self._usage))  # type: ignore[arg-type]  # the members of usage, merged
            frames.append({**self._envelope, "choices": [], "usage": usage})
        self._answers, self._usage = {}, None
        return frames

    def cut(self) -> list[Frame]:
        """Return the remaining chunks of a stream that was cut, with its annotations."""
        frames = self._flush()
        for _, answer in sorted(self._answers.items()):
            frames += self._cited(answer)
            frames += self._carried(answer)
            self._writer.cut(answer.finish, None)
        self._writer.cut(None, self._usage)
        return frames

    def _flush(self) -> list[Frame]:
        waiting, self._waiting = self._waiting, []
        return waiting

    def _start(self, event: Event) -> Frame:
        if self._answers:
            self._writer.restarted()
        self._facts = event
        self._carries = spelling(event, self._vendor.dialect).get(SIGNATURES) == CARRIED
        labels: dict[str, Any] = {name: event[name] for name in LABELS if name in event}
        log = self._writer.log_of(self._writer.number, _LABEL_PLACES)
        fill_labels(labels, AnswerIds(event, self._writer.log.asked), log)
        created, model = labels["created"], labels["model"]
        self._envelope = {"id": labels["id"], "object": CHUNK, "created": created, "model": model, "choices": None}
        self._usage = StreamUsage(self._writer.number, event["usage"]) if event.get("usage") else None
        known = self._answers.get(0)
        if known is None:
            return self._answer(event)[1][0]
        known.finish = None
        return self._delta(known, {**_OPENING})

    def _answer(self, event: Event) -> tuple[_Answer, list[Frame]]:
        """Return a new answer for an event, and its first chunk."""
        which = event.get("alternative", 0)
        answer = self._answers[which] = _Answer(which)
        answer.carrying = SignedStateWriter(self._writer.log) if self._carries else None
        return answer, [self._delta(answer, {**_OPENING})]

    def _content(self, answer: _Answer, event: Event) -> list[Frame]:
        if not event["text"]:
            answer.paragraphs.begin(event)
            if answer.spans:
                return []
        return [self._delta(answer, {"content": answer.say("content", event, event["text"])})]

    def _reasoning(self, answer: _Answer, event: Event) -> list[Frame]:
        place = spelling(event, self._vendor.dialect).get("reasoning", self._vendor.shown)
        if place and event["text"]:
            return [self._delta(answer, {place: answer.say("reasoning", event, event["text"])})]
        answer.paragraphs.begin(event)
        if event["text"] and event["block"] not in answer.silenced:
            answer.silenced.add(event["block"])
            self._writer.log.lost(
                "reasoning", self._writer.path("text"), "no member was chosen for reasoning: see reasoning_member"
            )
        return []

    def _refusal(self, answer: _Answer, event: Event) -> list[Frame]:
        text = event["text"]
        if not text:
            return []
        answer.refused = True
        return [self._delta(answer, {"refusal": answer.say("refusal", event, text)})]

    def _call(self, answer: _Answer, event: Event) -> list[Frame]:
        block = event["block"]
        answer.paragraphs.begin(event)
        notes = spelling(event, self._vendor.dialect)
        if "call" in notes and answer.called:
            answer.silenced.add(block)
            self._writer.log.lost("message", self._writer.path(), ONE_CALL)
            return []
        enclosed = event.get("kind") == "custom" and not self._vendor.custom
        call = answer.calls[block] = CallText(self._writer.number, enclosed=enclosed)
        said = call_of(event, self._vendor.dialect)
        if "id" not in said:
            said["id"] = AnswerIds(self._facts, self._writer.log.asked, answer.which).call(answer.called)
            if "call" not in notes:  # the older form has no id
                self._writer.log.filled(self._writer.path("id"), "every tool call needs an id: one was generated")
        answer.called += 1
        if enclosed:
            del said["kind"]
        to = self._writer.target_of(self._writer.number)
        wire = encode_call({**said, "arguments": "{}"}, 0, 0, self._vendor, to)  # type: ignore[typeddict-item]  # the members of a call, taken by name
        kind = "custom" if "custom" in wire else "function"
        given = event.get("arguments", "")
        text = call.piece(arguments_text(given), self._writer.number) if given != "" else ""
        inner = {"name": wire[kind]["name"], _MEMBERS[kind]: text}
        if notes.get("call") == OLDER_CALL:
            answer.places[block] = (-1, OLDER_CALL)
            return [self._delta(answer, {OLDER_CALL: inner})]
        index = answer.indexes[block] = len(answer.indexes)
        answer.places[block] = (index, kind)
        return [self._delta(answer, {"tool_calls": [{"index": index, "id": wire["id"], "type": kind, kind: inner}]})]

    def _arguments(self, answer: _Answer, event: Event) -> list[Frame]:
        block = event["block"]
        if block in answer.silenced:
            return []
        call = answer.calls.get(block)
        if call is None:
            self._writer.unmatched_arguments(event)
        elif event["arguments"]:
            return self._argument_piece(answer, block, call.piece(event["arguments"], self._writer.number))
        return []

    def _argument_piece(self, answer: _Answer, block: int, piece: str) -> list[Frame]:
        index, held = answer.places[block]
        inner = {_MEMBERS[held]: piece}
        said = {held: inner} if held == OLDER_CALL else {"tool_calls": [{"index": index, held: inner}]}
        return [self._delta(answer, said)]

    def _end_call(self, answer: _Answer, block: int) -> list[Frame]:
        """Close a call: empty arguments become an object, and others are reported if they had to be one."""
        call = answer.calls.pop(block)
        if call.enclosed:
            return self._argument_piece(answer, block, call.ending(self._writer.log))
        if answer.places[block][1] != "custom":
            text = "".join(call.pieces)
            if not text.strip():
                return self._argument_piece(answer, block, "{}")
            if not self._vendor.custom:
                call.report_inexact(text, self._writer.log)
        return []

    def _part(self, answer: _Answer, event: Event) -> list[Frame]:
        if event["part"]["type"] == "text":
            answer.paragraphs.begin(event, "content")
        message: Any = {"role": "assistant", "content": [event["part"]]}
        wire = encode_assistant(message, 0, self._vendor, self._writer.target_of(self._writer.number, _PART_PLACES))
        answer.annotations.extend(wire.get("annotations", ()))
        content = wire.get("content")
        frames: list[Frame] = []
        if content and type(content) is str:
            frames.append(self._delta(answer, {"content": answer.say("content", event, content)}))
        elif type(content) is list:
            frames += [self._delta(answer, {"content": [item]}) for item in content]
        for picture in wire.get("images", ()):
            frames.append(self._delta(answer, {"images": [{**picture, "index": answer.pictures}]}))
            answer.pictures += 1
        if wire.get("audio"):
            frames.append(self._delta(answer, {"audio": wire["audio"]}))
        return frames

    def _citation(self, answer: _Answer, event: Event) -> list[Frame]:
        """Hold a citation until the end: an annotation needs its span, and clients accept only one list of annotations.

        The official client joins lists by the `index` of their entries, and annotations have none.
        """
        answer.citations.append((self._writer.number, event))
        return []

    def _cited(self, answer: _Answer) -> list[Frame]:
        """Return the chunk with the annotations of an answer."""
        annotations = answer.annotations
        for number, event in answer.citations:
            start, end = answer.spans.get(event["block"], (answer.length, answer.length))
            target = self._writer.target()
            annotation = encode_citation(event["citation"], f"/{number}/citation", target, start, end)
            if annotation is not None:
                annotations.append(annotation)
        return [self._delta(answer, {"annotations": annotations})] if annotations else []

    def _carried(self, answer: _Answer) -> list[Frame]:
        """Return the chunks with the remaining signed state of an answer."""
        left = [] if answer.carrying is None else answer.carrying.close()
        return [self._delta(answer, delta) for delta in left]

    def _block_end(self, answer: _Answer, event: Event) -> list[Frame]:
        return self._end_call(answer, event["block"]) if event["block"] in answer.calls else []

    def _finish(self, answer: _Answer, event: Event) -> list[Frame]:
        answer.finish = (self._writer.number, event)
        return []

    def _last(self, answer: _Answer) -> Frame:
        """Return the chunk with the finish reason of an answer."""
        number, finish = answer.finish or (self._writer.number, NOTHING)
        said = finish_members(number, finish, self._writer.log, declined=False)
        said["messages"] = [{"tool_calls": answer.called, "refusal": answer.refused}]
        frame = self._delta(answer, {})
        choice: dict[str, Any] = {}
        write_finish(choice, said, self._vendor, self._writer.target_of(number))
        frame["choices"][0] |= choice
        return frame

    _READERS: ClassVar[Mapping[str, Callable[..., list[Frame]]]] = {
        "content": _content,
        "reasoning": _reasoning,
        "refusal": _refusal,
        "tool_call_start": _call,
        "tool_call_delta": _arguments,
        "part": _part,
        "citation": _citation,
        "block_end": _block_end,
        "finish": _finish,
    }
