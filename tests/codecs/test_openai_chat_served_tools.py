"""What other servers of Chat Completions run themselves, offered as an entry of `tools`: it reaches who has it, too."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

LOOK: Final = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
SEARCHES: Final[tuple[dict[str, Any], ...]] = (
    {"type": "web_search"},
    {"type": "web_search_preview"},
    {"type": "google_search"},
    {"type": "browser_search"},
    {"type": "openrouter:web_search"},
    {"google_search": {}},
    {"googleSearch": {}},
)
MODELS: Final = {"gemini": "gemini-3-pro-preview", "claude": "claude-sonnet-4-5", "openai_responses": "gpt-5.2"}
SEARCHED: Final = {
    "gemini": {"googleSearch": {}},
    "claude": {"type": "web_search_20250305", "name": "web_search"},
    "openai_responses": {"type": "web_search"},
}


def asked(*tools: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": "Well?"}], "tools": [*tools], **members}


@pytest.mark.parametrize("target", MODELS)
@pytest.mark.parametrize("tool", SEARCHES, ids=str)
def test_a_web_search_given_as_a_tool_is_translated(tool: dict[str, Any], target: str) -> None:
    sent = il.exchange(asked(tool), "openai_chat", target, model=MODELS[target])
    assert sent.body["tools"] == [SEARCHED[target]]
    assert not [loss for loss in sent.losses if loss.severity == "lost" and loss.concern == "contract"]


@pytest.mark.parametrize("tool", [{"code_execution": {}}, {"codeExecution": {}}, {"type": "code_interpreter"}], ids=str)
def test_a_code_execution_tool_is_translated(tool: dict[str, Any]) -> None:
    sent = il.exchange(asked(tool), "openai_chat", "gemini", model=MODELS["gemini"])
    assert sent.body["tools"] == [{"codeExecution": {}}]
    assert il.exchange(asked(tool), "openai_chat", "openai_responses").body["tools"][0]["type"] == "code_interpreter"


def test_search_context_size_and_user_location_are_translated() -> None:
    tool = {
        "type": "web_search",
        "search_context_size": "low",
        "user_location": {"type": "approximate", "city": "Oslo"},
    }
    sent = il.translate_request(asked(tool, LOOK), "openai_chat", "openai_responses")
    assert sent.body["tools"][0] == tool


def test_unsupported_search_options_are_reported() -> None:
    tool = {"type": "web_search_20250305", "name": "web_search", "force_search": True}
    sent = il.translate_request(asked(tool), "openai_chat", "claude")
    assert sent.body["tools"] == [SEARCHED["claude"]]
    (told,) = [loss for loss in sent.losses if loss.path == "/tools/0/extra/openai_chat"]
    assert told.detail.endswith(": force_search")


@pytest.mark.parametrize("target", MODELS)
@pytest.mark.parametrize("tool", [*SEARCHES, {"type": "web_search_20250305", "name": "web_search"}], ids=str)
def test_the_tool_type_is_translated_without_a_loss(tool: dict[str, Any], target: str) -> None:
    sent = il.translate_request(asked(tool), "openai_chat", target, model=MODELS[target], strict=True)
    assert not [loss for loss in sent.losses if loss.path.startswith("/tools")]


def test_allowed_domains_and_max_uses_of_claude_are_translated() -> None:
    said = {"max_uses": 3, "allowed_domains": ["a.example"]}
    tool = {**SEARCHED["claude"], **said}
    sent = il.translate_request(asked(tool), "openai_chat", "claude", model=MODELS["claude"], strict=True)
    assert sent.body["tools"] == [tool]
    blocked = il.translate_request(
        asked({"type": "web_search", "blocked_domains": ["b.example"]}), "openai_chat", "claude"
    )
    assert blocked.body["tools"] == [{**SEARCHED["claude"], "blocked_domains": ["b.example"]}]


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize(
    "tool",
    [
        *SEARCHES,
        {"type": "web_search", "search_context_size": None, "user_location": None},
        {"type": "web_search", "search_context_size": 3, "user_location": {"type": "exact", "city": 1}},
        {"type": "web_search", "user_location": {"type": "approximate", "city": "Oslo", "more": 1}},
        {"type": "web_search", "web_search": {"enable": False}},
        {"type": "web_search_20250305", "name": "web_search"},
        {"type": "web_search_20250305", "max_uses": 3, "allowed_domains": ["a"], "blocked_domains": []},
        {"type": "web_search", "max_uses": "3", "allowed_domains": None, "blocked_domains": [1]},
        {"type": "code_interpreter", "container": {"type": "auto"}, "search_context_size": "low"},
        {"code_execution": {}},
        {"url_context": {}},
        {"googleSearch": None},
        {"type": "visit_website"},
    ],
    ids=str,
)
def test_a_server_tool_round_trips(tool: dict[str, Any], dialect: str) -> None:
    bodies = [asked(tool), asked(LOOK, tool, LOOK)]
    if dialect == "openai_chat":
        bodies += [asked(tool, web_search_options={"search_context_size": "high"})]
    for body in bodies:
        sent = il.encode_request(il.decode_request(body, dialect), dialect)
        assert (sent.body, sent.losses) == (body, ())


@pytest.mark.parametrize("options", [{"type": "web_search"}, {"google_search": {}}], ids=str)
def test_options_that_resemble_a_tool_stay_options(options: dict[str, Any]) -> None:
    body = asked(LOOK, web_search_options=options)
    sent = il.encode_request(il.decode_request(body, "openai_chat"), "openai_chat")
    assert (sent.body, sent.losses) == (body, ())


def test_a_disabled_search_is_not_translated() -> None:
    tool = {"type": "web_search", "web_search": {"enable": False}}
    assert "tools" not in il.translate_request(asked(tool), "openai_chat", "gemini").body


def test_server_tools_are_lost_for_ollama() -> None:
    sent = il.translate_request(asked({"google_search": {}}, LOOK), "openai_chat", "ollama")
    assert [tool["function"]["name"] for tool in sent.body["tools"]] == ["look"]
    assert "/tools/0" in {loss.path for loss in sent.losses}
