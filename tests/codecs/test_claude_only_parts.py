"""Parts that only Claude has, and whose words others are told: a summary, and the tools that a search has found."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

SUMMARY: Final = {"type": "compaction", "content": "The user wants X.", "encrypted_content": "abc"}
FOUND: Final = [
    {"type": "tool_reference", "tool_name": "search_code", "cache_control": {"type": "ephemeral"}},
    {"type": "tool_reference", "tool_name": "read_file"},
]
BODY: Final[dict[str, Any]] = {
    "model": "claude-opus-4-8",
    "max_tokens": 900,
    "messages": [
        {"role": "assistant", "content": [SUMMARY]},
        {"role": "user", "content": "Go on."},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t", "name": "ToolSearch", "input": {"query": "code"}}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": FOUND}]},
    ],
    "tools": [{"name": "ToolSearch", "input_schema": {"type": "object"}}],
}


@pytest.mark.parametrize(
    ("target", "model"),
    [
        ("openai_chat", "gpt-5.2"),
        ("openai_responses", "gpt-5.2"),
        ("gemini", "gemini-3-pro-preview"),
        ("ollama", "qwen3"),
        ("vllm", "Qwen/Qwen3-8B"),
        ("bedrock_converse", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
    ],
)
def test_parts_that_only_claude_has_become_text_in_other_dialects(target: il.Dialect, model: str) -> None:
    encoded = il.translate_request(BODY, "claude", target, model=model)
    said = str(encoded.body)
    assert "The user wants X." in said
    assert said.index("search_code") < said.index("read_file")
    told = {loss.path: loss.severity for loss in encoded.losses}
    assert [told[f"/messages/{at}"] for at in ("0/content/0", "3/content/0", "3/content/1")] == ["changed"] * 3
    assert [told.get(f"/messages/{at}/data") for at in ("0/content/0", "3/content/0", "3/content/1")] == [
        "lost",
        "lost",
        None,
    ]


def test_such_texts_are_separated_from_the_answer() -> None:
    said = [{"type": "text", "text": "a"}, SUMMARY, {"type": "text", "text": "b"}]
    body = {**BODY, "messages": [BODY["messages"][1], {"role": "assistant", "content": said}, BODY["messages"][1]]}
    told = il.translate_request(body, "claude", "ollama", model="qwen3").body["messages"][1]["content"]
    assert told == "a\n\nThe user wants X.\n\nb"


def test_a_failed_summary_is_lost() -> None:
    messages = [
        {"role": "assistant", "content": [{"type": "compaction", "content": None}, {"type": "text", "text": "a"}]}
    ]
    body = {**BODY, "messages": [*BODY["messages"][1:2], *messages, BODY["messages"][1]]}
    encoded = il.translate_request(body, "claude", "openai_chat", model="gpt-5.2")
    assert {loss.path: loss.severity for loss in encoded.losses}["/messages/1/content/0"] == "lost"


def test_within_claude_such_parts_round_trip() -> None:
    assert il.translate_request(BODY, "claude", "claude").body == BODY
