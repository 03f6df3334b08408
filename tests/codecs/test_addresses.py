"""Pictures and files that are given by address, or by the id of one provider: what is sent can be had there."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

WORD: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
GOOGLE: Final = "https://generativelanguage.googleapis.com/v1beta/files/abc"
DIALECTS: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm", "bedrock_converse")


def file(uri: str, media_type: str) -> dict[str, Any]:
    return {"fileData": {"fileUri": uri, "mimeType": media_type}}


def asked(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"contents": [{"role": "user", "parts": [{"text": "Look."}, *parts]}]}


def lost(encoded: il.Encoded) -> list[str]:
    """Return what of the content of the first message does not arrive."""
    return [loss.path for loss in encoded.losses if (loss.severity, loss.concern) == ("lost", "content")]


@pytest.mark.parametrize(
    ("uri", "media_type"),
    [
        ("https://example.org/a.mp4", "video/mp4"),
        ("https://example.org/a.docx", WORD),
        ("https://example.org/a.txt", "text/plain"),
        ("gs://bucket/a.png", "image/png"),
        ("gs://bucket/a.pdf", "application/pdf"),
        (GOOGLE, "application/pdf"),
        ("https://example.org/a.heic", "image/heic"),
        ("https://youtu.be/abc", "video/mp4"),
    ],
)
def test_urls_that_claude_refuses_are_not_written(uri: str, media_type: str) -> None:
    encoded = il.translate_request(asked(file(uri, media_type)), "gemini", "claude", model="claude-sonnet-4-5")
    assert encoded.body["messages"] == [{"role": "user", "content": [{"type": "text", "text": "Look."}]}]
    assert lost(encoded) == ["/messages/0/content/1"]


@pytest.mark.parametrize(
    ("uri", "media_type", "kind"),
    [("https://example.org/a.png", "image/png", "image"), ("https://example.org/a", "application/pdf", "document")],
)
def test_urls_that_claude_fetches_are_written_without_losses(uri: str, media_type: str, kind: str) -> None:
    encoded = il.translate_request(
        asked(file(uri, media_type)),
        "gemini",
        "claude",
        model="claude-sonnet-4-5",
        defaults={"max_tokens": 9},
        strict=True,
    )
    source = {"type": "url", "url": uri}
    assert encoded.body["messages"][0]["content"][1] == {"type": kind, "source": source}


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "claude", "vllm", "ollama", "bedrock_converse"])
@pytest.mark.parametrize("uri", ["gs://bucket/a.png", GOOGLE])
def test_file_ids_of_one_provider_are_one_loss_in_all_other_dialects(target: str, uri: str) -> None:
    encoded = il.translate_request(asked(file(uri, "image/png")), "gemini", target, model="m")
    assert uri not in str(encoded.body)
    assert lost(encoded) == ["/messages/0/content/1"]


@pytest.mark.parametrize("uri", ["https://example.org/a.mp4", "https://www.youtube.com/watch?v=1"])
def test_video_urls_are_not_written_as_files_for_responses(uri: str) -> None:
    encoded = il.translate_request(asked(file(uri, "video/mp4")), "gemini", "openai_responses", model="gpt-5")
    assert lost(encoded) == ["/messages/0/content/1"]


def test_a_document_for_gemini_has_the_media_type_of_its_url() -> None:
    part = {"type": "input_file", "file_url": "https://example.org/a.csv?x=1"}
    body = {"model": "m", "input": [{"role": "user", "content": [part]}]}
    [sent] = il.translate_request(body, "openai_responses", "gemini").body["contents"][0]["parts"]
    assert sent == file("https://example.org/a.csv?x=1", "text/csv")


@pytest.mark.parametrize(
    ("identifier", "taken"),
    [
        ("file-abc", {"openai_chat", "openai_responses"}),
        ("file_011CNha8iCJcU1wXNR6q4V8w", {"claude"}),
        ("files/abc", set[str]()),
        ("an id of mine", {"openai_chat", "openai_responses", "claude"}),
    ],
)
def test_a_file_id_is_written_for_providers_that_may_have_the_file(identifier: str, taken: set[str]) -> None:
    parts = [{"type": "text", "text": "Look."}, {"type": "file", "file_id": identifier}]
    request = {"model": "m", "messages": [{"role": "user", "content": parts}]}
    found = {dialect for dialect in DIALECTS if identifier in str(il.encode_request(request, dialect).body)}
    assert found == taken
    for dialect in set(DIALECTS) - taken:
        assert lost(il.encode_request(request, dialect)) == ["/messages/0/content/1"]
    wire = {"type": "document", "source": {"type": "file", "file_id": identifier}}
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": [wire]}]}
    assert il.encode_request(il.decode_request(body, "claude"), "claude").body == body
