"""Models of others behind a Messages endpoint: what they thought comes back, signed or not, before their calls."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CALL: Final[dict[str, Any]] = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
PARAMETERS: Final[dict[str, Any]] = {"type": "object", "properties": {}}
TOOLS: Final[list[dict[str, Any]]] = [{"type": "function", "function": {"name": "look", "parameters": PARAMETERS}}]
RESULT: Final[dict[str, Any]] = {"role": "tool", "tool_call_id": "call_1", "content": "A tree."}
QUESTION: Final = {"role": "user", "content": "Look."}
USE: Final[dict[str, Any]] = {"type": "tool_use", "id": "call_1", "name": "look", "input": {}}
NAMED: Final[dict[str, Any]] = {"type": "function", "function": {"name": "look"}}
OTHERS: Final = ("deepseek-v4-pro", "deepseek-ai/DeepSeek-V4-Pro", "kimi-k2.6", "MiniMax-M3", "glm-5", "mimo-v2.5-pro")


def thought(text: str, signature: str = "") -> dict[str, Any]:
    return {"type": "thinking", "thinking": text, "signature": signature}


def asked(reasoning: str | None = None, **more: Any) -> dict[str, Any]:
    said = {} if reasoning is None else {"reasoning_content": reasoning}
    answer = {"role": "assistant", "content": None, **said, "tool_calls": [CALL]}
    return {"model": "m", "messages": [QUESTION, answer, RESULT], "tools": TOOLS, **more}


def sent(body: dict[str, Any], model: str) -> Any:
    encoded = il.translate_request(body, "openai_chat", "claude", model=model)
    assert il.check_request(encoded.body, "claude") == []
    return encoded


@pytest.mark.parametrize("model", OTHERS)
def test_thoughts_of_other_makers_models_precede_their_calls(model: str) -> None:
    encoded = sent(asked("I must look.", reasoning_effort="high"), model)
    assert encoded.body["thinking"] == {"type": "adaptive"}
    assert encoded.body["messages"][1]["content"] == [thought("I must look."), USE]
    assert {loss.severity for loss in encoded.losses} == {"filled"}


def test_claude_models_get_no_unsigned_thoughts() -> None:
    encoded = sent(asked("I must look.", reasoning_effort="high"), "claude-opus-5")
    assert encoded.body["messages"][1]["content"] == [USE]
    assert [loss.path for loss in encoded.losses if loss.severity == "lost"] == ["/messages/1/reasoning"]


@pytest.mark.parametrize("reasoning", [None, ""])
@pytest.mark.parametrize("effort", [{}, {"reasoning_effort": "high"}])
def test_deepseek_gets_an_empty_thought_before_a_call_without_one(
    reasoning: str | None, effort: dict[str, str]
) -> None:
    encoded = sent(asked(reasoning, **effort), "deepseek-v4-pro")
    assert encoded.body["messages"][1]["content"] == [thought(""), USE]
    assert "/messages/1/reasoning" in [loss.path for loss in encoded.losses if loss.severity == "filled"]


@pytest.mark.parametrize("model", ["kimi-k2.6", "kimi-for-coding", "kimi-k3"])
def test_kimi_gets_a_blank_thought_before_a_call_without_one(model: str) -> None:
    encoded = sent(asked(reasoning_effort="high"), model)
    assert encoded.body["messages"][1]["content"] == [thought(" "), USE]
    assert "/messages/1/reasoning" in [loss.path for loss in encoded.losses if loss.severity == "filled"]
    question, _, *results = encoded.body["messages"]
    bare = {**encoded.body, "messages": [question, {"role": "assistant", "content": [USE]}, *results]}
    assert [found.path for found in il.check_request(bare, "claude")] == ["/messages/1/content"]


def test_minimax_is_asked_for_json_in_words_behind_a_messages_endpoint() -> None:
    schema = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
    form = {"type": "json_schema", "json_schema": {"name": "title", "schema": schema}}
    encoded = sent({"model": "m", "messages": [QUESTION], "response_format": form}, "MiniMax-M2.7")
    assert "output_config" not in encoded.body
    assert encoded.body["system"].startswith("Answer with JSON alone, of this schema: ")
    assert "/response_format" in [loss.path for loss in encoded.losses if loss.severity == "lost"]


@pytest.mark.parametrize(
    ("model", "effort"), [("deepseek-v4-pro", "none"), ("kimi-k2.6", "none"), ("kimi-k2", "high"), ("glm-5", "high")]
)
def test_no_empty_thought_is_added_if_thinking_is_off_or_not_required(model: str, effort: str) -> None:
    assert sent(asked(reasoning_effort=effort), model).body["messages"][1]["content"] == [USE]


@pytest.mark.parametrize(
    ("choice", "effort", "lost"),
    [("required", {"reasoning_effort": "high"}, ["/reasoning/effort"]), ("required", {}, []), (NAMED, {}, [])],
)
def test_thinking_is_disabled_for_deepseek_if_a_tool_is_forced(
    choice: Any, effort: dict[str, str], lost: list[str]
) -> None:
    encoded = sent(asked("I must look.", tool_choice=choice, **effort), "deepseek-v4-pro")
    assert encoded.body["thinking"] == {"type": "disabled"}
    assert encoded.body["tool_choice"]["type"] in {"any", "tool"}
    assert [loss.path for loss in encoded.losses if loss.severity == "lost"] == lost


def test_requests_that_deepseek_refuses_are_violations() -> None:
    body = sent(asked("I must look.", reasoning_effort="high"), "deepseek-v4-pro").body
    bare = [QUESTION, {"role": "assistant", "content": [USE]}, body["messages"][2]]
    forced = {**body, "messages": bare, "tool_choice": {"type": "any"}}
    found = [(one.code, one.path) for one in il.check_request(forced, "claude")]
    assert sorted(found) == [("required", "/messages/1/content"), ("setting", "/tool_choice")]
    del forced["output_config"]
    assert il.check_request({**forced, "thinking": {"type": "disabled"}}, "claude") == []


@pytest.mark.parametrize("profile", ["auto", None])
def test_unsigned_thoughts_are_violations_for_claude_models(profile: str | None) -> None:
    body = {**sent(asked("I must look."), "kimi-k2.6").body, "model": "claude-opus-5"}
    assert [one.code for one in il.check_request(body, "claude", profile=profile)] == ["signature"]


RESPONSES: Final = {
    "model": "m",
    "include": ["reasoning.encrypted_content"],
    "reasoning": {"effort": "high", "summary": "auto"},
    "tools": [{"type": "function", "name": "look", "parameters": PARAMETERS, "strict": False}],
}


def opened(client: str, *more: Any) -> dict[str, Any]:
    if client == "openai_chat":
        return {"model": "m", "reasoning_effort": "high", "tools": TOOLS, "messages": [QUESTION, *more]}
    return {**RESPONSES, "input": [QUESTION, *more]}


def gone_on(client: str, answer: dict[str, Any]) -> dict[str, Any]:
    if client == "openai_chat":
        return opened(client, answer["choices"][0]["message"], RESULT)
    return opened(client, *answer["output"], {"type": "function_call_output", "call_id": "call_1", "output": "A tree."})


def whole(*content: Any) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "deepseek-v4-pro",
        "content": [*content],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 2},
    }


def streamed(signature: str) -> list[dict[str, Any]]:
    signed = [{"type": "signature_delta", "signature": signature}] if signature else []
    deltas = [
        [(0, one) for one in ({"type": "thinking_delta", "thinking": "I must look."}, *signed)],
        [(1, {"type": "input_json_delta", "partial_json": "{}"})],
    ]
    frames: list[dict[str, Any]] = [{"type": "message_start", "message": {**whole(), "stop_reason": None}}]
    for index, block in enumerate((thought(""), USE)):
        frames.append({"type": "content_block_start", "index": index, "content_block": block})
        frames += [{"type": "content_block_delta", "index": at, "delta": one} for at, one in deltas[index]]
        frames.append({"type": "content_block_stop", "index": index})
    end = {"stop_reason": "tool_use", "stop_sequence": None}
    return [
        *frames,
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ]


@pytest.mark.parametrize("client", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize(
    ("given", "back"),
    [
        (thought("I must look."), thought("I must look.")),
        ({"type": "thinking", "thinking": "I must look."}, thought("I must look.")),
        (thought("I must look.", "91cfbb94"), thought("I must look.", "91cfbb94")),
    ],
    ids=["an empty signature", "none", "one of its own"],
)
def test_a_returned_thought_gets_its_signature_back(client: Any, given: dict[str, Any], back: dict[str, Any]) -> None:
    first = il.exchange(opened(client), client, "claude", model="deepseek-v4-pro")
    events = il.decode_stream(first.stream(streamed(given.get("signature", ""))), client)
    collected = il.encode_response(il.collect(events), client).body
    for answer in (first.response(whole(given, USE)).body, collected):
        second = il.exchange(gone_on(client, answer), client, "claude", model="deepseek-v4-pro")
        assert second.body["messages"][1]["content"] == [back, USE]
        assert il.check_request(second.body, "claude") == []


UNTHINKING: Final[dict[str, Any]] = {
    "model": "claude-opus-5", "max_tokens": 9000, "messages": [QUESTION],
    "thinking": {"type": "disabled"}, "output_config": {"effort": "high"},
}  # fmt: skip


def test_deepseek_gets_no_effort_beside_disabled_thinking() -> None:
    # Claude Code's subagents send both.
    assert [one.path for one in il.check_request({**UNTHINKING, "model": "deepseek-v4-pro"}, "claude")] == [
        "/output_config/effort"
    ]
    exchange = il.exchange(UNTHINKING, "claude", "claude", model="deepseek-v4-pro", fit=True)
    assert exchange.body["thinking"] == {"type": "disabled"}
    assert "output_config" not in exchange.body
    assert [(loss.severity, loss.path) for loss in exchange.losses] == [("lost", "/reasoning/effort")]
    kept = il.exchange(UNTHINKING, "claude", "claude", model="claude-opus-4-8", fit=True).body
    assert kept["output_config"] == {"effort": "high"}


def test_deepseek_has_no_thinking_between_tools() -> None:
    body = {"model": "claude-sonnet-5-5", "max_tokens": 9000, "messages": [QUESTION]}
    asks = {**body, "thinking": {"type": "between_tools"}}
    assert il.exchange(asks, "claude", "claude", model="deepseek-v4-pro", fit=True).body["thinking"] == {
        "type": "adaptive"
    }


PDF: Final = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}}
NOTE: Final = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "It rains."}}
PARTS: Final = [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}]
LIST: Final[dict[str, Any]] = {"type": "document", "title": "T", "source": {"type": "content", "content": PARTS}}
MARK: Final = {"cache_control": {"type": "ephemeral"}}


@pytest.mark.parametrize("model", ["qwen3:8b", "Qwen/Qwen3-8B", "glm-4.6"])
def test_documents_of_text_are_texts_for_models_of_other_makers(model: str) -> None:
    result = {"type": "tool_result", "tool_use_id": "call_1", "content": [NOTE, PDF]}
    turns = [{"role": "assistant", "content": [USE]}, {"role": "user", "content": [result, {**LIST, **MARK}]}]
    tools = [{"name": "look", "input_schema": PARAMETERS}]
    body = {"model": "claude-opus-5", "max_tokens": 9, "messages": [QUESTION, *turns], "tools": tools}
    one = il.exchange(body, "claude", "claude", model=model, fit=True)
    told, listed = one.body["messages"][2]["content"]
    assert told["content"] == [{"type": "text", "text": "It rains."}]
    assert listed == {"type": "text", "text": "Title: T\n\nOne.\nTwo.", **MARK}
    assert {loss.path: loss.severity for loss in one.losses if loss.code == "part"} == {
        "/messages/2/content/0": "changed",
        "/messages/2/content/1": "lost",
        "/messages/3/content/0": "changed",
    }
    kept = il.exchange(body, "claude", "claude", model="claude-sonnet-5", fit=True)
    assert kept.body["messages"][2] == body["messages"][2]


def test_what_the_parts_of_a_document_hold_beside_their_texts_is_reported() -> None:
    parts = [{**PARTS[0], **MARK}, {**PARTS[1], "lang": "en"}]
    document = {"type": "document", "source": {"type": "content", "content": parts}}
    body = {"model": "claude-opus-5", "max_tokens": 9, "messages": [{"role": "user", "content": [document]}]}
    one = il.exchange(body, "claude", "claude", model="qwen3:8b", fit=True)
    assert one.body["messages"][0]["content"] == [{"type": "text", "text": "One.\nTwo."}]
    assert [loss.path for loss in one.losses if loss.severity == "lost"] == [
        "/messages/0/content/0/content/0/cache",
        "/messages/0/content/0/content/1/extra/claude",
    ]
