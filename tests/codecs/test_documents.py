"""Documents where there are none, or none of their kind: what they say becomes text, with what they are called."""

from __future__ import annotations

import base64
import json
from typing import Any, Final

import pytest

import interlingua as il
from support.canonical import leaves

FOUND: Final[dict[str, Any]] = {
    "type": "search_result",
    "source": "https://example.com/a",
    "title": "Rivers",
    "content": [{"type": "text", "text": "The Elbe is long."}, {"type": "text", "text": "So is the Oder."}],
    "citations": {"enabled": True},
}
NOTES: Final[dict[str, Any]] = {
    "type": "document",
    "source": {"type": "text", "media_type": "text/plain", "data": "Bring a coat."},
    "title": "Notes",
    "context": "Of yesterday",
}
TOLD: Final = "Title: Rivers\nSource: https://example.com/a\n\nThe Elbe is long."
TARGETS: Final = ("openai_chat", "openai_responses", "gemini", "ollama", "vllm")


def asking(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": list(blocks)}]}


def texts(body: Any) -> list[str]:
    """Return the texts of a body, in their order."""
    return [leaf for path, leaf in leaves(body) if path[-1] in {"text", "content"} and isinstance(leaf, str)]


def test_a_search_result_is_a_document_named_by_its_source_and_round_trips() -> None:
    request = il.decode_request(asking(FOUND), "claude")
    (part,) = request.model_dump(mode="json")["messages"][0]["content"]
    assert (part["type"], part["name"], part["title"]) == ("file", "https://example.com/a", "Rivers")
    assert [one["text"] for one in part["content"]] == ["The Elbe is long.", "So is the Oder."]
    assert il.encode_request(request, "claude").body == asking(FOUND)


@pytest.mark.parametrize("broken", [{"source": None}, {"title": 7}, {"content": "text"}])
def test_a_search_result_of_another_shape_is_kept_unchanged(broken: dict[str, Any]) -> None:
    body = asking({**FOUND, **broken}, {"type": "text", "text": "Well?"})
    assert il.encode_request(il.decode_request(body, "claude"), "claude").body == body


@pytest.mark.parametrize("target", TARGETS)
def test_a_search_result_becomes_text_with_title_and_source(target: str) -> None:
    encoded = il.translate_request(asking(FOUND, NOTES, {"type": "text", "text": "Well?"}), "claude", target)
    expected = [TOLD, "So is the Oder.", "Title: Notes\nContext: Of yesterday\n\nBring a coat.", "Well?"]
    assert texts(encoded.body) == (["\n\n".join(expected)] if target == "ollama" else expected)
    assert [(one.code, one.path) for one in encoded.losses if one.severity == "changed" and one.code == "part"] == [
        ("part", "/messages/0/content/0"),
        ("part", "/messages/0/content/1"),
    ]
    assert not [one for one in encoded.losses if one.severity == "lost" and one.code != "extra"]


@pytest.mark.parametrize("target", TARGETS)
def test_a_search_result_inside_a_tool_result_is_translated(target: str) -> None:
    body = asking({"type": "text", "text": "Hi"})
    body["messages"] += [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": [FOUND, FOUND]}]},
    ]
    encoded = il.translate_request(body, "claude", target)
    assert il.check_request(encoded.body, target) == []
    assert str(encoded.body).count("The Elbe is long.") == 2
    if target == "gemini":
        answered = encoded.body["contents"][-1]["parts"][0]["functionResponse"]["response"]["output"]
        assert answered == "\n\n".join([TOLD + "\n\nSo is the Oder."] * 2)


@pytest.mark.parametrize(
    ("target", "place"), [("claude", "document"), ("openai_chat", "content"), ("ollama", "content")]
)
def test_a_text_file_becomes_text_for_targets_without_such_files(target: str, place: str) -> None:
    data = base64.b64encode("a,b\n1,2 \u00e9\n".encode()).decode()
    parts = [{"inlineData": {"mimeType": "text/csv", "data": data}}]
    encoded = il.translate_request({"contents": [{"role": "user", "parts": parts}]}, "gemini", target)
    assert "a,b\\n1,2 \u00e9\\n" in str(encoded.body)
    assert place in str(encoded.body)
    assert ("part", "/messages/0/content/0", "changed") in {
        (one.code, one.path, one.severity) for one in encoded.losses
    }


def test_binary_data_does_not_become_text() -> None:
    parts = [{"inlineData": {"mimeType": "text/plain", "data": "//79"}}, {"text": "Well?"}]
    encoded = il.translate_request({"contents": [{"role": "user", "parts": parts}]}, "gemini", "ollama")
    assert encoded.body["messages"][0]["content"] == "Well?"
    assert "/messages/0/content/0" in {one.path for one in encoded.losses if one.severity == "lost"}


@pytest.mark.parametrize(
    "charset", ["latin-1", "ISO-8859-1", '"windows-1252"', "utf-16", "utf-8", "GB18030", "iso8859-15"]
)
@pytest.mark.parametrize("target", ["claude", "ollama", "openai_chat", "vllm"])
def test_text_in_another_charset_is_decoded_with_that_charset(target: il.Dialect, charset: str) -> None:
    said = "Gr\u00fc\u00dfe"
    data = base64.b64encode(said.encode(charset.strip('"'))).decode()
    file = il.FilePart(data=data, format=f"text/plain; charset={charset}")
    request = il.ChatRequest(model="m", max_tokens=5, messages=[il.chat.create_user([file, il.TextPart(text="Hi")])])
    body = il.encode_request(request, target).body
    assert said in json.dumps(body, ensure_ascii=False)
    assert il.check_request(body, target) == []


@pytest.mark.parametrize("charset", ["idna", "unicode_escape", "utf-7", "rot13", "x-unknown", "iso-8859-99"])
def test_text_in_an_unknown_charset_is_not_decoded(charset: str) -> None:
    file = il.FilePart(data=base64.b64encode(b"Hi").decode(), format=f"text/plain; charset={charset}")
    request = il.ChatRequest(model="m", messages=[il.chat.create_user([file, il.TextPart(text="Hi")])])
    encoded = il.encode_request(request, "ollama")
    assert [(loss.severity, loss.path) for loss in encoded.losses if loss.concern == "content"] == [
        ("lost", "/messages/0/content/0")
    ]


def test_a_resource_in_another_charset_becomes_text() -> None:
    data = {"server_name": "docs", "resource_uri": "docs://a", "retrieved_at": "2026-01-01T00:00:00Z"}
    content = base64.b64encode("Gr\u00fc\u00dfe".encode("latin-1")).decode()
    resource = il.McpResourceData(
        **data, content=content, encoding="base64", mime_type="text/plain; charset=iso-8859-1"
    )
    assert [one.text for one in il.to_chat([il.McpResourceMessage(data=resource)])] == ["Gr\u00fc\u00dfe"]
