"""Histories that one maker's model has written are sent to another maker's model of the same dialect."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

SIGNED = {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "c2lnbmVk"}}}
UNSIGNED = {"reasoningContent": {"reasoningText": {"text": "Hm."}}}
REDACTED = {"reasoningContent": {"redactedContent": "RXU4RUNr"}}  # of Claude: text, encoded twice
ENCRYPTED = {"reasoningContent": {"redactedContent": "/////w=="}}  # of Grok
SAID = {"text": "Paris."}
SEARCHED: list[dict[str, Any]] = [
    {"toolUse": {"toolUseId": "t1", "name": "nova_grounding", "input": {"query": "x"}, "type": "server_tool_use"}},
    {
        "toolResult": {
            "toolUseId": "t1", "content": [{"text": "[HIDDEN]"}], "status": "success", "type": "nova_grounding_result"
        }
    },
]  # fmt: skip
UNREASONING = [
    "us.amazon.nova-pro-v1:0", "mistral.mistral-large-2402-v1:0", "us.meta.llama3-3-70b-instruct-v1:0",
    "us.deepseek.r1-v1:0", "google.gemma-3-27b-it", "anthropic.claude-3-5-sonnet-20240620-v1:0",
]  # fmt: skip
REASONING = [
    "openai.gpt-oss-120b-1:0",
    "qwen.qwen3-32b-v1:0",
    "moonshot.kimi-k2-thinking",
    "us.amazon.nova-2-lite-v1:0",
]


def on_bedrock(answer: list[dict[str, Any]], model: str) -> tuple[list[Any], dict[str, str]]:
    """Return the blocks of the answer as they are sent, and the losses by path."""
    turns = [
        {"role": "user", "content": [{"text": "Where?"}]},
        {"role": "assistant", "content": answer},
        {"role": "user", "content": [{"text": "Why?"}]},
    ]
    one = il.exchange(
        {"modelId": "any", "messages": turns}, "bedrock_converse", "bedrock_converse", model=model, fit=True
    )
    losses = {loss.path: loss.severity for loss in one.losses}
    return one.body["messages"][1]["content"], losses


@pytest.mark.parametrize("thought", [SIGNED, UNSIGNED])
@pytest.mark.parametrize("model", UNREASONING)
def test_models_on_bedrock_that_do_not_reason_get_no_reasoning(model: str, thought: dict[str, Any]) -> None:
    content, losses = on_bedrock([thought, SAID], model)
    assert content == [SAID]
    assert losses["/messages/1/reasoning"] == "lost"


@pytest.mark.parametrize("model", REASONING)
def test_models_of_other_makers_get_the_text_of_claudes_reasoning_without_signature(model: str) -> None:
    content, losses = on_bedrock([SIGNED, REDACTED, SAID], model)
    assert content == [UNSIGNED, SAID]
    assert losses["/messages/1/extra/bedrock_converse/thinking_blocks"] == "lost"
    assert on_bedrock([UNSIGNED, SAID], model) == ([UNSIGNED, SAID], {})


def test_encrypted_reasoning_goes_to_the_models_of_its_maker_alone() -> None:
    claude, grok = "us.anthropic.claude-opus-5", "xai.grok-4.6"
    assert on_bedrock([SIGNED, REDACTED, SAID], claude)[0] == [SIGNED, REDACTED, SAID]
    assert on_bedrock([ENCRYPTED, SAID], grok)[0] == [ENCRYPTED, SAID]
    assert on_bedrock([ENCRYPTED, SAID], claude)[0] == [SAID]
    assert on_bedrock([REDACTED, SAID], grok)[0] == [SAID]


def test_reasoning_that_claude_signed_elsewhere_is_not_sent_to_models_that_refuse_it() -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    turns = [
        {"role": "user", "content": "Where?"},
        {"role": "assistant", "content": [thought, {"type": "text", **SAID}]},
        {"role": "user", "content": "Why?"},
    ]
    body = {"model": "any", "max_tokens": 9, "messages": turns}
    one = il.translate_request(body, "claude", "bedrock_converse", model=UNREASONING[-1])
    assert one.body["messages"][1]["content"] == [SAID]


@pytest.mark.parametrize("model", [*UNREASONING, "us.anthropic.claude-opus-5", *REASONING[:3]])
def test_calls_of_novas_own_tools_are_text_for_other_models(model: str) -> None:
    content, losses = on_bedrock([*SEARCHED, SAID], model)
    assert [block["text"] for block in content] == ['Called nova_grounding: {"query":"x"}', "\n\nParis."]
    assert losses["/messages/1/content/0"] == "changed"
    assert losses["/messages/1/content/1"] == "lost"


def test_what_the_text_of_novas_results_leaves_out_is_reported_at_the_result() -> None:
    picture = {"image": {"format": "png", "source": {"bytes": "iVBORw0KGgo="}}}
    result = {"toolUseId": "t1", "content": [{"text": "Found."}, picture], "status": "success", "type": "any_result"}
    content, losses = on_bedrock([SEARCHED[0], {"toolResult": result}, SAID], UNREASONING[0])
    assert content[1:] == [{"text": "\n\n```output\nFound.\n```"}, {"text": "\n\nParis."}]
    assert losses["/messages/1/content/1"] == "changed"
    assert losses["/messages/1/content/1/data"] == "lost"


def test_losses_behind_a_result_of_novas_own_tools_that_nobody_can_read_keep_their_places() -> None:
    picture = {"image": {"format": "png", "source": {"bytes": "iVBORw0KGgo="}}}
    content, losses = on_bedrock([*SEARCHED, SAID, picture], "us.meta.llama3-3-70b-instruct-v1:0")
    assert len(content) == 2
    assert losses["/messages/1/content/3"] == "lost"


def test_calls_of_novas_own_tools_go_back_to_nova_as_they_came() -> None:
    assert on_bedrock([*SEARCHED, SAID], "us.amazon.nova-2-lite-v1:0") == ([*SEARCHED, SAID], {})


@pytest.mark.parametrize("model", ["us.amazon.nova-2-lite-v1:0", "openai.gpt-oss-120b-1:0", "qwen.qwen3-32b-v1:0"])
def test_claudes_betas_are_not_sent_to_other_models(model: str) -> None:
    fields = {"anthropic_beta": ["context-1m-2025-08-07"]}
    turns = [{"role": "user", "content": [SAID]}]
    body = {"modelId": "any", "messages": turns, "additionalModelRequestFields": fields}
    one = il.exchange(body, "bedrock_converse", "bedrock_converse", model=model, fit=True)
    assert one.body == {"modelId": model, "messages": turns}
    path = "/extra/bedrock_converse/fields/additionalModelRequestFields/anthropic_beta"
    assert [(loss.path, loss.severity) for loss in one.losses] == [(path, "lost")]
    kept = il.exchange(body, "bedrock_converse", "bedrock_converse", model="us.anthropic.claude-opus-5", fit=True)
    assert kept.body["additionalModelRequestFields"] == fields


@pytest.mark.parametrize("model", ["deepseek-v4-pro", "kimi-for-coding", "qwen3-coder"])
def test_a_found_tool_is_named_in_a_text_for_hosts_that_refuse_references(model: str) -> None:
    found, text = {"type": "tool_reference", "tool_name": "fetch"}, {"type": "text", "text": "fetch"}
    tools = [{"name": name, "input_schema": {"type": "object", "properties": {}}} for name in ("find_tool", "fetch")]
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [found]}
    turns = [
        {"role": "user", "content": "Fetch it."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "find_tool", "input": {}}]},
        {"role": "user", "content": [result]},
    ]
    body = {"model": "any", "max_tokens": 9, "messages": turns, "tools": tools}
    one = il.exchange(body, "claude", "claude", model=model, fit=True)
    assert one.body["messages"][2]["content"][0]["content"] == [text]
    assert ("/messages/2/content/0", "changed") in {(loss.path, loss.severity) for loss in one.losses}
    kept = il.exchange(body, "claude", "claude", model="claude-opus-5", fit=True)
    assert kept.body["messages"][2]["content"] == [result]


def in_responses(encrypted: str, model: str) -> tuple[list[Any], Any]:
    """Return the types of the items that are sent, and the losses."""
    items = [
        {"role": "user", "content": "Where?"},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": encrypted},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Paris."}]},
        {"role": "user", "content": "Why?"},
    ]
    body = {"model": "any", "input": items, "store": False}
    one = il.exchange(body, "openai_responses", "openai_responses", model=model, fit=True)
    return [item.get("type") for item in one.body["input"]], one.losses


@pytest.mark.parametrize("encrypted", ["Eyl3cn+/" * 12, "15473b0c" * 8])
def test_openai_gets_no_reasoning_that_another_host_has_encrypted(encrypted: str) -> None:
    types, losses = in_responses(encrypted, "gpt-5.6")
    assert types == [None, "message", None]
    assert [(loss.path, loss.severity) for loss in losses] == [("/messages", "lost")]


@pytest.mark.parametrize(
    ("encrypted", "model"),
    [("gAAAAABm" * 12, "gpt-5.6"), ("Eyl3cn+/" * 12, "grok-4.3"), ("Eyl3cn+/" * 12, "openai.gpt-5.6-luna")],
)
def test_encrypted_reasoning_goes_back_to_its_host(encrypted: str, model: str) -> None:
    assert in_responses(encrypted, model) == ([None, "reasoning", "message", None], ())


CALLED: list[dict[str, Any]] = [
    {"toolCall": {"toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["x"]}, "id": "a1"}, "thoughtSignature": "QUFB"},
    {"toolResponse": {"toolType": "GOOGLE_SEARCH_WEB", "response": {"search_suggestions": "<b>"}, "id": "a1"}},
    {"text": "Paris.", "thoughtSignature": "QkJC"},
    {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}},
]  # fmt: skip


def with_googles_tools(model: str) -> tuple[dict[str, Any], Any]:
    """Return a body with calls of Google's tools as it is sent, and the losses."""
    contents = [
        {"role": "user", "parts": [{"text": "Where?"}]},
        {"role": "model", "parts": CALLED},
        {"role": "user", "parts": [{"text": "Why?"}]},
    ]
    body: dict[str, Any] = {"contents": contents, "tools": [{"googleSearch": {}}]}
    body["toolConfig"] = {"includeServerSideToolInvocations": True}
    one = il.exchange(body, "gemini", "gemini", model=model, fit=True)
    return one.body, one.losses


