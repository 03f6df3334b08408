"""Chat Completions to canonical: streams. One chunk may hold several events, of several answers.

Source: docs/wire/openai_chat.md, section 3; docs/design.md, section 6.
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.rooms._chat_completions.decode_answer import decode_usage
from interlingua.rooms._chat_completions.decode_part import decode_citations, decode_pictures
from interlingua.rooms._chat_completions.search_sources import MEMBERS as SOURCES
from interlingua.rooms._chat_completions.stream_calls import Call, Calls, read_fragment
from interlingua.rooms._chat_completions.stream_choice import AUDIO, Choices
from interlingua.rooms._chat_completions.stream_chunk import ALTERNATIVE, CHUNK, CLOUDFLARES_PADDING, PADDING
from interlingua.rooms._chat_completions.stream_encoder import StreamEncoder
from interlingua.rooms._chat_completions.stream_places import (
    REASONING,
    USAGE_PLACES,
    content_member,
    detail_text,
    reasoning_in,
    usage_of,
)
from interlingua.rooms._chat_completions.stream_state_events import ThinkingBlocks, carried_paths, is_signed
from interlingua.rooms._chat_completions.vendor_extensions import (
    BLOCKS,
    DETAIL_TEXTS,
    DETAILS,
    OPAQUE_STATE,
    REASONING_MEMBERS,
)
from interlingua.rooms._shared.joining import NOTHING, FirstSaid, Items, LastSaid, LeftOut, Members, Numbered, Text
from interlingua.rooms._shared.patch import difference, unknown
from interlingua.rooms._shared.stream_notes import MORE, SILENT, noted, spelled, spelling
from interlingua.rooms._shared.stream_reader import FrameReader
from interlingua.spi.reading import OBJECT, Malformed, expect
from interlingua.tool_arguments import exact_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.rooms._shared.joining import Table
    from interlingua.rooms._shared.stream_template import TextPieces
    from interlingua.rooms._shared.stream_writer import Event, Frame

DONE: Final = "[DONE]"
_CALL: Final[Mapping[str, Any]] = {
    "index": None, "id": str, "type": str,
    "function": {"name": str, "arguments": None},
    "custom": {"name": str, "input": None},
}  # fmt: skip
_PART: Final[Mapping[str, Any]] = {
    "": ("type", {"text": {"type": None, "text": str}, "thinking": {"type": None, "thinking": (str, {"": ("type", {
        "text": {"type": None, "text": None},
    })})}})
}  # fmt: skip
_DELTA: Final[Mapping[str, Any]] = {
    **dict.fromkeys(REASONING, str),
    **dict.fromkeys(("role", "refusal", OPAQUE_STATE), str),
    "content": (str, _PART),
    "tool_calls": _CALL,
    "function_call": {"name": str, "arguments": None},
    "audio": dict,
    "images": list,
    "annotations": None,
    DETAILS: dict.fromkeys(("type", "text", "summary", "index", "format", "id")),
}  # fmt: skip
_ERROR: Final = (str, dict.fromkeys(("message", "type", "code", "param")))
_CHOICE_MEMBERS: Final[Mapping[str, Any]] = {
    "index": None, "finish_reason": None, "logprobs": dict, "delta": _DELTA, "text": str, "message": dict,
    "error": _ERROR,
}  # fmt: skip
# Members of a chunk that events cover, or that carry no information.
_KNOWN: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("id", "object", "model", PADDING, CLOUDFLARES_PADDING), str),
    "created": int,
    "choices": _CHOICE_MEMBERS,
    "usage": dict,
    "x_groq": {},
    "error": _ERROR,
}  # fmt: skip

_PLACES: Final[Mapping[str, int]] = MappingProxyType({"error": 1, "block_end": 2, "finish": 2, "usage": 2})


class StreamDecoder(FrameReader[StreamEncoder]):
    """Reads the chunks of a stream of a vendor's."""

    KNOWN: ClassVar[Mapping[str, Any]] = _KNOWN
    FREE: ClassVar[str] = PADDING

    def __init__(self, vendor: Vendor) -> None:
        self.vendor, self.dialect = vendor, vendor.dialect
        super().__init__(partial(StreamEncoder, vendor))
        self._started = False
        self._begun = False  # whether there was ever a start event
        self._choices = Choices(vendor, 0)
        self._beside: dict[str, Any] = {}  # the members beside the choices of the last chunk

    def held(self, event: Event) -> tuple[TextPieces, ...] | None:
        """Return the collectors of the pieces of a text or a call."""
        read = self._choices.held(event)
        written = () if self.abroad else self._writer.held(event)
        return None if read is None or written is None else (*read, *written)

    def beyond(self, frame: dict[str, Any]) -> Sequence[str]:
        """Return the paths of unknown members of a chunk, and of texts that differ from the one that is used."""
        choices, beside = frame.get("choices"), {**frame}
        if type(choices) is list:
            del beside["choices"]
        if type(beside.get(PADDING)) is str:
            del beside[PADDING]
        paths: Sequence[str] = ()
        if beside != self._beside or type(beside.get("created")) is not type(self._beside.get("created")):
            paths, self._beside = unknown(beside, self.known), beside  # most are the same in all chunks
        for choice in _as_deltas(choices) if choices else ():
            said = unknown(choice, _CHOICE_MEMBERS)
            if said:
                paths = [*paths, *("/choices" + path for path in said)]
        if paths and self.vendor.stop_words:
            # A text is in its event.
            paths = [
                path
                for path in paths
                if path != "/choices/stop_reason" or type(frame["choices"][0].get("stop_reason")) is not str
            ]
        sources = self._choices.sources
        if sources is not None:
            paths = [*(path for path in paths if path not in sources.paths), *sources.lost]
        if paths and type(usage_of(frame)) is dict:
            paths = [path for path in paths if path not in USAGE_PLACES]
        if paths and self.vendor.details:
            told = carried_paths(frame)
            paths = [path for path in paths if path not in told]
        for choice in choices or ():
            said = _unsaid(choice, self.vendor)
            if said:
                paths = [*paths, *said]
        return paths

    def read(self, frame: Any) -> list[Event]:
        """Return the events of a chunk; any other frame becomes an opaque event. Raises `Malformed`."""
        if type(frame) is dict:
            return self._chunk(frame)
        if frame != DONE:
            expect(frame, (str, dict))
        return self._done() if frame == DONE and self._choices.whole else self.opaque(frame)

    def finish(self) -> list[Event]:
        """Return the events that end a stream without `[DONE]`."""
        start = (
            [] if self._begun else [spelled({"type": "start", "dialect": self.dialect}, self.dialect, "frame", SILENT)]
        )
        end = spelled({"type": "end", "complete": self._choices.finished}, self.dialect, "end", "absent")
        return [*start, *self._rest(end), end]

    def _done(self) -> list[Event]:
        """Return the end event for `[DONE]`; some servers, and OpenAI's audio answers, send no finish reason."""
        self._started = False  # a chunk behind it begins a new answer
        end: Event = {"type": "end", "complete": True}
        return [*self._rest(end), *self.predicted(end)]

    def _rest(self, end: Event) -> list[Event]:
        """Return the events that are pending at the end; for another dialect, that notes the sources of no text."""
        events, sources = self._choices.rest(), self._choices.sources
        if sources is not None and self._tells_unknown:
            new = [path for path in sources.uncited() if path not in self._unknown]
            if new:
                noted(end, self.dialect, "frame", {"unknown": new})
        return events

    def _chunk(self, frame: dict[str, Any]) -> list[Event]:
        choices, error, usage = frame.get("choices"), frame.get("error"), usage_of(frame)
        if choices is None and not error and type(usage) is not dict and frame.get("object") != CHUNK:
            return self.opaque(frame)
        events = self._choices_of(choices, frame) if choices else self._sources_of(frame)
        waiting = self._choices.waiting if choices and (usage or not events) else []
        if type(usage) is dict:
            (waiting or events).append({"type": "usage", "usage": decode_usage(usage, self.vendor)})
        if choices and not error:  # OpenRouter also has errors in a choice
            error = choices[0].get("error")
        if error:
            events.append(self._error(error, frame))
        # What comes before the labels of an answer (Azure's prompt filter) is not its start yet.
        if not self._started and (choices or (frame.get("id") and (frame.get("model") or not self.abroad))):
            self._started = self._begun = True
            events.insert(0, self._start(frame))
        if waiting and not events:
            self.note_unknown(waiting[-1], frame)
            return []
        if not events or (not choices and events[-1]["type"] == "citation"):
            events.append({"type": "state"})
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
            if type(frame.get(name)) is kind and (frame[name] or name != "id"):  # "" of Hugging Face is none
                event[name] = frame[name]
        return event

    def _error(self, error: Any, frame: dict[str, Any]) -> Event:
        """Return the event of an error; if it is a text, its code stands beside it (xAI)."""
        beside = {"code": frame["code"]} if type(error) is str and type(frame.get("code")) is str else {}
        return self.error_event({"error": error, **beside})

    def _sources_of(self, frame: dict[str, Any]) -> list[Event]:
        """Take the sources beside the choices; return their citations if the answer has ended, as it has for xAI's."""
        return [] if SOURCES.isdisjoint(frame) else self._choices.take_sources(frame)

    def _choices_of(self, choices: Any, frame: dict[str, Any]) -> list[Event]:
        expect(choices, (list,), "choices")
        chunks = None if self.abroad else self._writer.chunks
        if not self._started:
            if chunks is not None:
                chunks.answers = {}
            if self._begun:
                self._choices = Choices(self.vendor, self._choices.opened)
        self._choices.chunks = chunks
        events = self._sources_of(frame)
        for position, choice in enumerate(choices):
            if position and not self.abroad:
                spelled(events[-1], self.dialect, "frame", ALTERNATIVE)
            try:
                events.extend(self._choices.read(expect(choice, OBJECT), position))
            except Malformed as malformed:
                raise malformed.under("choices", position) from None
        return events


