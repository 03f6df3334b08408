"""Calls that a request forbids: Claude's own setting behind Bedrock, words for the other models there."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

DIALECT: Final = "bedrock_converse"
CLAUDE: Final = "anthropic.claude-sonnet-4-6"
NOVA: Final = "amazon.nova-pro-v1:0"
QUESTION: Final = {"role": "user", "content": "How warm is it?"}
TOOL: Final = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
CALL: Final = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CALLED: Final[list[Any]] = [
    QUESTION,
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call_1", "content": "Warm."},
]
NO_CALL: Final = {"tool_choice": {"type": "none"}}


def sent(model: str, messages: list[Any], **members: Any) -> il.Encoded:
    body = {"model": "gpt-5", "max_completion_tokens": 100, "messages": messages, **members}
    return il.translate_request(body, "openai_chat", DIALECT, model=model)


def paths(encoded: il.Encoded) -> set[str]:
    return {loss.path for loss in encoded.losses}


@pytest.mark.parametrize("messages", [[QUESTION], CALLED], ids=["at first", "after a call"])
def test_claude_is_told_that_no_tool_may_be_called(messages: list[Any]) -> None:
    encoded = sent(CLAUDE, messages, tools=[TOOL], tool_choice="none", parallel_tool_calls=False)
    assert encoded.body["additionalModelRequestFields"] == NO_CALL
    assert encoded.body["toolConfig"].keys() == {"tools"}
    assert encoded.losses == ()
    assert il.check_request(encoded.body, DIALECT) == []
    again = il.translate_request(encoded.body, DIALECT, "openai_chat").body
    assert again["tool_choice"] == "none"


def test_claude_may_not_call_tools_that_only_earlier_calls_name() -> None:
    encoded = sent(CLAUDE, CALLED)
    assert encoded.body["additionalModelRequestFields"] == NO_CALL
    assert paths(encoded) == {"/tools", "/tool_choice"}


def test_other_models_are_asked_in_words_where_the_tools_of_earlier_calls_are_sent() -> None:
    encoded = sent(NOVA, CALLED, tools=[TOOL], tool_choice="none")
    assert encoded.body["system"] == [{"text": "Answer without a call of a tool."}]
    assert paths(encoded) == {"/tool_choice/mode"}
    first = sent(NOVA, [QUESTION], tools=[TOOL], tool_choice="none")
    assert not {"system", "toolConfig"} & first.body.keys()


@pytest.mark.parametrize("choice", [None, {"auto": {}}])
def test_a_body_that_forbids_calls_comes_back(choice: Any) -> None:
    tools = {"tools": [{"toolSpec": {"name": "look", "inputSchema": {"json": {"type": "object"}}}}]}
    body = {
        "messages": [{"role": "user", "content": [{"text": "Hello"}]}],
        "toolConfig": tools if choice is None else {**tools, "toolChoice": choice},
        "additionalModelRequestFields": {**NO_CALL, "top_k": 3},
    }
    request = il.decode_request(body, DIALECT)
    assert request.tool_choice is not None
    assert request.tool_choice.mode == ("none" if choice is None else "auto")
    assert il.encode_request(request, DIALECT).body == body
