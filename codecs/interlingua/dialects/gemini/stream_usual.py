"""The chunks that nearly every stream of Gemini's begins and ends with: one text of one answer, and all that counts.

Short streams have no others. What the general way finds out in many steps is read here in one go: the events, and what
of the chunk is not what would be written for them.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from interlingua.dialects._shared.patch import difference
from interlingua.dialects._shared.reading import Malformed
from interlingua.dialects._shared.stream import MORE, FrameReader, noted, spelled
from interlingua.dialects.gemini.finish import reason_of
from interlingua.dialects.gemini.snake import CANDIDATE, RESPONSE, USAGE
from interlingua.dialects.gemini.stream_encoder import StreamEncoder
from interlingua.dialects.gemini.stream_usage import UsageReader
from interlingua.dialects.gemini.tables import DIALECT, FINISH_WORDS, MODEL
from interlingua.loss import LossLog

if TYPE_CHECKING:
    from interlingua.dialects._shared.stream import Event
    from interlingua.dialects.gemini.stream_partial import PartialCall

LABELS: Final = (("responseId", "id"), ("modelVersion", "model"))
_CHUNK_OWN: Final = frozenset({"candidates", "usageMetadata"})
_CANDIDATE_OWN: Final = frozenset({"content", "finishReason", "index"})


class Said(NamedTuple):
    """The one text of a chunk, and why its answer ended, empty where it goes on."""

    kind: str
    text: str
    signature: str
    reason: str


class UsualReader(FrameReader[StreamEncoder]):
    """What a reader knows of its stream, and its way with usual chunks."""

    dialect: ClassVar[str] = DIALECT

    def __init__(self) -> None:
        super().__init__(StreamEncoder(LossLog()))
        self._started = False
        self._opened = 0
        self._open: dict[int, tuple[str, int]] = {}  # the text of each answer that may go on: its kind and block
        self._partial: dict[int, PartialCall] = {}
        self._called: dict[int, int | None] = {}
        self._answering: set[int] = set()  # answers that have not finished
        self._snake: set[str] = set()
        self._usage = UsageReader()
        # The members of a chunk that says one thing as the last one did, with and without counts, and of its candidate.
        self._head: dict[str, str] = {}
        self._members = self._counted = self._candidate_members = frozenset[str]()

    def _usual(self, frame: dict[str, Any]) -> list[Event] | None:
        """Return the events of a chunk that says one text, or None for another one, of which nothing is taken."""
        candidates, wire = frame.get("candidates"), frame.get("usageMetadata")
        if type(candidates) is not list or len(candidates) != 1 or type(candidates[0]) is not dict:
            return None
        if self._snake or self._partial or not RESPONSE.camel.keys().isdisjoint(frame):
            return None
        candidate = candidates[0]
        said = _said(candidate)
        if said is None or not self._continues(frame, candidate, said):
            return None
        usage: dict[str, Any] | None = None
        if "usageMetadata" in frame:
            if type(wire) is not dict or not USAGE.camel.keys().isdisjoint(wire):
                return None
            try:
                usage = self._usage.read(wire)
            except Malformed:
                return None
        events = [] if self._started else [self._begun(frame, candidate)]
        first = len(events)
        events.extend(self._texts(said))
        if events[first]["type"] == "block_end":
            first += 1
        self._finish(said, events)
        inner: dict[str, Any] = {}
        if usage is not None:
            events.append({"type": "usage", "usage": usage})
            inner = difference(self._writer.counted(usage), wire)
            self._usage.exact = not inner
        for event in events[0 if events[0]["type"] == "start" else first : -1]:
            spelled(event, DIALECT, "frame", MORE)
        patch = self._patch(frame, candidate, inner)
        if patch:
            noted(events[-1], DIALECT, "frame", patch)
        self._called[0] = None
        self._writer.said()
        self._know_head()
        return events

    def _continues(self, frame: dict[str, Any], candidate: dict[str, Any], said: Said) -> bool:
        """Tell whether a chunk is as it is expected to be but for what it says, or begins the stream as most do."""
        if not said.text and not said.signature:  # it goes on with a text, or is none
            opened = self._open.get(0)
            if opened is None or opened[0] != said.kind or self._called.get(0) is not None:
                return False
        if not self._started:
            return "createTime" not in frame and all(type(frame.get(name, "")) is str for name, _ in LABELS)
        if ("index" in candidate) is not self._writer.indexed:
            return False
        for name, value in self._writer.head.items():  # noqa: SIM110  # a generator costs more than what it does
            if frame.get(name) != value:
                return False
        return True

    def _begun(self, frame: dict[str, Any], candidate: dict[str, Any]) -> Event:
        """Return the start that a chunk says."""
        self._started = True
        event: Event = {"type": "start", "dialect": DIALECT}
        for wire, member in LABELS:
            if wire in frame:
                event[member] = frame[wire]
        if "index" not in candidate:
            spelled(event, DIALECT, "absent", ["index"])
        self._writer.write(event)
        return event

    def _texts(self, said: Said) -> list[Event]:
        """Return the events of a text; one that is signed stays alone."""
        opened = self._open.get(0)
        if opened is not None and opened[0] == said.kind and not said.signature:
            return [{"type": said.kind, "block": opened[1], "text": said.text}]
        block = self._opened
        self._opened += 1
        events: list[Event] = [] if opened is None else [{"type": "block_end", "block": opened[1]}]
        events.append({"type": said.kind, "block": block, "text": said.text})
        if not said.signature:
            self._open[0] = (said.kind, block)
            return events
        if opened is not None:
            del self._open[0]
        state = {"type": "state", "block": block, "extra": {DIALECT: {"signature": said.signature}}}
        return [*events, state, {"type": "block_end", "block": block}]

    def _finish(self, said: Said, events: list[Event]) -> None:
        """Add why the answer ended, if it did."""
        if not said.reason:
            self._answering.add(0)
            return
        if 0 in self._open:
            events.append({"type": "block_end", "block": self._open.pop(0)[1]})
        events.append({"type": "finish", "reason": said.reason})
        self._answering.discard(0)
        self.finished = True

    def _patch(self, frame: dict[str, Any], candidate: dict[str, Any], counts: dict[str, Any]) -> dict[str, Any]:
        """Return what is to be changed of the chunk that would be written; `counts`: of what it counts."""
        head = self._writer.head
        beside = {name: value for name, value in frame.items() if name not in head and name not in _CHUNK_OWN}
        within = {name: value for name, value in candidate.items() if name not in _CANDIDATE_OWN}
        patch: dict[str, Any] = {"put": beside} if beside else {}
        if within or counts:
            inside: dict[str, Any] = {}
            for name in frame:  # in its order
                if name == "candidates" and within:
                    inside[name] = {"in": {"0": {"put": within}}}
                elif name == "usageMetadata" and counts:
                    inside[name] = counts
            patch["in"] = inside
        return patch

    def _know_head(self) -> None:
        """Take note of what a plain chunk is like from now on."""
        head = self._writer.head
        if self._snake or head is self._head:
            return
        self._head = head
        self._members = frozenset({"candidates", *head})
        self._counted = frozenset({"candidates", "usageMetadata", *head})
        self._candidate_members = frozenset({"content", "index"} if self._writer.indexed else {"content"})


def _said(candidate: dict[str, Any]) -> Said | None:
    """Return what a candidate says that says one text in the usual form, or None for another one."""
    content, word = candidate.get("content"), candidate.get("finishReason", "")
    if type(content) is not dict or len(content) != 2 or content.get("role") != MODEL or type(word) is not str:
        return None
    index = candidate.get("index", 0)
    if type(index) is not int or index or not CANDIDATE.camel.keys().isdisjoint(candidate):
        return None
    reason = ""
    if "finishReason" in candidate:
        reason = reason_of(word, ())
        if FINISH_WORDS[reason][0] != word:
            return None
    parts = content.get("parts")
    if type(parts) is not list or len(parts) != 1 or type(parts[0]) is not dict:
        return None
    part = parts[0]
    text = part.get("text")
    if type(text) is not str:
        return None
    if len(part) == 1:
        return Said("content", text, "", reason)
    if len(part) != 2:
        return None
    if part.get("thought") is True:
        return Said("reasoning", text, "", reason) if text else None
    signature = part.get("thoughtSignature")
    return Said("content", text, signature, reason) if type(signature) is str and signature else None