def _unfinished(events: list[Event]) -> list[Event]:
    """Return the events of a chunk with the error before the ends of blocks, since these are incomplete."""
    return sorted(events, key=lambda event: _PLACES.get(event["type"], 0))


# Lists beside the content that are read completely or not at all.
_BESIDE: Final[Mapping[str, Callable[[Any, Vendor], Any]]] = MappingProxyType(
    {"images": decode_pictures, "annotations": decode_citations}
)


def _as_deltas(choices: Any) -> Any:
    """Return choices with a whole message as the delta of the first; any others as they are."""
    first = choices[0] if type(choices) is list else None
    if type(first) is not dict or content_member(first) == "delta":
        return choices
    return [{**first, "delta": first["message"]}, *choices[1:]]


def _unsaid(choice: Any, vendor: Vendor) -> list[str]:
    """Return the paths in a choice that its events do not cover.

    These are a text beside the delta or a second reasoning that differ from the one that is used, and unreadable images
    and annotations.
    """
    if type(choice) is not dict:
        return []
    member = content_member(choice)
    delta = choice.get(member)
    if type(delta) is not dict:
        return []
    paths: list[str] = []
    if choice.get("text") and choice["text"] != (delta.get("content") or ""):
        paths.append("/choices/text")
    if not _BESIDE.keys().isdisjoint(delta):
        for name, decode in _BESIDE.items():
            if delta.get(name) and decode(delta[name], vendor) is None:
                paths.append(f"/choices/{member}/{name}")
    if not REASONING.isdisjoint(delta):
        text, _, _ = reasoning_in(delta, details=True)
        for name in REASONING & delta.keys():
            if name == DETAILS and is_signed(delta):
                continue  # it repeats a thought
            detail = detail_text(delta[name]) if name == DETAILS else None
            said = delta[name] if name != DETAILS else detail and detail[1]
            if said and said != text:
                paths.append(f"/choices/{member}/{name}")
    return paths


