"""Whole numbers of more digits than Python writes as text: a Python value may hold one, and no door breaks on it."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from support.rooms import PAIRS

HUGE: Final = 10**5000
SCHEMA: Final = {"type": "object", "properties": {"a": {"type": "integer", "minimum": HUGE}}, "required": ["a"]}
FUNCTION: Final = {"name": "a", "parameters": SCHEMA, "strict": True}
FORM: Final = {"type": "json_schema", "json_schema": {"name": "a", "schema": SCHEMA, "strict": True}}
ASKED: Final = {
    "model": "m",
    "seed": HUGE,
    "max_tokens": HUGE,
    "messages": [{"role": "user", "content": "Hello"}],
    "tools": [{"type": "function", "function": FUNCTION}],
    "response_format": FORM,
}
CALL: Final = {"type": "function", "function": {"name": "a", "arguments": "{}"}}
CHOICE: Final = {"index": 0, "finish_reason": "tool_calls"}
MESSAGE: Final = {"role": "assistant", "content": None, "tool_calls": [CALL]}
ANSWERED: Final = {"created": HUGE, "choices": [{**CHOICE, "message": MESSAGE}]}
STREAMED: Final = {"created": HUGE, "choices": [{**CHOICE, "delta": {**MESSAGE, "tool_calls": [{**CALL, "index": 0}]}}]}
ERRORS: Final[list[Any]] = [
    {"error": {"message": "No.", "type": "t", "code": HUGE, "param": None}},
    {"error": {"message": "No.", "code": HUGE, "status": HUGE}},
    {"type": "error", "error": {"type": HUGE, "message": "No."}},
    {"error": {"message": "No.", "code": 429, "details": [{"a": HUGE}]}},
]
FROM_CHAT: Final = [target for source, target in PAIRS if source == "openai_chat"]


@pytest.mark.parametrize("name", ["input_tokens", "cache_read_input_tokens", "output_tokens"])
@pytest.mark.parametrize("count", [1e300, 2.0**53, 2.0**60])
def test_an_inexact_count_round_trips_and_does_not_affect_the_others(name: str, count: float) -> None:
    usage = {"input_tokens": 54, "cache_read_input_tokens": 3, "output_tokens": 2, name: count}
    body = {"id": "m", "content": [{"type": "text", "text": "Hi"}], "stop_reason": "end_turn", "usage": usage}
    assert il.translate_response(body, "claude", "claude").body == body
    told = il.translate_response(body, "claude", "openai_chat").body["usage"]
    assert all(type(one) is int for one in (told["prompt_tokens"], told["completion_tokens"]))


@pytest.mark.parametrize("target", FROM_CHAT)
def test_schemas_and_settings_with_many_digit_numbers_are_translated(target: str) -> None:
    body = il.translate_request(ASKED, "openai_chat", target).body
    assert "Hello" in str([body.get(name) for name in ("messages", "input", "contents")])


@pytest.mark.parametrize("target", FROM_CHAT)
def test_an_answer_with_many_digit_numbers_is_translated_whole_and_streamed(target: str) -> None:
    answer = il.decode_response(il.translate_response(ANSWERED, "openai_chat", target).body, target)
    streamed = il.collect(il.decode_stream(list(il.translate_stream([STREAMED], "openai_chat", target)), target))
    for said in (answer, streamed):
        assert [call.name for call in said.messages[0].tool_calls or ()] == ["a"]
    assert answer.messages[0].tool_calls[0].id == streamed.messages[0].tool_calls[0].id


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_an_error_with_a_many_digit_number_is_translated_or_refused(source: str, target: str) -> None:
    translated = 0
    for body in ERRORS:
        try:
            encoded = il.translate_error(body, source, target, status=429, headers={"retry-after": HUGE})  # type: ignore[dict-item]  # as a program that counts may pass it
        except il.DecodeError:
            continue
        translated += "No." in str(encoded.body)
    assert translated > 0
