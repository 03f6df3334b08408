"""What users suffered from with pictures, sound and files (docs/pain.md), each entry by its id."""

from __future__ import annotations

import base64
import json
from typing import Any, Final

import pytest
from pydantic import ValidationError

import interlingua as il
from support.bodies import DIALECTS

QUESTION: Final = {"role": "user", "content": "Go."}
PIXELS: Final = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe\xfb\xef"
DATA: Final = base64.b64encode(PIXELS).decode()
PICTURE: Final = {"type": "image", "format": "image/png", "data": DATA}
PDF: Final = {"type": "file", "format": "application/pdf", "name": "a.pdf", "data": "JVBERi0xLjQKMSAwIG9iag=="}
WAV: Final = {"type": "audio", "format": "audio/wav", "data": "UklGRiQAAABXQVZFZm10IBAAAAA="}
FLAC: Final = {"type": "audio", "format": "audio/flac", "data": "ZkxhQwAAACI="}
TEXT: Final = {"type": "text", "text": "See."}


def asked(*parts: dict[str, Any]) -> dict[str, Any]:
    """Return a canonical request whose user says these parts."""
    return {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": [TEXT, *parts]}]}


def gave(*parts: dict[str, Any]) -> dict[str, Any]:
    """Return a canonical request whose tool gave these parts."""
    called = {"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": {}}]}
    result = {"role": "tool", "call_id": "a", "content": [TEXT, *parts]}
    return {"model": "m", "max_tokens": 100, "messages": [QUESTION, called, result]}


def lost(encoded: il.Encoded) -> set[str]:
    return {loss.path for loss in encoded.losses if loss.severity == "lost"}


def texts(body: Any) -> list[str]:
    """Return every text of a body that the model reads as text: those that stand under names of texts."""
    if isinstance(body, dict):
        return [
            text
            for name, value in body.items()
            for text in ([value] if name in {"text", "content", "output"} and isinstance(value, str) else texts(value))
        ]
    return [text for one in body for text in texts(one)] if isinstance(body, list) else []


def parts_of(body: dict[str, Any], dialect: str) -> list[dict[str, Any]]:
    """Return the parts that are no text of the last message."""
    content = il.decode_request(body, dialect).model_dump(mode="json")["messages"][-1].get("content", "")
    return [part for part in content if part["type"] != "text"] if isinstance(content, list) else []


# --- places -----------------------------------------------------------------------------------------------------------

# Who can carry what in a result of a tool, or directly behind it.
IN_RESULTS: Final = {
    "image": {"openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm"},
    "file": {"openai_chat", "openai_responses", "claude", "gemini"},
}


