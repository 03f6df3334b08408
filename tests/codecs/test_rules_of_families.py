"""The check of a request names what the family of its model refuses."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

QUESTION: Final = {"role": "user", "content": "Why?"}
PICTURE: Final = "iVBORw0KGgo="
GEMINI: Final[dict[str, Any]] = {"contents": [{"role": "user", "parts": [{"text": "Why?"}]}]}
DECLARED: Final = {"functionDeclarations": [{"name": "look"}]}
BEDROCK: Final[dict[str, Any]] = {"messages": [{"role": "user", "content": [{"text": "Why?"}]}]}
TOOL_SPEC: Final = {"toolSpec": {"name": "look", "inputSchema": {"json": {"type": "object"}}}}
CLAUDE: Final[dict[str, Any]] = {"max_tokens": 9, "messages": [QUESTION]}
CLOSED: Final = {"type": "object", "additionalProperties": False}
PDF: Final = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}}


def violations(dialect: str, model: str, body: dict[str, Any]) -> list[tuple[str, str]]:
    """Return code and path of what the check finds in a body for a model."""
    member = "modelId" if dialect == "bedrock_converse" else "model"
    return [(found.code, found.path) for found in il.check_request({**body, member: model}, dialect)]


def thinks(**config: Any) -> dict[str, Any]:
    """Return a request of Gemini with settings for thinking."""
    return {**GEMINI, "generationConfig": {"thinkingConfig": config}}


@pytest.mark.parametrize(
    ("model", "body", "found"),
    [
        ("gemini-2.0-flash", thinks(thinkingBudget=0), [("setting", "/generationConfig/thinkingConfig")]),
        (
            "gemini-2.5-pro",
            thinks(thinkingBudget=1024, thinkingLevel="LOW"),
            [
                ("setting", "/generationConfig/thinkingConfig/thinkingBudget"),
                ("setting", "/generationConfig/thinkingConfig/thinkingLevel"),
            ],
        ),
        ("gemini-2.5-flash-image", {**GEMINI, "tools": [DECLARED]}, [("tool", "/tools/0")]),
        ("gemini-2.5-pro", {**GEMINI, "tools": [DECLARED, {"googleSearch": {}}]}, [("tool", "/tools/1")]),
        (
            "gemini-2.5-pro",
            {**GEMINI, "tools": [DECLARED], "generationConfig": {"responseMimeType": "application/json"}},
            [("setting", "/generationConfig/responseMimeType")],
        ),
        (
            "gemini-2.5-flash-preview-tts",
            {**GEMINI, "systemInstruction": {"parts": [{"text": "Speak."}]}},
            [("member", "/systemInstruction")],
        ),
        (
            "gemini-2.5-flash-preview-tts",
            {"contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": PICTURE}}]}]},
            [("media_type", "/contents/0/parts/0/inlineData")],
        ),
    ],
)
def test_of_gemini(model: str, body: dict[str, Any], found: list[tuple[str, str]]) -> None:
    assert violations("gemini", model, body) == found


@pytest.mark.parametrize(
    ("model", "members", "found"),
    [
        (
            "mistral.mistral-large-2407-v1:0",
            {"toolConfig": {"tools": [TOOL_SPEC], "toolChoice": {"tool": {"name": "look"}}}},
            [("setting", "/toolConfig/toolChoice/tool")],
        ),
        (
            "meta.llama3-3-70b-instruct-v1:0",
            {"toolConfig": {"tools": [TOOL_SPEC], "toolChoice": {"any": {}}}},
            [("setting", "/toolConfig/toolChoice")],
        ),
        (
            "anthropic.claude-3-haiku-20240307-v1:0",
            {
                "messages": [
                    {
                        "role": "user",
                        "content": [
                            {"text": "Why?"},
                            {"document": {"format": "pdf", "name": "a", "source": {"bytes": "JVBERi0="}}},
                        ],
                    }
                ]
            },
            [("media_type", "/messages/0/content/1")],
        ),
    ],
)
def test_of_models_on_bedrock(model: str, members: dict[str, Any], found: list[tuple[str, str]]) -> None:
    assert violations("bedrock_converse", model, {**BEDROCK, **members}) == found


@pytest.mark.parametrize(
    ("model", "members", "found"),
    [
        (
            "claude-opus-5-5",
            {"tools": [{"name": "look", "input_schema": CLOSED}], "tool_choice": {"type": "any"}},
            [("setting", "/tool_choice")],
        ),
        (
            "deepseek-v4-pro",
            {
                "tools": [{"name": "look", "input_schema": CLOSED}],
                "tool_choice": {"type": "any"},
                "thinking": {"type": "adaptive"},
            },
            [("setting", "/tool_choice")],
        ),
        (
            "claude-3-haiku-20240307",
            {"messages": [{"role": "user", "content": [PDF]}]},
            [("media_type", "/messages/0/content/0")],
        ),
        (
            "claude-sonnet-4-20250514",
            {
                "tools": [{"name": "look", "strict": True, "input_schema": CLOSED}],
                "output_config": {"format": {"type": "json_schema", "schema": CLOSED}},
            },
            [("setting", "/output_config/format"), ("setting", "/tools/0/strict")],
        ),
    ],
)
def test_of_claude_and_other_models_at_its_endpoint(
    model: str, members: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    assert violations("claude", model, {**CLAUDE, **members}) == found


@pytest.mark.parametrize(
    ("dialect", "model", "body", "found"),
    [
        ("ollama", "qwen3-coder", {"messages": [QUESTION], "think": True}, [("setting", "/think")]),
        (
            "ollama",
            "gpt-oss:20b",
            {"messages": [{**QUESTION, "images": [PICTURE]}]},
            [("part", "/messages/0/images")],
        ),
        (
            "openai_responses",
            "gemma3:4b",
            {
                "input": "Why?",
                "tools": [{"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}}],
            },
            [("tool", "/tools/0/type")],
        ),
        (
            "openai_responses",
            "gpt-4-turbo",
            {"input": "Why?", "text": {"format": {"type": "json_schema", "name": "answer", "schema": CLOSED}}},
            [("setting", "/text/format/type")],
        ),
        (
            "openai_chat",
            "command-a-plus-05-2026",
            {
                "messages": [QUESTION],
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "answer", "strict": False, "schema": CLOSED},
                },
            },
            [("member", "/response_format/json_schema/strict")],
        ),
    ],
)
def test_of_open_models_and_older_ones(
    dialect: str, model: str, body: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    assert violations(dialect, model, body) == found


def test_a_setting_that_is_no_number_is_only_a_wrong_type() -> None:
    members = {"max_tokens": 4000, "thinking": {"type": "enabled", "budget_tokens": 1024}, "top_p": "high"}
    assert violations("claude", "claude-sonnet-4-20250514", {**CLAUDE, **members}) == [("shape", "/top_p")]
