"""What rare members of a request become where the target has no place for them, or another one."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il
from interlingua.registry import Dialect

FUNCTION: dict[str, Any] = {"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}}
ADDRESS = "https://example.com/a.png"
CONTENT = "/messages/0/content/0"
# What each target demands of any request, and says of its model.
USUAL = frozenset({"/model", "/max_tokens"})


def request(*parts: dict[str, Any], **members: Any) -> il.ChatRequest:
    said = {"role": "user", "content": list(parts) or "Hi"}
    return il.ChatRequest.model_validate({"model": "some-model", "messages": [said], **members})


def choosing(**choice: Any) -> il.ChatRequest:
    return request(tools=[FUNCTION], tool_choice=choice)


@pytest.mark.parametrize(
    ("dialect", "value", "losses"),
    [
        ("claude", choosing(mode="subset", names=["no"], required=True), {"lost /tools/0", "lost /tool_choice"}),
        ("gemini", choosing(mode="subset", names=["look"], required=True), {"changed /tool_choice"}),
        ("openai_responses", request(verbosity="loud"), {"lost /verbosity"}),
        ("openai_responses", request(metadata={"a": "b", "c": 1}), {"lost /metadata/c"}),
        ("claude", request({"type": "image", "data": "AAAA"}), {f"filled {CONTENT}/format"}),
        (
            "openai_responses",
            request({"type": "image", "data": "AAAA"}),
            {f"filled {CONTENT}/format", f"filled {CONTENT}/detail"},
        ),
        (
            "openai_responses",
            request({"type": "image", "url": ADDRESS, "detail": "ultra_high"}),
            {f"lost {CONTENT}/detail"},
        ),
        (
            "gemini",
            request({"type": "image", "url": ADDRESS, "detail": "original"}),
            {f"filled {CONTENT}/format", f"changed {CONTENT}/detail"},
        ),
        (
            "gemini",
            request({"type": "file", "file_id": "https://example.com/a.pdf"}),
            {f"changed {CONTENT}/file_id", f"filled {CONTENT}/format"},
        ),
        ("claude", request({"type": "file", "text": "A", "name": "n", "title": "t"}), {f"lost {CONTENT}/name"}),
        ("claude", request({"type": "text", "text": "Hi", "cache": {"ttl": "24h"}}), {f"lost {CONTENT}/cache/ttl"}),
        (
            "claude",
            request({"type": "text", "text": "Hi", "cache": {"mode": "implicit"}}),
            {f"changed {CONTENT}/cache/mode"},
        ),
        (
            "bedrock_converse",
            request({"type": "text", "text": "Hi", "cache": {"ttl": "24h"}}),
            {f"lost {CONTENT}/cache/ttl"},
        ),
        (
            "openai_responses",
            request(tools=[{"type": "custom", "name": "free", "grammar": {"syntax": "gbnf", "definition": "x"}}]),
            {"lost /tools/0/grammar"},
        ),
        (
            "openai_responses",
            request(tools=[{"type": "namespace", "name": "all", "tools": [{"type": "web_search"}]}]),
            {"lost /tools/0"},
        ),
        (
            "claude",
            request(tools=[{"type": "web_search", "allowed_domains": ["a.org"], "blocked_domains": ["b.org"]}]),
            {"lost /tools/0/blocked_domains"},
        ),
    ],
)
def test_a_rare_member_without_a_place_is_reported_once(
    dialect: Dialect, value: il.ChatRequest, losses: set[str]
) -> None:
    encoded = il.encode_request(value, dialect, profile=None)
    assert sorted(f"{one.severity} {one.path}" for one in encoded.losses if one.path not in USUAL) == sorted(losses)


@pytest.mark.parametrize("dialect", ["claude", "gemini", "bedrock_converse"])
def test_a_choice_of_a_custom_tool_loses_its_type_where_there_are_none(dialect: Dialect) -> None:
    value = choosing(mode="named", name="look", kind="custom").replace(dialect=dialect)
    losses = il.encode_request(value, dialect).losses
    assert [one.path for one in losses if one.severity == "lost"] == ["/tool_choice/kind"]