@pytest.mark.parametrize("part", [PICTURE, PDF], ids=["picture", "document"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_mm_1_an_image_of_a_tool_is_sent_or_reported_and_never_base64_text(dialect: str, part: dict[str, Any]) -> None:
    encoded = il.encode_request(gave(part), dialect)
    assert il.check_request(encoded.body, dialect) == []
    assert not any(str(part["data"]) in text for text in texts(encoded.body))
    shown = [one.get("data") for one in parts_of(encoded.body, dialect)]
    if dialect in IN_RESULTS[str(part["type"])]:
        assert shown == [part["data"]]
        assert "/messages/2/content/1" not in lost(encoded)
    else:
        assert shown == []
        assert "/messages/2/content/1" in lost(encoded)


DOCUMENTS: Final = {"openai_chat", "openai_responses", "claude", "gemini"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_mm_2_a_document_without_a_place_is_a_loss_or_with_strict_an_error(dialect: str) -> None:
    encoded = il.encode_request(asked(PDF), dialect)
    assert ("/messages/0/content/1" in lost(encoded)) is (dialect not in DOCUMENTS)
    assert [one["data"] for one in parts_of(encoded.body, dialect)] == ([PDF["data"]] if dialect in DOCUMENTS else [])
    if dialect not in DOCUMENTS:
        with pytest.raises(il.LossError):
            il.encode_request(asked(PDF), dialect, strict=True)


# --- what the bytes are -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["openai_chat", "claude"])
def test_mm_4_an_unsupported_image_type_is_reported_before_sending(dialect: str) -> None:
    vector = {**PICTURE, "format": "image/svg+xml", "data": "PHN2Zy8+"}
    body = il.encode_request({"dialect": dialect, **asked(vector)}, dialect).body
    assert [one.code for one in il.check_request(body, dialect)] == ["media_type"]
    assert "svg" not in json.dumps(il.encode_request(asked(vector), "claude").body)
    assert "/messages/0/content/1" in lost(il.encode_request(asked(vector), "claude"))


@pytest.mark.parametrize("label", ["image/jpeg", "image/jpg", "image/*", "application/octet-stream", "text/plain"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_mm_4_an_image_is_sent_with_the_type_of_its_bytes_and_a_wrong_type_is_reported(
    dialect: str, label: str
) -> None:
    encoded = il.encode_request(asked({**PICTURE, "format": label}), dialect)
    assert ("changed", "/messages/0/content/1/format") in {(loss.severity, loss.path) for loss in encoded.losses}
    assert [(one["format"], one["data"]) for one in parts_of(encoded.body, dialect)] == [("image/png", DATA)]
    assert il.check_request(encoded.body, dialect) == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_mm_4_an_image_without_a_type_gets_the_type_of_its_bytes(dialect: str) -> None:
    encoded = il.encode_request(asked({"type": "image", "data": "/9j/4AAQSkZJRgAB"}), dialect)
    assert [one["format"] for one in parts_of(encoded.body, dialect)] == ["image/jpeg"]
    assert ("filled", "/messages/0/content/1/format") in {(loss.severity, loss.path) for loss in encoded.losses}


def test_mm_4_a_wrong_type_is_a_violation_where_refused_and_unchanged_within_the_dialect() -> None:
    request = {"dialect": "claude", **asked({**PICTURE, "format": "image/jpeg"})}
    encoded = il.encode_request(request, "claude")
    assert encoded.losses == ()
    (found,) = il.check_request(encoded.body, "claude")
    assert (found.code, found.path) == ("media_type", "/messages/0/content/1/source/media_type")


@pytest.mark.parametrize("dialect", [dialect for dialect in DIALECTS if dialect not in {"openai_chat", "vllm"}])
@pytest.mark.parametrize(
    "url",
    [
        f"data:image/png; base64,{DATA}",
        f"data:image/png;BASE64 , {DATA}",
        f"data:;base64,{DATA}",
        f"data:image/png;base64,data:image/png;base64,{DATA}",
    ],
)
def test_mm_5_a_data_url_is_read_as_browsers_do_and_no_prefix_is_duplicated(url: str, dialect: str) -> None:
    shown = {"type": "image_url", "image_url": {"url": url}}
    body = {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "See."}, shown]}]}
    there = il.translate_request(body, "openai_chat", dialect, profile=None).body
    if dialect == "openai_responses" and "data:image/png;base64,data:" not in url:
        return  # an address of one dialect of OpenAI is one of the other, too
    assert [(one["format"], one["data"]) for one in parts_of(there, dialect)] == [("image/png", DATA)]


def quoted(data: bytes) -> str:
    return "".join(f"%{byte:02X}" for byte in data)


URL_SAFE: Final = base64.urlsafe_b64encode(PIXELS).decode().rstrip("=")
# Data URLs (RFC 2397) in many spellings, each of the same picture.
DATA_URLS: Final = {
    "plain": f"data:image/png;base64,{DATA}",
    "parameters": f"data:image/png;charset=utf-8;name=a.png;base64,{DATA}",
    "upper case": f"DATA:IMAGE/PNG;BASE64,{DATA}",
    "percent": f"data:image/png,{quoted(PIXELS)}",
    "percent and base64": f"data:image/png;base64,{DATA.replace('+', '%2B').replace('/', '%2F').replace('=', '%3D')}",
    "unpadded": f"data:image/png;base64,{DATA.rstrip('=')}",
    "for addresses": f"data:image/png;base64,{URL_SAFE}",
    "line ends": f"data:image/png;base64,{DATA[:8]}\r\n {DATA[8:]}",
}


@pytest.mark.parametrize("url", DATA_URLS.values(), ids=DATA_URLS)
@pytest.mark.parametrize("dialect", ["claude", "gemini", "ollama"])
def test_mm_5_a_data_url_in_any_form_gives_the_same_bytes(dialect: str, url: str) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]}
    request = il.decode_request(body, "openai_chat")
    assert il.encode_request(request, "openai_chat").body == body
    encoded = il.encode_request(request, dialect)
    assert il.check_request(encoded.body, dialect) == []
    (part,) = parts_of(encoded.body, dialect)
    assert (base64.b64decode(part["data"], validate=True), part["format"]) == (PIXELS, "image/png")
    assert "data:" not in json.dumps(encoded.body).lower()
    assert lost(encoded) == set()


