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
def test_a_question_follows_where_what_stood_behind_the_answer_is_not_written(target: str, unwritten: Any) -> None:
    body = {"model": MODELS[target], "messages": [*BEGUN, *unwritten]}
    encoded = il.translate_request(body, "openai_chat", target)
    assert [message["role"] for message in encoded.body["messages"]] == ["user", "assistant", "user"]
    assert CONTINUE_TEXT in str(encoded.body["messages"][-1])
    assert [loss.path for loss in encoded.losses if "go on" in loss.detail] == [f"/messages/{len(body['messages'])}"]
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize("target", MODELS)
def test_a_question_follows_where_tools_that_the_conversation_brings_stood_behind_the_answer(target: str) -> None:
    brought = {"type": "additional_tools", "role": "developer", "tools": [BROUGHT]}
    body = {"model": MODELS[target], "input": [*BEGUN, brought]}
    encoded = il.translate_request(body, "openai_responses", target)
    assert CONTINUE_TEXT in str(encoded.body["messages"][-1])
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize("target", MODELS)
def test_no_question_follows_one_that_is_written(target: str) -> None:
    body = {"model": MODELS[target], "messages": [*BEGUN, {"role": "user", "content": "Three?"}]}
    assert CONTINUE_TEXT not in str(il.translate_request(body, "openai_chat", target).body)


@pytest.mark.parametrize("target", MODELS)
def test_nothing_is_cut_from_an_answer_that_a_question_follows(target: str) -> None:
    body = {"model": MODELS[target], "messages": [BEGUN[0], {"role": "assistant", "content": "One, "}]}
    encoded = il.translate_request(body, "openai_chat", target)
    assert encoded.body["messages"][1]["content"] in ("One, ", [{"text": "One, "}])
    assert [loss.severity for loss in encoded.losses if loss.path.startswith("/messages")] == ["filled"]
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize("target", MODELS)
@pytest.mark.parametrize("behind", [[], [""], [" \n"], [[{"type": "text", "text": ""}, {"type": "text", "text": " "}]]])
def test_a_begun_answer_ends_with_a_word_whatever_blank_messages_stood_behind_it(target: str, behind: Any) -> None:
    begun = {"role": "assistant", "content": "One, "}
    messages = [BEGUN[0], begun, *({"role": "user", "content": content} for content in behind)]
    model = MODELS[target].replace("opus-4-7", "haiku-4-5")
    encoded = il.translate_request({"model": model, "messages": messages}, "openai_chat", target)
    assert encoded.body["messages"][-1]["role"] == "assistant"
    assert encoded.body["messages"][-1]["content"] in ("One,", [{"text": "One,"}])
    assert [loss.path for loss in encoded.losses if "white space: the" in loss.detail] == ["/messages/1/content"]
    assert il.check_request(encoded.body, target) == []
