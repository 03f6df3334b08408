"""Requests for hosts of open-weight models, which know less of Chat Completions than OpenAI does."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

GROQ = (
    "openai/gpt-oss-120b",
    "llama-3.3-70b-versatile",
    "meta-llama/llama-4-scout-17b-16e-instruct",
    "moonshotai/kimi-k2-instruct-0905",
    "qwen/qwen3-32b",
    "qwen/qwen3.8-27b",
    "groq/compound",
)
HOSTED = (*GROQ, "gpt-oss-120b", "deepseek-chat", "kimi-k2-0905-preview", "deepseek-ai/DeepSeek-V3.1", "llama3.1-8b")


def text(*said: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": one} for one in said]


def of_claude(model: str) -> dict[str, Any]:
    """Return a translated request of Claude Code's form: every content is a list of texts."""
    call = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": text("A tree.", "A bush.")}
    body = {
        "model": "claude-opus-5",
        "max_tokens": 99,
        "system": text("Be brief.", "Speak German."),
        "messages": [
            {"role": "user", "content": text("<reminder>", "Look.")},
            {"role": "assistant", "content": [*text("I lo", "ok."), call]},
            {"role": "user", "content": [result]},
        ],
        "tools": [{"name": "look", "input_schema": {"type": "object", "properties": {}}}],
    }
    encoded: dict[str, Any] = il.translate_request(body, "claude", "openai_chat", model=model).body
    return encoded


@pytest.mark.parametrize("model", [model for model in HOSTED if model != "groq/compound"])
def test_hosts_get_strings_where_a_message_has_only_texts(model: str) -> None:
    messages = of_claude(model)["messages"]
    assert [(one["role"], one["content"]) for one in messages] == [
        ("system", "Be brief.\n\nSpeak German."),
        ("user", "<reminder>\n\nLook."),
        ("assistant", "I look."),
        ("tool", "A tree.\n\nA bush."),
    ]


@pytest.mark.parametrize("model", ["gpt-5.1", "anthropic/claude-sonnet-5", "mistral-large-latest"])
def test_providers_that_read_lists_get_several_texts_as_they_are(model: str) -> None:
    messages = of_claude(model)["messages"]
    assert messages[1]["content"] == text("<reminder>", "Look.")
    assert messages[3]["content"] == text("A tree.", "A bush.")


@pytest.mark.parametrize("target", ["openai_chat", "vllm"])
def test_a_single_text_is_a_string(target: Any) -> None:
    body = {
        "max_tokens": 9,
        "system": text("Be brief."),
        "messages": [
            {"role": "user", "content": text("Hi")},
            {"role": "assistant", "content": text("Hello")},
            {"role": "user", "content": text("Bye")},
        ],
    }
    encoded = il.translate_request({"model": "m", **body}, "claude", target, model="my-own-model")
    assert [one["content"] for one in encoded.body["messages"]] == ["Be brief.", "Hi", "Hello", "Bye"]


def of_gemini(model: str, **settings: Any) -> tuple[dict[str, Any], list[str]]:
    body = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}], "generationConfig": settings}
    encoded = il.translate_request(body, "gemini", "openai_chat", model=model)
    return encoded.body, [loss.path for loss in encoded.losses if loss.severity == "lost"]


@pytest.mark.parametrize("model", GROQ)
def test_groq_gets_no_settings_that_it_refuses(model: str) -> None:
    body, lost = of_gemini(model, responseLogprobs=True, logprobs=2, candidateCount=2)
    assert body.keys() == {"model", "messages"}
    assert sorted(lost) == ["/logprobs", "/n", "/top_logprobs"]
    assert of_gemini(model, candidateCount=1)[1] == []
    named = {"model": "m", "messages": [{"role": "user", "name": "ada", "content": "Hi"}], "logit_bias": {"1": 5}}
    encoded = il.translate_request(named, "vllm", "openai_chat", model=model)
    assert encoded.body == {"model": model, "messages": [{"role": "user", "content": "Hi"}]}
    assert sorted(loss.path for loss in encoded.losses) == ["/logit_bias", "/messages/0/name"]


def test_others_get_these_settings() -> None:
    body, lost = of_gemini("deepseek/deepseek-v4-pro", responseLogprobs=True, logprobs=2, candidateCount=2)
    assert (body["logprobs"], body["top_logprobs"], body["n"], lost) == (True, 2, 2, [])


@pytest.mark.parametrize("model", HOSTED)
def test_text_as_the_only_kind_of_output_is_left_out_without_a_loss(model: str) -> None:
    assert of_gemini(model, responseModalities=["TEXT"]) == of_gemini(model)
    body, lost = of_gemini(model, responseModalities=["TEXT", "IMAGE"])
    assert ("modalities" in body, lost) == (False, ["/modalities"])


@pytest.mark.parametrize(
    ("model", "tier", "sent"),
    [
        ("openai/gpt-oss-120b", "priority", None),
        ("openai/gpt-oss-120b", "default", None),
        ("openai/gpt-oss-120b", "flex", "flex"),
        ("gpt-oss-120b", "priority", "priority"),
        ("gpt-5.1", "priority", "priority"),
    ],
)
def test_groq_gets_no_tier_that_it_refuses(model: str, tier: str, sent: str | None) -> None:
    body = {"model": "gpt-5.1", "input": "Hi", "service_tier": tier}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model=model)
    assert encoded.body.get("service_tier") == sent
    assert [loss.path for loss in encoded.losses] == ([] if tier != "priority" or sent else ["/service_tier"])


@pytest.mark.parametrize(
    ("model", "effort", "sent"),
    [
        ("deepseek-ai/DeepSeek-V3.1", "minimal", "low"),
        ("deepseek-ai/DeepSeek-V3.1", "xhigh", "high"),
        ("deepseek/deepseek-chat-v3.1", "xhigh", "xhigh"),
        ("qwen/qwen3.8-27b", "xhigh", "high"),
    ],
)
def test_an_effort_is_one_that_all_hosts_know(model: str, effort: str, sent: str) -> None:
    body = {"model": "gpt-5.1", "input": "Hi", "reasoning": {"effort": effort}}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model=model)
    assert encoded.body["reasoning_effort"] == sent
    assert bool(encoded.losses) is (effort != sent)


@pytest.mark.parametrize("model", GROQ)
def test_groq_gets_no_web_search_or_pdf(model: str) -> None:
    source = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}
    body = {
        "model": "m",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": [*text("Sum it up."), {"type": "document", "source": source}]}],
        "tools": [{"type": "web_search_20250305", "name": "web_search"}],
    }
    encoded = il.translate_request(body, "claude", "openai_chat", model=model)
    assert encoded.body["messages"] == [{"role": "user", "content": "Sum it up."}]
    assert "web_search_options" not in encoded.body
    assert sorted(loss.path for loss in encoded.losses) == ["/messages/0/content/1", "/tools/0"]


@pytest.mark.parametrize("model", ["openai/gpt-oss-120b", "gpt-oss-120b"])
def test_gpt_oss_gets_the_limit_and_the_role_that_all_its_hosts_know(model: str) -> None:
    body = {"model": "gpt-5.1", "input": [{"role": "developer", "content": "Be brief."}], "max_output_tokens": 99}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model=model)
    assert (encoded.body["max_tokens"], encoded.body["messages"][0]["role"]) == (99, "system")
