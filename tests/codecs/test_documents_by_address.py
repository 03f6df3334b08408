"""Documents as Mistral takes them: a part of their own, with an address or a data URL as its text."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

DATA: Final = "JVBERi0xLjQK"
AT: Final = "https://example.com/a.pdf"
INLINE: Final = {"type": "document_url", "document_url": f"data:application/pdf;base64,{DATA}"}
NAMED: Final = {"type": "document_url", "document_url": AT, "document_name": "a.pdf"}
BY_ADDRESS: Final = {"type": "document", "source": {"type": "url", "url": AT}, "title": "a.pdf"}
BY_DATA: Final = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": DATA}}
BY_ID: Final = {"type": "document", "source": {"type": "file", "file_id": "file_1"}}
PLAIN: Final = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Hello"}}
ASKED: Final = {"type": "text", "text": "What is it?"}


def asked(*parts: Any, model: str = "mistral-large-latest") -> dict[str, Any]:
    return {"model": model, "messages": [{"role": "user", "content": [ASKED, *parts]}]}


def to(model: str, *blocks: Any) -> tuple[list[Any], list[str]]:
    """Return what is written behind the question of Claude's documents, and the losses of content.

    A message of the question alone is a text.
    """
    body = {"max_tokens": 9, **asked(*blocks)}
    encoded = il.translate_request(body, "claude", "openai_chat", model=model)
    assert il.check_request(encoded.body, "openai_chat") == []
    written = encoded.body["messages"][0]["content"]
    return [] if type(written) is str else written[1:], [
        loss.path for loss in encoded.losses if (loss.severity, loss.concern) == ("lost", "content")
    ]


@pytest.mark.parametrize(
    ("part", "canonical"),
    [
        (INLINE, {"type": "file", "format": "application/pdf", "data": DATA}),
        (NAMED, {"type": "file", "name": "a.pdf", "url": AT}),
        ({**NAMED, "document_name": None}, {"type": "file", "url": AT}),
    ],
)
def test_a_document_url_is_a_file_and_round_trips(part: Any, canonical: Any) -> None:
    request = il.decode_request(asked(part), "openai_chat")
    read = request.model_dump(mode="json")["messages"][0]["content"][1]
    assert {name: value for name, value in read.items() if name != "extra"} == canonical
    assert il.encode_request(request, "openai_chat").body == asked(part)
    assert il.check_request(asked(part), "openai_chat") == []


def test_a_document_url_without_text_is_unchanged() -> None:
    broken = asked({"type": "document_url", "document_url": {"url": AT}})
    request = il.decode_request(broken, "openai_chat")
    assert il.encode_request(request, "openai_chat").body == broken
    assert [one.path for one in il.check_request(broken, "openai_chat")] == ["/messages/0/content/1/document_url"]


def test_documents_reach_other_dialects() -> None:
    blocks = il.translate_request(asked(NAMED, INLINE), "openai_chat", "claude", model="m").body["messages"][0]
    assert blocks["content"][1:] == [BY_ADDRESS, BY_DATA]


def test_documents_of_other_dialects_are_written_in_mistrals_form() -> None:
    written, lost = to("mistral-large-latest", BY_ADDRESS, BY_DATA, PLAIN)
    assert written == [NAMED, INLINE, {"type": "text", "text": "Hello"}]
    assert lost == []


def test_a_file_id_of_another_provider_is_lost_for_mistral() -> None:
    assert to("mistral-large-latest", BY_ID) == ([], ["/messages/0/content/1"])


@pytest.mark.parametrize("model", ["gpt-5.1", "mistralai/mistral-large-2512"])
def test_openai_and_gateways_get_file_parts(model: str) -> None:
    [written], lost = to(model, BY_ADDRESS, BY_DATA)
    assert written["type"] == "file"
    assert lost == ["/messages/0/content/1"]


def test_each_provider_reports_the_other_form_as_a_violation() -> None:
    file = {"type": "file", "file": {"file_data": f"data:application/pdf;base64,{DATA}", "filename": "a.pdf"}}
    refused = [
        [one.path for one in il.check_request(asked(part, model=model), "openai_chat")]
        for part in (file, INLINE)
        for model in ("mistral-large-latest", "gpt-5.1")
    ]
    assert refused == [["/messages/0/content/1"], [], [], ["/messages/0/content/1"]]


SOUND: Final = "UklGRmQAAABXQVZF"


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize(
    ("said", "canonical"),
    [
        (SOUND, {"type": "audio", "data": SOUND}),
        ("https://example.com/a.mp3", {"type": "audio", "url": "https://example.com/a.mp3"}),
        (f"data:audio/mpeg;base64,{SOUND}", {"type": "audio", "format": "audio/mpeg", "data": SOUND}),
    ],
)
def test_audio_may_be_given_as_a_string(dialect: str, said: str, canonical: Any) -> None:
    body = asked({"type": "input_audio", "input_audio": said, "more": 1}, model="voxtral-small-latest")
    request = il.decode_request(body, dialect)
    read = request.model_dump(mode="json")["messages"][0]["content"][1]
    assert {name: value for name, value in read.items() if name != "extra"} == canonical
    assert il.encode_request(request, dialect).body == body


def test_audio_given_as_a_string_is_translated_to_gemini() -> None:
    body = asked({"type": "input_audio", "input_audio": f"data:audio/mpeg;base64,{SOUND}"})
    sent = il.translate_request(body, "openai_chat", "gemini", model="gemini-3-pro-preview")
    assert sent.body["contents"][0]["parts"][1] == {"inlineData": {"mimeType": "audio/mpeg", "data": SOUND}}
