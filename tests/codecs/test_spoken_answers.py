"""A spoken answer is text for clients whose dialect has no audio in answers: its transcript."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.registry import room

SPOKEN: Final = {"id": "audio_1", "data": "AAAA", "expires_at": 1780068948, "transcript": "Hi there."}
SILENT: Final = ("claude", "openai_responses", "ollama", "bedrock_converse")


def answer(**audio: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": None, "audio": audio}, "finish_reason": "stop"}
    return {"id": "r", "object": "chat.completion", "created": 1, "model": "gpt-audio", "choices": [choice]}


def streamed() -> list[Any]:
    deltas: list[tuple[dict[str, Any], str | None]] = [
        ({"role": "assistant", "content": None, "audio": {"id": "audio_1", "transcript": "Hi "}}, None),
        ({"audio": {"transcript": "there."}}, None),
        ({"audio": {"data": "AAAA"}}, None),
        ({"audio": {"expires_at": 1780068948}}, None),
        ({}, "stop"),
    ]
    chunk = {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "gpt-audio"}
    return [
        *({**chunk, "choices": [{"index": 0, "delta": one, "finish_reason": why}]} for one, why in deltas),
        "[DONE]",
    ]


def texts_of(body: dict[str, Any], dialect: Any) -> list[str]:
    [message] = il.decode_response(body, dialect).messages
    content = message.content
    return [content] if isinstance(content, str) else [part.text for part in content or ()]


@pytest.mark.parametrize("client", SILENT)
def test_a_spoken_answer_is_its_transcript(client: Any) -> None:
    encoded = il.translate_response(answer(**SPOKEN), "openai_chat", client)
    assert texts_of(encoded.body, client) == ["Hi there."]
    [told] = [loss for loss in encoded.losses if loss.code == "part"]
    assert (told.path, told.severity) == ("/messages/0/content/0", "changed")


@pytest.mark.parametrize("client", SILENT)
def test_a_spoken_answer_in_a_stream_is_its_transcript(client: Any) -> None:
    stream = il.translate_stream(streamed(), "openai_chat", client)
    body = room(client).assemble_stream(list(stream))
    assert texts_of(body, client) == ["Hi there."]
    assert [loss.severity for loss in stream.losses if loss.code == "part"] == ["changed"]


@pytest.mark.parametrize("client", SILENT)
def test_audio_without_a_transcript_is_reported_as_lost(client: Any) -> None:
    encoded = il.translate_response(answer(**{**SPOKEN, "transcript": ""}), "openai_chat", client)
    assert "AAAA" not in str(encoded.body)
    assert [loss.severity for loss in encoded.losses if loss.code == "part"] == ["lost"]


@pytest.mark.parametrize("client", ["gemini", "vllm"])
def test_clients_that_know_spoken_answers_get_the_audio(client: Any) -> None:
    encoded = il.translate_response(answer(**SPOKEN), "openai_chat", client)
    stream = il.translate_stream(streamed(), "openai_chat", client)
    for body in (encoded.body, room(client).assemble_stream(list(stream))):
        [part] = il.decode_response(body, client).messages[0].content
        assert (part.type, part.data, part.transcript) == ("audio", "AAAA", "Hi there.")


def test_other_choices_of_an_answer_are_transcripts_too() -> None:
    body = answer(**SPOKEN)
    second = {"index": 1, "message": {**body["choices"][0]["message"]}, "finish_reason": "stop"}
    encoded = il.translate_response({**body, "choices": [*body["choices"], second]}, "openai_chat", "claude")
    assert texts_of(encoded.body, "claude") == ["Hi there."]
