"""Chat Completions to canonical: the choices of chunks as events, with the blocks of each answer.

Consecutive texts of one kind are one block; all blocks end with the finish reason.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.errors import EncodeError
from interlingua.rooms._chat_completions.decode_answer import decode_finish_reason
from interlingua.rooms._chat_completions.decode_part import (
    decode_citations,
    decode_part,
    decode_pictures,
    decode_spoken_answer,
)
from interlingua.rooms._chat_completions.reasoning_details import CARRIER, GEMINI
from interlingua.rooms._chat_completions.search_sources import StreamedSources
from interlingua.rooms._chat_completions.stream_calls import BLANK, Call, Calls, Fragment, read_fragment
from interlingua.rooms._chat_completions.stream_chunk import Answer
from interlingua.rooms._chat_completions.stream_places import (
    LIST,
    REASONING,
    STRING,
    content_member,
    content_repeats,
    reasoning_in,
)
from interlingua.rooms._chat_completions.stream_state_events import (
    block_event,
    blocks_of,
    detail_event,
    is_signed,
    signature_beside,
    signed_details,
    state_event,
)
from interlingua.rooms._chat_completions.thinking_parts import read_thinking_part
from interlingua.rooms._chat_completions.vendor_extensions import (
    BLOCKS,
    DETAILS,
    OPAQUE_STATE,
    REASONING_MEMBERS,
    UNSPELLED,
)
from interlingua.rooms._shared.joining import Members, Text
from interlingua.rooms._shared.stream_notes import SILENT, noted, spelled
from interlingua.spi.reading import OBJECT, TEXT, Malformed, expect, expect_integer
from interlingua.tool_arguments import arguments_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.rooms._chat_completions.stream_chunk import Chunks
    from interlingua.rooms._chat_completions.stream_split_answer import SplitAnswer
    from interlingua.rooms._chat_completions.stream_state_events import Signed
    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.rooms._shared.joining import Table
    from interlingua.rooms._shared.stream_writer import Event

# The place of a text, and the places that repeat it.
_Place: TypeAlias = tuple[str, tuple[str, ...]]

# Types of a finish reason: a word, or a number.
_REASONS: Final = (str, int)

# Kinds of blocks that an answer can end with.
_SAID: Final = frozenset({"content", "refusal", "part"})

# How the pieces of `delta.audio` join.
AUDIO: Final[Table] = MappingProxyType(dict.fromkeys(("data", "transcript"), Text))

# Members of a delta with signed state of other providers.
SIGNED: Final = frozenset({BLOCKS, CARRIER, DETAILS})


# Members of a delta that few deltas have.
_MORE: Final = frozenset({
    *REASONING, *SIGNED, OPAQUE_STATE, "refusal", "audio", "images", "annotations", "function_call"
})  # fmt: skip


class _AnswerState:
    """State of one answer that is being read: its open blocks, and the kind of the last one."""

    def __init__(self) -> None:
        self.blocks: list[int] = []
        self.kind = ""
        self.calls: Calls | None = None
        self.naming: list[Event] = []  # abroad: the events of a call whose name may continue
        self.older: int | None = None  # the block of a deprecated `function_call`
        self.spoken: tuple[int, Members] | None = None  # block and members of an audio answer
        self.finished = False
        self.reason = ""  # why it finished
        self.called = False
        self.worded = False  # whether there was content
        self.empty = False  # whether there was only empty content
        self.text: int | None = None  # the last block of text
        self.cited = False  # whether there were annotations
        self.place = ""  # abroad: where reasoning came
        self.shown = False  # whether reasoning came in its own member, which signed details repeat
        self.thought: int | None = None  # the last block of reasoning
        self.signed: list[Signed] = []  # signatures of calls that have not come yet

    def is_whole(self) -> bool:
        """Tell whether the answer may be complete: not only reasoning, and no call with incomplete arguments."""
        if self.called:
            return self.older is None and self.calls is not None and all(call.complete for call in self.calls.all)
        return self.spoken is not None or self.kind in _SAID


class Choices:
    """Reads the choices of one stream. `opened` counts blocks over the whole stream."""

    def __init__(self, vendor: Vendor, opened: int) -> None:
        self._vendor = vendor
        self.opened = opened
        self.chunks: Chunks | None = None  # how they are written; None abroad, where places of texts do not matter
        self._open: dict[int, _AnswerState] = {}
        self._split: SplitAnswer | None = None  # abroad, once there may be two choices
        self.sources: StreamedSources | None = None  # listed beside the choices, for the first of them

    @property
    def finished(self) -> bool:
        """Whether every answer has a finish reason."""
        for one in self._open.values():  # a loop is faster, and this runs for each chunk without a template
            if not one.finished:
                return False
        return bool(self._open)

    @property
    def waiting(self) -> list[Event]:
        """The events that are held for the rest of a name, or for the first choice."""
        for one in self._open.values():  # as above
            if one.naming:
                return one.naming
        return [] if self._split is None else self._split.waiting

    @property
    def whole(self) -> bool:
        """Whether every answer has a finish reason or may be complete."""
        return bool(self._open) and all(one.finished or one.is_whole() for one in self._open.values())

    def read(self, choice: dict[str, Any], position: int) -> list[Event]:
        """Return the events of a choice; none while they are held for the rest of a name. Raises `Malformed`."""
        index = choice.get("index")
        which = index if type(index) is int else position if index is None else int(expect_integer(index, "index"))
        if which < 0:
            raise Malformed("/index", "expected a whole number")
        answer = self._open.get(which)
        if answer is None:
            answer = self._open[which] = _AnswerState()
        delta = choice.get(content_member(choice))
        events: list[Event] = []
        if delta and type(delta) is dict:
            try:
                self._delta(delta, choice, answer, which, events)
            except Malformed as malformed:
                raise malformed.under(content_member(choice)) from None
        if choice.get("finish_reason") and type(choice["finish_reason"]) in _REASONS:
            self._finish(choice, answer, events)
        if not events:
            events.append({"type": "state"})
        if type(choice.get("logprobs")) is dict:
            noted(events[0], self._vendor.dialect, "choice", {"logprobs": choice["logprobs"]})
        if which:
            for event in events:
                event["alternative"] = which
        return events if self.chunks is not None else self._certain(which, answer, events)

    def _certain(self, which: int, answer: _AnswerState, events: list[Event]) -> list[Event]:
        """Return the events of a choice that are certain: a name may go on, and two choices may be one answer."""
        if answer.naming or answer.calls is not None:
            events = _until_named(answer, events)
        if self._split is None:
            if not which and (answer.called or answer.reason != "tool_calls"):  # nearly always
                return events
            from interlingua.rooms._chat_completions.stream_split_answer import SplitAnswer  # noqa: PLC0415  # few have two choices

            first = self._open.get(0)
            is_whole = which != 0 and first is not None and (first.called or first.finished)
            self._split = SplitAnswer(self._vendor.dialect, is_whole=is_whole)
        if which:
            return self._split.other(which, events)
        return self._split.first(events, called=answer.called)

    def held(self, event: Event) -> tuple[list[str], ...] | None:
        """Return the collectors of the pieces of a block; None if the next fragment may belong to another call."""
        if event["type"] != "tool_call_delta":
            return ()
        answer = self._open.get(event.get("alternative", 0))
        call = None if answer is None or answer.calls is None else answer.calls.certain(event["block"])
        return None if call is None else (call.pieces,)

    def take_sources(self, chunk: dict[str, Any]) -> list[Event]:
        """Take the sources that a chunk lists beside its choices; return the citations if the answer has ended."""
        if self.sources is None:
            self.sources = StreamedSources(self._vendor.dialect)
        self.sources.take(chunk)
        first = self._open.get(0)
        return self._sourced(first) if first is not None and first.finished else []

    def _sourced(self, answer: _AnswerState) -> list[Event]:
        """Return the citations of an answer that ends: the first one's last text, unless it has annotations."""
        if self.sources is None or answer is not self._open.get(0):
            return []
        return self.sources.events(None if answer.cited else answer.text)

    def _delta(
        self, delta: dict[str, Any], choice: dict[str, Any], answer: _AnswerState, which: int, events: list[Event]
    ) -> None:
        has_more = not _MORE.isdisjoint(delta)
        if has_more:
            self._before_content(delta, answer, which, events)
        content = delta.get("content")
        if type(content) is list:
            self._content_list(content, answer, which, events)
        elif content:
            event = self._text("content", expect(content, TEXT, "content"), answer)
            events.append(event)
            if self.chunks is not None:
                written = self._written(which, self.chunks)
                self._spell(event, (STRING, content_repeats(choice, content, written.said)), _places(written))
        elif content is not None:
            expect(content, TEXT, "content")
            answer.empty = answer.empty or not answer.worded
        if has_more:
            self._beside(delta, answer, events)
        if type(delta.get("tool_calls")) is list:
            self._calls(delta["tool_calls"], answer, events)
        if has_more and type(delta.get("function_call")) is dict:
            self._older_call(delta["function_call"], answer, events)
        if has_more and self._vendor.details:
            self._signed(delta, answer, events)

    def _before_content(self, delta: dict[str, Any], answer: _AnswerState, which: int, events: list[Event]) -> None:
        if not REASONING.isdisjoint(delta):
            self._reasoning(delta, answer, which, events)
        if delta.get(OPAQUE_STATE) and type(delta[OPAQUE_STATE]) is str:
            state: Event = {"type": "state"}
            events.append(noted(state, self._vendor.dialect, "fields", {OPAQUE_STATE: delta[OPAQUE_STATE]}))

    def _beside(self, delta: dict[str, Any], answer: _AnswerState, events: list[Event]) -> None:
        """Read a refusal, an audio answer, images and citations."""
        refusal = delta.get("refusal")
        if refusal and type(refusal) is str:
            events.append(self._text("refusal", refusal, answer))
        if type(delta.get("audio")) is dict and any(delta["audio"].values()):
            self._audio(delta["audio"], answer, events)
        if delta.get("images"):
            events.extend(
                {"type": "part", "block": self._new(answer, "part"), "part": picture}
                for picture in decode_pictures(delta["images"], self._vendor) or ()
            )
        if delta.get("annotations"):
            citations = decode_citations(delta["annotations"], self._vendor) or ()
            answer.cited = answer.cited or bool(citations)
            events.extend(
                {"type": "citation", "block": self._block(answer, "content"), "citation": citation}
                for citation in citations
            )

    def _reasoning(self, delta: dict[str, Any], answer: _AnswerState, which: int, events: list[Event]) -> None:
        """Read reasoning; a signed detail only repeats what its own member had."""
        text, place, repeats = reasoning_in(delta, details=self._vendor.details)
        if not text or (answer.shown and place not in REASONING_MEMBERS and is_signed(delta)):
            return
        event = self._text("reasoning", text, answer)
        events.append(event)
        answer.thought, answer.shown = event["block"], place in REASONING_MEMBERS
        if self.chunks is not None:
            self._spell(event, (place, repeats), _places(self._written(which, self.chunks)))
        elif place != (answer.place or self._vendor.shown) and place not in UNSPELLED:
            answer.place = place
            spelled(event, self._vendor.dialect, "reasoning", place)  # the client's next request brings it back there

    def _signed(self, delta: dict[str, Any], answer: _AnswerState, events: list[Event]) -> None:
        """Read the state of other providers in a delta."""
        if CARRIER in delta:
            self._signed_text(delta, answer, events)
        if DETAILS in delta:
            self._signed_details(delta[DETAILS], answer, events)
        if BLOCKS in delta:
            self._signed_blocks(delta[BLOCKS], answer, events)

    def _signed_text(self, delta: dict[str, Any], answer: _AnswerState, events: list[Event]) -> None:
        """Read the signature beside the content."""
        signature = signature_beside(delta)
        if signature:
            events.append(state_event(self._block(answer, "content"), GEMINI, "signature", signature))

    def _signed_details(self, details: Any, answer: _AnswerState, events: list[Event]) -> None:
        """Read the state in details: a signature belongs to the thought before it, or to the call that it names."""
        for signed in signed_details(details):
            if signed.maker == GEMINI:
                answer.signed.append(signed)
                continue
            if signed.member == "data":
                events.append(detail_event(self._new(answer, "hidden"), signed, self._vendor.dialect))
                answer.thought = None
            else:
                self._sign(detail_event(-1, signed, self._vendor.dialect), answer, events)
        if answer.signed and answer.calls is not None:
            events.extend(self._signed_calls(answer, named=True))

    def _signed_blocks(self, blocks: Any, answer: _AnswerState, events: list[Event]) -> None:
        """Read thinking blocks; their text is used if there is no other, and not again with its signature."""
        for one in blocks_of(blocks):
            text, signature, data = (one.get(name, "") for name in ("thinking", "signature", "data"))
            if text and not answer.shown and (answer.thought is None or not signature):
                event = self._text("reasoning", text, answer)
                events.append(event)
                answer.thought = event["block"]
            if data:
                events.append(block_event(self._new(answer, "hidden"), "data", data, self._vendor.dialect))
            elif signature:
                self._sign(block_event(-1, "signature", signature, self._vendor.dialect), answer, events)

    def _sign(self, event: Event, answer: _AnswerState, events: list[Event]) -> None:
        """Sign the last thought, or a new empty one."""
        if answer.thought is None:
            answer.thought = self._new(answer, "reasoning")
            events.append({"type": "reasoning", "block": answer.thought, "text": ""})
        events.append({**event, "block": answer.thought})
        answer.thought = None
        if answer.kind == "reasoning":
            answer.kind = ""  # further reasoning is another thought

    def _signed_calls(self, answer: _AnswerState, *, named: bool) -> Iterable[Event]:
        """Yield the signatures of calls that have come; at the end, one with an unknown call goes to the first call."""
        calls = [] if answer.calls is None else answer.calls.all
        waiting, answer.signed = answer.signed, []
        for signed in waiting:
            call = next((one for one in calls if one.identifier == signed.call), None)
            if call is None and named:
                answer.signed.append(signed)
            elif calls:
                yield detail_event((call or calls[0]).block, signed, self._vendor.dialect)

    def _written(self, which: int, chunks: Chunks) -> Answer:
        """Return how an answer was last written."""
        return chunks.answers.get(which) or Answer(self._vendor, which, None)

    def _spell(self, event: Event, found: _Place, places: dict[str, _Place]) -> None:
        """Note the place of a text, if it has changed."""
        known = places[event["type"]]
        if found[0] != known[0]:
            if found[0] in UNSPELLED:
                noted(event, self._vendor.dialect, "fields", {found[0]: None})
            else:
                spelled(event, self._vendor.dialect, event["type"], found[0])
        if found[1] != known[1]:
            spelled(event, self._vendor.dialect, "repeats", list(found[1]))
        places[event["type"]] = found

    def _new(self, answer: _AnswerState, kind: str) -> int:
        block = self.opened
        self.opened += 1
        answer.blocks.append(block)
        answer.kind = kind
        return block

    def _block(self, answer: _AnswerState, kind: str) -> int:
        """Return the open block if it is of the kind, or a new one."""
        return answer.blocks[-1] if answer.kind == kind else self._new(answer, kind)

    def _text(self, kind: str, text: str, answer: _AnswerState) -> Event:
        block = self._block(answer, kind)
        if kind == "content":
            answer.worded, answer.empty = True, False
            answer.text = block if text else answer.text
        return {"type": kind, "block": block, "text": text}

    def _emptiness(self, answer: _AnswerState) -> Iterable[Event]:
        """Yield an empty content, once it is certain that no text follows."""
        if answer.empty:
            yield self._text("content", "", answer)

    def _content_list(self, content: list[Any], answer: _AnswerState, which: int, events: list[Event]) -> None:
        """Read a list content: thinking and text parts are pieces, unknown ones become opaque parts."""
        places = {} if self.chunks is None else _places(self._written(which, self.chunks))
        for at, item in enumerate(content):
            thought = read_thinking_part(item, streamed=True)
            if thought is not None and thought[0] and type(thought[0]) is str:
                event = self._text("reasoning", thought[0], answer)
                if places:
                    self._spell(event, (thought[1], ()), places)
            elif type(item) is dict and item.get("type") == "text" and type(item.get("text")) is str and item["text"]:
                event = self._text("content", item["text"], answer)
                if places:
                    self._spell(event, (LIST, ()), places)
            else:
                try:
                    decode_part(expect(item, OBJECT), "assistant", self._vendor)
                except Malformed as malformed:
                    raise malformed.under("content", at) from None
                part = {"type": "opaque", "dialect": self._vendor.dialect, "data": item}
                event = {"type": "part", "block": self._new(answer, "part"), "part": part}
            events.append(event)

    def _audio(self, audio: dict[str, Any], answer: _AnswerState, events: list[Event]) -> None:
        if answer.spoken is None:
            answer.spoken = (self._new(answer, "part"), Members(AUDIO, nulls=False))
        block, said = answer.spoken
        said.take(audio)
        event: Event = {"type": "state", "block": block}
        # Abroad, only the part at the end is written.
        events.append(event if self.chunks is None else noted(event, self._vendor.dialect, "audio", audio))

    def _calls(self, fragments: list[Any], answer: _AnswerState, events: list[Event]) -> None:
        at = 0
        try:
            for at, wire in enumerate(fragments):  # noqa: B007  # the index is used if one is malformed
                fragment = read_fragment(wire)
                if fragment is not None:
                    before = len(events)
                    events.extend(self._call(fragment, answer))
                    signature = signature_beside(wire) if self._vendor.details else ""
                    if signature and len(events) > before:
                        events.append(state_event(events[-1]["block"], GEMINI, "signature", signature))
        except Malformed as malformed:
            raise malformed.under("tool_calls", at) from None

    def _call(self, fragment: Fragment, answer: _AnswerState) -> list[Event]:
        if answer.calls is None:
            answer.calls = Calls()
        taken = answer.calls.take(fragment)
        if taken is None:
            return []
        call, begins = taken
        if begins:
            return self._begun(call, fragment, answer)
        _settle(answer.naming, call)
        return [{"type": "tool_call_delta", "block": call.block, "arguments": _piece(fragment.piece)}]

    def _nameless(self, answer: _AnswerState, reason: Any = None) -> Iterable[Event]:
        """Yield the calls that never got a name: it is empty, as in a whole answer."""
        for call, fragment in () if answer.calls is None else answer.calls.nameless(reason):
            yield from self._begun(call, fragment, answer)

    def _begun(self, call: Call, fragment: Fragment, answer: _AnswerState) -> list[Event]:
        events = self._beginning(fragment, answer)
        call.block = answer.blocks[-1]
        return events

    def _beginning(self, fragment: Fragment, answer: _AnswerState, older: str = "") -> list[Event]:
        """Return the start event of a call, in a new block, and its first arguments."""
        events = [*self._emptiness(answer), *(() if answer.text is None else self._sourced(answer))]
        answer.called = True
        block = self._new(answer, "call")
        start: Event = {"type": "tool_call_start", "block": block}
        if fragment.identifier:
            start["id"] = fragment.identifier
        start["name"] = fragment.name
        if fragment.held == "custom":
            start["kind"] = "custom"
        if older:
            spelled(start, self._vendor.dialect, "call", older)
        if type(fragment.piece) is dict:
            start["arguments"] = fragment.piece
        events.append(start)
        if type(fragment.piece) is str and fragment.piece:
            spelled(start, self._vendor.dialect, "fragment", "more")
            events.append({"type": "tool_call_delta", "block": block, "arguments": fragment.piece})
        return events

    def _older_call(self, wire: dict[str, Any], answer: _AnswerState, events: list[Event]) -> None:
        """Read the deprecated `function_call`, of which an answer has one."""
        try:
            fragment = read_fragment({"type": "function", "function": wire})
        except Malformed as malformed:
            raise Malformed(malformed.path.replace("/function", "/function_call", 1), malformed.reason) from None
        if fragment is None:
            return
        if answer.older is not None:
            events.append({"type": "tool_call_delta", "block": answer.older, "arguments": _piece(fragment.piece)})
        elif fragment.name or fragment.piece:  # a missing name is empty
            events.extend(self._beginning(fragment, answer, "function_call"))
            answer.older = answer.blocks[-1]

    def rest(self) -> list[Event]:
        """Return the pending events of a cut stream: audio answers, calls without a name, empty contents."""
        events: list[Event] = []
        for which, answer in self._open.items():
            events += answer.naming
            named = list(self._nameless(answer))
            if self.chunks is not None:
                named = [spelled(event, self._vendor.dialect, "frame", SILENT) for event in named]
            said = [*named, *self._emptiness(answer), *self._audio_answer(answer), *self._sourced(answer)]
            events.extend({**event, "alternative": which} if which else event for event in said)
        return events if self._split is None else [*events, *self._split.rest()]

    def _audio_answer(self, answer: _AnswerState) -> Iterable[Event]:
        """Yield the complete audio answer."""
        if answer.spoken is None:
            return
        block, said = answer.spoken
        part = decode_spoken_answer(said.made(), self._vendor)
        if part is not None:
            yield {"type": "part", "block": block, "part": part}
        answer.spoken = None

    def _finish(self, choice: dict[str, Any], answer: _AnswerState, events: list[Event]) -> None:
        if answer.empty:
            events.extend(self._emptiness(answer))
        if answer.spoken is not None:
            events.extend(self._audio_answer(answer))
        if answer.calls is not None:
            events.extend(self._nameless(answer, choice["finish_reason"]))
        if answer.signed:
            events.extend(self._signed_calls(answer, named=False))
        if self.sources is not None:
            events.extend(self._sourced(answer))
        for block in answer.blocks:
            events.append({"type": "block_end", "block": block})  # noqa: PERF401  # nearly always there is one
        answer.blocks, answer.kind, answer.older, answer.calls, answer.thought = [], "", None, None, None
        said: dict[str, Any] = {}
        decode_finish_reason(said, choice["finish_reason"], self._vendor, called=answer.called)
        finish: Event = {"type": "finish", "reason": said["finish_reason"]}
        if "finish_reason_raw" in said:
            finish["raw"] = said["finish_reason_raw"]
        if self._vendor.stop_words and type(choice.get("stop_reason")) is str:
            finish["stop_sequence"] = choice["stop_reason"]
        events.append(finish)
        answer.finished, answer.reason = True, finish["reason"]


