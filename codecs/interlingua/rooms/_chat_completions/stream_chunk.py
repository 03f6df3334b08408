"""Predict the chunks that a provider writes at home.

Chunks of one stream differ little: members beside the texts are expected to be as in the previous chunk. So members
that a vendor repeats in each chunk need no patch. Source: docs/design.md, section 6.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import LossLog
from interlingua.rooms._chat_completions.encode_answer import LABELS, encode_usage, finish_word
from interlingua.rooms._chat_completions.encode_answer_part import encode_citation
from interlingua.rooms._chat_completions.encode_part import encode_picture
from interlingua.rooms._chat_completions.search_sources import is_beside
from interlingua.rooms._chat_completions.stream_places import (
    DETAIL_PLACES,
    LIST,
    MESSAGE,
    SAID,
    STRING,
    TEXT_AGAIN,
    WHOLE_MESSAGE,
    detail_text,
)
from interlingua.rooms._chat_completions.stream_state_events import carrier_of, detail_of, thinking_block_of
from interlingua.rooms._chat_completions.thinking_parts import PART, THINKING_PARTS, read_thinking_part, thinking_part
from interlingua.rooms._chat_completions.vendor_extensions import BLOCKS, DETAILS, unspelled_place
from interlingua.rooms._shared.patch import ABSENT, difference
from interlingua.rooms._shared.stream_notes import MORE, spelling
from interlingua.rooms._shared.writing import Target
from interlingua.spi.extra import own_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.rooms._shared.stream_writer import Event, Frame

CHUNK: Final = "chat.completion.chunk"
OLDER_CALL: Final = "function_call"  # the deprecated member of a delta with one call
# Random padding against eavesdroppers, which cannot be predicted.
PADDING: Final = "obfuscation"
CLOUDFLARES_PADDING: Final = "p"
ALTERNATIVE: Final = "alternative"
# Events of a whole chunk, not of one choice.
_OF_CHUNKS: Final = frozenset({"start", "usage", "error"})
_TOGETHER: Final = frozenset({MORE, ALTERNATIVE})


class Chunks:
    """Writes the events of a stream as chunks, each modelled on the previous one."""

    def __init__(self, vendor: Vendor) -> None:
        self._vendor = vendor
        self.pending: list[Event] = []
        self._groups: list[Group] = []
        self.answers: dict[int, Answer] = {}
        self.envelope: dict[str, Any] = {"object": CHUNK, "choices": []}
        self._last: Answer | None = None

    def write(self, event: Event) -> list[Frame]:
        """Return the chunk of an event, together with other events that came in the same chunk."""
        if event["type"] == "citation" and is_beside(event, self._vendor.dialect):
            return []  # chunks have it anyway
        self.pending.append(event)
        if spelling(event, self._vendor.dialect).get("frame") in _TOGETHER:
            return []
        events, self.pending = self.pending, []
        for one in events:
            if not _repeats(one):
                return [self.chunk(events)]
        return []

    def flush(self) -> list[Frame]:
        """Return the chunk of pending events whose remaining events never came."""
        events, self.pending = self.pending, []
        return [self.chunk(events)] if any(event["type"] != "start" and not _repeats(event) for event in events) else []

    def chunk(self, events: list[Event]) -> dict[str, Any]:
        """Return the predicted chunk for events that came together."""
        self._groups = []
        if len(events) == 1 and events[0]["type"] not in _OF_CHUNKS:
            only = self._group(events[0])
            only.add(events[0])
            return {**self.envelope, "choices": [only.made()]}
        frame: dict[str, Any] | None = None
        group: Group | None = None
        for event in events:
            kind = event["type"]
            if kind == "start":
                self.begin(event)
            elif kind == "usage":
                frame = frame or {**self.envelope}
                frame["usage"] = encode_usage(event["usage"], self._vendor, _at_home(self._vendor))
            elif kind == "error":
                error = _error(event)
                frame = {"error": error} if len(events) == 1 else {**(frame or self.envelope), "error": error}
            elif kind != "citation" or not is_beside(event, self._vendor.dialect):
                if group is None:
                    group = self._group(event)
                group.add(event)
                if "extra" in event and spelling(event, self._vendor.dialect).get("frame") == ALTERNATIVE:
                    group = None
        if frame is None:
            frame = {**self.envelope}
            if not self._groups:  # only a start
                self._group(events[-1])
        if self._groups or "error" not in frame:
            frame["choices"] = [one.made() for one in self._groups]
        return frame

    def begin(self, start: Event) -> None:
        """Begin a stream, and forget all answers."""
        self.answers, self._last = {}, None
        labels: dict[str, Any] = {name: start[name] for name in LABELS if name in start}
        self.envelope = {**labels, "object": CHUNK, "choices": []}

    def held(self, event: Event) -> tuple[list[str], ...] | None:
        """Return the collectors of a text's pieces; None if the next chunk may differ in more than its text.

        That is so if the text is repeated as a message, which may hold all text so far.
        """
        answer = self.answers.get(event.get("alternative", 0))
        if answer is None or self.pending:
            return None
        if event["type"] != "content":
            return ()
        if MESSAGE in answer.content_repeats or WHOLE_MESSAGE in answer.content_repeats:
            return None
        return (answer.said,)

    def _group(self, event: Event) -> Group:
        which = event.get("alternative", 0)
        answer = self.answers.get(which)
        if answer is None:
            answer = self.answers[which] = Answer(self._vendor, which, self._last)
        self._last = answer
        group = Group(answer)
        self._groups.append(group)
        return group

    def learn(self, frame: Frame) -> None:
        """Learn from the actual chunk: the next one is expected to be like it.

        Nothing is learnt from a chunk that only ends answers or holds usage: it is the last one.
        """
        if type(frame) is not dict or frame.get("error"):
            return
        groups = self._groups
        if not groups or (groups[0].ends and all(group.ends for group in groups)):
            return
        choices = frame.get("choices")
        envelope = dict(frame)
        envelope.pop(PADDING, None)
        if "choices" not in frame and difference(self.envelope, envelope) == {ABSENT: ["choices"]}:
            return  # no other member has changed
        envelope["choices"] = ()
        if type(frame.get("usage")) is dict:
            if self.envelope.get("usage", 0) is None:
                envelope["usage"] = None
            else:
                del envelope["usage"]
        self.envelope = envelope
        if type(choices) is not list:
            return
        for group, choice in zip(groups, choices, strict=False):
            if type(choice) is dict:
                group.learn(choice)


def _at_home(vendor: Vendor) -> Target:
    """Return a target for members of a chunk at home, where nothing is lost."""
    return Target(vendor.dialect, home=True, answer=True, log=LossLog())


def _repeats(event: Event) -> bool:
    """Tell whether an event makes no chunk, since earlier ones have its content.

    These are the end of a block, a complete audio answer, and an empty text.
    """
    kind = event["type"]
    if kind == "content":
        return not event["text"]
    return bool(kind == "block_end" or (kind == "part" and event["part"]["type"] not in {"opaque", "image"}))


def _error(event: Event) -> dict[str, Any]:
    code = event.get("code")
    kind = event.get("error_type", code)
    return {"message": event.get("message", ""), "type": kind, "param": None, "code": code}


_ABSENT: Final = object()
_DETAILED: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {place: (name, f"reasoning.{name}") for name, place in DETAIL_PLACES.items()}
)


class WireCall:
    """Index and id of a call on the wire; `held` is the member that holds its name and arguments."""

    def __init__(self, index: Any, identifier: str | None, held: str) -> None:
        self.index = index
        self.identifier = identifier
        self.held = held


class Answer:
    """State of one answer: how it was last written, and the places of its texts."""

    def __init__(self, vendor: Vendor, which: int, like: Answer | None) -> None:
        self.vendor = vendor
        self.which = which
        self.choice: dict[str, Any] = {**(like.choice if like is not None else {"finish_reason": None}), "index": which}
        self.delta: dict[str, Any] = {"role": "assistant", "content": ""}
        self.opening = True  # no chunk has come yet
        self.reasoning = vendor.shown
        self.reasoning_repeats: tuple[str, ...] = ()
        self.content = STRING
        self.content_repeats: tuple[str, ...] = ()
        self.said: list[str] = []  # the texts of its content
        self.calls: dict[int, WireCall] = {}
        self.numbered = 0  # how many of the calls have an index
        # Members beside the text in a thinking part, a detail, a repeated message, a fragment.
        self.shapes: dict[str, dict[str, Any]] = {}
        self.fragment: dict[str, Any] = {}
        self.repeated_id: Any = _ABSENT

    def note(self, kind: str, notes: Mapping[str, Any]) -> None:
        """Set the place of a text from here on."""
        if kind == "reasoning":
            self.reasoning = notes.get("reasoning", self.reasoning)
            if "repeats" in notes:
                self.reasoning_repeats = tuple(notes["repeats"])
        else:
            self.content = notes.get("content", self.content)
            if "repeats" in notes:
                self.content_repeats = tuple(notes["repeats"])


class Group:
    """The events of one choice of a chunk."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self._texts: dict[str, list[str]] = {}
        self._items: list[Any] = []  # parts of a list content
        self._lists: dict[str, list[Any]] = {}
        self._members: dict[str, Any] = {}
        self._finish: dict[str, Any] = {}
        self._beside: dict[str, Any] = {}  # members of the choice beside the delta
        self._fragments: list[tuple[int, bool]] = []
        self._going: dict[str, Any] | None = None  # the inner object of a call that continues in the same fragment

    def add(self, event: Event) -> None:
        """Take an event of this choice."""
        if "extra" in event:
            self._beside.update(own_extra(event, self.answer.vendor.dialect).get("choice", {}))
        writer = _WRITERS.get(event["type"])
        if writer is not None:
            writer(self, event)

    def add_text(self, event: Event) -> None:
        """Take a piece of content or reasoning."""
        kind, text = event["type"], event["text"]
        if "extra" in event:
            self.answer.note(kind, spelling(event, self.answer.vendor.dialect))
            if kind == "reasoning":
                bag = own_extra(event, self.answer.vendor.dialect)
                self.answer.reasoning = unspelled_place(bag) or self.answer.reasoning
        if not text:  # chunks have it anyway
            return
        self._texts.setdefault(kind, []).append(text)
        if kind == "content":
            self.answer.said.append(text)
            if self.answer.content == LIST:
                self._items.append({"type": "text", "text": text})
        elif self.answer.reasoning in THINKING_PARTS:
            self._items.append(thinking_part(self.answer.reasoning, (text,), self.answer.shapes.get(PART, {})))

    def add_refusal(self, event: Event) -> None:
        """Take a piece of a refusal."""
        self._texts.setdefault("refusal", []).append(event["text"])

    def add_call(self, event: Event) -> None:
        """Take the beginning of a call."""
        block = event["block"]
        notes = spelling(event, self.answer.vendor.dialect)
        held, member = ("custom", "input") if event.get("kind") == "custom" else ("function", "arguments")
        inner = {"name": event.get("name", ""), member: event.get("arguments", "")}
        self._going = inner if notes.get("fragment") == "more" else None
        if notes.get("call") == OLDER_CALL:
            self.answer.calls[block] = WireCall(None, None, OLDER_CALL)
            self._members[OLDER_CALL] = inner
            return
        call = self.answer.calls[block] = WireCall(self.answer.numbered, event.get("id"), held)
        self.answer.numbered += 1
        fragment: dict[str, Any] = {"index": call.index}
        if "id" in event:
            fragment["id"] = event["id"]
        self._fragment(block, {**fragment, "type": held, held: inner}, begins=True)

    def add_arguments(self, event: Event) -> None:
        """Take a piece of the arguments of a call."""
        block, piece = event["block"], event["arguments"]
        call = self.answer.calls.get(block)
        if call is None:
            return
        member = "input" if call.held == "custom" else "arguments"
        if self._going is not None:
            self._going[member] = piece
            self._going = None
        elif call.held == OLDER_CALL:
            self._members[OLDER_CALL] = {"arguments": piece}
        else:
            shape = {**self.answer.fragment}
            inner = {**shape.pop("inner", {}), member: piece}
            if call.index is not _ABSENT:
                shape["index"] = call.index
            if self.answer.repeated_id is not _ABSENT:
                shape["id"] = call.identifier if self.answer.repeated_id is True else self.answer.repeated_id
            self._fragment(block, {**shape, call.held: inner}, begins=False)

    def _fragment(self, block: int, fragment: dict[str, Any], *, begins: bool) -> None:
        self._lists.setdefault("tool_calls", []).append(fragment)
        self._fragments.append((block, begins))

    def add_part(self, event: Event) -> None:
        """Take an opaque part or an image; a complete audio answer only repeats its pieces."""
        part = event["part"]
        if part["type"] == "opaque" and part["dialect"] == self.answer.vendor.dialect:
            self._items.append(part["data"])
        elif part["type"] == "image":
            vendor = self.answer.vendor
            self._lists.setdefault("images", []).extend(encode_picture(part, "", vendor, _at_home(vendor)))

    def add_citation(self, event: Event) -> None:
        """Take a citation."""
        annotation = encode_citation(event["citation"], "", _at_home(self.answer.vendor), 0, 0)
        if annotation is not None:
            self._lists.setdefault("annotations", []).append(annotation)

    def add_state(self, event: Event) -> None:
        """Take a piece of an audio answer, or state of another provider."""
        extra = event.get("extra")
        if extra is None:
            return
        bag = own_extra(event, self.answer.vendor.dialect)
        if "audio" in bag:
            self._members["audio"] = bag["audio"]
        self._members |= {name: held for name, held in bag.get("fields", {}).items() if name != BLOCKS}
        if len(extra) > (self.answer.vendor.dialect in extra):
            self._add_carried(event)

    def _add_carried(self, event: Event) -> None:
        thinking = thinking_block_of(event, self.answer.vendor.dialect)
        if thinking is not None:
            self._lists.setdefault(BLOCKS, []).append(thinking)
            return
        detail = detail_of(event, self.answer.vendor.dialect)
        carrier = None if detail is not None else carrier_of(event)
        if detail is not None:
            self._lists.setdefault(DETAILS, []).append(detail)
        elif carrier is not None and event.get("block") in self.answer.calls:
            for at, (block, _) in enumerate(self._fragments):
                if block == event["block"]:
                    self._lists["tool_calls"][at] |= carrier
                    return
            self._fragment(event["block"], {"index": self.answer.calls[event["block"]].index, **carrier}, begins=False)
        elif carrier is not None:
            self._members |= carrier

    def add_finish(self, event: Event) -> None:
        """Take the finish reason."""
        vendor = self.answer.vendor
        called = bool(self.answer.calls)
        word = vendor.finish_words[event["reason"]][0]
        if "raw" in event or (called and word == "stop"):
            word = finish_word(
                event["reason"], event.get("raw"), vendor, _at_home(vendor), called=called, refused=False
            )  # type: ignore[assignment]  # a number from a server that says one
        self._finish["finish_reason"] = word
        if vendor.stop_words and "stop_sequence" in event:
            self._finish["stop_reason"] = event["stop_sequence"]

    def made(self) -> dict[str, Any]:
        """Return the predicted choice."""
        answer = self.answer
        delta = {**answer.delta, **self._members, **self._lists}
        if self._items:
            delta["content"] = self._items
        elif "content" in self._texts:
            delta["content"] = "".join(self._texts["content"])
        if "refusal" in self._texts:
            delta["refusal"] = "".join(self._texts["refusal"])
        if "reasoning" in self._texts:
            self._write_reasoning(delta, "".join(self._texts["reasoning"]))
        choice = {**answer.choice, **self._beside, "delta": delta, **self._finish}
        if answer.content_repeats:
            self._repeat_content(choice, "".join(self._texts.get("content", ())))
        return choice

    def _write_reasoning(self, delta: dict[str, Any], text: str) -> None:
        answer = self.answer
        for name in (answer.reasoning, *answer.reasoning_repeats):
            if name in _DETAILED:
                said, kind = _DETAILED[name]
                signed: list[dict[str, Any]] = self._lists.get(DETAILS, [{}])
                delta[DETAILS] = [{**answer.shapes.get(name, {"type": kind}), said: text, **signed[0]}, *signed[1:]]
            elif name not in THINKING_PARTS:
                delta[name] = text

    def _repeat_content(self, choice: dict[str, Any], text: str) -> None:
        for name in self.answer.content_repeats:
            if name == TEXT_AGAIN:
                choice["text"] = text
            elif name == WHOLE_MESSAGE or text:
                said = text if name == MESSAGE else "".join(self.answer.said)
                choice["message"] = {**self.answer.shapes.get(MESSAGE, {}), "content": said}

    @property
    def ends(self) -> bool:
        """Whether the choice has a finish reason."""
        return bool(self._finish)

    def learn(self, choice: dict[str, Any]) -> None:
        """Learn from the actual choice: the next one is expected to be like it."""
        answer = self.answer
        word = answer.choice.get("finish_reason", _ABSENT)
        answer.choice = dict(choice)
        answer.choice.pop("delta", None)
        if answer.choice.get("finish_reason"):
            del answer.choice["finish_reason"]
            if word is not _ABSENT:
                answer.choice["finish_reason"] = word
        if type(answer.choice.get("logprobs")) is dict:  # each chunk has its own
            answer.choice["logprobs"] = None
        if answer.content_repeats:
            self._learn_repeats(choice)
        delta = choice.get("delta")
        if type(delta) is not dict:
            answer.delta = {}
            return
        answer.delta = {name: value for name, value in delta.items() if not value or name not in SAID}
        if len(answer.delta) != len(delta):
            self._learn_said(delta)
        if answer.opening:
            answer.opening = False
            if not self._texts and "role" in delta:  # only the first chunk has the role
                answer.delta = dict.fromkeys(delta) if OLDER_CALL in delta else {}

    def _learn_repeats(self, choice: dict[str, Any]) -> None:
        answer = self.answer
        if TEXT_AGAIN in answer.content_repeats and "text" in choice:
            answer.choice["text"] = ""
        if MESSAGE in answer.content_repeats or WHOLE_MESSAGE in answer.content_repeats:
            message = answer.choice.pop("message", None)
            if type(message) is dict:
                answer.shapes[MESSAGE] = {name: value for name, value in message.items() if name != "content"}

    def _learn_said(self, delta: dict[str, Any]) -> None:
        answer = self.answer
        details = delta.get(DETAILS)
        if details and (found := detail_text(details)) is not None:
            beside = {name: value for name, value in details[0].items() if name != found[0]}
            answer.shapes[DETAIL_PLACES[found[0]]] = beside
        content = delta.get("content")
        thought = read_thinking_part(content[0], streamed=True) if type(content) is list and content else None
        if thought is not None:
            answer.shapes[PART] = thought[2]
        fragments = delta.get("tool_calls")
        if type(fragments) is list and len(fragments) == len(self._fragments):
            for (block, begins), fragment in zip(self._fragments, fragments, strict=True):
                if type(fragment) is dict:
                    self._learn_fragment(answer.calls[block], fragment, begins=begins)

    def _learn_fragment(self, call: WireCall, fragment: dict[str, Any], *, begins: bool) -> None:
        call.index = fragment.get("index", _ABSENT)
        if begins:
            return
        answer = self.answer
        beside = {name: value for name, value in fragment.items() if name not in {"index", "id", call.held}}
        inner = fragment.get(call.held)
        if type(inner) is dict:
            said = "input" if call.held == "custom" else "arguments"
            beside["inner"] = {name: value for name, value in inner.items() if name != said}
        answer.fragment = beside
        identifier = fragment.get("id", _ABSENT)
        answer.repeated_id = True if identifier == call.identifier and call.identifier is not None else identifier


_WRITERS: Final[Mapping[str, Callable[[Group, Event], None]]] = {
    "content": Group.add_text,
    "reasoning": Group.add_text,
    "refusal": Group.add_refusal,
    "tool_call_start": Group.add_call,
    "tool_call_delta": Group.add_arguments,
    "part": Group.add_part,
    "citation": Group.add_citation,
    "state": Group.add_state,
    "finish": Group.add_finish,
}
