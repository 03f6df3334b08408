"""Rooms that speak Chat Completions, and Ollama: what is said where other tests do not look."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.registry import room

QUESTION: Final = {"role": "user", "content": "Why is the sky blue?"}
SCHEMA: Final = {"type": "object", "properties": {}}
FUNCTION: Final = {"type": "function", "name": "look", "parameters": SCHEMA}


def sent(target: str, *messages: dict[str, Any], **members: Any) -> tuple[dict[str, Any], set[tuple[str, str, str]]]:
    """Return the body of a request that was made by hand, and its losses."""
    said = list(messages) or [QUESTION]
    encoded = il.encode_request({"model": "m", "messages": said, **members}, target)  # pyright: ignore[reportArgumentType]
    return encoded.body, {(loss.severity, loss.code, loss.path) for loss in encoded.losses}


def back(body: dict[str, Any], dialect: str = "openai_chat") -> dict[str, Any]:
    """Return the body that a body of a dialect comes back as."""
    encoded = il.encode_request(il.decode_request(body, dialect), dialect)
    assert encoded.losses == ()
    return encoded.body


def asked(**members: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [QUESTION], **members}


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"service_tier": "slow"}, "/service_tier"),
        ({"verbosity": "chatty"}, "/verbosity"),
        ({"metadata": {"a": 1}}, "/metadata/a"),
        ({"logit_bias": {"50256": 0.5}}, "/logit_bias/50256"),
    ],
)
def test_values_that_openai_refuses_are_lost(members: dict[str, Any], path: str) -> None:
    body, losses = sent("openai_chat", store=True, **members)
    assert losses == {("lost", "setting", path)}
    assert not [value for value in (body.get(name) for name in members) if value]


def test_a_grammar_with_an_unknown_syntax_is_lost() -> None:
    tool = {"type": "custom", "name": "say", "grammar": {"syntax": "ebnf", "definition": "a"}}
    body, losses = sent("openai_chat", tools=[tool])
    assert body["tools"] == [{"type": "custom", "custom": {"name": "say"}}]
    assert losses == {("lost", "tool", "/tools/0/grammar")}


def test_a_choice_of_a_custom_tool_becomes_a_function_choice_for_vllm() -> None:
    choice = {"mode": "named", "name": "look", "kind": "custom"}
    body, losses = sent("vllm", tools=[FUNCTION], tool_choice=choice)
    assert body["tool_choice"] == {"type": "function", "function": {"name": "look"}}
    assert losses == {("changed", "setting", "/tool_choice/kind")}


@pytest.mark.parametrize("limit", [0, -1])
def test_a_token_limit_below_1_means_no_limit_for_ollama(limit: int) -> None:
    body, losses = sent("ollama", max_tokens=limit, stream=False)
    assert "options" not in body
    assert losses == {("lost", "setting", "/max_tokens")}


def test_deprecated_functions_beside_tools_round_trip() -> None:
    tool = {"type": "function", "function": {"name": "look"}}
    body = asked(tools=[tool], functions=[{"name": "see"}], function_call={"name": "see"}, tool_choice="auto")
    assert back(body) == body


def test_a_deprecated_function_choice_is_read() -> None:
    body = asked(functions=[{"name": "see"}], function_call={"name": "see"})
    assert il.decode_request(body, "openai_chat").model_dump(mode="json")["tool_choice"] == {
        "mode": "named", "name": "see"
    }  # fmt: skip
    assert back(body) == body


@pytest.mark.parametrize("said", ["https://example.com/sky.png", "data:image/png;base64,iVBORw0KGgo="])
def test_an_image_given_as_a_url_string_round_trips(said: str) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": said}]}]}
    assert back(body) == body


@pytest.mark.parametrize("image", [{"url": "https://example.com/sky.png", "detail": 1, "format": "png", "type": "x"}])
def test_unknown_members_of_an_image_url_round_trip(image: dict[str, Any]) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": image}]}]}
    assert back(body) == body


@pytest.mark.parametrize("file", ["report.pdf", {"filename": "report.pdf"}])
def test_a_malformed_file_part_round_trips(file: Any) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": [{"type": "file", "file": file}]}]}
    assert back(body) == body


def test_an_allowed_tools_choice_of_undefined_tools_is_unchanged() -> None:
    custom = {"type": "custom", "custom": {"name": "say"}}
    allowed = [{"type": "function", "function": {"name": "say"}}]
    choice = {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": allowed}}
    body = asked(tools=[custom], tool_choice=choice)
    assert il.decode_request(body, "openai_chat").tool_choice is None
    assert back(body) == body


def test_texts_of_a_turn_are_joined_as_parts_if_one_has_a_cache_mark() -> None:
    marked = {"role": "assistant", "content": [{"type": "text", "text": "One.", "cache": {}}]}
    body, losses = sent("openai_chat", QUESTION, marked, {"role": "assistant", "content": "Two."}, QUESTION)
    mark = {"prompt_cache_breakpoint": {"mode": "explicit"}}
    assert body["messages"][1]["content"] == [
        {"type": "text", "text": "One.", **mark},
        {"type": "text", "text": "Two."},
    ]
    assert losses == {("changed", "content", "/messages/2/content")}


def test_a_call_id_that_arrives_after_the_name_is_used() -> None:
    def chunk(**said: Any) -> dict[str, Any]:
        delta = {"tool_calls": [said]}
        return {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [
            {"index": 0, "delta": delta, "finish_reason": None}
        ]}  # fmt: skip

    frames = [
        chunk(index=0, function={"name": "look"}),
        chunk(index=0, id="call_1", function={"name": "look", "arguments": "{}"}),
    ]
    message = room("openai_chat").assemble_stream(frames)["choices"][0]["message"]
    assert [call["id"] for call in message["tool_calls"]] == ["call_1"]
    assert [call["function"] for call in message["tool_calls"]] == [{"name": "look", "arguments": "{}"}]


@pytest.mark.parametrize("target", sorted({*il.dialects()} - {"openai_chat"}))
def test_audio_of_the_assistant_is_translated_as_its_transcript(target: str) -> None:
    spoken = {"id": "audio_1", "data": "UklG", "expires_at": 5, "transcript": "It rains."}
    asked = {"role": "user", "content": "Weather?"}
    dumped = {"role": "assistant", "content": None, "refusal": None, "audio": spoken, "tool_calls": None}
    body = {"model": "gpt-audio", "messages": [asked, dumped, asked]}
    done = il.translate_request(body, "openai_chat", target, model="m", strict=True)
    there = il.decode_request(done.body, target).messages
    assert [(one.role, one.text) for one in there] == [
        ("user", "Weather?"), ("assistant", "It rains."), ("user", "Weather?")
    ]  # fmt: skip
    assert ("part", "/messages/1/content/0", "changed") in {(one.code, one.path, one.severity) for one in done.losses}
    assert il.translate_request(body, "openai_chat", "openai_chat").body == body
