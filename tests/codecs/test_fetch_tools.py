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
def test_claudes_tool_is_offered_as_geminis(version: str) -> None:
    encoded = il.translate_request(claude({**FETCH, "type": version}), "claude", "gemini", model=GEMINI)
    assert encoded.body["tools"] == [{"urlContext": {}}]
    assert told(encoded) == [("/tools/0", "changed")]
    assert il.check_request(encoded.body, "gemini") == []


@pytest.mark.parametrize("wire", [{"urlContext": {}}, {"url_context": {}}, {"urlContext": None}])
def test_geminis_tool_is_offered_as_claudes(wire: dict[str, Any]) -> None:
    body = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}], "tools": [wire]}
    encoded = il.translate_request(body, "gemini", "claude", model="claude-opus-5")
    if wire == {"urlContext": None}:  # it is switched off
        assert "tools" not in encoded.body
        return
    assert encoded.body["tools"] == [FETCH]
    assert told(encoded) == [("/tools/0", "changed")]
    assert il.check_request(encoded.body, "claude") == []


def test_geminis_tool_beside_a_search_in_one_object_goes_and_the_search_is_told() -> None:
    body = {
        "contents": [{"role": "user", "parts": [{"text": "Hi"}]}],
        "tools": [{"googleSearch": {}, "urlContext": {}}],
    }
    encoded = il.translate_request(body, "gemini", "claude", model="claude-opus-5")
    assert encoded.body["tools"] == [FETCH]
    assert told(encoded) == [("/tools/0", "changed"), ("/tools/0/data", "lost")]


def test_a_limit_that_is_null_is_none() -> None:
    encoded = il.translate_request(claude({**FETCH, "allowed_domains": None}), "claude", "gemini", model=GEMINI)
    assert encoded.body["tools"] == [{"urlContext": {}}]
    assert told(encoded) == [("/tools/0", "changed")]


def test_openrouters_tool_keeps_its_limits_where_the_target_has_them() -> None:
    tool = {
        "type": "openrouter:web_fetch",
        "parameters": {"max_uses": 2, "allowed_domains": ["a.com"], "engine": "exa"},
    }
    body = {"model": "m", "messages": [HI], "tools": [tool]}
    encoded = il.translate_request(body, "openai_chat", "claude", model="claude-opus-5")
    assert encoded.body["tools"] == [{**FETCH, "max_uses": 2, "allowed_domains": ["a.com"]}]
    assert told(encoded) == [("/tools/0", "changed"), ("/tools/0/data", "lost")]


def test_what_the_target_does_not_take_beside_it_is_told() -> None:
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
def test_it_stays_behind_where_the_target_would_read_what_it_shall_not(case: str) -> None:
    encoded = il.translate_request(STAYS[case], "claude", "gemini", model=GEMINI)
    assert "tools" not in encoded.body
    assert told(encoded) == [("/tools/0", "lost")]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "ollama", "vllm", "bedrock_converse"])
def test_who_has_no_such_tool_does_not_get_it(target: il.Dialect) -> None:
    encoded = il.translate_request(claude(FETCH), "claude", target, model="m")
    assert not encoded.body.get("tools")
    assert told(encoded) == [("/tools/0", "lost")]


def test_models_of_gemini_that_take_no_search_beside_functions_do_not_get_it_beside_functions() -> None:
    function = {"name": "f", "input_schema": {"type": "object", "properties": {}}}
    encoded = il.translate_request(claude(FETCH, function), "claude", "gemini", model="gemini-2.5-flash")
    assert [[*tool] for tool in encoded.body["tools"]] == [["functionDeclarations"]]
    assert ("/tools/0", "lost") in told(encoded)
    assert il.check_request(encoded.body, "gemini") == []


def test_a_function_keeps_the_name_that_claudes_tool_would_have() -> None:
    function = {"type": "function", "function": {"name": "web_fetch", "parameters": {"type": "object"}}}
    body = {"model": "m", "messages": [HI], "tools": [{"type": "openrouter:web_fetch"}, function]}
    encoded = il.translate_request(body, "openai_chat", "claude", model="claude-opus-5")
    assert [tool["name"] for tool in encoded.body["tools"]] == ["web_fetch"]
    assert "input_schema" in encoded.body["tools"][0]


def test_a_choice_of_it_is_no_choice_of_a_function() -> None:
    body = claude(FETCH, tool_choice={"type": "tool", "name": "web_fetch"})
    encoded = il.translate_request(body, "claude", "gemini", model=GEMINI)
    assert "toolConfig" not in encoded.body
    assert ("/tool_choice", "lost") in [(loss.path, loss.severity) for loss in encoded.losses]


def test_at_home_it_comes_back_as_it_was() -> None:
    tools = [{**FETCH, "allowed_domains": ["example.com"], "citations": {"enabled": True}}]
    body = claude(*tools)
    assert il.encode_request(il.decode_request(body, "claude"), "claude").body == body
