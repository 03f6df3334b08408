"""Decode Gemini streams to canonical events.

Every chunk is a small response of `generateContent`; its parts go through the code for whole responses. Consecutive
pieces of text are one block; a signed text, a call, and any other part is a block of its own that begins and ends in
its chunk. Source: docs/wire/gemini.md, section 3.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.rooms._shared.finish_messages import first_text_at, refusal_events
from interlingua.rooms._shared.joining import NOTHING, First, Items, Last, Members, Numbered
from interlingua.rooms._shared.patch import unknown
from interlingua.rooms._shared.stream_notes import SILENT, first_content_event, noted, spelled, spelling, with_more
from interlingua.rooms._shared.stream_reader import FrameReader
from interlingua.rooms.gemini.decode_answer import REASONS, TEXTS, decode_reason, decode_usage, read_time
from interlingua.rooms.gemini.decode_part import decode_part, opaque_part
from interlingua.rooms.gemini.encode_part import SIGNATURE
from interlingua.rooms.gemini.grounding import METADATA, StreamedText
from interlingua.rooms.gemini.mapping import is_prompt_blocked
from interlingua.rooms.gemini.partial_arguments import PartialArguments, PartialCall, in_pieces
from interlingua.rooms.gemini.snake_case import CANDIDATE, PART, RESPONSE, USAGE, snake_case, with_camel_case
from interlingua.rooms.gemini.stream_encoder import StreamEncoder, last_call
from interlingua.rooms.gemini.stream_runs import WaitingCalls, is_whole_call
from interlingua.rooms.gemini.tables import BLOCK_WORDS, DATA, DIALECT, END_WORDS, STOP
from interlingua.spi.reading import OBJECT, TEXT, Malformed, Unmapped, expect

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interlingua.rooms._shared.joining import Table
    from interlingua.rooms._shared.stream_template import TextPieces
    from interlingua.rooms._shared.stream_writer import Event, Frame

# Members whose first value holds for the whole stream.
_HEAD: Final = ("responseId", "modelVersion", "createTime")
# A frame with one of these members is a chunk of a response.
_KNOWN: Final = frozenset({"candidates", "usageMetadata", "promptFeedback", *_HEAD})
_TEXTS: Final = frozenset({"reasoning", "content"})
_TEXT_MEMBERS: Final = frozenset({"text", "thought"})
_CONTENT_MEMBERS: Final = frozenset({"role", "parts"})
_UNWRITTEN: Final = frozenset({"block_end", "citation"})
_LOGPROBS: Final = "logprobsResult"


def _both(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table of known members that has the snake_case names, too."""
    both: dict[str, Any] = {}
    for name, known in table.items():
        both[name] = both[snake_case(name)] = _both(known) if type(known) is dict else known
    return both


# Known members of a chunk. Token counts are read with the usage, and the members of a part other than text with the
# part.
_MEMBERS: Final[Mapping[str, Any]] = MappingProxyType(_both({
    **dict.fromkeys(_HEAD, str),
    "usageMetadata": dict,
    "error": {"code": int, "status": str, "message": str},
    "candidates": {
        "finishReason": (int, str),
        "index": int,
        _LOGPROBS: None,
        "content": {"role": None, "parts": dict.fromkeys((*DATA, *PART.snake, "thought"))},
    },
}))  # fmt: skip


# Part members that a text event has no place for.
_NOT_OF_TEXTS: Final = frozenset(
    name
    for known in (*DATA, *PART.snake)
    if known not in {"text", "thought", SIGNATURE}
    for name in (known, snake_case(known))
)


def _is_call(part: Any) -> bool:
    """Return whether a part is a whole function call."""
    call: Any = part.get("functionCall", part.get("function_call")) if type(part) is dict else None
    return type(call) is dict and "name" in call and not in_pieces(call)


