"""Thoughts that Claude signed on Bedrock: they go to Claude elsewhere, and come back, so that it thinks on."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CLAUDE: Final = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
THOUGHT: Final = {"reasoningContent": {"reasoningText": {"text": "Look first.", "signature": "c2lnbmVk"}}}
CALL: Final = {"toolUse": {"toolUseId": "call_1", "name": "look", "input": {}}}
THINKING: Final = {"type": "thinking", "thinking": "Look first.", "signature": "c2lnbmVk"}
ASKED: Final[dict[str, Any]] = {"role": "user", "content": "Well?"}
REQUESTS: Final[dict[str, dict[str, Any]]] = {
    "claude": {
        "model": "m",
        "max_tokens": 5000,
        "messages": [ASKED],
        "tools": [{"name": "look", "input_schema": {"type": "object", "properties": {}}}],
        "thinking": {"type": "enabled", "budget_tokens": 1024},
    },
    "openai_chat": {
        "model": "m",
        "max_tokens": 5000,
        "messages": [ASKED],
        "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}],
        "reasoning_effort": "low",
    },
}
RESULTS: Final[dict[str, dict[str, Any]]] = {
    "claude": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "Nothing."}]},
    "openai_chat": {"role": "tool", "tool_call_id": "call_1", "content": "Nothing."},
}


def answered(*blocks: dict[str, Any]) -> dict[str, Any]:
    usage = {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}
    message = {"role": "assistant", "content": list(blocks)}
    return {"output": {"message": message}, "stopReason": "end_turn", "usage": usage, "metrics": {"latencyMs": 1}}


def streamed(*deltas: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"messageStart": {"role": "assistant"}},
        *({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"reasoningContent": one}}} for one in deltas),
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "end_turn"}},
        {"metadata": {"usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}, "metrics": {"latencyMs": 1}}},
    ]


def said(client: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return the message that a client sends back of an answer."""
    if client == "claude":
        return {"role": "assistant", "content": body["content"]}
    message: dict[str, Any] = body["choices"][0]["message"]
    return message


@pytest.mark.parametrize("client", REQUESTS)
def test_a_client_that_sends_back_what_it_got_keeps_claude_on_bedrock_thinking(client: str) -> None:
    request = REQUESTS[client]
    first = il.exchange(request, client, "bedrock_converse", model=CLAUDE)
    answer = first.response(answered(THOUGHT, CALL)).body
    history = [*request["messages"], said(client, answer), RESULTS[client]]
    second = il.exchange({**request, "messages": history}, client, "bedrock_converse", model=CLAUDE)
    assert second.body["messages"][1]["content"] == [THOUGHT, CALL]
    assert second.body["additionalModelRequestFields"] == first.body["additionalModelRequestFields"]
    assert not [loss for loss in second.losses if loss.severity == "lost"]


def test_what_claude_signed_goes_between_claude_and_bedrock_in_answers_and_streams() -> None:
    whole = il.translate_response(answered(THOUGHT), "bedrock_converse", "claude")
    assert whole.body["content"] == [THINKING]
    assert not [loss for loss in whole.losses if "/extra/claude" in loss.path]
    frames = streamed({"text": "Look "}, {"text": "first."}, {"signature": "c2lnbmVk"})
    stream = il.translate_stream(frames, "bedrock_converse", "claude")
    written = list(stream)
    collected = il.collect(il.decode_stream(written, "claude"))
    assert il.encode_response(collected, "claude").body["content"] == [THINKING]
    assert not [loss for loss in stream.losses if "/extra/claude" in loss.path]
    again = il.translate_stream(written, "claude", "bedrock_converse")
    back = il.collect(il.decode_stream(list(again), "bedrock_converse"))
    assert il.encode_response(back, "bedrock_converse").body["output"]["message"]["content"] == [THOUGHT]
    assert not [loss for loss in again.losses if "signature" in loss.path]


def test_a_thought_without_a_signature_still_says_so_in_a_stream_to_claude() -> None:
    stream = il.translate_stream(streamed({"text": "Look first."}), "bedrock_converse", "claude")
    assert list(stream)
    assert ("filled", "/1/extra/claude") in {(loss.severity, loss.path) for loss in stream.losses}


def test_models_of_other_makers_get_nothing_that_claude_signed() -> None:
    request = REQUESTS["claude"]
    history = [*request["messages"], {"role": "assistant", "content": [THINKING, {"type": "text", "text": "Well."}]}]
    body = {**request, "messages": [*history, ASKED]}
    encoded = il.translate_request(body, "claude", "bedrock_converse", model="amazon.nova-pro-v1:0")
    assert encoded.body["messages"][1]["content"] == [{"text": "Well."}]
    assert {"/messages/1/reasoning", "/messages/1/extra/claude"} <= {loss.path for loss in encoded.losses}


@pytest.mark.parametrize(
    "blocks",
    [
        [THOUGHT, CALL],
        [{"reasoningContent": {"reasoningText": {"text": "No signature."}}}],
        [THOUGHT, {"reasoningContent": {"redactedContent": "RXVN"}}, CALL],
        [THOUGHT, {"reasoningContent": {"reasoningText": {"text": "Two.", "signature": ""}}}],
        [{"reasoningContent": {"reasoningText": {"text": "Odd.", "signature": "c2ln", "more": 1}}}],
        [{"reasoningContent": {"reasoningText": {"text": "", "signature": "c2ln"}}}],
    ],
)
def test_thoughts_of_every_kind_come_back_as_they_were(blocks: list[dict[str, Any]]) -> None:
    body = answered(*blocks)
    answer = il.decode_response(body, "bedrock_converse")
    assert (il.encode_response(answer, "bedrock_converse").body) == body
    request = {
        "modelId": "m",
        "messages": [{"role": "user", "content": [{"text": "Well?"}]}, body["output"]["message"]],
    }
    asked = il.encode_request(il.decode_request(request, "bedrock_converse"), "bedrock_converse")
    assert (asked.body, asked.losses) == (request, ())


def test_thoughts_that_were_stored_under_the_name_of_bedrock_go_back_there() -> None:
    message = {
        "role": "assistant",
        "reasoning": "Look first.",
        "extra": {"bedrock_converse": {"thinking_blocks": [{"type": "thinking", "signature": "c2lnbmVk"}]}},
    }
    stored = il.ChatRequest.model_validate({"dialect": "bedrock_converse", "messages": [message]})
    assert il.encode_request(stored, "bedrock_converse").body["messages"][0]["content"] == [THOUGHT]
