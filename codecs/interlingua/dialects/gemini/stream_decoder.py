"""Gemini to canonical: streams.

Every chunk is a small answer of `generateContent`; its parts go through the code of whole answers. A text that goes on
is one block; what is signed, a call, and any other part is a block of its own that begins and ends in its chunk.
Source: reference/wire/gemini.md section 3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import Leftovers, own_bag
from interlingua.dialects._shared.reading import OBJECT, TEXT, Malformed, expect
from interlingua.dialects._shared.stream import MORE, SILENT, noted, spelled, spelling, with_more
from interlingua.dialects.gemini.decode_answer import read_time
from interlingua.dialects.gemini.decode_message import Made, decode_part
from interlingua.dialects.gemini.decode_part import opaque
from interlingua.dialects.gemini.finish import blocked, reason_of
from interlingua.dialects.gemini.snake import CANDIDATE, PART, RESPONSE, USAGE, camel
from interlingua.dialects.gemini.stream_assembly import which
from interlingua.dialects.gemini.stream_encoder import last_call
from interlingua.dialects.gemini.stream_partial import PartialCall, in_pieces
from interlingua.dialects.gemini.stream_usual import LABELS, UsualReader
from interlingua.dialects.gemini.tables import DIALECT, FINISH_WORDS, MODEL

if TYPE_CHECKING:
    from interlingua.dialects._shared.stream import Event

_HEAD: Final = frozenset({"responseId", "modelVersion", "createTime"})
# What has one of these is an answer.
_KNOWN: Final = frozenset({"candidates", "usageMetadata", "promptFeedback"}) | _HEAD
_KINDS: Final = ("reasoning", "content", "tool_calls")
_TEXTS: Final = frozenset({"reasoning", "content"})
# The members of a piece of a call that neither begins nor ends it.
_PIECE: Final = frozenset({"partialArgs", "willContinue"})


def decode_stream() -> StreamDecoder:
    """Return a reader of one stream of Gemini's."""
    return StreamDecoder()


