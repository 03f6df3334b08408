"""One answer in two choices, the text in one and the calls in the other, is one answer for other dialects."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CALL: Final[dict[str, Any]] = {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}


def choice(message: dict[str, Any], reason: str = "tool_calls", **beside: Any) -> dict[str, Any]:
    return {"message": {"role": "assistant", **message}, "finish_reason": reason, **beside}


def answered(*choices: dict[str, Any]) -> dict[str, Any]:
    return {"id": "i", "object": "chat.completion", "created": 1, "model": "m", "choices": list(choices)}


SAID: Final = choice({"content": "Let me see."}, index=0)
CALLED: Final = choice({"content": None, "tool_calls": [CALL]}, index=1)
SPLIT: Final = answered(SAID, CALLED)


def told(encoded: il.Encoded, place: str) -> list[tuple[str, str]]:
    return [(loss.severity, loss.path) for loss in encoded.losses if loss.path.startswith(place)]


@pytest.mark.parametrize("beside", [{}, {"index": 0}, {"index": 1}])
def test_calls_in_the_second_choice_reach_claude_clients(beside: dict[str, Any]) -> None:
    body = answered(SAID, choice({"content": None, "tool_calls": [CALL]}, **beside))
    encoded = il.translate_response(body, "openai_chat", "claude")
    assert encoded.body["content"] == [
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "a", "name": "f", "input": {"a": 1}},
    ]
    assert encoded.body["stop_reason"] == "tool_use"
    assert told(encoded, "/alternatives") == [("changed", "/alternatives/0")]
    assert il.translate_response(body, "openai_chat", "openai_chat").body == body


@pytest.mark.parametrize("target", ["bedrock_converse", "gemini", "ollama", "openai_responses", "vllm"])
def test_calls_in_the_second_choice_reach_clients_of_every_dialect(target: Any) -> None:
    answer = il.decode_response(il.translate_response(SPLIT, "openai_chat", target).body, target)
    messages: list[Any] = list(answer.messages)
    assert [call.name for message in messages for call in message.tool_calls or ()] == ["f"]
    assert answer.alternatives is None


@pytest.mark.parametrize("said", ["", "Let me see."])
def test_a_text_in_one_choice_or_equally_in_both_is_written_once(said: str) -> None:
    body = answered(choice({"content": said}, index=0), choice({"content": "Let me see.", "tool_calls": [CALL]}))
    content = il.translate_response(body, "openai_chat", "claude").body["content"]
    assert [block["type"] for block in content] == ["text", "tool_use"]


@pytest.mark.parametrize(
    "choices",
    [
        (choice({"content": "Let me see."}, "stop"), CALLED),
        (SAID, choice({"content": "I looked.", "tool_calls": [CALL]})),
        (SAID, CALLED, CALLED),
        (CALLED, SAID),
        (SAID, choice({"content": None, "tool_calls": [CALL]}, "length", index=1)),
    ],
)
def test_choices_that_may_be_alternatives_stay_alternatives(choices: tuple[dict[str, Any], ...]) -> None:
    encoded = il.translate_response(answered(*choices), "openai_chat", "claude")
    lost = [("lost", f"/alternatives/{at}") for at in range(len(choices) - 1)]
    assert [one for one in told(encoded, "/alternatives") if "/extra" not in one[1]] == lost


def test_members_beside_the_calls_are_translated_or_reported() -> None:
    first = choice({"content": "Let me see.", "padding": "a"}, index=0)
    second = choice({"content": None, "reasoning_content": "Hm.", "tool_calls": [CALL], "padding": "b"}, filtered=True)
    encoded = il.translate_response(
        answered(first, second, choice({"content": "No."}, "stop")), "openai_chat", "claude"
    )
    assert encoded.body["content"][0] == {"type": "thinking", "thinking": "Hm.", "signature": ""}
    assert told(encoded, "/alternatives") == [
        ("changed", "/alternatives/0"),
        ("lost", "/alternatives/0/messages/0/extra/openai_chat"),
        ("lost", "/alternatives/0/extra/openai_chat"),
        ("lost", "/alternatives/1"),
    ]
    assert ("lost", "/messages/0/extra/openai_chat") in told(encoded, "/messages")
