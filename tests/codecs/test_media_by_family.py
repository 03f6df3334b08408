"""A model is sent only the media that it, or its host, reads; the rest is reported, and text files come as text."""

from __future__ import annotations

import base64
from typing import Any, Final

import pytest

import interlingua as il


def _inline(media_type: str, data: bytes) -> dict[str, Any]:
    return {"inlineData": {"mimeType": media_type, "data": base64.b64encode(data).decode()}}


MEDIA: Final = {
    "image": _inline("image/png", b"\x89PNG\r\n\x1a\n" + bytes(8)),
    "pdf": _inline("application/pdf", b"%PDF-1.4\n%%EOF\n"),
    "audio": _inline("audio/wav", b"RIFF\x24\0\0\0WAVEfmt "),
    "video": _inline("video/mp4", b"\0\0\0\x18ftypmp42"),
    "csv": _inline("text/csv", b"a,b\n1,2\n"),
}
TABLE: Final = "a,b\n1,2\n"


def sent(parts: list[Any], target: Any, model: str) -> tuple[Any, list[str]]:
    """Return the last message of a request of Gemini with these parts, and the paths of what is lost."""
    body = {"contents": [{"role": "user", "parts": [*parts, {"text": "What is it?"}]}]}
    encoded = il.translate_request(body, "gemini", target, model=model)
    assert il.check_request(encoded.body, target) == []
    messages = encoded.body.get("messages") or encoded.body["input"]
    return messages[-1], [loss.path for loss in encoded.losses if loss.severity == "lost"]


@pytest.mark.parametrize(
    ("target", "model", "read"),
    [
        ("openai_chat", "gpt-4o", {"image", "pdf"}),
        ("openai_chat", "gpt-audio", {"pdf", "audio"}),
        ("openai_chat", "gpt-3.5-turbo", set()),
        ("openai_chat", "deepseek-chat", set()),
        ("openai_chat", "deepseek-flash", {"image", "pdf"}),
        ("openai_chat", "deepseek/deepseek-chat", {"image", "pdf"}),
        ("openai_chat", "mistral-large-latest", {"image", "pdf"}),
        ("openai_chat", "voxtral-small-latest", {"image", "pdf", "audio"}),
        ("openai_chat", "codestral-latest", {"pdf"}),
        ("openai_chat", "grok-4", {"image"}),
        ("openai_chat", "grok-3-mini", set()),
        ("openai_chat", "kimi-k2.6", {"image", "video"}),
        ("openai_chat", "moonshot-v1-8k", set()),
        ("openai_chat", "moonshot-v1-8k-vision-preview", {"image"}),
        ("openai_chat", "glm-4.6v", {"image", "video"}),
        ("openai_chat", "qwen3.7-max", set()),
        ("openai_chat", "qwen3-coder-plus", set()),
        ("openai_chat", "qwen3-vl-plus", {"image", "audio", "video"}),
        ("openai_chat", "llama-3.3-70b-versatile", set()),
        ("openai_chat", "openai/gpt-oss-120b", set()),
        ("openai_chat", "command-a-03-2025", set()),
        ("openai_chat", "command-a-vision-07-2025", {"image"}),
        ("openai_chat", "anthropic/claude-sonnet-4.5", {"image", "pdf"}),
        ("openai_chat", "google/gemini-2.5-flash", {"image", "pdf", "audio"}),
        ("openai_chat", "google/gemini-3.5-flash", {"image", "pdf", "audio", "video"}),
        ("vllm", "Qwen/Qwen3-8B", set()),
        ("vllm", "Qwen/Qwen2.5-VL-7B-Instruct", {"image", "video"}),
        ("vllm", "Qwen/Qwen2.5-Omni-7B", {"image", "audio", "video"}),
        ("vllm", "mistralai/Mistral-7B-Instruct-v0.3", set()),
        ("vllm", "mistralai/Mistral-Small-3.2-24B-Instruct-2506", {"image"}),
        ("vllm", "mistralai/Voxtral-Small-24B-2507", {"audio"}),
        ("vllm", "google/gemma-3-27b-it", {"image"}),
        ("vllm", "google/gemma-2-9b-it", set()),
        ("vllm", "meta-llama/Llama-3.3-70B-Instruct", set()),
        ("vllm", "meta-llama/Llama-4-Scout-17B-16E-Instruct", {"image"}),
    ],
)
def test_a_model_is_sent_the_media_that_it_reads(target: Any, model: str, read: set[str]) -> None:
    message, lost = sent([*MEDIA.values()], target, model)
    places = [f"/messages/0/content/{at}" for at, kind in enumerate(MEDIA) if kind not in {*read, "csv"}]
    assert sorted(lost) == places
    kinds = {"image_url": "image", "file": "pdf", "document_url": "pdf", "input_audio": "audio", "video_url": "video"}
    if type(message["content"]) is str:  # without media, the texts of some models are joined
        assert (message["content"], read) == (f"{TABLE}\n\nWhat is it?", set())
        return
    assert {kinds[part["type"]] for part in message["content"] if part["type"] != "text"} == read
    assert [part["text"] for part in message["content"] if part["type"] == "text"] == [TABLE, "What is it?"]


