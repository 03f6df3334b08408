"""Answers that Google's client keeps as it heard them, a content for every chunk, go to others as one answer."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from support.cost import grows_at_most

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


@pytest.mark.parametrize("target", ["openai_chat", "claude", "vllm"])
def test_many_calls_without_an_index_are_read_in_linear_time(target: Any) -> None:
    def frames(count: int) -> list[Any]:
        called = [
            {"id": f"c{number}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            for number in range(count)
        ]
        deltas = [{"tool_calls": [call]} for call in called]
        return [{"id": "c", "model": "m", "choices": [{"index": 0, "delta": delta}]} for delta in deltas]

    few, many = frames(1_000), frames(8_000)
    assert grows_at_most(
        lambda: list(il.translate_stream(few, "openai_chat", target)),
        lambda: list(il.translate_stream(many, "openai_chat", target)),
        16,
    )
    assert grows_at_most(
        lambda: il.collect(il.decode_stream(few, "openai_chat")),
        lambda: il.collect(il.decode_stream(many, "openai_chat")),
        16,
    )


def test_many_open_calls_are_written_in_linear_time_for_clients_that_keep_signatures() -> None:
    def push(count: int) -> None:
        called = {"type": "tool_use", "name": "f", "input": {}}
        delta = {"type": "input_json_delta", "partial_json": "{"}
        tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
        body = {"model": "m", "messages": [{"role": "user", "content": "x"}], "stream": True, "tools": [tool]}
        pushed = il.exchange(body, "openai_chat", "claude").push()
        pushed.feed({"type": "message_start", "message": {"id": "m", "model": "m", "role": "assistant", "content": []}})
        for number in range(count):
            block = {**called, "id": f"t{number}"}
            pushed.feed({"type": "content_block_start", "index": number, "content_block": block})
        for number in range(count):
            pushed.feed({"type": "content_block_delta", "index": number, "delta": delta})
            pushed.feed({"type": "content_block_delta", "index": number, "delta": {**delta, "partial_json": "}"}})
        pushed.close()

    assert grows_at_most(lambda: push(700), lambda: push(5_600), 16)
