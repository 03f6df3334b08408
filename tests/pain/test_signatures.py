"""What users suffered from with the signatures of Gemini (docs/pain.md, REA-7, REA-13)."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from support.bodies import chat_answer, gemini_answer


def home(body: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Return what a body is after it was stored, loaded and written again."""
    stored = il.ChatRequest.model_validate_json(il.decode_request(body, dialect).model_dump_json())
    return il.encode_request(stored, dialect).body


def signed(name: str, signature: str | None) -> dict[str, Any]:
    own = {} if signature is None else {"thoughtSignature": signature}
    return {"functionCall": {"name": name, "args": {}}, **own}


def contents(*steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [{"role": "user", "parts": [{"text": "Go."}]}]
    for step in steps:
        names = [part["functionCall"]["name"] for part in step if "functionCall" in part]
        answers = [{"functionResponse": {"name": name, "response": {"output": "done"}}} for name in names]
        made += [{"role": "model", "parts": step}, {"role": "user", "parts": answers}]
    return made


STEPS: Final = {
    "parallel": [[signed("f", "czE="), signed("g", None)]],
    "sequential": [[signed("f", "czE=")], [signed("g", "czI=")]],
    "on an empty text": [[{"text": "", "thoughtSignature": "czM="}, signed("h", None)]],
}


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_rea_7_each_signature_is_on_its_part_after_storage(steps: list[list[dict[str, Any]]]) -> None:
    body = {"contents": contents(*steps)}
    assert home(body, "gemini") == body


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_rea_7_streamed_signatures_go_back_on_their_parts(steps: list[list[dict[str, Any]]]) -> None:
    for step in steps:
        whole = gemini_answer(*step)
        frames = [gemini_answer(part) for part in step]
        for frame in frames[:-1]:
            del frame["candidates"][0]["finishReason"]
        answer = il.collect(il.decode_stream(frames, "gemini"))
        assert il.encode_response(answer, "gemini").body["candidates"][0]["content"] == {"role": "model", "parts": step}
        assert answer.messages == il.decode_response(whole, "gemini").messages


def google(signature: str) -> dict[str, Any]:
    return {"extra_content": {"google": {"thought_signature": signature}}}


def test_rea_7_a_signature_that_came_in_the_dress_of_chat_completions_goes_back_in_it() -> None:
    calls = [
        {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}, **google("czE=")},
        {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{}"}},
    ]
    whole = chat_answer({"content": None, "tool_calls": calls}, "tool_calls")
    chunks = [
        {"id": "c", "choices": [{"index": 0, "delta": {"tool_calls": [{"index": at, **one}]}, "finish_reason": None}]}
        for at, one in enumerate(calls)
    ]
    chunks.append({"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    streamed = il.collect(il.decode_stream(chunks, "openai_chat"))
    assert streamed.messages == il.decode_response(whole, "openai_chat").messages
    answered = [{"role": "tool", "tool_call_id": one["id"], "content": "done"} for one in calls]
    said = {"role": "assistant", "content": None, "tool_calls": calls}
    body = {"model": "m", "messages": [{"role": "user", "content": "Go."}, said, *answered]}
    assert home(body, "openai_chat") == body
    history = [{"role": "user", "content": "Go."}, streamed.messages[0].model_dump(mode="json")]
    again = il.encode_request({"dialect": "openai_chat", "model": "m", "messages": history}, "openai_chat").body
    assert again["messages"][1]["tool_calls"] == calls


def test_rea_13_thoughts_between_calls_keep_their_place() -> None:
    thought: dict[str, Any] = {"text": "Hm. \n", "thought": True}
    step = [thought, {"text": "I look."}, signed("f", "czE="), thought, signed("g", "czI=")]
    body = {"contents": contents(step)}
    assert home(body, "gemini") == body