def _until_named(answer: _AnswerState, events: list[Event]) -> list[Event]:
    """Return the events that are certain: a call is held until its arguments begin, since its name may continue."""
    events, answer.naming = [*answer.naming, *events], []
    if answer.calls is None:
        return events
    for at, event in enumerate(events):
        call = answer.calls.of_block(event["block"]) if event["type"] == "tool_call_start" else None
        if call is None:
            continue
        _settle(events[at:], call)
        if call.silent and all(one.get("block", call.block) == call.block for one in events[at:]):
            answer.naming = events[at:]
            return events[:at]
    return events


def _settle(events: list[Event], call: Call) -> None:
    """Set the complete name of a call on its start event, and remove placeholder arguments."""
    if not events or events[0]["block"] != call.block:
        return
    events[0]["name"] = call.name
    if call.dropped:
        events[0].pop("arguments", None)
        if len(events) > 1 and events[1].get("arguments") in BLANK:
            events[1]["arguments"] = ""


def _places(written: Answer) -> dict[str, _Place]:
    """Return the last places of an answer's texts, by event type."""
    return {
        "reasoning": (written.reasoning, written.reasoning_repeats),
        "content": (written.content, written.content_repeats),
    }


def _piece(piece: str | dict[str, Any]) -> str:
    try:
        return arguments_text(piece)
    except EncodeError:
        raise Malformed("", "a number cannot be written as JSON (NaN or infinity)") from None
