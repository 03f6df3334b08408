"""The places of stream variants: the frames of a short stream, and which of them an instance replaces.

The frames before an instance are what it refers to: its item, its block or its call. Without the instance, the stream
has all other frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from support.places import NOTHING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Frames: TypeAlias = "list[Any]"


@dataclass(frozen=True)
class Around:
    """The frames before an instance, its own frame, and those after it."""

    before: Frames
    own: Any
    after: Frames

    @property
    def frames(self) -> Frames:
        """The whole stream."""
        own = [] if self.own is NOTHING else [self.own]
        return [*self.before, *own, *self.after]

    @property
    def without(self) -> Frames:
        """The stream without the instance."""
        return [*self.before, *self.after]


StreamPlace: TypeAlias = "Callable[[str, Any], Around]"


def _chunk(*choices: Any, **members: Any) -> dict[str, Any]:
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**head, "choices": [{**choice, "index": at} for at, choice in enumerate(choices)], **members}


def _delta(delta: Any, reason: str | None = None) -> dict[str, Any]:
    return _chunk({"delta": delta, "finish_reason": reason})


def _chat(own: Any, *, before: Frames | None = None) -> Around:
    start = _delta({"role": "assistant", "content": ""})
    return Around([start, *(before or [])], own, [_delta({}, "stop"), "[DONE]"])


def _chat_event(name: str, made: Any) -> Around:
    if name == "[DONE]":
        whole = _chat(NOTHING)
        return Around(whole.frames[:-1], made, [])
    if name == "error":
        return Around(_chat(NOTHING).before, made, [])
    return _chat({**made, "choices": [{**choice, "index": at} for at, choice in enumerate(made["choices"])]})


def _chat_call(call: Any) -> Around:
    """Put a part of a call after its start; a part with an id is the start of the next call."""
    first = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "f", "arguments": ""}}
    own = {**call, "index": 1 if call.get("id") else 0}
    return _chat(_delta({"tool_calls": [own]}), before=[_delta({"tool_calls": [first]})])


def _chat_delta(name: str, made: Any) -> Around:
    tail = name.removeprefix("choice").removeprefix(".delta")
    if name == "choice":
        return _chat(_chunk(made))
    if tail == "":
        calls = made.get("tool_calls")
        given = {} if calls is None else {"tool_calls": [{**call, "index": at} for at, call in enumerate(calls)]}
        return _chat(_delta({**made, **given}))
    if tail == ".tool_calls[]":
        return _chat_call(made)
    if tail == ".tool_calls[].function":
        return _chat_call({**({"id": "call_2"} if "name" in made else {}), "function": made})
    return _chat(_delta({tail.removeprefix("."): made}))


CHAT_STREAMS: Final[Mapping[str, StreamPlace]] = {"stream_events": _chat_event, "stream_deltas": _chat_delta}


_MESSAGE: Final = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": []}
_STARTED: Final = {
    "type": "message_start",
    "message": {
        **_MESSAGE, "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    },
}  # fmt: skip
_TEXT: Final = {"type": "text", "text": ""}
_CLOSED: Final = {"type": "content_block_stop", "index": 0}
_ENDED: Final = [
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": 2},
    },
    {"type": "message_stop"},
]
# The block that a delta of Claude belongs to.
_BLOCKS: Final[Mapping[str, dict[str, Any]]] = {
    "input_json_delta": {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}},
    "thinking_delta": {"type": "thinking", "thinking": "", "signature": ""},
    "signature_delta": {"type": "thinking", "thinking": "", "signature": ""},
    "beta:compaction_delta": {"type": "compaction", "content": None},
}


def _opened(block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_start", "index": 0, "content_block": block}


def _claude_event(name: str, made: Any) -> Around:
    text = _opened(_TEXT)
    own = {**made, "index": 0} if name.startswith("content_block") else made
    match name:
        case "message_start":
            return Around([], own, [text, _CLOSED, *_ENDED])
        case "message_delta":
            return Around([_STARTED], own, _ENDED[1:])
        case "message_stop":
            return Around([_STARTED, *_ENDED[:1]], own, [])
        case "content_block_start":
            return Around([_STARTED], own, [_CLOSED, *_ENDED])
        case "content_block_delta":
            return Around([_STARTED, _opened(_BLOCKS.get(made["delta"]["type"], _TEXT))], own, [_CLOSED, *_ENDED])
        case "content_block_stop":
            return Around([_STARTED, text], own, _ENDED)
        case "error":
            return Around([_STARTED], own, [])
        case _:
            return Around([_STARTED], {"type": made}, _ENDED)


def _claude_delta(name: str, made: Any) -> Around:
    own = {"type": "content_block_delta", "index": 0, "delta": made}
    return Around([_STARTED, _opened(_BLOCKS.get(name, _TEXT))], own, [_CLOSED, *_ENDED])


CLAUDE_STREAMS: Final[Mapping[str, StreamPlace]] = {"stream_events": _claude_event, "stream_deltas": _claude_delta}


def _gemini(*parts: Any, **members: Any) -> dict[str, Any]:
    content = {"parts": list(parts), "role": "model"}
    return {"candidates": [{"content": content, **members}], "modelVersion": "m", "responseId": "r"}


def _gemini_delta(name: str, made: Any) -> Around:
    named = name.partition(" ")[0]
    if named.endswith("partialArgs[]"):
        part = {"functionCall": {"name": "f", "partialArgs": [made], "willContinue": True}}
    else:
        part = {named: made}
    return Around([], _gemini(part), [_gemini(finishReason="STOP")])


GEMINI_STREAMS: Final[Mapping[str, StreamPlace]] = {
    "stream_events": lambda _name, made: Around([_gemini({"text": "Well."})], made or _gemini({"text": "Yes."}), []),
    "stream_deltas": _gemini_delta,
}


def _line(*, done: bool = False, **members: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": "", **members}
    ended = {"done_reason": "stop"} if done else {}
    return {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": done, **ended}


def _ollama_event(name: str, made: Any) -> Around:
    if name == "error line":
        return Around([_line(content="Well.")], made, [])
    return Around([_line(content="Well.")], {**made, "message": {**made["message"], "role": "assistant"}}, [])


def _ollama_delta(_name: str, made: Any) -> Around:
    return Around([_line(content="")], _line(**made), [_line(done=True)])


OLLAMA_STREAMS: Final[Mapping[str, StreamPlace]] = {"stream_events": _ollama_event, "stream_deltas": _ollama_delta}
