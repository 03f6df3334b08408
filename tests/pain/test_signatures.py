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
def test_rea_7_streamed_signatures_return_on_their_parts(steps: list[list[dict[str, Any]]]) -> None:
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


def test_rea_7_a_signature_in_the_chat_completions_form_returns_in_it() -> None:
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


def test_rea_7_a_signature_carried_by_chat_completions_is_sent_to_gemini_at_its_place() -> None:
    calls: list[dict[str, Any]] = [
        {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}, **google("czE=")},
        {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{}"}},
    ]
    answered = [{"role": "tool", "tool_call_id": one["id"], "content": "done"} for one in calls]
    asks = {"role": "assistant", "content": None, "tool_calls": calls}
    says = {"role": "assistant", "content": "Done.", **google("czI=")}
    user = {"role": "user", "content": "Go."}
    body = {"model": "m", "messages": [user, asks, *answered, says, user]}

    encoded = il.translate_request(body, "openai_chat", "gemini")
    turns = [content["parts"] for content in encoded.body["contents"] if content["role"] == "model"]
    assert turns == [
        [{**signed("f", "czE="), "functionCall": {"id": "a", "name": "f", "args": {}}},
         {"functionCall": {"id": "b", "name": "g", "args": {}}}],
        [{"text": "Done.", "thoughtSignature": "czI="}],
    ]  # fmt: skip
    assert [loss for loss in encoded.losses if loss.concern == "state"] == []
    assert home(body, "openai_chat") == body

    answer = il.translate_response(chat_answer(asks, "tool_calls"), "openai_chat", "gemini")
    assert answer.body["candidates"][0]["content"]["parts"] == turns[0]


@pytest.mark.parametrize("target", ["claude", "openai_responses", "ollama"])
def test_rea_7_a_signature_carried_by_chat_completions_is_one_loss_per_message_elsewhere(target: str) -> None:
    calls = [{"id": f"{at}", "type": "function", "function": {"name": "f", "arguments": "{}"}} for at in range(2)]
    said = {"role": "assistant", "content": "I look.", "tool_calls": [{**one, **google("czE=")} for one in calls]}
    losses = il.translate_response(chat_answer(said, "tool_calls"), "openai_chat", target).losses
    told = [(loss.path, loss.code, loss.severity) for loss in losses if loss.concern == "state"]
    assert told == [("/messages/0/extra/gemini", "provider_state", "lost")]


CARRIED: Final[dict[str, dict[str, Any]]] = {
    "beside other members": {"content": "Hi", "extra_content": {"google": {"thought": True, "thought_signature": "s"}}},
    "beside other providers": {
        "content": "Hi",
        "extra_content": {"other": {}, "google": {"thought_signature": "s", "more": 1}},
    },
    "beside parts": {"content": [{"type": "text", "text": "a"}], **google("s")},
    "beside nothing": {"content": None, **google("s")},
    "empty": {"content": "Hi", **google("")},
    "no text": {"content": "Hi", "extra_content": {"google": {"thought_signature": None}}},
    "no object": {"content": "Hi", "extra_content": {"google": "s"}},
    "null": {"content": "Hi", "extra_content": None},
    "in the older call": {"content": None, "function_call": {"name": "f", "arguments": "{}", **google("s")}},
    "behind a call of an unknown type": {
        "content": None,
        "tool_calls": [
            {"type": "other", "id": "x", **google("t")},
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}, **google("s")},
        ],
    },
}  # fmt: skip


@pytest.mark.parametrize("said", CARRIED.values(), ids=CARRIED)
def test_rea_7_every_chat_completions_form_of_a_signature_round_trips(said: dict[str, Any]) -> None:
    message = {"role": "assistant", **said}
    body = {"model": "m", "messages": [{"role": "user", "content": "Go."}, message]}
    assert home(body, "openai_chat") == body
    assert il.encode_request(il.decode_request(body, "openai_chat"), "openai_chat").losses == ()


def test_rea_7_a_signature_whose_call_was_removed_is_a_loss() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}, **google("czE=")}
    answer = il.decode_response(chat_answer({"content": "Hi", "tool_calls": [call]}, "tool_calls"), "openai_chat")
    edited = answer.replace(messages=[answer.messages[0].replace(tool_calls=())])
    encoded = il.encode_response(edited, "openai_chat")
    assert "extra_content" not in str(encoded.body)
    assert [(loss.path, loss.code) for loss in encoded.losses] == [
        ("/messages/0/extra/gemini/thought_signatures/0", "provider_state")
    ]


def test_rea_13_thoughts_between_calls_keep_their_place() -> None:
    thought: dict[str, Any] = {"text": "Hm. \n", "thought": True}
    step = [thought, {"text": "I look."}, signed("f", "czE="), thought, signed("g", "czI=")]
    body = {"contents": contents(step)}
    assert home(body, "gemini") == body
