"""The chunks of a stream put together to the `chat.completion` that the same answer is without a stream.

Each member is joined by what it is: texts grow, labels are said once, numbers and flags are replaced, never summed.
Source: docs/wire/openai_chat.md, section 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.accents import DETAIL_TEXTS, DETAILS, REASONING_MEMBERS
from interlingua.rooms._chat_completions.stream_calls import Call, Calls, read_fragment
from interlingua.rooms._chat_completions.stream_choice import AudioAnswer
from interlingua.rooms._chat_completions.stream_chunk import PADDING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.rooms._shared.stream import Frame

_TEXTS: Final = frozenset({"refusal", *REASONING_MEMBERS})
_LABELS: Final = frozenset({"id", "created", "model"})
_BESIDE: Final = frozenset({"object", "choices", "usage", "error", PADDING})


def assemble_stream(frames: Iterable[Frame]) -> dict[str, Any]:
    """Return the completion that chunks make; a chunk behind `[DONE]` begins anew.

    Frames are what our encoder wrote.
    """
    completion = _Completion()
    done = False
    for frame in frames:
        if type(frame) is str:
            done = True
        elif type(frame) is dict and _is_chunk(frame):
            if done:
                completion, done = _Completion(), False
            completion.add(frame)
    return completion.made()


def _is_chunk(frame: dict[str, Any]) -> bool:
    choices = frame.get("choices")
    if frame.get("error") and not choices:
        return False
    return type(choices) is list or type(frame.get("usage")) is dict


class _Completion:
    def __init__(self) -> None:
        self._members: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._choices: dict[int, _Choice] = {}

    def add(self, chunk: dict[str, Any]) -> None:
        for name, value in chunk.items():
            if name in _BESIDE or value is None:
                continue
            if name not in _LABELS or not self._members.get(name):
                self._members[name] = value
        if type(chunk.get("usage")) is dict:
            self._usage |= {name: count for name, count in chunk["usage"].items() if count is not None}
        for position, choice in enumerate(chunk.get("choices") or ()):
            index = choice.get("index")
            which = position if index is None else index
            if which not in self._choices:
                self._choices[which] = _Choice(which)
            self._choices[which].add(choice)

    def made(self) -> dict[str, Any]:
        choices = [choice.made() for _, choice in sorted(self._choices.items())]
        out = {**self._members, "object": "chat.completion", "choices": choices}
        return {**out, "usage": self._usage} if self._usage else out


class _Choice:
    def __init__(self, index: int) -> None:
        self._members: dict[str, Any] = {"index": index, "finish_reason": None}
        self._message: dict[str, Any] = {}
        self._texts: dict[str, list[str]] = {}
        self._content = _Content()
        self._calls = Calls()
        self._wires: dict[int, _WireCall] = {}
        self._older: _WireCall | None = None
        self._details: dict[Any, _Detail] = {}
        self._audio_answer: AudioAnswer | None = None
        self._logprobs: dict[str, Any] | None = None
        self._annotations: list[Any] | None = None

    def add(self, choice: dict[str, Any]) -> None:
        for name, value in choice.items():
            if name in {"delta", "index", PADDING, "message", "text"}:
                continue  # a message, or a text, only repeats the delta
            if name == "logprobs" and type(value) is dict:
                self._add_logprobs(value)
            elif value is not None and (name != "finish_reason" or value):
                self._members[name] = value
            else:
                self._members.setdefault(name, None)
        if type(choice.get("delta")) is dict:
            self._add_delta(choice["delta"])
        if choice.get("finish_reason"):
            self._calls = Calls()  # as a reader of the stream does: what comes later is another call

    def _add_logprobs(self, more: dict[str, Any]) -> None:
        if self._logprobs is None:
            self._logprobs = {}
        for name, value in more.items():
            if type(value) is list:
                before = self._logprobs.get(name)
                self._logprobs[name] = _extended(before, value)
            elif value is not None or name not in self._logprobs:
                self._logprobs[name] = value

    def _add_delta(self, delta: dict[str, Any]) -> None:
        for name, value in delta.items():
            if name == "content":
                self._content.add(value)
            elif name in _TEXTS and type(value) is str:
                self._texts.setdefault(name, []).append(value)
            elif name == "tool_calls" and value and type(value) is list:
                for fragment in value:
                    self._add_fragment(fragment)
            elif name == "function_call" and type(value) is dict:
                self._older = self._older or _WireCall("function_call")
                self._older.add_inner(value)
            elif name == DETAILS and type(value) is list:
                self._add_details(value)
            elif name == "audio" and value and type(value) is dict:
                self._audio_answer = self._audio_answer or AudioAnswer(0)
                self._audio_answer.add(value)
            elif name == "annotations" and type(value) is list:
                self._annotations = _extended(self._annotations, value)
            elif value is not None and (name != "role" or value):
                self._message[name] = value
            else:
                self._message.setdefault(name, None)

    def _add_fragment(self, wire: Any) -> None:
        fragment = read_fragment(wire)
        taken = None if fragment is None else self._calls.take(fragment)
        if fragment is None or taken is None:
            return
        call: Call = taken[0]
        if taken[1]:
            call.block = len(self._wires)
            self._wires[call.block] = _WireCall(fragment.held)
            self._wires[call.block].begin(fragment.identifier, fragment.piece, wire)
        self._wires[call.block].add(wire, begins=taken[1])

    def _add_details(self, details: list[Any]) -> None:
        for at, detail in enumerate(details):
            if type(detail) is not dict:
                continue
            key = (str(detail.get("index", at)), str(detail.get("type")))
            if key not in self._details:
                self._details[key] = _Detail()
            self._details[key].add(detail)

    def made(self) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", **self._message, "content": self._content.made()}
        message |= {name: "".join(pieces) for name, pieces in self._texts.items()}
        if self._annotations is not None:
            message["annotations"] = self._annotations
        if self._details:
            message[DETAILS] = [detail.made() for detail in self._details.values()]
        if self._audio_answer is not None:
            message["audio"] = self._audio_answer.made()
        if self._wires:
            message["tool_calls"] = [call.made() for call in self._wires.values()]
        if self._older is not None:
            message["function_call"] = self._older.inner()
        logprobs = {} if self._logprobs is None else {"logprobs": self._logprobs}
        return {**self._members, **logprobs, "message": message}


class _Content:
    """A content that grows: a text, or the parts of a list."""

    def __init__(self) -> None:
        self._pieces: list[str] | None = None
        self._parts: list[tuple[dict[str, Any], str, list[str]]] | None = None

    def add(self, value: Any) -> None:
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

    def _add_part(self, part: Any) -> None:
        if self._parts is None or type(part) is not dict:
            return
        kind = part.get("type")
        text = part.get(kind) if type(kind) is str and kind in {"text", "thinking"} else None
        if type(text) is list and len(text) == 1 and type(text[0]) is dict:
            text = text[0].get("text")
        if type(text) is str and self._parts and self._parts[-1][1] == kind:
            shape, _, pieces = self._parts[-1]
            shape |= part
            pieces.append(text)
        else:
            pieces = [text] if type(text) is str else []
            self._parts.append((dict(part), str(kind) if pieces else "", pieces))

    def made(self) -> Any:
        if self._parts is None:
            return None if self._pieces is None else "".join(self._pieces)
        return [_made_part(shape, kind, "".join(pieces)) for shape, kind, pieces in self._parts]


def _made_part(shape: dict[str, Any], kind: str, text: str) -> dict[str, Any]:
    if not kind:
        return shape
    return {**shape, kind: [{**shape[kind][0], "text": text}] if type(shape[kind]) is list else text}


class _WireCall:
    """A call that grows; what it says beside its arguments is said once."""

    def __init__(self, held: str) -> None:
        self._held = held
        self._outer: dict[str, Any] = {}
        self._inner: dict[str, Any] = {}
        self._said = "input" if held == "custom" else "arguments"
        self._pieces: list[str] = []

    def begin(self, identifier: str, piece: Any, wire: dict[str, Any]) -> None:
        """Take what came before the call had a name."""
        if identifier:
            self._outer["id"] = identifier
        own = (wire.get(self._held) or {}).get(self._said)
        if type(piece) is str and type(own) in {str, type(None)} and len(piece) > len(own or ""):
            self._pieces.append(piece[: len(piece) - len(own or "")])

    def add(self, wire: dict[str, Any], *, begins: bool) -> None:
        for name, value in wire.items():
            if name not in {"index", self._held} and (begins or value is not None) and (name != "id" or value):
                self._outer[name] = self._outer.get(name) or value
        self.add_inner(wire.get(self._held) or {})

    def add_inner(self, inner: dict[str, Any]) -> None:
        for name, value in inner.items():
            if name == self._said and type(value) is str:
                self._pieces.append(value)
            elif value is not None:
                self._inner[name] = self._inner.get(name) or value

    def inner(self) -> dict[str, Any]:
        out = {"name": "", **self._inner}
        if self._pieces or self._said not in out:
            out[self._said] = "".join(self._pieces)
        return out

    def made(self) -> dict[str, Any]:
        kind = self._outer.get("type") or self._held
        return {**self._outer, "type": kind, self._held: self.inner()}


class _Detail:
    """An item of `reasoning_details` that grows."""

    def __init__(self) -> None:
        self._members: dict[str, Any] = {}
        self._pieces: dict[str, list[str]] = {}

    def add(self, detail: dict[str, Any]) -> None:
        for name, value in detail.items():
            if name in DETAIL_TEXTS and type(value) is str:
                self._pieces.setdefault(name, []).append(value)
            elif value is not None:
                self._members[name] = value

    def made(self) -> dict[str, Any]:
        return {**self._members, **{name: "".join(pieces) for name, pieces in self._pieces.items()}}


def _extended(before: Any, more: list[Any]) -> list[Any]:
    """Return a list of its own with more at its end."""
    if type(before) is not list:
        return list(more)
    before.extend(more)
    return before
