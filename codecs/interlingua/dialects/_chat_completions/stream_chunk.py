"""Chunks at home: what a provider is expected to write next.

Chunks of one stream differ in little: what stands beside the texts is expected to be as in the chunk before. So the
members that a vendor repeats in each chunk cost nothing, whatever they are. Source: SHAPES section 3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._chat_completions.encode_answer import encode_usage
from interlingua.dialects._chat_completions.stream_delta import Answer, Group
from interlingua.dialects._chat_completions.stream_places import STRING
from interlingua.dialects._chat_completions.stream_plain import (
    OWN,
    PADDING,
    Piece,
    PlainChunk,
    calm,
    plain_chunk,
)
from interlingua.dialects._chat_completions.stream_usual import (
    CHUNK,
    only_choice,
    says_text,
    silent_patch,
    usually_begins,
)
from interlingua.dialects._shared.patch import patched
from interlingua.dialects._shared.stream import MORE, spelling
from interlingua.dialects._shared.target import Target
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.stream import Event, Frame

OTHER: Final = "alternative"
_LABELS: Final = ("id", "created", "model")
_COUNTED: Final = frozenset({"choices", "created"})
# Events of a chunk as a whole, not of one of its choices.
_OF_CHUNKS: Final = frozenset({"start", "usage", "error"})
_TOGETHER: Final = frozenset({MORE, OTHER})


class Chunks:
    """Writes the events of a stream as chunks, each as the one before it."""

    def __init__(self, vendor: Vendor) -> None:
        self._vendor = vendor
        self.pending: list[Event] = []
        self._groups: list[Group] = []
        self.answers: dict[int, Answer] = {}
        self.envelope: dict[str, Any] = {"object": CHUNK, "choices": []}
        self._last: Answer | None = None
        self.plain: dict[int, PlainChunk] = {}
        self.calm = False  # whether all of the envelope but `created` are texts or null

    def write(self, event: Event) -> list[Frame]:
        """Return the chunk of an event, together with those that came in one chunk with it."""
        self.pending.append(event)
        if spelling(event, self._vendor.dialect).get("frame") in _TOGETHER:
            return []
        events, self.pending = self.pending, []
        for one in events:
            if not _repeats(one):
                return [self.chunk(events)]
        return []

    def bare(self) -> dict[str, Any] | None:
        """Return the chunk that says nothing and has no choices, or None where it cannot be like the one before."""
        one = self.calm and type(self.envelope.get("created")) is int and len(self.answers) == 1 and 0 in self.answers
        if not one:
            return None
        frame = dict(self.envelope)
        del frame["choices"]
        return frame

    def continues(self, frame: dict[str, Any]) -> bool:
        """Tell whether a chunk is as the one before but for its choices, its padding, and what it counts."""
        if not self.calm or type(frame.get("created")) is not int or type(self.envelope.get("created")) is not int:
            return False
        envelope = {**self.envelope, "choices": frame["choices"]}
        if PADDING in frame:
            envelope[PADDING] = frame[PADDING]
        if not frame["choices"] and "usage" in frame:  # it says what the answer cost
            envelope["usage"] = frame["usage"]
        return envelope == frame

    def flush(self) -> list[Frame]:
        """Return the chunk of events that were cut off from those that came with them."""
        events, self.pending = self.pending, []
        return [self.chunk(events)] if any(event["type"] != "start" and not _repeats(event) for event in events) else []

    def chunk(self, events: list[Event]) -> dict[str, Any]:
        """Return the chunk that is expected for events that came together."""
        if len(events) == 1 and events[0]["type"] not in _OF_CHUNKS:
            return {**self.envelope, "choices": [self.choice(events)]}
        frame: dict[str, Any] | None = None
        self._groups = []
        group: Group | None = None
        for event in events:
            kind = event["type"]
            if kind == "start":
                self.begin(event)
            elif kind == "usage":
                frame = frame or {**self.envelope}
                frame["usage"] = self.counted(event)
            elif kind == "error":
                error = _error(event)
                frame = {"error": error} if len(events) == 1 else {**(frame or self.envelope), "error": error}
            else:
                if group is None:
                    group = self._group(event)
                group.add(event)
                if "extra" in event and spelling(event, self._vendor.dialect).get("frame") == OTHER:
                    group = None
        if frame is None:
            frame = {**self.envelope}
            if not self._groups:  # a start alone
                self._group(events[-1])
        if self._groups or "error" not in frame:
            frame["choices"] = [one.made() for one in self._groups]
        return frame

    def choice(self, events: list[Event]) -> dict[str, Any]:
        """Return the choice that is expected for the events of one."""
        self._groups = []
        group = self._group(events[0])
        for event in events:
            group.add(event)
        return group.made()

    def begin(self, start: Event) -> None:
        """Begin a stream: nothing is known of its answers."""
        self.answers, self.plain, self._last = {}, {}, None
        labels: dict[str, Any] = {name: start[name] for name in _LABELS if name in start}
        self.envelope = {**labels, "object": CHUNK, "choices": []}

    def _group(self, event: Event) -> Group:
        which = event.get("alternative", 0)
        answer = self.answers.get(which)
        if answer is None:
            answer = self.answers[which] = Answer(self._vendor, which, self._last)
        self._last = answer
        group = Group(answer)
        self._groups.append(group)
        return group

    def counted(self, event: Event) -> dict[str, Any]:
        """Return the counts that are expected of a chunk for an event."""
        target = Target(self._vendor.dialect, home=True, answer=True, log=LossLog())
        return encode_usage(event["usage"], self._vendor, target)

    def open(self, frame: dict[str, Any], choice: dict[str, Any]) -> None:
        """Begin with a chunk that opens the one answer and says nothing."""
        answer = self._last = Answer(self._vendor, 0, None)
        answer.opened(choice)
        self.answers, self.plain = {0: answer}, {}
        self.envelope = envelope = dict(frame)
        envelope.pop(PADDING, None)
        envelope["choices"] = ()
        self.calm = calm(envelope, _COUNTED)

    def first(self, state: Event, patch: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the chunk of a start and of a state beside it, where it opens one answer and says nothing."""
        if len(self.pending) != 1 or self.pending[0]["type"] != "start" or len(state) > 2:
            return None
        start = self.pending[0]
        frame: dict[str, Any] = {name: start[name] for name in _LABELS if name in start}
        frame["object"] = CHUNK
        frame["choices"] = [{"finish_reason": None, "index": 0, "delta": {"role": "assistant", "content": ""}}]
        frame = patched(frame, patch)
        choice = only_choice(frame)
        if choice is None or not usually_begins(frame) or silent_patch(choice) is None:
            return None
        self.pending = []
        self.open(frame, choice)
        return frame

    def first_text(self, event: Event, patch: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the chunk of a usual piece of content, as `learn_text` takes it; None for another one."""
        answer = self.answers.get(0)
        if answer is None or event.get("alternative") or not self.calm:
            return None
        delta = {**answer.delta, "content": event["text"]}
        frame: dict[str, Any] = {**self.envelope, "choices": [{**answer.choice, "delta": delta}]}
        if patch:
            frame = patched(frame, patch)
        choice = only_choice(frame)
        if choice is None or not self.continues(frame) or self.usual(choice) is None:
            return None
        delta = choice["delta"]
        if type(delta) is not dict or not says_text(delta) or delta["content"] != event["text"]:
            return None
        self.learn_text(frame, choice, answer, event)
        return frame

    def ending(self, word: str) -> Answer | None:
        """Return the one answer where a chunk that gives a usual reason for its end says nothing else."""
        answer = self.answers.get(0)
        usual = answer is not None and not answer.content_repeats and not (word == "stop" and answer.calls)
        return answer if usual else None

    def end(self, answer: Answer, word: str) -> dict[str, Any]:
        """Return the choice that says why an answer ended, and nothing else. Nothing is learnt from its chunk."""
        self._last = answer
        self.plain.pop(0, None)
        return {**answer.choice, "delta": {**answer.delta}, "finish_reason": word}

    def last(self, finish: Event, patch: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the chunk that says why the one answer ended, and nothing else; None where it is not usual."""
        if self._vendor.stop_words or "raw" in finish or finish.get("alternative") or "error" in patch.get("put", ()):
            return None
        for event in self.pending:
            if event["type"] != "block_end" or event.get("alternative"):
                return None
            if event["extra"][self._vendor.dialect] != {"spelling": {"frame": MORE}}:
                return None
        word = self._vendor.finish_words[finish["reason"]][0]
        answer = self.ending(word)
        if answer is None:
            return None
        self.pending = []
        frame: dict[str, Any] = {**self.envelope, "choices": [self.end(answer, word)]}
        return patched(frame, patch) if patch else frame

    def count(self, event: Event, patch: Mapping[str, Any]) -> dict[str, Any]:
        """Return the chunk that counts what the answers cost, and says nothing else."""
        frame = {**self.envelope, "usage": self.counted(event), "choices": []}
        return patched(frame, patch) if patch else frame

    def usual(self, choice: dict[str, Any]) -> Answer | None:
        """Return the one answer where its text stands in its usual place, and the choice is as before but for it."""
        answer = self.answers.get(0)
        if answer is None or answer.opening or answer.content != STRING or answer.content_repeats:
            return None
        if type(choice.get("index")) is not int or type(answer.choice.get("index")) is not int:
            return None
        same = {**answer.choice, "delta": choice.get("delta")} == choice
        return answer if same and "text" not in choice and "message" not in choice and calm(choice, OWN) else None

    def learn_text(self, frame: dict[str, Any], choice: dict[str, Any], answer: Answer, event: Event) -> None:
        """Take note of a chunk that continues the one before, and says a usual piece of content and nothing else."""
        self.envelope = envelope = dict(frame)
        envelope.pop(PADDING, None)
        envelope["choices"] = ()
        answer.choice = beside = dict(choice)
        answer.delta = delta = dict(beside.pop("delta"))
        del delta["content"]
        answer.earlier = None
        plain = self.plain[0] = PlainChunk(Piece(event, "content"), envelope, choice)
        plain.padded = PADDING in frame
        self._last = answer

    def learn(self, frame: Frame) -> None:
        """Take note of what the chunk became: the next is expected to be like it.

        Nothing is learnt from a chunk that only ends answers, or counts what they cost: it is the last of its kind.
        """
        if type(frame) is not dict or frame.get("error"):
            return
        groups = self._groups
        if not groups or (groups[0].ends and all(group.ends for group in groups)):
            for group in groups:
                self.plain.pop(group.answer.which, None)
            return
        choices = frame.get("choices")
        envelope = dict(frame)
        envelope.pop(PADDING, None)
        envelope["choices"] = ()
        if type(frame.get("usage")) is dict:
            if self.envelope.get("usage", 0) is None:
                envelope["usage"] = None
            else:
                del envelope["usage"]
        if envelope != self.envelope:
            self.plain = {}
            self.calm = calm(envelope, _COUNTED)
        self.envelope = envelope
        if type(choices) is not list:
            return
        for group, choice in zip(groups, choices, strict=False):
            self.plain.pop(group.answer.which, None)
            if type(choice) is dict:
                group.learn(choice)
        if len(groups) == 1 and len(choices) == 1 and type(choices[0]) is dict:
            self._note_plain(frame, choices[0], groups[0])

    def _note_plain(self, frame: dict[str, Any], choice: dict[str, Any], group: Group) -> None:
        """Note what a chunk is like that says the next piece of a text, or of a call, and nothing else."""
        alone = group.piece_alone() if self.calm and type(frame.get("created")) is int else None
        if alone is not None:
            plain = plain_chunk(alone, self.envelope, choice, padded=PADDING in frame)
            if plain is not None:
                group.answer.earlier = None
                self.plain[group.answer.which] = plain


def _repeats(event: Event) -> bool:
    """Tell whether an event only says again what chunks have said.

    These are the end of a block, a spoken answer as a whole, and a text that is empty.
    """
    kind = event["type"]
    if kind == "content":
        return not event["text"]
    return bool(kind == "block_end" or (kind == "part" and event["part"]["type"] != "opaque"))


def _error(event: Event) -> dict[str, Any]:
    code = event.get("code")
    return {"message": event.get("message", ""), "type": code, "param": None, "code": code}
