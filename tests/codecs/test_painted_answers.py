"""Pictures in answers: Chat Completions' clients find them in `images`, as OpenRouter and LiteLLM write them."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

PIXELS: Final = "aGVsbG8="
PICTURE: Final[dict[str, Any]] = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXELS}"}}
INLINE: Final[dict[str, Any]] = {"inlineData": {"mimeType": "image/png", "data": PIXELS}}
CONTENTS: Final[tuple[Any, ...]] = ("Here.", "", None, [{"type": "text", "text": "Here."}])


def painted(*parts: dict[str, Any]) -> dict[str, Any]:
    said = {"content": {"role": "model", "parts": [*parts]}, "finishReason": "STOP", "index": 0}
    return {"candidates": [said], "modelVersion": "gemini-2.5-flash-image", "responseId": "r"}


def answered(content: Any, images: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, "images": images}
    said = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "i", "object": "chat.completion", "created": 1, "model": "m", "choices": [said]}


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    said = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "i", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [said]}


def test_a_client_of_chat_finds_what_gemini_painted_beside_the_text() -> None:
    body = painted({"text": "Two"}, INLINE, {"text": " of them."}, INLINE)
    encoded = il.translate_response(body, "gemini", "openai_chat")
    message = encoded.body["choices"][0]["message"]
    assert message["content"] == "Two of them."
    assert message["images"] == [{**PICTURE, "index": 0}, {**PICTURE, "index": 1}]
    assert not [loss for loss in encoded.losses if loss.concern == "content"]


def test_a_stream_shows_each_picture_with_its_place() -> None:
    stream = il.translate_stream([painted(INLINE, {"text": "Done."}, INLINE)], "gemini", "openai_chat")
    deltas = [one["choices"][0]["delta"] for one in stream if isinstance(one, dict) and one["choices"]]
    shown = [picture for delta in deltas for picture in delta.get("images", ())]
    assert shown == [{**PICTURE, "index": 0}, {**PICTURE, "index": 1}]
    assert not [loss for loss in stream.losses if loss.concern == "content"]


@pytest.mark.parametrize("member", ["images", "annotations"])
@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
def test_what_a_stream_shows_beside_the_text_and_cannot_be_read_is_told(dialect: str, member: str) -> None:
    frames = [chunk({"content": "Here.", member: [{"type": "sculpture"}]}), chunk({}, "stop")]
    stream = il.translate_stream(frames, dialect, "gemini")
    assert "Here." in str(list(stream))
    assert [loss.severity for loss in stream.losses if loss.path.endswith(f"/extra/{dialect}")] == ["lost"]


def test_pictures_that_a_room_does_not_read_are_told_in_a_stream() -> None:
    stream = il.translate_stream([chunk({"images": [PICTURE]}), chunk({}, "stop")], "vllm", "claude")
    list(stream)
    assert [loss.severity for loss in stream.losses if loss.path.endswith("/extra/vllm")] == ["lost"]


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("images", [[PICTURE], [{**PICTURE, "index": 0}], [], None, [{"type": "sculpture"}], "none"])
def test_an_answer_with_pictures_comes_back_as_it_was(content: Any, images: Any) -> None:
    body = answered(content, images)
    encoded = il.encode_response(il.decode_response(body, "openai_chat"), "openai_chat")
    assert (encoded.body, encoded.losses) == (body, ())


def test_a_picture_of_chat_reaches_gemini_in_answers_and_in_histories() -> None:
    body = answered("Here.", [PICTURE])
    told = il.translate_response(body, "openai_chat", "gemini").body["candidates"][0]["content"]["parts"]
    assert told == [{"text": "Here."}, INLINE]
    history = [
        {"role": "user", "content": "Paint."},
        body["choices"][0]["message"],
        {"role": "user", "content": "More."},
    ]
    asked = il.translate_request({"model": "gemini-2.5-flash-image", "messages": history}, "openai_chat", "gemini")
    assert asked.body["contents"][1] == {"role": "model", "parts": [{"text": "Here."}, INLINE]}


def test_a_stream_with_pictures_comes_back_as_it_was_and_says_what_the_whole_says() -> None:
    frames = [
        chunk({"role": "assistant", "content": "Here."}),
        chunk({"images": [{**PICTURE, "index": 0}]}),
        chunk({"images": [{"type": "image_url", "image_url": {"url": "https://a.example/b.png"}}]}),
        chunk({}, "stop"),
        "[DONE]",
    ]
    events = list(il.decode_stream(frames, "openai_chat"))
    assert list(il.encode_stream(events, "openai_chat")) == frames
    images = [{**PICTURE, "index": 0}, {"type": "image_url", "image_url": {"url": "https://a.example/b.png"}}]
    assert il.collect(events) == il.decode_response(answered("Here.", images), "openai_chat")


def test_a_request_to_openai_holds_no_picture_of_the_assistant() -> None:
    history = [{"role": "user", "parts": [{"text": "Paint."}]}, {"role": "model", "parts": [INLINE]}]
    encoded = il.translate_request({"contents": history}, "gemini", "openai_chat", model="gpt-4o")
    assert all("images" not in message for message in encoded.body["messages"])
    assert "/messages/1/content/0" in {loss.path for loss in encoded.losses}


def test_vllm_shows_no_picture_and_that_is_told() -> None:
    encoded = il.translate_response(painted(INLINE), "gemini", "vllm")
    assert "images" not in encoded.body["choices"][0]["message"]
    assert [loss.path for loss in encoded.losses if loss.concern == "content"] == ["/messages/0/content/0"]
