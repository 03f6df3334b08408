"""The short ways of streams say and write what the general ways do, for what is usual and for what nearly is."""

# Frames are Any; narrowing one to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from interlingua.dialects._chat_completions.stream_decoder import StreamDecoder as ChatDecoder
from interlingua.dialects._chat_completions.stream_encoder import StreamEncoder as ChatEncoder
from interlingua.dialects._shared.stream import FrameReader
from interlingua.dialects.gemini.stream_usual import UsualReader
from interlingua.errors import DecodeError
from interlingua.streaming import EventDecoder, EventEncoder

if TYPE_CHECKING:
    from collections.abc import Iterator

LABELS: Final = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": "gpt-x"}
BESIDE: Final = {"system_fingerprint": "fp", "usage": None}
USAGE: Final = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
HEAD: Final = {"modelVersion": "gemini-x", "responseId": "r-1"}
COUNTS: Final = {
    "promptTokenCount": 3,
    "totalTokenCount": 3,
    "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 3}],
}


def chunk(delta: dict[str, Any], reason: str | None = None, **members: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
    return {**LABELS, **BESIDE, "choices": [choice], "obfuscation": "xy", **members}


def answer(part: dict[str, Any], reason: str = "", **members: Any) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"parts": [part], "role": "model"}, "index": 0}
    if reason:
        candidate["finishReason"] = reason
    return {"candidates": [candidate], "usageMetadata": COUNTS, **HEAD, **members}


def claude_block(index: int, *deltas: dict[str, Any], **block: Any) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": index, "content_block": block},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


CALL: Final = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "f", "arguments": ""}}
CLAUDE_CALL: Final[dict[str, Any]] = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
STOPPED: Final = {"stop_reason": "tool_use", "stop_sequence": None}
MESSAGE: Final = {
    "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x", "content": [],
    "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
}  # fmt: skip
STREAMS: Final[dict[str, tuple[str, list[Any]]]] = {
    "chat, a text": ("openai_chat", [
        chunk({"role": "assistant", "content": "", "refusal": None}),
        chunk({"content": "a"}),
        chunk({"content": "b"}),
        chunk({}, "stop"),
        {**LABELS, **BESIDE, "choices": [], "usage": USAGE, "obfuscation": ""},
        "[DONE]",
    ]),
    "chat, a call": ("openai_chat", [
        chunk({"role": "assistant", "content": None, "tool_calls": [CALL]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": "{"}}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": "}"}}]}),
        chunk({}, "tool_calls"),
        "[DONE]",
    ]),
    "vllm, a text": ("vllm", [
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": "a"}),
        chunk({}, "stop"),
        "[DONE]",
    ]),
    "gemini, a text": ("gemini", [answer({"text": "a"}), answer({"text": "b"}), answer({"text": ""}, "STOP")]),
    "gemini, a thought and what is signed": ("gemini", [
        answer({"text": "a", "thought": True}),
        answer({"text": "b"}),
        answer({"text": "", "thoughtSignature": "s"}, "STOP", usageMetadata={**COUNTS, "candidatesTokenCount": 2}),
    ]),
    "claude, a text and a call": ("claude", [
        {"type": "message_start", "message": MESSAGE},
        *claude_block(0, {"type": "text_delta", "text": "a"}, type="text", text=""),
        *claude_block(1, {"type": "input_json_delta", "partial_json": "{}"}, **CLAUDE_CALL),
        {"type": "message_delta", "delta": STOPPED, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ]),
}  # fmt: skip
VALUES: Final = (None, 0, 0.0, False, 1700000000.0, "", "stop", [], {"a": 1})


def near(value: Any) -> Iterator[Any]:
    """Yield a value with each of its members replaced by others, left out, or joined by an unknown one."""
    if isinstance(value, dict):
        yield {**value, "unknown": 1}
        yield {**value, "error": "x"}
        for name, member in value.items():
            yield {other: value[other] for other in value if other != name}
            for inner in (*VALUES, *near(member)):
                yield {**value, name: inner}
    elif isinstance(value, list):
        yield [*value, *value]
        for at, member in enumerate(value):
            for inner in (*VALUES, *near(member)):
                yield [*value[:at], inner, *value[at + 1 :]]


def through(dialect: str, frames: list[Any]) -> str:
    """Return the events of frames and the frames of the events, as JSON, up to an error."""
    decoder, encoder = EventDecoder(dialect), EventEncoder(dialect)
    told: list[Any] = []
    try:
        for frame in frames:
            events = decoder.feed(frame)
            told.append([events, [encoder.feed(json.loads(json.dumps(event))) for event in events]])
        told.append([encoder.feed(event) for event in decoder.close()])
    except DecodeError as error:
        told.append([error.path, error.reason])
    return json.dumps([told, encoder.close(), len(encoder.losses)])


def the_general_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: Any) -> None:
        return None

    def compared(reader: Any, event: Any, frame: Any) -> Any:
        return reader.compared([event], [frame])

    def bare_alone(writer: Any, event: Any) -> Any:
        """A chunk without choices has one way only."""
        return writer.bare(event) if event["type"] == "state" and not writer.chunks.pending else None

    for one in (ChatDecoder, UsualReader):
        monkeypatch.setattr(one, "_usual", nothing)
    monkeypatch.setattr(ChatEncoder, "_usual", bare_alone)
    monkeypatch.setattr(FrameReader, "compared_without_numbers", compared)


@pytest.mark.parametrize("name", STREAMS)
def test_what_is_usual_is_said_and_written_as_the_general_way_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dialect, frames = STREAMS[name]
    streams = [frames, [*frames, *frames], *(frames[:cut] for cut in range(len(frames)))]
    streams += [[*frames[:at], other, *frames[at + 1 :]] for at, frame in enumerate(frames) for other in near(frame)]
    usual = [through(dialect, stream) for stream in streams]
    the_general_way(monkeypatch)
    general = [through(dialect, stream) for stream in streams]
    assert [at for at, (one, other) in enumerate(zip(usual, general, strict=True)) if one != other] == []
