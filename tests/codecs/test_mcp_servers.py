"""Servers of MCP that a provider asks itself: offered to Responses as its tool `mcp`."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

HI: Final = {"role": "user", "content": "Hi"}
SERVER: Final = {"type": "url", "name": "weather", "url": "https://a.example/mcp", "authorization_token": "token"}
TOOLSET: Final = {"type": "mcp_toolset", "mcp_server_name": "weather"}
FUNCTION: Final = {"name": "look", "input_schema": {"type": "object", "properties": {}}}
OFFERED: Final = {
    "type": "mcp",
    "server_label": "weather",
    "server_url": "https://a.example/mcp",
    "require_approval": "never",
}


def claude(*tools: Any, servers: Any = (SERVER,), **beside: Any) -> dict[str, Any]:
    """Return a request of Claude's."""
    body = {"model": "claude-opus-5", "max_tokens": 99, "messages": [HI], "mcp_servers": list(servers), **beside}
    return {**body, "tools": list(tools)} if tools else body


def gemini(**server: Any) -> dict[str, Any]:
    """Return a request of Gemini's."""
    transport = {"url": "https://a.example/mcp", "headers": {"Authorization": "token"}}
    named = {"name": "weather", "streamableHttpTransport": transport, **server}
    return {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}], "tools": [{"mcpServers": [named]}]}


def sent(body: dict[str, Any], source: Any, model: str = "gpt-5.2") -> tuple[Any, set[tuple[str, str]]]:
    """Return the tools of Responses, and what was told of them and of the bag."""
    encoded = il.translate_request(body, source, "openai_responses", model=model)
    assert il.check_request(encoded.body, "openai_responses") == []
    found = {
        (loss.severity, loss.path)
        for loss in encoded.losses
        if loss.path.startswith(("/tools", "/extra")) and "strict" not in loss.path
    }
    return encoded.body.get("tools"), found


def test_an_mcp_server_of_claude_becomes_a_responses_tool() -> None:
    tools, told = sent(claude(TOOLSET), "claude")
    assert tools == [{**OFFERED, "authorization": "token"}]
    assert told == {("changed", "/tools/0")}


def test_allowed_mcp_tools_are_listed() -> None:
    some = {**TOOLSET, "default_config": {"enabled": False}, "configs": {"a": {"enabled": True}, "b": {}}}
    tools, told = sent(claude(FUNCTION, some), "claude")
    assert tools[1]["allowed_tools"] == ["a"]
    assert told == {("changed", "/tools/1")}
    older = {**SERVER, "tool_configuration": {"enabled": True, "allowed_tools": ["a", "c"]}}
    tools, told = sent(claude(FUNCTION, servers=[older]), "claude")
    assert tools[1]["allowed_tools"] == ["a", "c"]
    assert told == {("filled", "/tools/1")}


@pytest.mark.parametrize(
    ("toolset", "server"),
    [
        ({"configs": {"a": {"enabled": False}}}, {}),
        ({"default_config": {"enabled": False}}, {}),
        ({}, {"tool_configuration": {"enabled": False}}),
        ({}, {"name": "two words"}),
        ({}, {"type": "stdio"}),
        ({}, {"url": 5}),
        ({"configs": [], "default_config": 4}, {"authorization_token": 5}),
    ],
)
def test_an_mcp_server_that_cannot_be_restricted_as_required_is_lost(
    toolset: dict[str, Any], server: dict[str, Any]
) -> None:
    named = {**SERVER, **server}
    offered = {**TOOLSET, "mcp_server_name": named["name"], **toolset}
    tools, told = sent(claude(offered, servers=[named]), "claude")
    assert tools is None
    assert told == {("lost", "/tools/0"), ("lost", "/extra/claude")}


def test_unsupported_members_of_an_mcp_tool_are_reported() -> None:
    tools, told = sent(claude({**TOOLSET, "default_config": {"defer_loading": True}}), "claude")
    assert tools == [{**OFFERED, "authorization": "token"}]
    assert told == {("changed", "/tools/0"), ("lost", "/tools/0/data")}


