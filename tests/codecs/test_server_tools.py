"""Tools that the provider runs, web search and code execution: each provider has them in words of its own."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

HELLO: Final[dict[str, Any]] = {"role": "user", "content": "Hello"}
WRAPPED: Final[dict[str, dict[str, Any]]] = {
    "claude": {"model": "m", "max_tokens": 9, "messages": [HELLO]},
    "openai_responses": {"model": "m", "input": [HELLO]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "Hello"}]}]},
    "openai_chat": {"model": "m", "messages": [HELLO]},
}
PLACE: Final = {"type": "approximate", "city": "Lisbon", "country": "PT"}


def body(dialect: str, tool: dict[str, Any]) -> dict[str, Any]:
    """Return a request with one tool."""
    member = {"web_search_options": tool} if dialect == "openai_chat" else {"tools": [tool]}
    return {**WRAPPED[dialect], **member}


DOMAINS: Final = ["a.example"]
AT_HOME: Final[list[tuple[str, dict[str, Any]]]] = [
    ("claude", {"type": "web_search_20250305", "name": "web_search"}),
    ("claude", {"type": "web_search_20260318", "name": "web_search", "max_uses": 2, "response_inclusion": "full"}),
    ("claude", {"type": "web_search_20260209", "name": "web_search", "allowed_domains": None, "strict": True}),
    ("claude", {"type": "web_search_20250305", "name": "web_search", "blocked_domains": [1], "max_uses": "2"}),
    ("claude", {"type": "web_search_20250305", "name": "web_search", "user_location": PLACE}),
    ("claude", {"type": "web_search_20250305", "name": "web_search", "user_location": {**PLACE, "region": None}}),
    ("claude", {"type": "web_search_20250305", "name": "web_search", "user_location": {"city": "Lisbon"}}),
    ("claude", {"type": "web_search_20250305", "name": "search"}),
    ("claude", {"type": "web_search_20991231", "name": "web_search"}),
    ("claude", {"type": "code_execution_20260521", "name": "code_execution", "cache_control": {"type": "ephemeral"}}),
    ("openai_responses", {"type": "web_search"}),
    ("openai_responses", {"type": "web_search_preview", "search_context_size": "low", "user_location": PLACE}),
    ("openai_responses", {"type": "web_search", "filters": {"allowed_domains": DOMAINS, "new": 1}}),
    ("openai_responses", {"type": "web_search", "filters": {"allowed_domains": None}}),
    ("openai_responses", {"type": "web_search", "filters": {"allowed_domains": None, "blocked_domains": DOMAINS}}),
    ("openai_responses", {"type": "web_search", "filters": {"allowed_domains": DOMAINS, "blocked_domains": DOMAINS}}),
    ("openai_responses", {"type": "web_search", "filters": {"allowed_domains": DOMAINS, "blocked_domains": 7}}),
    ("openai_responses", {"type": "web_search", "filters": {}}),
    ("openai_responses", {"type": "web_search", "filters": None, "external_web_access": False}),
    ("openai_responses", {"type": "code_interpreter", "container": {"type": "auto"}}),
    ("openai_responses", {"type": "code_interpreter", "container": {"type": "auto", "memory_limit": "4g"}}),
    ("openai_responses", {"type": "code_interpreter", "container": "cntr_1"}),
    ("openai_responses", {"type": "code_interpreter"}),
    ("gemini", {"googleSearch": {}}),
    ("gemini", {"google_search": {"exclude_domains": DOMAINS, "timeRangeFilter": {"startTime": "t"}}}),
    ("gemini", {"googleSearch": {"excludeDomains": None}}),
    ("gemini", {"googleSearch": {"excludeDomains": "a.example"}}),
    ("gemini", {"googleSearch": None}),
    ("gemini", {"codeExecution": {"new": 1}}),
    ("gemini", {"googleSearch": {}, "codeExecution": {}}),
    ("gemini", {"functionDeclarations": [{"name": "f"}], "googleSearch": {}}),
    ("openai_chat", {}),
    ("openai_chat", {"search_context_size": "high", "new": 1}),
    ("openai_chat", {"user_location": {"type": "approximate", "approximate": {"city": "Lisbon", "new": 1}, "more": 2}}),
    ("openai_chat", {"user_location": {"type": "approximate", "approximate": {"type": "x"}}}),
    ("openai_chat", {"user_location": {"type": "exact"}, "search_context_size": 3}),
    ("openai_chat", {"user_location": None}),
]


@pytest.mark.parametrize(("dialect", "tool"), AT_HOME)
def test_a_server_tool_round_trips(dialect: str, tool: dict[str, Any]) -> None:
    asked = body(dialect, tool)
    request = il.decode_request(asked, dialect)
    encoded = il.encode_request(request, dialect)
    assert (encoded.body, encoded.losses) == (asked, ())
    stored = il.ChatRequest.model_validate_json(request.model_dump_json())
    assert il.encode_request(stored, dialect).body == asked


SEARCH: Final[dict[str, dict[str, Any]]] = {
    "claude": {"type": "web_search_20250305", "name": "web_search", "user_location": PLACE},
    "openai_responses": {"type": "web_search", "user_location": PLACE},
    "openai_chat": {"user_location": {"type": "approximate", "approximate": {"city": "Lisbon", "country": "PT"}}},
}


@pytest.mark.parametrize("source", SEARCH)
@pytest.mark.parametrize("target", SEARCH)
def test_a_web_search_is_translated_to_each_provider(source: str, target: str) -> None:
    encoded = il.translate_request(body(source, SEARCH[source]), source, target)
    member = "web_search_options" if target == "openai_chat" else "tools"
    wanted = SEARCH[target] if target == "openai_chat" else [SEARCH[target]]
    assert encoded.body[member] == wanted
    assert [loss for loss in encoded.losses if loss.path.startswith("/tools")] == []
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize("source", SEARCH)
def test_gemini_searches_and_the_user_location_is_lost(source: str) -> None:
    encoded = il.translate_request(body(source, SEARCH[source]), source, "gemini")
    assert encoded.body["tools"] == [{"googleSearch": {}}]
    losses = [(loss.severity, loss.path) for loss in encoded.losses if loss.path.startswith("/tools")]
    assert losses == [("lost", "/tools/0/user_location")]


@pytest.mark.parametrize(
    ("source", "tool", "target", "wanted"),
    [
        ("claude", {"allowed_domains": DOMAINS}, "openai_responses", {"filters": {"allowed_domains": DOMAINS}}),
        ("openai_responses", {"filters": {"allowed_domains": DOMAINS}}, "claude", {"allowed_domains": DOMAINS}),
        ("openai_responses", {"filters": {"blocked_domains": DOMAINS}}, "claude", {"blocked_domains": DOMAINS}),
        ("claude", {"blocked_domains": DOMAINS}, "gemini", {"excludeDomains": DOMAINS}),
        ("gemini", {"excludeDomains": DOMAINS}, "claude", {"blocked_domains": DOMAINS}),
    ],
)
def test_allowed_and_blocked_domains_are_translated_where_supported(
    source: str, tool: dict[str, Any], target: str, wanted: dict[str, Any]
) -> None:
    bare = {
        "claude": {"type": "web_search_20250305", "name": "web_search"},
        "openai_responses": {"type": "web_search"},
        "gemini": {},
    }
    forms = {dialect: {"googleSearch": tool} if dialect == "gemini" else bare[dialect] | tool for dialect in bare}
    (written,) = il.translate_request(body(source, forms[source]), source, target).body["tools"]
    assert written == ({"googleSearch": wanted} if target == "gemini" else {**bare[target], **wanted})


RUNS: Final[dict[str, dict[str, Any]]] = {
    "claude": {"type": "code_execution_20250825", "name": "code_execution"},
    "openai_responses": {"type": "code_interpreter", "container": {"type": "auto"}},
    "gemini": {"codeExecution": {}},
}


@pytest.mark.parametrize("source", RUNS)
@pytest.mark.parametrize("target", RUNS)
def test_code_execution_tools_are_translated(source: str, target: str) -> None:
    encoded = il.translate_request(body(source, RUNS[source]), source, target)
    assert encoded.body["tools"] == [RUNS[target]]
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize("target", ["openai_chat", "ollama", "vllm"])
def test_an_unsupported_server_tool_is_one_loss(target: str) -> None:
    encoded = il.translate_request(body("claude", RUNS["claude"]), "claude", target)
    assert "tools" not in encoded.body
    losses = [(loss.severity, loss.code, loss.path) for loss in encoded.losses if loss.path.startswith("/tools")]
    assert losses == [("lost", "tool", "/tools/0")]


def test_two_search_tools_become_one_for_chat_completions() -> None:
    tools = [SEARCH["claude"], {"type": "web_search_20260209", "name": "web_search"}]
    encoded = il.translate_request({**WRAPPED["claude"], "tools": tools}, "claude", "openai_chat")
    assert encoded.body["web_search_options"] == SEARCH["openai_chat"]
    assert [loss.path for loss in encoded.losses if loss.path.startswith("/tools")] == ["/tools/1"]


def test_a_model_without_web_search_gets_none() -> None:
    look = {"name": "look", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}}
    asked = {**WRAPPED["claude"], "tools": [SEARCH["claude"], look]}
    plain = il.translate_request(asked, "claude", "openai_chat", model="gpt-5.4")
    assert "web_search_options" not in plain.body
    assert [tool["function"]["name"] for tool in plain.body["tools"]] == ["look"]
    assert {"/tools/0", "/tools/1/cache"} <= {loss.path for loss in plain.losses}
    searching = il.translate_request(asked, "claude", "openai_chat", model="gpt-4o-search-preview")
    assert searching.body["web_search_options"] == SEARCH["openai_chat"]
    assert "tools" not in searching.body
    for encoded in (plain, searching):
        assert il.check_request(encoded.body, "openai_chat") == []


BESIDE: Final = [
    {"name": "f", "input_schema": {"type": "object", "properties": {}}},
    {"type": "web_search_20250305", "name": "web_search"},
]


@pytest.mark.parametrize(
    ("model", "choice", "wanted"),
    [
        ("gemini-3-pro-preview", None, {"includeServerSideToolInvocations": True}),
        ("gemini-3-pro-preview", {"type": "auto"}, {"includeServerSideToolInvocations": True}),
        (
            "gemini-3.6-flash",
            {"type": "any"},
            {"functionCallingConfig": {"mode": "ANY"}, "includeServerSideToolInvocations": True},
        ),
        ("gemini-2.5-flash", None, None),
    ],
)
def test_gemini_gets_functions_beside_server_tools_if_their_invocations_are_included(
    model: str, choice: dict[str, str] | None, wanted: dict[str, Any] | None
) -> None:
    asked = {
        "model": "claude-opus-5",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": "Hi"}],
        "tools": BESIDE,
    }
    encoded = il.translate_request(asked | ({"tool_choice": choice} if choice else {}), "claude", "gemini", model=model)
    assert encoded.body.get("toolConfig") == wanted
    told = [loss for loss in encoded.losses if "includeServerSideToolInvocations" in loss.detail]
    assert [(loss.severity, loss.path) for loss in told] == ([("filled", "/tools")] if wanted else [])


@pytest.mark.parametrize("tools", [BESIDE[:1], BESIDE[1:]], ids=["functions alone", "search alone"])
def test_server_tool_invocations_are_not_requested_without_functions(tools: list[Any]) -> None:
    asked = {"model": "claude-opus-5", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}], "tools": tools}
    assert "toolConfig" not in il.translate_request(asked, "claude", "gemini", model="gemini-3-pro-preview").body


@pytest.mark.parametrize("target", ["openai_chat", "gemini"])
@pytest.mark.parametrize("functions", [[], [{"type": "function", "name": "f", "parameters": {"type": "object"}}]])
def test_no_search_is_written_if_tool_choice_is_none(target: str, functions: list[Any]) -> None:
    """The choice holds of functions alone there: a search that is offered is made."""
    tools = [{"type": "web_search"}, *functions]
    asked = {"model": "m", "input": "Hi", "tools": tools, "tool_choice": "none"}
    encoded = il.translate_request(asked, "openai_responses", target)
    assert "web_search_options" not in encoded.body
    assert "googleSearch" not in str(encoded.body)
    assert {loss.path: loss.severity for loss in encoded.losses}["/tools/0"] == "lost"
    assert ("tool_choice" in encoded.body or "toolConfig" in encoded.body) is bool(functions)
    free = il.translate_request({**asked, "tool_choice": "auto"}, "openai_responses", target).body
    assert "web_search_options" in free or "googleSearch" in str(free)


@pytest.mark.parametrize("target", ["openai_chat", "gemini", "ollama", "bedrock_converse", "vllm"])
@pytest.mark.parametrize("tool", [{"type": "web_search"}, {"type": "code_interpreter", "container": {"type": "auto"}}])
def test_tool_choice_none_is_written_without_a_loss(target: str, tool: dict[str, Any]) -> None:
    asked = {"model": "m", "input": "Hi", "tools": [tool], "tool_choice": "none"}
    encoded = il.translate_request(asked, "openai_responses", target)
    assert not {"tools", "tool_choice", "toolConfig"} & encoded.body.keys()
    paths = {loss.path for loss in encoded.losses}
    assert "/tools/0" in paths
    assert "/tool_choice" not in paths


WEB: Final = {"type": "web_search"}
NAMESAKE: Final = {"type": "function", "name": "web_search", "parameters": {"type": "object"}, "strict": False}
CODE: Final = {"type": "code_interpreter", "container": {"type": "auto"}}


@pytest.mark.parametrize(
    ("tools", "types", "lost"),
    [
        ([WEB, CODE], ["web_search_20250305", "code_execution_20250825"], []),
        ([WEB, CODE, WEB], ["web_search_20250305", "code_execution_20250825"], ["/tools/2"]),
        ([WEB, NAMESAKE], [None], ["/tools/0"]),
        ([NAMESAKE, WEB], [None], ["/tools/1"]),
    ],
)
def test_tool_names_for_claude_are_unique_and_functions_take_precedence(
    tools: list[Any], types: list[Any], lost: list[str]
) -> None:
    asked = {**WRAPPED["openai_responses"], "tools": tools}
    encoded = il.translate_request(asked, "openai_responses", "claude", model="claude-opus-4-8")
    assert [tool.get("type") for tool in encoded.body["tools"]] == types
    assert [loss.path for loss in encoded.losses if (loss.code, loss.severity) == ("tool", "lost")] == lost
    assert il.check_request(encoded.body, "claude") == []