@pytest.mark.parametrize("url", DATA_URLS.values(), ids=DATA_URLS)
@pytest.mark.parametrize("dialect", ["openai_chat", "openai_responses", "vllm"])
def test_mm_5_a_data_url_stays_one_in_url_members_without_a_second_prefix(dialect: str, url: str) -> None:
    encoded = il.encode_request(asked({"type": "image", "url": url}), dialect)
    said = json.dumps(encoded.body)
    assert said.lower().count("data:") == 1
    assert json.dumps(url) in said


# What `json` makes of bytes in the SDK of Gemini: base64 of the alphabet for addresses.
SOUND: Final = b"RIFF$\xff\xfe\xfbWAVEfmt \x10"
IN_ADDRESSES: Final = {
    "picture": ({"type": "image", "format": "image/png"}, PIXELS, set(DIALECTS)),
    "sound": ({"type": "audio", "format": "audio/wav"}, SOUND, {"openai_chat", "gemini", "ollama", "vllm"}),
    "document": ({"type": "file", "format": "application/pdf", "name": "a.pdf"}, b"%PDF-\xff\xfe\xfb", None),
}


@pytest.mark.parametrize("kind", IN_ADDRESSES)
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("place", [asked, gave])
def test_mm_5_url_safe_base64_gives_the_same_bytes_everywhere(place: Any, dialect: str, kind: str) -> None:
    known, said, takers = IN_ADDRESSES[kind]
    data = base64.urlsafe_b64encode(said).decode().rstrip("=")
    assert {*data} & {*"-_"}
    encoded = il.encode_request(place({**known, "data": data}), dialect)
    assert il.check_request(encoded.body, dialect) == []
    assert data not in json.dumps(encoded.body)
    if place is asked:
        assert bool(parts_of(encoded.body, dialect)) is (dialect in (DOCUMENTS if takers is None else takers))
    for part in parts_of(encoded.body, dialect):
        assert base64.b64decode(part["data"], validate=True) == said
        assert [one.severity for one in encoded.losses if one.path.endswith("/content/1")] == ["changed"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_mm_5_a_text_file_in_url_safe_base64_is_read(dialect: str) -> None:
    said = "Is it so? \u2013 \u00ff\u00fe>>>"
    data = base64.urlsafe_b64encode(said.encode()).decode().rstrip("=")
    encoded = il.encode_request(asked({"type": "file", "format": "text/plain", "name": "a.txt", "data": data}), dialect)
    assert data not in json.dumps(encoded.body)
    assert said in json.dumps(encoded.body, ensure_ascii=False) or [
        base64.b64decode(part["data"], validate=True).decode() for part in parts_of(encoded.body, dialect)
    ] == [said]


def test_mm_5_a_data_url_without_a_media_type_is_text() -> None:
    encoded = il.encode_request(asked({"type": "image", "url": "data:,Hello"}), "claude")
    assert encoded.body["messages"][0]["content"] == [TEXT]
    assert "/messages/0/content/1" in lost(encoded)


# --- addresses and ids ------------------------------------------------------------------------------------------------


def test_mm_6_a_url_where_only_data_is_supported_is_reported_with_its_path() -> None:
    request = asked(PICTURE, {"type": "image", "url": "https://pictures.example/a.png"})
    encoded = il.encode_request(request, "ollama")
    assert encoded.body["messages"][0]["images"] == [DATA]
    assert lost(encoded) == {"/messages/0/content/2"}
    assert "pictures.example" not in json.dumps(encoded.body)


HELD: Final = {
    "claude": {"type": "document", "source": {"type": "file", "file_id": "file_1"}},
    "openai_chat": {"type": "file", "file": {"file_id": "file_1"}},
    "openai_responses": {"type": "input_file", "file_id": "file_1"},
}


@pytest.mark.parametrize("target", ["gemini", "ollama", "vllm"])
@pytest.mark.parametrize("source", HELD)
def test_mm_7_a_file_id_of_one_provider_is_kept_there_and_reported_elsewhere(source: str, target: str) -> None:
    member = "input" if source == "openai_responses" else "messages"
    body = {"model": "m", "max_tokens": 100, member: [{"role": "user", "content": [HELD[source]]}]}
    if source == "openai_responses":
        del body["max_tokens"]
    request = il.decode_request(body, source)
    assert il.encode_request(request, source).body == body
    encoded = il.encode_request(request, target)
    assert "file_1" not in json.dumps(encoded.body)
    assert {"/messages/0", "/messages/0/content/0"} & lost(encoded)


# A sound -> the dialects that take it, and how they call its form.
SOUNDS: Final = {
    "wav": (WAV, {"openai_chat": "wav", "gemini": "audio/wav", "ollama": WAV["data"], "vllm": "wav"}),
    "flac": (FLAC, {"gemini": "audio/flac", "vllm": "data:audio/flac;base64"}),
}


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_mm_8_audio_is_sent_with_its_format_name_or_reported(dialect: str, sound: str) -> None:
    part, forms = SOUNDS[sound]
    encoded = il.encode_request(asked(part), dialect)
    if dialect in forms:
        assert lost(encoded) <= {"/messages/0/content/1/format"}
        assert forms[dialect] in json.dumps(encoded.body)
        assert [(one["type"], one["data"]) for one in parts_of(encoded.body, dialect)] == [("audio", part["data"])]
    else:
        assert "/messages/0/content/1" in lost(encoded)
        assert part["data"] not in json.dumps(encoded.body)


# --- what was found ---------------------------------------------------------------------------------------------------


def test_mm_9_search_results_and_their_citations_round_trip_exactly() -> None:
    found = {
        "type": "web_search_result",
        "url": "https://news.example/a",
        "title": "A \u2013 B",
        "encrypted_content": "RW5jcnlwdGVk+/8=",
        "page_age": None,
    }
    cited = {
        "type": "web_search_result_location",
        "url": "https://news.example/a",
        "title": "A \u2013 B",
        "encrypted_index": "SW5kZXg+/w==",
        "cited_text": "It is\u2026",
    }
    blocks = [
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [found]},
        {"type": "text", "text": "It is so.", "citations": [cited, {**cited, "cited_text": "so."}]},
        {"type": "text", "text": " And so on."},
    ]
    messages = [QUESTION, {"role": "assistant", "content": blocks}, QUESTION]
    body = {"model": "m", "max_tokens": 100, "messages": messages}
    request = il.ChatRequest.model_validate_json(il.decode_request(body, "claude").model_dump_json())
    assert il.encode_request(request, "claude").body["messages"] == messages
    citations = [
        citation
        for message in request.model_dump(mode="json")["messages"]
        for part in message["content"]
        if isinstance(part, dict)
        for citation in part.get("citations", ())
    ]
    assert [one["cited_text"] for one in citations] == ["It is\u2026", "so."]


def test_mm_10_data_is_base64_encoded_once_and_python_bytes_are_refused() -> None:
    with pytest.raises(ValidationError):
        il.ImagePart(format="image/png", data=PIXELS)
    with pytest.raises(il.EncodeError):
        il.encode_request(asked({**PICTURE, "data": PIXELS}), "claude")
    request = il.ChatRequest.model_validate(asked(PICTURE))
    for _ in range(3):
        request = il.ChatRequest.model_validate_json(request.model_dump_json())
    for dialect in DIALECTS:
        (part,) = parts_of(il.encode_request(request, dialect).body, dialect)
        assert base64.b64decode(part["data"], validate=True) == PIXELS