def assemble_stream(frames: Iterable[Frame]) -> dict[str, Any]:
    """Assemble a completion from the chunks that our encoder wrote; a chunk behind `[DONE]` begins a new one."""
    completion = _Completion()
    done = False
    for frame in frames:
        if type(frame) is str:
            done = True
        elif type(frame) is dict and _is_of_answer(frame):
            usage = usage_of(frame)
            if type(usage) is dict:
                frame = {**frame, "usage": usage}  # noqa: PLW2901  # moved to its usual place
            if done:
                completion, done = _Completion(), False
            completion.take(frame)
    return completion.made()


def _is_of_answer(frame: dict[str, Any]) -> bool:
    choices = frame.get("choices")
    if frame.get("error") and not choices:
        return False
    return type(choices) is list or type(frame.get("usage")) is dict


class _Completion:
    """A completion that grows by chunks."""

    def __init__(self) -> None:
        self._choices = Numbered(_Choice, _index)
        self._members = Members({**_COMPLETION, "choices": lambda: self._choices}, nulls=False)

    def take(self, chunk: dict[str, Any]) -> None:
        """Take a chunk."""
        self._members.take(chunk)

    def made(self) -> dict[str, Any]:
        """Return the whole completion."""
        choices = [{"index": index, **choice.made()} for index, choice in sorted(self._choices.grown.items())]
        out = {**self._members.made(), "object": "chat.completion", "choices": choices}
        if not out.get("usage") or type(out["usage"]) is not dict:
            out.pop("usage", None)
        return out