@pytest.mark.parametrize(("model", "is_sent"), [("qwen3.8-max", True), ("glm-4.6v", True), ("kimi-k3", False)])
def test_a_video_by_address_is_sent_to_hosts_that_fetch_videos(model: str, *, is_sent: bool) -> None:
    address = {"fileData": {"mimeType": "video/mp4", "fileUri": "https://example.org/a.mp4"}}
    message, lost = sent([address], "openai_chat", model)
    video = {"type": "video_url", "video_url": {"url": "https://example.org/a.mp4"}}
    assert (video in [*message["content"]], lost == []) == (is_sent, is_sent)
    page = {"fileData": {"mimeType": "video/mp4", "fileUri": "https://www.youtube.com/watch?v=1"}}
    assert sent([page], "openai_chat", model)[1] == ["/messages/0/content/0"]


def test_a_video_that_was_sent_is_decoded_as_the_same_part() -> None:
    message, _ = sent([MEDIA["video"]], "openai_chat", "qwen3.8-max")
    decoded = il.decode_request({"model": "qwen3.8-max", "messages": [message]}, "openai_chat")
    [video, _] = decoded.messages[0].model_dump(mode="json")["content"]
    assert video == {"type": "file", "format": "video/mp4", "data": MEDIA["video"]["inlineData"]["data"]}


def test_models_whose_texts_are_joined_are_sent_no_media_either() -> None:
    message, lost = sent([*MEDIA.values()], "openai_chat", "glm-4.6")
    assert message["content"].split() == [*TABLE.split(), "What", "is", "it?"]
    assert lost == [f"/messages/0/content/{at}" for at in range(4)]


@pytest.mark.parametrize("model", ["gpt-3.5-turbo", "gpt-4"])
def test_a_text_file_becomes_text_for_models_without_files_in_responses_too(model: str) -> None:
    message, lost = sent([MEDIA["csv"], MEDIA["pdf"]], "openai_responses", model)
    assert [part["text"] for part in message["content"]] == [TABLE, "What is it?"]
    assert lost == ["/messages/0/content/1"]


def test_a_document_of_text_is_sent_to_models_without_files() -> None:
    source = {"type": "text", "media_type": "text/plain", "data": "The grass is green."}
    blocks = [{"type": "document", "title": "Colours", "source": source}, {"type": "text", "text": "Which?"}]
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": blocks}]}
    encoded = il.translate_request(body, "claude", "openai_chat", model="gpt-3.5-turbo")
    assert encoded.body["messages"][0]["content"][0]["text"] == "Title: Colours\n\nThe grass is green."
    assert [loss.path for loss in encoded.losses if loss.severity == "lost"] == []


