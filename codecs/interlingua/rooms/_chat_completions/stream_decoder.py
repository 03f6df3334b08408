"""Chat Completions to canonical: streams. One chunk may hold several events, of several answers.

Source: docs/wire/openai_chat.md, section 3; docs/design.md, section 6.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.rooms._chat_completions.accents import DETAILS
from interlingua.rooms._chat_completions.decode_answer import decode_usage
from interlingua.rooms._chat_completions.stream_choice import Choices
from interlingua.rooms._chat_completions.stream_chunk import ALTERNATIVE, CHUNK, PADDING
from interlingua.rooms._chat_completions.stream_encoder import StreamEncoder
from interlingua.rooms._chat_completions.stream_places import (
    REASONING,
    detail_text,
    reasoning_said,
)
from interlingua.rooms._chat_completions.stream_signed import carried_paths, is_signed
from interlingua.rooms._shared.patch import difference, unknown
from interlingua.rooms._shared.stream import MORE, SILENT, FrameReader, noted, spelled, spelling
from interlingua.spi.reading import OBJECT, Malformed, expect

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.loss import LossLog
    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.rooms._shared.stream import Event
    from interlingua.rooms._shared.template import TextPieces

DONE: Final = "[DONE]"
_CALL: Final[Mapping[str, Any]] = MappingProxyType({
    "index": None, "id": str, "type": str,
    "function": {"name": str, "arguments": None},
    "custom": {"name": str, "input": None},
})  # fmt: skip
_PART: Final[Mapping[str, Any]] = MappingProxyType({
    "": ("type", {"text": {"type": None, "text": str}, "thinking": {"type": None, "thinking": (str, {"": ("type", {
        "text": {"type": None, "text": None},
    })})}})
})  # fmt: skip
_DELTA: Final[Mapping[str, Any]] = MappingProxyType({
    **dict.fromkeys(REASONING, str),
    **dict.fromkeys(("role", "refusal"), str),
    "content": (str, _PART),
    "tool_calls": _CALL,
    "function_call": {"name": str, "arguments": None},
    "audio": dict,
    "annotations": None,
    DETAILS: dict.fromkeys(("type", "text", "summary", "index", "format", "id")),
})  # fmt: skip
# What a chunk holds: events say it, or it says nothing.
_KNOWN: Final[Mapping[str, Any]] = MappingProxyType({
    **dict.fromkeys(("id", "object", "model", PADDING), str),
    "created": int,
    "choices": {
        "index": None, "finish_reason": None, "logprobs": dict, "delta": _DELTA, "text": str, "message": dict,
    },
    "usage": dict,
    "error": (str, dict.fromkeys(("message", "type", "code", "param"))),
})  # fmt: skip

_PLACES: Final[Mapping[str, int]] = MappingProxyType({"error": 1, "block_end": 2, "finish": 2, "usage": 2})


class StreamDecoder(FrameReader[StreamEncoder]):
    """Reads the chunks of a stream; each room of the family names its dialect and vendor."""

    KNOWN: ClassVar[Mapping[str, Any]] = _KNOWN
    FREE: ClassVar[str] = PADDING
    vendor: ClassVar[Vendor]

    def __init__(self, writer: Callable[[LossLog], StreamEncoder]) -> None:
        super().__init__(writer)
        self._started = False
        self._begun = False  # whether a start was ever said
        self._choices = Choices(self.vendor, 0)

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return what keeps the pieces of a text or of a call."""
        read = self._choices.held(event)
        written = () if self.abroad else self._writer.held(event)
        return None if read is None or written is None else (*read, *written)

    def beyond(self, frame: dict[str, Any]) -> Sequence[str]:
        """Return where the members of a chunk stand that nobody knows, or that say another text than is taken."""
        paths = unknown(frame, self.known)
        if paths and self.vendor.stop_words:
            # One that is said stands in its event.
            paths = [
                path
                for path in paths
                if path != "/choices/stop_reason" or type(frame["choices"][0].get("stop_reason")) is not str
            ]
        if paths and self.vendor.details:
            told = carried_paths(frame)
            paths = [path for path in paths if path not in told]
        for choice in frame.get("choices") or ():
            said = _said_otherwise(choice)
            if said:
                paths = [*paths, *said]
        return paths

    def read(self, frame: Any) -> list[Event]:
        """Return the events of a chunk; what is no chunk is kept as it is. Raises `Malformed`."""
        if type(frame) is dict:
            return self._chunk(frame)
        if frame != DONE:
            expect(frame, (str, dict))
        return self._done() if frame == DONE and (self.finished or self._choices.whole) else self.opaque(frame)

    def finish(self) -> list[Event]:
        """Return the event that ends a stream without `[DONE]`."""
        start = (
            [] if self._begun else [spelled({"type": "start", "dialect": self.dialect}, self.dialect, "frame", SILENT)]
        )
        end = spelled({"type": "end", "complete": self.finished}, self.dialect, "end", "absent")
        return [*start, *self._choices.rest(), end]

    def _done(self) -> list[Event]:
        """Return the end that the provider has marked; some, and OpenAI's spoken answers, give no reason before it."""
        self._started = False  # a chunk behind it begins anew
        return [*self._choices.rest(), *self.predicted({"type": "end", "complete": True})]

    def _chunk(self, frame: dict[str, Any]) -> list[Event]:
        choices, error, usage = frame.get("choices"), frame.get("error"), frame.get("usage")
        if choices is None and not error and type(usage) is not dict and frame.get("object") != CHUNK:
            return self.opaque(frame)
        events = self._choices_of(choices) if choices else []
        if type(usage) is dict:
            events.append({"type": "usage", "usage": decode_usage(usage, self.vendor)})
        if error:
            events.append(self._error(error))
        # What comes before the first label of an answer (Azure's filter of the prompt) is not yet its start.
        if not self._started and (choices or (frame.get("id") and (frame.get("model") or not self.abroad))):
            self._started = self._begun = True
            events.insert(0, self._start(frame))
        if not events:
            events.append({"type": "state"})
        self.finished = self._choices.finished
        if self.abroad:
            return _unfinished(events) if error else events
        for event in events[:-1]:
            if "frame" not in spelling(event, self.dialect):
                spelled(event, self.dialect, "frame", MORE)
        chunks = self._writer.chunks
        patch = difference(chunks.chunk(events), frame)
        if patch:
            noted(events[-1], self.dialect, "frame", patch)
        chunks.learn(frame)
        return events

    def _start(self, frame: dict[str, Any]) -> Event:
        event: Event = {"type": "start", "dialect": self.dialect}
        for name, kind in (("id", str), ("model", str), ("created", int)):
            if type(frame.get(name)) is kind:
                event[name] = frame[name]
        return event

    def _error(self, error: Any) -> Event:
        from interlingua.rooms._shared.stream_errors import error_event  # noqa: PLC0415  # most streams have none

        return error_event({"error": error}, self._writer.error_form())

    def _choices_of(self, choices: Any) -> list[Event]:
        expect(choices, (list,), "choices")
        chunks = None if self.abroad else self._writer.chunks
        if not self._started:
            if chunks is not None:
                chunks.answers = {}
            self._choices = Choices(self.vendor, self._choices.opened)
        self._choices.chunks = chunks
        events: list[Event] = []
        for position, choice in enumerate(choices):
            if events and not self.abroad:
                spelled(events[-1], self.dialect, "frame", ALTERNATIVE)
            try:
                events.extend(self._choices.read(expect(choice, OBJECT), position))
            except Malformed as malformed:
                raise malformed.under("choices", position) from None
        return events


def _unfinished(events: list[Event]) -> list[Event]:
    """Return the events of a chunk with an error, which comes before the ends of blocks: nothing is whole."""
    return sorted(events, key=lambda event: _PLACES.get(event["type"], 0))


def _said_otherwise(choice: Any) -> list[str]:
    """Return where a choice says a text beside its delta, or a second thought, that is not the one that is taken."""
    delta = choice.get("delta") if type(choice) is dict else None
    if type(delta) is not dict:
        return []
    paths: list[str] = []
    if choice.get("text") and choice["text"] != (delta.get("content") or ""):
        paths.append("/choices/text")
    if not REASONING.isdisjoint(delta):
        text, _, _ = reasoning_said(delta, details=True)
        for name in REASONING & delta.keys():
            if name == DETAILS and is_signed(delta):
                continue  # it says a thought again
            detail = detail_text(delta[name]) if name == DETAILS else None
            said = delta[name] if name != DETAILS else detail and detail[1]
            if said and said != text:
                paths.append(f"/choices/delta/{name}")
    return paths
