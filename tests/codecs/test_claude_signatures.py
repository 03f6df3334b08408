"""Thinking that Claude's models signed, between Anthropic's API, Bedrock Converse and clients that send it back."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CLAUDE_ON_BEDROCK: Final = "anthropic.claude-sonnet-4-5-20250929-v1:0"
TOOL: Final = {"name": "look", "input_schema": {"type": "object", "properties": {}}}
ASKED: Final[dict[str, Any]] = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 4000,
    "thinking": {"type": "enabled", "budget_tokens": 2000},
    "tools": [TOOL],
}
QUESTION: Final = {"role": "user", "content": "Look."}
THOUGHT: Final = {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "c2lnbmVk"}}}
REDACTED: Final = {"reasoningContent": {"redactedContent": "RWdFQ3JlZGFjdGVk"}}  # the bytes of Claude's text, in base64
BARE: Final = {"reasoningContent": {"reasoningText": {"text": "Hm."}}}
CALL: Final = {"toolUse": {"toolUseId": "tooluse_1", "name": "look", "input": {}}}
SIGNED_BLOCK: Final = {"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmVk"}
REDACTED_BLOCK: Final = {"type": "redacted_thinking", "data": "EgECredacted"}
START: Final = {"messageStart": {"role": "assistant"}}
END: Final = (
    {"messageStop": {"stopReason": "end_turn"}},
    {"metadata": {"usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}, "metrics": {"latencyMs": 3}}},
)


def answer(*content: Any) -> dict[str, Any]:
    usage = {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}
    message = {"role": "assistant", "content": [*content]}
    return {"output": {"message": message}, "stopReason": "tool_use", "usage": usage, "metrics": {"latencyMs": 3}}


def delta(index: int, said: dict[str, Any]) -> dict[str, Any]:
    return {"contentBlockDelta": {"contentBlockIndex": index, "delta": said}}


def stop(index: int) -> dict[str, Any]:
    return {"contentBlockStop": {"contentBlockIndex": index}}


def concerns(losses: Any) -> set[str]:
    return {loss.concern for loss in losses}


def test_a_claude_client_on_bedrock_continues_with_signed_thinking_after_a_call() -> None:
    first = il.exchange({**ASKED, "messages": [QUESTION]}, "claude", "bedrock_converse", model=CLAUDE_ON_BEDROCK)
    back = first.response(answer(THOUGHT, REDACTED, CALL))
    assert back.body["content"][:2] == [SIGNED_BLOCK, REDACTED_BLOCK]
    assert concerns(back.losses) == {"bookkeeping"}
    result = {"type": "tool_result", "tool_use_id": back.body["content"][2]["id"], "content": "A tree."}
    messages = [QUESTION, {"role": "assistant", "content": back.body["content"]}, {"role": "user", "content": [result]}]
    second = il.exchange({**ASKED, "messages": messages}, "claude", "bedrock_converse", model=CLAUDE_ON_BEDROCK)
    assert second.body["additionalModelRequestFields"] == {"thinking": ASKED["thinking"]}
    assert second.body["messages"][1]["content"] == [THOUGHT, REDACTED, CALL]
    assert concerns(second.losses) <= {"bookkeeping"}
    assert il.check_request(second.body, "bedrock_converse") == []


def test_claude_answers_reach_bedrock_clients_with_signatures() -> None:
    body = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
        "content": [SIGNED_BLOCK, REDACTED_BLOCK, {"type": "tool_use", "id": "tooluse_1", "name": "look", "input": {}}],
        "stop_reason": "tool_use", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 2},
    }  # fmt: skip
    back = il.translate_response(body, "claude", "bedrock_converse")
    assert back.body["output"]["message"]["content"] == [THOUGHT, REDACTED, CALL]
    asked = {"messages": [{"role": "user", "content": [{"text": "Look."}]}, back.body["output"]["message"]]}
    sent = il.translate_request(asked, "bedrock_converse", "claude", model="claude-sonnet-4-5").body
    assert sent["messages"][1]["content"][:2] == [SIGNED_BLOCK, REDACTED_BLOCK]


@pytest.mark.parametrize("words", [["H", "m."], []], ids=["shown", "not shown"])
def test_signatures_are_translated_in_streams_without_losses(words: list[str]) -> None:
    thought = [delta(0, {"reasoningContent": {"text": word}}) for word in words]
    signature = delta(0, {"reasoningContent": {"signature": "c2lnbmVk"}})
    text = [delta(1, {"text": "A tree."}), stop(1)]
    stream = il.translate_stream([START, *thought, signature, stop(0), *text, *END], "bedrock_converse", "claude")
    frames = list(stream)
    whole = il.collect(il.decode_stream(frames, "claude")).model_dump(mode="json")
    kept = whole["messages"][0]["extra"]["claude"]["thinking_blocks"]
    assert kept == [{"type": "thinking", "signature": "c2lnbmVk"}]
    assert concerns(stream.losses) == {"bookkeeping"}
    back = il.translate_stream(frames, "claude", "bedrock_converse")
    reasons = [one for one in back if "reasoningContent" in str(one)]
    assert "".join(str(one["contentBlockDelta"]["delta"]["reasoningContent"].get("text", "")) for one in reasons) == (
        "".join(words)
    )
    assert reasons[-1] == signature
    assert concerns(back.losses) == {"bookkeeping"}


def test_unsigned_thoughts_are_unchanged() -> None:
    back = il.translate_response(answer(BARE, CALL), "bedrock_converse", "claude")
    assert back.body["content"][0] == {"type": "thinking", "thinking": "Hm.", "signature": ""}
    assert "state" in concerns(back.losses)
    messages = [QUESTION, {"role": "assistant", "content": [SIGNED_BLOCK, {"type": "text", "text": "A tree."}]}]
    sent = il.translate_request(
        {**ASKED, "messages": messages}, "claude", "bedrock_converse", model="us.amazon.nova-pro-v1:0"
    )
    assert "reasoningContent" not in str(sent.body)
    assert "state" in concerns(sent.losses)


def test_a_chat_client_that_returns_state_keeps_the_signatures_of_claude_on_bedrock() -> None:
    back = il.translate_response(answer(THOUGHT, CALL), "bedrock_converse", "openai_chat", carry_state=True)
    message = back.body["choices"][0]["message"]
    [detail] = message["reasoning_details"]
    assert (detail["text"], detail["signature"]) == ("Hm.", "c2lnbmVk")
    result = {"role": "tool", "tool_call_id": "tooluse_1", "content": "A tree."}
    tools = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]
    asked = {"model": "m", "reasoning_effort": "high", "max_tokens": 9000, "tools": tools}
    sent = il.translate_request(
        {**asked, "messages": [QUESTION, message, result]}, "openai_chat", "bedrock_converse", model=CLAUDE_ON_BEDROCK
    )
    assert sent.body["messages"][1]["content"] == [THOUGHT, CALL]
    frames = [
        START,
        delta(0, {"reasoningContent": {"text": "Hm."}}),
        delta(0, {"reasoningContent": {"signature": "c2lnbmVk"}}),
        stop(0),
        *END,
    ]
    stream = il.translate_stream(frames, "bedrock_converse", "openai_chat", carry_state=True)
    chunks = [chunk for chunk in stream if chunk != "[DONE]"]
    details = [
        one for chunk in chunks for choice in chunk["choices"] for one in choice["delta"].get("reasoning_details", ())
    ]
    assert [(one["text"], one["signature"]) for one in details] == [("Hm.", "c2lnbmVk")]
    assert concerns(stream.losses) == {"bookkeeping"}


@pytest.mark.parametrize(
    ("target", "model", "wanted"),
    [
        ("claude", "claude-sonnet-4-5", [SIGNED_BLOCK, REDACTED_BLOCK]),
        ("bedrock_converse", CLAUDE_ON_BEDROCK, [THOUGHT, REDACTED]),
    ],
)
def test_thinking_blocks_returned_by_chat_clients_of_gateways_are_sent_to_claude(
    target: str, model: str, wanted: list[Any]
) -> None:
    said = {"content": None, "reasoning_content": "Hm.", "thinking_blocks": [SIGNED_BLOCK, REDACTED_BLOCK]}
    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    asked = {
        "model": "m",
        "reasoning_effort": "high",
        "max_tokens": 9000,
        "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}],
        "messages": [
            QUESTION,
            {"role": "assistant", **said, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_1", "content": "A tree."},
        ],
    }
    sent = il.translate_request(asked, "openai_chat", target, model=model)
    assert sent.body["messages"][1]["content"][:2] == wanted
    assert "enabled" in str(sent.body)
    assert concerns(sent.losses) <= {"bookkeeping", "tuning"}
    assert il.encode_request(il.decode_request(asked, "openai_chat"), "openai_chat").body == asked
    other = {**said, "reasoning_content": "Another thought."}
    messages = [QUESTION, {"role": "assistant", **other, "tool_calls": [call]}, asked["messages"][2]]
    unlike = il.translate_request({**asked, "messages": messages}, "openai_chat", target, model=model)
    assert "c2lnbmVk" not in str(unlike.body)
    assert "/messages/1/reasoning" in {loss.path for loss in unlike.losses}


@pytest.mark.parametrize("target", ["claude", "bedrock_converse"])
def test_empty_reasoning_becomes_no_block_of_an_answer(target: str) -> None:
    message = {"role": "assistant", "content": "A tree.", "reasoning_content": ""}
    body = {"id": "a", "object": "chat.completion", "created": 1, "model": "m"}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    back = il.translate_response({**body, "choices": [choice]}, "openai_chat", target)
    assert "hinking" not in str(back.body)
    assert "reasoning" not in str(back.body)
    assert concerns(back.losses) == {"bookkeeping"}


@pytest.mark.parametrize(
    ("source", "target", "model"),
    [
        ("openai_chat", "claude", "claude-opus-4-8"),
        ("openai_chat", "bedrock_converse", "us.anthropic.claude-opus-4-8-v1:0"),
        ("claude", "bedrock_converse", "us.anthropic.claude-opus-4-8-v1:0"),
        ("claude", "openai_chat", "anthropic/claude-sonnet-4.5"),
    ],
)
def test_a_thought_with_an_empty_signature_is_unsigned(source: str, target: str, model: str) -> None:
    """So ends a thought of an answer that was cut; who signed it refuses it."""
    block = {"type": "thinking", "thinking": "Let me", "signature": ""}
    said: dict[str, Any] = (
        {"content": [block, {"type": "text", "text": "A tree."}]}
        if source == "claude"
        else {"content": "A tree.", "reasoning_content": "Let me", "thinking_blocks": [block]}
    )
    messages = [QUESTION, {"role": "assistant", **said}, {"role": "user", "content": "Go on."}]
    asked = {"model": "m", "max_tokens": 900, "messages": messages}
    sent = il.translate_request(asked, il.dialect(source), il.dialect(target), model=model)
    assert "signature" not in str(sent.body)
    assert "Let me" not in str(sent.body)
    assert any(loss.code == "reasoning" and loss.severity == "lost" for loss in sent.losses)
    assert il.check_request(sent.body, il.dialect(target)) == []


def test_signed_content_beside_an_empty_signature_is_lost() -> None:
    blocks = [
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        {"type": "thinking", "thinking": "Hm", "signature": ""},
    ]
    said = {"role": "assistant", "content": [*blocks, {"type": "text", "text": "A tree."}]}
    asked = {"model": "m", "max_tokens": 900, "messages": [QUESTION, said, {"role": "user", "content": "Go on."}]}
    sent = il.translate_request(asked, "claude", "bedrock_converse", model="us.anthropic.claude-opus-4-8-v1:0")
    assert "ZGF0YQ" not in str(sent.body)
    assert ("/messages/1/extra/bedrock_converse/thinking_blocks", "lost") in [
        (one.path, one.severity) for one in sent.losses
    ]


BLOB: Final = "//4AAQ=="  # bytes that are no text, as Grok encrypts its reasoning on Bedrock
BLOB_ANSWER: Final[dict[str, Any]] = {
    "output": {
        "message": {
            "role": "assistant",
            "content": [
                {"reasoningContent": {"redactedContent": BLOB}},
                {"toolUse": {"toolUseId": "a1", "name": "look", "input": {}}},
            ],
        }
    },
    "stopReason": "tool_use",
    "usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3},
    "metrics": {"latencyMs": 1},
}
BLOB_FRAMES: Final[list[dict[str, Any]]] = [
    {"messageStart": {"role": "assistant"}},
    {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"reasoningContent": {"redactedContent": BLOB}}}},
    {"contentBlockStop": {"contentBlockIndex": 0}},
    {"contentBlockStart": {"contentBlockIndex": 1, "start": {"toolUse": {"toolUseId": "a1", "name": "look"}}}},
    {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"toolUse": {"input": "{}"}}}},
    {"contentBlockStop": {"contentBlockIndex": 1}},
    {"messageStop": {"stopReason": "tool_use"}},
    {"metadata": {"usage": BLOB_ANSWER["usage"], "metrics": {"latencyMs": 1}}},
]


@pytest.mark.parametrize("is_stream", [False, True])
@pytest.mark.parametrize("client", ["claude", "openai_chat"])
def test_encrypted_reasoning_of_grok_on_bedrock_round_trips_through_clients(
    client: il.Dialect, is_stream: bool
) -> None:
    function: dict[str, Any] = {"name": "look", "parameters": {"type": "object", "properties": {}}}
    tool: dict[str, Any] = {"name": "look", "input_schema": function["parameters"]}
    asked = {"role": "user", "content": "Look."}
    if client == "claude":
        body: dict[str, Any] = {"model": "claude-opus-5", "max_tokens": 99, "messages": [asked], "tools": [tool]}
        result: dict[str, Any] = {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "a1", "content": "Air."}],
        }
    else:
        body = {"model": "m", "messages": [asked], "tools": [{"type": "function", "function": function}]}
        result = {"role": "tool", "tool_call_id": "a1", "content": "Air."}
    exchange = il.exchange(body, client, "bedrock_converse", model="xai.grok-4.6")
    if is_stream:
        frames = list(exchange.stream(iter(BLOB_FRAMES)))
        heard = il.encode_response(il.collect(il.decode_stream(iter(frames), client)), client).body
    else:
        heard = exchange.response(BLOB_ANSWER).body
    said = {"role": "assistant", "content": heard["content"]} if client == "claude" else heard["choices"][0]["message"]
    again = {**body, "messages": [asked, said, result]}
    sent = il.exchange(again, client, "bedrock_converse", model="xai.grok-4.6").body
    assert sent["messages"][1]["content"][0] == {"reasoningContent": {"redactedContent": BLOB}}
    at_home = il.exchange(again, client, client).body
    if client == "claude":
        assert [block["type"] for block in at_home["messages"][1]["content"]] == ["tool_use"]
