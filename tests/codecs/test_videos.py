"""Films and sounds by address in Chat Completions, as OpenRouter, Together and others take them."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

DATA: Final = "AAAAHGZ0eXBpc29t"
FILM: Final[dict[str, Any]] = {"type": "video_url", "video_url": {"url": f"data:video/mp4;base64,{DATA}"}}
REFERRED: Final[dict[str, Any]] = {"type": "video_url", "video_url": {"url": "https://a.example/b.webm?c=d"}}
PLAYER: Final[dict[str, Any]] = {"type": "video_url", "video_url": {"url": "https://a.example/watch?v=1"}}
NAMED: Final[dict[str, Any]] = {
    "type": "file", "file": {"file_data": f"data:video/mp4;base64,{DATA}", "filename": "a.mp4"}
}  # fmt: skip
SOUND: Final[dict[str, Any]] = {"type": "audio_url", "audio_url": {"url": "https://a.example/b.mp3"}}
ODD: Final[tuple[Any, ...]] = (
    {"type": "video_url", "video_url": "https://a.example/b.mp4"},
    {"type": "video_url", "video_url": {}},
    {"type": "video_url", "video_url": {"url": "data:image/png;base64,AAAA"}},
    {"type": "video_url"},
    {"type": "audio_url", "audio_url": {"url": "data:audio/wav;base64,AAAA"}},
    {"type": "audio_url", "audio_url": None},
    {"type": "file", "file": {"file_data": f"data:video/mp4;base64,{DATA}"}},
    {**FILM, "video_url": {**FILM["video_url"], "fps": 2}, "cache_control": {"type": "ephemeral"}},
)


def asked(part: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "What is it?"}, part]}]}


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize("part", [FILM, REFERRED, PLAYER, NAMED, SOUND, *ODD])
def test_within_the_dialect_video_and_audio_round_trip(dialect: str, part: Any) -> None:
    encoded = il.encode_request(il.decode_request(asked(part), dialect), dialect)
    assert (encoded.body, encoded.losses) == (asked(part), ())


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (FILM, {"inlineData": {"mimeType": "video/mp4", "data": DATA}}),
        (REFERRED, {"fileData": {"mimeType": "video/webm", "fileUri": "https://a.example/b.webm?c=d"}}),
        (PLAYER, {"fileData": {"mimeType": "video/mp4", "fileUri": "https://a.example/watch?v=1"}}),
        (SOUND, {"fileData": {"mimeType": "audio/mpeg", "fileUri": "https://a.example/b.mp3"}}),
    ],
)
def test_video_of_chat_is_translated_to_gemini(part: Any, expected: Any) -> None:
    encoded = il.translate_request(asked(part), "openai_chat", "gemini", model="gemini-2.5-pro")
    assert encoded.body["contents"][0]["parts"][1] == expected
    assert not [loss for loss in encoded.losses if loss.severity == "lost"]


@pytest.mark.parametrize("source", ["openai_chat", "vllm"])
def test_a_video_of_unknown_format_gets_no_media_type(source: str) -> None:
    request = il.decode_request(asked(PLAYER), source)
    film = request.messages[0].model_dump(mode="json", exclude_none=True)["content"][1]
    assert film == {"type": "file", "format": "video/*", "url": PLAYER["video_url"]["url"]}
    to_gemini = il.encode_request(request, "gemini", model="gemini-2.5-pro", strict=True)
    told = [(loss.code, loss.severity) for loss in to_gemini.losses if loss.path == "/messages/0/content/1/format"]
    assert told == [("member", "changed")]


@pytest.mark.parametrize("source", ["openai_chat", "vllm"])
@pytest.mark.parametrize("target", ["claude", "ollama", "openai_responses", "bedrock_converse"])
def test_a_video_of_unknown_format_is_not_sent_to_models_without_video_input(source: str, target: str) -> None:
    encoded = il.translate_request(asked(PLAYER), source, target)
    assert "watch?v=1" not in str(encoded.body)
    assert ("/messages/0/content/1", "content") in {(loss.path, loss.concern) for loss in encoded.losses}


@pytest.mark.parametrize("source", ["openai_chat", "vllm"])
@pytest.mark.parametrize("part", [FILM, REFERRED, PLAYER])
def test_vllm_gets_a_video_without_a_loss(source: str, part: Any) -> None:
    encoded = il.translate_request(asked(part), source, "vllm", strict="all")
    assert (encoded.body["messages"], encoded.losses) == (asked(part)["messages"], ())


def test_a_media_range_of_gemini_round_trips_and_is_translated_to_vllm() -> None:
    film = {"fileData": {"mimeType": "video/*", "fileUri": PLAYER["video_url"]["url"]}}
    body = {"contents": [{"role": "user", "parts": [film]}]}
    assert il.encode_request(il.decode_request(body, "gemini"), "gemini").body == body
    assert il.translate_request(body, "gemini", "vllm", model="m").body["messages"][0]["content"] == [PLAYER]


@pytest.mark.parametrize("part", [FILM, REFERRED, SOUND])
def test_vllm_gets_it_in_the_same_form(part: Any) -> None:
    assert il.translate_request(asked(part), "openai_chat", "vllm").body["messages"] == asked(part)["messages"]


def test_bedrock_gets_the_data_of_a_video() -> None:
    body = il.translate_request(asked(FILM), "openai_chat", "bedrock_converse", model="amazon.nova-pro-v1:0").body
    assert body["messages"][0]["content"][1] == {"video": {"format": "mp4", "source": {"bytes": DATA}}}


@pytest.mark.parametrize("target", ["claude", "ollama", "openai_responses"])
def test_video_is_reported_as_lost_for_models_without_video_input(target: str) -> None:
    encoded = il.translate_request(asked(FILM), "openai_chat", target)
    assert DATA not in str(encoded.body)
    assert ("/messages/0/content/1", "content") in {(loss.path, loss.concern) for loss in encoded.losses}
