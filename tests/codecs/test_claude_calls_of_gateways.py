"""Calls of Claude's whose block has no input: servers in between leave it out, or write null, where there is none."""

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
NOTHING: Final = [{}, {"input": None}]


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
def test_a_call_without_an_input_has_no_arguments_and_goes_home_as_it_came(said: dict[str, Any]) -> None:
    body = {**MESSAGE, "content": [{**CALL, **said}]}
    response = il.decode_response(body, "claude")
    assert response.tool_calls[0].arguments == {}
    assert il.encode_response(response, "claude").body == body
    [call] = il.translate_response(body, "claude", "openai_chat").body["choices"][0]["message"]["tool_calls"]
    assert call["function"] == {"name": "look", "arguments": "{}"}


@pytest.mark.parametrize("said", NOTHING)
def test_arguments_that_are_put_in_later_are_written(said: dict[str, Any]) -> None:
    response = il.decode_response({**MESSAGE, "content": [{**CALL, **said}]}, "claude").model_dump(mode="json")
    response["messages"][0]["tool_calls"][0]["arguments"] = {"at": 1}
    assert il.encode_response(response, "claude").body["content"][0]["input"] == {"at": 1}


@pytest.mark.parametrize("said", [*NOTHING, {"input": ""}])
def test_a_start_without_an_input_waits_for_the_pieces(said: dict[str, Any]) -> None:
    frames = streamed({**CALL, **said}, '{"at"', ": 1}")
    assert list(il.translate_stream(frames, "claude", "claude")) == frames
    assert il.collect(il.decode_stream(frames, "claude")).tool_calls[0].arguments == {"at": 1}
    chunks = list(il.translate_stream(frames, "claude", "openai_chat"))
    [choice] = room("openai_chat").assemble_stream(chunks)["choices"]
    assert choice["message"]["tool_calls"][0]["function"] == {"name": "look", "arguments": '{"at": 1}'}


def test_an_empty_text_in_the_start_and_no_pieces_are_no_arguments() -> None:
    frames = streamed({**CALL, "input": ""})
    assert list(il.translate_stream(frames, "claude", "claude")) == frames
    assert il.collect(il.decode_stream(frames, "claude")).tool_calls[0].arguments == {}


def test_a_text_in_the_start_is_said_once_whether_pieces_follow_or_not() -> None:
    text = '{"at": 1}'
    for pieces in ((), (text,)):
        frames = streamed({**CALL, "input": text}, *pieces)
        assert list(il.translate_stream(frames, "claude", "claude")) == frames
        chunks = list(il.translate_stream(frames, "claude", "openai_chat"))
        [choice] = room("openai_chat").assemble_stream(chunks)["choices"]
        assert choice["message"]["tool_calls"][0]["function"] == {"name": "look", "arguments": text}
        assert il.collect(il.decode_stream(frames, "claude")).tool_calls[0].arguments == {"at": 1}


@pytest.mark.parametrize("wrong", [1, False, [], ["a"]])
def test_an_input_of_another_type_is_still_no_call(wrong: Any) -> None:
    with pytest.raises(il.DecodeError):
        il.decode_response({**MESSAGE, "content": [{**CALL, "input": wrong}]}, "claude")
    with pytest.raises(il.DecodeError):
        list(il.decode_stream(streamed({**CALL, "input": wrong}), "claude"))
