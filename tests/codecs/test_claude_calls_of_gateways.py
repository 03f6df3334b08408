"""Calls of Claude's without an input: servers and clients in between leave it out, or write null or a text."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.registry import room

CALL: Final = {"type": "tool_use", "id": "toolu_1", "name": "look"}
MESSAGE: Final[dict[str, Any]] = {
    "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": "tool_use",
    "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
}  # fmt: skip
NOTHING: Final = [{}, {"input": None}, {"input": ""}]


def streamed(block: dict[str, Any], *pieces: str) -> list[Any]:
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return [
        {"type": "message_start", "message": {**MESSAGE, "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


@pytest.mark.parametrize("said", NOTHING)
def test_a_start_without_input_waits_for_fragments(said: dict[str, Any]) -> None:
    frames = streamed({**CALL, **said}, '{"at"', ": 1}")
    assert list(il.translate_stream(frames, "claude", "claude")) == frames
    assert il.collect(il.decode_stream(frames, "claude")).tool_calls[0].arguments == {"at": 1}
    chunks = list(il.translate_stream(frames, "claude", "openai_chat"))
    [choice] = room("openai_chat").assemble_stream(chunks)["choices"]
    assert choice["message"]["tool_calls"][0]["function"] == {"name": "look", "arguments": '{"at": 1}'}


@pytest.mark.parametrize("said", NOTHING[1:])
def test_a_start_with_null_input_and_no_fragments_has_no_arguments(said: dict[str, Any]) -> None:
    frames = streamed({**CALL, **said})
    assert list(il.translate_stream(frames, "claude", "claude")) == frames
    assert il.collect(il.decode_stream(frames, "claude")).tool_calls[0].arguments == {}


def test_input_text_in_the_start_is_used_once_with_or_without_fragments() -> None:
    text = '{"at": 1}'
    for pieces in ((), (text,)):
        frames = streamed({**CALL, "input": text}, *pieces)
        assert list(il.translate_stream(frames, "claude", "claude")) == frames
        chunks = list(il.translate_stream(frames, "claude", "openai_chat"))
        [choice] = room("openai_chat").assemble_stream(chunks)["choices"]
        assert choice["message"]["tool_calls"][0]["function"] == {"name": "look", "arguments": text}
        assert il.collect(il.decode_stream(frames, "claude")).tool_calls[0].arguments == {"at": 1}


def test_a_whole_call_with_null_input_has_no_arguments() -> None:
    answer = {**MESSAGE, "content": [{**CALL, "input": None}]}
    decoded = il.decode_response(answer, "claude")
    assert decoded.tool_calls[0].arguments == {}
    assert il.encode_response(decoded, "claude").body == answer
    translated = il.translate_response(answer, "claude", "openai_chat").body
    [call] = translated["choices"][0]["message"]["tool_calls"]
    assert call["function"] == {"name": "look", "arguments": "{}"}


def test_a_call_of_a_conversation_with_null_input_is_sent_with_an_empty_one() -> None:
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "a red door"}
    call = {**CALL, "input": None}
    calls = [call, {**call, "id": "toolu_2", "caller": {"type": "direct"}}]
    messages = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": calls},
        {"role": "user", "content": [result, {**result, "tool_use_id": "toolu_2"}]},
    ]
    body = {"model": "claude-sonnet-4-5", "max_tokens": 100, "messages": messages}
    assert il.encode_request(il.decode_request(body, "claude"), "claude").body == body
    fitted = il.exchange(body, "claude", "claude", fit=True)
    assert [call["input"] for call in fitted.body["messages"][1]["content"]] == [{}, {}]
    sent = il.translate_request(body, "claude", "gemini", model="gemini-2.5-flash")
    assert [part["functionCall"]["name"] for part in sent.body["contents"][1]["parts"]] == ["look", "look"]
    wrong = {one.path for one in il.check_request(body, "claude")}
    assert wrong == {f"/messages/1/content/{at}/input" for at in (0, 1)}


@pytest.mark.parametrize("wrong", [1, False, [], ["a"]])
def test_an_input_of_another_type_is_refused(wrong: Any) -> None:
    with pytest.raises(il.DecodeError):
        il.decode_response({**MESSAGE, "content": [{**CALL, "input": wrong}]}, "claude")
    with pytest.raises(il.DecodeError):
        list(il.decode_stream(streamed({**CALL, "input": wrong}), "claude"))
