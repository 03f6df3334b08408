"""The words of a source that OpenRouter cites are those that Claude cites."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

WORDS: Final = "Stars: 19265"
CITED: Final[dict[str, Any]] = {"url": "https://a.example", "title": "A", "start_index": 0, "end_index": 4}
LABELS: Final[dict[str, Any]] = {"id": "i", "created": 1, "model": "m"}


def note(content: Any) -> list[Any]:
    return [{"type": "url_citation", "url_citation": {**CITED, "content": content}}]


def answered(content: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": "Many", "annotations": note(content)}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {**LABELS, "object": "chat.completion", "choices": [choice]}


def streamed(content: Any) -> list[Any]:
    deltas: list[tuple[dict[str, Any], str | None]] = [
        ({"role": "assistant", "content": "Many"}, None),
        ({"content": "", "annotations": note(content)}, None),
        ({}, "stop"),
    ]
    choices = [{"index": 0, "delta": delta, "finish_reason": reason} for delta, reason in deltas]
    return [*({**LABELS, "object": "chat.completion.chunk", "choices": [one]} for one in choices), "[DONE]"]


def test_the_cited_text_of_a_source_reaches_claude_clients() -> None:
    encoded = il.translate_response(answered(WORDS), "openai_chat", "claude")
    assert encoded.body["content"][0]["citations"][0]["cited_text"] == WORDS
    stream = il.translate_stream(streamed(WORDS), "openai_chat", "claude")
    whole = il.collect(il.decode_stream(list(stream), "claude"))
    assert il.encode_response(whole, "claude").body["content"][0]["citations"][0]["cited_text"] == WORDS
    assert not any("content" in loss.detail for loss in encoded.losses)


@pytest.mark.parametrize("content", [WORDS, "", None, 7])
def test_the_cited_text_of_a_source_round_trips(content: Any) -> None:
    body, frames = answered(content), streamed(content)
    encoded = il.encode_response(il.decode_response(body, "openai_chat"), "openai_chat")
    assert (encoded.body, encoded.losses) == (body, ())
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames


def test_cited_text_is_lost_where_annotations_have_no_place_for_it() -> None:
    encoded = il.translate_response(answered(WORDS), "openai_chat", "vllm")
    assert ("lost", "/messages/0/content/0/citations/0/cited_text") in {
        (loss.severity, loss.path) for loss in encoded.losses
    }
