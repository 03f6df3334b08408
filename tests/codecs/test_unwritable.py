"""What Python holds and no JSON text can: the one answer of every door (docs/errors.md)."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pytest
from pydantic import ValidationError

import interlingua as il
from interlingua.errors import EncodeError, JsonDecodeError
from interlingua.strict_json import LARGEST_INTEGER, MAX_DEPTH
from interlingua_types import CURRENT
from support.bodies import DIALECTS


def nested(levels: int, *, lists: bool = False) -> Any:
    value: Any = "deep"
    for _ in range(levels):
        value = [value] if lists else {"x": value}
    return value


DEEP: Final = nested(5_000)
TWINS: Final = dict.fromkeys(("a\ud800", "a\udc00"), 1)
VALUES: Final[MappingProxyType[str, Any]] = MappingProxyType({
    "half a character": "a\ud83d",
    "half a name": {"a\ud800": 1},
    "half a name, deeper": {"b": [{"a\ud800": {"\udfff": 1}}]},
    "two names alike but for halves": TWINS,
    "NaN": math.nan,
    "an infinite number": {"x": math.inf},
    "a number larger than a double can hold double": LARGEST_INTEGER + 1,
    "a number of 5,000 digits": -(10**5_000),
    "more levels than JSON is read with": nested(MAX_DEPTH + 10),
    "more levels than Python walks": DEEP,
    "more lists than Python walks": nested(5_000, lists=True),
})  # fmt: skip
NAMES: Final = sorted(VALUES)
HALVES: Final = frozenset(name for name in VALUES if "hal" in name)
REQUESTS: Final[MappingProxyType[str, dict[str, Any]]] = MappingProxyType({
    "openai_chat": {"model": "m", "messages": [{"role": "user", "content": "Hi"}]},
    "openai_responses": {"model": "m", "input": [{"type": "message", "role": "user", "content": "Hi"}]},
    "claude": {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]},
    "ollama": {"model": "m", "messages": [{"role": "user", "content": "Hi"}]},
    "vllm": {"model": "m", "messages": [{"role": "user", "content": "Hi"}]},
    "bedrock_converse": {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "Hi"}]}]},
})  # fmt: skip
LISTS: Final[MappingProxyType[str, str]] = MappingProxyType({"openai_responses": "input", "gemini": "contents"})
ANSWER: Final = il.ChatResponse(id="r", model="m", created=1, messages=[il.AssistantChatMessage(content="Hi")])


EVENTS: Final[tuple[dict[str, Any], ...]] = (
    {"type": "start", "id": "r", "model": "m"},
    {"type": "content", "block": 0, "text": "Hi"},
    {"type": "finish", "reason": "stop"},
    {"type": "end", "complete": True},
)


def requests(dialect: str, value: Any) -> list[tuple[str, Any]]:
    """Return requests with a value at the top and in a message, and the place of each."""
    body = REQUESTS[dialect]
    name = LISTS.get(dialect, "messages")
    message = body[name][0] | {"x_new": value}
    return [("/x_new", body | {"x_new": value}), (f"/{name}/0/x_new", body | {name: [message]})]


def answers(dialect: str, value: Any) -> list[Any]:
    """Return responses with a value at the top and in the usage."""
    body = il.encode_response(ANSWER, dialect).body
    usage = "usageMetadata" if dialect == "gemini" else "usage"
    return [body | {"x_new": value}, body | {usage: body.get(usage, {}) | {"x_new": value}}]


def same(one: Any, other: Any) -> bool:
    """Tell whether two values are equal; Python looks no further where both hold the same object."""
    return bool(one == other)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_request_with_values_invalid_in_json_text_passes_every_function_unchanged(dialect: str, name: str) -> None:
    for _, body in requests(dialect, VALUES[name]):
        request = il.decode_request(body, dialect)
        assert same(il.encode_request(request, dialect).body, body)
        assert same(il.translate_request(body, dialect, dialect).body, body)
        for target in DIALECTS:
            abroad = il.translate_request(body, dialect, target)
            assert same(il.encode_request(request, target).body, abroad.body)
            assert target == dialect or abroad.losses
            assert same(il.normal_form(il.decode_request(body, dialect)), il.normal_form(request))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", NAMES)
def test_check_request_reports_values_invalid_in_json_text_with_their_path(dialect: str, name: str) -> None:
    for place, body in requests(dialect, VALUES[name]):
        told = [one.path for one in il.check_request(body, dialect) if one.code == "json"]
        assert told
        assert all(path.startswith(place) for path in told)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", NAMES)
def test_repair_accepts_values_invalid_in_json_text_and_repairs_lone_surrogates(dialect: str, name: str) -> None:
    _, body = requests(dialect, VALUES[name])[1]
    request = il.decode_request(body, dialect)
    for target in DIALECTS:
        repaired = il.repair_request(request, target)
        # Abroad an unknown member is a loss, so that nothing is left to mend.
        assert bool(repaired.repairs) == (name in HALVES and target == dialect)
        assert {one.code for one in repaired.repairs} <= {"half_character"}
        if not repaired.repairs:
            assert same(il.encode_request(repaired.request, dialect).body, body)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_response_with_values_invalid_in_json_text_passes_every_function_unchanged(dialect: str, name: str) -> None:
    for body in answers(dialect, VALUES[name]):
        response = il.decode_response(body, dialect)
        assert same(il.encode_response(response, dialect).body, body)
        for target in DIALECTS:
            translated = il.translate_response(body, dialect, target).body
            assert same(il.encode_response(response, target).body, translated)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_stream_with_values_invalid_in_json_text_passes_every_function_unchanged(dialect: str, name: str) -> None:
    frames = list(il.encode_stream(EVENTS, dialect))
    first = next(at for at, frame in enumerate(frames) if isinstance(frame, dict))
    frames[first] = {**frames[first], "x_new": VALUES[name]}  # type: ignore[dict-item]
    decoded = list(il.decode_stream(frames, dialect))
    assert same(list(il.encode_stream(decoded, dialect)), frames)
    assert il.normal_form(il.collect(decoded))["messages"][0]["content"] == "Hi"
    for target in DIALECTS:
        assert list(il.translate_stream(frames, dialect, target))


@pytest.mark.parametrize("details", [[{"modality": DEEP}], [DEEP], [{"tokenCount": 10**5_000, "modality": "TEXT"}]])
def test_incomparable_token_counts_of_gemini_are_read_in_every_chunk(details: Any) -> None:
    usage = {"promptTokenCount": 1, "promptTokensDetails": details}
    chunk = {"candidates": [{"content": {"role": "model", "parts": [{"text": "Hi"}]}}], "usageMetadata": usage}
    again = {**chunk, "usageMetadata": {**usage, "promptTokensDetails": list(details)}}
    events = list(il.decode_stream([chunk, again, again], "gemini"))
    assert same(list(il.encode_stream(events, "gemini")), [chunk, again, again])


@pytest.mark.parametrize("value", [math.nan, math.inf, 10**5_000, DEEP], ids=range(4))
@pytest.mark.parametrize("beside", [{}, {"more": None}])
def test_a_gemini_result_that_cannot_be_text_is_refused_with_its_path(value: Any, beside: dict[str, Any]) -> None:
    result = {"functionResponse": {"name": "f", "response": {"x": value, **beside}}}
    body = {"contents": [*REQUESTS["gemini"]["contents"], {"role": "user", "parts": [result]}]}
    for door in (il.decode_request, lambda body, dialect: il.translate_request(body, dialect, dialect)):
        with pytest.raises(il.DecodeError) as caught:
            door(body, "gemini")
        assert caught.value.path == "/contents/1/parts/0/functionResponse/response"


def test_a_gemini_result_keeps_its_nulls() -> None:
    result = {"functionResponse": {"name": "f", "response": {"x": None, "big": 10**30, "nested": [None, "null"]}}}
    body = {"contents": [*REQUESTS["gemini"]["contents"], {"role": "user", "parts": [result]}]}
    assert il.encode_request(il.decode_request(body, "gemini"), "gemini").body == body


CALL: Final = {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {"x": DEEP}}]}
CALLING: Final = {**REQUESTS["claude"], "messages": [*REQUESTS["claude"]["messages"], CALL]}


@pytest.mark.parametrize(("value", "named"), [({"x": DEEP}, "x"), ({"x": math.nan}, "/x"), ({"x": 10**5_000}, "/x")])
@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "vllm"])
def test_a_value_that_cannot_become_text_is_an_encode_error_with_its_path(value: Any, named: str, target: str) -> None:
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": value}]}
    body = {**CALLING, "messages": [*REQUESTS["claude"]["messages"], call]}
    request = il.decode_request(body, "claude")
    doors: list[Callable[[], Any]] = [
        lambda: il.translate_request(body, "claude", target),
        lambda: il.encode_request(request, target),
        lambda: il.encode_request(il.repair_request(request, target).request, target),
    ]
    for door in doors:
        with pytest.raises(EncodeError) as caught:
            door()
        assert caught.value.dialect == target
        assert caught.value.path.startswith("/messages/1/tool_calls/0/arguments")
        assert caught.value.path.endswith(named)


def test_a_stream_event_that_cannot_become_text_is_an_encode_error_with_its_path() -> None:
    start = {"type": "start"}
    call = {"type": "tool_call_start", "block": 0, "id": "c", "name": "f", "arguments": {"x": math.nan}}
    encoder = il.StreamEncoder("openai_chat")
    encoder.feed(start)
    with pytest.raises(EncodeError) as caught:
        encoder.feed(call)
    assert (caught.value.dialect, caught.value.path) == ("openai_chat", "/1/arguments/x")


@pytest.mark.parametrize("name", NAMES)
def test_a_verbatim_null_is_kept_beside_values_invalid_in_json_text(name: str) -> None:
    calls = [None, {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    message = {"role": "assistant", "content": None, "tool_calls": calls, "x_new": VALUES[name]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    body = {"id": "r", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    assert same(il.encode_response(il.decode_response(body, "openai_chat"), "openai_chat").body, body)


# What stands where a word is wanted, in blocks that only their dialect understands.

STRANGE: Final[tuple[Any, ...]] = (None, True, 5, 1.5, "", [], {}, ["x"], {"x": DEEP}, DEEP)


@pytest.mark.parametrize("name", ["type", "id", "tool_use_id", "call_id", "content", "status"])
@pytest.mark.parametrize("at", range(len(STRANGE)))
@pytest.mark.parametrize(
    ("dialect", "kinds"),
    [
        ("claude", ("server_tool_use", "web_search_tool_result", "mcp_tool_use", "new_tool_result")),
        ("openai_responses", ("computer_call", "computer_call_output", "item_reference", "new_output")),
    ],
)
def test_repair_accepts_parts_whose_ids_and_types_are_not_text(
    dialect: str, kinds: tuple[str, ...], at: int, name: str
) -> None:
    for kind in kinds:
        ids = {"id": "c", "tool_use_id": "c", "call_id": "c", "content": [], "status": "completed"}
        block = {"type": kind, **ids, name: STRANGE[at]}
        body = REQUESTS[dialect]
        members = LISTS.get(dialect, "messages")
        spoken = [{"role": "assistant", "content": [block, {"type": "text", "text": "So."}]}]
        messages = [*body[members], *([block, block] if dialect == "openai_responses" else spoken)]
        try:
            request = il.decode_request({**body, members: messages}, dialect)
        except il.DecodeError:
            continue
        for target in DIALECTS:
            assert il.repair_request(il.repair_request(request, target).request, target).repairs == ()
        assert same(il.encode_request(request, dialect).body, {**body, members: messages})
        assert isinstance(il.check_request({**body, members: messages}, dialect), list)


# Two names that differ only in halves.


def test_names_that_differ_in_lone_surrogates_stay_different_or_raise_an_error() -> None:
    _, body = requests("openai_chat", TWINS)[1]
    top = {**body, **TWINS}
    request = il.decode_request(top, "openai_chat")
    assert il.encode_request(request, "openai_chat").body == top
    for write in (lambda: request.model_dump(mode="json"), request.model_dump_json):
        with pytest.raises((UnicodeEncodeError, ValueError)):
            write()


@pytest.mark.parametrize(
    "document", [{"type": "text", "schema_version": CURRENT}, {"type": "new", "schema_version": CURRENT + 1}]
)
def test_metadata_with_such_names_is_never_stored_under_another_name(document: Any) -> None:
    document = {**document, "data": {"role": "user", "content": "Hi"}, "metadata": TWINS}
    (message,) = il.load_message(document)
    for dump in (il.dump_message, il.dump_message_json):
        with pytest.raises(EncodeError):
            dump(message)
    assert message.model_dump()["metadata"] == TWINS


def test_a_store_keeps_names_that_differ_in_lone_surrogates(tmp_path: Path) -> None:
    message = il.TextMessage(data=il.TextData(role="user", content="Hi"), metadata={**TWINS, "x": TWINS})
    with il.SessionStore(tmp_path / "store") as store:
        store.create("s")
        store.append("s", [message])
        (loaded,) = store.load("s").transcript.messages
    assert loaded.metadata == message.metadata


def test_a_name_with_a_lone_surrogate_is_never_a_declared_member() -> None:
    with pytest.raises(ValidationError):
        il.ChatRequest(messages=[], **{"a\ud800": 1})  # type: ignore[arg-type]


# What is stored.


@pytest.mark.parametrize("number", [LARGEST_INTEGER + 1, -LARGEST_INTEGER - 1, 10**400, 10**5_000], ids=range(4))
def test_a_number_that_cannot_be_read_again_is_not_stored(number: int, tmp_path: Path) -> None:
    message = il.TextMessage(data=il.TextData(role="user", content="Hi"), metadata={"x": number})
    for dump in (il.dump_message, il.dump_message_json):
        with pytest.raises(EncodeError):
            dump(message)
    with il.SessionStore(tmp_path / "store") as store:
        store.create("s")
        with pytest.raises(EncodeError):
            store.append("s", [message])
        assert store.load("s").transcript.messages == ()
    with pytest.raises(JsonDecodeError):
        il.load_message('{"schema_version": 3, "type": "text", "metadata": {"x": 1' + "0" * 400 + "}}")


@pytest.mark.parametrize("number", [LARGEST_INTEGER, -LARGEST_INTEGER, 10**30], ids=range(3))
def test_the_largest_numbers_round_trip_through_a_store(number: int) -> None:
    message = il.TextMessage(data=il.TextData(role="user", content="9" * 400), metadata={"x": number})
    assert il.load_message(il.dump_message_json(message)) == (message,)
    assert il.load_message(il.dump_message(message)) == (message,)


@pytest.mark.parametrize("levels", [MAX_DEPTH, MAX_DEPTH + 1])
def test_exactly_the_levels_of_the_limit_may_be_sent(levels: int) -> None:
    """The body itself is one level."""
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "x_new": nested(levels - 1)}
    codes = [one.code for one in il.check_request(body, "openai_chat")]
    assert codes == (["json"] if levels > MAX_DEPTH else [])
