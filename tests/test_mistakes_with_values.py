"""What callers hand over by mistake: errors that name the place and say what to do, and nothing that is passed over."""

from __future__ import annotations

import json
from contextlib import suppress
from copy import deepcopy
from decimal import Decimal
from email.message import Message
from enum import StrEnum
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FRAMES: Final[dict[str, dict[str, Any]]] = {
    "ollama": {"model": "m", "message": {"role": "assistant", "content": "Hello"}, "done": False},
    "openai_chat": {"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": None}]},
    "claude": {"type": "message_start", "message": {"type": "message", "role": "assistant", "content": []}},
    "gemini": {"candidates": [{"content": {"role": "model", "parts": [{"text": "Hello"}]}}]},
}


@pytest.mark.parametrize("dialect", FRAMES)
def test_the_text_of_a_frame_is_refused(dialect: il.Dialect) -> None:
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
def test_an_error_path_refers_to_the_given_value(request_: dict[str, Any], path: str) -> None:
    with pytest.raises(il.EncodeError) as caught:
        il.encode_request(request_, "claude")
    assert caught.value.path == path


def test_an_invalid_part_is_named_when_a_message_is_created() -> None:
    parts: Any = [{"type": "text", "text": "a"}, {"type": "text", "txt": "b"}]
    with pytest.raises(InvalidArgumentError, match=r"^content\.1\.text: "):
        il.chat.create_user(parts)


def test_an_error_body_may_be_bytes() -> None:
    message = "prompt is too long: 210000 tokens > 200000 maximum"
    text = json.dumps({"type": "error", "error": {"type": "invalid_request_error", "message": message}})
    found = il.decode_error(text.encode(), "claude", status=400)
    assert found == il.decode_error(text, "claude", status=400)
    assert (found.category, found.limit_tokens) == ("context_overflow", 200000)


def test_headers_given_as_pairs_are_refused_with_advice() -> None:
    headers: Any = [("retry-after", "3")]
    with pytest.raises(InvalidArgumentError, match="headers must be a mapping"):
        il.decode_error({"error": {"message": "x"}}, "openai_chat", status=429, headers=headers)


@pytest.mark.parametrize(
    "mistake", [lambda: (100, None), lambda: (100, len), lambda: ("100", il.context.HeuristicCounter())]
)
def test_a_missing_selection_argument_is_reported(mistake: Callable[[], tuple[Any, Any]]) -> None:
    budget, counter = mistake()
    with pytest.raises(InvalidArgumentError, match=r"(budget must be|counter must count)"):
        il.context.select([il.messages.user("x")], budget, counter)


@pytest.mark.parametrize("name", ["Ada Lovelace", "a/b", "x" * 80])
def test_a_speaker_name_that_openai_refuses_is_made_valid(name: str) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi", "name": name}]}
    encoded = il.translate_request(body, "vllm", "openai_chat", model="gpt-4.1-mini")
    assert il.check_request(encoded.body, "openai_chat") == []
    assert encoded.body["messages"][0]["name"]
    assert [(loss.severity, loss.path) for loss in encoded.losses] == [("changed", "/messages/0/name")]
    assert il.translate_request(body, "openai_chat", "openai_chat").body == body


def test_standard_library_headers_and_fractional_budgets_are_accepted() -> None:
    headers: Any = Message()
    headers["Retry-After"] = "3"
    found = il.decode_error({"error": {"message": "x"}}, "openai_chat", status=429, headers=headers)
    assert found.retry_after == 3
    budget: Any = 0.75 * 8000
    chosen = il.context.select([il.messages.user("x")], budget, il.context.HeuristicCounter())
    assert len(chosen.messages) == 1


CALLED: Final[dict[str, Any]] = {
    "contents": [{"role": "model", "parts": [{"functionCall": {"name": "w", "args": {}}}]}]
}


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"a": {1, 2}}, "/a"),
        ({"a": [b"x"]}, "/a/0"),
        ({"a": object()}, "/a"),
        ({"a": MappingProxyType({"b": 1})}, "/a"),
        ({(1, 2): 3}, ""),
        ({"a": {1: "x", "1": "y"}}, "/a"),
    ],
)
def test_a_value_that_json_cannot_represent_is_refused_when_written(value: Any, place: str) -> None:
    body = deepcopy(CALLED)
    body["contents"][0]["parts"][0]["functionCall"]["args"] = value
    for target in ("openai_chat", "openai_responses"):
        with pytest.raises(il.EncodeError) as caught:
            il.translate_request(body, "gemini", il.dialect(target))
        assert caught.value.path == f"/messages/0/tool_calls/0/arguments{place}"
    assert il.translate_request(body, "gemini", "gemini").body == body
    assert [one.code for one in il.check_request(body, "gemini") if one.path.endswith(f"/args{place}")] == ["json"]