@pytest.mark.parametrize(
    ("model", "read"),
    [
        ("gemma4:e2b", {"image", "audio"}),
        ("my-own-model", {"image", "audio"}),
        ("llama3.2-vision", {"image"}),
        ("qwen2.5vl:7b", {"image"}),
        ("gemma3:4b", {"image"}),
        ("gemma3:1b", set()),
        ("gemma3n:e4b", set()),
        ("qwen3:8b", set()),
    ],
)
def test_ollama_gets_audio_only_for_models_that_hear(model: str, read: set[str]) -> None:
    message, lost = sent([MEDIA["image"], MEDIA["audio"]], "ollama", model)
    held = [MEDIA[kind]["inlineData"]["data"] for kind in ("image", "audio") if kind in read]
    assert message.get("images", []) == held
    assert lost == [f"/messages/0/content/{at}" for at, kind in enumerate(("image", "audio")) if kind not in read]


def test_audio_for_an_ollama_model_that_does_not_hear_is_a_violation() -> None:
    sound = MEDIA["audio"]["inlineData"]["data"]
    body = {"model": "llava:7b", "messages": [{"role": "user", "content": "?", "images": [sound]}]}
    assert [one.path for one in il.check_request(body, "ollama")] == ["/messages/0/images/0"]
    assert il.check_request({**body, "model": "gemma4:e2b"}, "ollama") == []


@pytest.mark.parametrize(
    ("target", "media_type", "is_read"),
    [
        ("ollama", "image/webp", True),
        ("ollama", "image/gif", False),
        ("ollama", "image/heic", False),
        ("vllm", "image/gif", True),
        ("vllm", "image/bmp", True),
        ("vllm", "image/heic", False),
        ("vllm", "image/svg+xml", False),
    ],
)
def test_an_image_that_the_server_cannot_decode_is_lost(target: Any, media_type: str, *, is_read: bool) -> None:
    first = {"image/webp": b"RIFF\0\0\0\0WEBP", "image/gif": b"GIF89a\1\0\1\0"}.get(media_type, bytes(12))
    _, lost = sent([_inline(media_type, first)], target, "my-own-model")
    assert lost == ([] if is_read else ["/messages/0/content/0"])


def test_a_gif_is_a_violation_in_ollama() -> None:
    gif = base64.b64encode(b"GIF89a\1\0\1\0").decode()
    body = {"model": "my-own-model", "messages": [{"role": "user", "content": "?", "images": [gif]}]}
    assert [one.path for one in il.check_request(body, "ollama")] == ["/messages/0/images/0"]


@pytest.mark.parametrize(
    ("address", "is_fetched"),
    [
        ("https://example.com/a.mp4", True),
        ("gs://bucket/a.mp4", False),
        ("https://www.youtube.com/watch?v=abc", False),
        ("https://generativelanguage.googleapis.com/v1beta/files/abc", False),
    ],
)
def test_vllm_is_sent_only_videos_that_its_server_can_fetch(address: str, *, is_fetched: bool) -> None:
    part = {"fileData": {"mimeType": "video/mp4", "fileUri": address}}
    message, lost = sent([part], "vllm", "my-own-model")
    assert (type(message["content"]) is list and message["content"][0]["type"] == "video_url") is is_fetched
    assert lost == ([] if is_fetched else ["/messages/0/content/0"])


@pytest.mark.parametrize(
    ("target", "model", "reads_video"),
    [
        ("bedrock_converse", "anthropic.claude-sonnet-4-5-20250929-v1:0", False),
        ("bedrock_converse", "amazon.nova-pro-v1:0", True),
        ("vllm", "Qwen/Qwen2.5-VL-7B-Instruct", True),
        ("vllm", "mistralai/Mistral-Small-3.2-24B-Instruct-2506", False),
    ],
)
def test_video_and_audio_labelled_as_images_are_only_sent_to_models_that_read_them(
    target: il.Dialect, model: str, reads_video: bool
) -> None:
    urls = ("data:video/mp4;base64,AAAA", "data:audio/mpeg;base64,AAAA")
    shown = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
    messages = [{"role": "user", "content": [{"type": "text", "text": "Look."}, *shown]}]
    encoded = il.translate_request({"model": "m", "messages": messages}, "openai_chat", target, model=model)
    said = str(encoded.body["messages"])
    assert ("video" in said, "audio" in said) == (reads_video, False)
    assert {loss.path: loss.severity for loss in encoded.losses}["/messages/0/content/2"] == "lost"
    assert il.check_request(encoded.body, target, profile=model) == []
