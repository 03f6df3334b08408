"""Answers as gateways and compatible servers send them: null for an empty list, an error in an empty answer."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il

# Answers without content, and the member that holds the list of what they say.
EMPTY: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "claude": (
        "content",
        {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": None,
            "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 3, "output_tokens": 1},
        },
    ),
    "openai_responses": (
        "output",
        {
            "id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": "m", "output": None,
            "usage": {"input_tokens": 3, "output_tokens": 1, "total_tokens": 4},
        },
    ),
    "openai_chat": (
        "choices",
        {
            "id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": None,
            "usage": {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4},
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("source", EMPTY)
def test_null_in_place_of_the_list_of_an_answer_is_an_empty_answer(source: str) -> None:
    name, body = EMPTY[source]
    assert il.translate_response(body, source, source).body == body
    assert il.encode_response(il.decode_response(body, source), source).body == body
    assert (il.detect(body)[0].dialect, il.detect(body)[0].kind) == (source, "response")
    for target in il.dialects():
        if target != source:
            null, empty = (il.translate_response({**body, name: value}, source, target) for value in (None, []))
            assert (null.body, null.losses) == (empty.body, empty.losses)


@pytest.mark.parametrize("source", EMPTY)
def test_a_body_that_is_not_labelled_as_an_answer_or_has_an_error_must_have_the_list(source: str) -> None:
    name, body = EMPTY[source]
    label = "type" if source == "claude" else "object"
    for odd in ({**body, label: "other"}, {name: None}, {**body, "error": {"message": "Down."}}):
        with pytest.raises(il.DecodeError) as refused:
            il.decode_response(odd, source)
        assert refused.value.path == f"/{name}"


def test_content_that_is_added_to_an_answer_with_null_is_written() -> None:
    said = [{"role": "assistant", "content": "Hi"}]
    for source, (name, body) in EMPTY.items():
        answer = il.decode_response(body, source).replace(messages=said)
        assert il.encode_response(answer, source).body[name]


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("openai_chat", {"choices": [], "error": {"message": "Provider died", "code": 502}}),
        ("openai_responses", {"status": "completed", "output": [], "error": {"message": "Provider died", "code": "x"}}),
        ("claude", {"type": "message", "content": [], "error": {"message": "Provider died", "type": "api_error"}}),
        ("gemini", {"candidates": [], "error": {"message": "Provider died", "code": 503, "status": "UNAVAILABLE"}}),
    ],
)  # fmt: skip
def test_an_empty_answer_with_an_error_is_refused_as_an_error(source: str, body: dict[str, Any]) -> None:
    for target in il.dialects():
        if target != source:
            with pytest.raises(il.DecodeError) as refused:
                il.translate_response(body, source, target)
            assert (refused.value.looks_like, refused.value.looks_like_dialect) == ("error", source)
    assert il.translate_response(body, source, source).body == body
    assert il.translate_error(body, source, "ollama", status=502).body == {"error": "Provider died"}


def test_an_answer_with_content_beside_an_error_is_an_answer() -> None:
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}
    body = {"object": "chat.completion", "choices": [choice], "error": {"message": "Could not log."}}
    assert il.translate_response(body, "openai_chat", "claude").body["content"] == [{"type": "text", "text": "Hi"}]


def test_empty_texts_and_refusals_of_an_answer_are_no_losses() -> None:
    message = {"role": "assistant", "content": "", "reasoning": "", "refusal": ""}
    for target in il.dialects():
        encoded = il.encode_response({"messages": [message], "finish_reason": "stop"}, target)
        assert [loss for loss in encoded.losses if loss.severity != "filled"] == []


def with_object(content: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, "refusal": None}
    return {
        "id": "c", "object": "chat.completion", "created": 1, "model": "@cf/meta/llama",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
    }  # fmt: skip


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize(
    "content",
    [{"name": "Emily", "age": 32}, {}, {"n": 12345678901234567890123, "x": [1.0, None, "\ud800"]}, {"type": "x"}],
)
def test_an_object_as_content_is_its_json_text_and_comes_back_as_an_object(dialect: il.Dialect, content: Any) -> None:
    body = with_object(content)
    answer = il.decode_response(body, dialect)
    assert isinstance(answer.messages[0], il.AssistantChatMessage)
    (part,) = answer.messages[0].content or ()
    assert isinstance(part, il.TextPart)
    assert json.loads(part.text) == content
    encoded = il.encode_response(answer, dialect)
    assert (encoded.body, encoded.losses) == (body, ())
    shown = il.translate_response(body, dialect, "claude").body["content"]
    assert [json.loads(block["text"]) for block in shown] == [content]


def test_an_object_as_content_that_was_stored_before_comes_back_as_it_was() -> None:
    held = {"type": "opaque", "dialect": "openai_chat", "data": {"type": "text", "text": "Hi"}}
    message = {"role": "assistant", "content": [held], "extra": {"openai_chat": {"spelling": {"content": "object"}}}}
    stored = il.ChatResponse.model_validate({"dialect": "openai_chat", "messages": [message], "finish_reason": "stop"})
    body = il.encode_response(stored, "openai_chat").body
    assert body["choices"][0]["message"]["content"] == {"type": "text", "text": "Hi"}


def test_a_text_that_is_no_longer_an_object_is_sent_as_text() -> None:
    answer = il.decode_response(with_object({"name": "Emily"}), "openai_chat")
    said = answer.messages[0].model_copy(update={"content": (il.TextPart(text="Emily"),)})
    body = il.encode_response(answer.model_copy(update={"messages": (said,)}), "openai_chat").body
    assert body["choices"][0]["message"]["content"] == "Emily"
