"""Cache marks of tool results: on the result in Claude, on its last part in OpenAI's dialects."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

import pytest

import interlingua as il

OpenAI: TypeAlias = Literal["openai_chat", "openai_responses"]
TARGETS: Final[tuple[OpenAI, ...]] = ("openai_chat", "openai_responses")
BREAKPOINT: Final = {"mode": "explicit"}
PICTURE: Final = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}


def of_claude(content: Any, **members: Any) -> dict[str, Any]:
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": content, **members}
    call = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}
    messages = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]
    return {"model": "claude-opus-5", "max_tokens": 99, "messages": messages}


def parts_of(body: dict[str, Any]) -> Any:
    return body["messages"][2]["content"] if "messages" in body else body["input"][2]["output"]


def text(said: str, **members: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **members}


@pytest.mark.parametrize("content", ["A tree.", [text("Leaves."), text("A tree.")]])
@pytest.mark.parametrize("target", TARGETS)
def test_the_mark_of_a_result_stands_on_its_last_part(target: OpenAI, content: Any) -> None:
    body = of_claude(content, cache_control={"type": "ephemeral"})
    encoded = il.translate_request(body, "claude", target, model="gpt-5.6")
    *others, last = parts_of(encoded.body)
    assert (last["text"], last["prompt_cache_breakpoint"]) == ("A tree.", BREAKPOINT)
    assert not any("prompt_cache_breakpoint" in part for part in others)
    assert [(loss.path, loss.severity) for loss in encoded.losses if loss.code == "cache"] == [
        ("/messages/2/cache", "changed")
    ]
    assert il.check_request(encoded.body, target) == []
    back = il.translate_request(encoded.body, target, "claude", model="claude-opus-5").body
    assert back["messages"][2]["content"][0]["content"][-1] == text("A tree.", cache_control={"type": "ephemeral"})


@pytest.mark.parametrize("target", TARGETS)
def test_a_lifetime_of_claude_is_lost(target: OpenAI) -> None:
    body = of_claude("A tree.", cache_control={"type": "ephemeral", "ttl": "1h"})
    encoded = il.translate_request(body, "claude", target, model="gpt-5.6")
    assert parts_of(encoded.body)[0]["prompt_cache_breakpoint"] == BREAKPOINT
    assert ("/messages/2/cache/ttl", "lost") in [(loss.path, loss.severity) for loss in encoded.losses]


def test_a_picture_is_marked_where_a_result_may_hold_one() -> None:
    body = of_claude([text("A tree."), PICTURE], cache_control={"type": "ephemeral"})
    sent = il.translate_request(body, "claude", "openai_responses", model="gpt-5.6").body
    assert ["prompt_cache_breakpoint" in part for part in parts_of(sent)] == [False, True]
    sent = il.translate_request(body, "claude", "openai_chat", model="gpt-5.6").body
    assert parts_of(sent) == [text("A tree.", prompt_cache_breakpoint=BREAKPOINT)]


@pytest.mark.parametrize("content", ["", [], [text("")]])
@pytest.mark.parametrize("target", TARGETS)
def test_the_mark_of_a_result_that_says_nothing_is_lost(target: OpenAI, content: Any) -> None:
    body = of_claude(content, cache_control={"type": "ephemeral"})
    encoded = il.translate_request(body, "claude", target, model="gpt-5.6")
    assert "prompt_cache_breakpoint" not in str(encoded.body)
    assert [(loss.path, loss.severity) for loss in encoded.losses if loss.code == "cache"] == [
        ("/messages/2/cache", "lost")
    ]


@pytest.mark.parametrize("target", TARGETS)
def test_a_mark_that_stands_on_the_last_part_already_stays(target: OpenAI) -> None:
    marked = text("A tree.", cache_control={"type": "ephemeral"})
    body = of_claude([marked], cache_control={"type": "ephemeral"})
    [part] = parts_of(il.translate_request(body, "claude", target, model="gpt-5.6").body)
    assert part["prompt_cache_breakpoint"] == BREAKPOINT


@pytest.mark.parametrize("model", ["gpt-5.1", "openai/gpt-oss-120b"])
def test_models_without_marks_get_none(model: str) -> None:
    body = of_claude("A tree.", cache_control={"type": "ephemeral"})
    for target in TARGETS:
        encoded = il.translate_request(body, "claude", target, model=model)
        assert parts_of(encoded.body) == "A tree."
        assert ("/messages/2/cache", "lost") in [(loss.path, loss.severity) for loss in encoded.losses]


def test_openais_dialects_have_the_same_marks_of_results() -> None:
    result = {"type": "input_text", "text": "A tree.", "prompt_cache_breakpoint": {**BREAKPOINT, "ttl": "12h"}}
    call = {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "call_1", "output": [result]}
    body = {"model": "gpt-5.6", "input": [{"role": "user", "content": "Look."}, call, output], "store": False}
    encoded = il.translate_request(body, "openai_responses", "openai_chat")
    assert parts_of(encoded.body) == [{**result, "type": "text"}]
    assert parts_of(il.translate_request(encoded.body, "openai_chat", "openai_responses").body) == [result]
