"""What Ollama's renderers read of instructions and of several texts (docs/families.md, source Wor)."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il


def ask(model: str, *turns: tuple[str, Any]) -> tuple[list[tuple[str, str]], set[tuple[str, str]]]:
    """Return the messages for a model of Ollama as roles and texts, and the severity and place of what is told."""
    body = {"model": "gpt-4.1", "messages": [{"role": role, "content": content} for role, content in turns]}
    done = il.translate_request(body, "openai_chat", "ollama", model=model)
    messages = [(one["role"], one["content"]) for one in done.body["messages"]]
    return messages, {(loss.severity, loss.path) for loss in done.losses}


TALK: Final = (("system", "Be brief."), ("developer", "Speak English."), ("user", "Hi"), ("system", "Rhyme."))


@pytest.mark.parametrize("model", ["llama3.1:8b", "qwen3.5:2b", "anything"])
def test_leading_instructions_are_joined_into_one_message(model: str) -> None:
    messages, told = ask(model, *TALK)
    assert messages == [("system", "Be brief.\n\nSpeak English."), ("user", "Hi"), ("system", "Rhyme.")]
    assert ("changed", "/messages/0/content") in told


@pytest.mark.parametrize("model", ["qwen3-coder", "olmo-3:7b", "cogito:14b"])
def test_later_instructions_become_user_messages_where_the_renderer_ignores_them(model: str) -> None:
    messages, told = ask(model, *TALK)
    assert messages[-1] == ("user", "Rhyme.")
    assert ("changed", "/messages/3/role") in told


TEXTS: Final = [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}]
SPACED: Final = [{"type": "text", "text": "One.\n"}, {"type": "text", "text": "Two."}]


@pytest.mark.parametrize("role", ["system", "user"])
def test_several_texts_are_separated(role: str) -> None:
    messages, told = ask("llama3.1:8b", (role, TEXTS), ("user", "Hi"))
    assert messages[0] == (role, "One.\n\nTwo.")
    assert ("changed", "/messages/0/content") in told


def test_texts_separated_by_whitespace_are_joined_unchanged() -> None:
    messages, told = ask("llama3.1:8b", ("user", SPACED))
    assert messages == [("user", "One.\nTwo.")]
    assert ("changed", "/messages/0/content") not in told


def test_texts_of_an_answer_are_joined_without_a_separator() -> None:
    messages, _ = ask("llama3.1:8b", ("user", "Hi"), ("assistant", TEXTS), ("user", "So?"))
    assert messages[1] == ("assistant", "One.Two.")


def test_an_instruction_without_content_is_joined_with_the_next_one() -> None:
    messages = [{"role": "system"}, {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}]
    encoded = il.encode_request({"model": "qwen3", "messages": messages}, "ollama")
    assert [one["content"] for one in encoded.body["messages"]] == ["Be brief.", "Hello"]
    assert {loss.path: loss.severity for loss in encoded.losses if loss.path != "/stream"} == {
        "/messages/0/content": "filled",
        "/messages/1/content": "changed",
    }
    empty = [{"role": "system"}, {"role": "system", "content": []}, {"role": "user", "content": "Hello"}]
    told = {
        loss.path: loss.severity for loss in il.encode_request({"model": "qwen3", "messages": empty}, "ollama").losses
    }
    assert told["/messages/0/content"] == "filled"