class StreamDecoder(UsualReader):
    """Reads the chunks of a stream of Gemini's."""

    def read(self, frame: Any) -> list[Event]:
        """Return the events of a chunk; what is no answer is kept as it is. Raises `Malformed`."""
        if type(frame) is str:
            return self.opaque(frame)
        if type(frame) is dict:
            usual = self._plain(frame)
            if usual is None:
                usual = self._usual(frame)
            if usual is not None:
                return usual
        if "error" in expect(frame, OBJECT) and "candidates" not in frame:
            return self._error(frame)
        left = Leftovers()
        chunk = camel(frame, RESPONSE, left)
        if _KNOWN.isdisjoint(chunk):
            return self.opaque(frame)
        candidates = chunk.get("candidates")
        if candidates is not None:
            expect(candidates, (list,), "candidates")
        events = self._start(chunk) if not self._started else []
        events.extend(self._candidates(candidates or (), left))
        if not candidates and blocked(chunk):
            self.finished = True
            events.append(self._unanswered({"type": "finish", "reason": "content_filter"}))
        if type(chunk.get("usageMetadata")) is dict:
            events.append(self._counts(chunk["usageMetadata"], left))
        if not any(event["type"] != "block_end" for event in events):
            events.append(self._unanswered({"type": "state"}))
        events = self.compared(self._grouped(events, left), [frame])
        self._learn(frame, events)
        return events

    def _learn(self, frame: dict[str, Any], events: list[Event]) -> None:
        """Take note of what a plain chunk is like from now on: it holds what would be written for it."""
        patch: dict[str, Any] = own_bag(events[-1], DIALECT).get("frame", {})
        if "usageMetadata" in frame:
            self._usage.exact = not any("usageMetadata" in member for member in patch.values())
        self._know_head()

    def _plain(self, frame: dict[str, Any]) -> list[Event] | None:
        """Return the events of a chunk that says a piece of a text or of a call, which nearly all do."""
        if not self._members or self._snake:
            return None
        counted = frame.keys() == self._counted
        if not counted and frame.keys() != self._members:
            return None
        for name, value in self._head.items():
            if frame[name] != value:
                return None
        part = _only_part(frame["candidates"], self._candidate_members)
        if part is None:
            return None
        text = part.get("text")
        event = self._plain_text(part, text) if text else self._plain_piece(part)
        if event is None:
            return None
        if counted:
            usage = self._usage.plain(frame["usageMetadata"])
            if usage is None:
                return None
            event.setdefault("extra", {DIALECT: {}})[DIALECT]["spelling"] = {"frame": MORE}
            events = [event, {"type": "usage", "usage": usage}]
        else:
            events = [event]
        if text:
            self._called[0] = None
            self._writer.said()
        else:
            self._partial[0].arguments.add(part["functionCall"])
        return events

    def _plain_text(self, part: dict[str, Any], text: Any) -> Event | None:
        opened = self._open.get(0)
        if opened is None or type(text) is not str:
            return None
        if opened[0] == "reasoning":
            if len(part) != 2 or part.get("thought") is not True:
                return None
        elif len(part) != 1:
            return None
        return {"type": opened[0], "block": opened[1], "text": text}

    def _plain_piece(self, part: dict[str, Any]) -> Event | None:
        """Return the event of a piece of a call that neither begins nor ends it."""
        call = part.get("functionCall")
        if 0 not in self._partial or len(part) != 1 or type(call) is not dict or call.keys() != _PIECE:
            return None
        if call["willContinue"] is not True:
            return None
        return {"type": "state", "block": self._partial[0].block, "extra": {DIALECT: {"fields": part}}}

    def finish(self) -> list[Event]:
        """Return the events that end a stream; its last word is why the answers ended."""
        ends = [event for which in list(self._partial) for event in self._abandoned(which)]
        ends.extend(event for which in list(self._open) for event in self._end_text(which))
        return [*ends, {"type": "end", "complete": self.finished and not self._answering}]

    def _unanswered(self, event: Event) -> Event:
        return spelled(event, DIALECT, "candidates", "absent")

    def _grouped(self, events: list[Event], left: Leftovers) -> list[Event]:
        """Say of events that they came in one chunk, and which new names of it came in snake_case."""
        for event in events:
            alternative = event.get("alternative", 0)
            self._called[alternative] = last_call(event, self._called.get(alternative))
        new = [name for name in dict.fromkeys(left.spelling.get("snake", ())) if name not in self._snake]
        first = next(at for at, event in enumerate(events) if event["type"] != "block_end")
        if new:
            self._snake.update(new)
            given = events[first].get("extra", {}).get(DIALECT, {}).get("spelling", {}).get("snake", [])
            spelled(events[first], DIALECT, "snake", [*given, *new])
        with_more([event for event in events[first:] if spelling(event, DIALECT).get("frame") != SILENT], DIALECT)
        return events

    def _start(self, chunk: dict[str, Any]) -> list[Event]:
        self._started = True
        event: Event = {"type": "start", "dialect": DIALECT}
        for wire, member in LABELS:
            if type(chunk.get(wire)) is str:
                event[member] = chunk[wire]
        if type(chunk.get("createTime")) is str:
            left = Leftovers()
            read_time(event, chunk["createTime"], left)
            if left.typed:
                noted(event, DIALECT, "create_time", left.typed["create_time"])
        candidates = chunk.get("candidates")
        if candidates and type(candidates[0]) is dict and "index" not in candidates[0]:
            spelled(event, DIALECT, "absent", ["index"])
        return [event]

    def _counts(self, value: dict[str, Any], left: Leftovers) -> Event:
        """Return the usage so far: a member that a chunk does not repeat holds on."""
        return {"type": "usage", "usage": self._usage.read(camel(value, USAGE, left))}

    def _candidates(self, candidates: Any, left: Leftovers) -> list[Event]:
        events: list[Event] = []
        seen: set[int] = set()
        for position, wire in enumerate(candidates):
            candidate = camel(expect(wire, OBJECT, "candidates", position), CANDIDATE, left)
            answer = which(candidate, position)
            if answer in seen:
                raise Malformed(f"/candidates/{position}/index", "expected another index")
            seen.add(answer)
            try:
                said = self._candidate(answer, candidate, left)
            except Malformed as malformed:
                raise malformed.under("candidates", position) from None
            events.extend(_of(event, answer) for event in said)
        return events

    def _candidate(self, answer: int, candidate: dict[str, Any], left: Leftovers) -> list[Event]:
        """Return the events of what a chunk says of an answer."""
        events: list[Event] = []
        self._answering.add(answer)
        if type(candidate.get("content")) is dict:
            for at, part in enumerate(_parts(candidate["content"])):
                try:
                    events.extend(self._part(answer, part, left))
                except Malformed as malformed:
                    raise malformed.under("content", "parts", at) from None
        word = candidate.get("finishReason")
        if type(word) is str or type(word) is int:
            events.extend(self._abandoned(answer))
            events.extend(self._end_text(answer))
            called = self._called.get(answer)
            for before in events:
                called = last_call(before, called)
            reason = reason_of(word, [] if called is None else [{"tool_calls": [True]}])
            event: Event = {"type": "finish", "reason": reason}
            if FINISH_WORDS[reason][0] != word:
                event["raw"] = word
            events.append(event)
            self._answering.discard(answer)
            self.finished = True
        if not any(event["type"] != "block_end" for event in events):
            events.append({"type": "state"})
        return events

    def _part(self, answer: int, wire: Any, left: Leftovers) -> list[Event]:
        """Return the events of a part."""
        part = camel(expect(wire, OBJECT), PART, left)
        call = part.get("functionCall")
        if type(call) is dict:
            call = camel(call, PART.inside["functionCall"], left)
            if answer in self._partial or in_pieces(call):
                return self._piece(answer, part, call, left)
        made = Made()
        decode_part(wire, "assistant", made)
        message, signatures = made.messages[0], made.signatures[0]
        kind = next((name for name in _KINDS if name in message), "") if message["role"] == "assistant" else ""
        value = message[kind][0] if kind else {}
        signature = signatures[0][2] if signatures else None
        if kind in _TEXTS and value["type"] == "text":
            return self._text(answer, kind, value["text"], signature)
        if kind == "tool_calls":
            return self._alone(answer, {"type": "tool_call_start", "block": self._opened, **value}, signature)
        if kind == "content":
            return self._alone(answer, {"type": "part", "block": self._opened, "part": value}, signature)
        # A thought that is no text, and the result of a call: the stream has no event for them.
        return self._alone(answer, {"type": "part", "block": self._opened, "part": opaque(wire)}, None)

    def _alone(self, answer: int, begins: Event, signature: str | None) -> list[Event]:
        """Return the events of a block that begins and ends in its chunk."""
        block = begins["block"]
        self._opened += 1
        events = [*self._end_text(answer), begins]
        if signature is not None:
            events.append(noted({"type": "state", "block": block}, DIALECT, "signature", signature))
        return [*events, {"type": "block_end", "block": block}]

    def _text(self, answer: int, kind: str, text: str, signature: str | None) -> list[Event]:
        """Return the events of a text or a thought: an empty text opens no block, and a signed one stays alone."""
        opened = self._open.get(answer, ("", -1))
        if signature is not None:
            return self._alone(answer, {"type": kind, "block": self._opened, "text": text}, signature)
        if opened[0] == kind:
            return [{"type": kind, "block": opened[1], "text": text}]
        block = self._opened
        self._opened += 1
        if not text and kind == "content":
            return [{"type": "state", "block": block}]
        ended = self._end_text(answer)
        self._open[answer] = (kind, block)
        return [*ended, {"type": kind, "block": block, "text": text}]

    def _end_text(self, answer: int) -> list[Event]:
        """Return the end of the text that is open."""
        if answer not in self._open:
            return []
        return [_of({"type": "block_end", "block": self._open.pop(answer)[1]}, answer)]

    def _piece(self, answer: int, part: dict[str, Any], call: dict[str, Any], left: Leftovers) -> list[Event]:
        """Return the events of a piece of a call. Its arguments are told as one text, once they are whole."""
        partial = self._partial.get(answer)
        fields = {name: value for name, value in part.items() if name not in {"functionCall", "thoughtSignature"}}
        events: list[Event] = []
        if partial is not None and call.get("name") in (None, partial.name):
            begins = False
        else:
            events.extend(self._abandoned(answer))
            if not in_pieces(call):
                return [*events, *self._part(answer, part, left)]
            events.extend(self._end_text(answer))
            begins = True
            name = expect(call.get("name"), TEXT, "functionCall", "name")
            partial = self._partial[answer] = PartialCall(self._opened, name)
            self._opened += 1
        block = partial.block
        partial.arguments.add(call)
        ends = call.get("willContinue") is not True
        event: Event
        if begins:
            event = {"type": "tool_call_start", "block": block}
            for name in ("id", "name"):
                if type(call.get(name)) is str:
                    event[name] = call[name]
            call = {name: value for name, value in call.items() if name not in {"id", "name"} or name not in event}
        elif ends:
            event = {"type": "tool_call_delta", "block": block, "arguments": partial.text()}
        else:
            event = {"type": "state", "block": block}
        if call or fields:
            noted(event, DIALECT, "fields", {"functionCall": call, **fields})
        events.append(event)
        signature = part.get("thoughtSignature")
        if type(signature) is str:
            events.append(noted({"type": "state", "block": block}, DIALECT, "signature", signature))
        if ends and begins:
            return [*events, *self._abandoned(answer)]
        if ends:
            del self._partial[answer]
            events.append({"type": "block_end", "block": block})
        return events

    def _abandoned(self, answer: int) -> list[Event]:
        """Return the arguments so far of a call whose last piece says no more, or did not come, and its end."""
        if answer not in self._partial:
            return []
        partial = self._partial.pop(answer)
        event: Event = {"type": "tool_call_delta", "block": partial.block, "arguments": partial.text()}
        silent = spelled(event, DIALECT, "frame", SILENT)
        return [_of(silent, answer), _of({"type": "block_end", "block": partial.block}, answer)]

    def _error(self, frame: dict[str, Any]) -> list[Event]:
        error = frame["error"]
        event: Event = {"type": "error"}
        if type(error) is dict:
            for name, member in (("status", "code"), ("message", "message")):
                if type(error.get(name)) is str:
                    event[member] = error[name]
        return self.compared([event], [frame])


def _only_part(candidates: Any, members: frozenset[str]) -> dict[str, Any] | None:
    """Return the one part of the first answer, where the candidate holds nothing but it."""
    if type(candidates) is not list or len(candidates) != 1:
        return None
    candidate = candidates[0]
    if type(candidate) is not dict or candidate.keys() != members:
        return None
    index = candidate.get("index", 0)
    content = candidate["content"]
    if type(index) is not int or index or type(content) is not dict or len(content) != 2:
        return None
    parts = content.get("parts")
    if content.get("role") != MODEL or type(parts) is not list or len(parts) != 1 or type(parts[0]) is not dict:
        return None
    return parts[0]


def _parts(content: dict[str, Any]) -> list[Any]:
    """Return the parts of a content; one may stand without a list."""
    parts: Any = content.get("parts")
    if parts is None:
        return []
    return [parts] if type(parts) is dict else list(expect(parts, (list,), "content", "parts"))


def _of(event: Event, answer: int) -> Event:
    """Say which answer an event belongs to, where it is not the first."""
    if answer:
        event["alternative"] = answer
    return event
