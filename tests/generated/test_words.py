"""The words of messages and answers, and the calls of an answer, on the types themselves."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

import interlingua as il

SAID: list[dict[str, Any]] = [
    {"type": "text", "text": "Look: "},
    {"type": "image", "url": "https://example.com/a.png"},
    {"type": "text", "text": ""},
    {"type": "text", "text": "a cat", "citations": []},
]
CONTENTS: list[tuple[Any, str]] = [("Hello", "Hello"), ("", ""), ([], ""), (SAID, "Look: a cat"), (SAID[1:2], "")]
MESSAGES: list[tuple[type[il.ChatMessage], dict[str, Any]]] = [
    (il.SystemChatMessage, {}),
    (il.DeveloperChatMessage, {}),
    (il.UserChatMessage, {}),
    (il.AssistantChatMessage, {"reasoning": "I think.", "refusal": "I will not."}),
    (il.ToolChatMessage, {"call_id": "call_1"}),
]


def call(name: str) -> il.ToolCall:
    return il.ToolCall(id=f"call_{name}", name=name, arguments={})


@pytest.mark.parametrize(("content", "words"), CONTENTS)
@pytest.mark.parametrize(("kind", "members"), MESSAGES)
def test_the_text_of_a_chat_message_is_its_text_parts(
    kind: type[Any], members: dict[str, Any], content: Any, words: str
) -> None:
    assert kind(content=content, **members).text == words


@pytest.mark.parametrize(("content", "words"), CONTENTS)
def test_the_text_of_a_transcript_message_is_its_text_parts(content: Any, words: str) -> None:
    data: dict[str, Any] = {"role": "user", "content": content}
    message: Any = il.TextMessage
    assert message(data=data).text == words


def test_a_message_without_text_has_empty_text() -> None:
    assert il.AssistantChatMessage(refusal="I will not.").text == ""
    assert il.AssistantChatMessage(tool_calls=(call("a"),)).text == ""
    assert il.OpaqueChatMessage(dialect="claude", data={"role": "user", "content": "Hello"}).text == ""
    assert il.TextMessage(data=il.TextData(role=il.MessageRole.ASSISTANT, refusal="I will not.")).text == ""


def test_the_text_of_an_answer_is_that_of_its_messages_separated_by_blank_lines() -> None:
    messages = (
        il.AssistantChatMessage(content="First the tides.", tool_calls=(call("tides"),)),
        il.AssistantChatMessage(reasoning="And now?", tool_calls=(call("wind"), call("rain"))),
        il.ToolChatMessage(call_id="call_rain", content="none"),
        il.OpaqueChatMessage(dialect="claude", data={}),
        il.AssistantChatMessage(content=(il.TextPart(text="Go "), il.TextPart(text="now."))),
    )
    response = il.ChatResponse(messages=messages)
    assert response.text == "First the tides.\n\nGo now."
    assert [one.name for one in response.tool_calls] == ["tides", "wind", "rain"]
    assert (il.ChatResponse(messages=()).text, il.ChatResponse(messages=()).tool_calls) == ("", ())


def test_the_text_of_an_answer_equals_that_of_its_normal_form() -> None:
    spoken = [il.AssistantChatMessage(content=words) for words in ("One.", "", "Two.", "Three.")]
    (whole,) = il.normal_form(spoken)
    assert il.ChatResponse(messages=tuple(spoken)).text == whole["content"] == "One.\n\nTwo.\n\nThree."


def test_text_and_tool_calls_are_read_only_and_not_dumped() -> None:
    message = il.UserChatMessage(content="Hello")
    response = il.ChatResponse(messages=(il.AssistantChatMessage(content="Hi", tool_calls=(call("a"),)),))
    values: list[tuple[BaseModel, str]] = [(message, "text"), (response, "text"), (response, "tool_calls")]
    for value, name in values:
        with pytest.raises(ValidationError, match="frozen") as refused:
            setattr(value, name, "hunter2")
        assert "hunter2" not in str(refused.value)
        assert name not in value.model_dump()
        assert name not in repr(value)
    with pytest.raises(ValueError, match="text"):
        il.UserChatMessage.model_validate({"role": "user", "content": "Hello", "text": "Hello"})
