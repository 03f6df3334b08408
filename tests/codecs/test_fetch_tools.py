"""Tools with which a provider itself reads pages: offered as the tool of this kind that the target has."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

FETCH: Final = {"type": "web_fetch_20250910", "name": "web_fetch"}
GEMINI: Final = "gemini-3-pro-preview"
HI: Final = {"role": "user", "content": "Read https://example.com/a"}


def claude(*tools: dict[str, Any], **beside: Any) -> dict[str, Any]:
    return {"model": "claude-opus-5", "max_tokens": 9, "messages": [HI], "tools": [*tools], **beside}


def told(encoded: il.Encoded) -> list[tuple[str, str]]:
    return [(loss.path, loss.severity) for loss in encoded.losses if loss.code == "tool"]


@pytest.mark.parametrize("version", ["web_fetch_20250910", "web_fetch_20260309"])
def test_the_fetch_tool_of_claude_is_translated_to_gemini(version: str) -> None:
    encoded = il.translate_request(claude({**FETCH, "type": version}), "claude", "gemini", model=GEMINI)
    assert encoded.body["tools"] == [{"urlContext": {}}]
    assert told(encoded) == [("/tools/0", "changed")]
    assert il.check_request(encoded.body, "gemini") == []


@pytest.mark.parametrize("wire", [{"urlContext": {}}, {"url_context": {}}, {"urlContext": None}])
def test_the_fetch_tool_of_gemini_is_translated_to_claude(wire: dict[str, Any]) -> None:
    body = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}], "tools": [wire]}
    encoded = il.translate_request(body, "gemini", "claude", model="claude-opus-5")
    if wire == {"urlContext": None}:  # it is switched off
        assert "tools" not in encoded.body
        return
    assert encoded.body["tools"] == [FETCH]
    assert told(encoded) == [("/tools/0", "changed")]
    assert il.check_request(encoded.body, "claude") == []


def test_a_fetch_tool_beside_a_search_in_one_gemini_tool_is_kept_and_the_search_reported() -> None:
    body = {
        "contents": [{"role": "user", "parts": [{"text": "Hi"}]}],
        "tools": [{"googleSearch": {}, "urlContext": {}}],
    }
    encoded = il.translate_request(body, "gemini", "claude", model="claude-opus-5")
    assert encoded.body["tools"] == [FETCH]
    assert told(encoded) == [("/tools/0", "changed"), ("/tools/0/data", "lost")]


def test_a_null_limit_counts_as_absent() -> None:
    encoded = il.translate_request(claude({**FETCH, "allowed_domains": None}), "claude", "gemini", model=GEMINI)
    assert encoded.body["tools"] == [{"urlContext": {}}]
    assert told(encoded) == [("/tools/0", "changed")]


def test_the_fetch_tool_of_openrouter_keeps_limits_that_the_target_supports() -> None:
    tool = {
        "type": "openrouter:web_fetch",
        "parameters": {"max_uses": 2, "allowed_domains": ["a.com"], "engine": "exa"},
    }
    body = {"model": "m", "messages": [HI], "tools": [tool]}
    encoded = il.translate_request(body, "openai_chat", "claude", model="claude-opus-5")
    assert encoded.body["tools"] == [{**FETCH, "max_uses": 2, "allowed_domains": ["a.com"]}]
    assert told(encoded) == [("/tools/0", "changed"), ("/tools/0/data", "lost")]


def test_unsupported_members_of_the_fetch_tool_are_reported() -> None:
    tool = {**FETCH, "max_uses": 3, "citations": {"enabled": True}}
    encoded = il.translate_request(claude(tool), "claude", "gemini", model=GEMINI)
    assert encoded.body["tools"] == [{"urlContext": {}}]
    assert told(encoded) == [("/tools/0", "changed"), ("/tools/0/data", "lost")]


STAYS: Final[dict[str, dict[str, Any]]] = {
    "limited to domains": claude({**FETCH, "allowed_domains": ["example.com"]}),
    "but for domains": claude({**FETCH, "blocked_domains": ["example.com"]}),
    "no tool may be called": claude(FETCH, tool_choice={"type": "none"}),
}


@pytest.mark.parametrize("case", STAYS)
def test_a_fetch_tool_is_lost_if_the_target_cannot_apply_its_restrictions(case: str) -> None:
    encoded = il.translate_request(STAYS[case], "claude", "gemini", model=GEMINI)
    assert "tools" not in encoded.body
    assert told(encoded) == [("/tools/0", "lost")]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "ollama", "vllm", "bedrock_converse"])
def test_dialects_without_a_fetch_tool_do_not_get_it(target: il.Dialect) -> None:
    encoded = il.translate_request(claude(FETCH), "claude", target, model="m")
    assert not encoded.body.get("tools")
    assert told(encoded) == [("/tools/0", "lost")]


def test_gemini_models_without_mixed_tools_do_not_get_it_beside_functions() -> None:
    function = {"name": "f", "input_schema": {"type": "object", "properties": {}}}
    encoded = il.translate_request(claude(FETCH, function), "claude", "gemini", model="gemini-2.5-flash")
    assert [[*tool] for tool in encoded.body["tools"]] == [["functionDeclarations"]]
    assert ("/tools/0", "lost") in told(encoded)
    assert il.check_request(encoded.body, "gemini") == []


def test_a_function_with_the_name_of_claudes_fetch_tool_keeps_it() -> None:
    function = {"type": "function", "function": {"name": "web_fetch", "parameters": {"type": "object"}}}
    body = {"model": "m", "messages": [HI], "tools": [{"type": "openrouter:web_fetch"}, function]}
    encoded = il.translate_request(body, "openai_chat", "claude", model="claude-opus-5")
    assert [tool["name"] for tool in encoded.body["tools"]] == ["web_fetch"]
    assert "input_schema" in encoded.body["tools"][0]


def test_a_choice_of_the_fetch_tool_is_not_a_function_choice() -> None:
    body = claude(FETCH, tool_choice={"type": "tool", "name": "web_fetch"})
    encoded = il.translate_request(body, "claude", "gemini", model=GEMINI)
    assert "toolConfig" not in encoded.body
    assert ("/tool_choice", "lost") in [(loss.path, loss.severity) for loss in encoded.losses]


def test_within_the_dialect_the_fetch_tool_round_trips() -> None:
    tools = [{**FETCH, "allowed_domains": ["example.com"], "citations": {"enabled": True}}]
    body = claude(*tools)
    assert il.encode_request(il.decode_request(body, "claude"), "claude").body == body