def _index(choice: dict[str, Any], position: int) -> Any:
    index = choice.get("index")
    return position if index is None else index


class _Choice:
    """A choice that grows. A call ends with the reason why the answer ended: what comes later is another."""

    def __init__(self) -> None:
        self._calls = _Fragments()
        message = Members({**_MESSAGE, "tool_calls": lambda: self._calls})
        self._members = Members({**_CHOICE, "delta": lambda: message})

    def take(self, choice: dict[str, Any]) -> bool:
        """Take what a chunk says of the answer."""
        name = content_member(choice)
        self._members.take({**choice, "delta": choice[name]} if name != "delta" else choice)
        if choice.get("finish_reason"):
            self._calls.end()
        return True

    def made(self) -> dict[str, Any]:
        """Return the whole choice."""
        out = {"finish_reason": None, **self._members.made()}
        delta = out.pop("delta", None)
        said = delta if type(delta) is dict else {}
        return {**out, "message": {"role": "assistant", "content": None, **said}}


# Type of a part that grows -> its member with the text.
_GROWING: Final[Mapping[str, str]] = MappingProxyType({"text": "text", "thinking": "thinking", "reasoning": "summary"})


class _Content:
    """A content that grows: a text, or the parts of a list."""

    def __init__(self) -> None:
        self._pieces: list[str] | None = None
        self._parts: list[tuple[dict[str, Any], str, list[str]]] | None = None

    def take(self, value: Any) -> bool:
        """Take a piece; what is neither says nothing."""
        if type(value) is str:
            if self._parts is not None:
                if value:
                    self._add_part({"type": "text", "text": value})
            else:
                if self._pieces is None:
                    self._pieces = []
                self._pieces.append(value)
        elif type(value) is list:
            if self._parts is None:
                self._parts = []
                if any(self._pieces or ()):
                    self._add_part({"type": "text", "text": "".join(self._pieces or ())})
            for part in value:
                self._add_part(part)
        return True

    def _add_part(self, part: Any) -> None:
        if self._parts is None or type(part) is not dict:
            return
        said = part.get("type")
        kind = _GROWING.get(said, "") if type(said) is str else ""
        text = part.get(kind)
        if type(text) is list and len(text) == 1 and type(text[0]) is dict:
            text = text[0].get("text")
        if type(text) is str and self._parts and self._parts[-1][1] == kind:
            shape, _, pieces = self._parts[-1]
            shape |= part
            pieces.append(text)
        else:
            pieces = [text] if type(text) is str else []
            self._parts.append((dict(part), kind if pieces else "", pieces))

    def made(self) -> Any:
        """Return the whole content."""
        if self._parts is None:
            return None if self._pieces is None else "".join(self._pieces)
        return [_made_part(shape, kind, "".join(pieces)) for shape, kind, pieces in self._parts]


