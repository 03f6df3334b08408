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
def test_at_home_a_film_or_a_sound_comes_back_as_it_was(dialect: str, part: Any) -> None:
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
def test_gemini_is_shown_what_chat_shows(part: Any, expected: Any) -> None:
    encoded = il.translate_request(asked(part), "openai_chat", "gemini", model="gemini-2.5-pro")
    assert encoded.body["contents"][0]["parts"][1] == expected
    assert not [loss for loss in encoded.losses if loss.severity == "lost"]


@pytest.mark.parametrize("source", ["openai_chat", "vllm"])
def test_a_film_of_which_nobody_says_in_which_form_it_is_has_no_media_type_of_its_own(source: str) -> None:
    request = il.decode_request(asked(PLAYER), source)
    film = request.messages[0].model_dump(mode="json", exclude_none=True)["content"][1]
    assert film == {"type": "file", "format": "video/*", "url": PLAYER["video_url"]["url"]}
    to_gemini = il.encode_request(request, "gemini", model="gemini-2.5-pro", strict=True)
    told = [(loss.code, loss.severity) for loss in to_gemini.losses if loss.path == "/messages/0/content/1/format"]
    assert told == [("member", "changed")]


@pytest.mark.parametrize("source", ["openai_chat", "vllm"])
@pytest.mark.parametrize("target", ["claude", "ollama", "openai_responses", "bedrock_converse"])
def test_such_a_film_is_sent_to_nobody_who_reads_none(source: str, target: str) -> None:
    encoded = il.translate_request(asked(PLAYER), source, target)
    assert "watch?v=1" not in str(encoded.body)
    assert ("/messages/0/content/1", "content") in {(loss.path, loss.concern) for loss in encoded.losses}


@pytest.mark.parametrize("source", ["openai_chat", "vllm"])
@pytest.mark.parametrize("part", [FILM, REFERRED, PLAYER])
def test_vllm_gets_a_film_without_a_loss(source: str, part: Any) -> None:
    encoded = il.translate_request(asked(part), source, "vllm", strict="all")
    assert (encoded.body["messages"], encoded.losses) == (asked(part)["messages"], ())


def test_a_media_range_of_geminis_own_comes_home_and_reaches_vllm() -> None:
    film = {"fileData": {"mimeType": "video/*", "fileUri": PLAYER["video_url"]["url"]}}
    body = {"contents": [{"role": "user", "parts": [film]}]}
    assert il.encode_request(il.decode_request(body, "gemini"), "gemini").body == body
    assert il.translate_request(body, "gemini", "vllm", model="m").body["messages"][0]["content"] == [PLAYER]


@pytest.mark.parametrize("part", [FILM, REFERRED, SOUND])
def test_vllm_is_shown_it_in_the_same_words(part: Any) -> None:
    assert il.translate_request(asked(part), "openai_chat", "vllm").body["messages"] == asked(part)["messages"]


def test_bedrock_is_given_the_data_of_a_film() -> None:
    body = il.translate_request(asked(FILM), "openai_chat", "bedrock_converse", model="amazon.nova-pro-v1:0").body
    assert body["messages"][0]["content"][1] == {"video": {"format": "mp4", "source": {"bytes": DATA}}}


@pytest.mark.parametrize("target", ["claude", "ollama", "openai_responses"])
def test_who_reads_no_film_gets_none_and_that_is_told(target: str) -> None:
    encoded = il.translate_request(asked(FILM), "openai_chat", target)
    assert DATA not in str(encoded.body)
    assert ("/messages/0/content/1", "content") in {(loss.path, loss.concern) for loss in encoded.losses}