@pytest.mark.parametrize(
    ("server", "toolset", "where"),
    [
        ({"region": "eu"}, None, "/extra/claude"),
        ({"tool_configuration": {"enabled": True, "approval": "ask"}}, None, "/extra/claude"),
        ({"region": "eu"}, {}, "/tools/0/data"),
        ({"tool_configuration": {"approval": "ask"}}, {}, "/tools/0/data"),
        ({}, {"configs": {"a": {"enabled": True, "approval": "ask"}}}, "/tools/0/data"),
        ({}, {"default_config": {"approval": "ask"}}, "/tools/0/data"),
    ],
)
def test_unsupported_members_of_an_mcp_server_are_reported(
    server: dict[str, Any], toolset: dict[str, Any] | None, where: str
) -> None:
    offered = () if toolset is None else ({**TOOLSET, **toolset},)
    tools, told = sent(claude(*offered, servers=[{**SERVER, **server}]), "claude")
    assert tools == [{**OFFERED, "authorization": "token"}]
    assert told == {("filled" if toolset is None else "changed", "/tools/0"), ("lost", where)}


def test_unrepresentable_mcp_servers_are_lost_and_the_others_kept() -> None:
    tools, told = sent(
        claude(TOOLSET, servers=[SERVER, {"type": "url", "name": "b c", "url": "https://b.example"}]), "claude"
    )
    assert [tool["server_label"] for tool in tools] == ["weather"]
    assert told == {("changed", "/tools/0"), ("lost", "/extra/claude")}


def test_an_mcp_server_of_gemini_becomes_a_responses_tool() -> None:
    for name in ("mcpServers", "mcp_servers"):
        body = gemini()
        body["tools"] = [{name: body["tools"][0]["mcpServers"]}]
        tools, told = sent(body, "gemini")
        assert tools == [{**OFFERED, "headers": {"Authorization": "token"}}]
        assert told == {("changed", "/tools/0")}
    tools, told = sent(gemini(streamableHttpTransport={"url": "https://a.example/mcp", "headers": "a: b"}), "gemini")
    assert (tools, told) == ([OFFERED], {("changed", "/tools/0"), ("lost", "/tools/0/data")})
    for odd in ({"name": None}, {"streamableHttpTransport": None}, {"streamableHttpTransport": {"url": 4}}):
        assert sent(gemini(**odd), "gemini") == (None, {("lost", "/tools/0")})


def test_no_mcp_server_is_written_if_no_tool_may_be_called() -> None:
    tools, told = sent(claude(TOOLSET, tool_choice={"type": "none"}), "claude")
    assert (tools, ("lost", "/tools/0") in told) == (None, True)


def test_no_approval_setting_is_written_for_models_without_one() -> None:
    tools, _ = sent(claude(TOOLSET), "claude", "grok-4.6")
    assert "require_approval" not in tools[0]
    asking = {"type": "mcp", "server_label": "a", "server_url": "https://a.example", "require_approval": "always"}
    body = {"model": "grok-4.6", "input": "Hi", "tools": [asking]}
    fitted = il.exchange(body, "openai_responses", "openai_responses", fit=True)
    assert "require_approval" not in fitted.body["tools"][0]
    assert [loss.path for loss in fitted.losses if loss.severity == "lost"] == ["/tools/0/data/require_approval"]


@pytest.mark.parametrize("target", ["openai_chat", "gemini", "ollama", "vllm", "bedrock_converse"])
def test_mcp_servers_are_lost_in_other_dialects(target: Any) -> None:
    encoded = il.translate_request(claude(TOOLSET), "claude", target)
    assert "tools" not in encoded.body
    assert {"/tools/0", "/extra/claude"} <= {loss.path for loss in encoded.losses if loss.severity == "lost"}
