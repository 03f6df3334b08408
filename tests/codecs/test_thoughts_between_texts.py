"""Thoughts among the texts of a Chat Completions answer, as Mistral writes them: reasoning everywhere, in order."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

MODEL: Final = "magistral-medium-latest"
ABROAD: Final = ["claude", "gemini", "openai_responses", "bedrock_converse", "ollama", "vllm"]
CALL: Final = {"id": "abcdefghi", "type": "function", "function": {"name": "look", "arguments": "{}"}}


def thought(*texts: str, **beside: Any) -> dict[str, Any]:
    return {"type": "thinking", "thinking": [{"type": "text", "text": text} for text in texts], **beside}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


SAID: Final = {
    "role": "assistant",
    "content": [text("Let me see."), thought("2+2"), text("It is 4."), thought("more"), text("Done.")],
    "tool_calls": [CALL],
}


def answer(message: dict[str, Any], **beside: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    return {"id": "i", "object": "chat.completion", "created": 1, "model": MODEL, "choices": [choice], **beside}


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "i", "object": "chat.completion.chunk", "created": 1, "model": MODEL, "choices": [choice]}


def streamed() -> list[Any]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": one["text"] if one["type"] == "text" else [one]} for one in SAID["content"]]
    return [*map(chunk, deltas), chunk({"tool_calls": [{"index": 0, **CALL}]}, "tool_calls"), "[DONE]"]


def test_each_thought_is_the_reasoning_of_a_separate_message_in_order() -> None:
    messages = il.decode_response(answer(SAID), "openai_chat").model_dump(mode="json")["messages"]
    assert [(one.get("reasoning"), one["content"], len(one.get("tool_calls", ()))) for one in messages] == [
        (None, [text("Let me see.")], 0),
        ("2+2", [text("It is 4.")], 0),
        ("more", [text("Done.")], 1),
    ]


@pytest.mark.parametrize(
    "said",
    [
        SAID,
        {"role": "assistant", "content": [thought("a", "b"), thought("c", closed=True), text("Done.")]},
        {
            "role": "assistant",
            "content": [text("Hm."), {"type": "thinking", "thinking": "a", "mood": 1}],
            "prefix": True,
        },
        {"role": "assistant", "content": [thought("a"), thought()], "tool_calls": [CALL], "name": "ada"},
        {"role": "assistant", "content": [text("a"), thought("b")], "reasoning_content": "c"},
        {"role": None, "content": [text("a"), thought("b")], "tool_calls": None},
        {"content": [text("a"), thought("b"), {"type": "reference", "reference_ids": [1]}]},
    ],
)
@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
def test_within_the_dialect_such_a_message_round_trips(dialect: str, said: dict[str, Any]) -> None:
    bodies: list[dict[str, Any]] = [answer(said), answer(said, choices=[answer(said)["choices"][0]] * 2)]
    for body in bodies:
        body["choices"] = [{**choice, "index": at} for at, choice in enumerate(body["choices"])]
        home = il.encode_response(il.decode_response(body, dialect), dialect)
        assert (home.body, home.losses) == (body, ())
    if said.get("role") == "assistant":
        request = {
            "model": MODEL,
            "messages": [{"role": "user", "content": "?"}, said, said, {"role": "user", "content": "!"}],
        }
        asked = il.encode_request(il.decode_request(request, dialect), dialect)
        assert (asked.body, asked.losses) == (request, ())


@pytest.mark.parametrize("target", ABROAD)
def test_no_thought_is_lost_and_the_stream_equals_the_whole_answer(target: str) -> None:
    whole = il.translate_response(answer(SAID), "openai_chat", target)
    assert not [loss for loss in whole.losses if loss.severity == "lost" and loss.concern == "content"]
    frames = list(il.translate_stream(streamed(), "openai_chat", target))
    read = il.normal_form(il.decode_response(whole.body, target))
    assert read["messages"] == il.normal_form(il.decode_response(answer(SAID), "openai_chat"))["messages"]
    assert il.normal_form(il.collect(il.decode_stream(frames, target)))["messages"] == read["messages"]


def test_claude_gets_alternating_thoughts_and_texts() -> None:
    content = il.translate_response(answer(SAID), "openai_chat", "claude").body["content"]
    assert [block["type"] for block in content] == ["text", "thinking", "text", "thinking", "text", "tool_use"]


def test_a_message_whose_reasoning_is_removed_is_joined_to_the_one_before() -> None:
    response = il.decode_response(answer(SAID), "openai_chat")
    first, second, third = response.messages
    edited = response.replace(messages=[first, second.replace(reasoning=None), third])
    body = il.encode_response(edited, "openai_chat").body
    assert body["choices"][0]["message"] == {
        **SAID,
        "content": [text("Let me see."), text("It is 4."), thought("more"), text("Done.")],
    }
    alone = il.encode_response(response.replace(messages=[third]), "openai_chat").body
    assert alone["choices"][0]["message"] == {**SAID, "content": [thought("more"), text("Done.")]}


def test_an_error_path_names_the_wire_message() -> None:
    request = {"model": MODEL, "messages": [SAID, {"role": "user", "content": 7}]}
    with pytest.raises(il.DecodeError) as caught:
        il.decode_request(request, "openai_chat")
    assert caught.value.path == "/messages/1/content"
