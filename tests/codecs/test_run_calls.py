"""Calls of Gemini's whose results stand in the same answer: the provider has run them, and no client shall."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CLIENTS: Final = ("openai_chat", "openai_responses", "claude", "ollama", "vllm", "bedrock_converse")

HI: Final = {"role": "user", "content": "Hi"}


def call(name: str, identifier: str | None = None) -> dict[str, Any]:
    said = {} if identifier is None else {"id": identifier}
    return {"functionCall": {**said, "name": name, "args": {"q": 1}}, "thoughtSignature": "c2ln"}


def result(name: str, identifier: str | None = None) -> dict[str, Any]:
    said = {} if identifier is None else {"id": identifier}
    return {"functionResponse": {**said, "name": name, "response": {"output": "found"}}}


def answer(*parts: dict[str, Any]) -> dict[str, Any]:
    candidate = {"index": 0, "content": {"role": "model", "parts": [*parts]}, "finishReason": "STOP"}
    return {"candidates": [candidate], "modelVersion": "m", "responseId": "a"}


@pytest.mark.parametrize("identifier", ["c", None])
@pytest.mark.parametrize("client", CLIENTS)
def test_a_call_already_run_by_the_provider_is_not_sent_to_the_client(
    client: il.Dialect, identifier: str | None
) -> None:
    body = answer(call("search", identifier), result("search", identifier), {"text": "Here."})
    assert il.encode_response(il.decode_response(body, "gemini"), "gemini").body == body
    encoded = il.translate_response(body, "gemini", client)
    heard = il.decode_response(encoded.body, client)
    assert (heard.text, heard.tool_calls, heard.finish_reason) == ("Here.", (), "stop")
    lost = {loss.path for loss in encoded.losses if loss.severity == "lost"}
    assert {"/messages/0/tool_calls/0", "/messages/1"} <= lost


@pytest.mark.parametrize("client", CLIENTS)
def test_an_open_call_is_sent_to_the_client(client: il.Dialect) -> None:
    body = answer(call("search", "a"), call("look", "b"), result("search", "a"))
    encoded = il.translate_response(body, "gemini", client)
    [asked] = il.decode_response(encoded.body, client).tool_calls
    assert asked.name == "look"
    assert "/messages/0/tool_calls/0" in {loss.path for loss in encoded.losses if loss.severity == "lost"}


def test_of_two_calls_with_one_id_the_one_without_a_result_is_open() -> None:
    body = answer(call("search", "a"), result("search", "a"), call("search", "a"))
    assert len(il.decode_response(il.translate_response(body, "gemini", "claude").body, "claude").tool_calls) == 1


@pytest.mark.parametrize("client", ["claude", "openai_responses", "openai_chat"])
def test_the_signature_of_an_open_call_is_kept(client: il.Dialect) -> None:
    said: dict[str, Any] = {"input": "Hi"} if client == "openai_responses" else {"messages": [HI], "max_tokens": 4000}
    if client == "claude":
        said["thinking"] = {"type": "enabled", "budget_tokens": 1024}
    one = il.exchange({"model": "m", **said}, client, "gemini", model="gemini-3.5-flash")
    is_open = {**call("look", "b"), "thoughtSignature": "b3Blbg=="}
    written = one.response(answer(call("search", "a"), is_open, result("search", "a"))).body
    assert written == one.response(answer(is_open)).body
