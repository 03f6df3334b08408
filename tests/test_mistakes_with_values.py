"""What callers hand over by mistake: errors that name the place and say what to do, and nothing that is passed over."""

from __future__ import annotations

import json
from email.message import Message
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

FRAMES: Final[dict[str, dict[str, Any]]] = {
    "ollama": {"model": "m", "message": {"role": "assistant", "content": "Hello"}, "done": False},
    "openai_chat": {"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": None}]},
    "claude": {"type": "message_start", "message": {"type": "message", "role": "assistant", "content": []}},
    "gemini": {"candidates": [{"content": {"role": "model", "parts": [{"text": "Hello"}]}}]},
}


@pytest.mark.parametrize("dialect", FRAMES)
def test_the_text_of_a_frame_is_refused_and_not_passed_over(dialect: il.Dialect) -> None:
    line = json.dumps(FRAMES[dialect])
    for read in (
        lambda: [*il.decode_stream([line], dialect)],
        lambda: [*il.translate_stream([line], dialect, "openai_responses")],
        lambda: il.StreamDecoder(dialect).feed(line),
    ):
        with pytest.raises(il.DecodeError, match="parse it as JSON"):
            read()
    assert [*il.decode_stream(["{half", "[DONE]"], dialect)]  # a word that nobody knows stays one


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        ({"messages": [{"role": "user", "content": "x", "foo": 1}]}, "/messages/0/foo"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "txt": "a"}]}]}, "/messages/0/content/0/text"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "/messages/0/content/0"),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{"id": "a", "name": "x"}]}]},
            "/messages/0/tool_calls/0/arguments",
        ),
        ({"messages": [], "tools": [{"type": "function", "name": "x", "paramters": {}}]}, "/tools/0/paramters"),
        ({"messages": [{"role": "user", "content": 5}]}, "/messages/0/content"),
    ],
)
def test_an_error_names_the_place_in_what_was_given(request_: dict[str, Any], path: str) -> None:
    with pytest.raises(il.EncodeError) as caught:
        il.encode_request(request_, "claude")
    assert caught.value.path == path


def test_a_part_that_is_wrong_is_named_where_a_message_is_made() -> None:
    parts: Any = [{"type": "text", "text": "a"}, {"type": "text", "txt": "b"}]
    with pytest.raises(InvalidArgumentError, match=r"^content\.1\.text: "):
        il.chat.create_user(parts)


def test_an_error_may_come_as_bytes() -> None:
    message = "prompt is too long: 210000 tokens > 200000 maximum"
    text = json.dumps({"type": "error", "error": {"type": "invalid_request_error", "message": message}})
    found = il.decode_error(text.encode(), "claude", status=400)
    assert found == il.decode_error(text, "claude", status=400)
    assert (found.category, found.limit_tokens) == ("context_overflow", 200000)


def test_headers_that_are_pairs_are_refused_in_words() -> None:
    headers: Any = [("retry-after", "3")]
    with pytest.raises(InvalidArgumentError, match="headers must be a mapping"):
        il.decode_error({"error": {"message": "x"}}, "openai_chat", status=429, headers=headers)


@pytest.mark.parametrize(
    "mistake", [lambda: (100, None), lambda: (100, len), lambda: ("100", il.context.HeuristicCounter())]
)
def test_a_selection_says_what_it_needs(mistake: Callable[[], tuple[Any, Any]]) -> None:
    budget, counter = mistake()
    with pytest.raises(InvalidArgumentError, match=r"(budget must be|counter must count)"):
        il.context.select([il.messages.user("x")], budget, counter)


@pytest.mark.parametrize("name", ["Ada Lovelace", "a/b", "x" * 80])
def test_the_name_of_a_speaker_that_openai_refuses_is_made_acceptable(name: str) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi", "name": name}]}
    encoded = il.translate_request(body, "vllm", "openai_chat", model="gpt-4.1-mini")
    assert il.check_request(encoded.body, "openai_chat") == []
    assert encoded.body["messages"][0]["name"]
    assert [(loss.severity, loss.path) for loss in encoded.losses] == [("changed", "/messages/0/name")]
    assert il.translate_request(body, "openai_chat", "openai_chat").body == body


def test_headers_of_the_standard_library_are_read_and_a_budget_may_be_a_fraction() -> None:
    headers: Any = Message()
    headers["Retry-After"] = "3"
    found = il.decode_error({"error": {"message": "x"}}, "openai_chat", status=429, headers=headers)
    assert found.retry_after == 3
    budget: Any = 0.75 * 8000
    chosen = il.context.select([il.messages.user("x")], budget, il.context.HeuristicCounter())
    assert len(chosen.messages) == 1
