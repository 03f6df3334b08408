"""Chunks abroad: events of another dialect as OpenAI would stream them.

Texts and arguments go out as they come. Why the answer ended and what it cost are held until the end, since other
dialects say them in any order. Every drop and fill is a loss.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.arguments import arguments_object, arguments_text
from interlingua.dialects._chat_completions.encode_answer import encode_usage, finish_word
from interlingua.dialects._chat_completions.encode_answer_part import encode_citation
from interlingua.dialects._chat_completions.encode_call import encode_call
from interlingua.dialects._chat_completions.encode_message import encode_assistant
from interlingua.dialects._chat_completions.stream_abroad_answer import Answer, Call
from interlingua.dialects._chat_completions.tables import FILLS
from interlingua.dialects._shared.stream import Counts, call_of
from interlingua.dialects._shared.target import Target
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.stream import Event, Frame, FrameWriter

_LABELS: Final = (("id", "chatcmpl-0"), ("created", FILLS["created"]), ("model", FILLS["model"]))
# Where members of a response stand in events.
_CALL_PLACES: Final[Mapping[str, str]] = MappingProxyType({"/messages/0/tool_calls/0": ""})
_PART_PLACES: Final[Mapping[str, str]] = MappingProxyType({"/messages/0/content/0": "/part"})
_FINISH_PLACES: Final[Mapping[str, str]] = MappingProxyType({"/finish_reason_raw": "/raw", "/finish_reason": "/reason"})
# No text is said yet: an empty one would be an answer of its own.
_OPENING: Final[Mapping[str, Any]] = MappingProxyType({"role": "assistant", "content": None})
_PART_MEMBERS: Final = ("content", "audio", "annotations")


class ChunksAbroad:
    """Writes the events of a stream of another dialect; `writer` knows the number of the event and the log."""

    def __init__(self, writer: FrameWriter, vendor: Vendor) -> None:
        self._writer = writer
        self._vendor = vendor
        # What every chunk has; its choices take the place that is kept for them, which is sooner done than adding them.
        self._envelope: dict[str, Any] = {"choices": None}
        self._answers: dict[int, Answer] = {}
        self._usage: Counts | None = None
        # The block of text that goes on unless another event comes between, its answer and its span.
        self._going: tuple[int, Answer, list[int]] | None = None

    def write(self, event: Event) -> list[Frame]:
        """Return the chunks of an event."""
        kind = event["type"]
        if kind == "content" and self._going is not None and len(event) == 3:  # the next piece, and nothing beside it
            block, answer, span = self._going
            text = event["text"]
            if text and event["block"] == block:
                answer.length = span[1] = answer.length + len(text)
                choice = {"index": 0, "delta": {"content": text}, "logprobs": None, "finish_reason": None}
                chunk = dict(self._envelope)
                chunk["choices"] = [choice]
                return [chunk]
        self._going = None
        writer = self._WRITERS.get(kind)
        if writer is not None:
            answer, opening = self._answer(event)
            deltas = writer(self, answer, event)
            if len(deltas) == 1 and not opening:  # nearly always
                return [self._chunk(answer, deltas[0])]
            return [*opening, *(self._chunk(answer, delta) for delta in deltas)]
        if kind == "start":
            return [self._start(event)]
        if kind == "usage":
            self._usage = self._usage or Counts(self._writer.number, {})
            self._usage.add(self._writer.number, event["usage"])
            return []
        if kind == "error":
            code = event.get("code")
            return [{"error": {"message": event.get("message", ""), "type": code, "param": None, "code": code}}]
        return []

    def end(self) -> list[Frame]:
        """Return the chunks that say why each answer ended, and what all of it cost."""
        frames: list[Frame] = []
        if not self._answers:
            frames.extend(self._answer({})[1])
        for _, answer in sorted(self._answers.items()):
            for block in list(answer.calls):
                frames.extend(self._chunk(answer, delta) for delta in self._end_call(answer, block))
            frames.extend(self._chunk(answer, delta) for delta in self._cited(answer))
            frames.append(self._last(answer))
        if self._usage is not None:
            frames.append({**self._envelope, "choices": [], "usage": self._encoded_usage(self._usage)})
        self._answers, self._usage, self._going = {}, None, None
        return frames

    def cut(self) -> list[Frame]:
        """Return what can still be said of a stream that was cut: the sources of its texts."""
        frames: list[Frame] = []
        for _, answer in sorted(self._answers.items()):
            frames.extend(self._chunk(answer, delta) for delta in self._cited(answer))
            self._writer.cut(answer.finish, None)
        self._writer.cut(None, self._usage)
        return frames

    def _start(self, event: Event) -> dict[str, Any]:
        if self._answers:
            self._writer.restarted()
        self._usage = None
        labels: dict[str, Any] = {}
        for name, fill in _LABELS:
            labels[name] = event.get(name, fill)
            if name not in event:
                self._writer.log.filled(self._writer.path(name), "a response has it")
        self._envelope = {
            "id": labels["id"],
            "object": "chat.completion.chunk",
            "created": labels["created"],
            "model": labels["model"],
            "choices": None,
        }
        if event.get("usage"):
            self._usage = Counts(self._writer.number, event["usage"])
        answer = self._answers.setdefault(0, Answer(0))
        answer.finish = None
        return self._chunk(answer, dict(_OPENING))

    def _answer(self, event: Event) -> tuple[Answer, Sequence[Frame]]:
        """Return the answer that an event belongs to, and the chunk that opens it where it is new."""
        which = event.get("alternative", 0)
        answer = self._answers.get(which)
        if answer is not None:
            return answer, ()
        answer = self._answers[which] = Answer(which)
        return answer, [self._chunk(answer, dict(_OPENING))]

    def _chunk(self, answer: Answer, delta: dict[str, Any]) -> dict[str, Any]:
        choice = {"index": answer.which, "delta": delta, "logprobs": None, "finish_reason": None}
        return {**self._envelope, "choices": [choice]}

    def _target(self, log: LossLog | None = None) -> Target:
        return Target(self._vendor.dialect, home=False, answer=True, log=self._writer.log if log is None else log)

    def _content(self, answer: Answer, event: Event) -> list[dict[str, Any]]:
        text = event["text"]
        if not text:
            answer.paragraphs.begin(event)
            if answer.spans:
                return []
        said = answer.say("content", event, text)
        if text and not answer.which:
            self._going = event["block"], answer, answer.spans[event["block"]]
        return [{"content": said}]

    def _reasoning(self, answer: Answer, event: Event) -> list[dict[str, Any]]:
        text, name = event["text"], self._vendor.reasoning
        if not text:
            answer.paragraphs.begin(event)
            return []
        if name:
            return [{name: answer.say("reasoning", event, text)}]
        answer.paragraphs.begin(event)
        if event["block"] not in answer.silenced:
            answer.silenced.add(event["block"])
            self._writer.log.lost("reasoning", self._writer.path("text"), "the dialect has no reasoning")
        return []

    def _refusal(self, answer: Answer, event: Event) -> list[dict[str, Any]]:
        text = event["text"]
        return [{"refusal": answer.say("refusal", event, text)}] if text else []

    def _call(self, answer: Answer, event: Event) -> list[dict[str, Any]]:
        block = event["block"]
        answer.paragraphs.begin(event)
        enclosed = event.get("kind") == "custom" and not self._vendor.custom
        call = answer.calls[block] = Call(answer.called, self._writer.number, enclosed=enclosed)
        answer.called += 1
        said = call_of(event, self._vendor.dialect)
        if "id" not in said:
            said["id"] = f"call_{block}"
            self._writer.log.filled(self._writer.path("id"), "every call has an id")
        if enclosed:
            del said["kind"]
        scratch = LossLog()
        wire = encode_call({**said, "arguments": "{}"}, 0, 0, self._vendor, self._target(scratch))  # type: ignore[typeddict-item]  # the members of a call, taken by name
        self._writer.relocated(scratch, self._writer.number, _CALL_PLACES)
        call.held = "custom" if "custom" in wire else "function"
        given = event.get("arguments", "")
        text = call.piece(arguments_text(given), self._writer.number) if given != "" else ""
        inner = {"name": wire[call.held]["name"], call.member: text}
        return [{"tool_calls": [{"index": call.index, "id": wire["id"], "type": call.held, call.held: inner}]}]

    def _arguments(self, answer: Answer, event: Event) -> list[dict[str, Any]]:
        call = answer.calls.get(event["block"])
        if call is None:
            self._writer.stray(event)
            return []
        text = event["arguments"]
        return [call.fragment(call.piece(text, self._writer.number))] if text else []

    def _end_call(self, answer: Answer, block: int) -> list[dict[str, Any]]:
        """Close a call: no arguments are an empty object; what is no object is reported where it must be one."""
        call = answer.calls.pop(block)
        path = f"/{call.told}/arguments"
        if call.enclosed:
            if call.pieces:
                self._writer.log.changed("arguments", path, "free text becomes an object with the member input")
            self._writer.log.changed("arguments", f"/{call.number}/kind", "every call has an object")
            return [call.fragment(call.ending())]
        if call.held == "custom":
            return []
        text = "".join(call.pieces)
        if not text:
            return [call.fragment("{}")]
        if not self._vendor.custom and not arguments_object(text)[1]:
            self._writer.log.changed("arguments", path, "the text is not faithfully an object")
        return []

    def _part(self, answer: Answer, event: Event) -> list[dict[str, Any]]:
        if event["part"]["type"] == "text":
            answer.paragraphs.begin(event, "content")
        scratch = LossLog()
        message: Any = {"role": "assistant", "content": [event["part"]]}
        wire = encode_assistant(message, 0, self._vendor, self._target(scratch))
        self._writer.relocated(scratch, self._writer.number, _PART_PLACES)
        delta = {name: wire[name] for name in _PART_MEMBERS if wire.get(name)}
        answer.annotations.extend(delta.pop("annotations", ()))
        if type(delta.get("content")) is str:
            delta["content"] = answer.say("content", event, delta["content"])
        return [delta] if delta else []

    def _citation(self, answer: Answer, event: Event) -> list[dict[str, Any]]:
        """Hold a source until the end: an annotation says which span it is of, and clients take but one list of them.

        The official one puts lists together by the `index` of their entries, and annotations have none.
        """
        answer.citations.append((self._writer.number, event))
        return []

    def _cited(self, answer: Answer) -> list[dict[str, Any]]:
        """Return the annotations of an answer."""
        annotations = answer.annotations
        for number, event in answer.citations:
            start, end = answer.spans.get(event["block"], (answer.length, answer.length))
            path = f"/{number}/citation"
            annotation = encode_citation(event["citation"], path, self._target(), start, end)
            if annotation is not None:
                annotations.append(annotation)
        return [{"annotations": annotations}] if annotations else []

    def _block_end(self, answer: Answer, event: Event) -> list[dict[str, Any]]:
        block = event["block"]
        return self._end_call(answer, block) if block in answer.calls else []

    def _finish(self, answer: Answer, event: Event) -> list[dict[str, Any]]:
        answer.finish = (self._writer.number, event)
        return []

    def _last(self, answer: Answer) -> dict[str, Any]:
        """Return the chunk that says why an answer ended."""
        frame = self._chunk(answer, {})
        choice = frame["choices"][0]
        if answer.finish is None:
            self._writer.log.filled(self._writer.path("reason"), "a whole answer has a reason")
            choice["finish_reason"] = "tool_calls" if answer.called else "stop"
            return frame
        number, finish = answer.finish
        scratch = LossLog()
        called, target = bool(answer.called), self._target(scratch)
        choice["finish_reason"] = finish_word(finish["reason"], finish.get("raw"), self._vendor, target, called=called)
        self._writer.relocated(scratch, number, _FINISH_PLACES)
        if "stop_sequence" in finish:
            if self._vendor.stop_words:
                choice["stop_reason"] = finish["stop_sequence"]
            else:
                self._writer.log.lost("finish_reason", f"/{number}/stop_sequence", "the stop word is not told")
        return frame

    def _encoded_usage(self, counts: Counts) -> dict[str, Any]:
        scratch = LossLog()
        out = encode_usage(counts.usage, self._vendor, self._target(scratch))  # type: ignore[arg-type]  # the members of usage, merged
        self._writer.relocated_usage(scratch, counts)
        return out

    _WRITERS: ClassVar[Mapping[str, Callable[..., list[dict[str, Any]]]]] = {
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
