"""Arguments that are JSON text where the dialect has an object, as some gateways write them: the call is the call."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il

TEXT: Final = '{"at": 1, "where": "Köln"}'
DIALECTS: Final = ("claude", "gemini", "bedrock_converse")


def call_of(dialect: str, said: Any) -> dict[str, Any]:
    """Return the part of an answer that calls a tool, as the dialect writes it."""
    if dialect == "claude":
        return {"type": "tool_use", "id": "toolu_1", "name": "look", "input": said}
    if dialect == "gemini":
        return {"functionCall": {"id": "toolu_1", "name": "look", "args": said}}
    return {"toolUse": {"toolUseId": "toolu_1", "name": "look", "input": said}}


def answer(dialect: str, said: Any) -> dict[str, Any]:
    call = call_of(dialect, said)
    if dialect == "claude":
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [call]}
        return {**message, "stop_reason": "tool_use", "stop_sequence": None, "usage": usage}
    if dialect == "gemini":
        candidate = {"content": {"role": "model", "parts": [call]}, "finishReason": "STOP", "index": 0}
        return {"candidates": [candidate], "modelVersion": "m", "responseId": "a"}
    message = {"role": "assistant", "content": [call]}
    usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
    return {"output": {"message": message}, "stopReason": "tool_use", "usage": usage}


def request(dialect: str, said: Any) -> dict[str, Any]:
    call = call_of(dialect, said)
    if dialect == "gemini":
        return {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}, {"role": "model", "parts": [call]}]}
    asked: Any = "Hi" if dialect == "claude" else [{"text": "Hi"}]
    beside = {"model": "m", "max_tokens": 9} if dialect == "claude" else {}
    return {**beside, "messages": [{"role": "user", "content": asked}, {"role": "assistant", "content": [call]}]}


@pytest.mark.parametrize("text", [TEXT, "", "{}", "[1]", "not JSON"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_arguments_given_as_text_are_unchanged_within_the_dialect(dialect: il.Dialect, text: str) -> None:
    body = answer(dialect, text)
    decoded = il.decode_response(body, dialect)
    assert decoded.tool_calls[0].arguments == text
    assert il.encode_response(decoded, dialect).body == body
    asked = request(dialect, text)
    assert il.encode_request(il.decode_request(asked, dialect), dialect).body == asked


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "ollama", *DIALECTS])
@pytest.mark.parametrize("source", DIALECTS)
def test_arguments_given_as_text_are_parsed_in_every_other_dialect(source: il.Dialect, target: il.Dialect) -> None:
    if source == target:
        return
    as_text, as_object = (
        il.translate_response(answer(source, said), source, target) for said in (TEXT, json.loads(TEXT))
    )
    [call], [same] = (il.decode_response(one.body, target).tool_calls for one in (as_text, as_object))
    read = json.loads(call.arguments) if isinstance(call.arguments, str) else call.arguments
    assert (call.name, read) == (same.name, json.loads(TEXT))
    assert as_text.losses == as_object.losses


@pytest.mark.parametrize("target", ["openai_chat", "claude"])
def test_arguments_given_as_text_in_a_gemini_stream_are_parsed(target: il.Dialect) -> None:
    frames = [answer("gemini", TEXT)]
    assert list(il.translate_stream(frames, "gemini", "gemini")) == frames
    heard = il.collect(il.decode_stream([*il.translate_stream(frames, "gemini", target)], target))
    said = heard.tool_calls[0].arguments
    assert (json.loads(said) if isinstance(said, str) else said) == json.loads(TEXT)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_text_set_as_arguments_by_the_caller_is_written_as_an_object(dialect: il.Dialect) -> None:
    asked = il.decode_request(request(dialect, {"at": 2}), dialect).model_dump(mode="json", exclude_unset=True)
    asked["messages"][-1]["tool_calls"][0]["arguments"] = '{"at": 1}'
    assert il.encode_request(asked, dialect).body == request(dialect, {"at": 1})


@pytest.mark.parametrize("said", [1, True, ["a"]])
@pytest.mark.parametrize("dialect", ["claude", "gemini"])
def test_arguments_that_are_neither_an_object_nor_text_are_refused(dialect: il.Dialect, said: Any) -> None:
    with pytest.raises(il.DecodeError, match="expected"):
        il.decode_response(answer(dialect, said), dialect)