def test_a_non_text_member_name_becomes_text_as_in_json() -> None:
    body = deepcopy(CALLED)
    body["contents"][0]["parts"][0]["functionCall"]["args"] = {"by_year": {2025: 1, 2026: 2}}
    call = il.translate_request(body, "gemini", "openai_chat").body["messages"][0]["tool_calls"][0]
    assert json.loads(call["function"]["arguments"]) == {"by_year": {"2025": 1, "2026": 2}}


@pytest.mark.parametrize("odd", [{1: "a", "1": "b"}, {None: 1}, {(1, 2): 3}, {1, 2}, b"x", object(), Decimal("1.5")])
@pytest.mark.parametrize("dialect", il.dialects())
def test_no_value_at_any_place_of_a_request_raises_an_undocumented_error(dialect: il.Dialect, odd: Any) -> None:
    body = il.translate_request(WHOLE, "openai_chat", dialect).body
    for path in places(body):
        given = replaced(body, path, odd)
        for target in il.dialects():
            with suppress(il.InterlinguaError):
                il.translate_request(given, dialect, target)
        assert "json" in {one.code for one in il.check_request(given, dialect)} if path else True


def test_call_objects_of_other_packages_are_refused_with_advice() -> None:
    calls: Any = [SimpleNamespace(id="c", type="function", to_dict=dict)]
    for given, path in ((calls, "/messages/0/tool_calls/0"), (iter(calls), "/messages/0/tool_calls")):
        body = {"model": "m", "messages": [{"role": "assistant", "content": None, "tool_calls": given}]}
        with pytest.raises(il.DecodeError, match=r"give (what its to_dict\(\) returns|list\(\.\.\.\) of it)") as caught:
            il.translate_request(body, "openai_chat", "claude")
        assert caught.value.path == path


class Speaker(StrEnum):
    USER = "user"


@pytest.mark.parametrize(
    ("messages", "advice"),
    [
        (({"role": "user", "content": "Hi"},), r"a tuple: give list\(\.\.\.\) of it"),
        ([{"role": Speaker.USER, "content": "Hi"}], "a Speaker: give plain text, such as its value"),
        (
            [{"role": "user", "content": b"Hi"}],
            r"these are bytes, which JSON has no type for: encode them with base64\.b64encode",
        ),
    ],
)
def test_a_value_of_a_similar_type_is_refused_with_the_right_one(messages: Any, advice: str) -> None:
    with pytest.raises(il.DecodeError, match=advice):
        il.decode_request({"model": "m", "messages": messages}, "openai_chat")


def test_an_exception_object_of_a_client_is_refused_with_the_location_of_its_body() -> None:
    for name in ("body", "details", "response"):
        with pytest.raises(il.DecodeError, match=f"give its {name}"):
            il.decode_error(SimpleNamespace(**{name: {"error": {"message": "x"}}}), "openai_chat")


WHOLE: Final[dict[str, Any]] = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "How warm is it?"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": {"name": "w", "arguments": '{"a":1}'}}],
        },
        {"role": "tool", "tool_call_id": "c", "content": "31"},
    ],
    "tools": [
        {"type": "function", "function": {"name": "w", "parameters": {"type": "object", "properties": {"a": {}}}}}
    ],
    "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}}},
    "metadata": {"a": "b"},
    "stop": ["x"],
    "max_tokens": 5,
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    for step, member in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from places(member, (*path, step))


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return {"x_odd": new}
    copied = value.copy()
    copied[path[0]] = replaced(value[path[0]], path[1:], new) if path[1:] else new
    return copied


def test_a_setting_that_only_the_target_reads_may_have_any_value() -> None:
    extra = {"openai_responses": {"fields": {"top_p": [1]}}}
    request = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "temperature": 3.5, "extra": extra}
    encoded = il.encode_request(request, "openai_responses")
    assert encoded.body["top_p"] == [1]
    assert [loss.path for loss in encoded.losses] == ["/temperature"]


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize("calls", [{1, 2}, (1,)])
def test_stream_calls_that_are_not_a_list_raise_when_collected(dialect: il.Dialect, calls: Any) -> None:
    frame = {"choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": calls}, "finish_reason": "stop"}]}
    with pytest.raises(il.DecodeError) as caught:
        il.collect(il.decode_stream([frame, "[DONE]"], dialect))
    assert caught.value.dialect == dialect