@pytest.mark.parametrize("model", ["gemini-2.5-flash", "gemini-2.0-flash", "gemini-1.5-pro"])
def test_gemini_before_3_gets_calls_of_googles_tools_as_text(model: str) -> None:
    body, losses = with_googles_tools(model)
    assert "toolConfig" not in body
    assert body["contents"][1]["parts"] == [
        {"text": 'Called GOOGLE_SEARCH_WEB: {"queries":["x"]}'}, {"text": "\n\nParis."}, CALLED[3]
    ]  # fmt: skip
    assert {loss.path for loss in losses if loss.severity == "lost"} == {
        "/messages/1/content/0/data", "/messages/1/content/1", "/messages/1/extra/gemini/thought_signatures",
        "/extra/gemini/fields/toolConfig/includeServerSideToolInvocations",
    }  # fmt: skip


def test_gemini_3_gets_calls_of_googles_tools_as_they_came() -> None:
    body, _ = with_googles_tools("gemini-3-pro-preview")
    assert body["contents"][1]["parts"] == CALLED
    assert body["toolConfig"] == {"includeServerSideToolInvocations": True}


def test_the_check_tells_what_models_refuse_of_another_makers_answer() -> None:
    asked = {"role": "user", "content": [SAID]}
    turns = [asked, {"role": "assistant", "content": [SIGNED, SAID]}, asked]
    for model, code in ((UNREASONING[0], "part"), (REASONING[0], "signature")):
        found = il.check_request({"modelId": model, "messages": turns}, "bedrock_converse")
        assert [violation.code for violation in found] == [code]
    body, _ = with_googles_tools("gemini-3-pro-preview")
    assert il.check_request({**body, "model": "gemini-3-pro-preview"}, "gemini") == []
    found = il.check_request({**body, "model": "gemini-2.5-flash"}, "gemini")
    assert [violation.path for violation in found] == [
        "/toolConfig/includeServerSideToolInvocations", "/contents/1/parts/0", "/contents/1/parts/1"
    ]  # fmt: skip
