"""What comes as a picture and is named a document, a sound or a film: providers take it as that, if at all."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

DATA: Final = "JVBERi0xLjQK"
PDF: Final = f"data:application/pdf;base64,{DATA}"
ADDRESS: Final = "https://example.com/report.pdf?page=2"
FILE: Final = {"type": "input_file", "filename": "file.pdf", "file_data": PDF}
DOCUMENT: Final = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": DATA}}
# (the room, the list of parts of its first message, the part)
PLACES: Final[dict[str, tuple[str, str]]] = {
    "openai_responses": ("input", "content"),
    "claude": ("messages", "content"),
    "gemini": ("contents", "parts"),
    "bedrock_converse": ("messages", "content"),
}


def asking(url: str, **picture: Any) -> dict[str, Any]:
    shown = {"type": "image_url", "image_url": {"url": url, **picture}}
    return {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "Sum up."}, shown]}]}


def sent(encoded: il.Encoded, target: str) -> Any:
    messages, parts = PLACES[target]
    return encoded.body[messages][0][parts][1]


@pytest.mark.parametrize(
    ("target", "part"),
    [
        ("openai_responses", FILE),
        ("claude", DOCUMENT),
        ("gemini", {"inlineData": {"mimeType": "application/pdf", "data": DATA}}),
        ("bedrock_converse", {"document": {"format": "pdf", "name": "document0-1", "source": {"bytes": DATA}}}),
    ],
)
def test_a_pdf_given_as_an_image_is_sent_as_a_document_and_reported_as_changed(target: str, part: Any) -> None:
    encoded = il.translate_request(asking(PDF), "openai_chat", target, profile=None, strict=True)
    assert sent(encoded, target) == part
    assert ("changed", "/messages/0/content/1/type", "bookkeeping") in [
        (loss.severity, loss.path, loss.concern) for loss in encoded.losses
    ]
    assert il.check_request(encoded.body, target, profile=None) == []


@pytest.mark.parametrize(
    ("target", "part"),
    [
        ("openai_responses", {"type": "input_file", "file_url": ADDRESS}),
        ("claude", {"type": "document", "source": {"type": "url", "url": ADDRESS}}),
        ("gemini", {"fileData": {"mimeType": "application/pdf", "fileUri": ADDRESS}}),
    ],
)
def test_an_image_url_that_ends_in_pdf_becomes_a_document_url(target: str, part: Any) -> None:
    assert sent(il.translate_request(asking(ADDRESS), "openai_chat", target, profile=None), target) == part


def test_another_image_url_stays_an_image() -> None:
    encoded = il.translate_request(asking("https://example.com/view.html"), "openai_chat", "openai_responses")
    assert sent(encoded, "openai_responses")["type"] == "input_image"
    assert all(loss.path != "/messages/0/content/1/type" for loss in encoded.losses)


def test_a_pdf_given_as_a_responses_image_becomes_a_chat_completions_file() -> None:
    said = [{"type": "input_image", "image_url": PDF, "detail": "high"}]
    body = {"model": "m", "input": [{"role": "user", "content": said}]}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", profile=None)
    written = {"type": "file", "file": {"file_data": PDF, "filename": "file.pdf"}}
    assert encoded.body["messages"][0]["content"] == [written]
    assert ("lost", "/messages/0/content/0/detail") in [(loss.severity, loss.path) for loss in encoded.losses]
    assert il.check_request(encoded.body, "openai_chat", profile=None) == []


def test_a_text_given_as_an_image_becomes_a_text_document() -> None:
    encoded = il.translate_request(asking("data:text/plain;base64,SGVsbG8="), "openai_chat", "claude")
    assert sent(encoded, "claude")["source"] == {"type": "text", "media_type": "text/plain", "data": "Hello"}


@pytest.mark.parametrize("target", ["ollama", "vllm"])
def test_a_pdf_is_never_sent_as_an_image_and_is_one_loss_of_content(target: str) -> None:
    encoded = il.translate_request(asking(PDF), "openai_chat", target)
    assert DATA not in str(encoded.body)
    assert [(loss.severity, loss.concern) for loss in encoded.losses if loss.path.startswith("/messages")] == [
        ("lost", "content")
    ]


def test_within_the_dialect_a_pdf_given_as_an_image_is_unchanged() -> None:
    body = asking(PDF, detail="high")
    assert il.encode_request(il.decode_request(body, "openai_chat"), "openai_chat").body == body
