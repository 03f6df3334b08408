"""Answers that Google's client keeps as it heard them, a content for every chunk, go to others as one answer."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

TARGETS: Final = pytest.mark.parametrize(
    "target", ["openai_chat", "openai_responses", "claude", "ollama", "vllm", "bedrock_converse"]
)


def model(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": "model", "parts": [*parts]}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text}]}


def request(*contents: dict[str, Any]) -> dict[str, Any]:
    return {"contents": [user("Well?"), *contents, user("And then?")]}


PIECES: Final = request(
    model({"text": "Seven de"}), model({"text": "grees"}), model({"text": "."}), model({"text": ""})
)
WHOLE: Final = request(model({"text": "Seven degrees."}))


@TARGETS
def test_the_fragments_of_a_text_are_joined(target: Any) -> None:
    encoded = il.translate_request(PIECES, "gemini", target)
    assert encoded.body == il.translate_request(WHOLE, "gemini", target).body
    assert [loss.path for loss in encoded.losses if loss.path.startswith("/messages")] == []


@TARGETS
def test_the_fragments_of_a_thought_are_joined(target: Any) -> None:
    def thought(*texts: str) -> Any:
        pieces = [model({"text": text, "thought": True}) for text in texts]
        return il.translate_request(request(*pieces, model({"text": "Yes."})), "gemini", target).body

    assert thought("It is", " cold.") == thought("It is cold.")


@TARGETS
def test_an_empty_fragment_after_calls_is_ignored(target: Any) -> None:
    call: dict[str, Any] = {"functionCall": {"id": "c1", "name": "f", "args": {}}}
    result: dict[str, Any] = {"functionResponse": {"id": "c1", "name": "f", "response": {"result": "7"}}}
    answer = {"role": "user", "parts": [result]}
    pieces = request(model({"text": "Let me"}), model({"text": " look."}), model(call), model({"text": ""}), answer)
    whole = request(model({"text": "Let me look."}), model(call), answer)
    assert il.translate_request(pieces, "gemini", target).body == il.translate_request(whole, "gemini", target).body


def test_loss_paths_count_the_fragments() -> None:
    contents = [*PIECES["contents"], {"role": "user", "parts": [{"text": "So?", "videoMetadata": {"fps": 1}}]}]
    losses = il.translate_request({"contents": contents}, "gemini", "claude").losses
    assert [loss.path for loss in losses if loss.path.startswith("/messages")] == [
        loss.path.replace("/3", "/6", 1)
        for loss in il.translate_request({"contents": [*WHOLE["contents"], contents[-1]]}, "gemini", "claude").losses
        if loss.path.startswith("/messages")
    ]
    assert any(loss.path.startswith("/messages/6") for loss in losses)


def test_within_the_dialect_fragments_are_unchanged() -> None:
    assert il.translate_request(PIECES, "gemini", "gemini").body == PIECES


@TARGETS
def test_paragraphs_of_one_content_stay_separate(target: Any) -> None:
    signed = request(model({"text": "One."}), model({"text": "Two.", "thoughtSignature": "c2lnbmVk"}))
    assert "One.Two." not in str(il.translate_request(signed, "gemini", target).body)
