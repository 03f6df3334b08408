"""Streams of chats that split one answer over two choices, the text in one and the calls in the other."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

OTHERS = ("openai_responses", "claude", "gemini", "ollama", "bedrock_converse")
DONE = "[DONE]"


def choice(index: int | None, delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    numbered = {} if index is None else {"index": index}
    return {**numbered, "delta": delta, "finish_reason": reason}


def chunk(*choices: dict[str, Any], **members: Any) -> Any:
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [*choices], **members}


def fragment(name: str | None, arguments: str) -> dict[str, Any]:
    labels = {} if name is None else {"id": "call_1", "type": "function"}
    function = {"arguments": arguments} if name is None else {"name": name, "arguments": arguments}
    return {"tool_calls": [{"index": 0, **labels, "function": function}]}


SAID = (
    chunk(choice(0, {"role": "assistant", "content": "Let me "})),
    chunk(choice(0, {"content": "look."})),
)
CALLED = (
    chunk(choice(1, {"role": "assistant", "content": None})),
    chunk(choice(1, fragment("look", ""))),
    chunk(choice(1, fragment(None, '{"a":1}'))),
)
ENDS = (chunk(choice(0, {}, "tool_calls")), chunk(choice(1, {}, "tool_calls")))
USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
SPLIT: dict[str, list[Any]] = {
    "one behind the other": [*SAID, *CALLED, *ENDS, DONE],
    "ended before the calls": [*SAID, ENDS[0], *CALLED, ENDS[1], DONE],
    "the calls first": [*CALLED, *SAID, ENDS[1], ENDS[0], DONE],
    "in turn": [CALLED[0], SAID[0], CALLED[1], SAID[1], CALLED[2], *ENDS, DONE],
    "usage in each chunk": [*({**one, "usage": USAGE} for one in (*SAID, *CALLED, *ENDS)), DONE],
    "in one chunk, without numbers": [
        chunk(
            choice(None, {"role": "assistant", "content": "Let me look."}, "tool_calls"),
            choice(None, {"role": "assistant", **fragment("look", '{"a":1}')}, "tool_calls"),
        ),
        DONE,
    ],
}


def heard(frames: list[Any], target: str) -> il.ChatResponse:
    return il.collect(il.decode_stream(list(il.translate_stream(frames, "openai_chat", target)), target))


@pytest.mark.parametrize("frames", SPLIT.values(), ids=SPLIT)
@pytest.mark.parametrize("target", OTHERS)
def test_a_client_of_another_dialect_gets_one_joined_answer(frames: list[Any], target: str) -> None:
    answer = heard(frames, target)
    [message] = answer.messages
    assert isinstance(message, il.AssistantChatMessage)
    assert answer.text == "Let me look."
    assert [(call.name, call.arguments_object()) for call in message.tool_calls or ()] == [("look", {"a": 1})]
    assert (answer.finish_reason, answer.alternatives) == ("tool_calls", None)


@pytest.mark.parametrize("frames", SPLIT.values(), ids=SPLIT)
def test_within_the_dialect_both_choices_round_trip(frames: list[Any]) -> None:
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
    assert len(il.collect(il.decode_stream(frames, "openai_chat")).alternatives or ()) == 1


OWN: dict[str, list[Any]] = {
    "it just stops": [*SAID, *CALLED, chunk(choice(0, {}, "stop")), ENDS[1], DONE],
    "it stopped before": [*SAID, chunk(choice(0, {}, "stop")), *CALLED, ENDS[1], DONE],
    "it calls itself": [
        *SAID, *CALLED, chunk(choice(0, fragment("look", '{"a":2}'))), *ENDS, DONE,
    ],
    "the other one says a text": [*SAID, chunk(choice(1, {"content": "Hm."})), *CALLED, *ENDS, DONE],
    "two others call": [
        *SAID, *CALLED, chunk(choice(2, fragment("look", '{"a":3}'))), *ENDS, chunk(choice(2, {}, "tool_calls")), DONE,
    ],
    "no other calls": [*SAID, chunk(choice(1, {"role": "assistant"})), ENDS[0], chunk(choice(1, {}, "stop")), DONE],
}  # fmt: skip


@pytest.mark.parametrize("frames", OWN.values(), ids=OWN)
def test_independent_choices_stay_separate(frames: list[Any]) -> None:
    for target in OTHERS:
        answer = heard(frames, target)
        assert answer.text == "Let me look."
        calls = [call for one in answer.messages for call in getattr(one, "tool_calls", None) or ()]
        assert [call.arguments_object() for call in calls] == ([{"a": 2}] if frames is OWN["it calls itself"] else [])
    told = list(il.translate_stream(frames, "openai_chat", "gemini"))
    whole = il.collect(il.decode_stream(frames, "openai_chat"))
    assert len(il.collect(il.decode_stream(told, "gemini")).alternatives or ()) == len(whole.alternatives or ())


def test_a_delayed_finish_reason_is_written_when_the_stream_is_truncated() -> None:
    for frames in ([*SAID, ENDS[0]], [*SAID, ENDS[0], DONE], [*SAID, ENDS[0], *CALLED[:2]]):
        assert heard(frames, "claude").finish_reason in {"stop", "tool_calls", None}
        assert heard(frames, "claude").text == "Let me look."
    assert heard([*SAID, ENDS[0], DONE], "claude").finish_reason == "stop"