def _made_part(shape: dict[str, Any], kind: str, text: str) -> dict[str, Any]:
    if not kind:
        return shape
    return {**shape, kind: [{**shape[kind][0], "text": text}] if type(shape[kind]) is list else text}


class _Fragments:
    """Calls that grow by fragments, as a reader of the stream finds them."""

    def __init__(self) -> None:
        self._calls = Calls()
        self._made: list[_Call] = []

    def end(self) -> None:
        """End the calls that could go on. One without a name is none here: stored events were told none."""
        self._calls = Calls()

    def take(self, value: Any) -> bool:
        """Take the next fragments."""
        if not value or type(value) is not list:
            return False
        for wire in value:
            fragment = read_fragment(wire)
            taken = None if fragment is None else self._calls.take(fragment)
            if fragment is None or taken is None:
                continue
            call, begins = taken
            if begins:
                call.block = len(self._made)
                self._made.append(_Call(fragment.held, call))
                self._made[-1].begin(fragment.identifier)
            self._made[call.block].add(wire, begins=begins)
        return True

    def made(self) -> Any:
        """Return the whole calls; `NOTHING` where none has begun."""
        return [call.whole() for call in self._made] or NOTHING


class _Call:
    """A call that grows; what it says beside its arguments is said once."""

    def __init__(self, held: str = "function_call", call: Call | None = None) -> None:
        self._call = call  # what its fragments say together
        self._held = held
        self._said = "input" if held == "custom" else "arguments"
        self._outer = Members({"index": LeftOut, held: LeftOut}, FirstSaid)
        self._inner = Members({self._said: Text}, FirstSaid, nulls=False)

    def begin(self, identifier: str) -> None:
        """Take the id that came before the call had a name."""
        if identifier:
            self._outer.take({"id": identifier})

    def add(self, wire: dict[str, Any], *, begins: bool) -> None:
        """Take a fragment."""
        self._outer.take({
            name: one for name, one in wire.items() if (one if name == "id" else begins or one is not None)
        })  # fmt: skip
        self.take(wire.get(self._held))

    def take(self, value: Any) -> bool:
        """Take what stands in the member that holds name and arguments."""
        return self._inner.take(value)

    def made(self) -> dict[str, Any]:
        """Return the whole of that member."""
        made = {"name": "", self._said: "", **self._inner.made()}
        if self._call is not None:
            made["name"] = self._call.name
            if type(made[self._said]) is str:
                made[self._said] = self._call.text()
        return made

    def whole(self) -> dict[str, Any]:
        """Return the whole call."""
        outer = self._outer.made()
        return {**outer, "type": outer.get("type") or self._held, self._held: self.made()}


def _detail_number(detail: dict[str, Any], position: int) -> tuple[str, str]:
    return exact_text(detail.get("index", position)), exact_text(detail.get("type"))


# How the members of chunks join.
_COMPLETION: Final[Table] = MappingProxyType({
    **dict.fromkeys(("id", "created", "model"), FirstSaid),
    **dict.fromkeys(("object", "error", PADDING), LeftOut),
    "usage": lambda: Members({}, nulls=False),
})  # fmt: skip
_CHOICE: Final[Table] = MappingProxyType({
    **dict.fromkeys(("index", PADDING, "message", "text"), LeftOut),  # a message, or a text, only repeats the delta
    "usage": LeftOut,  # it stands beside the choices
    "finish_reason": LastSaid,
    "logprobs": lambda: Members({}, Items),
})  # fmt: skip
_MESSAGE: Final[Table] = MappingProxyType({
    "role": LastSaid,
    "content": _Content,
    **dict.fromkeys(("refusal", *REASONING_MEMBERS, OPAQUE_STATE), Text),
    "function_call": _Call,
    DETAILS: lambda: Numbered(lambda: Members(dict.fromkeys(DETAIL_TEXTS, Text), nulls=False), _detail_number),
    BLOCKS: ThinkingBlocks,
    "audio": lambda: Members(AUDIO, nulls=False),
    "images": Items,
    "annotations": Items,
})  # fmt: skip
