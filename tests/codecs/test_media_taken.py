"""What each provider takes of pictures and files: the rest is left out, or written as it is taken, and told."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

ASKED: Final = {"type": "text", "text": "What is it?"}


def content(encoded: il.Encoded) -> list[Any]:
    """Return the content of the first message, whatever the dialect calls it."""
    body = encoded.body
    messages = body.get("messages") or body.get("input") or body.get("contents")
    parts: list[Any] = messages[0].get("content") or messages[0]["parts"]
    return parts


def told(encoded: il.Encoded, severity: str) -> list[str]:
    return [loss.path for loss in encoded.losses if loss.severity == severity]


@pytest.mark.parametrize(
    ("source", "part", "sent"),
    [
        (
            "openai_chat",
            {"type": "file", "file": {"filename": "a.pdf", "file_id": "file-abc"}},
            {"type": "input_file", "file_id": "file-abc"},
        ),
        (
            "gemini",
            {"fileData": {"fileUri": "https://example.com/a", "displayName": "a.pdf"}},
            {"type": "input_file", "file_url": "https://example.com/a"},
        ),
    ],
)
def test_a_file_of_responses_has_a_name_beside_its_data_alone(source: Any, part: Any, sent: Any) -> None:
    asked = (
        {"contents": [{"parts": [part]}]} if source == "gemini" else {"messages": [{"role": "user", "content": [part]}]}
    )
    encoded = il.translate_request(asked, source, "openai_responses", model="gpt-5")
    assert content(encoded) == [sent]
    assert "/messages/0/content/0/name" in told(encoded, "lost")
    assert il.check_request(encoded.body, "openai_responses") == []


def test_a_named_file_by_address_in_a_result_loses_its_name_for_responses() -> None:
    file = {"fileData": {"fileUri": "https://example.com/a", "displayName": "a.pdf"}}
    call = {"functionCall": {"id": "c", "name": "f", "args": {}}}
    answer = {"functionResponse": {"id": "c", "name": "f", "response": {"output": "x"}, "parts": [file]}}
    turns = [{"role": "user", "parts": [{"text": "?"}]}, {"role": "model", "parts": [call]}]
    asked = {"contents": [*turns, {"role": "user", "parts": [answer]}]}
    encoded = il.translate_request(asked, "gemini", "openai_responses", model="gpt-5")
    assert encoded.body["input"][-1]["output"][1] == {"type": "input_file", "file_url": "https://example.com/a"}
    assert "/messages/2/content/1/name" in told(encoded, "lost")


def test_within_responses_a_file_keeps_its_name() -> None:
    file = {"type": "input_file", "file_url": "https://example.com/a", "filename": "a.pdf"}
    body = {"model": "gpt-5", "input": [{"role": "user", "content": [file]}]}
    assert il.translate_request(body, "openai_responses", "openai_responses").body == body
