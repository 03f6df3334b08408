"""What users suffered from where values are checked and errors told (docs/pain.md), each entry by its id."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.chat import repair_plain_request
from interlingua.model import TextData, TextMessage
from interlingua_types import CURRENT
from support.bodies import DIALECTS
from support.pages import write_modules

HALF: Final = "\ud83d"
NO_NUMBERS: Final = [float("nan"), float("inf"), float("-inf")]


def history(text: str) -> dict[str, Any]:
    """Return a request in which the user, an answer, a call and its result say a text."""
    call = {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": json.dumps({"path": "a"})}}
    return {
        "model": "m",
        "max_tokens": 10,
        "messages": [
            {"role": "user", "content": text},
            {"role": "assistant", "content": text, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_1", "content": text},
        ],
    }


@pytest.mark.parametrize("dialect", DIALECTS)
def test_val_1_a_lone_surrogate_is_reported_with_its_path_and_repaired(dialect: str) -> None:
    poisoned = il.decode_request(history(f"before {HALF} after"), "openai_chat")
    found = [one for one in il.check_request(il.encode_request(poisoned, dialect).body, dialect) if one.code == "json"]
    assert len(found) == 3
    repaired = il.repair_request(poisoned, dialect)
    halves = [repair for repair in repaired.repairs if repair.code == "half_character"]
    assert [(one.path, one.action) for one in halves] == [(f"/messages/{at}/content", "changed") for at in range(3)]
    body = il.encode_request(repaired.request, dialect).body
    assert "before \ufffd after" in json.dumps(body, ensure_ascii=False).encode().decode()
    assert [one for one in il.check_request(body, dialect) if one.code == "json"] == []
    assert il.repair_request(repaired.request, dialect).repairs == ()


def test_val_1_a_surrogate_pair_and_every_other_character_are_unchanged() -> None:
    request = il.decode_request(history("\U0001f600 \ufffd \u2028 \x00"), "openai_chat")
    assert il.repair_request(request, "openai_chat").repairs == ()
    assert il.check_request(history("\U0001f600 \ufffd \u2028 \x00"), "openai_chat") == []


def test_val_1_names_that_would_become_equal_stay_different() -> None:
    names = ["a\ud83d", "a\ude00", "a\ufffd", "a\ud800", "b"]
    call = {"id": "call_1", "name": "read", "arguments": {name: name for name in names}}
    messages = [
        {"role": "user", "content": "Read"},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "call_id": "call_1", "content": "done"},
    ]
    mended, repairs = repair_plain_request({"messages": messages}, "claude")
    arguments = mended["messages"][1]["tool_calls"][0]["arguments"]
    assert list(arguments) == ["a\ufffd_2", "a\ufffd_3", "a\ufffd", "a\ufffd_4", "b"]
    assert list(arguments.values()) == ["a\ufffd"] * 4 + ["b"]
    assert {repair.code for repair in repairs} == {"half_character"}


def test_val_1_a_lone_surrogate_cannot_be_stored_and_raises_an_error() -> None:
    message = TextMessage(schema_version=CURRENT, type="text", data=TextData(role=il.MessageRole.USER, content=HALF))
    with pytest.raises(il.EncodeError):
        il.dump_message_json(message)


@pytest.mark.parametrize("number", NO_NUMBERS)
def test_val_2_a_number_that_json_cannot_represent_is_never_written(number: float) -> None:
    message = TextMessage(
        schema_version=CURRENT,
        type="text",
        data=TextData(role=il.MessageRole.USER, content="x"),
        metadata={"a": [number], "b": None},
    )
    for dump in (il.dump_message_json, il.dump_message):
        with pytest.raises(il.EncodeError) as caught:
            dump(message)
        assert caught.value.path == "/metadata/a/0"
    with pytest.raises(il.InvalidArgumentError, match="at /metadata/a/0"):
        il.Transcript([message])
    body = history("x") | {"temperature": number}
    assert ("json", "/temperature") in [(one.code, one.path) for one in il.check_request(body, "openai_chat")]
    with pytest.raises(il.DecodeError):
        il.decode_request(body, "openai_chat")
    with pytest.raises(ValueError, match="JSON"):
        il.ToolCall.create("read", {"limit": [number]})


@pytest.mark.parametrize("number", NO_NUMBERS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_val_2_a_number_that_json_cannot_represent_never_becomes_null(number: float, dialect: str) -> None:
    call = {"id": "call_1", "name": "read", "arguments": {"limit": [number]}}
    tool = {"type": "function", "name": "read", "description": "", "parameters": {"default": number}}
    asked: list[dict[str, Any]] = [
        {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": [call]}]},
        {"messages": [{"role": "user", "content": "x"}], "tools": [tool]},
    ]
    for request in asked:
        try:
            body = il.encode_request({"model": "m", "max_tokens": 10, **request}, dialect).body
        except il.EncodeError:
            continue
        assert "json" in [one.code for one in il.check_request(body, dialect)]


def test_val_2_an_explicit_null_is_written() -> None:
    message = TextMessage(
        schema_version=CURRENT,
        type="text",
        data=TextData(role=il.MessageRole.USER, content="x"),
        metadata={"b": None, "c": [1.5, None]},
    )
    assert il.load_message(il.dump_message_json(message)) == (message,)
    assert il.load_message(il.dump_message(message)) == (message,)


def test_val_4_no_translation_causes_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for source in DIALECTS:
            body = il.translate_request(history("x"), "openai_chat", source).body
            request = il.decode_request(body, source)
            again = il.ChatRequest.model_validate_json(request.model_dump_json())
            assert again == request
            for target in DIALECTS:
                assert il.encode_request(again, target).body


@pytest.mark.parametrize(
    ("dialect", "usage", "expected"),
    [
        (
            "claude",
            {"input_tokens": 10, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 5, "output_tokens": 7},
            {"input_tokens": 45, "cache_read_tokens": 30, "cache_write_tokens": 5, "output_tokens": 7},
        ),
        (
            "openai_chat",
            {
                "prompt_tokens": 45,
                "completion_tokens": 7,
                "total_tokens": 52,
                "prompt_tokens_details": {"cached_tokens": 30},
                "completion_tokens_details": {"reasoning_tokens": 4},
            },
            {"input_tokens": 45, "cache_read_tokens": 30, "output_tokens": 7, "reasoning_tokens": 4},
        ),
        (
            "gemini",
            {
                "promptTokenCount": 45,
                "cachedContentTokenCount": 30,
                "candidatesTokenCount": 3,
                "thoughtsTokenCount": 4,
                "totalTokenCount": 52,
            },
            {"input_tokens": 45, "cache_read_tokens": 30, "output_tokens": 7, "reasoning_tokens": 4},
        ),
    ],
)
def test_val_6_input_includes_cached_and_output_includes_reasoning_tokens(
    dialect: str, usage: dict[str, Any], expected: dict[str, int]
) -> None:
    bodies: dict[str, dict[str, Any]] = {
        "claude": {
            "id": "m1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
            "stop_sequence": None, "content": [{"type": "text", "text": "x"}], "usage": usage,
        },
        "openai_chat": {
            "id": "c1", "object": "chat.completion", "created": 1, "model": "m", "usage": usage,
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "x"}}],
        },
        "gemini": {
            "candidates": [{"content": {"role": "model", "parts": [{"text": "x"}]}, "finishReason": "STOP"}],
            "usageMetadata": usage,
        },
    }  # fmt: skip
    response = il.decode_response(bodies[dialect], dialect)
    assert response.usage is not None
    found = response.usage.model_dump()
    assert {name: found[name] for name in expected} == expected
    assert found["input_tokens"] >= found.get("cache_read_tokens", 0) + found.get("cache_write_tokens", 0)
    assert found.get("total_tokens", 52) == found["input_tokens"] + found["output_tokens"]
    assert il.encode_response(response, dialect).body == bodies[dialect]


@pytest.mark.one_python
def test_val_7_the_examples_of_the_documentation_need_no_cast_and_no_ignore(tmp_path: Path) -> None:
    # `nox -s typing` asks pyright as well, which needs Node.js (tools/check_snippets.py).
    modules = write_modules(tmp_path)
    code = "".join(module.read_text(encoding="utf-8") for module in modules)
    assert [word for word in ("cast(", "type: ignore", "pyright:") if word in code] == []
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-incremental", *map(str, modules)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout[-3000:]) == (0, f"Success: no issues found in {len(modules)} source files\n")


@pytest.mark.parametrize("character", ["\x1b", "\x07", "\x9b", "\u202e", "\u200b", "\x00", "\r"])
def test_val_8_no_printed_text_contains_control_characters(character: str) -> None:
    text = f"a{character}]0;owned{character}b"
    message = TextMessage(
        schema_version=CURRENT, type="text", id=text, data=TextData(role=il.MessageRole.USER, content=text)
    )
    call = il.ToolCall(id=text, name=text, arguments={text: text})
    request = il.ChatRequest(model=text, messages=(il.AssistantChatMessage(role="assistant", tool_calls=(call,)),))
    encoded = il.encode_request(request, "claude")
    shown = [repr(message), str(message), repr(request), repr(call), repr(encoded), repr(encoded.losses)]
    with pytest.raises(il.DecodeError) as refused:
        il.decode_request({"model": text, "messages": [{"role": "user", "content": [5]}]}, "openai_chat")
    shown += [str(refused.value), repr(refused.value)]
    assert [one for one in shown if character in one] == []
    assert message.data.content == text
