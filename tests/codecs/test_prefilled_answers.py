"""What is written last counts: a model that refuses to go on with an answer gets a question, whatever was left out."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CONTINUE_TEXT: Final = "Continue."
MODELS: Final = {"claude": "claude-opus-4-7", "bedrock_converse": "anthropic.claude-opus-4-7"}
BEGUN: Final[list[Any]] = [{"role": "user", "content": "Count."}, {"role": "assistant", "content": "One, two"}]
BROUGHT: Final = {"type": "function", "name": "a", "parameters": {"type": "object", "properties": {}}, "strict": False}


@pytest.mark.parametrize("target", MODELS)
@pytest.mark.parametrize("unwritten", [[], [{"role": "user", "content": ""}]])
def test_a_user_message_is_added_if_the_message_after_a_prefilled_answer_is_dropped(
    target: str, unwritten: Any
) -> None:
    body = {"model": MODELS[target], "messages": [*BEGUN, *unwritten]}
    encoded = il.translate_request(body, "openai_chat", target)
    assert [message["role"] for message in encoded.body["messages"]] == ["user", "assistant", "user"]
    assert CONTINUE_TEXT in str(encoded.body["messages"][-1])
    assert [loss.path for loss in encoded.losses if "go on" in loss.detail] == [f"/messages/{len(body['messages'])}"]
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize("target", MODELS)
def test_a_user_message_is_added_if_tool_definitions_followed_the_prefilled_answer(target: str) -> None:
    brought = {"type": "additional_tools", "role": "developer", "tools": [BROUGHT]}
    body = {"model": MODELS[target], "input": [*BEGUN, brought]}
    encoded = il.translate_request(body, "openai_responses", target)
    assert CONTINUE_TEXT in str(encoded.body["messages"][-1])
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize("target", MODELS)
def test_no_user_message_is_added_if_one_follows_already(target: str) -> None:
    body = {"model": MODELS[target], "messages": [*BEGUN, {"role": "user", "content": "Three?"}]}
    assert CONTINUE_TEXT not in str(il.translate_request(body, "openai_chat", target).body)


@pytest.mark.parametrize("target", MODELS)
def test_a_prefilled_answer_followed_by_a_user_message_is_not_trimmed(target: str) -> None:
    body = {"model": MODELS[target], "messages": [BEGUN[0], {"role": "assistant", "content": "One, "}]}
    encoded = il.translate_request(body, "openai_chat", target)
    assert encoded.body["messages"][1]["content"] in ("One, ", [{"text": "One, "}])
    assert [loss.severity for loss in encoded.losses if loss.path.startswith("/messages")] == ["filled"]
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize("target", MODELS)
@pytest.mark.parametrize("behind", [[], [""], [" \n"], [[{"type": "text", "text": ""}, {"type": "text", "text": " "}]]])
def test_trailing_whitespace_of_a_prefilled_answer_is_trimmed_if_only_blank_messages_followed(
    target: str, behind: Any
) -> None:
    begun = {"role": "assistant", "content": "One, "}
    messages = [BEGUN[0], begun, *({"role": "user", "content": content} for content in behind)]
    model = MODELS[target].replace("opus-4-7", "haiku-4-5")
    encoded = il.translate_request({"model": model, "messages": messages}, "openai_chat", target)
    assert encoded.body["messages"][-1]["role"] == "assistant"
    assert encoded.body["messages"][-1]["content"] in ("One,", [{"text": "One,"}])
    assert [loss.path for loss in encoded.losses if "white space: the" in loss.detail] == ["/messages/1/content"]
    assert il.check_request(encoded.body, target) == []


ANSWER: Final = {
    "type": "object",
    "properties": {"a": {"type": "integer"}},
    "required": ["a"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("target", "model"), [("claude", "claude-haiku-4-5"), ("bedrock_converse", "anthropic.claude-haiku-4-5")]
)
def test_claude_continues_no_answer_that_is_held_to_a_schema(target: str, model: str) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "o", "schema": ANSWER, "strict": True}}
    messages = [BEGUN[0], {"role": "assistant", "content": '{"a":'}]
    body = {"model": model, "max_tokens": 100, "messages": messages}
    plain = il.translate_request(body, "openai_chat", target).body
    assert [message["role"] for message in plain["messages"]] == ["user", "assistant"]
    held = il.translate_request({**body, "response_format": form}, "openai_chat", target)
    assert [message["role"] for message in held.body["messages"]] == ["user", "assistant", "user"]
    assert "/messages/2" in [loss.path for loss in held.losses if loss.severity == "filled"]
    assert il.check_request(held.body, target, profile=model) == []
    held.body["messages"].pop()
    assert [one.code for one in il.check_request(held.body, target, profile=model)] == ["prefill"]


def test_claude_continues_an_answer_whose_schema_is_only_asked_for_in_words() -> None:
    form = {"type": "json_schema", "json_schema": {"name": "o", "schema": {"type": "object"}}}
    body = {"model": "claude-haiku-4-5", "max_tokens": 100, "messages": BEGUN, "response_format": form}
    encoded = il.translate_request(body, "openai_chat", "claude")
    assert "output_config" not in encoded.body
    assert [message["role"] for message in encoded.body["messages"]] == ["user", "assistant"]


LOOK: Final = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
CONTINUING: Final = {"claude": "claude-sonnet-4-5", "bedrock_converse": "anthropic.claude-sonnet-4-5"}


@pytest.mark.parametrize("target", CONTINUING)
def test_a_user_message_follows_a_prefilled_answer_beside_functions_for_claude(target: str) -> None:
    body = {"model": CONTINUING[target], "messages": BEGUN}
    assert CONTINUE_TEXT not in str(il.translate_request(body, "openai_chat", target).body)
    encoded = il.translate_request({**body, "tools": [LOOK]}, "openai_chat", target)
    assert CONTINUE_TEXT in str(encoded.body["messages"].pop())
    assert [loss.path for loss in encoded.losses if "go on" in loss.detail] == ["/messages/2"]
    assert [(one.code, one.path) for one in il.check_request(encoded.body, target)] == [("prefill", "/messages/1")]


def test_other_models_behind_a_messages_endpoint_continue_a_prefilled_answer_beside_functions() -> None:
    encoded = il.translate_request({"model": "kimi-k2", "messages": BEGUN, "tools": [LOOK]}, "openai_chat", "claude")
    assert encoded.body["messages"] == BEGUN
    assert il.check_request(encoded.body, "claude") == []


SEARCH: Final = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "Oslo"}}
FOUND: Final = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}


@pytest.mark.parametrize("work", [[SEARCH], [SEARCH, FOUND]])
@pytest.mark.parametrize("model", ["claude-opus-4-6", "claude-sonnet-4-5"])
def test_a_paused_turn_of_server_tools_stays_the_last_message(work: Any, model: str) -> None:
    tools = [
        {"type": "web_search_20250305", "name": "web_search"},
        {"name": "look", "input_schema": {"type": "object"}},
    ]
    paused = {"role": "assistant", "content": [{"type": "text", "text": "Let me search."}, *work]}
    body = {"model": "claude-opus-4-8", "max_tokens": 99, "messages": [BEGUN[0], paused], "tools": tools}
    assert il.check_request(body, "claude") == []
    assert il.exchange(body, "claude", "claude", model=model, fit=True).body["messages"] == body["messages"]
