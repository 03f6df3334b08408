"""Events of other dialects as chunks of Gemini's: texts and thoughts as they come, calls once they are whole.

Why the answers ended and what they cost are held for the last chunk, since other dialects say them in any order.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.dialects._shared.paragraphs import Paragraphs
from interlingua.dialects._shared.stream import Counts, call_of
from interlingua.dialects._shared.target import Target
from interlingua.dialects._shared.whole_calls import WholeCalls
from interlingua.dialects.gemini.encode_answer import encode_usage, finish_word, write_time
from interlingua.dialects.gemini.encode_call import encode_call
from interlingua.dialects.gemini.encode_part import UNMARKED, encode_part
from interlingua.dialects.gemini.tables import DIALECT, MODEL
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.stream import Event, Frame, FrameWriter
    from interlingua.model_shapes import Usage

# Where members of a response stand in events.
CALL_PLACE: Final = "/messages/0/tool_calls/0"
PART_PLACES: Final[Mapping[str, str]] = MappingProxyType({"/part": "/part"})
FINISH_PLACES: Final[Mapping[str, str]] = MappingProxyType({"/finish_reason_raw": "/raw", "/finish_reason": "/reason"})
_START_PLACES: Final[Mapping[str, str]] = MappingProxyType({"/created": "/created"})
_STOPPED: Final[Mapping[str, Any]] = MappingProxyType({"type": "finish", "reason": "stop"})


class AbroadWriter:
    """Writes events of other dialects; `outer` knows the number of the event and the log."""

    def __init__(self, outer: FrameWriter) -> None:
        self._outer = outer
        self._started = False
        self._head: dict[str, Any] = {}
        self._answers: dict[int, _Answer] = {}
        self._calls = WholeCalls(outer.stray)
        self._usage = Counts(0, {})

    def write(self, event: Event) -> list[Frame]:
        """Return the chunks of an event."""
        kind = event["type"]
        if kind == "start":
            self._start(event)
            return []
        if kind == "usage":
            self._usage.add(self._outer.number, event["usage"])
            return []
        if kind == "end":
            return self._end(event)
        answer = self._answer(event.get("alternative", 0))
        if kind == "finish":
            answer.finish = (self._outer.number, event)
            return []
        return self._chunks(answer, self._parts(answer, event))

    def _answer(self, which: int) -> _Answer:
        if which not in self._answers:
            self._answers[which] = _Answer(which)
        return self._answers[which]

    def _start(self, event: Event) -> None:
        outer = self._outer
        if self._started:
            outer.restarted()
        self._started = True
        self._head = {}
        if "model" in event:
            self._head["modelVersion"] = event["model"]
        if "created" in event:
            scratch = LossLog()
            write_time(self._head, event["created"], {}, scratch)
            outer.relocated(scratch, outer.number, _START_PLACES)
        if "id" in event:
            self._head["responseId"] = event["id"]
        self._usage = Counts(outer.number, event.get("usage", {}))
        for answer in self._answers.values():
            answer.finish = None

    def _chunks(self, answer: _Answer, parts: list[dict[str, Any]]) -> list[Frame]:
        return [
            {"candidates": [{"content": {"parts": [part], "role": MODEL}, "index": answer.which}], **self._head}
            for part in parts
        ]

    def _parts(self, answer: _Answer, event: Event) -> list[dict[str, Any]]:
        """Return the parts that an event of a block makes, one at most but for a document of parts."""
        kind, outer = event["type"], self._outer
        if kind in {"content", "reasoning"}:
            answer.paragraphs.begin(event)
            return [answer.say(kind, event, event["text"])] if event["text"] else []
        if kind == "refusal":
            answer.paragraphs.begin(event)
            if event["text"]:
                outer.log.lost("refusal", outer.path("text"), "a refusal has no text here")
        elif kind == "part":
            return self._part(answer, event)
        elif kind == "citation":
            detail = "sources stand beside an answer, and only in Gemini's own"
            outer.log.lost("citation", outer.path("citation"), detail)
        elif kind != "state":
            whole = self._calls.feed(outer.number, event)
            return [] if whole is None else [self._call(answer, *whole)]
        return []

    def _target(self, log: LossLog) -> Target:
        return Target(DIALECT, home=False, answer=True, log=log)

    def _call(self, answer: _Answer, number: int, event: Event) -> dict[str, Any]:
        answer.paragraphs.begin(event)
        answer.said = "tool_call_start"
        call: Any = call_of(event, DIALECT)
        scratch = LossLog()
        part = encode_call(call, 0, 0, self._target(scratch), None)
        self._outer.relocated_call(scratch, number, self._calls.told(event, number), CALL_PLACE)
        return part

    def _part(self, answer: _Answer, event: Event) -> list[dict[str, Any]]:
        scratch = LossLog()
        parts = encode_part(event["part"], "/part", "assistant", self._target(scratch), UNMARKED)
        self._outer.relocated(scratch, self._outer.number, PART_PLACES)
        if len(parts) == 1 and parts[0].keys() == {"text"}:
            return [answer.say("content", event, parts[0]["text"])]
        answer.paragraphs.begin(event)
        if parts:
            answer.said = "part"
        return parts

    def _end(self, event: Event) -> list[Frame]:
        """Return what has been waiting, and the chunk that says why the answers ended and what they cost."""
        number = self._outer.number
        frames: list[Frame] = []
        if not self._answers and event["complete"]:
            self._answer(0)
        for begun, call in self._calls.close():
            answer = self._answer(call.get("alternative", 0))
            frames.extend(self._chunks(answer, [self._call(answer, begun, call)]))
        last: dict[str, Any] = {}
        if event["complete"]:
            last["candidates"] = [self._finished(answer) for _, answer in sorted(self._answers.items())]
        else:
            for answer in self._answers.values():
                self._outer.cut(answer.finish, None)
        if self._usage.usage:
            scratch = LossLog()
            last["usageMetadata"] = encode_usage(cast("Usage", self._usage.usage), self._target(scratch))
            self._outer.relocated_usage(scratch, self._usage)
        self._answers, self._usage = {}, Counts(number, {})
        return [*frames, {**last, **self._head}] if last else frames

    def _finished(self, answer: _Answer) -> dict[str, Any]:
        """Return the candidate that says why an answer ended."""
        log = self._outer.log
        if answer.finish is None:
            log.filled(self._outer.path("reason"), "a whole answer has a reason")
            answer.finish = (self._outer.number, _STOPPED)
        number, finish = answer.finish
        said: Any = {"messages": [{"tool_calls": [True]}] if answer.said == "tool_call_start" else []}
        if "raw" in finish:
            said["finish_reason_raw"] = finish["raw"]
        scratch = LossLog()
        word = finish_word(finish["reason"], said, self._target(scratch))
        self._outer.relocated(scratch, number, FINISH_PLACES)
        if "stop_sequence" in finish:
            log.lost("finish_reason", f"/{number}/stop_sequence", "the stop word is not told")
        return {"finishReason": word, "index": answer.which}


class _Answer:
    """One answer, and what has been said last."""

    def __init__(self, which: int) -> None:
        self.which = which
        self.finish: tuple[int, Mapping[str, Any]] | None = None
        self.said = ""  # the kind of the last part
        self.paragraphs = Paragraphs()

    def say(self, kind: str, event: Mapping[str, Any], text: str) -> dict[str, Any]:
        """Return the part of a text: texts of two messages, and two thoughts, have a blank line between them."""
        gap = self.paragraphs.gap(event, kind)
        if kind == self.said:
            text = gap + text
        self.said = kind
        return {"text": text, "thought": True} if kind == "reasoning" else {"text": text}
