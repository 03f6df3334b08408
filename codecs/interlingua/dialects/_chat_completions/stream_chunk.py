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
from interlingua.dialects._chat_completions.stream_plain import PADDING, PlainChunk, calm, plain_chunk
from interlingua.dialects._shared.stream import MORE, spelling
from interlingua.dialects._shared.target import Target
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.stream import Event, Frame

OTHER: Final = "alternative"
_LABELS: Final = ("id", "created", "model")
_COUNTED: Final = frozenset({"choices", "created"})
_TOGETHER: Final = frozenset({MORE, OTHER})


class Chunks:
    """Writes the events of a stream as chunks, each as the one before it."""

    def __init__(self, vendor: Vendor) -> None:
        self._vendor = vendor
        self.pending: list[Event] = []
        self._groups: list[Group] = []
        self.answers: dict[int, Answer] = {}
        self.envelope: dict[str, Any] = {"object": "chat.completion.chunk", "choices": []}
        self._last: Answer | None = None
        self.plain: dict[int, PlainChunk] = {}
        self.calm = False  # whether all of the envelope but `created` are texts or null

    def write(self, event: Event) -> list[Frame]:
        """Return the chunk of an event, together with those that came in one chunk with it."""
        self.pending.append(event)
        if spelling(event, self._vendor.dialect).get("frame") in _TOGETHER:
            return []
        events, self.pending = self.pending, []
        if all(_repeats(one) for one in events):
            return []
        return [self.chunk(events)]

    def bare(self) -> dict[str, Any] | None:
        """Return the chunk that says nothing and has no choices, or None where it cannot be like the one before."""
        one = self.calm and type(self.envelope.get("created")) is int and len(self.answers) == 1 and 0 in self.answers
        if not one:
            return None
        frame = dict(self.envelope)
        del frame["choices"]
        return frame

    def flush(self) -> list[Frame]:
        """Return the chunk of events that were cut off from those that came with them."""
        events, self.pending = self.pending, []
        return [self.chunk(events)] if any(event["type"] != "start" and not _repeats(event) for event in events) else []

    def chunk(self, events: list[Event]) -> dict[str, Any]:
        """Return the chunk that is expected for events that came together."""
        frame: dict[str, Any] | None = None
        self._groups = []
        group: Group | None = None
        for event in events:
            kind = event["type"]
            if kind == "start":
                self._begin(event)
            elif kind == "usage":
                frame = frame or {**self.envelope}
                frame["usage"] = self._usage(event)
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

    def _begin(self, start: Event) -> None:
        self.answers, self.plain, self._last = {}, {}, None
        labels: dict[str, Any] = {name: start[name] for name in _LABELS if name in start}
        self.envelope = {**labels, "object": "chat.completion.chunk", "choices": []}

    def _group(self, event: Event) -> Group:
        which = event.get("alternative", 0)
        answer = self.answers.get(which)
        if answer is None:
            answer = self.answers[which] = Answer(self._vendor, which, self._last)
        self._last = answer
        group = Group(answer)
        self._groups.append(group)
        return group

    def _usage(self, event: Event) -> dict[str, Any]:
        target = Target(self._vendor.dialect, home=True, answer=True, log=LossLog())
        return encode_usage(event["usage"], self._vendor, target)

    def learn(self, frame: Frame) -> None:
        """Take note of what the chunk became: the next is expected to be like it.

        Nothing is learnt from a chunk that only ends answers, or counts what they cost: it is the last of its kind.
        """
        if type(frame) is not dict or frame.get("error"):
            return
        if all(group.ends for group in self._groups):
            for group in self._groups:
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
            self.calm = calm(value for name, value in envelope.items() if name not in _COUNTED)
        self.envelope = envelope
        if type(choices) is not list:
            return
        for group, choice in zip(self._groups, choices, strict=False):
            self.plain.pop(group.answer.which, None)
            if type(choice) is dict:
                group.learn(choice)
        if len(self._groups) == 1 and len(choices) == 1 and type(choices[0]) is dict:
            self._note_plain(frame, choices[0], self._groups[0])

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
    kind: str = event["type"]
    return (
        kind == "block_end"
        or (kind == "part" and bool(event["part"]["type"] != "opaque"))
        or (kind == "content" and not event["text"])
    )


def _error(event: Event) -> dict[str, Any]:
    code = event.get("code")
    return {"message": event.get("message", ""), "type": code, "param": None, "code": code}