def _without_calls(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a chunk without its function calls: their events hold all that they say."""
    candidates: list[Any] = []
    for candidate in frame["candidates"]:
        content = candidate.get("content") if type(candidate) is dict else None
        parts = content.get("parts") if type(content) is dict else None
        left = [part for part in (parts if type(parts) is list else [parts]) if not _is_call(part)]
        candidates.append({**candidate, "content": {**content, "parts": left}} if type(content) is dict else candidate)
    return {**frame, "candidates": candidates}


class StreamDecoder(FrameReader[StreamEncoder]):
    """Decodes the chunks of a Gemini stream."""

    dialect = DIALECT
    KNOWN: ClassVar[Mapping[str, Any]] = _MEMBERS

    def __init__(self) -> None:
        super().__init__(StreamEncoder)
        self._started = False
        self._opened = 0
        self._open: dict[int, tuple[str, int]] = {}  # the open text of each answer: its kind and block
        self._partial: dict[int, PartialCall] = {}
        self._called: dict[int, int | None] = {}
        self._answering: set[int] = set()  # answers without a finish reason
        self._snake: set[str] = set()
        self._spoken: dict[int, StreamedText] = {}  # the text of each answer so far
        self._head: dict[str, Any] = {}  # the response members of the first chunk
        self._counted: dict[str, Any] = {}  # the usage so far, as it came
        self._end_words: dict[int, str] = {}  # the finish message of each answer
        self._odd_time = False  # whether the first chunk's time was invalid
        self._has_calls = False  # whether a part of the chunk is a whole call
        self._beside: list[str] = []  # the paths beside texts of the chunk that text events have no place for
        self._waiting: dict[int, WaitingCalls] = {}  # of each answer, the calls that Google may have run, abroad
        self._ends: dict[int, dict[str, Any]] = {}  # of each answer with such calls, the candidate that ended it
        self._usage: list[Event] = []  # what came with that candidate

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return what keeps the pieces of a text: citations may refer to it at the end."""
        if event["type"] == "content":
            return (self._spoken[event.get("alternative", 0)].pieces,)
        return () if event["type"] in _TEXTS else None

    def beyond(self, frame: dict[str, Any]) -> Sequence[str]:
        """Return the paths of chunk members that are unknown, or that differ from the first chunk's."""
        paths = [*unknown(_without_calls(frame) if self._has_calls else frame, self.known), *self._beside]
        if self._odd_time:
            self._odd_time = False
            paths.append("/createTime")
        for name, said in self._head.items():
            if frame.get(name, said) not in (None, said):
                paths.append(f"/{name}")
        return paths

    def read(self, frame: Any) -> list[Event]:
        """Return the events of a chunk; a frame that is no chunk is kept as it is. Raises `Malformed`."""
        self._beside, self._has_calls = [], False
        if type(frame) is str:
            return self.opaque(frame)
        if "error" in expect(frame, OBJECT) and "candidates" not in frame:
            return [*self._released(), *self.failed(frame, {"error": frame["error"]})]
        left = Unmapped()
        chunk = with_camel_case(frame, RESPONSE, left)
        if _KNOWN.isdisjoint(chunk):
            return self.opaque(frame)
        candidates = chunk.get("candidates")
        if candidates is not None:
            expect(candidates, (list,), "candidates")
        events = self._start(chunk) if not self._started else []
        events.extend(self._candidates(candidates or (), left))
        if not candidates and is_prompt_blocked(chunk):
            self.finished = True
            events += self._finish({"type": "finish", "reason": "content_filter"}, chunk, BLOCK_WORDS)
            self._without_candidates(events[-1])
        if type(chunk.get("usageMetadata")) is dict:
            counts = self._counts(chunk["usageMetadata"], left)
            self._usage = [counts] if self._ends else []  # behind the finish that is held back
            events += [] if self._ends else [counts]
        if not events and (not self._ends or self.beyond(frame)):
            events.append({"type": "state"} if candidates else self._without_candidates({"type": "state"}))
        return events if self.abroad else self.compared(self._grouped(events, left), [frame])

    def finish(self) -> list[Event]:
        """Return the events that end a stream: its last word is the finish reason of its answers."""
        ends = [event for which in list(self._partial) for event in self._end_partial_call(which)]
        ends.extend(self._released())
        ends.extend(event for which in list(self._open) for event in self._end_text(which))
        return [*ends, {"type": "end", "complete": self.finished and not self._answering}]

    def _without_candidates(self, event: Event) -> Event:
        return spelled(event, DIALECT, "candidates", "absent")

    def _grouped(self, events: list[Event], left: Unmapped) -> list[Event]:
        """Mark events as coming from one chunk, and note the names in snake_case that are new in it."""
        new = [name for name in dict.fromkeys(left.spelling.get("snake", ())) if name not in self._snake]
        first = next(at for at, event in enumerate(events) if event["type"] not in _UNWRITTEN)
        if new:
            self._snake.update(new)
            given = events[first].get("extra", {}).get(DIALECT, {}).get("spelling", {}).get("snake", [])
            spelled(events[first], DIALECT, "snake", [*given, *new])
        with_more([event for event in events[first:] if spelling(event, DIALECT).get("frame") != SILENT], DIALECT)
        return events

    def _start(self, chunk: dict[str, Any]) -> list[Event]:
        self._started = True
        self._head = {name: chunk.get(name) for name in _HEAD}
        event: Event = {"type": "start", "dialect": DIALECT}
        event |= {member: chunk[wire] for wire, member in TEXTS.items() if type(chunk.get(wire)) is str}
        if type(chunk.get("createTime")) is str:
            left = Unmapped()
            read_time(event, chunk["createTime"], left)
            self._odd_time = bool(left.fields)
            if left.typed:
                noted(event, DIALECT, "create_time", left.typed["create_time"])
        candidates = chunk.get("candidates")
        if candidates and type(candidates[0]) is dict and "index" not in candidates[0]:
            spelled(event, DIALECT, "absent", ["index"])
        return [event]

    def _counts(self, value: dict[str, Any], left: Unmapped) -> Event:
        """Return the usage so far: members that a chunk does not repeat keep their value."""
        self._counted = {**self._counted, **with_camel_case(value, USAGE, left)}
        return {"type": "usage", "usage": decode_usage(self._counted)}

    def _candidates(self, candidates: Any, left: Unmapped) -> list[Event]:
        events: list[Event] = []
        seen: set[int] = set()
        for position, wire in enumerate(candidates):
            candidate = with_camel_case(expect(wire, OBJECT, "candidates", position), CANDIDATE, left)
            answer = _answer_index(candidate, position)
            if answer in seen:
                raise Malformed(f"/candidates/{position}/index", "expected another index")
            seen.add(answer)
            try:
                said = self._candidate(answer, candidate, left)
            except Malformed as malformed:
                raise malformed.under("candidates", position) from None
            for event in said if answer else ():
                event["alternative"] = answer
            events += said
        return events

    def _candidate(self, answer: int, candidate: dict[str, Any], left: Unmapped) -> list[Event]:
        """Return the events of one candidate of a chunk."""
        self._answering.add(answer)
        events = self._said(answer, candidate["content"], left) if type(candidate.get("content")) is dict else []
        word = candidate.get("finishReason")
        ends = type(word) in REASONS
        if ends:
            self._answering.discard(answer)
            self.finished = True
            self._ends[answer] = candidate
            if word != STOP:  # the answer failed, or was refused: no result follows
                events.extend(self._told(answer))
        self._note_calls(answer, events)
        if METADATA in candidate and answer in self._spoken:
            # At home the chunk keeps them as they came.
            told = self._spoken[answer].citations(candidate[METADATA])
            events = self._with_citations(events, [spelled(event, DIALECT, "frame", SILENT) for event in told])
        if ends and not self._waiting.get(answer):
            events = self._with_end(answer, self._ends.pop(answer), events)
        if not events and self._waiting.get(answer) and not candidate.get(_LOGPROBS):
            return events
        # What is kept of the chunk stands on its last event.
        last = events[-1]["type"] if events else "citation"
        if last == "citation" or (last == "block_end" and all(event["type"] in _UNWRITTEN for event in events)):
            events = [*events, {"type": "state"}]
        if self.abroad and candidate.get(_LOGPROBS):
            noted(first_content_event(events), DIALECT, "logprobs", candidate[_LOGPROBS])
        return events

    def _note_calls(self, answer: int, events: list[Event]) -> None:
        """Note whether an answer ends with a call after these events: the finish reason depends on it."""
        called = self._called.get(answer)
        for event in events:
            called = last_call(event, called)
        if events:
            self._called[answer] = called

    def _with_end(self, answer: int, candidate: dict[str, Any], events: list[Event]) -> list[Event]:
        """Return the events with those that end an answer; `candidate` has the finish reason."""
        if self.abroad and answer in self._spoken:
            events = self._with_citations(events, self._spoken[answer].unread_supports())
        events.extend(self._end_partial_call(answer))
        events.extend(self._end_text(answer))
        has_call = self._called.get(answer) is not None
        finish = {"type": "finish", **decode_reason(candidate["finishReason"], "reason", "raw", called=has_call)}
        events.extend(self._finish(finish, candidate, END_WORDS))
        if self.abroad and "finishMessage" in candidate:
            self._end_words[answer] = first_text_at(candidate, END_WORDS)
        return events

    def _released(self) -> list[Event]:
        """Return all that is held back, at the end of a stream or before its error: nothing else can follow it."""
        events = [event for which in self._waiting for event in self._rest(which)]
        events += self._usage
        self._usage = []
        return events

    def _rest(self, answer: int) -> list[Event]:
        """Return what is held back of an answer: calls that Google did not run, and the finish after them."""
        events = self._told(answer)
        self._note_calls(answer, events)
        candidate = self._ends.pop(answer, None)
        if candidate is not None:
            events = [_of_answer(event, answer) for event in self._with_end(answer, candidate, events)]
        return events

    def _said(self, answer: int, content: dict[str, Any], left: Unmapped) -> list[Event]:
        """Return the events of the parts of a chunk."""
        events: list[Event] = []
        for at, part in enumerate(_parts(content)):
            try:
                said = self._part(answer, part, left)
            except Malformed as malformed:
                raise malformed.under("content", "parts", at) from None
            if self.abroad and (answer in self._waiting or is_whole_call(said)):
                if answer not in self._waiting:
                    self._waiting[answer] = WaitingCalls()
                said = self._waiting[answer].take(part, said)
            events.extend(said)
        return events

    def _told(self, answer: int) -> list[Event]:
        """Return the events of the calls of an answer that wait."""
        return [_of_answer(event, answer) for event in self._waiting[answer].told()] if answer in self._waiting else []

    def end_words(self, finish: Event) -> str:
        """Return the finish message of the answer that an event ends."""
        return self._end_words.get(finish.get("alternative", 0), "")

    def _finish(self, event: Event, holder: dict[str, Any], ways: Sequence[Sequence[str]]) -> list[Event]:
        """Return the finish event, abroad preceded by the refusal text that explains a block."""
        said = refusal_events(event, holder, self._opened, ways) if self.abroad else []
        self._opened += bool(said)
        return [*said, event]

    def _with_citations(self, events: list[Event], told: list[Event]) -> list[Event]:
        """Return the events of a chunk with its citations; abroad they come before the end of their text."""
        if not self.abroad or not told:
            return [*events, *told]
        blocks = {event["block"] for event in told}
        ends = (at for at, event in enumerate(events) if event["type"] == "block_end" and event["block"] in blocks)
        first = next(ends, len(events))
        return [*events[:first], *told, *events[first:]]

    def _part(self, answer: int, wire: Any, left: Unmapped) -> list[Event]:
        """Return the events of a part."""
        part = with_camel_case(expect(wire, OBJECT), PART, left)
        if len(wire) > 1 and type(wire.get("text")) is str and not _NOT_OF_TEXTS.isdisjoint(wire):
            self._beside += [f"/candidates/content/parts/{name}" for name in wire if name in _NOT_OF_TEXTS]
        call = part.get("functionCall")
        if type(call) is dict:
            self._has_calls = self._has_calls or _is_call(wire)
            call = with_camel_case(call, PART.inside["functionCall"], left)
            if answer in self._partial or in_pieces(call):
                return self._partial_call(answer, part, call, left)
        _, kind, value, signature = decode_part(wire, "assistant")
        if kind in _TEXTS and value["type"] == "text":
            return self._text(answer, kind, value["text"], signature)
        if kind == "tool_calls":
            return self._single_block(answer, {"type": "tool_call_start", "block": self._opened, **value}, signature)
        if kind == "content":
            return self._single_block(answer, {"type": "part", "block": self._opened, "part": value}, signature)
        # A thought that is not text, or a function response: streams have no event for them.
        return self._single_block(answer, {"type": "part", "block": self._opened, "part": opaque_part(wire)}, None)

    def _single_block(self, answer: int, begins: Event, signature: str | None) -> list[Event]:
        """Return the events of a block that begins and ends in its chunk."""
        block = begins["block"]
        self._opened += 1
        events = [*self._end_text(answer), begins]
        if signature is not None:
            events.append(noted({"type": "state", "block": block}, DIALECT, "signature", signature))
        return [*events, {"type": "block_end", "block": block}]

    def _text(self, answer: int, kind: str, text: str, signature: str | None) -> list[Event]:
        """Return the events of a text or thought: an empty text opens no block, a signed one is a block of its own."""
        opened = self._open.get(answer, ("", -1))
        if kind == "content" and text:
            block = opened[1] if opened[0] == kind and signature is None else self._opened
            self._spoken.setdefault(answer, StreamedText(block)).add(text, block)
        if signature is not None:
            return self._single_block(answer, {"type": kind, "block": self._opened, "text": text}, signature)
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
        """Return the end of the open text."""
        if answer not in self._open:
            return []
        return [_of_answer({"type": "block_end", "block": self._open.pop(answer)[1]}, answer)]

    def _partial_call(self, answer: int, part: dict[str, Any], call: dict[str, Any], left: Unmapped) -> list[Event]:
        """Return the events of a partial call. Its arguments are sent as one text, once they are complete."""
        partial = self._partial.get(answer)
        fields = {name: value for name, value in part.items() if name not in {"functionCall", "thoughtSignature"}}
        events: list[Event] = []
        if partial is not None and call.get("name") in (None, partial.name):
            begins = False
        else:
            events.extend(self._end_partial_call(answer))
            if not in_pieces(call):
                return [*events, *self._part(answer, part, left)]
            events.extend(self._end_text(answer))
            begins = True
            name = expect(call.get("name"), TEXT, "functionCall", "name")
            partial = self._partial[answer] = PartialCall(self._opened, name)
            self._opened += 1
        block = partial.block
        partial.add(call)
        ends = call.get("willContinue") is not True
        event: Event
        if begins:
            said = {name: call[name] for name in ("id", "name") if type(call.get(name)) is str}
            event = {"type": "tool_call_start", "block": block, **said}
            call = {name: value for name, value in call.items() if name not in said}
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
            return [*events, *self._end_partial_call(answer)]
        if ends:
            del self._partial[answer]
            events.append({"type": "block_end", "block": block})
        return events

    def _end_partial_call(self, answer: int) -> list[Event]:
        """Return the arguments so far, and the end, of a partial call whose last piece was empty or is missing."""
        if answer not in self._partial:
            return []
        partial = self._partial.pop(answer)
        event: Event = {"type": "tool_call_delta", "block": partial.block, "arguments": partial.text()}
        silent = spelled(event, DIALECT, "frame", SILENT)
        return [_of_answer(silent, answer), _of_answer({"type": "block_end", "block": partial.block}, answer)]


decode_stream: Final = StreamDecoder


def _parts(content: dict[str, Any]) -> list[Any]:
    """Return the parts of a content; a single one may come without a list."""
    parts: Any = content.get("parts")
    if parts is None:
        return []
    return [parts] if type(parts) is dict else list(expect(parts, (list,), "content", "parts"))


def _of_answer(event: Event, answer: int) -> Event:
    """Mark an event as belonging to an alternative, unless it is of the first answer."""
    if answer:
        event["alternative"] = answer
    return event


def _answer_index(candidate: dict[str, Any], position: int) -> int:
    """Return the number of a candidate's answer: its index, else its position."""
    index = candidate.get("index")
    return index if type(index) is int and index >= 0 else position


def assemble_stream(frames: Iterable[Frame]) -> dict[str, Any]:
    """Return the one answer of `generateContent` that chunks make; what is no chunk of an answer is passed over.

    Parts stand in their order; texts of one kind that follow each other are one part, but what is signed stays a part
    of its own, and an empty text without a signature is none where anything else is said. All else is as last said, and
    the counts cumulate.
    """
    answers = Numbered(_Answer, _answer_index)
    body = Members({**_BODY, "candidates": lambda: answers})
    for frame in frames:
        if type(frame) is dict and ("error" not in frame or "candidates" in frame):
            chunk = with_camel_case(frame, RESPONSE, Unmapped())
            usage = chunk.get("usageMetadata")
            body.take(
                {**chunk, "usageMetadata": with_camel_case(usage, USAGE, Unmapped())} if type(usage) is dict else chunk
            )
    out = body.made()
    out.pop("candidates", None)  # each says its number
    if out.get("usageMetadata") == {}:
        del out["usageMetadata"]
    if answers.grown:
        out["candidates"] = [answer.made() for _, answer in sorted(answers.grown.items())]
    elif "promptFeedback" not in out:
        out["candidates"] = []
    return out


class _Answer:
    """One growing candidate."""

    def __init__(self) -> None:
        self._members = Members({"content": _Content, _LOGPROBS: lambda: Members({}, Items)})

    def take(self, candidate: dict[str, Any]) -> bool:
        """Take the candidate of a chunk."""
        return self._members.take(with_camel_case(candidate, CANDIDATE, Unmapped()))

    def made(self) -> dict[str, Any]:
        """Return the whole candidate."""
        return self._members.made()


class _Content:
    """The growing content of a candidate; texts are joined once, so that long ones stay linear."""

    def __init__(self) -> None:
        self._members: dict[str, Any] = {}
        self._parts: list[dict[str, Any]] = []
        self._texts: list[str] = []  # the pieces of the last part, if it is an open text
        self._partial: PartialArguments | None = None
        self._silence: list[dict[str, Any]] = []  # an empty text

    def take(self, content: Any) -> bool:
        """Take the content of a chunk."""
        if type(content) is dict:
            self._members |= content
            parts = content.get("parts")
            for part in parts if type(parts) is list else [parts]:
                if type(part) is dict:
                    self._take(with_camel_case(part, PART, Unmapped()))
        return True

    def made(self) -> Any:
        """Return the whole content; `NOTHING` if it has neither parts nor members besides its role."""
        self._close()
        self._parts = self._parts or self._silence
        if not self._parts and self._members.keys() <= _CONTENT_MEMBERS:
            return NOTHING
        return {**self._members, "parts": self._parts}

    def _take(self, part: dict[str, Any]) -> None:
        text, call = part.get("text"), part.get("functionCall")
        if type(text) is str and part.keys() <= _TEXT_MEMBERS:
            if not text:
                self._silence = [part]
                return
            if not self._texts or (self._parts[-1].get("thought") is True) != (part.get("thought") is True):
                self._close()
                self._parts.append(part)
            self._texts.append(text)
        elif type(call) is dict and (self._goes_on(call) or in_pieces(call)):
            self._take_piece(part, call)
        else:
            self._close()
            self._parts.append(part)

    def _goes_on(self, call: dict[str, Any]) -> bool:
        return self._partial is not None and call.get("name") in (None, self._parts[-1]["functionCall"].get("name"))

    def _take_piece(self, part: dict[str, Any], call: dict[str, Any]) -> None:
        """Take a partial call: the whole call stands where its first piece stood, with what the others add."""
        call = with_camel_case(call, PART.inside["functionCall"], Unmapped())
        if self._partial is None or not self._goes_on(call):
            self._close()
            self._parts.append({})
            self._partial = PartialArguments()
        self._partial.add(call)
        whole = self._parts[-1]
        said = {name: value for name, value in call.items() if name not in {"args", "partialArgs", "willContinue"}}
        self._parts[-1] = {**whole, **part, "functionCall": {**whole.get("functionCall", {}), **said}}
        if call.get("willContinue") is not True:
            self._close()

    def _close(self) -> None:
        """Close the last part if it is open."""
        if self._texts:
            self._parts[-1] = {**self._parts[-1], "text": "".join(self._texts)}
            self._texts = []
        elif self._partial is not None:
            self._parts[-1]["functionCall"]["args"] = self._partial.value()
            self._partial = None


# How the members of chunks are joined.
_BODY: Final[Table] = MappingProxyType({**dict.fromkeys(_HEAD, First), "usageMetadata": lambda: Members({}, Last)})
